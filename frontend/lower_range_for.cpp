// for (auto i : range(...)) and its relatives; the loop function decides what the loop becomes.
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/annotations.h"
#include "frontend/convert.h"
#include "frontend/lower_call.h"
#include "frontend/lower_control.h"
#include "frontend/lower_expr.h"
#include "frontend/lower_stmt.h"
#include "frontend/lower_type.h"
#include "frontend/option_values.h"
#include "passes/ir/limits.h"

namespace tile2cu::frontend {

using ir::DiagId;
using ir::OpKind;

static const clang::CallExpr *rangeCall(const clang::Expr *e) {
  for (;;) {
    e = e->IgnoreParenImpCasts();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      e = temporary->getSubExpr();
    else
      return llvm::dyn_cast<clang::CallExpr>(e);
  }
}

static void bindIndex(Lowering &l, const clang::VarDecl *variable, ir::Value *index) {
  auto type = lowerType(variable->getType());
  Val value = type ? convert(l, index, *type) : index;
  l.giveName(value, variable->getName());
  l.env.bind(variable, l.env.declare(variable->getName(), value));
}

static Flow lowerStaticRange(Lowering &l, const clang::CXXForRangeStmt *loop,
                             const clang::CallExpr *call) {
  llvm::SmallVector<int64_t, 3> numbers = integerTemplateArguments(call->getDirectCallee());
  int64_t first = numbers.size() > 1 ? numbers[0] : 0,
          last = numbers.size() > 1 ? numbers[1] : numbers[0];
  int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  Loop *outer = l.loop;
  const bool inSwitch = l.inSwitch;
  l.loop = nullptr;  // break and continue would have to leave text that is no loop any more
  l.inSwitch = false;
  Flow flow = Flow::Falls;
  for (int64_t i = first; step > 0 ? i < last : i > last; i += step) {
    bindIndex(l, loop->getLoopVariable(), l.builder.constant(ir::Scalar::I32, i));
    flow = lowerLoopBody(l, loop->getBody());
    if (flow != Flow::Falls) break;
  }
  l.loop = outer;
  l.inSwitch = inSwitch;
  return flow;
}

// Whether the condition is one of those that a require(...) ahead of here asks for.
static bool isRequired(const ir::Value *condition) {
  return llvm::any_of(condition->users, [](const ir::Op *user) {
    return user->kind == OpKind::Require ||
           (user->kind == OpKind::And && isRequired(user->result()));
  });
}

// Whether the launcher checks that the value is above 0: require(step > 0).
static bool isRequiredPositive(const ir::Value *value) {
  return llvm::any_of(value->users, [&](const ir::Op *user) {
    const bool isLeft = user->operand(0) == value;
    const bool isLarger = user->kind == (isLeft ? OpKind::Gt : OpKind::Lt),
               isAtLeast = user->kind == (isLeft ? OpKind::Ge : OpKind::Le);
    if (!isLarger && !isAtLeast) return false;
    const auto bound = scalarConstant(user->operand(isLeft ? 1 : 0));
    return bound && *bound >= (isLarger ? 0 : 1) && isRequired(user->result());
  });
}

// Whether a step certainly counts upward.
static bool isPositive(const ir::Value *step) {
  if (auto known = scalarConstant(step)) return *known > 0;
  if (isRequiredPositive(step)) return true;
  const ir::Op *op = step->definition;
  if (!op) return !ir::isSigned(step->type.scalar());
  switch (op->kind) {
    case OpKind::NumPrograms:
    case OpKind::NumSms:
      return true;
    case OpKind::Cast:
      return !ir::isSigned(step->type.scalar()) || isPositive(op->operand(0));
    case OpKind::Mul:
    case OpKind::Add:
      return isPositive(op->operand(0)) && isPositive(op->operand(1));
    default:
      return !ir::isSigned(step->type.scalar());
  }
}

static void setLoopOptions(Lowering &l, ir::Op *op, const clang::Expr *options) {
  static constexpr OptionLimits kLimits[] = {{"num_stages", 0, ir::kMostStages},
                                             {"unroll", 0, 1024}};
  auto values = evaluateOptions(l.context, options, kLimits, l.source, l.diagnostics);
  if (!values) return;
  for (auto &[name, value] : *values) {
    const bool isGiven = name == "warp_specialize" ? value >= 0 : value != 0;
    if (!isGiven) continue;
    if (name == "flatten" || name == "warp_specialize")
      op->setBool(name, value != 0);
    else
      op->setInt(name, value);
  }
}

static bool isGivenOptions(const clang::Expr *argument) {
  return argument->getType()->isRecordType() && !llvm::isa<clang::CXXDefaultArgExpr>(argument);
}

static Flow lowerRange(Lowering &l, const clang::CXXForRangeStmt *loop,
                       const clang::CallExpr *call) {
  ir::Scalar type = ir::Scalar::I32;
  if (auto lowered = lowerType(loop->getLoopVariable()->getType())) type = lowered->scalar();
  llvm::SmallVector<ir::Value *, 3> numbers;
  const clang::Expr *options = nullptr, *stepExpression = nullptr;
  for (const clang::Expr *argument : call->arguments()) {
    if (isGivenOptions(argument)) options = argument;
    if (argument->getType()->isRecordType()) continue;
    numbers.push_back(convertElement(l, lowerIr(l, argument), type));
    stepExpression = argument;
  }
  if (numbers.empty() || numbers.size() > 3) return Flow::Falls;
  ir::Value *lower = numbers.size() > 1 ? numbers[0] : l.builder.constant(type, 0);
  ir::Value *upper = numbers.size() > 1 ? numbers[1] : numbers[0];
  ir::Value *step = numbers.size() > 2 ? numbers[2] : l.builder.constant(type, 1);
  const char *compare = "lt";
  if (auto known = scalarConstant(step); known && *known <= 0) {
    if (*known == 0) return Flow::Falls;
    compare = "gt";
  } else if (!isPositive(step)) {
    l.error(DiagId::StepSign, stepExpression->getExprLoc());
  }
  carryLoop(l, OpKind::For, {lower, upper, step}, 1, [&](Loop &state) {
    state.op->setString("compare", compare);
    if (options) setLoopOptions(l, state.op, options);
    ir::Value *index =
        state.op->region()->addArgument(type, loop->getLoopVariable()->getNameAsString());
    enterRegion(l, state, 0);
    bindIndex(l, loop->getLoopVariable(), index);
    if (lowerLoopBody(l, loop->getBody()) != Flow::Ended || !l.builder.block().terminator())
      leaveRegion(l, state, OpKind::Yield);
  });
  return Flow::Falls;
}

// Whether a break or continue in `statement` leaves the loop around it.
static bool leavesLoop(const clang::Stmt *statement, bool breaks = true) {
  if (!statement || llvm::isa<clang::LambdaExpr>(statement)) return false;
  if (llvm::isa<clang::ContinueStmt>(statement)) return true;
  if (llvm::isa<clang::BreakStmt>(statement)) return breaks;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement))
    return false;
  breaks &= !llvm::isa<clang::SwitchStmt>(statement);
  return llvm::any_of(statement->children(),
                      [&](const clang::Stmt *child) { return leavesLoop(child, breaks); });
}

// Items b, b + programs, ...; without a grid of its own the kernel gets the programs that fit the device. dynamic_range
// without a grid has a program for each item: the hardware hands them out in order, as programs end.
static Flow lowerPersistent(Lowering &l, const clang::CXXForRangeStmt *loop,
                            const clang::CallExpr *call, bool dynamic) {
  ir::Value *count = convertElement(l, lowerIr(l, call->getArg(0)), ir::Scalar::I64);
  // A parameter that is only converted is written as it is.
  const ir::Op *made = count->definition;
  const bool isParameter = !made || (made->kind == OpKind::Cast && made->operand(0)->isArgument());
  if (!isParameter && count->name.empty()) count->name = "items";
  if (!l.kernel.grid()) {
    ir::Value *item = makeGrid(l, {count}, call->getExprLoc());
    if (dynamic && !leavesLoop(loop->getBody())) {
      bindIndex(l, loop->getLoopVariable(), item);
      return lowerLoopBody(l, loop->getBody());
    }
    item->definition->setBool("persistent", !dynamic);
  }
  ir::Value *first = programId(l, 0), *programs = numPrograms(l, 0);
  carryLoop(l, OpKind::For, {first, count, programs}, 1, [&](Loop &state) {
    state.op->setString("compare", "lt");
    // An older tile.h has no options here.
    if (call->getNumArgs() > 1 && isGivenOptions(call->getArg(1)))
      setLoopOptions(l, state.op, call->getArg(1));
    ir::Value *index = state.op->region()->addArgument(ir::Scalar::I64,
                                                       loop->getLoopVariable()->getNameAsString());
    enterRegion(l, state, 0);
    bindIndex(l, loop->getLoopVariable(), index);
    if (lowerLoopBody(l, loop->getBody()) != Flow::Ended || !l.builder.block().terminator())
      leaveRegion(l, state, OpKind::Yield);
  });
  return Flow::Falls;
}

Flow lowerRangeFor(Lowering &l, const clang::CXXForRangeStmt *loop) {
  if (loop->getInit()) lowerStmt(l, loop->getInit());
  const clang::CallExpr *call = rangeCall(loop->getRangeInit());
  llvm::StringRef operation = call ? operationOf(call->getDirectCallee()) : "";
  if (operation == "range") return lowerRange(l, loop, call);
  if (operation == "static_range") return lowerStaticRange(l, loop, call);
  if (operation == "persistent_range") return lowerPersistent(l, loop, call, false);
  if (operation == "dynamic_range") return lowerPersistent(l, loop, call, true);
  // An array of constants or of values: one copy of the body for each element.
  if (const auto *array =
          l.context.getAsConstantArrayType(loop->getRangeInit()->getType().getNonReferenceType())) {
    Place elements = lowerPlace(l, loop->getRangeInit());
    for (uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
      const clang::VarDecl *variable = loop->getLoopVariable();
      if (variable->getType()->isReferenceType())
        l.env.bind(variable, elements.field(i));
      else
        l.env.bind(variable, l.env.declare(variable->getName(), l.env.read(elements.field(i))));
      if (Flow flow = lowerLoopBody(l, loop->getBody()); flow != Flow::Falls) return flow;
    }
    return Flow::Falls;
  }
  l.error(DiagId::RangeFor, loop->getForLoc());
  return Flow::Falls;
}

}  // namespace tile2cu::frontend
