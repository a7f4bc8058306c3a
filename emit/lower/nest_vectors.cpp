// Whole vectors of a loop nest: accesses to global and shared memory, random bits.
#include "emit/lower/access_helpers.h"
#include "emit/lower/loop_nest.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// ---- places

// Whether an index has several additions: (warp * M_TILES + i) * 16 + h * 8 + lane / 4.
static bool isLongIndex(const Expr &e) {
  int additions = 0;
  walk(e, [&](const Expr &node) {
    additions += node.is(ExprKind::Binary) && node.prec() == Prec::Additive;
  });
  return additions > 1;
}

// The coordinate `e` in a part of what is in shared memory, which starts elsewhere.
static Expr fromStart(LoopNest &nest, const SharedLoadOp &load, unsigned dim, const Expr &e) {
  const Value *start = load->operand(SharedLoadOp::starts_anyIndex + dim);
  if (!start) return e;
  const Expr by = scalar(nest.ctx, start);
  if (!load->getBool(Attr::subtracts)) return sum(e, by);
  return by.isLiteral("0") ? e : binary(Prec::Additive, "-", e, by);
}

Expr sharedPlace(LoopNest &nest, const Op *op, llvm::ArrayRef<Expr> vars) {
  LoweringContext &ctx = nest.ctx;
  llvm::SmallVector<Expr, 4> at;
  const bool isLoad = op->kind == OpKind::SharedLoad, isStore = op->kind == OpKind::SharedStore;
  for (unsigned d = 0; d < nest.op->layout->rank(); ++d) {
    if (op->has(Attr::axis) && op->getInt(Attr::axis) == d) {
      const Value *index =
          op->operand(isLoad ? +SharedLoadOp::index_optIndex : +SharedStoreOp::index_optIndex);
      at.push_back(valueAt(nest, index, identityRefs(nest.layout), Level::Element));
      continue;
    }
    Expr e = coordinate(ctx, nest.layout, d, vars);
    const Names::Constant *same = ctx.names.constant(word("int"), e);
    Symbol known = same ? same->name : Symbol();
    // A long one gets a name, so that the place can be read.
    if (!known && isLongIndex(e)) {
      known = ctx.names.take(nest.op->layout->rank() == 1 ? "element" : d == 0 ? "row" : "column");
      ctx.out.declareConstant(word("int"), known, e);
      ctx.names.rememberConstant(word("int"), e, known);
    }
    if (known) e = named(known);
    at.push_back(isLoad ? fromStart(nest, SharedLoadOp(op), d, e) : e);
  }
  const Value *stage = isStore                         ? op->operand(2)
                       : isLoad                        ? op->operand(1)
                       : op->kind == OpKind::AsyncCopy ? op->operand(3)
                                                       : nullptr;
  return sharedElement(ctx, op->getInt(Attr::buffer), stage ? scalar(ctx, stage) : Expr{},
                       op->getInt(Attr::offset), op->getInts(Attr::strides), at);
}

// ---- vectors

Expr pointerAt(LoopNest &nest, const Op *op, Level level) {
  return valueAt(nest, op->operand(0), operandRefs(op, op->operand(0), identityRefs(nest.layout)),
                 level);
}

Expr maskAt(LoopNest &nest, const Op *op, Level level) {
  LoweringContext &ctx = nest.ctx;
  const Value *mask = passes::maskOf(op);
  bool prefix = op->get(Attr::form) == MaskForm::Prefix;
  Expr e = mask     ? valueAt(nest, mask, identityRefs(nest.layout), level)
           : prefix ? named("VEC")
                    : word("true");
  if (prefix && !nest.steps.isVectorAccess(op)) {  // a vector of one element
    e = binary(Prec::Relational, ">", e, integer(0));
    prefix = false;
  }
  const Expr owner = op->kind == OpKind::Load ? Expr{} : ownerCondition(ctx, nest.layout);
  if (!owner) return e;
  if (prefix) return conditional(owner, e, integer(0));
  return mask ? bothOf(owner, e) : owner;
}

Expr vectorType(LoopNest &nest, const Expr &element) {
  LoweringContext &ctx = nest.ctx;
  return instance("tile2cu::vec", {element, ctx.constants.extent(nest.layout, nest.vectorAxis)});
}

// The vector a store takes: a loaded or computed array's, or one filled just before.
static Expr vectorOperand(LoopNest &nest, const Value *value) {
  LoweringContext &ctx = nest.ctx;
  const Storage &storage = ctx.values.stored(value);
  if (storage.isVector && storage.member.empty() && !storage.axes)
    return storageRef(ctx, storage, nest.vars, true);
  if (storage.isFragment && storage.isWhole()) return pairOf(ctx, storage, nest.vars);
  // A member of an array of structs: gathered first.
  const Expr vector = named(ctx.names.take(value->name.empty() ? "result" : value->name));
  const Expr &var = nest.vars[nest.vectorAxis];
  ctx.out.add(variable(vectorType(nest, typeOf(value->type)), vector.symbol()));
  ctx.out.open({unrolledLoop(var.symbol(), ctx.constants.extent(nest.layout, nest.vectorAxis))});
  ctx.out.set(elementOf(vector, var), storageRef(ctx, storage, nest.vars));
  ctx.out.close();
  return vector;
}

// The place of the loop nest's whole vector in shared memory.
static Expr sharedVector(LoopNest &nest, const Op *op) {
  LoweringContext &ctx = nest.ctx;
  Vars vars = nest.vars;
  vars[nest.vectorAxis] = integer(0);
  // nvcc splits a vector of bytes into registers of one byte each and packs them again.
  const SharedBuffer &buffer = ctx.kernel.shared[op->getInt(Attr::buffer)];
  const bool isInWords = op->kind == OpKind::SharedLoad && byteWidth(buffer.members[0]) == 1 &&
                         nest.steps.sharedPiece(op) % 4 == 0;
  const Expr helper = instance(isInWords ? "tile2cu::load_vec" : "tile2cu::as_vec",
                               {ctx.constants.extent(nest.layout, nest.vectorAxis)});
  return call(helper, {addressOf(sharedPlace(nest, op, vars))});
}

static bool isInPieces(const LoopNest &nest, const Op *op) {
  LoweringContext &ctx = nest.ctx;
  return nest.steps.sharedPiece(op) != ctx.constants.vectorAxisOf(nest.layout)->extent;
}

// Calls `access` in a loop over the pieces of a vector, with the addresses of each in shared memory
// and in the variable `vector`.
static void forPieces(LoopNest &nest, const Op *op, const Expr &vector,
                      llvm::function_ref<void(const Expr &place, const Expr &part)> access) {
  LoweringContext &ctx = nest.ctx;
  const Expr &first = nest.vars[nest.vectorAxis];
  ctx.names.open();
  For loop = unrolledLoop(first.symbol(), ctx.constants.extent(nest.layout, nest.vectorAxis));
  loop.advance = {first, "+=", integer(nest.steps.sharedPiece(op))};
  ctx.out.open({std::move(loop)});
  access(addressOf(sharedPlace(nest, op, nest.vars)), addressOf(elementOf(vector, first)));
  ctx.out.close();
  ctx.names.close();
}

static void loadPieces(LoopNest &nest, const Op *op) {
  LoweringContext &ctx = nest.ctx;
  const Value *result = op->result();
  const bool isNew = !ctx.values.isPlaced(result);
  if (isNew)
    ctx.values.place(result, localVector(nest, result->name.empty() ? "moved" : result->name));
  const Storage &stored = ctx.values.storageOf(result);
  const Expr vector = storageRef(ctx, stored, nest.vars, true);
  if (isNew)
    ctx.out.add(variable(vectorType(nest, typeOf(result->type)), stored.name));
  else if (nest.undeclared.erase(result))
    ctx.out.add(declare(ctx, result->type, stored.name));
  const Expr asPiece = instance("tile2cu::as_vec", {integer(nest.steps.sharedPiece(op))});
  forPieces(nest, op, vector, [&](const Expr &place, const Expr &part) {
    ctx.out.set(call(asPiece, {part}), call(asPiece, {place}));
  });
}

static void storeSharedVector(LoopNest &nest, const Op *op) {
  LoweringContext &ctx = nest.ctx;
  const Expr value = vectorOperand(nest, op->operand(0)),
             condition = ownerCondition(ctx, nest.layout);
  if (!isInPieces(nest, op)) {
    ctx.out.add(shortIf(condition, {Assign{sharedVector(nest, op), "=", value}}));
    return;
  }
  const Expr piece = integer(nest.steps.sharedPiece(op)),
             asPiece = instance("tile2cu::as_vec", {piece});
  // nvcc would also unpack and repack small elements of a part of a vector.
  const bool isInWords = byteWidth(op->operand(0)->type.scalar()) <= 2;
  forPieces(nest, op, value, [&](const Expr &place, const Expr &part) {
    if (isInWords)
      ctx.out.add(shortIf(condition,
                          evaluate(call(instance("tile2cu::store_vec", {piece}), {place, part}))));
    else
      ctx.out.add(shortIf(condition, {Assign{call(asPiece, {place}), "=", call(asPiece, {part})}}));
  });
}

static void storeVector(LoopNest &nest, const Op *op) {
  const Expr pointer = pointerAt(nest, op, Level::Vector), mask = maskAt(nest, op, Level::Vector),
             value = vectorOperand(nest, op->operand(1));
  T2C_ASSERT(op->kind == OpKind::Store || !op->has(Attr::fences));
  nest.ctx.out.add(evaluate(call(vectorHelper(nest, op), {mask, pointer, value})));
}

// The vector that an access makes.
static Expr loadedVector(LoopNest &nest, const Op *op) {
  LoweringContext &ctx = nest.ctx;
  const auto refs = identityRefs(nest.layout);
  if (op->kind == OpKind::SharedLoad) return sharedVector(nest, op);
  if (op->kind == OpKind::Cast)
    return call(op->result()->type.scalar() == Scalar::F16 ? "tile2cu::bytes_to_half"
                                                           : "tile2cu::bytes_to_bfloat16",
                {vectorOperand(nest, op->operand(0))});
  if (op->kind == OpKind::RandomBits) {
    const auto offsets = operandRefs(op, op->operand(1), refs);
    const Expr offset = valueAt(nest, op->operand(1), offsets, Level::Vector);
    const Expr elements = ctx.constants.extent(nest.layout, nest.vectorAxis);
    return call(instance("tile2cu::random_bits", {elements}),
                {scalar(ctx, op->operand(0)), offset});
  }
  const Expr mask = maskAt(nest, op, Level::Vector), pointer = pointerAt(nest, op, Level::Vector);
  const Scalar type = op->result()->type.scalar();
  const Expr other = op->operand(2) ? valueAt(nest, op->operand(2), refs, Level::Vector)
                                    : literal(type, int64_t{0});
  return call(vectorHelper(nest, op), {mask, pointer, other});
}

// Puts a vector that was loaded into a fragment.
static void setPair(LoopNest &nest, const Storage &fragment, const Storage &vector) {
  LoweringContext &ctx = nest.ctx;
  Vars vars = nest.vars;
  for (const int64_t column : {0, 1}) {
    vars.back() = integer(column);
    ctx.out.set(storageRef(ctx, fragment, vars), storageRef(ctx, vector, vars));
  }
}

void vectorAccess(LoopNest &nest, Op *op) {
  LoweringContext &ctx = nest.ctx;
  const AtSource at(ctx.out, sourceOf(*op));
  if (op->kind == OpKind::AsyncCopy) return asyncCopy(nest, op, Level::Vector);
  if (op->kind == OpKind::SharedStore) return storeSharedVector(nest, op);
  if (op->kind == OpKind::Store || op->kind == OpKind::Atomic) return storeVector(nest, op);
  if (op->kind == OpKind::SharedLoad && isInPieces(nest, op)) return loadPieces(nest, op);
  const Expr value = loadedVector(nest, op);
  const Storage *stored = ctx.values.storageIf(op->result());
  if (stored && !stored->isFragment) {
    if (nest.undeclared.erase(op->result()))
      ctx.out.add(declare(ctx, op->result()->type, stored->name, value));
    else
      ctx.out.set(storageRef(ctx, *stored, nest.vars, true), value);
    return;
  }
  Storage storage = localVector(nest, !stored && !op->result()->name.empty() ? op->result()->name
                                      : op->kind == OpKind::Load             ? "loaded"
                                      : op->kind == OpKind::Cast             ? "converted"
                                      : op->kind == OpKind::SharedLoad       ? "moved"
                                                                             : "bits");
  const Expr type = vectorType(nest, typeOf(op->result()->type));
  // Parts of what is converted may be stored one by one: as_vec takes no constants.
  ctx.out.add(op->kind == OpKind::Cast ? variable(type, storage.name, value)
                                       : constant(type, storage.name, value));
  if (stored)
    setPair(nest, *stored, storage);
  else
    ctx.values.place(op->result(), storage);
}

// One vector of the loop nest's layout, a variable of the loop's body.
Storage localVector(LoopNest &nest, const std::string &name, const Hint &hint) {
  LoweringContext &ctx = nest.ctx;
  Storage storage;
  storage.name = ctx.names.take(name, hint);
  storage.layout = nest.op->layout;
  storage.isVector = storage.oneVector = true;
  return storage;
}

void asyncCopy(LoopNest &nest, const Op *op, Level level) {
  LoweringContext &ctx = nest.ctx;
  const Layout &layout = nest.layout;
  Vars vars = nest.vars;
  if (level == Level::Vector) vars[nest.vectorAxis] = integer(0);
  auto refs = identityRefs(layout);
  Expr condition = ownerCondition(ctx, layout);
  if (op->operand(2)) condition = bothOf(condition, valueAt(nest, op->operand(2), refs, level));
  Expr mask = op->operand(1) ? valueAt(nest, op->operand(1), refs, level) : Expr{};
  const Expr pointer = pointerAt(nest, op, level), place = addressOf(sharedPlace(nest, op, vars));
  const bool isPrefix = op->get(Attr::form) == MaskForm::Prefix;
  if (isPrefix && level != Level::Vector && mask)
    mask = binary(Prec::Relational, ">", mask, integer(0));
  llvm::SmallVector<Expr, 3> arguments{place, pointer};
  if (mask) arguments.insert(arguments.begin(), mask);
  ctx.out.add(shortIf(
      condition, evaluate(Effect::Synchronizes, call(copyHelper(nest, op, level), arguments))));
}

}  // namespace tile2cu::emit
