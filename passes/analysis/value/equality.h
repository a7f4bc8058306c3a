// Whether code computes the same, by its structure: the same operations on the same values in the
// same order. Names, locations and comments do not count.
#pragma once
#include <map>

#include "passes/ir/module.h"

namespace tile2cu::passes {

class Equality {
 public:
  // Whether two operations are equal. Values from outside of them have to be the same ones, or
  // equal constants.
  bool op(const ir::Op &a, const ir::Op &b);
  // The same for blocks. Arguments correspond by their index.
  bool block(const ir::Block &a, const ir::Block &b);
  // Whether two values of kernels with equal parameters are computed alike.
  bool computed(const ir::Value *a, const ir::Value *b);

 private:
  bool value(const ir::Value *a, const ir::Value *b) const;
  bool operands(const ir::Op &a, const ir::Op &b) const;

  std::map<const ir::Value *, const ir::Value *> inner_;  // of what is inside: those of a -> of b
};

// Whether two kernels have the same parameters, options, shared memory and code.
bool areEqual(const ir::Kernel &a, const ir::Kernel &b);

}  // namespace tile2cu::passes
