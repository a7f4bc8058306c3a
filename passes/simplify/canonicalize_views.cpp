// Moves reshapes that drop dimensions of size 1 from loaded tiles to their addresses:
//
//  %x = load %pointers, %mask : tile<1x128x64xf16>
//  %a = reshape %x : tile<128x64xf16>
//    ==>
//  %p = reshape %pointers : tile<128x64xptr<const f16>>
//  %a = load %p, %m : tile<128x64xf16>
//
// The same is done for pointers, through views and element-wise operations down to the ranges that
// they are made of. A store of a tile to which such dimensions were added gets pointers without
// them. Blocks of descriptors with more than two dimensions (for a head or a batch) are then
// matrices for every pass that analyses accesses.
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

using Dims = llvm::SmallVector<unsigned, 4>;

// The dimensions of `from` that remain in `to`, if the others have size 1; nullopt if not, or if
// none is dropped.
std::optional<Dims> keptDims(llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to) {
  Dims kept;
  for (unsigned d = 0; d < from.size(); ++d) {
    if (kept.size() < to.size() && from[d] == to[kept.size()])
      kept.push_back(d);
    else if (from[d] != 1)
      return std::nullopt;
  }
  if (kept.size() != to.size() || kept.size() == from.size()) return std::nullopt;
  return kept;
}

Value *reshape(Builder &builder, Value *value, llvm::ArrayRef<Dim> shape) {
  if (llvm::equal(value->type.shape(), shape)) return value;
  return builder.create(OpKind::Reshape, {value}, {value->type.withShape(shape)})->result();
}

// `value`, or the tile with only the kept dimensions.
Value *keep(Builder &builder, Value *value, const Dims &kept) {
  if (!value || !value->type.isTile()) return value;
  Shape shape;
  for (unsigned d : kept) shape.push_back(value->type.shape()[d]);
  return reshape(builder, value, shape);
}

// The result of `op` with only the kept dimensions, computed from such operands, which replaces its
// `view`; null for operations that mix dimensions.
Value *withKept(Op &op, const Value &view, const Dims &kept) {
  Builder builder = Builder::before(&op);
  auto again = [&](llvm::ArrayRef<Value *> operands) {
    Op *made = builder.create(op.kind, operands, {view.type},
                              view.name.empty() ? op.result()->name : view.name);
    made->attributes = op.attributes;
    return made;
  };
  switch (op.kind) {
    case OpKind::ExpandDims: {
      const unsigned axis = op.getInt(Attr::axis);
      Dims inner;  // of the operand
      for (unsigned d : kept)
        if (d != axis) inner.push_back(d > axis ? d - 1 : d);
      // An operand with one element may have no dimension left, but no tile has rank 0.
      if (inner.empty() || op.operand(0)->type.shape() == view.type.shape())
        return reshape(builder, op.operand(0), view.type.shape());
      Value *source = keep(builder, op.operand(0), inner);
      auto place = llvm::find(kept, axis);
      return place == kept.end() ? source : builder.expandDims(source, place - kept.begin());
    }
    case OpKind::Broadcast:
      return again({keep(builder, op.operand(0), kept)})->result();
    case OpKind::Permute: {
      const auto &order = op.getInts(Attr::order);
      Dims inner;
      for (unsigned d : kept) inner.push_back(order[d]);
      llvm::sort(inner);
      llvm::SmallVector<int64_t, 4> among;
      for (unsigned d : kept)
        among.push_back(llvm::find(inner, unsigned(order[d])) - inner.begin());
      Op *made = again({keep(builder, op.operand(0), inner)});
      made->set(Attr::order, among);
      return made->result();
    }
    default:
      break;
  }
  if ((!op.is(Elementwise) || op.kind == OpKind::Hint) && op.kind != OpKind::Load) return nullptr;
  llvm::SmallVector<Value *, 3> operands;
  for (Value *operand : op.operands()) operands.push_back(keep(builder, operand, kept));
  return again(operands)->result();
}

// Whether a second copy of `op` for the kept dimensions costs nothing.
bool isFree(const Op *op) {
  if (op->kind != OpKind::Permute) return isRematerializable(op);
  return op->operand(0)->definition && isFree(op->operand(0)->definition);
}

}  // namespace

Value *simplifyViews(Op &op) {
  if (op.kind != OpKind::Reshape) return nullptr;
  Value *source = op.operand(0);
  Op *definition = source->definition;
  const Type &type = op.result()->type;
  if (!definition || type.layout() || source->type.layout()) return nullptr;
  auto kept = keptDims(source->type.shape(), type.shape());
  if (!kept) return nullptr;
  const bool isAlone = source->users.size() == 1;
  if (!isAlone && (definition->kind == OpKind::Load || !isFree(definition))) return nullptr;
  return withKept(*definition, *op.result(), *kept);
}

Outcome simplifyStoredViews(Op &op) {
  const bool isAtomic = op.kind == OpKind::Atomic;
  if (op.kind != OpKind::Store && !isAtomic) return Outcome::Same;
  if (isAtomic && (!op.result()->unused() || op.operand(AtomicOp::expected_optIndex)))
    return Outcome::Same;
  if (!op.operand(1)) return Outcome::Same;
  Op *view = op.operand(1)->definition;
  if (!view || (view->kind != OpKind::Reshape && view->kind != OpKind::ExpandDims))
    return Outcome::Same;
  Value *source = view->operand(0);
  if (!source->type.isTile() || source->type.layout()) return Outcome::Same;
  auto kept = keptDims(op.operand(1)->type.shape(), source->type.shape());
  if (!kept) return Outcome::Same;
  Builder builder = Builder::before(&op);
  op.setOperand(0, keep(builder, op.operand(0), *kept));
  op.setOperand(1, source);
  if (op.operand(2)) op.setOperand(2, keep(builder, op.operand(2), *kept));
  if (isAtomic) op.result()->type = source->type;
  return Outcome::Changed;
}

}  // namespace tile2cu::passes
