// The contents of an emulated CUtensorMap, and the boxes of its tensor (PTX ISA, "Tensors").
#pragma once
#include <cstdint>
#include <cstring>

#include "tile2cu/emulator/tensor_map.h"

namespace emulate {

// The swizzle of rows of 128, 64 or 32 bytes (PTX ISA, "Swizzling modes"); 0: none. `address` is an
// offset in shared memory.
inline std::uint32_t swizzled(std::uint32_t address, int row_bytes) {
  if (row_bytes == 0) return address;
  return address ^ ((address >> 7 & (unsigned(row_bytes) / 16 - 1)) << 4);
}

struct TensorMap {
  std::uint32_t magic = MAGIC;
  std::uint8_t rank = 0, element = 0;  // bytes
  std::uint16_t swizzle = 0;           // bytes of a row
  std::uint64_t base = 0;
  std::uint64_t strides[5] = {};  // bytes
  std::uint32_t last[5] = {};     // the last coordinate inside
  std::uint16_t box[5] = {};
  static constexpr std::uint32_t MAGIC = 0x7e250124;

  static TensorMap of(const CUtensorMap& map) {
    TensorMap result;
    std::memcpy(static_cast<void*>(&result), &map, sizeof(result));
    return result;
  }
  unsigned boxBytes() const { return rowBytes() * rows(); }
  unsigned rowBytes() const { return unsigned(box[0]) * element; }
  unsigned rows() const {
    unsigned count = 1;
    for (int d = 1; d < rank; ++d) count *= box[d];
    return count;
  }

  // A row of the box whose first element is at `corner`: the elements [begin, end) of it are inside
  // the tensor, at `global`; the others are not.
  struct Row {
    std::int64_t begin, end;
    unsigned char* global;  // of element `begin`
  };
  Row row(const int* corner, unsigned number) const;
};
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap));

}  // namespace emulate
