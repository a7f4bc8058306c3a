#include "passes/loops.h"

#include "passes/fold.h"
#include "passes/ir/diagnostics.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

template <class List>
void eraseIndexed(List &list, unsigned i) {
  T2C_ASSERT(list[i]->unused());
  list.erase(list.begin() + i);
  for (unsigned k = i; k < list.size(); ++k) list[k]->index = k;
}

void collectExits(Block &block, bool breaks, bool continues, llvm::SmallVector<Op *, 2> &exits) {
  for (auto &op : block.ops) {
    if ((breaks && op->kind == OpKind::Break) || (continues && op->kind == OpKind::Continue))
      exits.push_back(op.get());
    if (op->kind == OpKind::If)
      for (auto &region : op->regions) collectExits(*region, breaks, continues, exits);
  }
}

void eraseHandedOn(Block &region, OpKind kind, unsigned i) {
  if (region.back() && region.back()->kind == kind) region.back()->eraseOperand(i);
}

}  // namespace

std::optional<int64_t> tripCount(const Op *loop) {
  auto lower = constantOf(loop->operand(0)), upper = constantOf(loop->operand(1)),
       step = constantOf(loop->operand(2));
  if (!lower || !upper || !step) return std::nullopt;
  std::string compare = loop->has("compare") ? loop->getString("compare") : "lt";
  OpKind kind = compare == "le"   ? OpKind::Le
                : compare == "gt" ? OpKind::Gt
                : compare == "ge" ? OpKind::Ge
                : compare == "ne" ? OpKind::Ne
                                  : OpKind::Lt;
  if (foldInteger(kind, lower->type, lower->integer, upper->integer) == 0) return 0;
  // 64-bit unsigned numbers beyond the signed ones are left alone.
  bool isLarge = lower->type == Scalar::U64 && (lower->integer < 0 || upper->integer < 0);
  if (isLarge || step->integer == 0) return std::nullopt;
  __int128 by = step->integer, distance = static_cast<__int128>(upper->integer) - lower->integer;
  if (kind == OpKind::Ne && distance % by != 0) return std::nullopt;
  if ((distance < 0) != (by < 0) && distance != 0) return std::nullopt;  // away from its bound
  if (by < 0) {
    by = -by;
    distance = -distance;
  }
  if (kind == OpKind::Le || kind == OpKind::Ge) ++distance;
  return static_cast<int64_t>((distance + by - 1) / by);
}

bool countsUp(const Op *loop) {
  const std::string compare = loop->has("compare") ? loop->getString("compare") : "lt";
  const auto step = constantOf(loop->operand(2));
  return (compare == "lt" || compare == "le") && !(step && step->integer <= 0);
}

bool runsAtLeastOnce(const Op *loop) {
  if (loop->kind == OpKind::While) return true;
  auto count = tripCount(loop);
  return count && *count > 0;
}

std::vector<Op *> forLoopsIn(Block &block) {
  std::vector<Op *> loops;
  walk(block, [&](Op *op) {
    if (op->kind == OpKind::For) loops.push_back(op);
  });
  return loops;
}

Op *loopAround(const Block *block) {
  Op *op = block->parent;
  while (op && op->kind != OpKind::For && op->kind != OpKind::While) op = op->parentOp();
  return op;
}

int stagesOf(const Op *loop, const Kernel &kernel) {
  return loop->has("num_stages") ? loop->getInt("num_stages") : kernel.options.numStages;
}

OneStepLater carryOneStep(Op *loop, Value *first, Value *value, const std::string &name) {
  Block &body = *loop->region();
  loop->addOperand(first);
  body.terminator()->addOperand(value);
  return {body.addArgument(value->type, name), loop->addResult(value->type, name)};
}

llvm::SmallVector<Op *, 2> exitsOf(Op *loop, bool breaks, bool continues) {
  llvm::SmallVector<Op *, 2> exits;
  for (auto &region : loop->regions) collectExits(*region, breaks, continues, exits);
  return exits;
}

bool isLeft(Op *loop) {
  bool leaves = !exitsOf(loop, true, true).empty();
  for (auto &region : loop->regions)
    walk(*region, [&](Op *op) { leaves |= op->kind == OpKind::Return; });
  return leaves;
}

void eraseCarried(Op *loop, unsigned i) {
  eraseHandedOn(*loop->region(), OpKind::Yield, i);
  for (Op *exit : exitsOf(loop, true, true)) exit->eraseOperand(i);
  loop->eraseOperand(3 + i);
  eraseIndexed(loop->region()->arguments, 1 + i);
  eraseIndexed(loop->results, i);
}

void eraseBranchResult(Op *branch, unsigned i) {
  for (auto &region : branch->regions) eraseHandedOn(*region, OpKind::Yield, i);
  eraseIndexed(branch->results, i);
}

void erasePassed(Op *loop, unsigned i) {
  eraseHandedOn(*loop->region(0), OpKind::Condition, 1 + i);
  for (Op *exit : exitsOf(loop, true, false)) exit->eraseOperand(i);
  eraseIndexed(loop->region(1)->arguments, i);
  eraseIndexed(loop->results, i);
}

void eraseHeadArgument(Op *loop, unsigned i) {
  eraseHandedOn(*loop->region(1), OpKind::Yield, i);
  for (Op *exit : exitsOf(loop, false, true)) exit->eraseOperand(i);
  loop->eraseOperand(i);
  eraseIndexed(loop->region(0)->arguments, i);
}

llvm::SmallVector<Value *, 4> inlineRegion(Block &region, Op *place,
                                           llvm::ArrayRef<Value *> arguments) {
  for (unsigned i = 0; i < arguments.size(); ++i)
    region.argument(i)->replaceAllUsesWith(arguments[i]);
  llvm::SmallVector<Value *, 4> handed;
  if (region.back() && region.back()->kind == OpKind::Yield) {
    handed.assign(region.back()->operands().begin(), region.back()->operands().end());
    region.back()->erase();
  }
  while (Op *op = region.front()) op->moveBefore(place);
  return handed;
}

}  // namespace tile2cu::passes
