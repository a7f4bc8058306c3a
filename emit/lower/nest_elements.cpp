// Single elements of a loop nest: accesses, and what is computed from one element at a time.
#include "emit/cuda/free_names.h"
#include "emit/cuda/printer.h"
#include "emit/lower/access_helpers.h"
#include "emit/lower/loop_nest.h"
#include "emit/lower/scalars.h"
#include "emit/lower/text_functions.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/text_operands.h"

namespace tile2cu::emit {
using namespace ir;

// ---- where an element goes

// Puts an element that was computed where the loop nest keeps it; one that is not long and read
// once stays an expression.
static void giveComputed(LoopNest &nest, const Op *op, const Value *value, const Expr &e) {
  LoweringContext &ctx = nest.ctx;
  const Storage *stored = ctx.values.storageIf(value);
  const bool waits = nest.assignedLast.contains(value);
  if (stored && !waits) {
    if (!declareWith(nest, value, e)) ctx.out.assign(storageRef(ctx, *stored, nest.vars), e);
    return;
  }
  const bool isReadOnce = value->users.size() == 1;
  if (!waits && (e.isAtom() || (!isLong(e) && isReadOnce && value->name.empty()))) {
    nest.elementExprs[value] = ctx.values.remembered(e);
    return;
  }
  Expr local = e;
  if (!e.isAtom()) {
    const Symbol name =
        ctx.names.take(value->name.empty() ? ctx.scalarNames.roleName(op)
                       : waits && value->name == stored->name.wanted() ? "new_" + value->name
                                                                       : singular(value->name));
    const bool isThreshold = op->kind == OpKind::UniformThreshold;
    ctx.out.declareConstant(isThreshold ? word("auto") : typeOf(op->result()->type), name, e);
    local = named(name);
  }
  nest.elementExprs[value] = ctx.values.remembered(local);
  if (waits)
    nest.deferred.push_back({storageRef(ctx, *stored, nest.vars), local, !e.isAtom() && isReadOnce,
                             e, value, ctx.names.readsOf(local)});
}

void giveElement(LoopNest &nest, const Value *result, const char *role, const Expr &e) {
  if (nest.assignedLast.contains(result)) {
    giveComputed(nest, result->definition, result, e);
    return;
  }
  LoweringContext &ctx = nest.ctx;
  if (const Storage *stored = ctx.values.storageIf(result)) {
    if (!declareWith(nest, result, e)) ctx.out.set(storageRef(ctx, *stored, nest.vars), e);
    return;
  }
  const Symbol name =
      result->name.empty()
          ? ctx.names.take(role)
          : ctx.names.take(singular(result->name), {.second = singular(result->name) + "_element"});
  ctx.out.declareConstant(typeOf(result->type), name, e);
  nest.elementExprs[result] = ctx.values.remembered(named(name));
}

// ---- operations

static void elementAccess(LoopNest &nest, Op *op) {
  LoweringContext &ctx = nest.ctx;
  auto refs = identityRefs(nest.layout);
  const Expr pointer = pointerAt(nest, op, Level::Element), mask = maskAt(nest, op, Level::Element);
  if (op->kind == OpKind::Load) {
    Scalar type = op->result()->type.scalar();
    Expr other = op->operand(2) ? valueAt(nest, op->operand(2), refs, Level::Element)
                                : literal(type, int64_t{0});
    giveElement(nest, op->result(), "loaded", call(elementHelper(ctx, op), {mask, pointer, other}));
    return;
  }
  const Expr value = op->operand(1) ? valueAt(nest, op->operand(1), refs, Level::Element) : Expr{};
  if (op->kind == OpKind::Store) {
    ctx.out.add(evaluate(call(elementHelper(ctx, op), {mask, pointer, value})));
    return;
  }
  const AtomicOp atomic(op);
  const Expr expected =
      atomic.expected_opt() ? valueAt(nest, atomic.expected_opt(), refs, Level::Element) : Expr{};
  const Expr condition = mask.is(ExprKind::Word, "true") ? Expr{} : mask;
  const Expr update = atomicCall(op, pointer, value, expected);
  if (op->result()->unused())
    ctx.out.add(atomicStatement(condition, update));
  else
    giveElement(nest, op->result(), "old", oldValue(op, condition, update));
}

// One of the threads that have an element runs the text for it.
static void textElement(LoopNest &nest, Op *op) {
  LoweringContext &ctx = nest.ctx;
  const AxisRefs refs = identityRefs(nest.layout);
  const Expr mask = maskAt(nest, op, Level::Element);
  const Expr condition = mask.is(ExprKind::Word, "true") ? Expr{} : mask;
  llvm::SmallVector<Expr, 4> arguments;
  for (const Value *operand : textOperands(op))
    arguments.push_back(valueAt(nest, operand, operandRefs(op, operand, refs), Level::Element));
  const Expr e = call(ctx.info.options.texts->calleeOf(op), arguments);
  if (op->numResults() == 0 || op->result()->unused())
    ctx.out.add(shortIf(condition, evaluate(e)));
  else
    giveElement(nest, op->result(), "returned", oldValue(op, condition, e));
}

static void sharedAccess(LoopNest &nest, Op *op) {
  LoweringContext &ctx = nest.ctx;
  const Layout &layout = nest.layout;
  const Expr place = sharedPlace(nest, op, nest.vars);
  auto refs = identityRefs(layout);
  bool isStore = op->kind == OpKind::SharedStore;
  Value *mask = op->operand(isStore ? 1 : 0);
  if (isStore) {
    Expr condition = ownerCondition(ctx, layout);
    if (mask) condition = bothOf(condition, valueAt(nest, mask, refs, Level::Element));
    const Expr value = valueAt(nest, op->operand(0), refs, Level::Element);
    if (op->getBool(Attr::adds))
      ctx.out.add(shortIf(condition, evaluate(call("tile2cu::shared_add", {place, value}))));
    else
      ctx.out.add(shortIf(condition, {Assign{place, "=", value}}));
    return;
  }
  Expr value = place;
  if (mask) {
    const Value *other = op->operand(SharedLoadOp::other_optIndex);
    value = conditional(valueAt(nest, mask, refs, Level::Element), value,
                        other ? valueAt(nest, other, refs, Level::Element)
                              : literal(op->result()->type.scalar(), int64_t{0}));
  }
  giveElement(nest, op->result(), "moved", value);
}

static void assertElement(LoopNest &nest, const DeviceAssertOp &assertion) {
  const AxisRefs refs = identityRefs(nest.layout);
  const auto element = [&](const Value *value) {
    return valueAt(nest, value, operandRefs(assertion.op, value, refs), Level::Element);
  };
  const Expr condition = element(assertion.condition());
  const Value *mask = assertion.mask_opt();
  const Value *value = assertion.value_opt();
  writeAssert(nest.ctx, assertion, condition, mask ? element(mask) : Expr{},
              value ? element(value) : Expr{});
}

// One of the threads that have an element prints it.
static void printElement(LoopNest &nest, const DevicePrintOp &print) {
  LoweringContext &ctx = nest.ctx;
  const AxisRefs refs = identityRefs(nest.layout);
  const auto element = [&](const Value *value) {
    return valueAt(nest, value, operandRefs(print.op, value, refs), Level::Element);
  };
  Expr condition = ownerCondition(ctx, nest.layout);
  if (print.mask_opt()) condition = bothOf(condition, element(print.mask_opt()));
  llvm::SmallVector<Expr, 3> indices;
  for (unsigned d = 0; d < nest.layout.rank(); ++d)
    indices.push_back(coordinate(ctx, nest.layout, d, nest.vars));
  ctx.out.add(shortIf(condition, evaluate(printCall(ctx, print, element(print.value()), indices))));
}

static void mapElement(LoopNest &nest, const MapOp &map) {
  LoweringContext &ctx = nest.ctx;
  const AxisRefs refs = identityRefs(nest.layout);
  llvm::SmallVector<Expr, 4> operands;
  for (const Value *operand : map->operands())
    operands.push_back(valueAt(nest, operand, refs, Level::Element));
  const Expr e = mapped(ctx, map.op, operands);
  if (map->numResults() == 1) return giveComputed(nest, map.op, map->result(), e);
  const Symbol name = ctx.names.take("mapped");
  ctx.out.declareConstant(word("auto"), name, e);
  for (unsigned i = 0; i < map->numResults(); ++i)
    giveComputed(nest, map.op, map->result(i), member(named(name), "value" + std::to_string(i)));
}

static void computeElement(LoopNest &nest, const Op *op) {
  const AxisRefs refs = identityRefs(nest.layout);
  if (passes::isInlinedAtUse(op))
    return giveComputed(nest, op, op->result(), computeAt(nest, op, refs, Level::Element));
  T2C_ASSERT(op->is(Elementwise));
  llvm::SmallVector<Expr, 4> operands;
  for (const Value *operand : op->operands())
    operands.push_back(valueAt(nest, operand, operandRefs(op, operand, refs), Level::Element));
  giveComputed(nest, op, op->result(), elementwise(op, operands, nest.ctx.info.style));
}

static void lowerElement(LoopNest &nest, Op *op) {
  const AtSource at(nest.ctx.out, sourceOf(*op));
  switch (op->kind) {
    case OpKind::Load:
    case OpKind::Store:
    case OpKind::Atomic:
      return elementAccess(nest, op);
    case OpKind::CudaEffect:
      return textElement(nest, op);
    case OpKind::SharedLoad:
    case OpKind::SharedStore:
      return sharedAccess(nest, op);
    case OpKind::AsyncCopy:
      return asyncCopy(nest, op, Level::Element);
    case OpKind::ReduceThread:
      return reduceThread(nest, op);
    case OpKind::DeviceAssert:
      return assertElement(nest, DeviceAssertOp(op));
    case OpKind::DevicePrint:
      return printElement(nest, DevicePrintOp(op));
    case OpKind::Map:
      return mapElement(nest, MapOp(op));
#define ELEMENTWISE(Name, ...) case OpKind::Name:
#define OP(...)
#include "passes/ir/ops.def"
    case OpKind::Arange:
    case OpKind::Splat:
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Reshape:
    case OpKind::Permute:
    case OpKind::Convert:
      return computeElement(nest, op);
      // clang-format off
    case OpKind::Constant: case OpKind::Table: case OpKind::AsPointer: case OpKind::Grid: case OpKind::Cluster: case OpKind::ProgramId:
    case OpKind::NumPrograms: case OpKind::NumSms: case OpKind::ThreadCoordinate: case OpKind::Require: case OpKind::Assume:
    case OpKind::Join: case OpKind::Interleave: case OpKind::Deinterleave: case OpKind::Split:
    case OpKind::Cat: case OpKind::Flip: case OpKind::Slice: case OpKind::Extract: case OpKind::Insert:
    case OpKind::Gather: case OpKind::Scatter: case OpKind::TensorMap: case OpKind::TensorLoad: case OpKind::TensorStore: case OpKind::Reduce: case OpKind::Scan: case OpKind::Sort:
    case OpKind::Dot: case OpKind::For: case OpKind::While: case OpKind::If: case OpKind::Yield:
    case OpKind::Condition: case OpKind::Return: case OpKind::Break: case OpKind::Continue:
    case OpKind::DebugBarrier: case OpKind::DeviceCall: case OpKind::ReduceAcross: case OpKind::Nest: case OpKind::Barrier:
    case OpKind::VoteAny: case OpKind::Undefined: case OpKind::SharedZero: case OpKind::DotShared:
    case OpKind::DotWait: case OpKind::LoadFragments: case OpKind::AsyncCommit:
    case OpKind::AsyncWait: case OpKind::LocalFunction: case OpKind::Call: case OpKind::ProducerAcquire:
    case OpKind::TmaLoad: case OpKind::ConsumerWait: case OpKind::ConsumerRelease:
    case OpKind::TmaStore: case OpKind::TmaStoreWait:
      // clang-format on
      T2C_UNREACHABLE("the operation is not one of a loop nest");
  }
}

// ---- a run of elements

// The assignments that wait for the operations of other elements.
static void assignDeferred(LoopNest &nest) {
  LoweringContext &ctx = nest.ctx;
  const std::vector<Deferred> &deferred = nest.deferred;
  if (deferred.size() == 1 && deferred[0].isOnlyUse && ctx.out.isDeclaredLast(deferred[0].value)) {
    ctx.out.removeLast();
    ctx.out.assign(deferred[0].target, deferred[0].declared);
  } else {
    for (const Deferred &each : deferred) {
      ctx.values.requireCurrent(each.of, each.reads);
      ctx.out.set(each.target, each.value);
    }
  }
  for (const Deferred &each : deferred) ctx.values.hold(each.of);
}

static void lowerInOrder(LoopNest &nest, llvm::ArrayRef<Op *> ops) {
  ValueMap &values = nest.ctx.values;
  nest.deferred.clear();
  for (Op *op : ops) {
    lowerElement(nest, op);
    for (const auto &result : op->results)  // those that wait have the old value still
      if (values.isPlaced(result.get()) && !nest.elementExprs.count(result.get()))
        values.hold(result.get());
  }
  assignDeferred(nest);
}

void lowerElements(LoopNest &nest, llvm::ArrayRef<Op *> ops) {
  LoweringContext &ctx = nest.ctx;
  nest.segmentOps = {ops.begin(), ops.end()};
  if (nest.vectorAxis < 0) return lowerInOrder(nest, ops);
  nest.vectorLocalsOf.clear();
  const AxisRefs refs = identityRefs(nest.layout);
  for (const Op *op : ops)
    for (const Value *operand : op->operands())
      if (operand) vectorLocals(nest, operand, operandRefs(op, operand, refs));
  auto savedElements = nest.elementExprs, savedVectors = nest.vectorExprs;
  ctx.out.begin();
  ctx.names.open();
  lowerInOrder(nest, ops);
  ctx.names.close();
  Stmts body = ctx.out.end();
  if (body.empty()) return;  // all of it folded into later uses
  ctx.out.open({unrolledLoop(nest.vars[nest.vectorAxis].symbol(),
                             ctx.constants.extent(nest.layout, nest.vectorAxis))});
  ctx.out.append(std::move(body));
  ctx.out.close();
  // Names of the loop's body end with it.
  nest.elementExprs = std::move(savedElements);
  nest.vectorExprs = std::move(savedVectors);
}

}  // namespace tile2cu::emit
