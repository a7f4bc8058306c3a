#include "passes/target/cost_model.h"

#include "passes/target/mma_instructions.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Per multiprocessor and cycle. 4096 operations of a 16-bit MMA, twice as many of half the size:
// NVIDIA's H100 data sheet, 989 TFLOP/s of 132 multiprocessors at 1.83 GHz. 16 special functions:
// CUDA Programming Guide; measured on an H200 for exp2 and tanh, 8.0 cycles for a warp on each of
// four schedulers.
constexpr int64_t kMmaBytesPerCycle = 2 * 4096, kSpecialFunctions = 16;

// The number of the unit's instructions per element.
int64_t specialFunctionsOf(OpKind kind) {
  switch (kind) {
    case OpKind::Exp:
    case OpKind::Exp2:
    case OpKind::Log:
    case OpKind::Log2:
    case OpKind::Sqrt:
    case OpKind::Rsqrt:
    case OpKind::Reciprocal:
    case OpKind::FastTanh:
      return 1;
    case OpKind::Tanh:  // an exponential and a quotient
      return 2;
    default:  // arithmetic, or a function whose polynomial is arithmetic
      return 0;
  }
}

}  // namespace

int64_t dotCycles(const Op *dot) {
  const int64_t operations = 2 * dot->result()->type.numElements() * dot->getInt(Attr::k);
  return operations * mmaShape(*dot->get(Attr::mma)).elementBytes() / kMmaBytesPerCycle;
}

int64_t specialCycles(const Op *op) {
  const int64_t each = specialFunctionsOf(op->kind);
  if (each == 0 || !op->result()->type.isTile()) return 0;
  return each * op->result()->type.numElements() / kSpecialFunctions;
}

}  // namespace tile2cu::passes
