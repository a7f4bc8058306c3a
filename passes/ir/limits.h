// What options take at the most, wherever they are written.
#pragma once

namespace tile2cu::ir {

constexpr int kMostWarps = 16, kMostStages = 64;
// Threads and blocks that a multiprocessor holds (compute capability 8.0 and 9.0).
constexpr int kMostThreads = 2048, kMostBlocks = 32;

}  // namespace tile2cu::ir
