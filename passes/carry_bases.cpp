#include "passes/carry_bases.h"

#include <map>

#include "passes/cheap.h"
#include "passes/ir/builder.h"
#include "passes/loops.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// One step of a tile that is advanced: what is added to every element, and the tile then.
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

// How `next` comes from `tile` by uniform steps in `body`, first step first; empty if it does not.
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

// The splat at the root of a tile of pointers, if everything on the way is cheap to compute again.
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

struct State {
  // What the loop carries for the tile: the pointer at its root, or what has been added to it.
  Value *initial(Builder &b, Value *start) {
    if (start->type.isPointer()) {
      Op *root = rootOf(start);
      return root ? root->operand(0) : b.constant(Scalar::I64, 0);
    }
    return b.constant(start->type.scalar(), 0);
  }

  // The tile that began as `start`, for the carried scalar `now`.
  Value *tileFor(Builder &b, Value *start, Value *now) {
    if (start->type.isPointer() && now->type.isPointer()) return withRoot(b, start, now);
    Value *added = b.splat(now, start->type.shape());
    return start->type.isPointer() ? b.addptr(start, added) : b.binary(OpKind::Add, start, added);
  }
  Value *withRoot(Builder &b, Value *pointers, Value *root) {
    Op *op = pointers->definition;
    if (op->kind == OpKind::Splat) return b.splat(root, pointers->type.shape());
    llvm::SmallVector<Value *, 2> operands(op->operands().begin(), op->operands().end());
    operands[0] = withRoot(b, op->operand(0), root);
    Op *copy = b.create(op->kind, operands, {pointers->type}, pointers->name);
    copy->attributes = op->attributes;
    return copy->result();
  }

  static Value *advance(Builder &b, Value *now, Value *amount) {
    if (now->type.isPointer()) return b.addptr(now, amount);
    return b.binary(OpKind::Add, now, b.cast(amount, now->type.scalar()));
  }

  // Whether carried value `i` became a scalar; it is the last one then.
  bool replace(Op *loop, unsigned i) {
    Block &body = *loop->region();
    Value *tile = body.argument(1 + i), *start = loop->operand(3 + i);
    Op *yield = body.terminator();
    if (!tile->type.isTile() || !yield || yield->kind != OpKind::Yield) return false;
    if (!tile->type.isPointer() && !isSigned(tile->type.scalar())) return false;
    if (!isCheap(start)) return false;
    auto steps = stepsFrom(tile, yield->operand(i), body);
    if (steps.empty()) return false;

    Builder before = Builder::before(loop);
    Value *first = initial(before, start);
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

llvm::LogicalResult carry_bases(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    walkPostOrder(kernel.body, [&](Op *op) {
      if (op->kind != OpKind::For || !exitsOf(op, true, true).empty()) return;
      for (unsigned left = op->numResults(), i = 0; left > 0; --left)
        if (!State().replace(op, i)) ++i;
    });
  return llvm::success();
}

}  // namespace tile2cu::passes
