// The scheduler's view of the built-in variables and of shared memory.
#pragma once
#include <cstddef>
#include <cstdint>

namespace emulate {

// The memory of uint3 and dim3.
struct index3 {
  unsigned x, y, z;
};
extern index3 &thread_index, &block_index, &block_size, &grid_size;

// A block has up to 227 KiB; the array goes on beyond it, and before it lies a margin, so that a
// wrong index is found before it does harm.
inline constexpr std::size_t SMEM_LIMIT = 227 << 10, SMEM_ROOM = 256 << 10, SMEM_MARGIN = 32 << 10;
extern unsigned char* const shared_begin;

inline bool in_shared(std::uintptr_t address) {
  return address - (reinterpret_cast<std::uintptr_t>(shared_begin) - SMEM_MARGIN) <
         SMEM_ROOM + SMEM_MARGIN;
}

}  // namespace emulate
