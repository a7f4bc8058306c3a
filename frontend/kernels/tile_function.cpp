#include "frontend/kernels/tile_function.h"

#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/kernels/launcher_values.h"
#include "frontend/kernels/option_values.h"
#include "frontend/kernels/tuning.h"
#include "passes/ir/limits.h"

namespace tile2cu::frontend {

using ir::DiagId;

std::string namespaceOf(const clang::Decl *declaration) {
  std::string result;
  for (const clang::DeclContext *scope = declaration->getDeclContext(); scope;
       scope = scope->getParent()) {
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    // Members of an inline namespace belong to the enclosing namespace.
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
        continue;
      }
      if (configured_.count(item->getCanonicalDecl())) continue;
      const auto *function = llvm::dyn_cast<clang::FunctionDecl>(item);
      if (!function)
        diagnostics_.report(DiagId::UnusedKernel, source_.locate(item->getLocation()),
                            {item->isCXXClassMember() ? item->getQualifiedNameAsString()
                                                      : item->getNameAsString()});
      else if (function->isCXXClassMember())  // kernels of two classes may have one name
        diagnostics_.report(DiagId::UnusedMember, source_.locate(item->getLocation()),
                            {item->getQualifiedNameAsString()});
      else
        result.push_back(plainLauncher(function));
    }
    if (items_.empty()) {
      const clang::SourceManager &sources = context_.getSourceManager();
      const auto start = sources.getLocForStartOfFile(sources.getMainFileID());
      diagnostics_.report(DiagId::NoKernel, source_.locate(start));
    }
    return result;
  }

 private:
  // Declarations from a precompiled header belong to the language, so they are not visited.
  void collect(const clang::DeclContext *scope) {
    for (const clang::Decl *declaration : scope->noload_decls()) {
      if (declaration->isImplicit() || source_.inSystemHeader(declaration->getLocation())) continue;
      if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(declaration)) {
        collect(llvm::cast<clang::DeclContext>(declaration));
      } else if (const auto *head = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        collectKernel(head->getTemplatedDecl(), head);
      } else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
        if (!function->isTemplateInstantiation()) collectKernel(function, function);
      } else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration)) {
        checkMembers(record);
      } else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
        collectVariable(variable);
      } else if (const auto *pattern = llvm::dyn_cast<clang::VarTemplateDecl>(declaration)) {
        // Implicitly instantiated specializations are parts of other variables.
        if (pattern->isCanonicalDecl())
          for (const clang::VarTemplateSpecializationDecl *special : pattern->specializations())
            if (special->isExplicitInstantiationOrSpecialization())
              checkNoLaunchers(special, "as the value of a variable template");
      }
    }
  }

  // `declaration`: the function, or its template.
  void collectKernel(const clang::FunctionDecl *function, const clang::NamedDecl *declaration) {
    if (isKernel(function) && checkSignature(function, declaration) &&
        function->isThisDeclarationADefinition())
      items_.push_back(declaration);
  }

  // Members of classes may be kernels if they are static; they are not launchers.
  void checkMembers(const clang::CXXRecordDecl *record) {
    for (const clang::Decl *member : record->decls()) {
      const auto *head = llvm::dyn_cast<clang::FunctionTemplateDecl>(member);
      const auto *function =
          llvm::dyn_cast<clang::FunctionDecl>(head ? head->getTemplatedDecl() : member);
      const auto *inner = llvm::dyn_cast<clang::CXXRecordDecl>(member);
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(member);
      const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
      if (method && method->isStatic())
        collectKernel(method, llvm::cast<clang::NamedDecl>(member));
      else if (function && isKernel(function))
        report(DiagId::KernelMember, function);
      if (inner && !inner->isImplicit()) checkMembers(inner);
      if (variable && isLauncherType(variable->getType()))
        report(DiagId::LauncherMember, variable);
      else if (variable)
        checkNoLaunchers(variable, "inside a member of a class");
    }
  }

  void collectVariable(const clang::VarDecl *variable) {
    if (llvm::isa<clang::VarTemplateSpecializationDecl>(variable)) return;
    if (variable->getDeclContext()->isRecord()) return;  // a static member
    const clang::QualType type = variable->getType();
    if (llvm::isa<clang::DecompositionDecl>(variable))
      return checkNoLaunchers(variable, "in structured bindings");
    if (!isLauncherType(type)) {
      const bool isArray = type.getNonReferenceType()->isArrayType();
      return checkNoLaunchers(variable, isArray ? "in an array" : "in an object of another type");
    }
    if (variable->getDefinition() ? !variable->isThisDeclarationADefinition()
                                  : !variable->isFirstDecl())
      return;
    llvm::SmallVector<clang::PartialDiagnosticAt, 4> notes;
    std::optional<LauncherValue> value = launcherValue(context_, variable, notes);
    if (!value) {
      ir::Diagnostic &error = report(DiagId::LauncherNotConstant, variable);
      for (auto &[loc, text] : notes) {
        llvm::SmallString<128> words;
        text.EmitToString(context_.getDiagnostics(), words);
        error.notes.emplace_back(source_.locate(loc), words.str().str());
      }
      return;
    }
    for (const CandidateValue &candidate : value->candidates)
      if (candidate.kernel) markConfigured(candidate.kernel);
    items_.push_back(variable);
    values_.emplace(variable, std::move(*value));
  }

  void checkNoLaunchers(const clang::VarDecl *variable, const char *how) {
    if (isLauncherType(variable->getType()) || holdsLaunchers(variable->getType()))
      diagnostics_.report(DiagId::LauncherInside, source_.locate(variable->getLocation()), {how});
  }

  ir::Diagnostic &report(DiagId id, const clang::NamedDecl *declaration) {
    return diagnostics_.report(id, source_.locate(declaration->getLocation()),
                               {declaration->getNameAsString()});
  }

  // The rules that do not depend on template arguments; types are checked in each instantiation.
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

  void markConfigured(const clang::FunctionDecl *kernel) {
    configured_.insert(kernel->getCanonicalDecl());
    if (const clang::FunctionTemplateDecl *head = kernel->getPrimaryTemplate())
      configured_.insert(head->getCanonicalDecl());
  }

  std::optional<ir::Options> optionsOf(const CandidateValue &candidate) {
    static constexpr OptionLimits kLimits[] = {{"num_warps", 1, ir::kMostWarps},
                                               {"num_stages", 1, ir::kMostStages},
                                               {"programs_per_block", 0, 32},
                                               {"resident_threads", 0, ir::kMostThreads},
                                               {"min_blocks", 0, ir::kMostBlocksPerSm}};
    auto values = checkOptions(candidate.options, candidate.optionsType, kLimits,
                               candidate.optionsText, candidate.loc, source_, diagnostics_);
    if (!values) return std::nullopt;
    ir::Options options = defaults_;
    options.numWarps = (*values)["num_warps"];
    options.numStages = (*values)["num_stages"];
    options.programsPerBlock = (*values)["programs_per_block"];
    options.residentThreads = (*values)["resident_threads"];
    options.minBlocks = (*values)["min_blocks"];
    options.persistent = (*values)["persistent"] != 0;
    if (options.programsPerBlock > 1 && options.numWarps > 1) {
      const clang::SourceLocation loc =
          candidate.optionsText ? candidate.optionsText->getBeginLoc() : candidate.loc;
      diagnostics_.report(
          DiagId::ProgramsOfWarps, source_.locate(loc),
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
    const LauncherValue &value = values_.at(variable);
    for (const CandidateValue &candidate : value.candidates) {
      const clang::FunctionDecl *kernel = candidate.kernel;
      if (!kernel || !isKernel(kernel)) {
        diagnostics_.report(DiagId::NotKernel, source_.locate(candidate.loc));
        continue;
      }
      if (const clang::FunctionDecl *definition = kernel->getDefinition()) kernel = definition;
      if (auto options = optionsOf(candidate))
        launcher.candidates.push_back({kernel, *options, candidate.loc});
    }
    if (launcher.candidates.empty()) return;  // an error was reported for each
    if (value.key)
      launcher.tuning =
          tuningOf(value, launcher.candidates.front().function, source_, diagnostics_);
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
  // Kernels, kernel templates and configurations, in source order.
  std::vector<const clang::NamedDecl *> items_;
  std::map<const clang::NamedDecl *, LauncherValue> values_;  // of the configurations
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
