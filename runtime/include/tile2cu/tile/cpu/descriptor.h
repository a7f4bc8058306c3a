// Reference of tensor descriptors. Addresses are computed only for elements inside of the tensor.
#pragma once

#include <cstdint>
#include <limits>

#include "store_check.h"

namespace tl::cpu {

template <class T, int Rank>
struct Tensor {
  T* base = nullptr;
  std::int64_t sizes[Rank] = {};
  std::int64_t strides[Rank] = {};
  padding outside = padding::zero;
};

template <class T, int Rank>
Tensor<T, Rank> describe(T* base, const std::int64_t (&sizes)[Rank],
                         const std::int64_t (&strides)[Rank], padding outside = padding::zero) {
  Tensor<T, Rank> tensor;
  tensor.base = base;
  tensor.outside = outside;
  for (int k = 0; k < Rank; ++k) {
    tensor.sizes[k] = sizes[k];
    tensor.strides[k] = strides[k];
  }
  return tensor;
}

// The address of element i of the block at the offsets, or null outside of the tensor.
template <class Block, class T, int Rank>
T* locate(const Tensor<T, Rank>& tensor, const std::int64_t (&offsets)[Rank], int i) {
  const Coordinates at = unflatten(dimsOf<Block>, i);
  std::int64_t index = 0;
  for (int k = 0; k < Rank; ++k) {
    // Unsigned arithmetic does not overflow, and a negative coordinate is larger than every size.
    const auto coordinate =
        static_cast<std::uint64_t>(offsets[k]) + static_cast<std::uint64_t>(at.c[k]);
    if (tensor.sizes[k] <= 0 || coordinate >= static_cast<std::uint64_t>(tensor.sizes[k]))
      return nullptr;
    index += static_cast<std::int64_t>(coordinate) * tensor.strides[k];
  }
  return tensor.base + index;
}

template <class Block, class T, int Rank>
Block loadBlock(const Tensor<T, Rank>& tensor, const std::int64_t (&offsets)[Rank]) {
  mustRun();
  using E = ElementOf<Block>;
  E outside{};
  if (tensor.outside == padding::nan) outside = to<E>(std::numeric_limits<float>::quiet_NaN());
  Block out;
  for (int i = 0; i < Block::size; ++i) {
    const T* from = locate<Block>(tensor, offsets, i);
    out.data()[i] = from ? static_cast<E>(*from) : outside;
  }
  return out;
}

template <class Block, class T, int Rank, class V>
void storeBlock(const Tensor<T, Rank>& tensor, const std::int64_t (&offsets)[Rank],
                const V& value) {
  mustRun();
  using E = ElementOf<Block>;
  checkStore<E>(
      Block::size, [&](int i) { return locate<Block>(tensor, offsets, i); },
      [&](int i) { return to<E>(element<dimsOf<Block>>(value, i)); });
  for (int k = 0; k < Block::size; ++k) {
    const int i = inOrder(k, Block::size);
    if (T* destination = locate<Block>(tensor, offsets, i))
      *destination = static_cast<T>(to<E>(element<dimsOf<Block>>(value, i)));
  }
}

}  // namespace tl::cpu
