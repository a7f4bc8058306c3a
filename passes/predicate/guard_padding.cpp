#include "passes/predicate/guard_padding.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/padding.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

bool isPadded(const Type &type) {
  if (!type.isTile() || !type.layout()) return false;
  for (unsigned d = 0; d < type.rank(); ++d)
    if (type.layout()->dim(d).isPadded()) return true;
  return false;
}

// The scalar that all elements are, or null.
const Value *uniformScalar(const Value *tile) {
  const Op *op = tile->definition;
  while (op && op->isShapeView()) op = op->operand(0)->definition;
  return op && op->kind == OpKind::Splat ? op->operand(0) : nullptr;
}

bool isConstantNotZero(const Value *tile) {
  const Value *scalar = uniformScalar(tile);
  return scalar && scalar->definition && scalar->definition->kind == OpKind::Constant &&
         scalar->definition->getInt(Attr::value) != 0;
}

// Whether padding is as good a divisor as the elements of the tile, whatever it was computed from.
bool isSafeDivisor(const Value *tile) {
  if (uniformScalar(tile)) return true;
  const Op *op = tile->definition;
  return op && op->kind == OpKind::Or &&
         (isConstantNotZero(op->operand(0)) || isConstantNotZero(op->operand(1)));
}

void guardDivisor(Op *op) {
  Value *divisor = op->operand(1);
  if (isFloat(divisor->type.scalar()) || !isPadded(divisor->type) || isSafeDivisor(divisor)) return;
  Builder b = Builder::before(op);
  const Type &type = divisor->type;
  Value *one = b.splat(b.constant(type.scalar(), 1), type.shape(), type.layout());
  op->setOperand(1, b.select(validMask(b, type), divisor, one, divisor->name));
}

Value *zeroOf(Builder &b, Scalar scalar) {
  return isFloat(scalar) ? b.constantFloat(scalar, 0) : b.constant(scalar, 0);
}

void guardMap(Op *map) {
  const Type &type = map->result()->type;
  if (!isPadded(type)) return;
  Builder outside = Builder::before(map);
  map->addOperand(validMask(outside, type));
  Block &body = *map->region();
  Value *inside = body.addArgument(Scalar::Bool, "inside");

  Op *yield = body.back();
  Builder b = Builder::before(body.front());
  llvm::SmallVector<Type, 2> types;
  for (const Value *value : yield->operands()) types.push_back(value->type);
  Op *branch = b.create(OpKind::If, {inside}, types);
  Block &computes = *branch->addRegion(), &skips = *branch->addRegion();
  while (branch->next() != yield) {
    Op *op = branch->next();
    computes.ops.splice(computes.ops.end(), body.ops, op->position);
    op->parent = &computes;
  }
  b.setInsertionPoint(computes);
  b.yield(llvm::to_vector(yield->operands()));
  b.setInsertionPoint(skips);
  llvm::SmallVector<Value *, 2> zeros;
  for (const Type &result : types) zeros.push_back(zeroOf(b, result.scalar()));
  b.yield(zeros);
  for (unsigned i = 0; i < types.size(); ++i) yield->setOperand(i, branch->result(i));
}

}  // namespace

llvm::LogicalResult guard_padding(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    std::vector<Op *> divisions, maps;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Div || op->kind == OpKind::Rem) divisions.push_back(op);
      if (op->kind == OpKind::Map && op->numResults() > 0) maps.push_back(op);
    });
    llvm::for_each(divisions, guardDivisor);
    llvm::for_each(maps, guardMap);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
