// The shape and the types of each MMA instruction: the rows of mma_instructions.def.
#pragma once
#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "passes/ir/attribute.h"
#include "passes/ir/type.h"

namespace tile2cu::ir {

struct MmaShape {
  MmaInstruction instruction;
  Scalar a, b, d;   // element types of the operands and of the accumulator
  int64_t m, n, k;  // the shape of the instruction
  int sm;           // the first architecture that has it

  // The name of the device function.
  std::string helper() const { return wordOf(instruction).str(); }
  int64_t elementBytes() const { return byteWidth(a); }
  int64_t registerBytes() const { return a == Scalar::F64 ? 8 : 4; }
  int64_t perRegister() const { return registerBytes() / elementBytes(); }
  int64_t registersOfA() const { return m * k / 32 / perRegister(); }
  int64_t registersOfB() const { return n * k / 32 / perRegister(); }
};

// All of them, in the order of MmaInstruction.
llvm::ArrayRef<MmaShape> mmaShapes();
const MmaShape &mmaShape(MmaInstruction instruction);

// Whether the instruction has a wgmma form (sm_90a) for an accumulator of 64 rows and `columns`
// columns. None has one for double.
bool hasGroupForm(const MmaShape &shape, int64_t columns);

}  // namespace tile2cu::ir
