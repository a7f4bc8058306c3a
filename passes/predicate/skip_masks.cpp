#include "passes/predicate/skip_masks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/rewrite/tile_extrema.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

std::optional<MakeScalar> mayDiffer(Value *mask, bool from, int &left);

// Whether either test is true; false if both have to be known.
std::optional<MakeScalar> ofParts(const Op *op, bool from, bool either, int &left) {
  auto lhs = mayDiffer(op->operand(0), from, left), rhs = mayDiffer(op->operand(1), from, left);
  if (lhs && rhs) {
    const OpKind kind = either ? OpKind::Or : OpKind::And;
    return [=, lhs = *lhs, rhs = *rhs](Builder &b) { return b.binary(kind, lhs(b), rhs(b)); };
  }
  // An unknown part may differ.
  return either ? std::nullopt : lhs ? lhs : rhs;
}

// As boundOf, with a name derived from the tile's.
std::optional<MakeScalar> namedBound(Value *tile, bool upper) {
  auto make = boundOf(tile, upper);
  if (!make) return std::nullopt;
  return [=, make = *make](Builder &b) {
    Value *bound = make(b);
    if (bound->name.empty() && !tile->name.empty())
      bound->name = tile->name + (upper ? "_max" : "_min");
    return bound;
  };
}

// lhs <= rhs differs from true somewhere only if the largest lhs is above the smallest rhs.
std::optional<MakeScalar> ofComparison(const Op *op, bool from) {
  const Compare compare = compareOf(op->kind);
  if (isEquality(compare)) return std::nullopt;
  const bool isBelow = isLess(compare), takesEqual = !isStrict(compare);
  auto lhs = namedBound(op->operand(0), isBelow == from),
       rhs = namedBound(op->operand(1), isBelow != from);
  if (!lhs || !rhs) return std::nullopt;
  const OpKind above = takesEqual == from ? OpKind::Gt : OpKind::Ge;
  const OpKind below = takesEqual == from ? OpKind::Lt : OpKind::Le;
  return [=, lhs = *lhs, rhs = *rhs, kind = isBelow == from ? above : below](Builder &b) {
    return b.binary(kind, lhs(b), rhs(b));
  };
}

// Makes a scalar that is true if an element of the mask may differ from `from`; null if that is not
// known.
std::optional<MakeScalar> mayDiffer(Value *mask, bool from, int &left) {
  if (--left < 0) return std::nullopt;
  if (!mask->type.isTile()) {
    if (from) return [=](Builder &b) { return b.unary(OpKind::Not, mask); };
    return [=](Builder &) { return mask; };
  }
  const Op *op = mask->definition;
  if (!op) return std::nullopt;
  switch (op->kind) {
    case OpKind::Splat:
    case OpKind::Broadcast:
    case OpKind::ExpandDims:
    case OpKind::Hint:
      return mayDiffer(op->operand(0), from, left);
    case OpKind::Not:
      return mayDiffer(op->operand(0), !from, left);
    case OpKind::And:
      return ofParts(op, from, from, left);
    case OpKind::Or:
      return ofParts(op, from, !from, left);
    default:
      return op->is(Comparison) ? ofComparison(op, from) : std::nullopt;
  }
}

// A select that usually returns one of its tiles.
struct Masking {
  Op *select = nullptr;
  Value *kept = nullptr;
  MakeScalar changes;  // whether it may return something else
};

class Guard {
 public:
  Guard(Kernel &kernel, Op *loop) : kernel_(kernel), body_(*loop->regions.back()) {}

  // The last select of each chain, for messages.
  llvm::SmallVector<const Op *, 2> run() {
    llvm::SmallVector<Op *, 4> selects;
    for (const auto &op : body_.ops)
      if (op->kind == OpKind::Select && isLarge(op->result())) selects.push_back(op.get());
    llvm::SmallVector<const Op *, 2> guarded;
    while (!selects.empty()) {
      const auto chain = chainUpTo(selects.back());
      selects.pop_back();
      if (chain.empty()) continue;
      llvm::erase_if(selects, [&](Op *other) {
        return llvm::any_of(chain, [&](const Masking &part) { return part.select == other; });
      });
      guarded.push_back(guard(chain));
    }
    return guarded;
  }

 private:
  bool isLarge(const Value *tile) const {
    const Type &type = tile->type;
    return type.shape().size() == 2 && type.shape()[0] >= tunables().mask_min_rows &&
           type.numElements() >= tunables().mask_min_elements * 32 * kernel_.options.numWarps;
  }

  // Whether the tile is computed element-wise from the accumulator of a dot of this iteration.
  bool isComputedFromDot(const Value *value, llvm::DenseSet<const Value *> &seen) const {
    const Op *op = value->definition;
    if (!op || op->parent != &body_ || !seen.insert(value).second) return false;
    if (op->kind == OpKind::Dot) return true;
    if (!op->is(Elementwise) && !op->is(View)) return false;
    return llvm::any_of(op->operands(), [&](const Value *operand) {
      return operand && isComputedFromDot(operand, seen);
    });
  }

  std::optional<Masking> maskingOf(Op *select) const {
    for (const bool keeps : {true, false}) {
      Value *kept = select->operand(keeps ? 1 : 2);
      llvm::DenseSet<const Value *> seen;
      if (!isComputedFromDot(kept, seen)) continue;
      // The test is recomputed wherever it is used, so it must be short.
      int left = tunables().mask_question_operations;
      if (auto changes = mayDiffer(select->operand(0), keeps, left))
        return Masking{select, kept, *changes};
    }
    return std::nullopt;
  }

  // Selects that use each other's results, first to last.
  llvm::SmallVector<Masking, 2> chainUpTo(Op *last) const {
    llvm::SmallVector<Masking, 2> chain;
    for (Op *select = last; select && select->kind == OpKind::Select && select->parent == &body_;) {
      if (select != last && select->result()->users.size() != 1) break;
      const auto masking = maskingOf(select);
      if (!masking) break;
      chain.push_back(*masking);
      select = masking->kept->definition;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  const Op *guard(llvm::ArrayRef<Masking> chain) {
    Op *last = chain.back().select;
    Value *kept = chain.front().kept;
    Builder b = Builder::before(last);
    b.loc.statement = -1;  // the source statement is shown at the operation itself
    Value *question = nullptr;
    for (const Masking &part : chain) {
      Value *changes = part.changes(b);
      question = question ? b.binary(OpKind::Or, question, changes) : changes;
    }
    b.loc = last->loc;
    Op *branch = b.create(OpKind::If, {question}, {kept->type}, last->result()->name);
    branch->setString(Attr::reason, "Elsewhere the mask is all true.");
    last->result()->replaceAllUsesWith(branch->result());
    Builder then(*branch->addRegion()), other(*branch->addRegion());
    then.loc = other.loc = last->loc;
    Op *end = then.yield({last->result()});
    for (const Masking &part : chain) part.select->moveBefore(end);
    other.yield({kept});
    return last;
  }

  Kernel &kernel_;
  Block &body_;
};

}  // namespace

llvm::LogicalResult skip_masks(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    for (Op *loop : forLoopsIn(kernel.body))
      for (const Op *select : Guard(kernel, loop).run())
        context.diagnostics.decided(DiagId::MaskGuarded, kernel, select->loc, {});
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
