// What options take at the most, wherever they are written, and how much a kernel may hold.
#pragma once

namespace tile2cu::ir {

constexpr int kMostWarps = 16, kMostStages = 64;
// Threads and blocks that a multiprocessor holds (compute capability 8.0 and 9.0).
constexpr int kMostThreads = 2048, kMostBlocks = 32;
// Of one kernel: copies of the body of one unrolled loop, statements once all loops are unrolled
// and all functions inlined, values of one array, expressions and calls inside each other.
constexpr int kMostCopies = 4096, kMostStatements = 32768, kMostArrayValues = 4096,
              kMostNesting = 32768;

}  // namespace tile2cu::ir
