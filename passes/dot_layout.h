// How a matrix product is given to the tensor cores: the instruction, and the layout of its accumulator.
#pragma once
#include <optional>

#include "passes/ir/layout.h"
#include "passes/passes.h"

namespace tile2cu::passes {

// mma.m16n8: element (r, e) of a 16 x 8 matrix is in row lane / 4 + 8 * r, column lane % 4 * 2 + e. A warp has I x J of them.
struct MmaPlan {
  std::string instruction;  // the device helper: mma_m16n8k16_f16
  int64_t depth = 16;       // k of one instruction
  ir::LayoutRef layout;     // register axes [I, J, 2, 2]
};

// The tensor-core form of a dot on every target; nullopt if there is none, with the reason. In a chain of products, where the
// sums of one are an operand of the next, all warps stand over rows if they can (`rowsOnly`): then those sums stay in registers.
std::optional<MmaPlan> mmaPlan(const ir::Op *dot, int numWarps, const PassContext &context,
                               bool rowsOnly, std::string &why);

// Whether the first operand lies in registers just as the instructions of `dot` take it: as sums of a product lie.
bool isOperandInPlace(const ir::Op *dot);

}  // namespace tile2cu::passes
