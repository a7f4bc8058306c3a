#include "passes/simplify/scalarize_carried_tiles.h"

#include <map>

#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/builder.h"
#include "passes/rewrite/loop_surgery.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// One advance of a tile: the value that is added to every element, and the tile afterwards.
struct Step {
  Value *amount;
  Op *op;
};

// The scalar of a splat, through views.
Value *uniformOf(Value *value) {
  const Op *op = value->definition;
  while (op && (op->kind == OpKind::Broadcast || op->kind == OpKind::ExpandDims)) {
    value = op->operand(0);
    op = value->definition;
  }
  return op && op->kind == OpKind::Splat ? op->operand(0) : nullptr;
}

// The uniform steps in `body` that lead from `tile` to `next`, first to last; empty if there are
// none.
llvm::SmallVector<Step, 2> stepsFrom(Value *tile, Value *next, const Block &body) {
  llvm::SmallVector<Step, 2> steps;
  while (next != tile) {
    Op *op = next->definition;
    if (!op || op->parent != &body || (op->kind != OpKind::AddPtr && op->kind != OpKind::Add))
      return {};
    unsigned other = 1;
    Value *amount = uniformOf(op->operand(1));
    if (!amount && op->kind == OpKind::Add) {
      amount = uniformOf(op->operand(0));
      other = 0;
    }
    if (!amount) return {};
    steps.insert(steps.begin(), {amount, op});
    next = op->operand(1 - other);
  }
  return steps;
}

// The splat at the root of a tile of pointers, if everything in between is rematerializable.
Op *rootOf(Value *pointers) {
  while (Op *op = pointers->definition) {
    if (op->kind == OpKind::Splat) return op;
    bool onTheWay = op->kind == OpKind::AddPtr || op->kind == OpKind::Broadcast ||
                    op->kind == OpKind::ExpandDims;
    if (!onTheWay) return nullptr;
    pointers = op->operand(0);
  }
  return nullptr;
}

// Whether the first element of an index tile is 0.
bool startsAtZero(const Value *tile) {
  const Op *op = tile->definition;
  if (!op || !isInteger(tile->type.scalar()) || tile->type.isPointer()) return false;
  const auto input = [&](unsigned i) { return startsAtZero(op->operand(i)); };
  switch (op->kind) {
    case OpKind::Arange:
      return op->getInt(Attr::start) == 0;
    case OpKind::Splat:
      return constantInt(op->operand(0)) == 0;
    case OpKind::Cast:
    case OpKind::Broadcast:
    case OpKind::ExpandDims:
      return input(0);
    case OpKind::Add:
      return input(0) && input(1);
    case OpKind::Mul:
      return input(0) || input(1);
    default:
      return false;
  }
}

// The splat in a 32-bit index tile that is its first element: of splat(start) + columns. Null if
// there is none.
Op *firstElementOf(Value *tile) {
  while (Op *op = tile->definition) {
    if (op->kind == OpKind::Splat) return op;
    unsigned next = 0;
    if (op->kind == OpKind::Add && startsAtZero(op->operand(0)))
      next = 1;
    else if (op->kind == OpKind::Add
                 ? !startsAtZero(op->operand(1))
                 : op->kind != OpKind::Broadcast && op->kind != OpKind::ExpandDims)
      return nullptr;
    tile = op->operand(next);
  }
  return nullptr;
}

struct State {
  // The scalar that the loop carries for the tile: the pointer at its root, or the sum of its
  // increments.
  Value *initial(Builder &b, Value *start) {
    if (start->type.isPointer()) {
      Op *root = rootOf(start);
      return root ? root->operand(0) : b.constant(Scalar::I64, 0);
    }
    // The increments of a tile do not overflow where the tile does not: if its first element was 0,
    // their sum is the first element. In 64 bits more than 2^63 would have to be added.
    const bool isAddedTo = startsAtZero(start) || start->type.scalar() == Scalar::I64;
    if (isAddedTo) return b.constant(start->type.scalar(), 0);
    const Op *first = firstElementOf(start);
    return first ? first->operand(0) : nullptr;
  }

  // The tile that started as `start`, for the current value of the carried scalar.
  Value *tileFor(Builder &b, Value *start, Value *now) {
    if (start->type.isPointer() && now->type.isPointer())
      return withRoot(b, start, rootOf(start), now);
    if (!start->type.isPointer() && !startsAtZero(start) && start->type.scalar() != Scalar::I64)
      return withRoot(b, start, firstElementOf(start), now);
    Value *added = b.splat(now, start->type.shape());
    return start->type.isPointer() ? b.addptr(start, added) : b.binary(OpKind::Add, start, added);
  }
  // The tile with another scalar in the splat at its root.
  Value *withRoot(Builder &b, Value *tile, const Op *root, Value *now) {
    Op *op = tile->definition;
    if (op == root) return b.splat(now, tile->type.shape());
    llvm::SmallVector<Value *, 2> operands(op->operands().begin(), op->operands().end());
    const unsigned i = op->kind == OpKind::Add && startsAtZero(operands[0]) ? 1 : 0;
    operands[i] = withRoot(b, operands[i], root, now);
    Op *copy = b.create(op->kind, operands, {tile->type}, tile->name);
    copy->attributes = op->attributes;
    return copy->result();
  }

  static Value *advance(Builder &b, Value *now, Value *amount) {
    if (now->type.isPointer()) return b.addptr(now, amount);
    return b.binary(OpKind::Add, now, b.cast(amount, now->type.scalar()));
  }

  // Whether carried value `i` was replaced by a scalar, which is then the last carried value.
  bool replace(Op *loop, unsigned i) {
    Block &body = *loop->region();
    Value *tile = ForOp(loop).carried(i), *start = ForOp(loop).init(i);
    Op *yield = body.terminator();
    if (!tile->type.isTile() || !yield || yield->kind != OpKind::Yield) return false;
    if (!tile->type.isPointer() && !isSigned(tile->type.scalar())) return false;
    if (!isRematerializable(start)) return false;
    auto steps = stepsFrom(tile, yield->operand(i), body);
    if (steps.empty()) return false;

    Builder before = Builder::before(loop);
    Value *first = initial(before, start);
    if (!first) return false;
    loop->addOperand(first);
    Value *now = body.addArgument(first->type, tile->name);
    Value *last = loop->addResult(first->type, tile->name);
    Builder top = Builder::before(body.front());
    tile->replaceAllUsesWith(tileFor(top, start, now));
    for (const Step &step : steps) {
      Builder b = Builder::before(step.op);
      now = advance(b, now, step.amount);
      step.op->result()->replaceAllUsesWith(tileFor(b, start, now));
    }
    yield->addOperand(now);
    Builder after = Builder::after(loop);
    if (!loop->result(i)->unused())
      loop->result(i)->replaceAllUsesWith(tileFor(after, start, last));
    eraseCarried(loop, i);
    return true;
  }
};

}  // namespace

llvm::LogicalResult scalarize_carried_tiles(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    walkPostOrder(kernel.body, [&](Op *op) {
      if (op->kind != OpKind::For || !exitsOf(op, true, true).empty()) return;
      for (unsigned left = op->numResults(), i = 0; left > 0; --left)
        if (!State().replace(op, i)) ++i;
    });
  return llvm::success();
}

}  // namespace tile2cu::passes
