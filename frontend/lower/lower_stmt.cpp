#include "frontend/lower/lower_stmt.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/clang_nodes.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"
#include "frontend/lower/lower_expr.h"

namespace tile2cu::frontend {

using clang::Stmt;

// Lambdas have their own.
bool hasReturn(const clang::Stmt *statement) {
  if (!statement || llvm::isa<clang::Expr>(statement)) return false;
  if (llvm::isa<clang::ReturnStmt>(statement)) return true;
  return llvm::any_of(statement->children(),
                      [](const clang::Stmt *child) { return hasReturn(child); });
}

// `breaks`: whether a `break` is of the loop, not of a switch.
static bool leaves(const clang::Stmt *statement, bool breaks, bool continues) {
  if (!statement || llvm::isa<clang::LambdaExpr>(statement)) return false;
  if (llvm::isa<clang::ContinueStmt>(statement)) return continues;
  if (llvm::isa<clang::BreakStmt>(statement)) return breaks;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement))
    return false;
  breaks &= !llvm::isa<clang::SwitchStmt>(statement);
  return llvm::any_of(statement->children(),
                      [&](const clang::Stmt *child) { return leaves(child, breaks, continues); });
}

bool leavesLoop(const clang::Stmt *statement, bool onlyBreak) {
  return leaves(statement, true, !onlyBreak);
}

// The part of a statement that is shown in its comment: the head of a compound statement.
static clang::SourceRange headOf(const clang::Stmt *s) {
  if (const auto *x = llvm::dyn_cast<clang::IfStmt>(s))
    return {s->getBeginLoc(), x->getRParenLoc()};
  if (const auto *x = llvm::dyn_cast<clang::ForStmt>(s))
    return {s->getBeginLoc(), x->getRParenLoc()};
  if (const auto *x = llvm::dyn_cast<clang::WhileStmt>(s))
    return {s->getBeginLoc(), x->getRParenLoc()};
  if (const auto *x = llvm::dyn_cast<clang::CXXForRangeStmt>(s))
    return {s->getBeginLoc(), x->getRParenLoc()};
  if (const auto *x = llvm::dyn_cast<clang::SwitchStmt>(s))
    return {s->getBeginLoc(), x->getRParenLoc()};
  if (const auto *x = llvm::dyn_cast<clang::DoStmt>(s))
    return {x->getWhileLoc(), x->getRParenLoc()};
  return s->getSourceRange();
}

// An `if constexpr` that does nothing.
static bool isDiscarded(const clang::ASTContext &context, const clang::Stmt *s) {
  const auto *branch = llvm::dyn_cast<clang::IfStmt>(s);
  const auto chosen =
      branch && branch->isConstexpr() ? branch->getNondiscardedCase(context) : std::nullopt;
  return chosen && !*chosen;
}

const clang::Stmt *onlyReturnOf(const clang::ASTContext &context, const clang::Stmt *s) {
  if (!s || llvm::isa<clang::ReturnStmt>(s)) return s;
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
    for (const clang::Stmt *inner : block->body())
      if (hasReturn(inner) && !isDiscarded(context, inner)) return onlyReturnOf(context, inner);
    return nullptr;
  }
  const auto *branch = llvm::dyn_cast<clang::IfStmt>(s);
  if (!branch || !branch->isConstexpr()) return nullptr;
  return onlyReturnOf(context, branch->getNondiscardedCase(context).value_or(nullptr));
}

// `return variable;` constructs the result itself: compilers do not copy it.
static const clang::VarDecl *resultVariable(const clang::ReturnStmt *statement) {
  const clang::VarDecl *variable = statement->getNRVOCandidate();
  return variable && variable->isNRVOVariable() ? variable : nullptr;
}

static Val lowerResult(Lowering &l, const clang::ReturnStmt *statement) {
  if (const clang::VarDecl *variable = resultVariable(statement))
    if (const Place *place = l.env.find(variable); place && asRecord(variable->getType()))
      return readPlace(l, *place, statement->getReturnLoc(), variable->getName());
  return lowerValue(l, statement->getRetValue());
}

static Flow lowerReturn(Lowering &l, const clang::ReturnStmt *statement) {
  const clang::Expr *value = statement->getRetValue();
  if (l.frame->caller) {
    if (l.frame->loopDepth && !l.frame->returned) {
      l.error(ir::DiagId::ReturnInLoop, statement->getReturnLoc());
      return Flow::Returned;
    }
    if (value && statement == l.frame->onlyReturn)
      l.frame->referent = lowerPlace(l, value);
    else if (value && l.frame->result)
      l.env.write(*l.frame->result, lowerResult(l, statement));
    else if (value)
      lowerValue(l, value);
    if (!l.frame->loopDepth) return Flow::Returned;
    l.env.write(*l.frame->returned, l.builder.constant(ir::Scalar::Bool, 1));
    return breakLoop(l);
  }
  ir::Block &here = l.builder.block();
  bool needsRegion = !l.inKernelBody() && here.parent->kind != ir::OpKind::If;
  if (needsRegion) {
    ir::Op *always =
        l.builder.create(ir::OpKind::If, {l.builder.constant(ir::Scalar::Bool, 1)}, {});
    ir::Block *region = always->addRegion();
    always->addRegion();
    l.builder.setInsertionPoint(*region);
  }
  l.builder.create(ir::OpKind::Return, {}, {});
  l.mayHaveReturned = true;
  if (needsRegion) l.builder.setInsertionPoint(here);
  return Flow::Ended;
}

static Flow lowerRest(Lowering &l, const Rest *rest) {
  if (!rest) return Flow::Falls;
  const bool inSwitch = std::exchange(inSwitchOf(l), rest->inSwitch);
  const Flow flow = lowerSequence(l, rest->statements, rest->next);
  inSwitchOf(l) = inSwitch;
  return flow;
}

static Flow lowerIf(Lowering &l, const clang::IfStmt *statement, const Rest *rest) {
  if (statement->getInit()) lowerStmt(l, statement->getInit());
  auto arm = [&](const clang::Stmt *s) {
    return s ? lowerSequence(l, s, rest) : lowerRest(l, rest);
  };
  if (statement->isConsteval())
    return arm(statement->isNegatedConsteval() ? statement->getThen() : statement->getElse());
  if (statement->isConstexpr())
    if (auto chosen = statement->getNondiscardedCase(l.context)) return arm(*chosen);
  if (statement->getConditionVariableDeclStmt())
    lowerStmt(l, statement->getConditionVariableDeclStmt());
  ir::Value *condition = lowerCondition(l, statement->getCond());
  return branch(
      l, condition, [&] { return arm(statement->getThen()); },
      [&] { return arm(statement->getElse()); });
}

static Flow lowerLoop(Lowering &l, const clang::Stmt *loop) {
  if (const auto *x = llvm::dyn_cast<clang::ForStmt>(loop)) return lowerFor(l, x);
  if (const auto *x = llvm::dyn_cast<clang::WhileStmt>(loop)) return lowerWhile(l, x);
  if (const auto *x = llvm::dyn_cast<clang::DoStmt>(loop)) return lowerDo(l, x);
  return lowerRangeFor(l, llvm::cast<clang::CXXForRangeStmt>(loop));
}

// Declares the return flag and the carried part of the result, before the outermost loop of an
// inlined function that has a `return` inside.
static void declareReturned(Lowering &l) {
  Frame &frame = *l.frame;
  frame.returned.reset();
  // A loop carries values only: the fields of a struct that are not values are left out. A pointer
  // has no value to begin with.
  const auto type = frame.result ? lowerType(frame.resultType) : std::nullopt;
  if (frame.result && (!type || type->isPointer())) return;
  if (frame.result) {
    Val none = l.placeholder(frame.resultType);
    l.giveName(none, "result");
    l.env.write(*frame.result, none);
  }
  frame.returned = l.env.declare("returned", l.builder.constant(ir::Scalar::Bool, 0));
}

// A loop of an inlined function with a `return` inside: the return leaves the loop and sets a flag,
// which is tested after it.
static Flow lowerReturningLoop(Lowering &l, const clang::Stmt *loop, const Rest *rest) {
  const bool isOutermost = l.frame->loopDepth == 0;
  if (isOutermost) declareReturned(l);
  if (Flow flow = lowerLoop(l, loop); flow != Flow::Falls) return flow;
  Frame &frame = *l.frame;
  if (!frame.returned) return Flow::Falls;  // an error was reported
  return branch(
      l, l.env.read(*frame.returned).value,
      [&] { return isOutermost ? Flow::Returned : breakLoop(l); },
      [&] {
        if (isOutermost && frame.result) l.env.write(*frame.result, l.undefined(frame.resultType));
        return lowerRest(l, rest);
      });
}

// Whether the statement may leave the function that is being inlined, or the copy of an unrolled
// loop, in which it is directly (not in a loop in it).
static bool leavesEarly(const Lowering &l, const clang::Stmt *s) {
  const bool returns = l.frame->caller && hasReturn(s);
  if (!l.frame->loopDepth) return returns;
  return !l.loop && l.unrolled && (returns || leavesLoop(s));
}

// Lowers one statement. If it is given a `rest`, it has lowered that as well when it returns.
static Flow lowerOne(Lowering &l, const clang::Stmt *s, const Rest *rest) {
  switch (s->getStmtClass()) {
    case Stmt::NullStmtClass:
      return Flow::Falls;
    case Stmt::CompoundStmtClass: {
      auto body = llvm::cast<clang::CompoundStmt>(s)->body();
      llvm::SmallVector<const clang::Stmt *, 16> statements(body.begin(), body.end());
      return lowerSequence(l, statements, rest);
    }
    case Stmt::AttributedStmtClass:
      return lowerSequence(l, llvm::cast<clang::AttributedStmt>(s)->getSubStmt(), rest);
    case Stmt::LabelStmtClass:  // the goto is the error
      return lowerSequence(l, llvm::cast<clang::LabelStmt>(s)->getSubStmt(), rest);
    case Stmt::DeclStmtClass:
      for (const clang::Decl *declaration : llvm::cast<clang::DeclStmt>(s)->decls())
        lowerDecl(l, declaration);
      return Flow::Falls;
    case Stmt::IfStmtClass:
      return lowerIf(l, llvm::cast<clang::IfStmt>(s), rest);
    case Stmt::SwitchStmtClass:
      return lowerSwitch(l, llvm::cast<clang::SwitchStmt>(s), rest);
    case Stmt::ForStmtClass:
    case Stmt::WhileStmtClass:
    case Stmt::DoStmtClass:
    case Stmt::CXXForRangeStmtClass:
      return l.frame->caller && hasReturn(s) ? lowerReturningLoop(l, s, rest) : lowerLoop(l, s);
    case Stmt::ReturnStmtClass:
      return lowerReturn(l, llvm::cast<clang::ReturnStmt>(s));
    case Stmt::BreakStmtClass:
      return lowerBreak(l, s->getBeginLoc());
    case Stmt::ContinueStmtClass:
      return lowerContinue(l);
    default:
      break;
  }
  if (const auto *expression = llvm::dyn_cast<clang::Expr>(s))
    lowerDiscarded(l, expression);
  else
    rejectNode(l, s);
  return Flow::Falls;
}

Flow lowerSequence(Lowering &l, llvm::ArrayRef<const clang::Stmt *> statements, const Rest *rest) {
  for (size_t i = 0; i < statements.size(); ++i) {
    const clang::Stmt *s = statements[i];
    NestingScope nesting(l, s->getBeginLoc());
    if (++l.statements > ir::kMostStatements)
      l.giveUp(ir::DiagId::TooManyStatements, s->getBeginLoc(),
               {l.kernel.name, std::to_string(ir::kMostStatements)});
    if (!llvm::isa<clang::CompoundStmt, clang::NullStmt>(s)) l.enterStatement(s, headOf(s));
    const bool canTakeRest = llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::SwitchStmt,
                                       clang::AttributedStmt, clang::LabelStmt, clang::ForStmt,
                                       clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
    if (canTakeRest && leavesEarly(l, s)) {
      Rest after{statements.drop_front(i + 1), rest, inSwitchOf(l)};
      return lowerOne(l, s, &after);
    }
    if (Flow flow = lowerOne(l, s, nullptr); flow != Flow::Falls) return flow;
  }
  return lowerRest(l, rest);
}

Flow lowerLoopBody(Lowering &l, const clang::Stmt *body) {
  ++l.frame->loopDepth;
  Flow flow = lowerStmt(l, body);
  --l.frame->loopDepth;
  return flow;
}

}  // namespace tile2cu::frontend
