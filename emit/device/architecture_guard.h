// The architectures that helpers need. Each helper of the library is guarded: built for an older
// GPU, it traps. A file that is written for newer GPUs only is guarded once instead, by an #error.
#pragma once
#include <string>

#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

// The features that all GPUs of a file have, or that a file needs.
struct Architecture {
  int sm = 0;            // 75, 80, 90, ...
  bool isSm90a = false;  // exactly sm_90a: wgmma, setmaxnreg
};

// The text without the guards of helpers that `written` makes superfluous. The features that
// they asked for are added to `needed`. A guard whose other branch is a real alternative stays.
std::string withoutGuards(llvm::StringRef text, const Architecture &written, Architecture &needed);

// The lines that stop nvcc for other GPUs. Empty if nothing is needed.
std::string architectureGuard(const Architecture &needed);

}  // namespace tile2cu::emit
