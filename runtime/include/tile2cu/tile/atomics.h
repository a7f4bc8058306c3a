// Atomics through tiles of pointers and through scalar pointers. An address whose mask is false is
// not accessed, and its old value is zero. Mask and value broadcast to the shape of the pointers.
#pragma once

#include "memory.h"

#if !defined(__TILE2CU__)
#include "cpu/atomics.h"
#endif

namespace tl {

namespace detail {

template <class... O>
concept AtomicOptions = (isAtomicOption<O> && ...);
template <class T>
inline constexpr bool isUpdated = isArithmetic<T> && !isBool<T> && sizeof(T) >= 2;
// Pointers to what atomics update, and to integers among it.
template <class P>
concept Updates = Stores<P> && isUpdated<typename PointeeOf<P>::Stored>;
template <class P>
concept UpdatesIntegers = Updates<P> && isInteger<typename PointeeOf<P>::Stored>;
// Pointers, perhaps to const, to what an atomic load reads.
template <class P>
concept LoadsAtomically = Loads<P> && isUpdated<typename PointeeOf<P>::Stored>;

}  // namespace detail

#define TL_UPDATED "16-, 32- or 64-bit integers or to floats, not to const"
#define TL_INTEGERS "16-, 32- or 64-bit integers, not to const"

// ---- NAME(pointers, value [, mask] [, memory_order::x] [, scope::x])
// Returns the old values, zero where the mask is false. Without options: acq_rel at gpu scope.
#define TL_ATOMIC(NAME, FITS, TYPES, UPDATE)                                                \
  template <class P, class V, class... O>                                                   \
    requires(detail::FITS<P> && detail::ValueFor<V, P> && detail::AtomicOptions<O...>)      \
  TL_OP(#NAME)                                                                              \
  detail::Loaded<P> NAME(const P& pointers, const V& value, O...)                           \
      TL_CPU(return cpu::atomic<detail::Loaded<P>>(cpu::UPDATE{}, pointers, value, true);); \
  template <class P, class V, class M, class... O>                                          \
    requires(detail::FITS<P> && detail::ValueFor<V, P> && detail::MaskFor<M, P> &&          \
             detail::AtomicOptions<O...>)                                                   \
  TL_OP(#NAME)                                                                              \
  detail::Loaded<P> NAME(const P& pointers, const V& value, const M& mask, O...)            \
      TL_CPU(return cpu::atomic<detail::Loaded<P>>(cpu::UPDATE{}, pointers, value, mask);); \
                                                                                            \
  template <class P, class V, class... R>                                                   \
    requires(!detail::FITS<P>)                                                              \
  TL_REJECT(#NAME " takes pointers to " TYPES)                                              \
  V NAME(const P& pointers, const V& value, const R&...);                                   \
  template <class P, class V, class... R>                                                   \
    requires(detail::FITS<P> && !detail::ValueFor<V, P>)                                    \
  TL_REJECT(TL_VALUE)                                                                       \
  detail::Loaded<P> NAME(const P& pointers, const V& value, const R&...);                   \
  template <class P, class V, class M, class... R>                                          \
    requires(detail::FITS<P> && detail::ValueFor<V, P> && !detail::isAtomicOption<M> &&     \
             !detail::MaskFor<M, P>)                                                        \
  TL_REJECT(TL_MASK)                                                                        \
  detail::Loaded<P> NAME(const P& pointers, const V& value, const M& mask, const R&...);

TL_ATOMIC(atomic_add, Updates, TL_UPDATED, Add)
TL_ATOMIC(atomic_sub, Updates, TL_UPDATED, Sub)
TL_ATOMIC(atomic_min, Updates, TL_UPDATED, Min)
TL_ATOMIC(atomic_max, Updates, TL_UPDATED, Max)
TL_ATOMIC(atomic_xchg, Updates, TL_UPDATED, Exchange)
TL_ATOMIC(atomic_and, UpdatesIntegers, TL_INTEGERS, And)
TL_ATOMIC(atomic_or, UpdatesIntegers, TL_INTEGERS, Or)
TL_ATOMIC(atomic_xor, UpdatesIntegers, TL_INTEGERS, Xor)
TL_ATOMIC(atomic_inc, UpdatesIntegers, TL_INTEGERS, Increment)
TL_ATOMIC(atomic_dec, UpdatesIntegers, TL_INTEGERS, Decrement)
#undef TL_ATOMIC
#undef TL_INTEGERS

// ---- atomic_cas(pointers, expected, value [, mask] [, memory_order::x] [, scope::x])
// Stores the value where the old one has the bits of `expected`; returns the old values.

template <class P, class E, class V, class... O>
  requires(detail::Updates<P> && detail::ValueFor<E, P> && detail::ValueFor<V, P> &&
           detail::AtomicOptions<O...>)
TL_OP("atomic_cas")
detail::Loaded<P> atomic_cas(const P& pointers, const E& expected, const V& value, O...)
    TL_CPU(return cpu::atomicCas<detail::Loaded<P>>(pointers, expected, value, true););
template <class P, class E, class V, class M, class... O>
  requires(detail::Updates<P> && detail::ValueFor<E, P> && detail::ValueFor<V, P> &&
           detail::MaskFor<M, P> && detail::AtomicOptions<O...>)
TL_OP("atomic_cas")
detail::Loaded<P> atomic_cas(const P& pointers, const E& expected, const V& value, const M& mask,
                             O...)
    TL_CPU(return cpu::atomicCas<detail::Loaded<P>>(pointers, expected, value, mask););

template <class P, class E, class V, class... R>
  requires(!detail::Updates<P>)
TL_REJECT("atomic_cas takes pointers to " TL_UPDATED)
V atomic_cas(const P& pointers, const E& expected, const V& value, const R&...);
template <class P, class E, class V, class... R>
  requires(detail::Updates<P> && (!detail::ValueFor<E, P> || !detail::ValueFor<V, P>))
TL_REJECT("atomic_cas takes the expected value and the new one; " TL_VALUE)
detail::Loaded<P> atomic_cas(const P& pointers, const E& expected, const V& value, const R&...);
template <class P, class E, class V, class M, class... R>
  requires(detail::Updates<P> && detail::ValueFor<E, P> && detail::ValueFor<V, P> &&
           !detail::isAtomicOption<M> && !detail::MaskFor<M, P>)
TL_REJECT(TL_MASK)
detail::Loaded<P> atomic_cas(const P& pointers, const E& expected, const V& value, const M& mask,
                             const R&...);

// ---- atomic_load(pointers [, mask] [, memory_order::x] [, scope::x])
// Zero where the mask is false. Without options: acquire at gpu scope.

template <class P, class... O>
  requires(detail::LoadsAtomically<P> && detail::AtomicOptions<O...>)
TL_OP("atomic_load")
detail::Loaded<P> atomic_load(const P& pointers, O...)
    TL_CPU(return cpu::atomicLoad<detail::Loaded<P>>(pointers, true););
template <class P, class M, class... O>
  requires(detail::LoadsAtomically<P> && detail::MaskFor<M, P> && detail::AtomicOptions<O...>)
TL_OP("atomic_load")
detail::Loaded<P> atomic_load(const P& pointers, const M& mask, O...)
    TL_CPU(return cpu::atomicLoad<detail::Loaded<P>>(pointers, mask););

template <class P, class... R>
  requires(!detail::LoadsAtomically<P>)
TL_REJECT("atomic_load takes pointers to 16-, 32- or 64-bit integers or to floats")
P atomic_load(const P& pointers, const R&...);
template <class P, class M, class... R>
  requires(detail::LoadsAtomically<P> && !detail::isAtomicOption<M> && !detail::MaskFor<M, P>)
TL_REJECT(TL_MASK)
detail::Loaded<P> atomic_load(const P& pointers, const M& mask, const R&...);

// ---- atomic_store(pointers, value [, mask] [, memory_order::x] [, scope::x])
// Without options: release at gpu scope.

template <class P, class V, class... O>
  requires(detail::Updates<P> && detail::ValueFor<V, P> && detail::AtomicOptions<O...>)
TL_OP("atomic_store")
void atomic_store(const P& pointers, const V& value, O...)
    TL_CPU(cpu::atomicStore(pointers, value, true););
template <class P, class V, class M, class... O>
  requires(detail::Updates<P> && detail::ValueFor<V, P> && detail::MaskFor<M, P> &&
           detail::AtomicOptions<O...>)
TL_OP("atomic_store")
void atomic_store(const P& pointers, const V& value, const M& mask, O...)
    TL_CPU(cpu::atomicStore(pointers, value, mask););

template <class P, class V, class... R>
  requires(!detail::Updates<P>)
TL_REJECT("atomic_store takes pointers to " TL_UPDATED)
void atomic_store(const P& pointers, const V& value, const R&...);
template <class P, class V, class... R>
  requires(detail::Updates<P> && !detail::ValueFor<V, P>)
TL_REJECT(TL_VALUE)
void atomic_store(const P& pointers, const V& value, const R&...);
template <class P, class V, class M, class... R>
  requires(detail::Updates<P> && detail::ValueFor<V, P> && !detail::isAtomicOption<M> &&
           !detail::MaskFor<M, P>)
TL_REJECT(TL_MASK)
void atomic_store(const P& pointers, const V& value, const M& mask, const R&...);

#undef TL_UPDATED
#undef TL_MASK
#undef TL_VALUE

}  // namespace tl
