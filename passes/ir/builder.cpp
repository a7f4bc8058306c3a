#include "passes/ir/builder.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::ir {

Op *Builder::create(OpKind kind, llvm::ArrayRef<Value *> operands, llvm::ArrayRef<Type> results,
                    llvm::StringRef name) {
  auto op = std::make_unique<Op>(kind, loc);
  for (Value *value : operands) op->addOperand(value);
  for (const Type &type : results) op->addResult(type, name.str());
  return block_->insertBefore(before_, std::move(op));
}

Value *Builder::binary(OpKind kind, Value *lhs, Value *rhs, llvm::StringRef name) {
  T2C_ASSERT(lhs->type.sameTile(rhs->type) || kind == OpKind::AddPtr);
  Type result = isComparison(kind) ? lhs->type.withScalar(Scalar::Bool) : lhs->type;
  return create(kind, {lhs, rhs}, {result}, name)->result();
}

Value *Builder::unary(OpKind kind, Value *source, llvm::StringRef name) {
  return create(kind, {source}, {source->type}, name)->result();
}

Value *Builder::cast(Value *source, Scalar to, llvm::StringRef name) {
  if (!source->type.isPointer() && source->type.scalar() == to) return source;
  return create(OpKind::Cast, {source}, {source->type.withScalar(to)}, name)->result();
}

Value *Builder::select(Value *condition, Value *onTrue, Value *onFalse, llvm::StringRef name) {
  return create(OpKind::Select, {condition, onTrue, onFalse}, {onTrue->type}, name)->result();
}

Value *Builder::constant(Scalar type, const Dim &value) {
  Op *op = create(OpKind::Constant, {}, {Type(type)});
  if (isFloat(type))
    op->set(Attr::value, static_cast<double>(int64_t{value}));
  else if (type == Scalar::Bool)
    op->set(Attr::value, value != 0);
  else
    op->set(Attr::value, int64_t{value});
  if (value.formula() && isInteger(type)) op->setString(Attr::formula, value.formula()->str());
  return op->result();
}

Value *Builder::constantFloat(Scalar type, double value) {
  Op *op = create(OpKind::Constant, {}, {Type(type)});
  op->set(Attr::value, value);
  return op->result();
}

Value *Builder::nullPointer(const Type &type) {
  T2C_ASSERT(type.isPointer() && !type.isTile());
  Op *op = create(OpKind::Constant, {}, {type});
  op->set(Attr::value, int64_t{0});
  return op->result();
}

Value *Builder::splat(Value *scalar, llvm::ArrayRef<Dim> shape,
                      std::shared_ptr<const Layout> layout) {
  if (shape.empty()) return scalar;
  return create(OpKind::Splat, {scalar}, {Type(scalar->type.element(), shape, std::move(layout))},
                scalar->name)
      ->result();
}

Value *Builder::addptr(Value *pointer, Value *offset, llvm::StringRef name) {
  return create(OpKind::AddPtr, {pointer, offset}, {pointer->type}, name)->result();
}

Value *Builder::expandDims(Value *source, int64_t axis) {
  Shape shape = source->type.shape();
  shape.insert(shape.begin() + axis, 1);
  Op *op = create(OpKind::ExpandDims, {source}, {source->type.withShape(shape)}, source->name);
  op->setInt(Attr::axis, axis);
  return op->result();
}

Value *Builder::broadcast(Value *source, llvm::ArrayRef<Dim> shape) {
  if (llvm::equal(source->type.shape(), shape)) return source;
  return create(OpKind::Broadcast, {source}, {source->type.withShape(shape)}, source->name)
      ->result();
}

static const Op *constantOp(const Value *value) {
  if (!value || !value->definition) return nullptr;
  if (value->definition->kind == OpKind::Splat) return constantOp(value->definition->operand(0));
  return value->definition->kind == OpKind::Constant ? value->definition : nullptr;
}

static Dim withFormula(int64_t number, const Op *op) {
  const auto formula = Formula::parse(op->getString(Attr::formula));
  return formula ? Dim(number, *formula) : Dim(number);
}

std::optional<int64_t> constantInt(const Value *value) {
  const Op *op = constantOp(value);
  if (!op || value->type.isPointer() || isFloat(value->type.scalar())) return std::nullopt;
  return op->getInt(Attr::value);
}
std::optional<Dim> constantDim(const Value *value) {
  const auto number = constantInt(value);
  if (!number) return std::nullopt;
  return withFormula(*number, constantOp(value));
}
Dim depthOf(const Op *dotShared) { return withFormula(dotShared->getInt(Attr::k), dotShared); }
Dim combined(OpKind kind, const Dim &a, const Dim &b, int64_t value) {
  Dim result(value);
  if (kind == OpKind::Mul)
    result = a.times(b);
  else if (kind == OpKind::Div && !b.formula() && b > 0)
    result = a.over(b);
  else if (kind == OpKind::Sub && !b.formula() && b > INT64_MIN)
    result = a.plus(-b);
  else if (kind == OpKind::Add && (!a.formula() || !b.formula()))
    result = a.formula() ? a.plus(b) : b.plus(a);
  return Dim(value).orFrom(result);
}
std::optional<double> constantDouble(const Value *value) {
  const Op *op = constantOp(value);
  if (!op) return std::nullopt;
  const Scalar type = value->type.scalar();
  if (isFloat(type)) return op->getDouble(Attr::value);
  const int64_t number = op->getInt(Attr::value);
  return type == Scalar::U64 ? static_cast<double>(static_cast<uint64_t>(number))
                             : static_cast<double>(number);
}

Op *clone(Op *op, Builder &builder, std::map<Value *, Value *> &map) {
  auto lookup = [&](Value *value) {
    auto it = map.find(value);
    return it == map.end() ? value : it->second;
  };
  llvm::SmallVector<Value *, 4> operands;
  for (Value *value : op->operands()) operands.push_back(value ? lookup(value) : nullptr);
  Location saved = builder.loc;
  builder.loc = op->loc;
  Op *copy = builder.create(op->kind, operands, {});
  builder.loc = saved;
  copy->attributes = op->attributes;
  copy->layout = op->layout;
  for (auto &result : op->results) map[result.get()] = copy->addResult(result->type, result->name);
  for (auto &region : op->regions) {
    Block *block = copy->addRegion();
    for (auto &argument : region->arguments)
      map[argument.get()] = block->addArgument(argument->type, argument->name);
    Builder inner(*block);
    for (auto &nested : region->ops) clone(nested.get(), inner, map);
  }
  return copy;
}

}  // namespace tile2cu::ir
