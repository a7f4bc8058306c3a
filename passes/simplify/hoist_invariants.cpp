#include "passes/simplify/hoist_invariants.h"

#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/value/loop_info.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

struct State {
  const Kernel &kernel;

  static bool usesOnlyOutside(const Op &op, const Block &body) {
    for (const Value *value : op.operands())
      if (value && !definedOutside(value, body)) return false;
    bool isFree = true;
    for (auto &region : op.regions)
      walk(*region, [&](Op *inner) {
        for (const Value *value : inner->operands())
          isFree &= !value || definedOutside(value, body) || !definedOutside(value, *region);
      });
    return isFree;
  }

  // Whether it is harmless to compute `op` although the program might not have. A function of
  // elements may loop until its argument has a property that no other value has, and an index may
  // lie outside of its tile.
  static bool isSpeculatable(const Op &op) {
    bool isHarmless = op.kind != OpKind::While && op.kind != OpKind::DeviceCall &&
                      op.kind != OpKind::Extract && op.kind != OpKind::Gather &&
                      op.kind != OpKind::Scatter;
    for (auto &region : op.regions)
      walk(*region, [&](const Op *inner) { isHarmless &= isSpeculatable(*inner); });
    if (!isHarmless || !dividesIntegers(op)) return isHarmless;
    auto divisor = constantOf(op.operand(1));
    return divisor && divisor->integer != 0 && divisor->integer != -1;
  }

  bool isMovableOnce(const Op &op) const {
    if (op.is(Pure)) return true;
    return op.kind == OpKind::Load && op.get(Attr::cache) != CacheOp::Cv && isReadOnly(kernel, &op);
  }

  static bool mayLeave(const Op &op) {
    bool leaves = false;
    for (auto &region : op.regions) walk(*region, [&](Op *inner) { leaves |= inner->is(Exit); });
    return leaves;
  }

  void hoistFrom(Block &body, Op *loop, bool isExecuted) {
    for (Op *op = body.front(); op;) {
      Op *next = op->next();
      isExecuted &= !mayLeave(*op);
      bool isFree = op->is(Pure) && isSpeculatable(*op);
      if ((isFree || (isExecuted && isMovableOnce(*op))) && op->numResults() > 0 &&
          usesOnlyOutside(*op, body))
        op->moveBefore(loop);
      op = next;
    }
  }

  void loops(Block &block) {
    for (auto &op : block.ops) {
      for (auto &region : op->regions) loops(*region);
      if (op->kind == OpKind::For) hoistFrom(*op->region(), op.get(), runsAtLeastOnce(op.get()));
      if (op->kind != OpKind::While) continue;
      hoistFrom(*op->region(0), op.get(), true);
      hoistFrom(*op->region(1), op.get(), false);
    }
  }
};

}  // namespace

llvm::LogicalResult hoist_invariants(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) State{kernel}.loops(kernel.body);
  return llvm::success();
}

}  // namespace tile2cu::passes
