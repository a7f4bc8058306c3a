// Texts that are added to Clang's errors: they say what the language has instead of a name that a
// source misses, and how its operations are called. advice.def has them. The functions that return
// a text return an empty one where there is nothing to say.
#pragma once
#include <string>

#include "clang/Basic/Diagnostic.h"

namespace tile2cu::frontend {

// The text that is added to an error, whose own is `message`.
std::string adviceOn(const clang::Diagnostic &diagnostic, llvm::StringRef message);

// The calls of an operation: 'arange' -> "arange<N>() holds ...". A member is '.load'.
llvm::StringRef formsOf(llvm::StringRef operation);

// For an identifier that is not in namespace std: 'tuple' -> "include <tuple>; ...".
llvm::StringRef adviceOnStd(llvm::StringRef name);

// The name that a message is about, its first argument; empty if that is something else.
std::string nameIn(const clang::Diagnostic &diagnostic);

// Whether an error says that a name is missing: anywhere, or in a namespace or class.
enum class Missing { No, Anywhere, InContext };
Missing missingName(unsigned id);

// float16 for "no viable conversion from 'double' to 'tl::float16'"; else empty.
llvm::StringRef narrowedType(llvm::StringRef message);

}  // namespace tile2cu::frontend
