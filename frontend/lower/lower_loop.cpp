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

// `condition` in the first region, body and increment in the second. `begin` is called where the
// second one begins.
static void carryGeneral(Lowering &l, llvm::function_ref<ir::Value *()> condition,
                         llvm::function_ref<void()> begin, const clang::Stmt *body,
                         llvm::function_ref<void()> increment, MakeLoop finish) {
  const auto make = [&](Loop &loop) {
    enterRegion(l, loop, 0);
    ir::Value *goesOn = condition();
    leaveRegion(l, loop, OpKind::Condition, {goesOn});
    if (!loop.setByCondition.empty()) return;
    enterRegion(l, loop, 1);
    if (begin) begin();
    loop.beforeContinue = increment;
    lowerBody(l, loop, body);
  };
  carryLoop(l, OpKind::While, {}, 2, make, finish);
}

static void rejectVariable(Lowering &l, const clang::VarDecl *inCondition) {
  if (inCondition)
    l.reject(inCondition->getLocation(), "a variable in a loop's condition",
             "declare it before the loop");
}

// The variable with which a `for` may count.
static const clang::VarDecl *declaredNumber(const clang::ForStmt *loop) {
  const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  if (!declaration || !declaration->isSingleDecl()) return nullptr;
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
  const bool isNumber = variable && variable->getType()->isIntegerType() && variable->getInit() &&
                        variable->hasLocalStorage() && lowerType(variable->getType());
  return isNumber ? variable : nullptr;
}

// A `while` if it cannot be counted, for the reason that is returned.
static std::string countLoop(Lowering &l, Loop &loop, unsigned slot, llvm::StringRef name,
                             bool bodyChanges) {
  std::string why;
  const auto counted = countedLoop(loop, slot, bodyChanges, name, why);
  if (!counted) return why;
  const auto counting = countingOf(*counted);
  if (!counting)
    return fmt::format(
        "C++ converts '{}' to compare it or to add the step, and a conversion may change it; give "
        "variable, bound and step one type of 32 or 64 bits",
        name.str());
  makeCounted(l, loop, *counted, *counting, false);
  return "";
}

Flow lowerFor(Lowering &l, const clang::ForStmt *loop) {
  const unsigned scope = l.env.size();
  const clang::VarDecl *variable = declaredNumber(loop);
  Val first;
  Place place;
  if (variable) {
    // In a `for` of the IR, the first value does not have the variable's name.
    first = convert(l, lowerIr(l, variable->getInit()), *lowerType(variable->getType()));
    place = l.env.declare(variable->getName(), first, variable->getType().isConstQualified());
    l.env.bind(variable, place);
  } else if (loop->getInit()) {
    lowerStmt(l, loop->getInit());
  }
  rejectVariable(l, loop->getConditionVariable());

  const ir::Value *before = nullptr;
  bool bodyChanges = false;
  const auto begin = [&] { before = variable ? l.env.read(place).value : nullptr; };
  const auto condition = [&] {
    return loop->getCond() ? lowerCondition(l, loop->getCond())
                           : l.builder.constant(ir::Scalar::Bool, 1);
  };
  const auto increment = [&] {
    bodyChanges |= variable && l.env.read(place).value != before;
    if (loop->getInc()) lowerDiscarded(l, loop->getInc());
  };
  std::string why = std::string("its head does not declare one integer variable") + kForm;
  LastTest last;
  const auto finish = [&](Loop &state) {
    if (l.diagnostics.hasErrors()) return;
    if (!variable) last = countWhile(l, state, loop, loop->getCond());
    if (variable) why = countLoop(l, state, place.slot, variable->getName(), bodyChanges);
    if (variable && !why.empty()) l.giveName(first, variable->getName());
  };
  carryGeneral(l, condition, begin, loop->getBody(), increment, finish);
  addLastStep(l, last);
  l.env.truncate(scope);
  // A loop without a condition or an increment is not meant to be a counted loop.
  if (!why.empty() && loop->getCond() && loop->getInc())
    l.diagnostics.decided(ir::DiagId::ForAsWhile, l.kernel, l.locate(loop->getForLoc()), {why});
  return Flow::Falls;
}

Flow lowerWhile(Lowering &l, const clang::WhileStmt *loop) {
  rejectVariable(l, loop->getConditionVariable());
  LastTest last;
  const auto condition = [&] { return lowerCondition(l, loop->getCond()); };
  const auto finish = [&](Loop &state) {
    if (!l.diagnostics.hasErrors()) last = countWhile(l, state, loop, loop->getCond());
  };
  carryGeneral(l, condition, nullptr, loop->getBody(), nullptr, finish);
  addLastStep(l, last);
  return Flow::Falls;
}

// do body while (c): a `while` over a flag that is first true and then c after each iteration.
Flow lowerDo(Lowering &l, const clang::DoStmt *loop) {
  Place again = l.env.declare("again", l.builder.constant(ir::Scalar::Bool, 1));
  const auto test = [&] { l.env.write(again, lowerCondition(l, loop->getCond())); };
  const auto condition = [&] { return l.env.read(again).value; };
  carryGeneral(l, condition, nullptr, loop->getBody(), test, nullptr);
  return Flow::Falls;
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

// Leaving a copy of an unrolled loop skips the rest of the copy: see Rest in lower_stmt.h.
Flow breakLoop(Lowering &l) {
  if (l.loop) return leaveLoop(l, OpKind::Break);
  l.env.write(*l.unrolled->done, l.builder.constant(ir::Scalar::Bool, 1));
  return Flow::Returned;
}

Flow lowerBreak(Lowering &l, clang::SourceLocation loc) {
  if (!inSwitchOf(l)) return breakLoop(l);
  l.error(ir::DiagId::BreakOfSwitch, loc);
  return Flow::Falls;
}

Flow lowerContinue(Lowering &l) { return l.loop ? leaveLoop(l, OpKind::Continue) : Flow::Returned; }

}  // namespace tile2cu::frontend
