// Everything that depends on the version of LLVM: 19 is what is tested, 18 to 22 are meant to build.
#pragma once
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Version.h"

static_assert(CLANG_VERSION_MAJOR >= 18, "tile2cu needs Clang 18 or newer");

namespace tile2cu::frontend::compat {

// The list of AST classes in clang_nodes.def is complete for these versions; a newer Clang must be looked through.
#if CLANG_VERSION_MAJOR >= 19
#define T2C_SINCE_CLANG_19(...) __VA_ARGS__
#else
#define T2C_SINCE_CLANG_19(...)
#endif

// TagDecl::isStruct and friends keep their names; the enumerators of TagTypeKind were renamed in 18.
inline bool isUnion(const clang::RecordDecl *record) { return record->isUnion(); }

}  // namespace tile2cu::frontend::compat
