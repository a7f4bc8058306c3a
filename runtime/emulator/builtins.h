// The built-in variables and the shared memory of a block, as the emulator uses them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace emulate {

// The memory of uint3 and dim3.
struct index3 {
  unsigned x, y, z;
};
extern index3 &thread_index, &block_index, &block_size, &grid_size;
// Sets block_index to that of block `linear` of the grid, counted with x fastest.
void setBlockIndex(std::uint64_t linear);

// A block has up to 227 KiB. The array is larger, and a margin lies before it, so that an access
// with a wrong index is found before it does harm.
inline constexpr std::size_t SMEM_LIMIT = 227 << 10, SMEM_ROOM = 256 << 10, SMEM_MARGIN = 32 << 10;
extern unsigned char* const shared_begin;

inline bool in_shared(std::uintptr_t address) {
  return address - (reinterpret_cast<std::uintptr_t>(shared_begin) - SMEM_MARGIN) <
         SMEM_ROOM + SMEM_MARGIN;
}

// The offset in shared memory of an address in it.
inline std::uint32_t sharedOffset(const void* p) {
  return std::uint32_t(reinterpret_cast<std::uintptr_t>(p) -
                       reinterpret_cast<std::uintptr_t>(shared_begin));
}

}  // namespace emulate
