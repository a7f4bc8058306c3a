// Atomics other than additions, of every type.
#include <cmath>
#include <limits>

#include "testing.h"

namespace device_tests {
namespace {

namespace t = tile2cu;

template <class T>
class AtomicIntegers : public testing::Test {};
using Integers = testing::Types<int16_t, uint16_t, int, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(AtomicIntegers, Integers);

TYPED_TEST(AtomicIntegers, Updates) {
  using T = TypeParam;
  const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  T x = 12;
  std::vector<T> old;
  onBlock(1, [&] {
    old = {t::atomic_and(&x, 10),   t::atomic_or(&x, 3),       t::atomic_xor(&x, 1),
           t::atomic_min(&x, 4),    t::atomic_max(&x, 7),      t::atomic_xchg(&x, low),
           t::atomic_min(&x, 5),    t::atomic_max(&x, 5),      t::atomic_max(&x, high),
           t::atomic_cas(&x, 1, 2), t::atomic_cas(&x, high, 9)};
  });
  EXPECT_EQ(old, (std::vector<T>{12, 8, 11, 10, 4, 7, low, low, T(low > 5 ? low : 5), high, high}));
  EXPECT_EQ(x, T(9));
}

TYPED_TEST(AtomicIntegers, CountersWrapAround) {
  using T = TypeParam;
  T up = 0, down = 2;
  std::vector<T> ups, downs;
  onBlock(1, [&] {
    for (int i = 0; i < 6; ++i) ups.push_back(t::atomic_inc(&up, 3));
    for (int i = 0; i < 6; ++i) downs.push_back(t::atomic_dec(&down, 3));
  });
  EXPECT_EQ(ups, (std::vector<T>{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(downs, (std::vector<T>{2, 1, 0, 3, 2, 1}));
}

TYPED_TEST(AtomicIntegers, ByManyThreads) {
  using T = TypeParam;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    T least = 100, most = 3, all = 0, count = 0;
    onBlock(64, [&] {
      t::atomic_min(&least, T(threadIdx.x + 5));
      t::atomic_max(&most, T(threadIdx.x));
      t::atomic_or(&all, T(1 << threadIdx.x % 8));
      t::ordered_inc<t::memory_order::acq_rel>(&count, 9);
    });
    EXPECT_EQ(least, T(5));
    EXPECT_EQ(most, T(63));
    EXPECT_EQ(all, T(255));
    EXPECT_EQ(count, T(4));
  }
}

template <class T>
class AtomicFloats : public testing::Test {};
using Floats = testing::Types<__half, __nv_bfloat16, float, double>;
TYPED_TEST_SUITE(AtomicFloats, Floats);

// The bits of a value; all NaNs alike.
template <class T>
uint64_t bitsOf(T value) {
  if (value != value) return ~uint64_t(0);
  return uint64_t(t::bit_cast<t::atomic_bits<T>>(value));
}

TYPED_TEST(AtomicFloats, Extremes) {
  using T = TypeParam;
  const float values[] = {-INFINITY, -2, -1e-40f, -0.0f, 0.0f, 1e-40f, 3, INFINITY, NAN, -NAN};
  for (const float a : values)
    for (const float b : values) {
      T least = T(a), most = T(a), old_least, old_most;
      onBlock(1, [&] {
        old_least = t::atomic_min(&least, T(b));
        old_most = t::atomic_max(&most, T(b));
      });
      EXPECT_EQ(bitsOf(old_least), bitsOf(T(a)));
      EXPECT_EQ(bitsOf(old_most), bitsOf(T(a)));
      EXPECT_EQ(bitsOf(least), bitsOf(t::minimum_number(T(a), T(b)))) << a << " " << b;
      EXPECT_EQ(bitsOf(most), bitsOf(t::maximum_number(T(a), T(b)))) << a << " " << b;
    }
}

TYPED_TEST(AtomicFloats, Swaps) {
  using T = TypeParam;
  T x = T(-0.0f), old[3];
  onBlock(1, [&] {
    old[0] = t::atomic_cas(&x, T(0.0f), T(1.0f));  // compares bits
    old[1] = t::atomic_xchg(&x, T(NAN));
    old[2] = t::atomic_cas(&x, x, T(2.0f));
  });
  EXPECT_EQ(bitsOf(old[0]), bitsOf(T(-0.0f)));
  EXPECT_EQ(bitsOf(old[1]), bitsOf(T(-0.0f)));
  EXPECT_EQ(bitsOf(old[2]), bitsOf(T(NAN)));
  EXPECT_EQ(float(x), 2.0f);
}

TEST(AtomicUpdates, OfTheSystem) {
  int x = 5;
  double y = 1;
  uint64_t z = 12;
  onBlock(1, [&] {
    t::ordered_max<t::memory_order::acq_rel, t::scope::system>(&x, 7);
    t::ordered_min<t::memory_order::relaxed, t::scope::system>(&y, -1.0);
    t::ordered_and<t::memory_order::release, t::scope::system>(&z, 4);
    t::ordered_cas<t::memory_order::acquire, t::scope::system>(&z, 4, 6);
  });
  EXPECT_EQ(x, 7);
  EXPECT_EQ(y, -1.0);
  EXPECT_EQ(z, 6u);
}

template <class T>
class AtomicAccesses : public testing::Test {};
using Accessed = testing::Types<int16_t, uint16_t, int, uint32_t, int64_t, uint64_t, float, double,
                                __half, __nv_bfloat16>;
TYPED_TEST_SUITE(AtomicAccesses, Accessed);

TYPED_TEST(AtomicAccesses, LoadAndStore) {
  using T = TypeParam;
  T x = T(3.0f);
  std::vector<T> read;
  onBlock(1, [&] {
    read = {t::atomic_load(&x), t::ordered_load<t::memory_order::acquire>(&x)};
    t::atomic_store(&x, T(4.0f));
    read.push_back(t::ordered_load<t::memory_order::relaxed, t::scope::block>(&x));
    t::ordered_store<t::memory_order::release, t::scope::system>(&x, T(5.0f));
    t::ordered_add<t::memory_order::acq_rel, t::scope::block>(&x, T(1.0f));
    t::ordered_max<t::memory_order::relaxed, t::scope::block>(&x, T(2.0f));
    read.push_back(t::ordered_cas<t::memory_order::acquire, t::scope::block>(&x, x, x));
  });
  ASSERT_EQ(read.size(), 4u);
  EXPECT_EQ(float(read[0]), 3.0f);
  EXPECT_EQ(float(read[1]), 3.0f);
  EXPECT_EQ(float(read[2]), 4.0f);
  EXPECT_EQ(float(read[3]), 6.0f);
}

}  // namespace
}  // namespace device_tests
