// The widest form of a global access: how many consecutive elements one instruction can move, and
// how its mask can be tested.
#pragma once
#include <string>
#include <utility>

#include "passes/analysis/integer/axis_info.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {

using ir::MaskForm;

// The reason why a vector is smaller than 16 bytes.
enum class Limit : uint8_t { None, Contiguity, Alignment, Mask, Atomic };

struct Access {
  int64_t vector = 1;
  MaskForm form = MaskForm::Uniform;
  Limit cause = Limit::None;
  std::string limit;    // the reason; empty if it is not smaller
  int64_t aligned = 1;  // bytes that addresses are known to be multiples of
};

// The strongest conditions that a launcher can check: every pointer is 16-byte aligned, every
// integer divisible by 16.
Assumptions allAssumptions(const ir::Kernel &kernel);

// A key that is equal for all kernels of one tile function: its qualified name, and for each
// parameter whether it is a pointer, an integer or neither, so that assumptions of one kernel can
// be applied to another. Source lines are not suitable: textual IR has none, and a macro may put
// two functions on one line.
using FunctionKey = std::pair<std::string, std::string>;
FunctionKey functionOf(const ir::Kernel &kernel);
// The access of a load, store or atomic through a tile of pointers, if vectors are along dimension
// `dim`.
Access accessAlong(const ir::Op *op, unsigned dim, const AxisAnalysis &analysis);
// The dimension along which its pointers are most contiguous: the last one if none is more so,
// else the first of the best.
unsigned contiguousDim(const ir::Op *op, const AxisAnalysis &analysis);
// Whether `op` is a load, store or atomic through a tile of pointers.
bool isTileAccess(const ir::Op *op);
// The index of the operand that ops.def names `mask_opt`, and the mask of an access.
std::optional<unsigned> maskIndex(ir::OpKind kind);
ir::Value *maskOf(const ir::Op *op);

// A mask as the conjunction of a part that is uniform along `dim` for `vector` elements and at most
// one `index < bound`, where index counts up by one along dim and bound is uniform. Both parts may
// be null.
struct PrefixMask {
  // A part of the mask before it was given more dimensions: at each of `axes` in turn it gets one
  // of size 1. Then it is broadcast.
  struct Part {
    ir::Value *value;
    llvm::SmallVector<int64_t, 2> axes = {};
  };
  llvm::SmallVector<Part, 2> uniform;
  ir::Value *index = nullptr, *bound = nullptr;
  llvm::SmallVector<int64_t, 2> axes = {};  // of index and bound
};
std::optional<PrefixMask> prefixMask(ir::Value *mask, unsigned dim, int64_t vector,
                                     const AxisAnalysis &analysis);

}  // namespace tile2cu::passes
