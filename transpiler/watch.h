// Carries out --watch.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "transpiler/options.h"

namespace tile2cu::transpiler {

// Calls `once` in a process of its own, then again whenever one of the `inputs` or of the files
// that it has appended to its argument changes, until a signal ends the program. `says`: prints a
// line, on standard error, when it begins to read and when it waits. Returns an exit code if no
// process can be made.
int watch(const List &inputs, bool says, llvm::function_ref<int(List &)> once);

}  // namespace tile2cu::transpiler
