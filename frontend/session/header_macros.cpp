#include "frontend/session/header_macros.h"

#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "frontend/session/runtime_headers.h"

namespace tile2cu::frontend {
namespace {

// #define load load
bool isItself(const clang::MacroInfo &macro, const clang::Token &name) {
  return macro.isObjectLike() && macro.getNumTokens() == 1 &&
         macro.getReplacementToken(0).getIdentifierInfo() == name.getIdentifierInfo();
}

class HeaderMacros : public clang::PPCallbacks {
 public:
  HeaderMacros(clang::CompilerInstance &compiler, std::string runtimeInclude)
      : compiler_(compiler), runtimeInclude_(std::move(runtimeInclude)) {}

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &macro,
                    clang::SourceRange, const clang::MacroArgs *) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    const llvm::StringRef header = sources.getFilename(name.getLocation());
    if (!isRuntimeHeader(header, runtimeInclude_)) return;
    if (isItself(*macro.getMacroInfo(), name)) return;
    const clang::SourceLocation defined = macro.getMacroInfo()->getDefinitionLoc();
    const bool isOfCompiler =
        defined.isInvalid() || sources.isWrittenInBuiltinFile(defined) ||
        (!sources.isWrittenInCommandLineFile(defined) && sources.isInSystemHeader(defined));
    const llvm::StringRef spelled = name.getIdentifierInfo()->getName();
    if (isOfCompiler || spelled.starts_with("__")) return;
    clang::DiagnosticsEngine &engine = compiler_.getDiagnostics();
    const unsigned id = engine.getCustomDiagID(
        clang::DiagnosticsEngine::Fatal,
        "macro '%0' replaces a name in %1; give it another name, or define it after the include");
    engine.Report(defined, id) << spelled << header.drop_front(runtimeInclude_.size()).ltrim('/');
  }

 private:
  clang::CompilerInstance &compiler_;
  std::string runtimeInclude_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> headerMacros(clang::CompilerInstance &compiler,
                                                 std::string runtimeInclude) {
  return std::make_unique<HeaderMacros>(compiler, std::move(runtimeInclude));
}

}  // namespace tile2cu::frontend
