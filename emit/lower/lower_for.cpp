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

#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::Assume;
using passes::Distance;
using passes::Integers;

static bool isDown(const Op *loop) { return isGreater(ForOp(loop).compare()); }

// What a constant step adds. Of an unsigned type, a step down is stored as a large number.
static std::optional<int64_t> constantStep(const Op *loop) {
  const auto known = constantInt(ForOp(loop).step());
  const bool isLarge = known && isDown(loop) && ForOp(loop).step()->type.scalar() == Scalar::U32;
  return isLarge ? static_cast<int32_t>(*known) : known;
}

static Expr converted(Scalar type, const Expr &e) { return call(cppType(type), {e}); }

// `a - b`; -b where a is 0.
static Expr difference(const Expr &a, const Expr &b) {
  return isZero(a) ? unary("-", b) : isZero(b) ? a : binary(Prec::Additive, "-", a, b);
}

bool KernelEmitter::isCounted(const Op *loop) {
  return loop->getBool(Attr::stops) && !Integers(Assume::Launched).staysInType(loop);
}

Expr KernelEmitter::namedBound(const Value *value, const std::string &name) {
  const Expr e = scalar(value);
  if (e.isAtom() || constantInt(value)) return e;
  const std::string taken = names_.take(name);
  add(constant(typeOf(value->type), taken, e));
  return named(taken);
}

// How the variable of a loop gets its next value.
Assign KernelEmitter::advance(const Op *loop, const std::string &var, const Expr &step) {
  const Scalar type = ForOp(loop).step()->type.scalar();
  const auto known = constantStep(loop);
  const bool isLarge = known && isDown(loop) && !isSigned(type) && step.isLiteral();
  if (step.isLiteral("1")) return {named(var), "++"};
  if (step.isLiteral("-1") || (isLarge && *known == -1)) return {named(var), "--"};
  if (isLarge && *known < 0) return {named(var), "-=", integer(-*known)};
  // A negative constant step whose size is a template argument.
  if (step.isNegative())
    return {named(var), "-=", number(std::stoll(step.spelling().substr(1)), type)};
  return {named(var), "+=", step};
}

// for (type var = begin; condition; advance)
static For countingLoop(const Expr &type, const std::string &var, const Expr &begin,
                        const Expr &condition, const Assign &advance) {
  For loop;
  loop.start = {type, {{var, {}, begin}}};
  loop.condition = condition;
  loop.advance = advance;
  return loop;
}

KernelEmitter::LoopHead KernelEmitter::usualHead(const Op *loop, const std::string &var,
                                                 const Expr &begin, const Expr &end,
                                                 const Expr &step) {
  return {
      countingLoop(typeOf(ForOp(loop).lower()->type), var, begin,
                   comparison(ForOp(loop).compare(), named(var), end), advance(loop, var, step)),
      {}};
}

// What each step adds or takes away, as a positive number.
static uint64_t sizeOf(int64_t step) {
  return step < 0 ? uint64_t{0} - static_cast<uint64_t>(step) : step;
}

// Counts the distance to the bound down. The counter is signed, so that it ends at or below 0. Its
// type is the variable's if the distance fits that, and otherwise int64_t, which holds every
// distance of 32-bit numbers.
std::optional<KernelEmitter::LoopHead> KernelEmitter::distanceHead(const Op *loop,
                                                                   const std::string &var,
                                                                   const Expr &begin,
                                                                   const Expr &end) {
  const Scalar type = ForOp(loop).lower()->type.scalar();
  const auto step = constantStep(loop);
  if (!step || *step == std::numeric_limits<int64_t>::min()) return std::nullopt;
  const bool down = isDown(loop);
  T2C_ASSERT(down ? *step < 0 : *step > 0);
  const auto size = static_cast<int64_t>(sizeOf(*step));
  const Distance distance = Integers(Assume::Launched).distanceOf(loop);
  const bool isSame =
      isSigned(type) && distance != Distance::Unknown && llvm::isIntN(bitWidth(type), size);
  if (!isSame && bitWidth(type) != 32) return std::nullopt;
  const Scalar counter = isSame ? type : Scalar::I64;
  const std::string left = names_.take(var + "_left");
  const Expr &high = down ? begin : end, &low = down ? end : begin;
  Expr first = isSame         ? difference(high, low)
               : isZero(high) ? unary("-", converted(counter, low))
                              : difference(converted(counter, high), low);
  // Where the loop has no step, the distance need not fit.
  if (isSame && distance == Distance::FitsIfRuns && !loop->getBool(Attr::runs))
    first = conditional(binary(Prec::Relational, ">", high, low), first, integer(0));
  Expr index = down ? sum(end, named(left)) : binary(Prec::Additive, "-", end, named(left));
  if (!isSame) index = converted(type, index);
  const Expr condition = binary(Prec::Relational, ">", named(left), integer(0));
  return LoopHead{countingLoop(typeOf(counter), left, first, condition,
                               {named(left), "-=", number(size, counter)}),
                  index};
}

// Counts the steps. The unsigned type holds their number; the sums may wrap around in it.
KernelEmitter::LoopHead KernelEmitter::stepsHead(const Op *loop, const std::string &var,
                                                 const Expr &begin, const Expr &end,
                                                 const Expr &step) {
  const Scalar type = ForOp(loop).lower()->type.scalar();
  const std::string counter = bitWidth(type) == 32 ? "uint32_t" : "uint64_t";
  const std::string steps = names_.take(var + "_steps"), at = names_.take(var + "_step");
  const bool down = isDown(loop);
  const Expr size = down ? digits(std::to_string(sizeOf(*constantStep(loop))) + "u") : step;
  const Expr count = call("tile2cu::step_count", {down ? end : begin, down ? begin : end, size});
  const Expr distance = product(named(at), size);
  Expr index = down ? binary(Prec::Additive, "-", begin, distance) : sum(begin, distance);
  if (isSigned(type)) index = converted(type, index);
  For head =
      countingLoop(word(counter), at, integer(0),
                   binary(Prec::Relational, "<", named(at), named(steps)), {named(at), "++"});
  head.start.all.push_back({steps, {}, count});
  return {std::move(head), index};
}

KernelEmitter::LoopHead KernelEmitter::countedHead(const Op *loop, const std::string &var,
                                                   const Expr &begin, const Expr &end,
                                                   const Expr &step) {
  const auto distance = distanceHead(loop, var, begin, end);
  return distance ? *distance : stepsHead(loop, var, begin, end, step);
}

}  // namespace tile2cu::emit
