// The text of runtime/include/tile2cu/device/*.cuh, built into the program (emit/CMakeLists.txt).
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

struct EmbeddedFile {
  llvm::StringRef name;  // "reduce.cuh"
  llvm::StringRef text;
};

// In alphabetical order of names.
llvm::ArrayRef<EmbeddedFile> embeddedDeviceHelpers();

}  // namespace tile2cu::emit
