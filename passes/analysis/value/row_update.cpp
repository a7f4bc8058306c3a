#include "passes/analysis/value/row_update.h"

#include <set>

#include "llvm/ADT/SmallVector.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Whether `select` returns `value` if its condition holds, and something other than a uniform value
// if not.
bool updatesWith(const Op *select, const Value *value) {
  if (select->kind != OpKind::Select) return false;
  const Value *old = select->operand(SelectOp::on_falseIndex);
  return value == select->operand(SelectOp::on_trueIndex) && value != old &&
         value != select->operand(SelectOp::conditionIndex) && !isOneNumber(old);
}

}  // namespace

bool isView(const Op *op) { return op->is(View) || op->kind == OpKind::Convert; }

bool isOneNumber(const Value *value) {
  return value->definition && value->definition->kind == OpKind::Splat;
}

Value *rootOf(Value *condition) {
  for (Op *op = condition->definition; op && isView(op) && !op->has(Attr::exchange);
       op = condition->definition)
    condition = op->operand(0);
  return condition;
}

bool decidesRows(const Op *select) {
  const Value *root = rootOf(select->operand(SelectOp::conditionIndex));
  return root->type.isTile() && root->type.numElements() < select->result()->type.numElements();
}

bool isForRowUpdates(const Op *op) {
  // There is at least one row update. Intermediate values, such as a row maximum, may update
  // per-row values.
  bool rows = false;
  llvm::SmallVector<const Op *, 8> open = {op};
  std::set<const Op *> seen;
  while (!open.empty()) {
    const Op *made = open.pop_back_val();
    if (!seen.insert(made).second) continue;
    for (const auto &result : made->results) {
      if (result->unused()) return false;
      for (const Op *user : result->users) {
        if (updatesWith(user, result.get())) {
          rows |= decidesRows(user);
        } else if (user->is(Elementwise) || isView(user) || user->kind == OpKind::ReduceThread ||
                   user->kind == OpKind::ReduceAcross) {
          open.push_back(user);
        } else {
          return false;
        }
      }
    }
  }
  return rows;
}

}  // namespace tile2cu::passes
