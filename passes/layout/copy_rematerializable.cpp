#include "passes/layout/copy_rematerializable.h"

#include <map>
#include <string>

#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

class RematerializedTrees {
 public:
  // Whether that changed anything.
  bool run(Block &block) {
    bool copied = false;
    walk(block, [&](Op *op) {
      if (isRematerializable(op)) return;
      copies_.clear();
      user_ = op;
      for (unsigned i = 0; i < op->numOperands(); ++i) {
        Value *operand = op->operand(i);
        if (operand && operand->type.isTile() && isRematerializable(operand))
          op->setOperand(i, copy(operand, ""));
      }
      copied |= !copies_.empty();
    });
    bool changed = true;
    while (changed) {
      changed = false;
      walkPostOrder(block, [&](Op *op) {
        if (!isRematerializable(op) || !op->result()->unused()) return;
        op->erase();
        changed = copied = true;
      });
    }
    return copied;
  }

 private:
  // `path` distinguishes uses through different views: offs[all, none] and offs[none, all] are two
  // expressions.
  Value *copy(Value *value, const std::string &path) {
    Op *op = value->definition;
    Value *&known = copies_[{value, path}];
    if (known) return known;
    std::string inner = path;
    if (op->kind == OpKind::ExpandDims || op->kind == OpKind::Broadcast)
      inner += "." + std::to_string(op->getInt(Attr::axis, -1)) + value->type.str();
    llvm::SmallVector<Value *, 4> operands;
    for (Value *operand : op->operands())
      operands.push_back(operand && operand->type.isTile() && isRematerializable(operand)
                             ? copy(operand, inner)
                             : operand);
    Builder b = Builder::before(user_);
    b.loc = op->loc;
    Op *clone = b.create(op->kind, operands, {op->result()->type}, value->name);
    clone->attributes = op->attributes;
    return copies_[{value, path}] = clone->result();
  }

  Op *user_ = nullptr;
  std::map<std::pair<Value *, std::string>, Value *> copies_;
};

}  // namespace

bool copyRematerializable(Block &block) { return RematerializedTrees().run(block); }

}  // namespace tile2cu::passes
