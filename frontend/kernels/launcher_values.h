// The constant values of launchers: what Clang evaluates the variables of launch types to.
//
//   inline constexpr auto scale_any = select(candidates_for<256, 1024>()...);
//
// Candidates and options come from the value, so it does not matter which constexpr functions,
// packs or variables made them. The text of the initializer is used only for the locations of
// messages.
#pragma once
#include <vector>

#include "clang/AST/APValue.h"
#include "clang/AST/Decl.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace clang {
class ASTContext;
}  // namespace clang

namespace tile2cu::frontend {

struct CandidateValue {
  const clang::FunctionDecl *kernel = nullptr;  // null: a null pointer, or not a function
  const clang::CXXRecordDecl *optionsType = nullptr;
  clang::APValue options;
  const clang::Expr *optionsText = nullptr;  // null if the initializer does not show them
  clang::SourceLocation loc;
};

struct MemoryValue {
  clang::APValue value;  // a tl::detail::Preserved
  clang::SourceLocation loc;
};

struct LauncherValue {
  std::vector<CandidateValue> candidates;
  std::optional<clang::APValue> key;  // of `tune`: a tl::key
  clang::SourceLocation keyLoc;
  std::vector<MemoryValue> preserved;
};

// Whether objects of the type are launchers: what instantiate, select and tune return, or a
// reference to it.
bool isLauncherType(clang::QualType type);
// Whether objects of the type contain launchers: as elements, members or bases, or as the element
// type of a container.
bool holdsLaunchers(clang::QualType type);

// Evaluates the initializer of a variable of a launch type. nullopt if it is not constant; `notes`
// then say why, in Clang's words.
std::optional<LauncherValue> launcherValue(
    clang::ASTContext &context, const clang::VarDecl *variable,
    llvm::SmallVectorImpl<clang::PartialDiagnosticAt> &notes);

// The value that a pointer or reference refers to; null if that is not a constant. `type`, if it is
// not null, becomes the value's type.
const clang::APValue *referredTo(const clang::APValue &place, clang::QualType *type = nullptr);
// The text that a `const char*` points to: a literal or a constant array, up to its first 0.
std::optional<std::string> textAt(const clang::APValue &pointer);
// An element of a constant array.
const clang::APValue &elementOf(const clang::APValue &array, unsigned i);

}  // namespace tile2cu::frontend
