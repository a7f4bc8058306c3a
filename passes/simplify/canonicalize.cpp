#include "passes/simplify/canonicalize.h"

#include "passes/rewrite/dead_code.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

constexpr int kMaxSweeps = 64;  // three are usual; a limit in case two rules undo each other

struct State {
  bool changed = false;

  static bool isDead(const Op &op) {
    return op.is(Pure) && std::all_of(op.results.begin(), op.results.end(),
                                      [](auto &result) { return result->unused(); });
  }

  // Whether `op` has been removed.
  bool visit(Op *op) {
    if (isDead(*op)) {
      op->erase();
      return true;
    }
    Value *better = simplifyArithmetic(*op);
    if (!better) better = simplifyShape(*op);
    if (!better) better = simplifyDots(*op);
    if (!better) better = simplifyViews(*op);
    if (better && better->type == op->result()->type) {  // another layout is another value
      op->result()->replaceAllUsesWith(better);
      op->erase();
      return changed = true;
    }
    Outcome outcome = simplifyMemory(*op);
    if (outcome == Outcome::Same) outcome = simplifySplit(*op);
    if (outcome == Outcome::Same) outcome = simplifySort(*op);
    if (outcome == Outcome::Same) outcome = simplifyStoredViews(*op);
    if (outcome == Outcome::Same) outcome = simplifyControl(*op);
    changed |= outcome != Outcome::Same;
    return outcome == Outcome::Erased;
  }

  void sweep(Block &block) {
    for (Op *op = block.front(); op;) {
      Op *previous = op->previous();
      if (visit(op)) {
        // The replacement is visited next.
        op = previous ? previous->next() : block.front();
        continue;
      }
      for (auto &region : op->regions) sweep(*region);
      op = op->next();
    }
  }
};

}  // namespace

llvm::LogicalResult canonicalize(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    State state;
    for (int i = 0; i < kMaxSweeps; ++i) {
      state.changed = false;
      state.sweep(kernel.body);
      if (!state.changed) break;
    }
    removeDeadCode(kernel.body);
  }
  return llvm::success();
}

Value *constantLike(Builder &builder, const Type &type, const Const &constant) {
  Value *scalar = makeConstant(builder, constant);
  return type.isTile() ? builder.splat(scalar, type.shape(), type.layout()) : scalar;
}

std::optional<bool> constantBool(const Value *value) {
  auto constant = constantOf(value);
  if (!constant || constant->type != Scalar::Bool) return std::nullopt;
  return constant->integer != 0;
}

}  // namespace tile2cu::passes
