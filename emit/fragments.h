// The arrays of registers that mma takes its operands from, and where they are loaded from.
#pragma once
#include "emit/kernel_emitter.h"
#include "passes/mma.h"

namespace tile2cu::emit {

// What the operands of one step of k are loaded into.
struct KernelEmitter::Fragments {
  std::string a, b;   // arrays of registers, of this step
  std::string kk;     // the step
  std::string stage;  // of the shared tiles
};

inline const passes::MmaShape &shapeOf(const ir::Op *dot) {
  return *passes::mmaShape(dot->getString("mma"));
}

}  // namespace tile2cu::emit
