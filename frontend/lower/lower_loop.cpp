#include "clang/AST/StmtCXX.h"
#include "fmt/format.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/lower_stmt.h"

namespace tile2cu::frontend {

using ir::OpKind;

// Lowers the body of a loop and, if its end can be reached, the jump to the next iteration.
static void lowerBody(Lowering &l, Loop &loop, const clang::Stmt *body) {
  ir::Location loc = l.builder.loc;
  Flow flow = lowerLoopBody(l, body);
  l.builder.loc = loc;
  if (flow == Flow::Ended && l.builder.block().terminator()) return;
  if (loop.beforeContinue) loop.beforeContinue();
  leaveRegion(l, loop, OpKind::Yield);
}

// Whether the places have a part in common.
static bool overlap(const Place &a, const Place &b) {
  return a.slot == b.slot && llvm::all_of(llvm::zip(a.path, b.path), [](const auto &fields) {
           return std::get<0>(fields) == std::get<1>(fields);
         });
}

static Flow lowerCounted(Lowering &l, const clang::ForStmt *loop, const CountedLoop &shape,
                         const Counting &counting) {
  ir::Type type = lowerType(shape.variable->getType()).value();
  auto bound = [&](const clang::Expr *e) {
    return convertElement(l, lowerIr(l, e), counting.type);
  };
  ir::Value *lower = bound(shape.lower);
  std::vector<Place> head, *outer = l.env.reads;
  l.env.reads = &head;
  ir::Value *upper = bound(shape.upper);
  ir::Value *step = shape.step ? bound(shape.step) : l.builder.constant(counting.type, 1);
  l.env.reads = outer;
  const size_t before = l.env.writes().size();
  const int scope = int(l.env.size());
  llvm::erase_if(head, [&](const Place &read) { return read.slot >= scope; });
  if (shape.isFalling) step = arithmetic(l, OpKind::Neg, step);

  carryLoop(l, OpKind::For, {lower, upper, step}, 1, [&](Loop &state) {
    state.op->set(ir::Attr::compare, shape.compare);
    ir::Value *index =
        state.op->region()->addArgument(counting.type, shape.variable->getNameAsString());
    enterRegion(l, state, 0);
    ir::Value *number = convertElement(l, index, type.scalar());
    if (ir::Op *cast = number->definition;
        counting.neverOverflows && cast && cast->kind == OpKind::Cast)
      cast->setBool(ir::Attr::lossless, true);
    Val variable = number;
    l.giveName(variable, shape.variable->getName());
    head.push_back(l.env.declare(shape.variable->getName(), variable, true));
    l.env.bind(shape.variable, head.back());
    lowerBody(l, state, loop->getBody());
  });
  // countedLoop has seen that the body changes nothing of the head.
  for (const Place &write : l.env.writes().drop_front(before))
    T2C_ASSERT(llvm::none_of(head, [&](const Place &read) { return overlap(read, write); }));
  return Flow::Falls;
}

// Any other loop: `condition` in the first region, body and increment in the second.
static Flow lowerGeneral(Lowering &l, llvm::function_ref<ir::Value *()> condition,
                         const clang::Stmt *body, llvm::function_ref<void()> increment) {
  carryLoop(l, OpKind::While, {}, 2, [&](Loop &loop) {
    enterRegion(l, loop, 0);
    ir::Value *goesOn = condition();
    leaveRegion(l, loop, OpKind::Condition, {goesOn});
    enterRegion(l, loop, 1);
    loop.beforeContinue = increment;
    lowerBody(l, loop, body);
  });
  return Flow::Falls;
}

static void rejectVariable(Lowering &l, const clang::VarDecl *inCondition) {
  if (inCondition)
    l.reject(inCondition->getLocation(), "a variable in a loop's condition",
             "declare it before the loop");
}

Flow lowerFor(Lowering &l, const clang::ForStmt *loop) {
  std::string why;
  if (auto shape = countedLoop(loop, why)) {
    if (auto counting = countingOf(l, *shape)) return lowerCounted(l, loop, *shape, *counting);
    why = fmt::format(
        "C++ converts '{}' to compare it or to add the step, and a conversion may change it; give "
        "variable, bound and step one type of 32 or 64 bits",
        shape->variable->getNameAsString());
  }
  // A loop without a condition or an increment is not meant to be a counted loop.
  if (loop->getCond() && loop->getInc())
    l.diagnostics.decided(ir::DiagId::ForAsWhile, l.kernel, l.locate(loop->getForLoc()), {why});
  if (loop->getInit()) lowerStmt(l, loop->getInit());
  rejectVariable(l, loop->getConditionVariable());
  auto condition = [&]() -> ir::Value * {
    return loop->getCond() ? lowerCondition(l, loop->getCond())
                           : l.builder.constant(ir::Scalar::Bool, 1);
  };
  auto increment = [&] {
    if (loop->getInc()) lowerDiscarded(l, loop->getInc());
  };
  return lowerGeneral(l, condition, loop->getBody(), increment);
}

Flow lowerWhile(Lowering &l, const clang::WhileStmt *loop) {
  rejectVariable(l, loop->getConditionVariable());
  return lowerGeneral(
      l, [&] { return lowerCondition(l, loop->getCond()); }, loop->getBody(), nullptr);
}

// do body while (c): a `while` over a flag that is first true and then c after each iteration.
Flow lowerDo(Lowering &l, const clang::DoStmt *loop) {
  Place again = l.env.declare("again", l.builder.constant(ir::Scalar::Bool, 1));
  auto test = [&] { l.env.write(again, lowerCondition(l, loop->getCond())); };
  return lowerGeneral(l, [&] { return l.env.read(again).value; }, loop->getBody(), test);
}

// break and continue end the region of an `if`. Directly in the body of a loop, continue ends the
// body, and break gets an `if` of its own.
static Flow leaveLoop(Lowering &l, OpKind kind) {
  Loop &loop = *l.loop;
  ir::Block &here = l.builder.block();
  bool direct = here.parent == loop.op;
  if (kind == OpKind::Continue && loop.beforeContinue) loop.beforeContinue();
  if (direct && kind == OpKind::Break) {
    ir::Op *always = l.builder.create(OpKind::If, {l.builder.constant(ir::Scalar::Bool, 1)}, {});
    ir::Block *region = always->addRegion();
    always->addRegion();
    l.builder.setInsertionPoint(*region);
  }
  leaveRegion(l, loop, direct && kind == OpKind::Continue ? OpKind::Yield : kind);
  if (direct) l.builder.setInsertionPoint(here);
  return Flow::Ended;
}

Flow breakLoop(Lowering &l) { return leaveLoop(l, OpKind::Break); }

Flow lowerBreak(Lowering &l, clang::SourceLocation loc) {
  if (l.loop && !l.loop->inSwitch) return leaveLoop(l, OpKind::Break);
  if (l.loop || l.inSwitch)
    l.error(ir::DiagId::CannotLeave, loc,
            {"break", "a switch", "end the case with its only break"});
  else
    l.error(ir::DiagId::CannotLeave, loc,
            {"break", "an unrolled loop", "use range(...), or guard the rest with if"});
  return Flow::Falls;
}

Flow lowerContinue(Lowering &l, clang::SourceLocation loc) {
  if (l.loop) return leaveLoop(l, OpKind::Continue);
  l.error(ir::DiagId::CannotLeave, loc,
          {"continue", "an unrolled loop", "use range(...), or guard the rest with if"});
  return Flow::Falls;
}

}  // namespace tile2cu::frontend
