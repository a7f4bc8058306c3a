// The annotations in which a header states the meaning of its declarations:
// [[clang::annotate("tile2cu:...")]].
#pragma once
#include "llvm/ADT/StringRef.h"

namespace clang {
class Decl;
class FunctionDecl;
}  // namespace clang

namespace tile2cu::frontend {

// "add" for a declaration annotated "tile2cu:op:add"; empty if it is none of ours.
llvm::StringRef operationOf(const clang::Decl *declaration);
bool isKernel(const clang::FunctionDecl *function);          // __tile_global__
bool isTileFunction(const clang::FunctionDecl *function);    // __tile__
bool isDeviceFunction(const clang::FunctionDecl *function);  // __device__

// Whether the declaration is `tl::name` (also of a template specialisation).
bool isLanguageName(const clang::Decl *declaration, llvm::StringRef name);

}  // namespace tile2cu::frontend
