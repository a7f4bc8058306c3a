#include "passes/analysis/value/rematerializable.h"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/ir/builder.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;

bool isRematerializable(const Op *op) {
  if (op->numResults() != 1 || !op->result()->type.isTile() || op->getBool(Attr::materialized))
    return false;
  const Type &type = op->result()->type;
  bool isIndex = type.isPointer() || !isFloat(type.scalar());
  switch (op->kind) {
    case OpKind::Arange:
    case OpKind::Splat:
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Hint:
    case OpKind::AddPtr:
      return true;
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::Minimum:
    case OpKind::Maximum:
    case OpKind::Not:
    case OpKind::Neg:
    case OpKind::Clamp:
    case OpKind::Select:
      return isIndex;
    case OpKind::Div:
    case OpKind::Rem:
      return isIndex && constantInt(op->operand(1));
    case OpKind::Cast: {
      const Type &source = op->operand(0)->type;
      return isIndex && !isFloat(source.scalar());
    }
    default: {
      const Type *source = op->is(Comparison) ? &op->operand(0)->type : nullptr;
      return source && (source->isPointer() || !isFloat(source->scalar()));
    }
  }
}

static bool renames(const Op *op) {
  return op->kind == OpKind::Permute || op->kind == OpKind::Reshape || op->kind == OpKind::Convert;
}

// The operations that read a value, also through aliases of it.
static void addReaders(const Value *value, llvm::SmallVectorImpl<const Op *> &readers) {
  for (const Op *user : value->users) {
    if (renames(user))
      addReaders(user->result(), readers);
    else
      readers.push_back(user);
  }
}

// Whether the operation needs its whole operand in registers or memory.
static bool needsWhole(const Op *op) {
  return op->is(Moves) || op->kind == OpKind::Scan || op->kind == OpKind::Sort;
}

// Whether an expression of so many operations is too long to be recomputed for each reader. A
// reader that needs the whole tile in registers materializes it anyway.
static bool isWorthKeeping(const Value *value, int64_t operations) {
  const int64_t most = tunables().rematerialized_operations;
  const int64_t mostIfMoved = tunables().rematerialized_operations_moved;
  if (value->type.isPointer() || operations <= mostIfMoved) return false;
  llvm::SmallVector<const Op *, 8> readers;
  addReaders(value, readers);
  if (readers.size() < 2) return false;
  return operations > (llvm::any_of(readers, needsWhole) ? mostIfMoved : most);
}

void keepLongTrees(Block &block) {
  struct Tree {
    int64_t operations = 0;      // as often as they would be emitted
    bool dependsOnData = false;  // depends on more than coordinates and scalars
  };
  llvm::DenseMap<const Value *, Tree> trees;  // of values that are inlined at their use
  walk(block, [&](Op *op) {
    if (!isRematerializable(op) && !renames(op)) return;
    Tree tree;
    for (const Value *operand : op->operands()) {
      if (!operand || !operand->type.isTile()) continue;
      const auto known = trees.find(operand);
      tree.operations += known == trees.end() ? 0 : known->second.operations;
      tree.dependsOnData |= known == trees.end() || known->second.dependsOnData;
    }
    constexpr int64_t kEndless = 1 << 20;  // a tree that doubles in each of many operations
    tree.operations = std::min(tree.operations + op->is(Elementwise), kEndless);
    const Value *result = op->result();
    if (tree.dependsOnData && op->is(Elementwise) && isWorthKeeping(result, tree.operations))
      op->setBool(Attr::materialized, true);
    else
      trees[result] = tree;
  });
}

bool isInlinedAtUse(const Op *op) {
  return (renames(op) && !op->has(Attr::exchange)) || isRematerializable(op);
}

}  // namespace tile2cu::passes
