#include "passes/ir/text/parse.h"

#include <map>

#include "fmt/format.h"
#include "passes/ir/text/parse_types.h"
#include "passes/ir/verify/verify.h"

namespace tile2cu::ir {
namespace {

// Every function returns false after it has reported an error.
struct Parser : TypeParser {
  // Values by their text, without the %. Those of a region are forgotten at its end.
  std::map<std::string, Value *, std::less<>> values = {};

  // ---- attributes
  // `{` begins attributes if `name =` follows, else a region.
  bool atAttributes() {
    size_t start = lex.offset();
    bool found = lex.eat("{") && lex.identifier() && lex.peek("=");
    lex.rewind(start);
    return found;
  }

  bool attributes(Op &op) {
    if (!atAttributes()) return true;
    lex.eat("{");
    do {
      const size_t start = lex.offset();
      std::string name;
      if (!identifier(name, "the name of an attribute")) return false;
      const auto id = attrFromName(name);
      if (!id) return errorAt(start, "there is no attribute '" + name + "'");
      if (!expect("=") || !attributeOf(op, *id)) return false;
    } while (lex.eat(","));
    return expect("}");
  }

  bool attributeOf(Op &op, AttrId id) {
    const size_t start = lex.offset();
    Attribute value;
    if (!attribute(value)) return false;
    if (const auto *word = std::get_if<std::string>(&value))
      if (auto enumerator = enumFromWord(typeOf(id), *word)) value = *enumerator;
    if (!holds(typeOf(id), value))
      return errorAt(start, fmt::format("the value of '{}' has to be {}", nameOf(id).str(),
                                        describe(typeOf(id))));
    op.attributes.set(id, std::move(value));
    return true;
  }

  // ---- values
  // %name, %name.1, %12, %"any text". `text` tells values apart; `hint` is the name that the value
  // gets.
  bool valueName(std::string &text, std::string &hint) {
    if (!lex.peek("%")) return expected("a value such as %x");
    size_t start = lex.offset();
    lex.eat("%");
    if (lex.peekDigit()) {
      text = std::to_string(*lex.integer());
      return true;
    }
    bool isQuoted = lex.peek("\"");
    auto name = isQuoted ? lex.quoted() : lex.identifier();
    if (!name) return errorAt(start, "expected a name after '%'");
    hint = *name;
    text = (isQuoted ? "\"" : "") + hint;
    if (lex.eat(".")) {
      auto suffix = lex.integer();
      if (!suffix) return expected("a number after '.'");
      text += "." + std::to_string(*suffix);
    }
    return true;
  }

  bool use(Value *&into) {
    size_t start = lex.offset();
    std::string text, hint;
    if (!valueName(text, hint)) return false;
    auto it = values.find(text);
    if (it == values.end()) return errorAt(start, "%" + text + " is not defined here");
    into = it->second;
    return true;
  }

  struct Name {
    std::string text, hint;
    size_t offset;
  };
  bool newName(Name &name) {
    name.offset = lex.offset();
    return valueName(name.text, name.hint);
  }
  bool define(const Name &name, Value *value) {
    value->name = name.hint;
    if (values.emplace(name.text, value).second) return true;
    return errorAt(name.offset, "%" + name.text + " is already defined");
  }

  // ---- locations
  Location locationAt(size_t offset) {
    if (hasFiles) return {};
    auto [line, column] = lex.place(offset);
    return {0, line, column};
  }
  bool location(Location &loc) {
    if (!lex.eat("loc")) return true;
    int file = 0, line = 0, column = 0;
    if (!expect("(") || !number(file) || !expect(":") || !number(line) || !expect(":") ||
        !number(column))
      return false;
    loc = {static_cast<unsigned>(file), static_cast<unsigned>(line), static_cast<unsigned>(column)};
    if (lex.eat("#") && !number(loc.statement)) return false;
    return expect(")");
  }

  // ---- operations
  bool operandList(Op &op) {
    if ((!lex.peek("%") && !lex.peek("_")) || lex.atLineStart()) return true;
    do {
      Value *value = nullptr;
      if (!lex.eat("_") && !use(value)) return false;
      op.addOperand(value);
    } while (lex.eat(","));
    return true;
  }

  // %k = %lower to %upper step %step, %carried = %init, ...
  bool forHead(Op &op, std::vector<Name> &arguments) {
    Value *lower = nullptr, *upper = nullptr, *step = nullptr;
    if (!newName(arguments.emplace_back()) || !expect("=") || !use(lower) || !expect("to") ||
        !use(upper) || !expect("step") || !use(step))
      return false;
    op.setOperands({lower, upper, step});
    while (lex.eat(",")) {
      Value *init = nullptr;
      if (!newName(arguments.emplace_back()) || !expect("=") || !use(init)) return false;
      op.addOperand(init);
    }
    return true;
  }

  bool region(Block &block, const std::vector<Name> &forArguments = {}) {
    auto outer = values;
    if (!expect("{")) return false;
    for (size_t i = 0; i < forArguments.size(); ++i)
      if (!define(forArguments[i], block.argument(i))) return false;
    if (lex.eat("^")) {
      if (!expect("(")) return false;
      do {
        Name name;
        Type of;
        if (!newName(name) || !expect(":") || !type(of) || !define(name, block.addArgument(of)))
          return false;
      } while (lex.eat(","));
      if (!expect(")")) return false;
    }
    while (!lex.peek("}"))
      if (!operation(block)) return false;
    values = std::move(outer);
    return expect("}");
  }

  bool operation(Block &block) {
    size_t start = lex.offset();
    std::vector<Name> results;
    if (lex.peek("%")) {
      do {
        if (!newName(results.emplace_back())) return false;
      } while (lex.eat(","));
      if (!expect("=")) return false;
    }
    size_t kindStart = lex.offset();
    std::string word;
    if (!identifier(word, "an operation")) return false;
    auto kind = kindFromMnemonic(word);
    if (!kind) return errorAt(kindStart, "there is no operation '" + word + "'");

    auto made = std::make_unique<Op>(*kind, locationAt(start));
    Op &op = *made;
    std::vector<Name> forArguments;
    bool isFor = *kind == OpKind::For;
    if (isFor ? !forHead(op, forArguments) : !operandList(op)) return false;
    if (*kind == OpKind::Constant && !attributeOf(op, Attr::value)) return false;
    if (!attributes(op)) return false;
    if (lex.eat("on") && !layout(op.layout)) return false;
    for (size_t i = 0; i < results.size(); ++i) {
      Type of;
      if (!expect(i ? "," : ":") || !type(of)) return false;
      op.addResult(of);
    }
    if (!location(op.loc)) return false;
    block.append(std::move(made));

    if (isFor && forArguments.size() != results.size() + 1)
      return errorAt(start, "a loop has one result for each carried value");
    for (size_t i = 0; i < forArguments.size(); ++i) {
      if (i == 0) op.addRegion();
      op.region()->addArgument(i ? op.result(i - 1)->type : op.operand(0)->type);
    }
    if (isFor && !region(*op.region(), forArguments)) return false;
    while (!isFor && lex.peek("{"))
      if (!region(*op.addRegion())) return false;
    if (*kind == OpKind::If) {
      Block *onFalse = op.addRegion();
      if (lex.eat("else") && !region(*onFalse)) return false;
    }
    for (size_t i = 0; i < results.size(); ++i)
      if (!define(results[i], op.result(i))) return false;
    return true;
  }

  // ---- kernels
  // @name#index. A kernel may name a later one, so its references are resolved at the end.
  struct KernelReference {
    std::string name;
    int64_t index = 0;
    size_t offset = 0;
  };
  std::vector<std::pair<Kernel **, KernelReference>> variants = {};

  bool kernelReference(KernelReference &into) {
    into.offset = lex.offset();
    return expect("@") && identifier(into.name, "a kernel's name") && expect("#") &&
           integer(into.index);
  }
  bool variant(Kernel *&into) {
    return kernelReference(variants.emplace_back(&into, KernelReference()).second);
  }
  bool resolve(const KernelReference &reference, Kernel *&into) {
    size_t index = reference.index;
    auto found = std::next(module.kernels.begin(), std::min(index, module.kernels.size()));
    if (found == module.kernels.end() || found->name != reference.name)
      return errorAt(reference.offset,
                     fmt::format("kernel #{} is not @{}", reference.index, reference.name));
    into = &*found;
    return true;
  }

  bool assumptions(Assumptions &into) {
    if (!expect("[")) return false;
    do {
      int64_t parameter = 0, divisor = 1;
      if (!integer(parameter)) return false;
      if (lex.eat("=")) {
        if (!expect("1")) return false;
        into.ones.insert(parameter);
        continue;
      }
      if (!expect(":") || !integer(divisor)) return false;
      into.divisibility[parameter] = divisor;
    } while (lex.eat(","));
    return expect("]");
  }

  bool sharedBuffer(SharedBuffer &buffer) {
    if (!expect("@") || !identifier(buffer.name, "the buffer's name") || !expect(":")) return false;
    do {
      Element member;
      if (!element(member)) return false;
      buffer.members.push_back(member.scalar);
    } while (lex.eat(","));
    if (!sizes(buffer.shape)) return false;
    buffer.swizzled = lex.eat("swizzled");
    return (!lex.eat("panel") || number(buffer.panel)) &&
           (!lex.eat("aligned") || number(buffer.alignment)) &&
           (!lex.eat("stages") || number(buffer.stages)) &&
           (!lex.eat("slot") || number(buffer.slot)) && (!lex.eat("stack") || number(buffer.stack));
  }

  // ring @x_y stages 3 [0, 1]; without a name if it is the only one
  bool ring(SharedRing &ring) {
    if (lex.eat("@") && !identifier(ring.name, "the ring's name")) return false;
    llvm::SmallVector<int64_t, 4> buffers;
    if (!expect("stages") || !number(ring.stages) || !integers(buffers)) return false;
    ring.buffers.assign(buffers.begin(), buffers.end());
    return true;
  }

  // producer { ... }, in which the parameters have the names that they have in the body
  bool producer(Kernel &kernel) {
    kernel.producer = std::make_unique<Block>();
    for (auto &argument : kernel.body.arguments)
      kernel.producer->addArgument(argument->type, argument->name);
    std::erase_if(values, [&](const auto &entry) { return entry.second->owner != &kernel.body; });
    for (auto &[text, value] : values) value = kernel.producer->argument(value->index);
    return region(*kernel.producer);
  }

  bool statement(Statement &into) {
    return quoted(into.text) && (!lex.eat("comment") || quoted(into.comment)) && location(into.loc);
  }

  bool templateArguments(Kernel &kernel) {
    if (!lex.eat("<")) return true;
    do {
      TemplateArgument &argument = kernel.templateArguments.emplace_back();
      // "" where the parameter has no name.
      if (auto name = lex.quoted())
        argument.name = *name;
      else if (!identifier(argument.name, "a template parameter"))
        return false;
      if (!expect("=")) return false;
      if (auto text = lex.quoted()) {
        argument.value = *text;
        if (lex.eat("as") && !integer(argument.integer.emplace())) return false;
      } else {
        if (!integer(argument.integer.emplace())) return false;
        argument.value = std::to_string(*argument.integer);
      }
    } while (lex.eat(","));
    return expect(">");
  }

  bool parameter(Kernel &kernel) {
    Parameter &parameter = kernel.parameters.emplace_back();
    Name name;
    if (!newName(name) || !expect(":") || !type(parameter.type)) return false;
    if (!define(name, kernel.body.addArgument(parameter.type))) return false;
    parameter.name = name.hint;
    while (true) {
      if (lex.eat("restrict"))
        parameter.isRestrict = true;
      else if (lex.eat("read_and_written"))
        parameter.isReadAndWritten = true;
      else if (lex.eat("aligned")) {
        if (!integer(parameter.alignment)) return false;
      } else if (lex.eat("divisible")) {
        if (!integer(parameter.divisibility)) return false;
      } else if (lex.eat("named")) {
        if (!quoted(parameter.name)) return false;
      } else if (lex.eat("of")) {
        if (!quoted(parameter.record)) return false;
      } else if (lex.eat("spelled")) {
        if (!quoted(parameter.spelling)) return false;
      } else {
        return true;
      }
    }
  }

  bool kernelOptions(Kernel &kernel) {
    Options &o = kernel.options;
    while (!lex.peek("{") && !lex.peek("loc")) {
      bool ok = lex.eat("warps")                ? number(o.numWarps)
                : lex.eat("stages")             ? number(o.numStages)
                : lex.eat("programs_per_block") ? number(o.programsPerBlock)
                : lex.eat("resident_threads")   ? number(o.residentThreads)
                : lex.eat("min_blocks")         ? number(o.minBlocks)
                : lex.eat("persistent")         ? (o.persistent = true)
                : lex.eat("explicit_grid")      ? (kernel.explicitGrid = true)
                : lex.eat("packed")             ? number(kernel.programsPerBlock)
                : lex.eat("assumptions")        ? assumptions(kernel.assumptions)
                : lex.eat("otherwise")          ? variant(kernel.scalarVariant)
                : lex.eat("on_hopper")          ? variant(kernel.hopperVariant)
                : lex.eat("namespace")          ? quoted(kernel.nameSpace)
                : lex.eat("comment")            ? quoted(kernel.comment)
                                                : expected("an option of the kernel or '{'");
      if (!ok) return false;
    }
    return location(kernel.loc);
  }

  bool kernel() {
    Kernel &kernel = module.addKernel();
    values.clear();
    kernel.loc = locationAt(lex.offset());
    if (!expect("@") || !identifier(kernel.name, "the kernel's name") ||
        !templateArguments(kernel) || !expect("("))
      return false;
    if (!lex.peek(")")) {
      do {
        if (!parameter(kernel)) return false;
      } while (lex.eat(","));
    }
    if (!expect(")") || !kernelOptions(kernel) || !expect("{")) return false;
    while (true) {
      bool ok = true;
      if (lex.eat("shared"))
        ok = sharedBuffer(kernel.shared.emplace_back());
      else if (lex.eat("ring"))
        ok = ring(kernel.rings.emplace_back());
      else if (lex.eat("statement"))
        ok = statement(kernel.statements.emplace_back());
      else
        break;
      if (!ok) return false;
    }
    while (!lex.peek("}") && !lex.peek("producer"))
      if (!operation(kernel.body)) return false;
    return (!lex.eat("producer") || producer(kernel)) && expect("}");
  }

  // struct @Params header "<params.h>" { member "x": ptr<f32> [2] = "{}" }
  bool record() {
    Record &record = module.records.emplace_back();
    if (!expect("@") || !parameterName(record.name, "the struct's name") ||
        (lex.eat("namespace") && !quoted(record.nameSpace)) ||
        (lex.eat("header") && !quoted(record.header)) ||
        (lex.eat("comment") && !quoted(record.comment)) || !location(record.loc) || !expect("{"))
      return false;
    while (lex.eat("member")) {
      Record::Member &member = record.members.emplace_back();
      if (!quoted(member.name) || !expect(":") ||
          !(lex.eat("struct") ? quoted(member.record) : type(member.type)))
        return false;
      while (lex.eat("["))
        if (!integer(member.extents.emplace_back()) || !expect("]")) return false;
      if ((lex.eat("=") && !quoted(member.init)) || (lex.eat("comment") && !quoted(member.comment)))
        return false;
    }
    return expect("}");
  }

  // x, or "p.x"
  bool parameterName(std::string &name, const char *what) {
    if (auto text = lex.quoted()) {
      name = *text;
      return true;
    }
    return identifier(name, what);
  }

  // key(m, n) preserve(c, m, 2) untimed
  bool tuning(Tuning &tuning) {
    if (!expect("key") || !expect("(")) return false;
    while (!lex.peek(")")) {
      if (!parameterName(tuning.key.emplace_back(), "a parameter's name")) return false;
      if (!lex.eat(",")) break;
    }
    if (!expect(")")) return false;
    while (lex.eat("preserve")) {
      Tuning::Memory &memory = tuning.preserved.emplace_back();
      memory.loc = locationAt(lex.offset());
      if (!expect("(") || !parameterName(memory.pointer, "a parameter's name")) return false;
      while (lex.eat(",")) {
        if (auto size = lex.integer())
          memory.sizes.push_back(std::to_string(*size));
        else if (!parameterName(memory.sizes.emplace_back(), "a parameter's name or a number"))
          return false;
      }
      if (!expect(")")) return false;
    }
    if (lex.eat("untimed")) tuning.timed = false;
    return true;
  }

  bool launcher() {
    Launcher &launcher = module.launchers.emplace_back();
    launcher.loc = locationAt(lex.offset());
    if (!expect("@") || !identifier(launcher.name, "the launcher's name") || !expect("="))
      return false;
    if (lex.eat("tune")) {
      if (!tuning(launcher.tuning.emplace())) return false;
    } else if (!expect("select")) {
      return false;
    }
    do {
      KernelReference reference;
      Kernel *candidate = nullptr;
      if (!kernelReference(reference) || !resolve(reference, candidate)) return false;
      launcher.candidates.push_back(candidate);
    } while (lex.eat(","));
    if (lex.eat("namespace") && !quoted(launcher.nameSpace)) return false;
    if (lex.eat("comment") && !quoted(launcher.comment)) return false;
    return location(launcher.loc);
  }

  bool levelName() {
    for (Level each : {Level::Tile, Level::Placed, Level::Thread}) {
      if (!lex.eat(name(each))) continue;
      module.level = each;
      return true;
    }
    return expected("'tile', 'placed' or 'thread'");
  }

  // level thread after insert_barriers
  bool level() {
    if (!levelName()) return false;
    if (!lex.eat("after")) return true;
    module.afterLoc = locationAt(lex.offset());
    if (!identifier(module.after, "the name of a pass")) return false;
    if (auto turn = lex.integer()) module.after += ' ' + std::to_string(*turn);
    return true;
  }

  bool file() {
    module.files = {fileName.str()};
    if (lex.eat("files")) {
      module.files.clear();
      hasFiles = true;
      do {
        if (!quoted(module.files.emplace_back())) return false;
      } while (lex.eat(","));
    }
    if (lex.eat("level") && !level()) return false;
    while (!lex.atEnd()) {
      if (lex.peek("#")) {
        lex.eat("#");
        std::string name;
        if (!identifier(name, "a layout's name") || !expect("=") || !layout(layouts[name]))
          return false;
      } else if (lex.eat("kernel")) {
        if (!kernel()) return false;
      } else if (lex.eat("launcher")) {
        if (!launcher()) return false;
      } else if (lex.eat("struct")) {
        if (!record()) return false;
      } else {
        return expected("'struct', 'kernel' or 'launcher'");
      }
    }
    for (auto &[variant, reference] : variants)
      if (!resolve(reference, *variant)) return false;
    for (Kernel &kernel : module.kernels)
      if (kernel.hopperVariant) kernel.hopperVariant->forHopper = true;
    return true;
  }
};

}  // namespace

llvm::LogicalResult parse(llvm::StringRef text, llvm::StringRef fileName, Module &module,
                          Diagnostics &diagnostics) {
  if (!Parser{{fileName, module, diagnostics, Lexer(text)}}.file()) return llvm::failure();
  auto violation = findViolation(module, std::nullopt);
  if (!violation) return llvm::success();
  diagnostics.report(DiagId::InvalidTileIr, violation->op ? violation->op->loc : Location{},
                     {violation->message});
  return llvm::failure();
}

}  // namespace tile2cu::ir
