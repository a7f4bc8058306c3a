// The maximum values of options, wherever they are written, and the maximum size of a kernel.
#pragma once

namespace tile2cu::ir {

constexpr int kMostWarps = 16, kMostStages = 64;
// The maximum threads and blocks of a multiprocessor (compute capability 8.0 and 9.0).
constexpr int kMostThreads = 2048, kMostBlocksPerSm = 32;
// Limits of one kernel: copies of the body of one unrolled loop, statements after all loops are
// unrolled and all functions inlined, values of one array, and the nesting depth of expressions and
// calls.
constexpr int kMostCopies = 4096, kMostStatements = 32768, kMostArrayValues = 4096,
              kMostNesting = 32768;

}  // namespace tile2cu::ir
