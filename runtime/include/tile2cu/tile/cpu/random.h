// Reference of Philox-4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1,
// 2, 3).
#pragma once

#include <array>
#include <cstdint>

#include "elementwise.h"

namespace tl::cpu {

using PhiloxBlock = std::array<std::uint32_t, 4>;

inline PhiloxBlock philox(std::uint64_t seed, std::uint64_t counter) {
  auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); };
  PhiloxBlock c = {low(counter), high(counter), 0, 0};
  std::uint32_t key0 = low(seed);
  std::uint32_t key1 = high(seed);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = 0xD2511F53ull * c[0];
    const std::uint64_t product1 = 0xCD9E8D57ull * c[2];
    c = {high(product1) ^ c[1] ^ key0, low(product1), high(product0) ^ c[3] ^ key1, low(product0)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

template <class R, class S, class X>
R randomBits(const S& seed, const X& offsets) {
  const auto key = static_cast<std::uint64_t>(seed);
  return zip<R>(
      [key](auto offset) {
        const auto o = static_cast<std::uint64_t>(offset);
        return philox(key, o / 4)[o % 4];
      },
      offsets);
}

template <class R, class S, class X>
tuple<R, R, R, R> philoxWords(const S& seed, const X& counter) {
  const auto key = static_cast<std::uint64_t>(seed);
  auto word = [&](unsigned k) {
    return zip<R>([=](auto c) { return philox(key, static_cast<std::uint64_t>(c))[k]; }, counter);
  };
  return {word(0), word(1), word(2), word(3)};
}

}  // namespace tl::cpu
