#include "frontend/tile_function.h"

#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/annotations.h"
#include "frontend/lower_type.h"
#include "frontend/option_values.h"
#include "frontend/tuning.h"
#include "passes/ir/limits.h"

namespace tile2cu::frontend {

using ir::DiagId;

std::string namespaceOf(const clang::Decl *declaration) {
  std::string result;
  for (const clang::DeclContext *scope = declaration->getDeclContext(); scope;
       scope = scope->getParent()) {
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    // What stands in an inline namespace belongs to the one around it.
    if (!space || space->isAnonymousNamespace() || space->isInline()) continue;
    result = space->getNameAsString() + (result.empty() ? "" : "::") + result;
  }
  return result;
}

clang::SourceLocation beginOf(const clang::FunctionDecl *function,
                              const clang::SourceManager &sources) {
  if (const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern())
    function = pattern;
  clang::SourceLocation begin = sources.getFileLoc(function->getBeginLoc());
  auto consider = [&](clang::SourceLocation loc) {
    loc = sources.getFileLoc(loc);
    if (loc.isValid() && sources.isBeforeInTranslationUnit(loc, begin)) begin = loc;
  };
  for (const clang::Attr *attribute : function->attrs()) consider(attribute->getLocation());
  if (const clang::FunctionTemplateDecl *head = function->getDescribedFunctionTemplate())
    consider(head->getBeginLoc());
  return begin;
}

namespace {

class Finder {
 public:
  Finder(clang::ASTContext &context, SourceText &source, const ir::Options &defaults,
         ir::Diagnostics &diagnostics)
      : context_(context), source_(source), defaults_(defaults), diagnostics_(diagnostics) {}

  std::vector<LauncherRequest> run() {
    collect(context_.getTranslationUnitDecl());
    std::vector<LauncherRequest> result;
    for (const clang::NamedDecl *item : items_) {
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(item)) {
        addVariable(variable, result);
      } else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(item)) {
        if (!configured_.count(function->getCanonicalDecl()))
          result.push_back(plainLauncher(function));
      } else if (!configured_.count(item->getCanonicalDecl())) {
        diagnostics_.report(DiagId::UnusedKernel, source_.locate(item->getLocation()),
                            {item->getNameAsString()});
      }
    }
    if (items_.empty()) diagnostics_.report(DiagId::NoKernel, {});
    return result;
  }

 private:
  // What was read from a precompiled header is not ours, and stays there.
  void collect(const clang::DeclContext *scope) {
    for (const clang::Decl *declaration : scope->noload_decls()) {
      if (declaration->isImplicit() || source_.inSystemHeader(declaration->getLocation())) continue;
      if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(declaration)) {
        collect(llvm::cast<clang::DeclContext>(declaration));
      } else if (const auto *head = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        if (isKernel(head->getTemplatedDecl()) && checkSignature(head->getTemplatedDecl(), head) &&
            head->isThisDeclarationADefinition())
          items_.push_back(head);
      } else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
        if (isKernel(function) && !function->isTemplateInstantiation() &&
            checkSignature(function, function) && function->isThisDeclarationADefinition())
          items_.push_back(function);
      } else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration)) {
        for (const clang::CXXMethodDecl *method : record->methods())
          if (isKernel(method)) report(DiagId::KernelMember, method);
        for (const clang::Decl *member : record->decls())
          if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(member);
              variable && configuration(variable->getInit()))
            diagnostics_.report(DiagId::LauncherMember, source_.locate(variable->getLocation()),
                                {variable->getNameAsString()});
      } else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
        if (const clang::CallExpr *call = configuration(variable->getInit())) {
          items_.push_back(variable);
          forEachCandidate(call, [&](const clang::CallExpr *candidate) {
            if (const clang::FunctionDecl *kernel = kernelOf(candidate)) markConfigured(kernel);
          });
        }
      }
    }
  }

  void report(DiagId id, const clang::FunctionDecl *function, std::vector<std::string> more = {}) {
    more.insert(more.begin(), function->getNameAsString());
    diagnostics_.report(id, source_.locate(function->getLocation()), more);
  }

  // The rules that do not depend on template arguments; types are checked for each instantiation.
  bool checkSignature(const clang::FunctionDecl *function, const clang::NamedDecl *declaration) {
    auto [it, isNew] =
        byName_.try_emplace(function->getQualifiedNameAsString(), declaration->getCanonicalDecl());
    if (!isNew && it->second != declaration->getCanonicalDecl()) {
      report(DiagId::KernelOverloaded, function);
      return false;
    }
    if (!function->getReturnType()->isVoidType()) {
      report(DiagId::KernelReturns, function);
      return false;
    }
    if (function->isVariadic()) {
      report(DiagId::KernelVariadic, function);
      return false;
    }
    return true;
  }

  // ---- configurations

  // The call inside the wrappers that initialisation adds.
  static const clang::CallExpr *callIn(const clang::Expr *e) {
    while (e) {
      e = e->IgnoreParenImpCasts();
      if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) return call;
      if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
        e = full->getSubExpr();
      else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
        e = temporary->getSubExpr();
      else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
        e = bound->getSubExpr();
      else if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(e);
               copy && copy->getNumArgs() == 1)
        e = copy->getArg(0);
      else
        return nullptr;
    }
    return nullptr;
  }

  static const clang::CallExpr *configuration(const clang::Expr *e) {
    const clang::CallExpr *call = callIn(e);
    llvm::StringRef name = call ? operationOf(call->getDirectCallee()) : "";
    return name == "instantiate" || name == "candidate" || isList(name) ? call : nullptr;
  }

  // Whether an operation takes candidates.
  static bool isList(llvm::StringRef name) { return name == "select" || name == "tune"; }

  static void forEachCandidate(const clang::CallExpr *call,
                               llvm::function_ref<void(const clang::CallExpr *)> visit) {
    if (!isList(operationOf(call->getDirectCallee()))) return visit(call);
    for (const clang::Expr *argument : call->arguments())
      if (const clang::CallExpr *candidate = configuration(argument)) visit(candidate);
  }

  static const clang::FunctionDecl *kernelOf(const clang::CallExpr *candidate) {
    if (candidate->getNumArgs() == 0) return nullptr;
    const clang::Expr *e = candidate->getArg(0)->IgnoreParenImpCasts();
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(e))
      e = unary->getSubExpr()->IgnoreParenImpCasts();
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e);
    return reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
  }

  void markConfigured(const clang::FunctionDecl *kernel) {
    configured_.insert(kernel->getCanonicalDecl());
    if (const clang::FunctionTemplateDecl *head = kernel->getPrimaryTemplate())
      configured_.insert(head->getCanonicalDecl());
  }

  std::optional<ir::Options> optionsOf(const clang::CallExpr *candidate) {
    ir::Options options = defaults_;
    if (candidate->getNumArgs() < 2 || llvm::isa<clang::CXXDefaultArgExpr>(candidate->getArg(1)))
      return options;
    static constexpr OptionLimits kLimits[] = {{"num_warps", 1, ir::kMostWarps},
                                               {"num_stages", 1, ir::kMostStages},
                                               {"programs_per_block", 0, 32},
                                               {"resident_threads", 0, ir::kMostThreads},
                                               {"min_blocks", 0, ir::kMostBlocks}};
    auto values = evaluateOptions(context_, candidate->getArg(1), kLimits, source_, diagnostics_);
    if (!values) return std::nullopt;
    options.numWarps = (*values)["num_warps"];
    options.numStages = (*values)["num_stages"];
    options.programsPerBlock = (*values)["programs_per_block"];
    options.residentThreads = (*values)["resident_threads"];
    options.minBlocks = (*values)["min_blocks"];
    options.persistent = (*values)["persistent"] != 0;
    if (options.programsPerBlock > 1 && options.numWarps > 1) {
      diagnostics_.report(
          DiagId::ProgramsOfWarps, source_.locate(candidate->getArg(1)->getBeginLoc()),
          {std::to_string(options.programsPerBlock), std::to_string(options.numWarps)});
      return std::nullopt;
    }
    return options;
  }

  void addVariable(const clang::VarDecl *variable, std::vector<LauncherRequest> &result) {
    LauncherRequest launcher;
    launcher.name = variable->getNameAsString();
    launcher.nameSpace = namespaceOf(variable);
    launcher.loc = variable->getLocation();
    launcher.comment = source_.commentAbove(variable->getBeginLoc());
    const clang::CallExpr *call = configuration(variable->getInit());
    forEachCandidate(call, [&](const clang::CallExpr *candidate) {
      const clang::FunctionDecl *kernel = kernelOf(candidate);
      if (!kernel || !isKernel(kernel)) {
        diagnostics_.report(DiagId::NotKernel, source_.locate(candidate->getExprLoc()));
        return;
      }
      if (auto options = optionsOf(candidate))
        launcher.candidates.push_back({kernel, *options, candidate->getArg(0)->getExprLoc()});
    });
    if (launcher.candidates.empty()) return;
    if (operationOf(call->getDirectCallee()) == "tune")
      launcher.tuning =
          tuningOf(context_, source_, call, launcher.candidates.front().function, diagnostics_);
    result.push_back(std::move(launcher));
  }

  LauncherRequest plainLauncher(const clang::FunctionDecl *function) {
    LauncherRequest launcher;
    launcher.name = function->getNameAsString();
    launcher.nameSpace = namespaceOf(function);
    launcher.loc = function->getLocation();
    launcher.candidates.push_back({function, defaults_, function->getLocation()});
    return launcher;
  }

  clang::ASTContext &context_;
  SourceText &source_;
  const ir::Options &defaults_;
  ir::Diagnostics &diagnostics_;
  std::vector<const clang::NamedDecl *>
      items_;  // kernels, kernel templates and configurations, in source order
  std::set<const clang::Decl *> configured_;
  std::map<std::string, const clang::Decl *> byName_;
};

}  // namespace

std::vector<LauncherRequest> findLaunchers(clang::ASTContext &context, SourceText &source,
                                           const ir::Options &defaults,
                                           ir::Diagnostics &diagnostics) {
  return Finder(context, source, defaults, diagnostics).run();
}

}  // namespace tile2cu::frontend
