// Counter-based random numbers: Philox-4x32-10 with the 64-bit seed as key. Offset o uses word o %
// 4 of the block at counter o / 4, so four neighbouring offsets share one call.
#pragma once

#include "math.h"

#if !defined(__TILE2CU__)
#include "cpu/random.h"
#endif

namespace tl {

namespace detail {
template <class S, class X>
concept SeedAnd = Scalar<S> && Integral<S> && Integral<X>;
template <class X>
using Words = WithElement<std::uint32_t, X>;
}  // namespace detail

// 32 random bits for each offset (a negative offset counts modulo 2^64).
template <class S, class X>
  requires detail::SeedAnd<S, X>
TL_OP("random_bits")
detail::Words<X> random_bits(const S& seed, const X& offsets)
    TL_CPU(return cpu::randomBits<detail::Words<X>>(seed, offsets););

// The four words of Philox-4x32-10 at the 64-bit counter: `auto [a, b, c, d] = philox(seed,
// counter);`
template <class S, class X>
  requires detail::SeedAnd<S, X>
TL_OP("philox")
tuple<detail::Words<X>, detail::Words<X>, detail::Words<X>, detail::Words<X>> philox(
    const S& seed, const X& counter)
    TL_CPU(return cpu::philoxWords<detail::Words<X>>(seed, counter););

// Uniform in [0, 1): multiples of 2^-24.
template <class S, class X>
  requires detail::SeedAnd<S, X>
__tile__ detail::WithElement<float, X> rand(const S& seed, const X& offsets) {
  return cast<float>(random_bits(seed, offsets) >> 8) * 0x1p-24f;
}

// Any int, with equal probability.
template <class S, class X>
  requires detail::SeedAnd<S, X>
__tile__ detail::WithElement<int, X> randint(const S& seed, const X& offsets) {
  return bitcast<int>(random_bits(seed, offsets));
}

// Standard normal (Box-Muller): offsets 2k and 2k + 1 return the cosine and the sine form of one
// pair of uniform numbers, rand(seed, 2k) and rand(seed, 2k + 1).
template <class S, class X>
  requires detail::SeedAnd<S, X>
__tile__ detail::WithElement<float, X> randn(const S& seed, const X& offsets) {
  auto even = offsets & ~1;
  auto radius = sqrt(log(1.0f - rand(seed, even)) * -2.0f);
  auto turn = rand(seed, even + 1) - cast<float>(offsets & 1) * 0.25f;
  return radius * cos(turn * 6.283185307179586f);
}

}  // namespace tl
