// Which files are headers of tile2cu.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tile2cu::frontend {

// Whether the file is below the folder tile2cu in `runtimeInclude`. That may be /usr/include, which
// has headers of others too.
inline bool isRuntimeHeader(llvm::StringRef file, llvm::StringRef runtimeInclude) {
  return file.consume_front(runtimeInclude) && file.starts_with("/tile2cu/");
}

}  // namespace tile2cu::frontend
