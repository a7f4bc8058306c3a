#include "passes/analysis/value/local_functions.h"

#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/value/tile_storage.h"
#include "passes/ir/walk.h"

namespace tile2cu::passes {
using namespace ir;

const Value *stageOf(const Op *op, unsigned which) {
  const DotSharedOp dot(op);
  return which && dot.b_stage_opt() ? dot.b_stage_opt() : dot.stage_opt();
}

llvm::SmallVector<const Value *, 2> stagesOf(const Kernel &kernel, const Op *dot) {
  llvm::SmallVector<const Value *, 2> values;
  for (unsigned which : {0u, 1u}) {
    const Value *value = stageOf(dot, which);
    if (value && kernel.shared[dot->getInts(Attr::buffers)[which]].stages > 1 &&
        !llvm::is_contained(values, value))
      values.push_back(value);
  }
  return values;
}

bool fenceNamesAccumulator(const TileStorage &storage, const Op *dot) {
  const Value *acc = dot->operand(0);
  if (!acc) return false;
  if (acc->definition) return acc->definition->kind != OpKind::DotShared;
  if (storage.sharedWith(dot->result()) != acc) return true;
  const Op *loop = acc->owner->parent;
  if (!loop || loop->kind != OpKind::For || loop->getInt(Attr::unroll, -1) != 1) return true;
  const Value *first = ForOp(loop).init(acc->index - 1);
  while (first->definition && first->definition->kind == OpKind::Nest)
    first = first->definition->region()->terminator()->operand(first->index);
  const bool isDot = first->definition && first->definition->kind == OpKind::DotShared;
  return !isDot && !constantOf(first);
}

bool isInLocalFunction(const Op *op) {
  while (op && op->kind != OpKind::LocalFunction) op = op->parentOp();
  return op;
}

namespace {

// A wgmma that reads both operands from shared memory: its instructions depend on nothing else but
// their stages.
bool isGroupDot(const Op *op) {
  return op->kind == OpKind::DotShared && op->has(Attr::group_columns) && !DotSharedOp(op).a_opt();
}

// Which of the stages each operand stands in; -1: it has one stage.
llvm::SmallVector<int, 2> stageIndices(const Kernel &kernel, const Op *dot) {
  const auto stages = stagesOf(kernel, dot);
  llvm::SmallVector<int, 2> indices;
  for (unsigned which : {0u, 1u}) {
    const auto *at = llvm::find(stages, stageOf(dot, which));
    indices.push_back(at == stages.end() ? -1 : int(at - stages.begin()));
  }
  return indices;
}

// Whether two dots are the same instructions, but for the stages of their operands.
bool areEqual(const Kernel &kernel, const TileStorage &storage, const Op *a, const Op *b) {
  const auto isSame = [&](auto key) { return a->get(key) == b->get(key); };
  return isSame(Attr::buffers) && isSame(Attr::a_strides) && isSame(Attr::b_strides) &&
         isSame(Attr::k) && isSame(Attr::mma) && isSame(Attr::instruction_k) &&
         isSame(Attr::group_columns) && a->result()->type == b->result()->type &&
         !a->operand(0) == !b->operand(0) &&
         storage.variableOf(a->result()) == storage.variableOf(b->result()) &&
         fenceNamesAccumulator(storage, a) == fenceNamesAccumulator(storage, b) &&
         stageIndices(kernel, a) == stageIndices(kernel, b);
}

}  // namespace

LocalFunctions::LocalFunctions(const Kernel &kernel, const TileStorage &storage) {
  std::map<int64_t, const Op *> functions, loads;
  std::vector<const Op *> dots;  // in order
  walk(kernel.body, [&](const Op *op) {
    if (op->kind == OpKind::LocalFunction) functions[op->getInt(Attr::id)] = op;
    if (op->kind == OpKind::LoadFragments) loads[op->getInt(Attr::fragments)] = op;
    if (isGroupDot(op)) dots.push_back(op);
  });
  walk(kernel.body, [&](const Op *op) {
    if (op->kind == OpKind::Call) addCaller(functions.at(op->getInt(Attr::id)), op);
    if (op->kind == OpKind::DotShared && op->has(Attr::fragments))
      addCaller(loads.at(op->getInt(Attr::fragments)), op);
  });
  for (size_t i = 0; i < dots.size(); ++i) {
    if (calledBy(dots[i])) continue;
    for (const Op *later : llvm::ArrayRef(dots).drop_front(i + 1)) {
      if (calledBy(later) || !isInside(later->parent, *dots[i]->parent) ||
          !areEqual(kernel, storage, dots[i], later))
        continue;
      if (!calledBy(dots[i])) addCaller(dots[i], dots[i]);
      addCaller(dots[i], later);
    }
  }
}

void LocalFunctions::addCaller(const Op *function, const Op *caller) {
  called_[caller] = function;
  callers_[function].push_back(caller);
}

const Op *LocalFunctions::calledBy(const Op *op) const {
  const auto known = called_.find(op);
  return known == called_.end() ? nullptr : known->second;
}

llvm::ArrayRef<const Op *> LocalFunctions::callersOf(const Op *function) const {
  const auto known = callers_.find(function);
  if (known == callers_.end()) return {};
  return known->second;
}

}  // namespace tile2cu::passes
