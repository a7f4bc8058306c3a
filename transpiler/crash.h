// Internal errors end the program with exit code 70 and a request to report them.
#pragma once

namespace tile2cu::transpiler {

// Catches fatal signals (a stack overflow too) and LLVM's fatal errors from now on.
void reportCrashes();

// Prints what to report; returns the exit code.
int reportInternalError(const char *what);

}  // namespace tile2cu::transpiler
