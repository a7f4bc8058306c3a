#include "emit/lower/scalars.h"

#include "emit/cuda/printer.h"
#include "emit/lower/tables.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

Expr scalar(LoweringContext &ctx, const Value *value) {
  if (const Remembered *known = ctx.values.known(value)) return ctx.values.recalled(value, *known);
  if (ctx.values.isPlaced(value)) return ctx.values.stored(value).at();
  if (const auto table = TableOp::of(value)) return ctx.info.options.tables->nameOf(table);
  const ConstantOp constant = ConstantOp::of(value);
  T2C_ASSERT(constant);
  if (value->type.isPointer()) return nullPointer(value->type);
  const Scalar type = value->type.scalar();
  if (isFloat(type)) return literal(type, constant->getDouble(Attr::value));
  if (type == Scalar::Bool) return word(constant->getBool(Attr::value) ? "true" : "false");
  const int64_t number = constant->getInt(Attr::value);
  if (constant->getBool(Attr::named)) return ctx.constants.stages(number);
  const Expr written = ctx.constants.number(*constantDim(value), type);
  // nvcc warns where a constant changes its sign without a cast.
  const bool changesSign = number < 0 && !isSigned(type) && !written.isLiteral();
  return changesSign ? call(cppType(type), {written}) : written;
}

const Value *implicitSource(const Op *op, unsigned i) {
  const Value *value = op->operand(i);
  return isConvertedInPlace(op, i) ? conversionOf(value)->operand(0) : value;
}

// Whether the expression of a value is 0, or 0 with a cast: int64_t(0).
static bool spellsZero(const Value *value, const Expr &e) {
  return e.isLiteral("0") || e == call(typeOf(value->type.element()), {integer(0)});
}

Expr withoutZero(const Op *op, llvm::ArrayRef<Expr> operands) {
  const bool isProduct = op->kind == OpKind::Mul, isAddress = op->kind == OpKind::AddPtr;
  if (!isProduct && !isAddress && op->kind != OpKind::Add) return {};
  const Type &type = op->result()->type;
  if (!type.isPointer() && !isInteger(type.scalar())) return {};
  const auto isZero = [&](unsigned i) { return spellsZero(op->operand(i), operands[i]); };
  if (isProduct && (isZero(0) || isZero(1)))
    return bitWidth(type.scalar()) == 64 ? call(typeOf(type.element()), {integer(0)}) : integer(0);
  for (const unsigned other : {0, 1}) {
    const bool isSame = implicitSource(op, other) == op->operand(other);
    if (!isProduct && isSame && (!isAddress || other == 0) && isZero(1 - other))
      return operands[other];
  }
  return {};
}

Expr loneThread(LoweringContext &ctx) {
  return binary(Prec::Equality, "==", named(threadWord(ctx)), integer(0));
}

// Whether every use is one that C++ converts by itself, and that is written without the cast.
static bool convertsInPlace(const Op *op) {
  return op->kind == OpKind::Cast && llvm::all_of(op->result()->users, [&](const Op *user) {
           if (user->results.empty() || user->result()->type.isTile()) return false;
           for (unsigned i = 0; i < user->numOperands(); ++i)
             if (user->operand(i) == op->result() && implicitSource(user, i) == op->result())
               return false;
           return true;
         });
}

// How much a reader has to take in: a variable or number counts 1, as do a call, a cast and a sign,
// and an element of an array counts 2.
static unsigned readingCost(const Expr &e) {
  if (!e || e.is(ExprKind::Word) || e.is(ExprKind::Template)) return 0;
  if (e.isAtom() || e.is(ExprKind::Member)) return 1;
  if (e.is(ExprKind::Index)) return 2;
  unsigned cost = e.is(ExprKind::Call) || e.is(ExprKind::Unary);
  for (const Expr &operand : e.operands()) cost += readingCost(operand);
  return cost;
}

bool isLong(const Expr &e) {
  constexpr unsigned kMost = 8;  // moves[i] ? acc[i] * factor[i] : acc[i]
  return readingCost(e) > kMost;
}

static bool usedElsewhere(const Value *value, const Block *home) {
  return llvm::any_of(value->users, [&](const Op *user) { return user->parent != home; });
}

// Whether the value is a part of the pointer that initializes the variable of a loop.
static bool isFirstPointer(const Value *value, const Block *home) {
  while (value->type.isPointer() && value->name.empty() && value->users.size() == 1) {
    const Op *user = value->users.front();
    if (user->parent != home) return false;
    if (user->kind == OpKind::For)
      return llvm::is_contained(llvm::drop_begin(user->operands(), ForOp::kFirstInit), value);
    if (user->kind != OpKind::AddPtr) return false;
    value = user->result();
  }
  return false;
}

void bindScalar(LoweringContext &ctx, const Op *op, const Value *value, Expr e, bool mustName) {
  if (value->unused()) return;
  if (convertsInPlace(op)) {
    ctx.values.remember(value, std::move(e));
    return;
  }
  // A converted parameter reads best in place, and so does a variable that needs 64 bits here.
  const bool isWidened =
      passes::isWidening(op) && e.is(ExprKind::Call) && e.operands().back().isName();
  bool trivial = e.isAtom() || (op->kind == OpKind::Cast && op->result()->name.empty() &&
                                (op->operand(0)->isArgument() || isWidened));
  bool named = !ctx.scalarNames.hintOf(value).empty();
  // The next value of a loop's variable is written into it, at the end of the body:
  // left = left / 2. Its first value is written where it is declared.
  const Op *user = value->users.size() == 1 ? value->users.front() : nullptr;
  const bool isHandedOn = user && user->kind == OpKind::Yield && user->parent == op->parent;
  const Op *holder = isHandedOn ? user->parentOp() : nullptr;
  if (!mustName && (isLoop(holder) || isFirstPointer(value, op->parent))) {
    ctx.values.remember(value, std::move(e));
    return;
  }
  bool needs = mustName || (!trivial && (named || value->users.size() > 1 ||
                                         usedElsewhere(value, op->parent) || isLong(e)));
  if (!needs) {
    ctx.values.remember(value, std::move(e));
    return;
  }
  ctx.comments.statement(op);
  // The result of a branch is written into its variable, which is not read before.
  if (holder && holder->kind == OpKind::If) {
    const unsigned at = llvm::find(user->operands(), value) - user->operands().begin();
    const Symbol &variable = ctx.values.storageOf(holder->result(at)).name;
    ctx.out.assign(emit::named(variable), e);
    ctx.values.remember(value, emit::named(variable));
    return;
  }
  const Symbol name =
      named ? ctx.names.take(ctx.scalarNames.hintOf(value),
                             {.second = value->name.empty() ? ctx.scalarNames.secondName(op) : ""})
            : ctx.names.take(ctx.scalarNames.roleName(op),
                             {Origin::Generated, ctx.scalarNames.secondName(op)});
  const bool isThreshold = op->kind == OpKind::UniformThreshold;
  // const int column = uint32_t(id) / rows;
  const Op *from = op->kind == OpKind::Cast ? op->operand(0)->definition : nullptr;
  const bool isImplicit = e.isCallOf("int") && from &&
                          from->result()->type.scalar() == Scalar::U32 &&
                          (from->kind == OpKind::Div || from->kind == OpKind::Rem);
  ctx.out.declareScalar(isThreshold ? word("auto") : typeOf(value->type), name,
                        isImplicit ? e.operand(1) : e);
  ctx.values.remember(value, emit::named(name));
}

}  // namespace tile2cu::emit
