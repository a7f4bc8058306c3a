// Sizes of the memory system that every supported architecture has.
#pragma once
#include <climits>
#include <cstdint>

namespace tile2cu::passes {

// Global memory moves in sectors of 32 bytes; a cache line has four (CUDA C++ Best Practices Guide,
// "Coalesced Access to Global Memory").
constexpr int64_t kSectorBytes = 32, kCacheLineBytes = 128;

// The widest access of a thread to global or shared memory: a vector of 4 words.
constexpr int64_t kMostAccessBytes = 16;

// The 128-byte swizzle of shared memory repeats after 8 rows (CUDA driver API,
// CUtensorMapSwizzle).
constexpr int64_t kSwizzleRows = 8;

// A TMA copy: the alignment in bytes of the array and of its rows, and the most elements of a box
// along a dimension (CUDA driver API, cuTensorMapEncodeTiled).
constexpr int64_t kTmaAlignment = 16, kTmaBoxExtent = 256;

// The largest extent of an array that a tensor map describes: MAX_EXTENT of the device helpers.
constexpr int64_t kMaxExtent = INT_MAX - 65535;

}  // namespace tile2cu::passes
