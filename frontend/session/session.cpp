#include "frontend/session/session.h"

#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "frontend/session/diagnostic_printer.h"
#include "frontend/session/header_macros.h"
#include "frontend/session/instantiate_requests.h"
#include "frontend/session/runtime_headers.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tile2cu::frontend {

// The files that were read, in order of their first use.
class IncludeList : public clang::DependencyCollector {
 public:
  explicit IncludeList(std::string runtime) : runtime_(std::move(runtime)) {}
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef name, bool, bool isSystem, bool, bool isMissing) override {
    bool special = name.starts_with("<");
    return !special && !isMissing && (!isSystem || isRuntimeHeader(name, runtime_));
  }

 private:
  std::string runtime_;
};

static FrontendOptions withDefaults(FrontendOptions options) {
  if (options.resourceDir.empty()) options.resourceDir = T2C_CLANG_RESOURCE_DIR;
  if (options.runtimeInclude.empty()) options.runtimeInclude = T2C_SOURCE_INCLUDE_DIR;
  return options;
}

// The flag for the folder of our headers. It comes before the system's folders, as another version
// may be installed there. But where it is one of them it keeps its place: <cmath> has to find
// /usr/include after the folders of C++.
static std::string searchFlag(llvm::StringRef folder) {
  const bool isSystem = folder == "/usr/include" || folder == "/usr/local/include";
  return isSystem ? "-idirafter" : "-isystem";
}

Session::Impl::Impl(FrontendOptions given)
    : options(withDefaults(std::move(given))), groups(options.clangArgs) {
  mainName_ = options.input.empty() || options.input == "-" ? "<stdin>" : options.input;
}

Session::Impl::~Impl() {
  if (parsed_) action->EndSourceFile();
}

bool Session::Impl::createCompiler() {
  auto diagnosticOptions = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  diagnosticOptions->ShowColors = options.colors;
  auto printer = std::make_unique<DiagnosticPrinter>(diagnosticOptions.get(),
                                                     options.runtimeInclude, options.messages);
  auto engine =
      clang::CompilerInstance::createDiagnostics(diagnosticOptions.get(), printer.release(), true);

  std::vector<std::string> arguments = {
      "tile2cu", "-fsyntax-only", "-x", "c++", "-std=c++23", "-resource-dir", options.resourceDir};
  arguments.insert(arguments.end(), options.clangArgs.begin(), options.clangArgs.end());
  for (const std::string &last :
       {std::string("-D__TILE2CU__=1"), searchFlag(options.runtimeInclude), options.runtimeInclude})
    arguments.push_back(last);
  arguments.emplace_back("--");
  arguments.push_back(mainName_);
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments) pointers.push_back(argument.c_str());
  clang::CreateInvocationOptions how;
  how.Diags = engine;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(pointers, how);
  if (!invocation || engine->hasErrorOccurred()) return false;  // Clang has reported why

  if (!invocation->getLangOpts().CPlusPlus20) {
    engine->Report(engine->getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "tile2cu/tile.h is C++20: use -std=c++20 or -std=c++23, which is the default"));
    return false;
  }
  clang::DiagnosticOptions &parsedOptions = invocation->getDiagnosticOpts();
  parsedOptions.ShowColors = options.colors;
  const bool hasLimit = llvm::any_of(options.clangArgs, [](llvm::StringRef argument) {
    return argument.starts_with("-ferror-limit=");
  });
  if (!hasLimit) parsedOptions.ErrorLimit = options.errorLimit;
  compiler = std::make_unique<clang::CompilerInstance>();
  compiler->setInvocation(std::move(invocation));
  compiler->createDiagnostics(new DiagnosticPrinter(&compiler->getDiagnosticOpts(),
                                                    options.runtimeInclude, options.messages),
                              /*ShouldOwnClient=*/true);
  compiler->getFrontendOpts().DisableFree = false;
  return true;
}

void Session::Impl::setInput() {
  std::string requests = instantiateRequests(options);
  std::string content = options.buffer;
  if (!options.useBuffer) {
    auto file = llvm::MemoryBuffer::getFile(options.input);
    if (!file) return;  // Clang reports it
    content = (*file)->getBuffer().str();
  }
  precompiled = openPrecompiled(options, compiler->getHeaderSearchOpts(), mainName_, content);
  if (!options.useBuffer && requests.empty()) return;
  content += requests;
  compiler->getPreprocessorOpts().addRemappedFile(
      mainName_, llvm::MemoryBuffer::getMemBufferCopy(content, mainName_).release());
}

bool Session::Impl::begin(std::unique_ptr<clang::FrontendAction> how) {
  includes = std::make_shared<IncludeList>(options.runtimeInclude);
  compiler->addDependencyCollector(includes);
  if (!compiler->createTarget()) return false;
  action = std::move(how);
  clang::FrontendInputFile input(mainName_, clang::InputKind(clang::Language::CXX));
  if (!action->BeginSourceFile(*compiler, input)) return false;
  compiler->getPreprocessor().addPPCallbacks(headerMacros(*compiler, options.runtimeInclude));
  return true;
}

// A new compiler with the same options and the messages so far.
void Session::Impl::startAgain() {
  auto next = std::make_unique<clang::CompilerInstance>();
  next->setInvocation(compiler->getInvocationPtr());
  next->setDiagnostics(&compiler->getDiagnostics());
  next->getPreprocessorOpts().clearRemappedFiles();
  compiler = std::move(next);
  options.precompiledHeader.clear();
  setInput();
}

bool Session::Impl::parse() {
  if (!createCompiler()) {
    ++errors;
    return false;
  }
  setInput();
  bool begun = false;
  if (precompiled) {
    begun = begin(parseAfter(*precompiled));
    if (!begun) startAgain();
  }
  if (!begun && !begin(std::make_unique<clang::SyntaxOnlyAction>())) return false;
  parsed_ = true;
  if (llvm::Error error = action->Execute()) llvm::consumeError(std::move(error));
  return !compiler->getDiagnostics().hasErrorOccurred();
}

bool Session::Impl::precompile(const std::string &path) {
  return createCompiler() && compiler->createTarget() &&
         writePrecompiled(*compiler, options.runtimeInclude, mainName_, path);
}

static clang::DiagnosticsEngine::Level levelOf(ir::Severity severity) {
  switch (severity) {
    case ir::Severity::Note:
      return clang::DiagnosticsEngine::Note;
    case ir::Severity::Remark:
      return clang::DiagnosticsEngine::Remark;
    case ir::Severity::Warning:
      return clang::DiagnosticsEngine::Warning;
    case ir::Severity::Error:
      return clang::DiagnosticsEngine::Error;
  }
  T2C_UNREACHABLE("severity");
}

void Session::Impl::show(const ir::Diagnostic &diagnostic) {
  if (!groups.isShown(diagnostic)) return;
  clang::DiagnosticsEngine &engine = compiler->getDiagnostics();
  ir::Severity severity = groups.severity(diagnostic);
  if (severity == ir::Severity::Error) ++errors;
  if (severity == ir::Severity::Warning) ++warnings;
  auto report = [&](ir::Severity as, const ir::Location &loc, const std::string &message) {
    engine.Report(text ? text->unlocate(loc) : clang::SourceLocation(),
                  engine.getCustomDiagID(levelOf(as), "%0"))
        << message;
  };
  report(severity, diagnostic.loc, diagnostic.message + groups.suffix(diagnostic));
  for (auto &[loc, message] : diagnostic.notes) report(ir::Severity::Note, loc, message);
}

// ---- the interface

Session::Session(FrontendOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Session::~Session() = default;

void Session::print(const ir::Diagnostics &diagnostics) {
  if (!impl_->compiler || !impl_->compiler->hasDiagnostics()) return;
  for (; impl_->shown < diagnostics.all.size(); ++impl_->shown)
    impl_->show(diagnostics.all[impl_->shown]);
}

bool Session::hasErrors() const {
  if (impl_->errors) return true;
  return impl_->compiler && impl_->compiler->getDiagnostics().hasErrorOccurred();
}

void Session::printSummary() {
  if (!impl_->compiler || impl_->options.messages) return;
  const clang::DiagnosticConsumer &client = impl_->compiler->getDiagnosticClient();
  unsigned warnings = client.getNumWarnings(), errors = client.getNumErrors();
  if (!warnings && !errors) return;
  if (warnings) llvm::errs() << warnings << " warning" << (warnings == 1 ? "" : "s");
  if (warnings && errors) llvm::errs() << " and ";
  if (errors) llvm::errs() << errors << " error" << (errors == 1 ? "" : "s");
  llvm::errs() << " generated.\n";
}

std::vector<std::string> Session::includedFiles() const {
  if (!impl_->includes) return {};
  llvm::ArrayRef<std::string> files = impl_->includes->getDependencies();
  if (!impl_->precompiled) return files.vec();
  // As if the header had been included: it follows the input, which is a file unless its name is of
  // the form <stdin>.
  const bool isFile = !llvm::StringRef(impl_->mainName()).starts_with("<");
  std::vector<std::string> all = files.take_front(isFile).vec();
  llvm::append_range(all, impl_->precompiled->files);
  for (const std::string &file : files)
    if (!llvm::is_contained(all, file)) all.push_back(file);
  return all;
}

bool Session::usesPrecompiledHeader() const { return impl_->precompiled != nullptr; }

bool precompileHeader(FrontendOptions options, const std::string &path) {
  options.input = withDefaults(options).runtimeInclude + "/tile2cu/tile.h";
  return Session(options).impl().precompile(path);
}

}  // namespace tile2cu::frontend
