// Helpers of the tests of tile.h.
#pragma once

#include <gtest/gtest.h>
#include <tile2cu/tile.h>

#include <cfenv>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tile_test {

// A tile with the given elements in row-major order.
template <class T, int... D>
tl::tile<T, D...> make(const std::vector<T>& elements) {
  tl::tile<T, D...> x;
  EXPECT_EQ(elements.size(), static_cast<std::size_t>(x.size));
  for (std::size_t i = 0; i < elements.size(); ++i) x.data()[i] = elements[i];
  return x;
}

template <class T, int... D>
std::vector<T> elements(const tl::tile<T, D...>& x) {
  return std::vector<T>(x.begin(), x.end());
}

// A tile whose element i is f(i).
template <class T, int... D, class F>
tl::tile<T, D...> fromIndex(F f) {
  tl::tile<T, D...> x;
  for (int i = 0; i < x.size; ++i) x.data()[i] = static_cast<T>(f(i));
  return x;
}

// 0, 1, 2, ... in row-major order.
template <int... D>
tl::tile<int, D...> counting() {
  return fromIndex<int, D...>([](int i) { return i; });
}

// Calls test(up, down) with the host rounding in each direction but to nearest: whether positive
// numbers are rounded away from zero, and negative ones.
template <class F>
void inEachDirection(const F& test) {
  for (const int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(direction);
    test(direction == FE_UPWARD, direction == FE_DOWNWARD);
    std::fesetround(FE_TONEAREST);
  }
}

template <class X, class Y>
inline constexpr bool same = std::is_same_v<X, Y>;

}  // namespace tile_test

// The tile has exactly this type and these elements.
#define EXPECT_TILE(TYPE, X, ...)                                                        \
  do {                                                                                   \
    const auto actual_tile = X;                                                          \
    using Expected = TYPE;                                                               \
    static_assert(std::is_same_v<std::remove_const_t<decltype(actual_tile)>, Expected>); \
    EXPECT_EQ(tile_test::elements(actual_tile),                                          \
              (std::vector<typename Expected::element>{__VA_ARGS__}));                   \
  } while (false)
