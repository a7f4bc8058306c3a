// Loads and stores through tiles of pointers and through scalar pointers. An address whose
// mask is false is never accessed. Mask, other and value broadcast to the shape of the pointers.
#pragma once

#include "operators.h"

#if !defined(__TILE2CU__)
#include "cpu/memory.h"
#endif

namespace tl {

namespace detail {

template <class T>
struct Pointee {
  static constexpr bool kLoads = false, kStores = false;
};
template <class T>
struct Pointee<T*> {
  using Stored = T;
  static constexpr bool kLoads = isElement<T>;
  static constexpr bool kStores = isElement<T>;
};
template <class T>
struct Pointee<const T*> {
  using Stored = T;
  static constexpr bool kLoads = isElement<T>;
  static constexpr bool kStores = false;
};

template <class P>
using PointeeOf = Pointee<ElementOf<P>>;
template <class P>
concept Loads = isPointer<ElementOf<P>> && PointeeOf<P>::kLoads;
template <class P>
concept Stores = isPointer<ElementOf<P>> && PointeeOf<P>::kStores;
// The result of a load from P.
template <class P>
using Loaded = WithElement<typename PointeeOf<P>::Stored, P>;

// X broadcasts to the shape of P.
template <class X, class P>
inline constexpr bool stretchesTo = broadcastsTo(dimsOf<X>, dimsOf<P>);
template <class T, class U, int... D>
inline constexpr bool stretchesTo<tile<T, D...>, tile<U, D...>> = true;
template <class X, class P>
concept Stretches = !isTile<X> || stretchesTo<X, P>;

template <class M, class P>
concept MaskFor = isBool<ElementOf<M>> && Stretches<M, P>;
template <class V, class P>
concept ValueFor =
    Stretches<V, P> && ((Number<V> && isNumber<typename PointeeOf<P>::Stored>) ||
                        __is_same(ElementOf<V>, PlainT<typename PointeeOf<P>::Stored>));
template <class... O>
concept CacheOptions = (isCacheOption<O> && ...);

}  // namespace detail

#define TL_MASK                                                                             \
  "the mask must be bool (a comparison), and its shape must broadcast to the shape of the " \
  "pointers"
#define TL_VALUE \
  "the value must be a number or a tile whose shape broadcasts to the shape of the pointers"

// ---- load(pointers [, mask [, other]] [, cache::x] [, evict::x])
// Elements whose mask is false are `other`, or zero without it.

template <class P, class... O>
  requires(detail::Loads<P> && detail::CacheOptions<O...>)
TL_OP("load")
detail::Loaded<P> load(const P& pointers, O...)
    TL_CPU(return cpu::load<detail::Loaded<P>>(pointers, true, 0););
template <class P, class M, class... O>
  requires(detail::Loads<P> && detail::MaskFor<M, P> && detail::CacheOptions<O...>)
TL_OP("load")
detail::Loaded<P> load(const P& pointers, const M& mask, O...)
    TL_CPU(return cpu::load<detail::Loaded<P>>(pointers, mask, 0););
template <class P, class M, class V, class... O>
  requires(detail::Loads<P> && detail::MaskFor<M, P> && detail::ValueFor<V, P> &&
           detail::CacheOptions<O...>)
TL_OP("load")
detail::Loaded<P> load(const P& pointers, const M& mask, const V& other, O...)
    TL_CPU(return cpu::load<detail::Loaded<P>>(pointers, mask, other););

template <class P, class... R>
  requires(!detail::Loads<P> && detail::Numeric<P>)
TL_REJECT("load takes pointers: base + offsets")
P load(const P& pointers, const R&...);
template <class P, class M, class... R>
  requires(detail::Loads<P> && !detail::isCacheOption<M> && !detail::MaskFor<M, P>)
TL_REJECT(TL_MASK)
detail::Loaded<P> load(const P& pointers, const M& mask, const R&...);
template <class P, class M, class V, class... R>
  requires(detail::Loads<P> && detail::MaskFor<M, P> && !detail::isCacheOption<V> &&
           !detail::ValueFor<V, P>)
TL_REJECT(TL_VALUE)
detail::Loaded<P> load(const P& pointers, const M& mask, const V& other, const R&...);

// ---- store(pointers, value [, mask] [, cache::x] [, evict::x])
// The value is converted to the element type. If several elements have the same address, one of
// them is stored.

template <class P, class V, class... O>
  requires(detail::Stores<P> && detail::ValueFor<V, P> && detail::CacheOptions<O...>)
TL_OP("store")
void store(const P& pointers, const V& value, O...) TL_CPU(cpu::store(pointers, value, true););
template <class P, class V, class M, class... O>
  requires(detail::Stores<P> && detail::ValueFor<V, P> && detail::MaskFor<M, P> &&
           detail::CacheOptions<O...>)
TL_OP("store")
void store(const P& pointers, const V& value, const M& mask, O...)
    TL_CPU(cpu::store(pointers, value, mask););

template <class P, class V, class... R>
  requires(!detail::Stores<P> && detail::Loads<P>)
TL_REJECT("the pointer is to const: nothing can be stored through it")
void store(const P& pointers, const V& value, const R&...);
template <class P, class V, class... R>
  requires(!detail::Loads<P> && detail::Numeric<P>)
TL_REJECT("store takes pointers: base + offsets, then the value")
void store(const P& pointers, const V& value, const R&...);
template <class P, class V, class... R>
  requires(detail::Stores<P> && !detail::ValueFor<V, P>)
TL_REJECT(TL_VALUE)
void store(const P& pointers, const V& value, const R&...);
template <class P, class V, class M, class... R>
  requires(detail::Stores<P> && detail::ValueFor<V, P> && !detail::isCacheOption<M> &&
           !detail::MaskFor<M, P>)
TL_REJECT(TL_MASK)
void store(const P& pointers, const V& value, const M& mask, const R&...);

}  // namespace tl
