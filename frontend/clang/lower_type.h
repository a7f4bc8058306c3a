// C++ types -> IR types.
#pragma once
#include <optional>
#include <string>

#include "clang/AST/Type.h"
#include "passes/ir/type.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
}  // namespace clang

namespace tile2cu::frontend {

// The IR type of a scalar, a pointer to scalars or a tile, ignoring references; nullopt for any
// other type.
std::optional<ir::Type> lowerType(clang::QualType type);

// A record that is taken apart into its bases and fields: structs, tuples, closures, option tags.
const clang::CXXRecordDecl *asRecord(clang::QualType type);
// Whether an object of this type keeps its value: it is const and has no mutable members.
bool neverChanges(clang::QualType type);
// Whether the program has code of its own that copies (assigns) an object of this type, or a part
// of it. Otherwise its fields are copied.
bool hasOwnCopy(clang::QualType type);
bool hasOwnAssignment(clang::QualType type);
// For std::tuple and similar library types, whose elements are not fields: the types of their
// elements.
std::optional<llvm::SmallVector<clang::QualType, 4>> stdTupleElements(clang::QualType type);

// The spelling of a parameter's type in the declaration of the launcher: "const float*", "int64_t".
std::string spellType(clang::QualType type, const clang::ASTContext &context);

// Why a parameter cannot have this type, with the alternative, as in "a tile; pass a pointer and
// load it"; empty if it can.
std::string whyUnsupportedParameter(clang::QualType type);

}  // namespace tile2cu::frontend
