// The matrix instructions of tensor cores, d += a * b by a whole warp, and how their operands come from shared memory.
//
// Each takes 32 bytes of k: of 16 rows of a (8 for double) and 8 columns of b. A register holds neighbours along k; which
// lane holds which is the same for all types, counted in bytes (the device's mma_ptx.cuh has the map). So ldmatrix, which
// copies rows of 16 bytes, brings the operands of every type whose rows in shared memory run along k.
#pragma once
#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "passes/ir/type.h"

namespace tile2cu::passes {

struct MmaShape {
  const char *helper;  // of the device, which has the name of the instruction
  ir::Scalar a, b, d;  // elements of the operands and of the sums
  int64_t m, n, k;     // rows and columns of sums, products for each
  int sm;              // the first architecture that has it

  int64_t bytes() const { return ir::byteWidth(a); }
  int64_t registerBytes() const { return a == ir::Scalar::F64 ? 8 : 4; }
  int64_t perRegister() const { return registerBytes() / bytes(); }
  int64_t registersOfA() const { return m * k / 32 / perRegister(); }
  int64_t registersOfB() const { return n * k / 32 / perRegister(); }
};

// The instruction for these elements, and by the name of its helper; null if there is none.
const MmaShape *mmaShape(ir::Scalar a, ir::Scalar b, ir::Scalar d);
const MmaShape *mmaShape(llvm::StringRef helper);

// The form for a warpgroup (sm_90a): 64 rows and `columns` of sums, operands in shared memory, the first one also in registers.
// Which lane holds which sums is the same as for its four warps one by one. None for double.
constexpr int64_t kGroupRows = 64;
bool hasGroupForm(const MmaShape &shape, int64_t columns);
std::string groupHelper(const MmaShape &shape, int64_t columns);  // wgmma_m64n256k16_f16

// A tile for these instructions stands in panels, whose rows are as wide as their swizzle: 128, 64 or 32 bytes. The elements of
// such a row, the most that divide a tile's row of `columns`, itself a multiple of 32 bytes.
int64_t panelColumns(int64_t columns, int64_t bytes);

// How a fragment comes from a shared tile: by ldmatrix where the tile's rows run along k, by its transposing form for 16-bit
// elements whose rows run across, else element by element.
enum class FragmentLoad : uint8_t { Rows, Columns, Elements };
FragmentLoad fragmentLoad(const MmaShape &shape, bool alongK);

// Whose fragments are loaded from a shared tile, and whether its rows run along k.
struct FragmentReader {
  const MmaShape *shape;
  bool alongK;
};

// How many turns the 32 banks of shared memory take for one access of a warp, `bytes` a lane: in a turn each bank gives one
// word, to all that ask for it. Up to 4 bytes the lanes go together; of 8 bytes in halves of the warp, of 16 in quarters.
int64_t bankTurns(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

// The bytes from one row of a shared tile to the next, for rows of `bytes` that are not swizzled: a multiple of 16, as ldmatrix and
// cp.async want, with 0 to 112 bytes behind each row, the fewest of those for which the readers take the fewest turns.
int64_t rowPitch(int64_t bytes, llvm::ArrayRef<FragmentReader> readers);

}  // namespace tile2cu::passes
