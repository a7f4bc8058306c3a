// Masked and partial vectors of every element size: exactly the bytes they should touch.
#include <numeric>

#include "testing.h"

namespace device_tests {
namespace {

using tile2cu::cache;
using tile2cu::vec;

// N elements between forbidden ones; aligned for vectors.
template <class T>
struct Guarded {
  explicit Guarded(int count) : n(count) {
    EXPECT_EQ(cudaMalloc(&data, n * sizeof(T)), cudaSuccess);
    for (int i = 0; i < n; ++i) data[i] = T(float(i % 100 + 1));
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { cudaFree(data); }
  // Forbids what follows the first `valid` elements.
  void cut(int valid) { emulate::forbid(data + valid, (n - valid) * sizeof(T)); }

  int n;
  T* data = nullptr;
};

template <class T>
class Memory : public testing::Test {};
using Types =
    testing::Types<bool, int8_t, uint16_t, __half, __nv_bfloat16, int, float, int64_t, double>;
TYPED_TEST_SUITE(Memory, Types);

template <class T, int N>
void checkMasks() {
  Guarded<T> in(N), out(N);
  onBlock(1, [&] {
    const vec<T, N> v = tile2cu::load_if<N>(true, in.data, T(0.0f));
    tile2cu::store_if<N>(true, out.data, v);
    const vec<T, N> none = tile2cu::load_if<N>(false, in.data, T(7.0f));
    for (int e = 0; e < N; ++e) {
      EXPECT_EQ(v[e], in.data[e]);
      EXPECT_EQ(out.data[e], in.data[e]);
      EXPECT_EQ(none[e], T(7.0f));
    }
  });
}

TYPED_TEST(Memory, OneMaskForAVector) {
  checkMasks<TypeParam, 1>();
  checkMasks<TypeParam, 2>();
  checkMasks<TypeParam, 4>();
  checkMasks<TypeParam, 8>();
  checkMasks<TypeParam, 16>();
}

template <class T, int N>
void checkPrefix() {
  for (int valid = -2; valid <= N + 2; ++valid) {
    const int there = std::clamp(valid, 0, N);
    Guarded<T> in(N), out(N);
    const std::vector<T> before(out.data, out.data + N);
    in.cut(there);
    out.cut(there);
    onBlock(1, [&] {
      vec<T, N> v = tile2cu::load_prefix<N, cache::coherent>(valid, in.data, T(9.0f));
      for (int e = 0; e < N; ++e) EXPECT_EQ(v[e], e < there ? T(float(e + 1)) : T(9.0f));
      for (int e = 0; e < N; ++e) v[e] = T(5.0f);
      tile2cu::store_prefix<N>(valid, out.data, v);
    });
    for (int e = 0; e < N; ++e) EXPECT_EQ(out.data[e], e < there ? T(5.0f) : before[e]);
  }
}

TYPED_TEST(Memory, APrefixOfAVector) {
  checkPrefix<TypeParam, 1>();
  checkPrefix<TypeParam, 2>();
  checkPrefix<TypeParam, 4>();
  checkPrefix<TypeParam, 16>();
}

TYPED_TEST(Memory, SingleElements) {
  Guarded<TypeParam> in(1), out(1);
  onBlock(1, [&] {
    EXPECT_EQ(tile2cu::load_element_if(true, in.data, TypeParam(0.0f)), in.data[0]);
    EXPECT_EQ(tile2cu::load_element_if(false, in.data, TypeParam(1.0f)), TypeParam(1.0f));
    tile2cu::store_element_if<cache::cs>(false, out.data, TypeParam(3.0f));
    EXPECT_EQ(out.data[0], TypeParam(1.0f));
    tile2cu::store_element_if(true, out.data, TypeParam(3.0f));
    EXPECT_EQ(out.data[0], TypeParam(3.0f));
  });
}

template <cache LOAD, cache STORE>
void checkPolicies() {
  Guarded<float> in(4), out(4);
  onBlock(1, [&] {
    tile2cu::store_if<4, STORE>(true, out.data, tile2cu::load_if<4, LOAD>(true, in.data, 0.0f));
    for (int e = 0; e < 4; ++e) EXPECT_EQ(out.data[e], in.data[e]);
  });
}

TEST(Memory, EveryPolicy) {
  checkPolicies<cache::read_only, cache::write_back>();
  checkPolicies<cache::read_only_cg, cache::wb>();
  checkPolicies<cache::read_only_cs, cache::cg>();
  checkPolicies<cache::read_only_no_allocate, cache::cs>();
  checkPolicies<cache::read_only_evict_first, cache::wt>();
  checkPolicies<cache::read_only_evict_last, cache::no_allocate>();
  checkPolicies<cache::coherent, cache::evict_first>();
  checkPolicies<cache::ca, cache::evict_last>();
  checkPolicies<cache::read_only_evict_unchanged, cache::evict_unchanged>();
  checkPolicies<cache::evict_unchanged, cache::evict_last>();
  checkPolicies<cache::cg, cache::write_back>();
  checkPolicies<cache::cs, cache::write_back>();
  checkPolicies<cache::cv, cache::write_back>();
  checkPolicies<cache::no_allocate, cache::write_back>();
  checkPolicies<cache::evict_first, cache::write_back>();
  checkPolicies<cache::evict_last, cache::write_back>();
}

TEST(Memory, SharedVectors) {
  onBlock(32, [] {
    auto* tile = reinterpret_cast<float*>(dynamic_smem);
    vec<float, 8> v;
    for (int e = 0; e < 8; ++e) v[e] = float(8 * threadIdx.x + e);
    tile2cu::store_shared(tile + 8 * threadIdx.x, v);
    __syncthreads();
    const auto w = tile2cu::load_shared<4>(tile + 4 * (threadIdx.x ^ 1));
    for (int e = 0; e < 4; ++e) EXPECT_EQ(w[e], float(4 * (threadIdx.x ^ 1) + e));
  });
}

TEST(Memory, VectorsAreAlignedForOneAccess) {
  static_assert(alignof(vec<float, 1>) == 4 && alignof(vec<float, 4>) == 16);
  static_assert(alignof(vec<__half, 8>) == 16 && alignof(vec<float, 8>) == 16);
  static_assert(sizeof(vec<float, 8>) == 32 && alignof(vec<bool, 2>) == 2);
  static_assert(tile2cu::words<__half, 16>::count == 2 && tile2cu::words<__half, 4>::count == 1);
}

TEST(Host, AlignedAndDivisible) {
  alignas(16) static const char bytes[32] = {};
  EXPECT_TRUE(tile2cu::aligned<16>(bytes, bytes + 16, reinterpret_cast<const double*>(bytes)));
  EXPECT_FALSE(tile2cu::aligned<16>(bytes, bytes + 8));
  EXPECT_TRUE(tile2cu::aligned<8>(bytes, bytes + 8));
  EXPECT_TRUE(tile2cu::divisible<4>(8, int64_t{-12}, 0u));
  EXPECT_FALSE(tile2cu::divisible<4>(8, 6));
}

TEST(Host, ResidentBlocks) {
  static_assert(tile2cu::resident_blocks(256, 1024) == 4);
  static_assert(tile2cu::resident_blocks(32, 1024) == 16);  // no architecture has fewer
  static_assert(tile2cu::resident_blocks(1024, 512) == 1);
  static_assert(tile2cu::resident_blocks(160, 1024) == 6);
}

}  // namespace
}  // namespace device_tests
