#include "passes/ir/text/print.h"

#include <charconv>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "passes/ir/layout.h"

namespace tile2cu::ir {
namespace {

bool isIdentifier(llvm::StringRef text) {
  auto isLetter = [](char c) {
    return llvm::isAlpha(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && isLetter(text[0]) &&
         llvm::all_of(text, [&](char c) { return isLetter(c) || llvm::isDigit(c); });
}

std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// Shortest text that reads back as the same number, and never as an integer.
std::string formatDouble(double value) {
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".enN") == std::string::npos) text += ".0";  // not 1e30, inf, nan
  return text;
}

std::string formatAttribute(const Attribute &attribute) {
  struct Visitor {
    std::string operator()(bool value) { return value ? "true" : "false"; }
    std::string operator()(int64_t value) { return std::to_string(value); }
    std::string operator()(double value) { return formatDouble(value); }
    std::string operator()(const std::string &value) {
      bool isKeyword = value == "true" || value == "false" || value == "inf" || value == "nan";
      return isIdentifier(value) && !isKeyword ? value : quoted(value);
    }
    std::string operator()(const llvm::SmallVector<int64_t, 4> &values) {
      std::string text = "[";
      for (size_t i = 0; i < values.size(); ++i)
        text += (i ? ", " : "") + std::to_string(values[i]);
      return text + "]";
    }
#define ENUM(Name) \
  std::string operator()(Name value) { return wordOf(value).str(); }
#include "passes/ir/enums.def"
  };
  return std::visit(Visitor{}, attribute);
}

struct Printer {
  llvm::raw_ostream &os;
  PrintOptions options;
  const Module *module = nullptr;
  struct Names {
    llvm::DenseMap<const Value *, std::string> text;
    llvm::StringMap<unsigned> taken;
    unsigned anonymous = 0;
  };
  Names names = Names();

  // ---- names
  llvm::StringRef name(const Value *value) {
    std::string &text = names.text[value];
    if (!text.empty()) return text;
    if (value->name.empty()) return text = "%" + std::to_string(names.anonymous++);
    text = "%" + (isIdentifier(value->name) ? value->name : quoted(value->name));
    unsigned count = names.taken[text]++;
    if (count > 0) text += "." + std::to_string(count);
    return text;
  }

  void location(Location loc) {
    if (!options.locations || loc.line == 0) return;
    os << " loc(" << loc.file << ":" << loc.line << ":" << loc.column;
    if (loc.statement >= 0) os << " #" << loc.statement;
    os << ")";
  }

  // ---- operations
  void indentBy(unsigned depth) { os.indent(2 * depth); }

  void attributes(const Op &op) {
    const char *separator = " {";
    for (auto &[id, value] : op.attributes) {
      if (op.kind == OpKind::Constant && id == Attr::value) continue;
      os << separator << nameOf(id) << " = " << formatAttribute(value);
      separator = ", ";
    }
    if (*separator == ',') os << "}";
  }

  void operandList(const Op &op) {
    unsigned count = op.numOperands();
    while (count > 0 && !op.operand(count - 1)) --count;
    for (unsigned i = 0; i < count; ++i) {
      os << (i ? ", " : " ");
      if (Value *value = op.operand(i))
        os << name(value);
      else
        os << "_";
    }
  }

  // %k = %lower to %upper step %step, %carried = %init, ...
  void forHead(const Op &op) {
    const ForOp loop(&op);
    os << " " << name(loop.variable()) << " = " << name(loop.lower()) << " to "
       << name(loop.upper()) << " step " << name(loop.step());
    for (unsigned i = 0; i < loop.numCarried(); ++i)
      os << ", " << name(loop.carried(i)) << " = " << name(loop.init(i));
  }

  void regions(const Op &op, unsigned depth) {
    bool isIf = op.kind == OpKind::If;
    for (unsigned i = 0; i < op.regions.size(); ++i) {
      const Block &region = *op.regions[i];
      if (isIf && i == 1 && region.empty()) break;
      os << (isIf && i == 1 ? " else {\n" : " {\n");
      if (op.kind != OpKind::For) arguments(region, depth);
      block(region, depth + 1);
      indentBy(depth);
      os << "}";
    }
  }

  void arguments(const Block &region, unsigned depth) {
    if (region.arguments.empty()) return;
    indentBy(depth);
    os << "^(";
    for (auto &argument : region.arguments)
      os << (argument->index ? ", " : "") << name(argument.get()) << ": " << argument->type.str();
    os << ")\n";
  }

  void operation(const Op &op, unsigned depth) {
    indentBy(depth);
    for (auto &result : op.results) os << (result->index ? ", " : "") << name(result.get());
    os << (op.results.empty() ? "" : " = ") << op.mnemonic();
    if (op.kind == OpKind::For)
      forHead(op);
    else
      operandList(op);
    if (op.kind == OpKind::Constant && op.has(Attr::value))
      os << " " << formatAttribute(*op.attributes.find(Attr::value));
    attributes(op);
    if (op.layout) os << " on " << op.layout->str();
    for (auto &result : op.results) os << (result->index ? ", " : " : ") << result->type.str();
    location(op.loc);
    regions(op, depth);
    os << "\n";
  }

  void block(const Block &block, unsigned depth) {
    for (auto &op : block.ops) operation(*op, depth);
  }

  // ---- kernels
  void parameter(const Parameter &parameter, const Value &argument) {
    os << name(&argument) << ": " << parameter.type.str();
    if (parameter.isRestrict) os << " restrict";
    if (parameter.isReadAndWritten) os << " read_and_written";
    if (parameter.alignment != 0) os << " aligned " << parameter.alignment;
    if (parameter.divisibility != 1) os << " divisible " << parameter.divisibility;
    if (parameter.name != argument.name) os << " named " << quoted(parameter.name);
    if (!parameter.record.empty()) os << " of " << quoted(parameter.record);
    if (!parameter.spelling.empty()) os << " spelled " << quoted(parameter.spelling);
  }

  void kernelOptions(const Kernel &kernel) {
    const Options &o = kernel.options, defaults;
    os << " warps " << o.numWarps;
    if (o.numStages != defaults.numStages) os << " stages " << o.numStages;
    if (o.programsPerBlock) os << " programs_per_block " << o.programsPerBlock;
    if (o.residentThreads) os << " resident_threads " << o.residentThreads;
    if (o.minBlocks) os << " min_blocks " << o.minBlocks;
    if (o.persistent) os << " persistent";
    if (kernel.explicitGrid) os << " explicit_grid";
    if (kernel.programsPerBlock != 1) os << " packed " << kernel.programsPerBlock;
    if (!kernel.assumptions.empty()) {
      const char *separator = " assumptions [";
      for (auto [parameter, divisor] : kernel.assumptions.divisibility) {
        os << separator << parameter << ": " << divisor;
        separator = ", ";
      }
      for (unsigned parameter : kernel.assumptions.ones) {
        os << separator << parameter << " = 1";
        separator = ", ";
      }
      os << "]";
    }
    if (kernel.scalarVariant && module) os << " otherwise " << reference(*kernel.scalarVariant);
    if (kernel.hopperVariant && module) os << " on_hopper " << reference(*kernel.hopperVariant);
  }

  // @name#index
  std::string reference(const Kernel &kernel) {
    auto it = llvm::find_if(module->kernels, [&](const Kernel &k) { return &k == &kernel; });
    return "@" + kernel.name + "#" + std::to_string(std::distance(module->kernels.begin(), it));
  }

  void sharedBuffer(const SharedBuffer &buffer) {
    os << "  shared @" << buffer.name << ": ";
    for (size_t i = 0; i < buffer.members.size(); ++i)
      os << (i ? ", " : "") << ir::name(buffer.members[i]);
    for (size_t i = 0; i < buffer.shape.size(); ++i)
      os << (i ? ", " : " [") << buffer.shape[i].str();
    os << "]";
    if (buffer.swizzled) os << " swizzled";
    if (buffer.panel) os << " panel " << buffer.panel;
    if (buffer.alignment) os << " aligned " << buffer.alignment;
    if (buffer.stages != 1) os << " stages " << buffer.stages;
    if (buffer.slot != -1) os << " slot " << buffer.slot;
    if (buffer.stack != 0) os << " stack " << buffer.stack;
    os << "\n";
  }

  void ring(const SharedRing &ring) {
    os << "  ring" << (ring.name.empty() ? "" : " @") << ring.name << " stages " << ring.stages
       << " ";
    for (size_t i = 0; i < ring.buffers.size(); ++i) os << (i ? ", " : "[") << ring.buffers[i];
    os << "]\n";
  }

  // Its arguments have the names of the parameters.
  void producer(const Block &block) {
    names = Names();
    for (auto &argument : block.arguments) name(argument.get());
    os << "  producer {\n";
    this->block(block, 2);
    os << "  }\n";
  }

  void kernel(const Kernel &kernel) {
    os << "kernel @" << kernel.name;
    for (size_t i = 0; i < kernel.templateArguments.size(); ++i) {
      const TemplateArgument &argument = kernel.templateArguments[i];
      os << (i ? ", " : "<") << (argument.name.empty() ? "\"\"" : argument.name) << " = ";
      if (argument.integer && std::to_string(*argument.integer) == argument.value)
        os << argument.value;
      else
        os << quoted(argument.value);
      if (argument.integer && std::to_string(*argument.integer) != argument.value)
        os << " as " << *argument.integer;
    }
    os << (kernel.templateArguments.empty() ? "(" : ">(");
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (i) os << ", ";
      parameter(kernel.parameters[i], *kernel.body.argument(i));
    }
    os << ")";
    kernelOptions(kernel);
    if (!kernel.nameSpace.empty()) os << " namespace " << quoted(kernel.nameSpace);
    if (options.locations && !kernel.comment.empty()) os << " comment " << quoted(kernel.comment);
    location(kernel.loc);
    os << " {\n";
    for (const SharedBuffer &buffer : kernel.shared) sharedBuffer(buffer);
    for (const SharedRing &ring : kernel.rings) this->ring(ring);
    if (options.locations) {
      for (const Statement &s : kernel.statements) {
        os << "  statement " << quoted(s.text);
        if (!s.comment.empty()) os << " comment " << quoted(s.comment);
        location(s.loc);
        os << "\n";
      }
    }
    block(kernel.body, 1);
    if (kernel.producer) producer(*kernel.producer);
    os << "}\n";
  }

  void record(const Record &record) {
    const bool isPlain =
        llvm::all_of(record.name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    os << "struct @" << (isPlain ? record.name : quoted(record.name));
    if (!record.nameSpace.empty()) os << " namespace " << quoted(record.nameSpace);
    if (!record.header.empty()) os << " header " << quoted(record.header);
    if (options.locations && !record.comment.empty()) os << " comment " << quoted(record.comment);
    location(record.loc);
    os << " {\n";
    for (const Record::Member &member : record.members) {
      os << "  member " << quoted(member.name) << ": ";
      if (member.record.empty())
        os << member.type.str();
      else
        os << "struct " << quoted(member.record);
      for (int64_t extent : member.extents) os << " [" << extent << "]";
      if (!member.init.empty()) os << " = " << quoted(member.init);
      if (options.locations && !member.comment.empty()) os << " comment " << quoted(member.comment);
      os << "\n";
    }
    os << "}\n";
  }

  // x, or "p.x"
  static std::string parameterName(const std::string &name) {
    return llvm::StringRef(name).contains('.') ? quoted(name) : name;
  }

  void tuning(const Tuning &tuning) {
    os << "tune key(" << llvm::join(llvm::map_range(tuning.key, parameterName), ", ") << ") ";
    for (const Tuning::Memory &memory : tuning.preserved)
      os << "preserve(" << parameterName(memory.pointer) << ", "
         << llvm::join(llvm::map_range(memory.sizes, parameterName), ", ") << ") ";
    if (!tuning.timed) os << "untimed ";
  }

  void launcher(const Launcher &launcher) {
    os << "launcher @" << launcher.name << " = ";
    if (launcher.tuning)
      tuning(*launcher.tuning);
    else
      os << "select ";
    for (size_t i = 0; i < launcher.candidates.size(); ++i)
      os << (i ? ", " : "") << reference(*launcher.candidates[i]);
    if (!launcher.nameSpace.empty()) os << " namespace " << quoted(launcher.nameSpace);
    if (options.locations && !launcher.comment.empty())
      os << " comment " << quoted(launcher.comment);
    location(launcher.loc);
    os << "\n";
  }
};

}  // namespace

void print(const Kernel &kernel, llvm::raw_ostream &os, PrintOptions options) {
  Printer{os, options}.kernel(kernel);
}

void print(const Module &module, llvm::raw_ostream &os, PrintOptions options) {
  if (options.locations && !module.files.empty()) {
    os << "files ";
    for (size_t i = 0; i < module.files.size(); ++i)
      os << (i ? ", " : "") << quoted(module.files[i]);
    os << "\n";
  }
  const bool progress = options.progress && !module.after.empty();
  if (module.level != Level::Tile || progress) {
    os << "level " << name(module.level);
    if (progress) os << " after " << module.after;
    os << "\n";
  }
  for (const Record &record : module.records) Printer{os, options}.record(record);
  for (const Kernel &kernel : module.kernels) Printer{os, options, &module}.kernel(kernel);
  for (const Launcher &launcher : module.launchers)
    Printer{os, options, &module}.launcher(launcher);
}

std::string toString(const Module &module, PrintOptions options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(module, os, options);
  return text;
}

std::string toString(const Op *op) {
  const Block *root = op->parent;
  while (root && root->parent && root->parent->parent) root = root->parent->parent;
  // Printing the whole kernel gives every value its name there.
  llvm::raw_null_ostream nowhere;
  Printer all{nowhere, {}};
  if (root) {
    for (auto &argument : root->arguments) all.name(argument.get());
    all.block(*root, 0);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  Printer one{os, {}, nullptr, std::move(all.names)};
  one.operation(*op, 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace tile2cu::ir
