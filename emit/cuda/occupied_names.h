// Names that the headers of an emitted file, or nvcc, use already (occupied_names.def).
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

enum class Occupied {
  Free,
  Macro,
  Global,     // a type, variable, enumerator or namespace
  CFunction,  // other functions of this name are allowed in C++, but not in C
  Overload,   // a function of C++
};

// The kind of name that it is in the headers. A name that begins like those of CUDA or of the
// compiler, such as cudaStream_t, counts as Global.
Occupied occupiedName(llvm::StringRef name);

}  // namespace tile2cu::emit
