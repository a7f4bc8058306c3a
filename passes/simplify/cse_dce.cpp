#include "passes/simplify/cse_dce.h"

#include <bit>

#include "llvm/ADT/Hashing.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/value/equality.h"
#include "passes/rewrite/dead_code.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Equal operations hash alike; the order of operands is left out because some commute.
size_t hashOf(const Op &op) {
  size_t hash = llvm::hash_combine(op.kind, op.numResults(), op.attributes.size());
  for (const Value *operand : op.operands()) {
    auto constant = constantOf(operand);
    hash += constant ? llvm::hash_combine(constant->type, constant->integer,
                                          std::bit_cast<uint64_t>(constant->real))
                     : llvm::hash_value(operand);
  }
  for (auto &[id, value] : op.attributes) {
    if (auto *number = std::get_if<int64_t>(&value)) hash += llvm::hash_combine(id, *number);
    if (auto *real = std::get_if<double>(&value))
      hash += llvm::hash_combine(id, std::bit_cast<uint64_t>(*real));
  }
  // Constants with different names are not merged: see mayShare.
  if (op.numResults() == 1 && constantOf(op.result())) hash += llvm::hash_value(op.result()->name);
  return hash;
}

// Whether a user of a range adds it to something: then it holds the coordinates of a block.
bool isOffset(const Value *range) {
  return llvm::any_of(range->users, [](const Op *user) {
    if (user->kind == OpKind::ExpandDims || user->kind == OpKind::Broadcast ||
        user->kind == OpKind::Cast)
      return isOffset(user->result());
    return user->kind == OpKind::Add || user->kind == OpKind::AddPtr;
  });
}

// Whether a common name for two equal ranges would be wrong for one of them, as `rows` would be for
// columns. The indices of an argmax or argmin have no name that could conflict.
bool countDifferently(const Value *a, const Value *b) {
  if (a->name == b->name) return false;
  return (!a->name.empty() || isOffset(a)) && (!b->name.empty() || isOffset(b));
}

// Chooses the name of two values that are merged.
void forgetName(const Op &op, const Op &earlier) {
  Value *a = op.result(), *b = earlier.result();
  if (op.kind == OpKind::Arange && countDifferently(a, b)) a->name = b->name = "";
  // split_uniform_offsets' valid_rows and valid_columns
  const Op *source = op.kind == OpKind::Cast ? op.operand(0)->definition : nullptr;
  if (source && source->kind == OpKind::Clamp && a->name != b->name &&
      llvm::StringRef(a->name).starts_with("valid") &&
      llvm::StringRef(b->name).starts_with("valid"))
    b->name = "valid";
}

struct State {
  const Kernel &kernel;
  std::multimap<size_t, Op *> known = {};

  bool canMerge(const Op &op) const {
    if (op.numResults() == 0) return false;
    if (op.is(Pure)) return true;
    return op.kind == OpKind::Load && op.get(Attr::cache) != CacheOp::Cv && isReadOnly(kernel, &op);
  }

  // N is not BLOCK, although both are 64: another kernel of the template has other numbers.
  static bool haveSameFormulas(const Op &op, const Op &earlier) {
    auto areSameConstants = [](const Value *a, const Value *b) {
      const auto x = constantDim(a), y = constantDim(b);
      return !x || !y || x->hasFormulaOf(*y);
    };
    return llvm::equal(op.operands(), earlier.operands(), areSameConstants) &&
           llvm::equal(op.results, earlier.results,
                       [](const auto &a, const auto &b) { return a->type.hasFormulasOf(b->type); });
  }
  // A constant costs nothing, and its name matters.
  static bool mayShare(const Op &op, const Op &earlier) {
    return !constantOf(op.result()) || op.result()->name == earlier.result()->name;
  }
  Op *findEqual(const Op &op, size_t hash) {
    for (auto [it, end] = known.equal_range(hash); it != end; ++it)
      if (mayShare(op, *it->second) && Equality().op(op, *it->second) &&
          haveSameFormulas(op, *it->second))
        return it->second;
    return nullptr;
  }

  void block(Block &block) {
    std::vector<std::multimap<size_t, Op *>::iterator> added;
    for (Op *op = block.front(); op;) {
      Op *next = op->next();
      for (auto &region : op->regions) {
        if (op->is(Control) && op->kind != OpKind::Nest)
          this->block(*region);
        else
          State{kernel}.block(*region);
      }
      if (canMerge(*op)) {
        size_t hash = hashOf(*op);
        if (Op *earlier = findEqual(*op, hash)) {
          if (op->numResults() == 1) forgetName(*op, *earlier);
          for (unsigned i = 0; i < op->numResults(); ++i)
            op->result(i)->replaceAllUsesWith(earlier->result(i));
          op->erase();
        } else {
          added.push_back(known.emplace(hash, op));
        }
      }
      op = next;
    }
    for (auto it : added) known.erase(it);
  }
};

}  // namespace

llvm::LogicalResult cse_dce(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    State{kernel}.block(kernel.body);
    removeDeadCode(kernel.body);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
