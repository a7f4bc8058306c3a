// The MMA instructions of the tensor cores, d += a * b by a whole warp, and how their operands are
// loaded from shared memory.
//
// Each instruction multiplies 32 bytes along k: 16 rows of a (8 for double) by 8 columns of b. A
// register holds neighbours along k. Which lane holds which elements is the same for all types if
// counted in bytes (the device's mma_ptx.cuh has the map). ldmatrix, which copies rows of 16 bytes,
// therefore loads the operands of every type whose rows in shared memory run along k.
#pragma once
#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "passes/ir/mma_shape.h"

namespace tile2cu::passes {

using ir::MmaShape, ir::hasGroupForm, ir::mmaShape;

// The instruction for these elements; null if there is none.
const MmaShape *mmaShape(ir::Scalar a, ir::Scalar b, ir::Scalar d);

// The wgmma form (sm_90a): an accumulator of 64 rows and `columns` columns, operands in shared
// memory, the first one also in registers. The accumulator layout is that of the MMAs of its four
// warps.
constexpr int64_t kGroupRows = 64;
std::string groupHelper(const MmaShape &shape, int64_t columns);  // wgmma_m64n256k16_f16

// The shared tile of a wgmma operand consists of panels, whose rows are as wide as their swizzle:
// 128, 64 or 32 bytes. Returns the elements of such a row, the largest number that divides a row of
// `columns` elements; these are a multiple of 32 bytes.
int64_t panelColumns(int64_t columns, int64_t bytes);

// How a fragment is loaded from a shared tile: by ldmatrix if the rows of the tile run along k, by
// its transposing form for 16-bit elements if the rows run across k, else element by element.
enum class FragmentLoad : uint8_t { Rows, Columns, Elements };
FragmentLoad fragmentLoad(const MmaShape &shape, bool alongK);

// The instruction whose fragments are loaded from a shared tile, and whether the rows of the tile
// run along k.
struct FragmentReader {
  const MmaShape *shape;
  bool alongK;
};

// The number of wavefronts that an access of a warp to shared memory takes, with `bytes` per lane:
// in each wavefront each of the 32 banks delivers one word, to all lanes that read it. Accesses of
// up to 4 bytes are served for the whole warp at once, of 8 bytes for half a warp, of 16 for a
// quarter.
int64_t bankWavefronts(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

// The row pitch in bytes of a shared tile that is not swizzled, for rows of `bytes`: a multiple of
// 16, as ldmatrix and cp.async need, with 0 to 112 bytes of padding, the smallest padding with
// which the readers take the fewest wavefronts.
int64_t rowPitch(int64_t bytes, llvm::ArrayRef<FragmentReader> readers);

}  // namespace tile2cu::passes
