// Atomics: old values, masks, every type, from many programs.
#include <cmath>
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;

TEST(Atomics, AddReturnsOldValuesAndCountsDuplicates) {
  int counter[2] = {5, 0};
  const auto old = atomic_add(counter + zeros<int, 3>(), 1, memory_order::relaxed);
  using t3 = tile<int, 3>;
  EXPECT_TILE(t3, old, 5, 6, 7);
  EXPECT_EQ(counter[0], 8);
  const auto masked =
      atomic_add(counter + arange<3>(), arange<3>() + 1, arange<3>() < 2, scope::gpu);
  EXPECT_TILE(t3, masked, 8, 0, 0);
  EXPECT_EQ(counter[1], 2);
  EXPECT_EQ(atomic_add(&counter[1], 2.9, memory_order::acq_rel, scope::system), 2);
  EXPECT_EQ(counter[1], 4);
  EXPECT_EQ(atomic_add(&counter[1], 1, false), 0);
}

template <class T>
__tile_global__ void countPrograms(T* total, int n) {
  grid(n);
  atomic_add(total + zeros<int, 2>(), T(1));
}

template <class T>
void checkTotal(int programs) {
  T total = T(0);
  ASSERT_EQ(launch(countPrograms<T>, &total, programs), success);
  EXPECT_EQ(static_cast<double>(total), 2 * programs);
}

TEST(Atomics, AddFromManyPrograms) {
  checkTotal<int>(1000);
  checkTotal<unsigned>(1000);
  checkTotal<std::int64_t>(1000);
  checkTotal<std::uint64_t>(1000);
  checkTotal<float>(1000);
  checkTotal<double>(1000);
  checkTotal<float16>(1000);
  checkTotal<bfloat16>(100);
}

template <class T>
class AtomicIntegers : public testing::Test {};
using Integers =
    testing::Types<std::int16_t, std::uint16_t, int, unsigned, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(AtomicIntegers, Integers);

TYPED_TEST(AtomicIntegers, Updates) {
  using T = TypeParam;
  T x = 12;
  EXPECT_EQ(atomic_and(&x, 10), T(12));
  EXPECT_EQ(atomic_or(&x, 3), T(8));
  EXPECT_EQ(atomic_xor(&x, 1), T(11));
  EXPECT_EQ(atomic_min(&x, 4), T(10));
  EXPECT_EQ(atomic_min(&x, 9), T(4));
  EXPECT_EQ(atomic_max(&x, 7), T(4));
  EXPECT_EQ(atomic_sub(&x, 2), T(7));
  EXPECT_EQ(atomic_xchg(&x, 100), T(5));
  EXPECT_EQ(x, T(100));
  const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  EXPECT_EQ(atomic_max(&x, low), T(100));
  EXPECT_EQ(atomic_min(&x, high), T(100));
  EXPECT_EQ(atomic_xchg(&x, low), T(100));
  EXPECT_EQ(atomic_sub(&x, 1), low);
  EXPECT_EQ(x, high);  // wraps around
  atomic_add(&x, 1);
  EXPECT_EQ(x, low);
}

TYPED_TEST(AtomicIntegers, CountersWrapAround) {
  using T = TypeParam;
  T x = 0;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(atomic_inc(&x, 3), T(i % 4));
  x = 9;
  EXPECT_EQ(atomic_inc(&x, 3), T(9));  // above the limit
  EXPECT_EQ(x, T(0));
  EXPECT_EQ(atomic_dec(&x, 3), T(0));
  EXPECT_EQ(atomic_dec(&x, 3), T(3));
  EXPECT_EQ(x, T(2));
  x = 9;
  EXPECT_EQ(atomic_dec(&x, 3), T(9));
  EXPECT_EQ(x, T(3));
}

template <class T>
class AtomicFloats : public testing::Test {};
using Floats = testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(AtomicFloats, Floats);

TYPED_TEST(AtomicFloats, ExtremesIgnoreNaNAndKnowZerosOfBothSigns) {
  using T = TypeParam;
  const float values[] = {-INFINITY, -2, -0.0f, 0.0f, 3, INFINITY, NAN, -NAN};
  for (const float a : values)
    for (const float b : values) {
      T least = T(a), most = T(a);
      const T old = atomic_min(&least, T(b));
      atomic_max(&most, T(b));
      const float low = static_cast<float>(minimum(T(a), T(b)));
      const float high = static_cast<float>(maximum(T(a), T(b)));
      EXPECT_TRUE(std::isnan(a) ? std::isnan(static_cast<float>(old))
                                : static_cast<float>(old) == a);
      for (const auto& [got, want] : {std::pair(least, low), std::pair(most, high)}) {
        EXPECT_EQ(std::isnan(static_cast<float>(got)), std::isnan(want));
        if (std::isnan(want)) continue;
        EXPECT_EQ(static_cast<float>(got), want);
        EXPECT_EQ(std::signbit(static_cast<float>(got)), std::signbit(want));
      }
    }
}

TYPED_TEST(AtomicFloats, CompareAndSwapComparesBits) {
  using T = TypeParam;
  T x = T(0.0f);
  EXPECT_EQ(static_cast<float>(atomic_cas(&x, T(-0.0f), T(1.0f))), 0.0f);
  EXPECT_EQ(static_cast<float>(x), 0.0f);
  atomic_cas(&x, T(0.0f), T(NAN));
  EXPECT_TRUE(std::isnan(static_cast<float>(x)));
  atomic_cas(&x, x, T(2.0f));
  EXPECT_EQ(static_cast<float>(x), 2.0f);
}

TEST(Atomics, TilesUpdateEachElement) {
  int x[4] = {5, 5, 5, 5};
  using t4 = tile<int, 4>;
  const auto i = arange<4>();
  EXPECT_TILE(t4, atomic_max(x + i, i * 3, i != 3), 5, 5, 5, 0);
  EXPECT_TILE(t4, load(x + i), 5, 5, 6, 5);
  EXPECT_TILE(t4, atomic_cas(x + i, 5, i, i != 0, memory_order::relaxed), 0, 5, 6, 5);
  EXPECT_TILE(t4, load(x + i), 5, 1, 6, 3);
  EXPECT_TILE(t4, atomic_xchg(x + i * 0, i), 5, 0, 1, 2);  // each once
  EXPECT_EQ(x[0], 3);
}

TEST(Atomics, MaskedOffTouchesNothing) {
  auto* nowhere = reinterpret_cast<int*>(24);
  EXPECT_EQ(atomic_min(nowhere, 1, false), 0);
  EXPECT_EQ(atomic_cas(nowhere, 1, 2, false), 0);
  EXPECT_EQ(atomic_load(nowhere, false), 0);
  atomic_store(nowhere, 1, false);
}

TYPED_TEST(AtomicIntegers, LoadAndStore) {
  using T = TypeParam;
  T x[4] = {1, 2, 3, 4};
  using t4 = tile<T, 4>;
  const auto i = arange<4>();
  const T* const p = x;
  EXPECT_TILE(t4, atomic_load(p + i, i != 2), 1, 2, 0, 4);
  atomic_store(x + i, cast<T>(i * 5), i < 3, memory_order::relaxed, scope::block);
  EXPECT_TILE(t4, atomic_load(p + i, memory_order::relaxed), 0, 5, 10, 4);
  atomic_store(&x[0], atomic_load(x + 3));
  EXPECT_EQ(x[0], T(4));
}

TEST(Atomics, FloatsAreStoredWhole) {
  float16 h[2] = {float16(1.0f), float16(2.0f)};
  atomic_store(&h[0], atomic_load(h + 1));
  EXPECT_EQ(static_cast<float>(h[0]), 2.0f);
  double d = 1;
  atomic_store(&d, -0.0);
  EXPECT_TRUE(std::signbit(atomic_load(&d)));
}

__tile_global__ void countUnderLock(int* lock, int* count, int n) {
  grid(n);
  while (atomic_cas(lock, 0, 1) != 0) {
  }
  *count = *count + 1;
  atomic_xchg(lock, 0);
}

TEST(Atomics, Lock) {
  int lock = 0, count = 0;
  ASSERT_EQ(launch(countUnderLock, &lock, &count, 1000), success);
  EXPECT_EQ(count, 1000);
}

__tile_global__ void oneAfterAnother(int* next, int* turn, int* x, int n) {
  grid(n);
  const int ticket = atomic_add(next, 1, memory_order::relaxed);
  while (atomic_load(turn) != ticket) {
  }
  *x = *x * 3 + ticket;
  atomic_store(turn, ticket + 1);
}

TEST(Atomics, OneAfterAnother) {
  int next = 0, turn = 0, x = 0, expected = 0;
  for (int i = 0; i < 16; ++i) expected = expected * 3 + i;
  ASSERT_EQ(launch(oneAfterAnother, &next, &turn, &x, 16), success);
  EXPECT_EQ(x, expected);
}

}  // namespace
