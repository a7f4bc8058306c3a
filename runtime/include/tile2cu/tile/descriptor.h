// Tensor descriptors: a tensor in memory that is read and written in blocks, at any offset.
#pragma once

#include "memory.h"

#if !defined(__TILE2CU__)
#include "cpu/descriptor.h"
#endif

namespace tl {

namespace detail {
template <class V, class P>
concept BlockValue = Stores<P> && ValueFor<V, P>;
template <class T, int Sizes, int Strides, int... D>
concept Describes = isElement<PlainT<T>> && sizeof...(D) == Sizes && Sizes == Strides &&
                    Sizes <= 5 && ((D > 0) && ...);
template <class O, class T>
concept PaddingFor = __is_same(O, padding) && (isFloating<PlainT<T>> || isFloat8<PlainT<T>>);
}  // namespace detail

#define TL_OFFSETS "a descriptor takes one offset for each dimension: {row, column}"

// A tensor of T, and the shape D... of its blocks. Elements outside of the tensor are loaded as
// zero, or as NaN with padding::nan, and are not stored.
template <class T, int... D>
struct tensor_descriptor {
  using element = detail::PlainT<T>;
  using block = tile<element, D...>;
  static constexpr int rank = sizeof...(D);

  // The block whose first element is at the offsets, which may be negative.
  template <int N>
    requires(N == sizeof...(D))
  TL_OP("descriptor_load")
  block load(const std::int64_t (&offsets)[N]) const
      TL_CPU(return cpu::loadBlock<block>(tensor_, offsets););
  // The value is converted and broadcast as in a store.
  template <int N, class V>
    requires(N == sizeof...(D) && detail::BlockValue<V, tile<T*, D...>>)
  TL_OP("descriptor_store")
  void store(const std::int64_t (&offsets)[N], const V& value) const
      TL_CPU(cpu::storeBlock<block>(tensor_, offsets, value););

  template <int N>
    requires(N != sizeof...(D))
  TL_REJECT(TL_OFFSETS)
  block load(const std::int64_t (&offsets)[N]) const;
  template <int N, class V>
    requires(N != sizeof...(D))
  TL_REJECT(TL_OFFSETS)
  void store(const std::int64_t (&offsets)[N], const V& value) const;
  template <int N, class V>
    requires(N == sizeof...(D) && !detail::BlockValue<V, tile<T*, D...>>)
  TL_REJECT(
      "a descriptor stores a number, or a tile whose shape broadcasts to its block, and its "
      "pointer must not be to const")
  void store(const std::int64_t (&offsets)[N], const V& value) const;

#if !defined(__TILE2CU__)
  explicit tensor_descriptor(const cpu::Tensor<T, rank>& tensor) : tensor_(tensor) {}

 private:
  cpu::Tensor<T, rank> tensor_;
#else
  tensor_descriptor() = delete;

 private:  // the parts that tile2cu takes it apart into
  T* base_;
  std::int64_t sizes_[rank], strides_[rank];
  padding outside_;
#endif
};
#undef TL_OFFSETS

// Blocks of D... elements of the tensor at `base`, with a size and a stride (in elements) for each
// dimension, 1 to 5 of them. Any base, size and stride is allowed; `padding` is for floats.
template <int... D, class T, int N, int S, class... O>
  requires(detail::Describes<T, N, S, D...> && sizeof...(O) <= 1 &&
           (detail::PaddingFor<O, T> && ...))
TL_OP("make_tensor_descriptor")
tensor_descriptor<T, D...> make_tensor_descriptor(T* base, const std::int64_t (&sizes)[N],
                                                  const std::int64_t (&strides)[S], O... outside)
    TL_CPU(return tensor_descriptor<T, D...>(cpu::describe(base, sizes, strides, outside...)););
template <int... D, class T, int N, int S, class... O>
  requires(!detail::Describes<T, N, S, D...>)
TL_REJECT(
    "make_tensor_descriptor<block...>(pointer, {sizes}, {strides}): one size and one stride for "
    "each dimension of the block, 1 to 5 of them")
tensor_descriptor<T, 1> make_tensor_descriptor(T* base, const std::int64_t (&sizes)[N],
                                               const std::int64_t (&strides)[S], O...);
template <int... D, class T, int N, int S, class... O>
  requires(detail::Describes<T, N, S, D...> && sizeof...(O) >= 1 &&
           !(detail::PaddingFor<O, T> && ...))
TL_REJECT("the last argument must be padding::zero or, for a tensor of floats, padding::nan")
tensor_descriptor<T, D...> make_tensor_descriptor(T* base, const std::int64_t (&sizes)[N],
                                                  const std::int64_t (&strides)[S], O...);

}  // namespace tl
