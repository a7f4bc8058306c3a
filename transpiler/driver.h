// One run of the compiler: an input becomes its output files.
#pragma once
#include "transpiler/options.h"

namespace tile2cu::transpiler {

enum ExitCode { kDone = 0, kUserError = 1, kUsageError = 2, kInternalError = 70 };

// Prints messages on standard error. Nothing is written unless everything went well.
int run(const Options &options);

}  // namespace tile2cu::transpiler
