// Atomic additions of every type, under a mask, with the old values.
#include <set>

#include "testing.h"

namespace device_tests {
namespace {

namespace t = tile2cu;

template <class T>
class Atomic : public testing::Test {};
using Types =
    testing::Types<int, uint32_t, int64_t, uint64_t, float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(Atomic, Types);

TYPED_TEST(Atomic, CountsEveryThreadOnce) {
  using T = TypeParam;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    T total = T(0.0f);
    std::vector<T> old(128);
    onBlock(128, [&] {
      if (threadIdx.x < 100) old[threadIdx.x] = t::atomic_add(&total, 1.0f);
    });
    EXPECT_EQ(total, T(100.0f));
    std::set<double> seen;
    for (int i = 0; i < 100; ++i) seen.insert(double(old[i]));
    EXPECT_EQ(seen.size(), 100u);  // 0 to 99, each once
    EXPECT_EQ(double(*seen.rbegin()), 99.0);
  }
}

TYPED_TEST(Atomic, WithoutResult) {
  TypeParam total = TypeParam(1.0f);
  onBlock(64, [&] {
    if (threadIdx.x % 2 == 1) t::atomic_add(&total, 2.0f);
  });
  EXPECT_EQ(total, TypeParam(65.0f));
}

template <class T>
class AtomicVector : public testing::Test {};
using Vectors = testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(AtomicVector, Vectors);

TYPED_TEST(AtomicVector, AddsEach) {
  using T = TypeParam;
  constexpr int N = 16 / sizeof(T);
  alignas(16) T sums[2 * N];
  for (int e = 0; e < 2 * N; ++e) sums[e] = T(float(e));
  onBlock(64, [&] {
    t::vec<T, N> v;
    for (int e = 0; e < N; ++e) v[e] = T(float(e % 3));
    t::reduce_add_vector_if<N>(threadIdx.x < 10, sums, v);
    t::reduce_add_vector_if<2>(threadIdx.x == 63, sums + N, t::vec<T, 2>{{T(1.0f), T(2.0f)}});
  });
  for (int e = 0; e < N; ++e) EXPECT_EQ(float(sums[e]), float(e + 10 * (e % 3)));
  EXPECT_EQ(float(sums[N]), float(N + 1));
  EXPECT_EQ(float(sums[N + 1]), float(N + 3));
  EXPECT_EQ(float(sums[N + 2]), float(N + 2));
}

TYPED_TEST(AtomicVector, PiecesOf16Bytes) {
  using T = TypeParam;
  constexpr int N = 32 / sizeof(T);
  alignas(16) T sums[N] = {};
  onBlock(8, [&] {
    t::vec<T, N> v;
    for (int e = 0; e < N; ++e) v[e] = T(float(e));
    t::reduce_add_vector_if<N>(true, sums, v);
  });
  for (int e = 0; e < N; ++e) EXPECT_EQ(float(sums[e]), 8.0f * float(e));
}

TYPED_TEST(AtomicVector, PrefixOfValidElements) {
  using T = TypeParam;
  alignas(16) T sums[4] = {};
  for (const int valid : {-1, 0, 1, 3, 4, 9})
    onBlock(1, [&] {
      t::reduce_add_prefix<4>(valid, sums, t::vec<T, 4>{{T(1.0f), T(1.0f), T(1.0f), T(1.0f)}});
    });
  const float want[] = {4, 3, 3, 2};
  for (int e = 0; e < 4; ++e) EXPECT_EQ(float(sums[e]), want[e]);
}

TYPED_TEST(AtomicVector, AlignedToAll) {
  using T = TypeParam;
  alignas(16) T sums[8] = {};
  const Quietly quietly;
  EXPECT_EQ(launch(1, 1, [&] { t::reduce_add_vector_if<4>(true, sums + 2, t::vec<T, 4>{}); }),
            cudaErrorMisalignedAddress);
  soleReport(emulate::report::kind::misaligned);
}

TYPED_TEST(Atomic, Ordered) {
  TypeParam total = TypeParam(1.0f);
  onBlock(32, [&] {
    if (threadIdx.x < 3) t::ordered_add<t::memory_order::acq_rel>(&total, 2.0f);
    if (threadIdx.x == 5) t::ordered_add<t::memory_order::release>(&total, TypeParam(4.0f));
  });
  EXPECT_EQ(total, TypeParam(11.0f));
}

TEST(Atomic, BetweenBlocks) {
  int total = 0;
  EXPECT_EQ(launch(20, 64, [&] { t::atomic_add(&total, 1); }), cudaSuccess);
  EXPECT_EQ(total, 20 * 64);
  EXPECT_TRUE(emulate::reports().empty());
}

TEST(Atomic, Misaligned) {
  const Quietly quietly;
  alignas(8) char bytes[16] = {};
  const cudaError_t error =
      launch(1, 1, [&] { t::atomic_add(reinterpret_cast<int*>(bytes + 2), 1); });
  EXPECT_EQ(error, cudaErrorMisalignedAddress);
  soleReport(emulate::report::kind::misaligned);
}

TEST(Atomic, CompareAndSwapLoop) {
  __half least = __half(100.0f);
  onBlock(64, [&] {
    const __half mine = __half(int(threadIdx.x) - 20);
    t::atomic_update(&least, [&](__half old) { return t::minimum_number(old, mine); });
  });
  EXPECT_EQ(float(least), -20.0f);
}

}  // namespace
}  // namespace device_tests
