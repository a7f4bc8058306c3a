// Reductions over every axis of 1-, 2- and 3-dimensional tiles.
#include <cmath>
#include <limits>
#include <tuple>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::make;
using tile_test::same;

const float kNan = std::numeric_limits<float>::quiet_NaN();

// Elements of x along the axis for each place of the others, in row-major order of the result.
template <class X>
std::vector<std::vector<typename X::element>> runs(const X& x, int axis) {
  int inner = 1;
  for (int k = axis + 1; k < X::rank; ++k) inner *= X::dim(k);
  const int size = X::dim(axis);
  std::vector<std::vector<typename X::element>> out(static_cast<std::size_t>(X::size / size));
  for (int i = 0; i < X::size; ++i) {
    const int outer = i / (inner * size);
    out[static_cast<std::size_t>(outer * inner + i % inner)].push_back(x.data()[i]);
  }
  return out;
}

template <int Axis, class X>
void checkAxis(const X& x) {
  const int axis = Axis < 0 ? Axis + X::rank : Axis;
  const auto expected = runs(x, axis);
  const auto s = sum<Axis>(x);
  const auto low = min<Axis>(x);
  const auto high = max<Axis>(x);
  const auto where_high = argmax<Axis>(x);
  const auto where_low = argmin<Axis>(x);
  const auto parity = xor_sum<Axis>(x);
  const auto custom = reduce<Axis>(x, [](int a, int b) { return a > b ? a : b; });
  EXPECT_EQ(elements(sum<Axis>(x, keep_dims)), elements(s));
  EXPECT_EQ(sum<Axis>(x, keep_dims).rank, X::rank);
  EXPECT_EQ(sum<Axis>(x, keep_dims).dim(axis), 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    int total = 0;
    int bits = 0;
    std::size_t best = 0;
    std::size_t worst = 0;
    const auto& run = expected[i];
    for (std::size_t k = 0; k < run.size(); ++k) {
      total += run[k];
      bits ^= run[k];
      if (run[k] > run[best]) best = k;
      if (run[k] < run[worst]) worst = k;
    }
    EXPECT_EQ(s.data()[i], total);
    EXPECT_EQ(parity.data()[i], bits);
    EXPECT_EQ(high.data()[i], run[best]);
    EXPECT_EQ(custom.data()[i], run[best]);
    EXPECT_EQ(low.data()[i], run[worst]);
    EXPECT_EQ(where_high.data()[i], static_cast<int>(best));
    EXPECT_EQ(where_low.data()[i], static_cast<int>(worst));
  }
}

int scrambled(int i) { return i * 37 % 23 - 9; }

TEST(Reduce, EveryAxis) {
  const auto two = fromIndex<int, 4, 6>(scrambled);
  checkAxis<0>(two);
  checkAxis<1>(two);
  checkAxis<-1>(two);
  const auto three = fromIndex<int, 3, 4, 5>(scrambled);
  checkAxis<0>(three);
  checkAxis<1>(three);
  checkAxis<2>(three);
  checkAxis<-3>(three);
  const auto thin = fromIndex<int, 1, 7>(scrambled);
  checkAxis<0>(thin);
  checkAxis<1>(thin);
}

TEST(Reduce, AllAxes) {
  const auto x = fromIndex<int, 3, 5>(scrambled);
  const auto flat = ravel(x);
  EXPECT_EQ(sum(x), sum<0>(flat));
  EXPECT_EQ(max(x), max<0>(flat));
  EXPECT_EQ(min(x), min<-1>(flat));
  EXPECT_EQ(argmax(x), argmax<0>(flat));
  EXPECT_EQ(xor_sum(x), xor_sum<0>(flat));
  using t11 = tile<int, 1, 1>;
  EXPECT_TILE(t11, sum(x, keep_dims), sum(x));
  static_assert(same<decltype(sum<0>(flat)), int>);
}

TEST(Reduce, WidensSums) {
  EXPECT_EQ(sum(full<std::uint8_t, 1000>(200)), 200000u);
  EXPECT_EQ(sum(full<std::int8_t, 1000>(-100)), -100000);
  EXPECT_EQ(sum(full<float16, 4096>(1)), 4096.0f);
  EXPECT_EQ(sum(arange<10>() < 4), 4);
  EXPECT_EQ(sum(full<std::int64_t, 4>(std::int64_t{1} << 40)), std::int64_t{1} << 42);
  const auto many = full<float, 1 << 16>(0.1f);
  EXPECT_NEAR(sum(many), 6553.6, 0.01);  // a tree, not a chain
  EXPECT_EQ(sum(make<float, 3>({inf, 1, -2})), inf);
}

TEST(Reduce, AnyAllXorOnBool) {
  const auto m = arange<4>() < 2;
  EXPECT_TRUE(any(m));
  EXPECT_FALSE(all_of(m));
  EXPECT_TRUE(all_of(m | !m));
  EXPECT_FALSE(any(m & !m));
  EXPECT_FALSE(xor_sum(m));
  EXPECT_TRUE(any(make<float, 2>({0, 0.5f})));
  using b2 = tile<bool, 2>;
  EXPECT_TILE(b2, any<1>(reshape<2, 2>(m)), true, false);
  EXPECT_TILE(b2, all_of<0>(reshape<2, 2>(m)), false, false);
  EXPECT_TRUE(max(m));
}

TEST(Reduce, NanLosesUnlessKept) {
  const auto x = make<float, 4>({kNan, 3, kNan, 1});
  EXPECT_EQ(max(x), 3);
  EXPECT_EQ(min(x), 1);
  EXPECT_TRUE(std::isnan(max(x, propagate_nan)));
  EXPECT_TRUE(std::isnan(min<0>(x, propagate_nan)));
  EXPECT_EQ(argmax(x), 1);
  EXPECT_EQ(argmin(x), 3);
  const auto none_left = full<float, 3>(kNan);
  EXPECT_EQ(max(none_left), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(min<0>(none_left), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(max(none_left, propagate_nan)));
  EXPECT_EQ(argmax(none_left), 0);
  EXPECT_TRUE(std::isnan(max(reshape<2, 2>(x), keep_dims, propagate_nan).data()[0]));
  EXPECT_EQ(static_cast<float>(max(make<float16, 2>({float16(kNan), float16(-1)}))), -1.0f);
}

TEST(Reduce, LowestIndexAmongEquals) {
  EXPECT_EQ(argmax(make<int, 6>({1, 5, 3, 5, 5, 0})), 1);
  EXPECT_EQ(argmin(make<int, 6>({7, 0, 3, 0, 5, 0})), 1);
  EXPECT_EQ(argmax(make<float, 2>({-0.0f, 0.0f})), 0);
  EXPECT_EQ(argmax(full<float, 4>(-inf)), 0);
}

struct Larger {
  template <class Pair>
  Pair operator()(const Pair& a, const Pair& b) const {
    const auto [av, ai] = a;
    const auto [bv, bi] = b;
    return av > bv || (av == bv && ai < bi) ? a : b;
  }
};

TEST(Reduce, Tuples) {
  const auto x = fromIndex<int, 3, 5>(scrambled);
  const auto index = iota<1, 3, 5>();
  const auto [value, at] = reduce<1>(tuple(x, index), Larger{});
  EXPECT_EQ(elements(value), elements(max<1>(x)));
  EXPECT_EQ(elements(at), elements(argmax<1>(x)));
  const auto [value2, at2] = reduce<0>(std::tuple(x, iota<0, 3, 5>()), Larger{});
  EXPECT_EQ(elements(value2), elements(max<0>(x)));
  EXPECT_EQ(elements(at2), elements(argmax<0>(x)));
  const auto kept = reduce<1>(tuple(x, index), Larger{}, keep_dims);
  static_assert(same<decltype(kept.v1), tile<int, 3, 1>>);
  const auto [scalar, where] = reduce<0>(tuple(ravel(x), arange<15>()), Larger{});
  EXPECT_EQ(scalar, max(x));
  EXPECT_EQ(where, argmax(x));
}

// Mean and sum of squared deviations of parts, merged (Chan, Golub, LeVeque).
TEST(Reduce, WelfordTriples) {
  const auto x =
      fromIndex<float, 4, 32>([](int i) { return std::sin(static_cast<float>(i)) + 10; });
  const auto zero = zeros<float, 4, 32>();
  using Part = tuple<float, float, float>;
  const auto [mean, squares, count] = reduce<1>(tuple(x, zero, zero + 1.0f), [](Part a, Part b) {
    const float n = a.v2 + b.v2;
    const float delta = b.v0 - a.v0;
    return Part{a.v0 + delta * b.v2 / n, a.v1 + b.v1 + delta * delta * a.v2 * b.v2 / n, n};
  });
  for (int row = 0; row < 4; ++row) {
    double m = 0;
    double s = 0;
    for (int k = 0; k < 32; ++k) m += x.data()[row * 32 + k] / 32.0;
    for (int k = 0; k < 32; ++k) s += std::pow(x.data()[row * 32 + k] - m, 2);
    EXPECT_NEAR(mean.data()[row], m, 1e-5);
    EXPECT_NEAR(squares.data()[row], s, 1e-4);
    EXPECT_EQ(count.data()[row], 32);
  }
}

}  // namespace
