#include "passes/pipeline/issue_loads_early.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/alias.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

class Step {
 public:
  Step(const Kernel &kernel, Block &body) : kernel_(kernel), body_(body) {}

  void run() {
    Op *point = body_.front();
    bool isAfterCopy = false;
    std::vector<Op *> loads;
    for (const auto &op : body_.ops) {
      if (mayLeave(*op)) break;
      isAfterCopy |= op->kind == OpKind::TensorLoad;
      if (isAfterCopy && isMovable(op.get())) loads.push_back(op.get());
    }
    for (Op *load : loads) {
      needed_.clear();
      if (!collect(load)) continue;
      // In program order.
      std::vector<Op *> order;
      for (const auto &op : body_.ops)
        if (needed_.count(op.get())) order.push_back(op.get());
      for (Op *op : order) {
        if (!moved_.insert(op).second) continue;
        if (op == point)
          point = point->next();
        else
          op->moveBefore(point);
      }
    }
  }

 private:
  static bool endsStep(const Op &op) { return op.is(Exit) || op.kind == OpKind::While; }
  static bool mayLeave(const Op &op) {
    bool leaves = endsStep(op);
    for (const auto &region : op.regions)
      walk(*region, [&](const Op *inner) { leaves |= endsStep(*inner); });
    return leaves;
  }

  bool isMovable(const Op *op) const {
    if (op->kind != OpKind::Load || op->has(Attr::cache) || !isReadOnly(kernel_, op)) return false;
    const Type &type = op->result()->type;
    return !type.isTile() ||
           type.numElements() <= tunables().early_load_elements * 32 * kernel_.options.numWarps;
  }

  // Collects the operations that have to move with `op`; false if one of them must not move.
  bool collect(Op *op) {
    if (op->parent != &body_ || !needed_.insert(op).second) return true;
    if (!op->regions.empty() || !(op->is(Pure) || (needed_.size() == 1))) return false;
    return llvm::all_of(op->operands(), [&](const Value *operand) {
      return !operand || !operand->definition || collect(operand->definition);
    });
  }

  const Kernel &kernel_;
  Block &body_;
  std::set<const Op *> needed_, moved_;
};

}  // namespace

llvm::LogicalResult issue_loads_early(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::For) Step(kernel, *op->region()).run();
    });
  return llvm::success();
}

}  // namespace tile2cu::passes
