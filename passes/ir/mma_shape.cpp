#include "passes/ir/mma_shape.h"

namespace tile2cu::ir {

static constexpr MmaShape kShapes[] = {
#define MMA(Enumerator, word, a, b, d, m, n, k, sm) \
  {MmaInstruction::Enumerator, Scalar::a, Scalar::b, Scalar::d, m, n, k, sm},
#include "passes/ir/mma_instructions.def"
};

llvm::ArrayRef<MmaShape> mmaShapes() { return kShapes; }

const MmaShape &mmaShape(MmaInstruction instruction) {
  return kShapes[static_cast<size_t>(instruction)];
}

bool hasGroupForm(const MmaShape &shape, int64_t columns) {
  if (shape.a == Scalar::F64 || columns < 8 || columns > 256 || columns % 8 != 0) return false;
  return !isInteger(shape.a) || columns <= 32 || columns % 16 == 0;
}

}  // namespace tile2cu::ir
