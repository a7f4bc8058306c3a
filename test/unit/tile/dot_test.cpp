// dot against the definition of the product: every type, shapes of all kinds, accumulators.
#include <cmath>
#include <cstdint>
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::make;
using tile_test::same;

// Element i of an operand: small integers, so that every sum of products is exact in every type.
// Unsigned types have none below 0.
template <class T>
T small(int i, int seed) {
  const int value = (i * 7 + i / 5 + seed) % 9 - (std::is_unsigned_v<T> ? 0 : 4);
  return static_cast<T>(static_cast<float>(value));
}
template <class T>
int asInt(T x) {
  return static_cast<int>(static_cast<float>(x));
}

// acc + a b of B matrices, by the definition.
template <class A, class U, class C>
std::vector<int> product(const std::vector<A>& a, const std::vector<U>& b,
                         const std::vector<C>& acc, int matrices, int m, int n, int k) {
  std::vector<int> out;
  for (int at = 0; at < matrices * m * n; ++at) {
    const int matrix = at / (m * n);
    const int row = at / n % m;
    const int column = at % n;
    int total = asInt(acc[static_cast<std::size_t>(at)]);
    for (int i = 0; i < k; ++i)
      total += asInt(a[static_cast<std::size_t>((matrix * m + row) * k + i)]) *
               asInt(b[static_cast<std::size_t>((matrix * k + i) * n + column)]);
    out.push_back(total);
  }
  return out;
}

template <class X>
std::vector<int> integers(const X& x) {
  std::vector<int> out;
  for (const auto v : x) out.push_back(asInt(v));
  return out;
}

template <class T, class U, class R, int M, int N, int K>
void check2d() {
  const auto a = fromIndex<T, M, K>([](int i) { return small<T>(i, 1); });
  const auto b = fromIndex<U, K, N>([](int i) { return small<U>(i, 3); });
  const auto acc = fromIndex<R, M, N>([](int i) { return small<R>(i, 5); });
  const auto zero = zeros<R, M, N>();
  static_assert(same<decltype(dot(a, b, acc)), tile<R, M, N>>);
  EXPECT_EQ(integers(dot(a, b, zero)),
            product(elements(a), elements(b), elements(zero), 1, M, N, K));
  EXPECT_EQ(integers(dot(a, b, acc)), product(elements(a), elements(b), elements(acc), 1, M, N, K));
}

template <class T, class U, class R, int B, int M, int N, int K>
void check3d() {
  const auto a = fromIndex<T, B, M, K>([](int i) { return small<T>(i, 1); });
  const auto b = fromIndex<U, B, K, N>([](int i) { return small<U>(i, 3); });
  const auto acc = fromIndex<R, B, M, N>([](int i) { return small<R>(i, 5); });
  static_assert(same<decltype(dot(a, b, acc)), tile<R, B, M, N>>);
  EXPECT_EQ(integers(dot(a, b, acc)), product(elements(a), elements(b), elements(acc), B, M, N, K));
}

// Element types of the operands, of the accumulator, and of the product without one.
template <class T, class U, class R, class D = R>
struct Case {
  static void check() {
    check2d<T, U, R, 1, 1, 1>();
    check2d<T, U, R, 5, 3, 7>();
    check2d<T, U, R, 17, 1, 48>();
    check2d<T, U, R, 2, 96, 80>();
    check3d<T, U, R, 3, 5, 7, 2>();
    check3d<T, U, R, 1, 1, 16, 12>();
    using Product = decltype(dot(tile<T, 2, 3>(), tile<U, 3, 4>()));
    static_assert(same<Product, tile<D, 2, 4>>);
  }
};

template <class C>
class DotTest : public testing::Test {};
using Cases =
    testing::Types<Case<float16, float16, float>, Case<float16, float16, float16, float>,
                   Case<bfloat16, bfloat16, float>, Case<float, float, float>,
                   Case<double, double, double>, Case<std::int8_t, std::int8_t, int>,
                   Case<std::uint8_t, std::uint8_t, int>, Case<std::int8_t, std::uint8_t, int>,
                   Case<float8_e4m3, float8_e4m3, float>, Case<float8_e5m2, float8_e5m2, float>,
                   Case<float8_e4m3, float8_e5m2, float>>;
TYPED_TEST_SUITE(DotTest, Cases);

TYPED_TEST(DotTest, IsExactOnSmallIntegers) { TypeParam::check(); }

TEST(Dot, StartsFromZeroWithoutAccumulator) {
  using t22 = tile<float, 2, 2>;
  const auto a = make<float, 2, 3>({1, 2, 3, 4, 5, 6});
  const auto b = make<float, 3, 2>({1, 0, 0, 1, 2, -1});
  EXPECT_TILE(t22, dot(a, b), 7, -1, 16, -1);
  EXPECT_TILE(t22, dot(a, trans(a)), 14, 32, 32, 77);
  EXPECT_FALSE(std::signbit(sum(dot(full<float, 1, 1>(-0.0f), full<float, 1, 1>(0.0f)))));
}

TEST(Dot, OfABatchIsTheDotOfEachMatrix) {
  const auto a = fromIndex<float16, 2, 3, 4>([](int i) { return i - 11.0f; });
  const auto b = fromIndex<float16, 2, 4, 5>([](int i) { return 0.25f * i; });
  const auto both = dot(a, b);
  const auto first = dot(reshape<3, 4>(a[slice<0, 1>]), reshape<4, 5>(b[slice<0, 1>]));
  const auto second = dot(reshape<3, 4>(a[slice<1, 2>]), reshape<4, 5>(b[slice<1, 2>]));
  EXPECT_EQ(elements(both), elements(cat(reshape<1, 3, 5>(first), reshape<1, 3, 5>(second))));
}

TEST(Dot, RoundsOnceAtTheEnd) {
  // In float the 1 would vanish next to 2^26.
  const auto a = make<float, 1, 3>({0x1p13f, 1, -0x1p13f});
  EXPECT_EQ(sum(dot(a, make<float, 3, 1>({0x1p13f, 1, 0x1p13f}))), 1);
  // 2048 + 1 is a tie of float16, 2048 + 1 + 1 is none.
  const auto ones = full<float16, 1, 2>(1);
  const auto large = full<float16, 1, 1>(2048);
  EXPECT_EQ(sum(dot(ones, trans(make<float16, 1, 2>({float16(1), float16(0)})), large)), 2048);
  EXPECT_EQ(sum(dot(ones, trans(ones), large)), 2050);
  // Overflow is infinity; of float16 past 65504 only if that is the accumulator.
  const auto big = full<float16, 1, 1>(1024);
  EXPECT_EQ(sum(dot(big, big)), 1048576);
  EXPECT_EQ(sum(dot(big, big, zeros<float16, 1, 1>())), inf);
}

TEST(Dot, IgnoresPrecisionOnTheCpu) {
  // 1 + 2^-20 is not a tf32.
  const auto a = full<float, 1, 1>(1 + 0x1p-20f);
  const auto one = full<float, 1, 1>(1);
  for (const auto p : {precision::tf32, precision::tf32x3, precision::ieee}) {
    EXPECT_EQ(sum(dot(a, one, p)), 1 + 0x1p-20f);
    EXPECT_EQ(sum(dot(a, one, one, p)), 2 + 0x1p-20f);
  }
  EXPECT_EQ(sum(dot(cast<float16>(one), cast<float16>(one), precision::ieee)), 1);
}

TEST(Dot, OfIntegersWrapsAround) {
  const auto a = full<std::int8_t, 1, 3>(-128);
  const auto b = full<std::uint8_t, 3, 1>(255);
  EXPECT_EQ(sum(dot(a, b)), 3 * -128 * 255);
  EXPECT_EQ(sum(dot(trans(b), b)), 3 * 255 * 255);
  EXPECT_EQ(sum(dot(a, trans(a))), 3 * 128 * 128);
  const auto one = full<std::int8_t, 1, 1>(1);
  const auto greatest = full<int, 1, 1>(std::numeric_limits<int>::max());
  EXPECT_EQ(sum(dot(one, one, greatest)), std::numeric_limits<int>::min());
}

TEST(Dot, PassesOnInfinitiesAndNan) {
  const auto a = make<float, 1, 2>({inf, 1});
  EXPECT_EQ(sum(dot(a, make<float, 2, 1>({1, -3}))), inf);
  EXPECT_TRUE(std::isnan(sum(dot(a, make<float, 2, 1>({0, 1})))));
  EXPECT_TRUE(std::isnan(sum(dot(a, make<float, 2, 1>({1, -inf})))));
  const auto largest8 = full<float8_e4m3, 1, 1>(1e9f);
  EXPECT_EQ(sum(dot(largest8, largest8)), 448 * 448);
}

// A converted accumulator as an operand, and one that is carried around a loop.
TEST(Dot, Chains) {
  const auto q = fromIndex<bfloat16, 4, 6>([](int i) { return i % 5 - 2.0f; });
  const auto k = fromIndex<bfloat16, 3, 6>([](int i) { return i % 4 - 1.0f; });
  const auto v = fromIndex<bfloat16, 3, 2>([](int i) { return i * 1.0f; });
  auto acc = zeros<float, 4, 2>();
  for (int i = 0; i < 3; ++i) acc = dot(cast<bfloat16>(dot(q, trans(k))), v, acc);
  const auto scores = product(elements(q), elements(trans(k)), std::vector<int>(12), 1, 4, 3, 6);
  const auto once = product(scores, elements(v), std::vector<int>(8), 1, 4, 2, 3);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(acc.data()[i], 3 * once[static_cast<std::size_t>(i)]) << i;
}

}  // namespace
