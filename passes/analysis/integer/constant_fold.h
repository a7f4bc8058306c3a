// Constant folding, with the results of the emitted code. Not a pass: canonicalize and axis_info
// use it.
//
//   add 2147483647, 1 : i32        not folded: undefined in C++
//   add 4294967295, 1 : u32        0
//   div -7, 2 : i32                -3
//   mul 0.1, 3.0 : f16             rounded once to f16
//   log 0.0 - 1.0                  not folded: a NaN is left to the device
#pragma once
#include <optional>

#include "passes/ir/builder.h"

namespace tile2cu::passes {

// Integers and bools: the value of their type (u64: its bits). Floats: the value, which a double
// represents exactly.
struct Const {
  ir::Scalar type = ir::Scalar::None;
  int64_t integer = 0;
  double real = 0;

  static Const ofInt(ir::Scalar type, int64_t value) { return {type, value, 0}; }
  static Const ofReal(ir::Scalar type, double value) { return {type, 0, value}; }
  static Const ofBool(bool value) { return {ir::Scalar::Bool, value, 0}; }
  bool isReal() const { return ir::isFloat(type); }
  // Positive and negative zero are different.
  bool same(const Const &other) const;
};

// A scalar constant, or the splat (also broadcast, expanded, ...) of one.
std::optional<Const> constantOf(const ir::Value *value);
// Whether the value is zero. The float -0.0 is a different number.
bool isZero(const ir::Value *value);
// Whether it is a division of integers, or its remainder: undefined if the divisor is zero.
bool dividesIntegers(const ir::Op &op);
// Creates a constant op for it.
ir::Value *makeConstant(ir::Builder &builder, const Const &constant);

// The result of an element-wise operation with one result on these operands; nullopt if it is
// undefined or a NaN, or not known exactly enough (transcendental functions are within an ulp, as
// on the device).
std::optional<Const> fold(const ir::Op &op, llvm::ArrayRef<Const> operands);

// Whether the comparison holds for two integers of one type.
bool holds(ir::Compare compare, ir::Scalar type, int64_t lhs, int64_t rhs);
// Integer arithmetic and comparisons of one type.
std::optional<int64_t> foldInteger(ir::OpKind kind, ir::Scalar type, int64_t lhs, int64_t rhs);

}  // namespace tile2cu::passes
