#include "passes/predicate/lane_partial_condition.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/layout_inference.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Operations with the same result, up to the sign of zero, wherever they are placed.
bool isRepeatable(const Op *op) {
  switch (op->kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::Neg:
    case OpKind::Minimum:
    case OpKind::Maximum:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Not:
      return true;
    default:
      return isComparison(op->kind) && !isEquality(compareOf(op->kind));
  }
}

// a * b + c may become one rounded operation in one place and not in the other.
bool mayContract(const Op *op) {
  if (op->kind != OpKind::Add && op->kind != OpKind::Sub) return false;
  return isFloat(op->result()->type.scalar()) &&
         llvm::any_of(op->operands(), [](const Value *value) {
           return value->definition && value->definition->kind == OpKind::Mul;
         });
}

struct Search {
  const std::set<const Op *> &members;
  const Op *reduction = nullptr;

  bool visit(const Value *value) {
    const Op *op = value->definition;
    const bool isOurs = op && members.count(op);
    if (isOurs && isExtremumInWarp(op)) {
      if (reduction && reduction != op) return false;
      reduction = op;
      return true;
    }
    if (op && op->kind == OpKind::Splat) return true;
    if (!isOurs) return true;  // it is not moved
    if (!isRepeatable(op) || mayContract(op)) return false;
    return llvm::all_of(op->operands(), [&](const Value *operand) { return visit(operand); });
  }
};

}  // namespace

bool isExtremumInWarp(const Op *op) {
  if (op->kind != OpKind::ReduceAcross || op->has(Attr::buffer) || op->numResults() != 1)
    return false;
  const auto kind = op->get(Attr::kind);
  if (kind != ReduceKind::Max && kind != ReduceKind::Min) return false;
  const Type &part = op->operand(0)->type, &result = op->result()->type;
  if (!result.isTile()) return false;
  const LayoutRef rest = part.layout()->withoutDim(op->getInt(Attr::axis));
  return sameLayout(*rest, *result.layout()) && sameArrays(*rest, *result.layout());
}

const Op *reductionBefore(const Value *condition, const std::set<const Op *> &members) {
  if (!condition->definition || !members.count(condition->definition)) return nullptr;
  Search search{members};
  return search.visit(condition) ? search.reduction : nullptr;
}

Value *onParts(Value *condition, const Op *reduction, const std::set<const Op *> &members,
               Builder &b) {
  Op *op = condition->definition;
  Value *parts = reduction->operand(0);
  if (op == reduction) return parts;
  const Type type = parts->type.withElement(condition->type.element());
  if (op && op->kind == OpKind::Splat) return b.splat(op->operand(0), type.shape(), type.layout());
  if (op && members.count(op)) {
    llvm::SmallVector<Value *, 2> operands;
    for (Value *operand : op->operands())
      operands.push_back(onParts(operand, reduction, members, b));
    const std::string name = condition->name.empty() ? "" : "lane_" + condition->name;
    Op *copy = b.create(op->kind, operands, {type}, name);
    copy->attributes = op->attributes;
    copy->loc = op->loc;
    return copy->result();
  }
  const int64_t axis = reduction->getInt(Attr::axis);
  Value *wide = b.expandDims(condition, axis);
  wide->type = wide->type.withLayout(condition->type.layout()->withUnitDim(axis));
  return b.create(OpKind::Broadcast, {wide}, {type}, condition->name)->result();
}

}  // namespace tile2cu::passes
