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

// The tensor-core form of a dot on every target; nullopt if there is none, with the reason.
std::optional<MmaPlan> mmaPlan(const ir::Op *dot, int numWarps, const PassContext &context,
                               std::string &why);

}  // namespace tile2cu::passes
