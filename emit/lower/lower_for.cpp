// The head of a `for` loop.
//
// A range also ends at its bound where the next value of its variable, `k + step`, does not fit its
// type. Where the ranges of the numbers show that the sum always fits, the head is the usual one.
// Otherwise the loop counts something that cannot wrap around, and the body computes k:
//
//     for (int k_left = K; k_left > 0; k_left -= 64) {  // the distance to the bound
//       const int k = K - k_left;
//
//     for (uint32_t k_step = 0, k_steps = step_count(0, K, q); k_step < k_steps; ++k_step) {
//       const int k = int(k_step * q);
//
// nvcc computes the number of steps of both, and unrolls them as it does `k += 64`. It does not for
// a distance if the step is a variable.
#include <limits>

#include "emit/lower/loops.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::Assume;
using passes::Distance;
using passes::Integers;

static bool isDown(const ForOp &loop) { return isGreater(loop.compare()); }

// The number that a constant step adds. A step down of an unsigned type is stored as a large
// number.
static std::optional<int64_t> constantStep(const ForOp &loop) {
  const auto known = constantInt(loop.step());
  const bool isLarge = known && isDown(loop) && loop.step()->type.scalar() == Scalar::U32;
  return isLarge ? static_cast<int32_t>(*known) : known;
}

static Expr converted(Scalar type, const Expr &e) { return call(cppType(type), {e}); }

// `a - b`; -b where a is 0.
static Expr difference(const Expr &a, const Expr &b) {
  return isZero(a) ? unary("-", b) : isZero(b) ? a : binary(Prec::Additive, "-", a, b);
}

bool isCounted(const ForOp &loop) {
  return loop->getBool(Attr::stops) && !Integers(Assume::Launched).staysInType(loop.op);
}

Expr namedBound(LoweringContext &ctx, const Value *value, const std::string &name) {
  const Expr e = scalar(ctx, value);
  if (e.isAtom() || constantInt(value)) return e;
  const Symbol taken = ctx.names.take(name);
  ctx.out.add(constant(typeOf(value->type), taken, e));
  return named(taken);
}

// How the variable of a loop gets its next value.
static Assign advance(LoweringContext &ctx, const ForOp &loop, const Symbol &var,
                      const Expr &step) {
  const Scalar type = loop.step()->type.scalar();
  const auto known = constantStep(loop);
  const bool isLarge = known && isDown(loop) && !isSigned(type) && step.isLiteral();
  if (step.isLiteral("1")) return {named(var), "++"};
  if (step.isLiteral("-1") || (isLarge && *known == -1)) return {named(var), "--"};
  if (isLarge && *known < 0) return {named(var), "-=", integer(-*known)};
  // A negative constant step whose size is a template argument.
  if (known && (step.isNegative() || step.is(ExprKind::Unary, "-")))
    return {named(var), "-=", ctx.constants.number(constantDim(loop.step())->times(-1), type)};
  return {named(var), "+=", step};
}

// for (type var = begin; condition; advance)
static For countingLoop(const Expr &type, const Symbol &var, const Expr &begin,
                        const Expr &condition, const Assign &advance) {
  For loop;
  loop.start = {type, {{var, {}, begin}}};
  loop.condition = condition;
  loop.advance = advance;
  return loop;
}

LoopHead usualHead(LoweringContext &ctx, const ForOp &loop, const Symbol &var, const Range &range) {
  return {countingLoop(typeOf(loop.lower()->type), var, range.begin,
                       comparison(loop.compare(), named(var), range.end),
                       advance(ctx, loop, var, range.step)),
          {}};
}

// The number that each step adds or takes away, as a positive one.
static uint64_t sizeOf(int64_t step) {
  return step < 0 ? uint64_t{0} - static_cast<uint64_t>(step) : step;
}

// Counts the distance to the bound down. The counter is signed, so that it ends at or below 0. Its
// type is the variable's if the distance fits that, and otherwise int64_t, which holds every
// distance of 32-bit numbers.
static std::optional<LoopHead> distanceHead(LoweringContext &ctx, const ForOp &loop,
                                            const Symbol &var, const Range &range) {
  const Scalar type = loop.lower()->type.scalar();
  const auto step = constantStep(loop);
  if (!step || *step == std::numeric_limits<int64_t>::min()) return std::nullopt;
  const bool down = isDown(loop);
  T2C_ASSERT(down ? *step < 0 : *step > 0);
  const auto size = static_cast<int64_t>(sizeOf(*step));
  const Distance distance = Integers(Assume::Launched).distanceOf(loop.op);
  const bool isSame =
      isSigned(type) && distance != Distance::Unknown && llvm::isIntN(bitWidth(type), size);
  if (!isSame && bitWidth(type) != 32) return std::nullopt;
  const Scalar counter = isSame ? type : Scalar::I64;
  const Symbol left = ctx.names.take(var.wanted().str() + "_left", {Origin::Generated});
  const Expr &high = down ? range.begin : range.end, &low = down ? range.end : range.begin;
  Expr first = isSame         ? difference(high, low)
               : isZero(high) ? unary("-", converted(counter, low))
                              : difference(converted(counter, high), low);
  // Where the loop has no step, the distance need not fit.
  if (isSame && distance == Distance::FitsIfRuns && !loop->getBool(Attr::runs))
    first = conditional(binary(Prec::Relational, ">", high, low), first, integer(0));
  Expr index =
      down ? sum(range.end, named(left)) : binary(Prec::Additive, "-", range.end, named(left));
  if (!isSame) index = converted(type, index);
  const Expr condition = binary(Prec::Relational, ">", named(left), integer(0));
  const Dim written = *constantDim(loop.step());
  const Dim counted = Dim(size).orFrom(written).orFrom(written.times(-1));
  return LoopHead{countingLoop(typeOf(counter), left, first, condition,
                               {named(left), "-=", ctx.constants.number(counted, counter)}),
                  index};
}

// Counts the iterations. The unsigned type holds their number, and may wrap around.
static LoopHead stepsHead(LoweringContext &ctx, const ForOp &loop, const Symbol &var,
                          const Range &range) {
  const Scalar type = loop.lower()->type.scalar();
  const std::string counter = bitWidth(type) == 32 ? "uint32_t" : "uint64_t";
  const std::string base = var.wanted().str();
  const Symbol steps = ctx.names.take(base + "_steps", {Origin::Generated}),
               at = ctx.names.take(base + "_step", {Origin::Generated});
  const bool down = isDown(loop);
  const Expr size = down ? digits(std::to_string(sizeOf(*constantStep(loop))) + "u") : range.step;
  const Expr count = call("tile2cu::step_count",
                          {down ? range.end : range.begin, down ? range.begin : range.end, size});
  const Expr distance = product(named(at), size);
  Expr index =
      down ? binary(Prec::Additive, "-", range.begin, distance) : sum(range.begin, distance);
  if (isSigned(type)) index = converted(type, index);
  For head =
      countingLoop(word(counter), at, integer(0),
                   binary(Prec::Relational, "<", named(at), named(steps)), {named(at), "++"});
  head.start.all.push_back({steps, {}, count});
  return {std::move(head), index};
}

LoopHead countedHead(LoweringContext &ctx, const ForOp &loop, const Symbol &var,
                     const Range &range) {
  const auto distance = distanceHead(ctx, loop, var, range);
  return distance ? *distance : stepsHead(ctx, loop, var, range);
}

}  // namespace tile2cu::emit
