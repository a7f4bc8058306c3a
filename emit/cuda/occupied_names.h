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

// What the name is in the headers. Each name that begins as those of CUDA or of the compiler do,
// such as cudaStream_t, counts as Global.
Occupied occupiedName(llvm::StringRef name);

}  // namespace tile2cu::emit
