// Tensor descriptors: ranks 1 to 5, blocks that stick out on every side, any stride and element.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::same;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

std::vector<int> counting(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; ++i) v.push_back(i + 1);
  return v;
}

TEST(Descriptor, LoadsZeroOutside) {
  const auto memory = counting(3 * 5);
  const auto d = make_tensor_descriptor<2, 3>(memory.data(), {3, 5}, {5, 1});
  static_assert(same<decltype(d), const tensor_descriptor<const int, 2, 3>>);
  using t23 = tile<int, 2, 3>;
  static_assert(d.rank == 2 && same<decltype(d)::element, int> && same<decltype(d)::block, t23>);
  EXPECT_TILE(t23, d.load({0, 0}), 1, 2, 3, 6, 7, 8);
  EXPECT_TILE(t23, d.load({1, 2}), 8, 9, 10, 13, 14, 15);
  EXPECT_TILE(t23, d.load({2, 3}), 14, 15, 0, 0, 0, 0);
  EXPECT_TILE(t23, d.load({-1, -2}), 0, 0, 0, 0, 0, 1);
  EXPECT_TILE(t23, d.load({-1, 4}), 0, 0, 0, 5, 0, 0);
  for (const std::int64_t far :
       {kLowest, std::int64_t{-2}, std::int64_t{3}, kGreatest - 1, kGreatest})
    EXPECT_TILE(t23, d.load({far, 0}), 0, 0, 0, 0, 0, 0);
}

TEST(Descriptor, StoresInsideOnly) {
  std::vector<int> memory(3 * 5);
  auto d = make_tensor_descriptor<2, 3>(memory.data(), {3, 5}, {5, 1});
  const auto x = fromIndex<int, 2, 3>([](int i) { return i + 1; });
  d.store({-1, -1}, x);
  d.store({2, 3}, x);
  EXPECT_EQ(memory, (std::vector<int>{5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2}));
  d.store({3, 0}, x);
  d.store({0, -3}, x);
  d.store({kGreatest, kLowest}, x);
  EXPECT_EQ(memory, (std::vector<int>{5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2}));
  d.store({1, 1}, 7);
  EXPECT_EQ(memory, (std::vector<int>{5, 6, 0, 0, 0, 0, 7, 7, 7, 0, 0, 7, 7, 7, 2}));
}

// Every block of a small tensor of each rank, against the definition; D is the block.
template <int... D, std::size_t Rank = sizeof...(D)>
void checkRank(const std::int64_t (&sizes)[Rank], const std::int64_t (&strides)[Rank]) {
  std::vector<int> memory = counting(1000);
  const std::vector<int> before = memory;
  auto d = make_tensor_descriptor<D...>(memory.data(), sizes, strides);
  constexpr int block[] = {D...};
  for (int shift = -3; shift <= 3; ++shift) {
    std::int64_t offsets[Rank];
    for (std::size_t k = 0; k < Rank; ++k)
      offsets[k] = shift * static_cast<std::int64_t>(k % 2 + 1) % 5;
    const auto x = d.load(offsets);
    std::fill(memory.begin(), memory.end(), 0);
    d.store(offsets, x);
    for (int i = 0; i < x.size; ++i) {
      bool inside = true;
      std::int64_t at = 0;
      for (int k = static_cast<int>(Rank) - 1, rest = i; k >= 0; rest /= block[k--]) {
        const std::int64_t c = offsets[k] + rest % block[k];
        inside = inside && 0 <= c && c < sizes[k];
        at += c * strides[k];
      }
      ASSERT_EQ(x.data()[i], inside ? before[static_cast<std::size_t>(at)] : 0);
      if (inside) {
        ASSERT_EQ(memory[static_cast<std::size_t>(at)], x.data()[i]);
        memory[static_cast<std::size_t>(at)] = 0;
      }
    }
    EXPECT_EQ(memory, std::vector<int>(memory.size()));  // nothing else was stored
    std::copy(before.begin(), before.end(), memory.begin());
  }
}

TEST(Descriptor, HasOneToFiveDimensions) {
  checkRank<5>({7}, {1});
  checkRank<4>({7}, {3});
  checkRank<3, 4>({5, 6}, {6, 1});
  checkRank<3, 4>({5, 6}, {1, 5});  // a transposed matrix
  checkRank<2, 3, 2>({3, 4, 3}, {20, 4, 1});
  checkRank<1, 2, 3, 2>({2, 3, 2, 4}, {24, 8, 4, 1});
  checkRank<2, 1, 2, 3, 2>({2, 2, 3, 2, 3}, {64, 32, 7, 3, 1});
}

TEST(Descriptor, TakesAnyStride) {
  const auto memory = counting(6);
  using t23 = tile<int, 2, 3>;
  const int* p = memory.data();
  EXPECT_TILE(t23, (make_tensor_descriptor<2, 3>(p + 5, {2, 3}, {-3, -1}).load({0, 0})), 6, 5, 4, 3,
              2, 1);
  EXPECT_TILE(t23, (make_tensor_descriptor<2, 3>(p + 1, {2, 2}, {0, 1}).load({0, 0})), 2, 3, 0, 2,
              3, 0);
  EXPECT_TILE(t23, (make_tensor_descriptor<2, 3>(p, {0, 3}, {3, 1}).load({0, 0})), 0, 0, 0, 0, 0,
              0);
  EXPECT_TILE(t23, (make_tensor_descriptor<2, 3>(p, {-2, 3}, {3, 1}).load({-2, 0})), 0, 0, 0, 0, 0,
              0);
}

template <class T>
class DescriptorTest : public testing::Test {};
using Elements =
    testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint32_t, std::int64_t,
                   float16, bfloat16, float, double, float8_e4m3, float8_e5m2>;
TYPED_TEST_SUITE(DescriptorTest, Elements);

TYPED_TEST(DescriptorTest, HoldsEveryElement) {
  std::vector<std::uint8_t> bytes((2 * 3 + 1) * sizeof(TypeParam));
  auto* p = reinterpret_cast<TypeParam*>(bytes.data()) + 1;  // no alignment beyond the element's
  const auto d = make_tensor_descriptor<2, 2>(p, {2, 3}, {3, 1});
  d.store({0, 2}, 1);
  d.store({1, -1}, full<float, 2, 2>(1));  // converts
  using t3 = tile<int, 2, 2>;
  EXPECT_TILE(t3, cast<int>(d.load({0, 1})), 0, 1, 0, 1);
  EXPECT_TILE(t3, cast<int>(d.load({0, -1})), 0, 0, 0, 1);
}

TEST(Descriptor, LoadsNanOutsideIfAsked) {
  float x = 1;
  const auto d = make_tensor_descriptor<2>(&x, {1}, {1}, padding::nan);
  EXPECT_EQ(d.load({0}).data()[0], 1);
  EXPECT_TRUE(std::isnan(d.load({0}).data()[1]));
  EXPECT_EQ((make_tensor_descriptor<2>(&x, {1}, {1}, padding::zero).load({0}).data()[1]), 0);
  float16 h(2);
  EXPECT_TRUE(
      std::isnan(float(make_tensor_descriptor<1>(&h, {1}, {1}, padding::nan).load({1}).data()[0])));
  float8_e4m3 f(2);
  EXPECT_EQ((make_tensor_descriptor<1>(&f, {1}, {1}, padding::nan).load({1}).data()[0].bits), 0x7f);
}

TEST(Descriptor, BroadcastsWhatItStores) {
  std::vector<float16> memory(6, float16(-1));
  const auto d = make_tensor_descriptor<2, 3>(memory.data(), {2, 3}, {3, 1});
  d.store({0, 0}, arange<3>());
  EXPECT_EQ(sum(cast<float>(d.load({0, 0}))), 6);
  d.store({0, 0}, arange<2>()[all, none] * 1.0f);
  EXPECT_EQ(sum(cast<float>(d.load({0, 0}))), 3);
}

// The matmul of the language's design, with sizes that no block divides.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                            float* __restrict__ c, int M, int N, int K, int stride_am,
                            int stride_bk, int stride_cm) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto A = make_tensor_descriptor<BLOCK_M, BLOCK_K>(a, {M, K}, {stride_am, 1});
  auto B = make_tensor_descriptor<BLOCK_K, BLOCK_N>(b, {K, N}, {stride_bk, 1});
  auto C = make_tensor_descriptor<BLOCK_M, BLOCK_N>(c, {M, N}, {stride_cm, 1});
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K)
    acc = dot(A.load({pid_m * BLOCK_M, k}), B.load({k, pid_n * BLOCK_N}), acc);
  C.store({pid_m * BLOCK_M, pid_n * BLOCK_N}, acc);
}

TEST(Descriptor, MultipliesMatrices) {
  for (const int K : {0, 1, 12, 29}) {
    constexpr int M = 19, N = 23, lda = 31, ldb = 24, ldc = 25;
    std::vector<float16> a(M * lda), b(static_cast<std::size_t>(K * ldb + 1));
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = float16(i % 7) - float16(3);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = float16(i % 5) - float16(2);
    std::vector<float> c(M * ldc, -1);
    EXPECT_EQ(launch(matmul<8, 6, 12, 2>, a.data(), b.data(), c.data(), M, N, K, lda, ldb, ldc),
              success);
    for (int m = 0; m < M; ++m)
      for (int n = 0; n < ldc; ++n) {
        float expected = n < N ? 0 : -1;
        for (int k = 0; n < N && k < K; ++k)
          expected += static_cast<float>(a[static_cast<std::size_t>(m * lda + k)]) *
                      static_cast<float>(b[static_cast<std::size_t>(k * ldb + n)]);
        ASSERT_EQ(c[static_cast<std::size_t>(m * ldc + n)], expected) << m << ' ' << n << ' ' << K;
      }
  }
}

}  // namespace
