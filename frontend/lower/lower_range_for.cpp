// for (auto i : range(...)) and the other loop functions; the function decides what the loop
// becomes.
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/kernels/option_values.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_call.h"
#include "frontend/lower/lower_control.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/lower_stmt.h"
#include "frontend/lower/range_steps.h"
#include "frontend/lower/reference_copies.h"
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

// The copies of the body of an unrolled loop.
class Copies {
 public:
  Copies(Lowering &lowering, const clang::Stmt *body) : lowering_(lowering), body_(body) {
    const bool returns = lowering.frame->caller && hasReturn(body);
    if (returns || leavesLoop(body, /*onlyBreak=*/true))
      loop_.done = lowering.env.declare("done", lowering.builder.constant(ir::Scalar::Bool, 0));
  }

  // `bind` gives the loop's variable its value.
  Flow lower(llvm::function_ref<void()> bind) {
    auto copy = [&] {
      bind();
      return lowerBody();
    };
    if (!loop_.done) return copy();
    ir::Value *done = lowering_.env.read(*loop_.done).value;
    return branch(lowering_, done, [] { return Flow::Falls; }, copy);
  }

 private:
  Flow lowerBody() {
    const OutsideLoops scope(lowering_, &loop_);
    const Flow flow = lowerLoopBody(lowering_, body_);
    return flow == Flow::Returned ? Flow::Falls : flow;
  }

  Lowering &lowering_;
  const clang::Stmt *body_;
  Unrolled loop_;
};

static Flow lowerStaticRange(Lowering &l, const clang::CXXForRangeStmt *loop,
                             const clang::CallExpr *call) {
  llvm::SmallVector<int64_t, 3> numbers = integerTemplateArguments(call->getDirectCallee());
  int64_t first = numbers.size() > 1 ? numbers[0] : 0,
          last = numbers.size() > 1 ? numbers[1] : numbers[0];
  int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  const int64_t distance = step > 0 ? last - first : first - last;
  const int64_t copies = distance > 0 ? (distance - 1) / std::abs(step) + 1 : 0;
  if (copies > ir::kMostCopies)
    l.giveUp(DiagId::TooManyCopies, loop->getForLoc(),
             {std::to_string(copies), std::to_string(ir::kMostCopies)});
  Copies bodies(l, loop->getBody());
  for (int64_t i = first; step > 0 ? i < last : i > last; i += step) {
    const Flow flow = bodies.lower(
        [&] { bindIndex(l, loop->getLoopVariable(), l.builder.constant(ir::Scalar::I32, i)); });
    if (flow != Flow::Falls) return flow;
  }
  return Flow::Falls;
}

// A range-for over an array of constants or of values.
static Flow lowerElements(Lowering &l, const clang::CXXForRangeStmt *loop,
                          const clang::ConstantArrayType *array, bool isStd) {
  ReferenceCopies copies(l);
  Place elements = copies.bind(loop->getRangeInit());
  if (isStd) elements = elements.field(0);
  const auto *pointer = llvm::cast<clang::VarDecl>(loop->getBeginStmt()->getSingleDecl());
  const uint64_t end = l.elementsOf(array, loop->getForLoc());
  Flow flow = Flow::Falls;
  Copies bodies(l, loop->getBody());
  for (uint64_t i = 0; i < end && flow == Flow::Falls; ++i) {
    flow = bodies.lower([&] {
      // Clang declares the loop's variable with the value of `*pointer`.
      l.env.bind(pointer, elements.field(i));
      lowerDecl(l, loop->getLoopVariable());
    });
  }
  copies.end();
  return flow;
}

static void setLoopOptions(Lowering &l, ir::Op *op, const clang::Expr *options) {
  static constexpr OptionLimits kLimits[] = {{"num_stages", 0, ir::kMostStages},
                                             {"unroll", 0, 1024}};
  auto values = evaluateOptions(l.context, options, kLimits, l.source, l.diagnostics);
  if (!values) return;
  for (auto &[name, value] : *values) {
    const bool isGiven = name == "warp_specialize" ? value >= 0 : value != 0;
    if (!isGiven) continue;
    if (name == "flatten")
      op->setBool(ir::Attr::flatten, true);
    else if (name == "warp_specialize")
      op->setBool(ir::Attr::warp_specialize, value != 0);
    else if (name == "num_stages")
      op->setInt(ir::Attr::num_stages, value);
    else if (name == "unroll")
      op->setInt(ir::Attr::unroll, value);
    else
      T2C_UNREACHABLE("an option of range without an attribute");
  }
}

static bool isGivenOptions(const clang::Expr *argument) {
  return argument->getType()->isRecordType() && !llvm::isa<clang::CXXDefaultArgExpr>(argument);
}

// The element type of the result of range(...): the promoted type of its arguments.
static ir::Scalar indexType(const clang::CallExpr *call) {
  const auto *record = call->getType()->getAsCXXRecordDecl();
  const auto *instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!instance) return ir::Scalar::I32;
  const auto type = lowerType(instance->getTemplateArgs()[0].getAsType());
  return type ? type->scalar() : ir::Scalar::I32;
}

static Flow lowerRange(Lowering &l, const clang::CXXForRangeStmt *loop,
                       const clang::CallExpr *call) {
  const ir::Scalar type = indexType(call);
  llvm::SmallVector<ir::Value *, 3> numbers;
  const clang::Expr *options = nullptr, *stepExpression = nullptr;
  for (const clang::Expr *argument : call->arguments()) {
    if (isGivenOptions(argument)) options = argument;
    if (argument->getType()->isRecordType()) continue;
    numbers.push_back(lowerIr(l, argument));
    stepExpression = argument;
  }
  if (numbers.empty() || numbers.size() > 3) return Flow::Falls;
  ir::Value *lower = numbers.size() > 1 ? numbers[0] : l.builder.constant(type, 0);
  ir::Value *upper = numbers.size() > 1 ? numbers[1] : numbers[0];
  ir::Value *step = numbers.size() > 2 ? numbers[2] : l.builder.constant(ir::Scalar::I32, 1);
  if (scalarConstant(step) == 0) return Flow::Falls;
  const CountedRange range = countRange(l, lower, upper, step, type);
  carryLoop(l, OpKind::For, {range.lower, range.upper, range.step}, 1, [&](Loop &state) {
    state.op->set(ir::Attr::compare, range.compare);
    const auto by = scalarConstant(step);
    if (by != 1 && by != -1) state.op->setBool(ir::Attr::stops, true);
    if (!by && ir::isSigned(step->type.scalar())) {
      const ir::Location at = l.locate(stepExpression->getExprLoc());
      state.op->set(ir::Attr::step_at, llvm::SmallVector<int64_t, 4>{at.file, at.line, at.column});
    }
    if (options) setLoopOptions(l, state.op, options);
    ir::Value *index = state.op->region()->addArgument(range.lower->type,
                                                       loop->getLoopVariable()->getNameAsString());
    enterRegion(l, state, 0);
    if (range.offset)
      index = arithmetic(l, range.isFalling ? OpKind::Sub : OpKind::Add, range.offset, index);
    bindIndex(l, loop->getLoopVariable(), convertElement(l, index, type));
    if (lowerLoopBody(l, loop->getBody()) != Flow::Ended || !l.builder.block().terminator())
      leaveRegion(l, state, OpKind::Yield);
  });
  return Flow::Falls;
}

// A program handles items b, b + programs, ... Without grid(...) the kernel gets as many programs
// as fit the device. dynamic_range without grid(...) has one program per item: the hardware starts
// them in order, as programs end.
static Flow lowerPersistent(Lowering &l, const clang::CXXForRangeStmt *loop,
                            const clang::CallExpr *call, bool dynamic) {
  ir::Value *count = convertElement(l, lowerIr(l, call->getArg(0)), ir::Scalar::I64);
  // A parameter that is only converted is printed as it is.
  const ir::Op *made = count->definition;
  const bool isParameter = !made || (made->kind == OpKind::Cast && made->operand(0)->isArgument());
  if (!isParameter && count->name.empty()) count->name = "items";
  if (!l.kernel.grid()) {
    ir::Value *item = makeGrid(l, {count}, call->getExprLoc());
    if (dynamic && !leavesLoop(loop->getBody())) {
      bindIndex(l, loop->getLoopVariable(), item);
      return lowerLoopBody(l, loop->getBody());
    }
    item->definition->setBool(ir::Attr::persistent, !dynamic);
  }
  ir::Value *first = programId(l, 0), *programs = numPrograms(l, 0);
  // The sum of an item and the number of programs overflows int64 only after 2^32 iterations or
  // more.
  carryLoop(l, OpKind::For, {first, count, programs}, 1, [&](Loop &state) {
    state.op->set(ir::Attr::compare, ir::Compare::Lt);
    // tile.h of an older version has no options here.
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
  const clang::QualType type = loop->getRangeInit()->getType().getNonReferenceType();
  if (const auto *array = l.context.getAsConstantArrayType(type))
    return lowerElements(l, loop, array, false);
  if (const auto *array = stdArrayType(l, type)) return lowerElements(l, loop, array, true);
  l.error(DiagId::RangeFor, loop->getForLoc());
  return Flow::Falls;
}

}  // namespace tile2cu::frontend
