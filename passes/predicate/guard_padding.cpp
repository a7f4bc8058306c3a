#include "passes/predicate/guard_padding.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/padding.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Whether all elements are one scalar.
bool isUniform(const Value *tile) {
  const Op *op = tile->definition;
  while (op && op->isShapeView()) op = op->operand(0)->definition;
  return op && op->kind == OpKind::Splat;
}

bool isConstantNotZero(const Value *tile) {
  const auto constant = constantOf(tile);
  return constant && constant->integer != 0;
}

// Whether padding is as good a divisor as the elements of the tile, whatever it was computed from.
bool isSafeDivisor(const Value *tile) {
  if (isUniform(tile)) return true;
  const Op *op = tile->definition;
  return op && op->kind == OpKind::Or && llvm::any_of(op->operands(), isConstantNotZero);
}

void guardDivisor(Op *op) {
  Value *divisor = op->operand(1);
  const Type &type = divisor->type;
  if (!type.isTile() || !type.layout()->isPadded() || isSafeDivisor(divisor)) return;
  Builder b = Builder::before(op);
  Value *one = b.splat(b.constant(type.scalar(), 1), type.shape(), type.layout());
  op->setOperand(1, b.select(validMask(b, type), divisor, one, divisor->name));
}

Value *zeroOf(Builder &b, Scalar scalar) {
  return isFloat(scalar) ? b.constantFloat(scalar, 0) : b.constant(scalar, 0);
}

void guardMap(Op *map) {
  const Type &type = map->result()->type;
  if (!type.layout()->isPadded()) return;
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
  b.setInsertionPoint(computes);
  Op *end = b.yield(yield->operands());
  while (branch->next() != yield) branch->next()->moveBefore(end);
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
      if (dividesIntegers(*op)) divisions.push_back(op);
      if (op->kind == OpKind::Map && op->numResults() > 0) maps.push_back(op);
    });
    llvm::for_each(divisions, guardDivisor);
    llvm::for_each(maps, guardMap);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
