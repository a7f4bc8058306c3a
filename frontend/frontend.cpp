#include "frontend/frontend.h"

#include <map>
#include <tuple>

#include "frontend/lower/ast_to_ir.h"
#include "frontend/session/session.h"

namespace tile2cu::frontend {

static auto keyOf(const KernelRequest &request) {
  const ir::Options &o = request.options;
  return std::make_tuple(request.function->getCanonicalDecl(), o.numWarps, o.numStages,
                         o.programsPerBlock, o.residentThreads, o.minBlocks, o.persistent);
}

bool lowerToIr(Session &session, ir::Module &module, ir::Diagnostics &diagnostics) {
  Session::Impl &impl = session.impl();
  if (!impl.parse()) return false;
  clang::ASTContext &context = impl.compiler->getASTContext();
  impl.text =
      std::make_unique<SourceText>(context.getSourceManager(), context.getLangOpts(), module);

  // One ir::Kernel for each function and set of options, however many launchers use it.
  std::map<decltype(keyOf(KernelRequest())), ir::Kernel *> kernels;
  for (LauncherRequest &request :
       findLaunchers(context, *impl.text, impl.options.instantiateOptions, diagnostics)) {
    ir::Launcher launcher;
    launcher.name = request.name;
    launcher.nameSpace = request.nameSpace;
    launcher.comment = request.comment;
    launcher.loc = impl.text->locate(request.loc);
    launcher.tuning = std::move(request.tuning);
    for (const KernelRequest &candidate : request.candidates) {
      ir::Kernel *&kernel = kernels[keyOf(candidate)];
      if (!kernel) {
        kernel = &module.addKernel();
        lowerKernel(context, *impl.text, candidate, *kernel, module.records, impl.options.checks,
                    diagnostics);
      }
      if (!launcher.candidates.empty() && !diagnostics.hasErrors() &&
          launcher.candidates.front()->explicitGrid != kernel->explicitGrid)
        diagnostics.report(ir::DiagId::UnsupportedConstruct, impl.text->locate(candidate.loc),
                           {"a choice between kernels with and without grid(...)",
                            "call grid(...) in all candidates or in none"});
      launcher.candidates.push_back(kernel);
    }
    module.launchers.push_back(std::move(launcher));
  }
  return !diagnostics.hasErrors();
}

}  // namespace tile2cu::frontend
