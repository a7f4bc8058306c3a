// How types, constants and element-wise operations are written in CUDA C++.
#pragma once
#include "emit/cuda/builder.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// float, int64_t, __half, const float*, ...
std::string cppType(const ir::Element &element);
// The const form of `type`, up to the variable's name: const int, float* const.
inline std::string constantType(const std::string &type, bool isPointer) {
  return isPointer ? type + " const " : "const " + type + " ";
}
Expr typeOf(const ir::Element &element);
inline Expr typeOf(const ir::Type &type) { return typeOf(type.element()); }
inline Expr typeOf(ir::Scalar scalar) { return typeOf(ir::Element{scalar, false, false}); }
inline std::string cppType(ir::Scalar scalar) { return cppType(ir::Element{scalar, false, false}); }

// 1.5f, -INFINITY, 1024, 5u, __half(0.5f), true
Expr literal(ir::Scalar scalar, int64_t value);
Expr literal(ir::Scalar scalar, double value);

// static_cast<const float*>(nullptr), for a function or an operator that needs the type.
Expr nullPointer(const ir::Type &type);

// A literal with its type, where an overload or a width depends on it: 1 is an int.
Expr typedLiteral(ir::Scalar scalar, const Expr &e);
// Whether a literal is zero, which `= {}` says for every element.
bool isZero(const Expr &e);
// n for int64_t(n), the text of `value`, if n is an integer that int64_t can hold.
Expr withoutCast(const Expr &e, const ir::Value *value);
// A product that the compiler does not contract with an addition to one fma.
Expr roundedProduct(ir::Scalar scalar, const Expr &a, const Expr &b);

// The cast that makes a value, or the scalar of which all elements of the value are copies; null if
// there is none.
const ir::Op *conversionOf(const ir::Value *value);

// Whether operand `i` is a cast that the usual arithmetic conversions make anyway, so that its own
// operand is written in its place: row * stride with an int64_t stride, uint32_t(x) / n.
bool isConvertedInPlace(const ir::Op *op, unsigned i);

// How the arithmetic of a kernel is written.
struct ArithmeticStyle {
  bool precise = false;         // --math=precise
  bool hidesNegations = false;  // of integers: where the kernel takes extrema
};
// Whether the kernel takes the larger or the smaller of 32-bit integers somewhere. There nvcc must
// not see that an integer is negated (tile2cu::negate says why).
bool takesExtrema(const ir::Kernel &kernel);
// One element of an element-wise operation's result, from one element of each operand.
Expr elementwise(const ir::Op *op, llvm::ArrayRef<Expr> operands, const ArithmeticStyle &style);
// The function that the operation approximates without --math=precise: exp, division. Empty: none.
llvm::StringRef approximatedBy(const ir::Op *op);

// The same on the host, where all integers are 64 bits wide.
Expr hostElementwise(const ir::Op *op, llvm::ArrayRef<Expr> operands);
// The conversion of one element.
Expr castOf(const ir::CastOp &cast, const Expr &e);

// a < b
Expr comparison(ir::Compare compare, const Expr &a, const Expr &b);

// The functor of a reduction of this kind: tile2cu::sum_op<float>{}
Expr combineFunctor(ir::ReduceKind kind, ir::Scalar scalar);
// a combined with b, as it is written inside a thread: a + b, fmaxf(a, b).
Expr combineInThread(ir::ReduceKind kind, ir::Scalar scalar, const Expr &a, const Expr &b);

}  // namespace tile2cu::emit
