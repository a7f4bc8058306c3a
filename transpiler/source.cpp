#include "transpiler/source.h"

#include "fmt/format.h"
#include "frontend/frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/ir/text/parse.h"
#include "passes/ir/verify/verify.h"
#include "transpiler/compile_commands.h"
#include "transpiler/install_paths.h"

namespace tile2cu::transpiler {
namespace {

bool useColors(const Options &options) {
  if (options.color != "auto") return options.color == "always";
  const char *noColor = std::getenv("NO_COLOR");
  return llvm::sys::Process::StandardErrHasColors() && (!noColor || !*noColor);
}

// The names that -D flags define.
std::vector<std::string> macrosOf(llvm::ArrayRef<std::string> flags) {
  std::vector<std::string> macros;
  for (size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i];
    if (!flag.consume_front("-D")) continue;
    if (flag.empty() && i + 1 < flags.size()) flag = flags[++i];
    macros.push_back(flag.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).str());
  }
  return macros;
}

// ---- C++, read and shown by Clang
class CppSource : public Source {
 public:
  CppSource(frontend::FrontendOptions options, std::unique_ptr<llvm::MemoryBuffer> buffer)
      : buffer_(std::move(buffer)),
        macros_(macrosOf(options.clangArgs)),
        session_(std::move(options)) {}
  bool read(ir::Module &module, ir::Diagnostics &diagnostics) override {
    return frontend::lowerToIr(session_, module, diagnostics);
  }
  void print(const ir::Diagnostics &diagnostics) override { session_.print(diagnostics); }
  bool hasErrors() const override { return session_.hasErrors(); }
  void printSummary() override { session_.printSummary(); }
  std::vector<std::string> files() const override { return session_.includedFiles(); }
  llvm::StringRef inputText() const override { return buffer_->getBuffer(); }
  std::vector<std::string> macros() const override { return macros_; }
  std::string readStep() const override {
    return session_.usesPrecompiledHeader() ? "read, tile.h precompiled" : "read";
  }

 private:
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  std::vector<std::string> macros_;
  frontend::Session session_;
};

// ---- textual Tile IR; messages show the line that they refer to, in the text or in the C++ source
// that it came from
class IrSource : public Source {
 public:
  IrSource(std::string name, std::unique_ptr<llvm::MemoryBuffer> buffer, const Options &options,
           ir::MessageList *messages)
      : name_(std::move(name)),
        buffer_(std::move(buffer)),
        messages_(messages),
        colors_(useColors(options)) {
    for (llvm::StringRef flag : options.clangFlags) {
      warningsAreErrors_ |= flag == "-Werror";
      showRemarks_ |= flag == "-Rtile";
      if (flag.consume_front("-Wno-")) silenced_.push_back(flag.str());
    }
  }

  bool read(ir::Module &module, ir::Diagnostics &diagnostics) override {
    module_ = &module;
    if (failed(ir::parse(buffer_->getBuffer(), name_, module, diagnostics))) return false;
    const auto violation = ir::findViolation(module, module.level);
    if (!violation) return true;
    diagnostics.report(ir::DiagId::InvalidTileIr,
                       violation->op ? violation->op->loc : ir::Location{}, {violation->message});
    return false;
  }

  void print(const ir::Diagnostics &diagnostics) override {
    for (; printed_ < diagnostics.all.size(); ++printed_) {
      const ir::Diagnostic &one = diagnostics.all[printed_];
      ir::Severity severity = one.severity;
      llvm::StringRef group = groupOf(one.id);
      if (severity == ir::Severity::Remark && !showRemarks_) continue;
      if (severity == ir::Severity::Warning && llvm::is_contained(silenced_, group)) continue;
      if (severity == ir::Severity::Warning && warningsAreErrors_) severity = ir::Severity::Error;
      printOne(severity, one.loc, one.message);
      for (const auto &[loc, note] : one.notes) printOne(ir::Severity::Note, loc, note);
      hasErrors_ |= severity == ir::Severity::Error;
    }
  }

  bool hasErrors() const override { return hasErrors_; }
  std::vector<std::string> files() const override { return {name_}; }
  llvm::StringRef inputText() const override { return buffer_->getBuffer(); }

 private:
  void printOne(ir::Severity severity, ir::Location loc, llvm::StringRef message) {
    llvm::raw_ostream &out = llvm::errs();
    llvm::ColorMode mode = colors_ ? llvm::ColorMode::Enable : llvm::ColorMode::Disable;
    const bool located = loc.line > 0 && loc.file < module_->files.size();
    const std::string &file = located ? module_->files[loc.file] : name_;
    if (messages_) {
      ir::Message one{severity, message.str(), "", file};
      if (located) one.line = loc.line, one.column = loc.column;
      return messages_->add(std::move(one));
    }
    out << file << ':';
    if (located) out << loc.line << ':' << loc.column << ':';
    out << ' ';
    switch (severity) {
      case ir::Severity::Error:
        llvm::WithColor::error(out, "", !colors_);
        break;
      case ir::Severity::Warning:
        llvm::WithColor::warning(out, "", !colors_);
        break;
      case ir::Severity::Remark:
        llvm::WithColor::remark(out, "", !colors_);
        break;
      case ir::Severity::Note:
        llvm::WithColor::note(out, "", !colors_);
        break;
    }
    out << message << '\n';
    if (!located || file != name_) return;
    llvm::StringRef rest = buffer_->getBuffer();
    for (unsigned line = 1; line < loc.line; ++line) rest = rest.split('\n').second;
    out << rest.split('\n').first << '\n';
    out.indent(loc.column ? loc.column - 1 : 0);
    llvm::WithColor(out, llvm::raw_ostream::GREEN, true, false, mode) << "^\n";
  }

  std::string name_;
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  ir::MessageList *messages_;
  bool colors_, warningsAreErrors_ = false, showRemarks_ = false, hasErrors_ = false;
  List silenced_;
  const ir::Module *module_ = nullptr;
  size_t printed_ = 0;
};

}  // namespace

std::unique_ptr<Source> openSource(const Options &options, ir::MessageList *messages,
                                   std::string &problem) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.input);
  if (!buffer) {
    problem = fmt::format("cannot read '{}': {}", options.input, buffer.getError().message());
    return nullptr;
  }
  const bool fromStdin = options.input == "-";
  llvm::StringRef text = (*buffer)->getBuffer();
  if (llvm::StringRef(options.input).ends_with(".t2ir")) {
    return std::make_unique<IrSource>(options.input, std::move(*buffer), options, messages);
  }

  frontend::FrontendOptions front;
  front.input = fromStdin ? "<stdin>" : options.input;
  front.useBuffer = fromStdin;
  if (fromStdin) front.buffer = text.str();
  if (!options.buildDir.empty()) {
    auto flags = flagsFromBuild(options.buildDir, options.input, problem);
    if (!flags) return nullptr;
    front.clangArgs = std::move(*flags);
  }
  front.clangArgs.insert(front.clangArgs.end(), options.clangFlags.begin(),
                         options.clangFlags.end());
  front.runtimeInclude = runtimeIncludeDir();
  front.resourceDir = clangResourceDir();
  if (!options.noPrecompiledHeader) front.precompiledHeader = precompiledHeader();
  front.instantiate = options.instantiate;
  front.instantiateOptions.numWarps = options.numWarps;
  front.instantiateOptions.numStages = options.numStages;
  front.checks = options.checks;
  front.colors = useColors(options);
  front.messages = messages;
  if (!options.errorLimit.empty()) front.errorLimit = std::stoi(options.errorLimit);
  return std::make_unique<CppSource>(std::move(front), std::move(*buffer));
}

}  // namespace tile2cu::transpiler
