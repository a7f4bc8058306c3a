#include "passes/analysis/value/loop_info.h"

#include "passes/analysis/integer/constant_fold.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

void collectExits(Block &block, bool breaks, bool continues, llvm::SmallVector<Op *, 2> &exits) {
  for (auto &op : block.ops) {
    if ((breaks && op->kind == OpKind::Break) || (continues && op->kind == OpKind::Continue))
      exits.push_back(op.get());
    if (op->kind == OpKind::If)
      for (auto &region : op->regions) collectExits(*region, breaks, continues, exits);
  }
}

}  // namespace

std::optional<int64_t> tripCount(const Op *loop) {
  auto lower = constantOf(ForOp(loop).lower()), upper = constantOf(ForOp(loop).upper()),
       step = constantOf(ForOp(loop).step());
  if (!lower || !upper) return std::nullopt;
  const Compare compare = ForOp(loop).compare();
  if (!holds(compare, lower->type, lower->integer, upper->integer)) return 0;
  // Unsigned 64-bit numbers outside the signed range are not handled.
  const bool isLarge = lower->type == Scalar::U64 && (lower->integer < 0 || upper->integer < 0);
  if (isLarge || !step || step->integer == 0) return std::nullopt;
  using Wide = __int128;
  const bool isUnsigned = !isSigned(lower->type);
  const Wide all = Wide{1} << bitWidth(lower->type);
  Wide by = step->integer, distance = static_cast<Wide>(upper->integer) - lower->integer;
  // For an unsigned type, the step of a loop that counts down is that step minus 2^bits.
  if (isUnsigned && by < 0) by += all;
  const bool isUp = isLess(compare) || (compare == Compare::Ne && distance > 0);
  if (isUnsigned && !isUp) by -= all;
  if ((isUp ? by : -by) < 0) return std::nullopt;  // away from its bound
  if (compare == Compare::Ne && distance % by != 0) return std::nullopt;
  if (compare == Compare::Le) ++distance;
  if (compare == Compare::Ge) --distance;
  const Wide count = isUp ? (distance + by - 1) / by : (-distance - by - 1) / -by;
  // Signed overflow is undefined; unsigned numbers wrap around, and the loop continues.
  const Wide last = lower->integer + count * by;
  const bool wrapsAround =
      isUnsigned ? last < 0 || last >= all : last < -all / 2 || last >= all / 2;
  if (wrapsAround && !loop->getBool(Attr::stops) && (isUnsigned || bitWidth(lower->type) < 32))
    return std::nullopt;
  return static_cast<int64_t>(count);
}

bool countsUp(const Op *loop) {
  const auto step = constantOf(ForOp(loop).step());
  return isLess(ForOp(loop).compare()) && !(step && step->integer <= 0);
}

bool countsDown(const Op *loop) {
  const auto step = constantOf(ForOp(loop).step());
  return isGreater(ForOp(loop).compare()) && step && step->integer < 0;
}

bool runsAtLeastOnce(const Op *loop) {
  if (loop->kind == OpKind::While) return true;
  const auto lower = constantOf(ForOp(loop).lower()), upper = constantOf(ForOp(loop).upper());
  return lower && upper &&
         holds(ForOp(loop).compare(), lower->type, lower->integer, upper->integer);
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
  return loop->has(Attr::num_stages) ? loop->getInt(Attr::num_stages) : kernel.options.numStages;
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

}  // namespace tile2cu::passes
