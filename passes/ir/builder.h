// Creates operations at an insertion point.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::ir {

class Builder {
 public:
  explicit Builder(Block &block) : block_(&block) {}
  static Builder before(Op *op) {
    Builder b(*op->parent);
    b.before_ = op;
    b.loc = op->loc;
    return b;
  }
  static Builder after(Op *op) {
    Builder b(*op->parent);
    b.before_ = op->next();
    b.loc = op->loc;
    return b;
  }

  Location loc;  // the location of the ops that are created

  void setInsertionPoint(Block &block) {
    block_ = &block;
    before_ = nullptr;
  }
  void setInsertionPoint(Op *before) {
    block_ = before->parent;
    before_ = before;
  }
  Block &block() const { return *block_; }

  // The general form: any kind, operands (null for an absent optional one), result types.
  Op *create(OpKind kind, llvm::ArrayRef<Value *> operands, llvm::ArrayRef<Type> results,
             llvm::StringRef name = "");

  // Element-wise: the result has the operands' shape and layout. Comparisons return bool.
  Value *binary(OpKind kind, Value *lhs, Value *rhs, llvm::StringRef name = "");
  Value *unary(OpKind kind, Value *source, llvm::StringRef name = "");
  Value *cast(Value *source, Scalar to,
              llvm::StringRef name = "");  // source itself if it has that type
  Value *select(Value *condition, Value *onTrue, Value *onFalse, llvm::StringRef name = "");

  // With the formula of the value, if it is an integer.
  Value *constant(Scalar type, const Dim &value);
  Value *constantFloat(Scalar type, double value);
  // nullptr of this pointer type.
  Value *nullPointer(const Type &type);
  Value *splat(Value *scalar, llvm::ArrayRef<Dim> shape,
               std::shared_ptr<const Layout> layout = nullptr);
  Value *addptr(Value *pointer, Value *offset, llvm::StringRef name = "");
  Value *expandDims(Value *source, int64_t axis);
  Value *broadcast(Value *source,
                   llvm::ArrayRef<Dim> shape);  // dimensions of 1 grow; source itself if equal
  Op *yield(llvm::ArrayRef<Value *> values) { return create(OpKind::Yield, values, {}); }

 private:
  Block *block_;
  Op *before_ = nullptr;
};

// The integer value of a scalar constant, or of a splat of one.
std::optional<int64_t> constantInt(const Value *value);
// The same with its formula.
std::optional<Dim> constantDim(const Value *value);
// The extent that a dot sums over.
Dim depthOf(const Op *dotShared);
// The value of an operation on two sizes. It has a formula if it is a product, or a quotient, sum
// or difference with a number.
Dim combined(OpKind kind, const Dim &a, const Dim &b, int64_t value);
std::optional<double> constantDouble(const Value *value);

// Copies `op` (with its regions) to the insertion point of `builder`; operands are looked up in
// `map`, and the results are added to it.
Op *clone(Op *op, Builder &builder, std::map<Value *, Value *> &map);

}  // namespace tile2cu::ir
