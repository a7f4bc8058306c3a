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

static OpKind comparisonOf(const Op *loop) {
  const std::string compare = loop->has("compare") ? loop->getString("compare") : "lt";
  return compare == "le"   ? OpKind::Le
         : compare == "gt" ? OpKind::Gt
         : compare == "ge" ? OpKind::Ge
         : compare == "ne" ? OpKind::Ne
                           : OpKind::Lt;
}

std::optional<int64_t> tripCount(const Op *loop) {
  auto lower = constantOf(loop->operand(0)), upper = constantOf(loop->operand(1)),
       step = constantOf(loop->operand(2));
  if (!lower || !upper) return std::nullopt;
  const OpKind kind = comparisonOf(loop);
  if (foldInteger(kind, lower->type, lower->integer, upper->integer) == 0) return 0;
  // 64-bit unsigned numbers beyond the signed ones are left alone.
  const bool isLarge = lower->type == Scalar::U64 && (lower->integer < 0 || upper->integer < 0);
  if (isLarge || !step || step->integer == 0) return std::nullopt;
  using Wide = __int128;
  const bool isUnsigned = !isSigned(lower->type);
  const Wide all = Wide{1} << bitWidth(lower->type);
  Wide by = step->integer, distance = static_cast<Wide>(upper->integer) - lower->integer;
  // Of an unsigned type, the step of a loop that falls is 2^bits less.
  if (isUnsigned && by < 0) by += all;
  const bool isUp =
      kind == OpKind::Lt || kind == OpKind::Le || (kind == OpKind::Ne && distance > 0);
  if (isUnsigned && !isUp) by -= all;
  if ((isUp ? by : -by) < 0) return std::nullopt;  // away from its bound
  if (kind == OpKind::Ne && distance % by != 0) return std::nullopt;
  if (kind == OpKind::Le) ++distance;
  if (kind == OpKind::Ge) --distance;
  const Wide count = isUp ? (distance + by - 1) / by : (-distance - by - 1) / -by;
  // A signed number that leaves its type is undefined; others wrap around, and the loop goes on.
  const Wide last = lower->integer + count * by;
  const bool wrapsAround =
      isUnsigned ? last < 0 || last >= all : last < -all / 2 || last >= all / 2;
  if (wrapsAround && !loop->getBool("stops") && (isUnsigned || bitWidth(lower->type) < 32))
    return std::nullopt;
  return static_cast<int64_t>(count);
}

bool countsUp(const Op *loop) {
  const std::string compare = loop->has("compare") ? loop->getString("compare") : "lt";
  const auto step = constantOf(loop->operand(2));
  return (compare == "lt" || compare == "le") && !(step && step->integer <= 0);
}

bool runsAtLeastOnce(const Op *loop) {
  if (loop->kind == OpKind::While) return true;
  const auto lower = constantOf(loop->operand(0)), upper = constantOf(loop->operand(1));
  return lower && upper &&
         foldInteger(comparisonOf(loop), lower->type, lower->integer, upper->integer) == 1;
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
