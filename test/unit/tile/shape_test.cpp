// Creation, subscripts and shape operations.
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::counting;
using tile_test::elements;
using tile_test::same;

TEST(Create, Arange) {
  using t = tile<int, 4>;
  EXPECT_TILE(t, arange<4>(), 0, 1, 2, 3);
  const auto shifted = arange<-1, 3>();
  EXPECT_TILE(t, shifted, -1, 0, 1, 2);
  const auto a = iota<0, 4>();
  EXPECT_TILE(t, a, 0, 1, 2, 3);
  using t23 = tile<int, 2, 3>;
  const auto rows = iota<0, 2, 3>();
  EXPECT_TILE(t23, rows, 0, 0, 0, 1, 1, 1);
  const auto columns = iota<-1, 2, 3>();
  EXPECT_TILE(t23, columns, 0, 1, 2, 0, 1, 2);
}

TEST(Create, FullAndZeros) {
  using t = tile<float, 2, 2>;
  const auto f = full<float, 2, 2>(3);
  EXPECT_TILE(t, f, 3, 3, 3, 3);
  const auto z = zeros<float, 2, 2>();
  EXPECT_TILE(t, z, 0, 0, 0, 0);
  EXPECT_TILE(t, zeros_like(f), 0, 0, 0, 0);
  static_assert(same<decltype(full<long long, 2>(1)), tile<std::int64_t, 2>>);
  const auto h = full<float16, 3>(2.5);
  EXPECT_EQ(static_cast<float>(h.data()[2]), 2.5f);
  const auto b = full<bool, 2>(7);
  EXPECT_TRUE(b.data()[0]);
}

TEST(Create, Cat) {
  using t5 = tile<int, 5>;
  const auto a = arange<2>();
  const auto b = arange<10, 13>();
  EXPECT_TILE(t5, cat(a, b), 0, 1, 10, 11, 12);
  const auto x = counting<2, 2>();
  const auto y = counting<2, 1>() + 10;
  using t23 = tile<int, 2, 3>;
  const auto c = cat<1>(x, y);
  EXPECT_TILE(t23, c, 0, 1, 10, 2, 3, 11);
  const auto d = cat<-1>(x, y);
  EXPECT_TILE(t23, d, 0, 1, 10, 2, 3, 11);
}

TEST(Subscript, AllAndNone) {
  const auto x = arange<3>();
  static_assert(same<decltype(x[all, none]), tile<int, 3, 1>>);
  static_assert(same<decltype(x[none, all]), tile<int, 1, 3>>);
  static_assert(same<decltype(x[none, all, none]), tile<int, 1, 3, 1>>);
  static_assert(same<decltype(x[all]), tile<int, 3>>);
  static_assert(same<decltype(x[none]), tile<int, 1, 3>>);
  const auto y = counting<2, 3>();
  static_assert(same<decltype(y[all, none, all]), tile<int, 2, 1, 3>>);
  static_assert(same<decltype(y[none, all, all, none]), tile<int, 1, 2, 3, 1>>);
  EXPECT_EQ(elements(y[all, none, all]), elements(y));
}

TEST(Subscript, Slices) {
  const auto y = counting<3, 4>();
  using t22 = tile<int, 2, 2>;
  const auto corner = y[slice<1, 3>, slice<2, 4>];
  EXPECT_TILE(t22, corner, 6, 7, 10, 11);
  using t14 = tile<int, 1, 4>;
  const auto row = y[slice<1, 2>];
  EXPECT_TILE(t14, row, 4, 5, 6, 7);
  using t312 = tile<int, 3, 1, 2>;
  const auto mixed = y[all, none, slice<0, 2>];
  EXPECT_TILE(t312, mixed, 0, 1, 4, 5, 8, 9);
}

TEST(Shape, ExpandAndBroadcast) {
  const auto x = arange<2>();
  static_assert(same<decltype(expand_dims<0>(x)), tile<int, 1, 2>>);
  static_assert(same<decltype(expand_dims<1>(x)), tile<int, 2, 1>>);
  static_assert(same<decltype(expand_dims<-1>(x)), tile<int, 2, 1>>);
  using t23 = tile<int, 2, 3>;
  const auto b = broadcast_to<2, 3>(x[all, none]);
  EXPECT_TILE(t23, b, 0, 0, 0, 1, 1, 1);
  const auto c = broadcast_to<3, 2>(x);
  EXPECT_EQ(elements(c), (std::vector<int>{0, 1, 0, 1, 0, 1}));
}

TEST(Shape, ReshapeAndRavel) {
  const auto x = counting<2, 6>();
  const auto y = reshape<3, 2, 2>(x);
  static_assert(same<decltype(reshape<3, 2, 2>(x)), tile<int, 3, 2, 2>>);
  EXPECT_EQ(elements(y), elements(x));
  static_assert(same<decltype(ravel(y)), tile<int, 12>>);
  EXPECT_EQ(elements(ravel(y)), elements(x));
}

TEST(Shape, TransAndPermute) {
  const auto x = counting<2, 3>();
  using t32 = tile<int, 3, 2>;
  EXPECT_TILE(t32, trans(x), 0, 3, 1, 4, 2, 5);
  const auto y = counting<2, 3, 4>();
  const auto p = permute<2, 0, 1>(y);
  static_assert(same<decltype(permute<2, 0, 1>(y)), tile<int, 4, 2, 3>>);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(p.data()[(i * 2 + j) * 3 + k], (j * 3 + k) * 4 + i);
  const auto q = permute<-1, 0, 1>(y);
  EXPECT_EQ(elements(q), elements(p));
  const auto same_order = permute<0, 1, 2>(y);
  EXPECT_EQ(elements(same_order), elements(y));
}

TEST(Shape, JoinSplitInterleave) {
  const auto a = arange<3>();
  const auto b = a + 10;
  using t32 = tile<int, 3, 2>;
  const auto j = join(a, b);
  EXPECT_TILE(t32, j, 0, 10, 1, 11, 2, 12);
  const auto [first, second] = split(j);
  EXPECT_EQ(elements(first), elements(a));
  EXPECT_EQ(elements(second), elements(b));
  using t6 = tile<int, 6>;
  EXPECT_TILE(t6, interleave(a, b), 0, 10, 1, 11, 2, 12);
  const auto [low, high] = split(arange<2>());  // two elements: scalars
  static_assert(same<decltype(low), const int>);
  EXPECT_EQ(low + high, 1);
  const auto rows = interleave(counting<2, 2>(), zeros<int, 2, 2>());
  EXPECT_EQ(elements(rows), (std::vector<int>{0, 0, 1, 0, 2, 0, 3, 0}));
}

TEST(Shape, Flip) {
  using t4 = tile<int, 4>;
  EXPECT_TILE(t4, flip(arange<4>()), 3, 2, 1, 0);
  const auto x = counting<2, 3>();
  EXPECT_EQ(elements(flip<0>(x)), (std::vector<int>{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(elements(flip(x)), (std::vector<int>{2, 1, 0, 5, 4, 3}));
  const auto infinite = full<float, 2>(inf);
  EXPECT_EQ(elements(flip(infinite)), (std::vector<float>{inf, inf}));
}

TEST(Shape, OddSizes) {
  const auto x = counting<3, 5, 7>();
  EXPECT_EQ(x.size, 105);
  EXPECT_EQ(x.dim(-1), 7);
  EXPECT_EQ(elements(permute<1, 2, 0>(permute<2, 0, 1>(x))), elements(x));
}

}  // namespace
