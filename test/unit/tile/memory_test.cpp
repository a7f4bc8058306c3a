// Loads and stores. The buffers have the exact size, so that the address sanitizer sees
// every masked-off address that is touched.
#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::same;

__tile_global__ void copyMasked(const float* in, float* out, int n) {
  const auto pid = grid(cdiv(n, 8));
  const auto at = pid * 8 + arange<8>();
  store(out + at, load(in + at, at < n) * 2, at < n);
}

TEST(Memory, MaskedLanesTouchNothing) {
  for (int n = 0; n < 20; ++n) {
    std::vector<float> in(static_cast<std::size_t>(n)), out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    ASSERT_EQ(launch(copyMasked, in.data(), out.data(), n), success);
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], 2 * in[i]);
  }
}

TEST(Memory, OtherAndItsConversions) {
  std::vector<float> data = {1, 2, 3};
  const float* __restrict__ p = data.data();
  const auto at = arange<4>();
  using t4 = tile<float, 4>;
  EXPECT_TILE(t4, load(p + at, at < 3), 1, 2, 3, 0);
  EXPECT_TILE(t4, load(p + at, at < 2, -inf), 1, 2, -inf, -inf);
  EXPECT_TILE(t4, load(p + at, at < 2, 7), 1, 2, 7, 7);
  EXPECT_TILE(t4, load(p + at, at < 2, at * 10), 1, 2, 20, 30);
  EXPECT_TILE(t4, load(p + at, false, 5), 5, 5, 5, 5);
  EXPECT_TILE(t4, load(p + at, at < 3, 0, cache::cg, evict::first), 1, 2, 3, 0);
  EXPECT_TILE(t4, load(p + at, at < 3, evict::last), 1, 2, 3, 0);
  using t2 = tile<float, 2>;
  EXPECT_TILE(t2, load(p + arange<2>(), cache::ca), 1, 2);
  const auto row_mask = (arange<2>() < 1)[all, none];
  using t22 = tile<float, 2, 2>;
  const auto block = p + (arange<2>()[all, none] + arange<2>());
  EXPECT_TILE(t22, load(block, row_mask, full<int, 2>(9)), 1, 2, 9, 9);
}

TEST(Memory, ElementTypes) {
  std::int8_t bytes[] = {-1, 2};
  char text[] = {'a', 'b'};
  long long wide[] = {1, 2};
  bool flags[] = {true, false};
  static_assert(same<decltype(load(bytes + arange<2>())), tile<std::int8_t, 2>>);
  static_assert(same<decltype(load(text + arange<2>())), tile<std::int8_t, 2>>);
  static_assert(same<decltype(load(wide + arange<2>())), tile<std::int64_t, 2>>);
  static_assert(same<decltype(load(flags + arange<2>())), tile<bool, 2>>);
  using t2 = tile<std::int8_t, 2>;
  EXPECT_TILE(t2, load(text + arange<2>()), 'a', 'b');
  float a = 1, b = 2;
  float* table[] = {&a, &b};
  const auto pointers = load(table + arange<2>(), arange<2>() < 2);
  static_assert(same<decltype(load(table + arange<2>())), tile<float*, 2>>);
  using f2 = tile<float, 2>;
  EXPECT_TILE(f2, load(pointers), 1, 2);
}

TEST(Memory, StoresConvertAndBroadcast) {
  std::vector<std::int16_t> out(6, -1);
  const auto at = arange<6>();
  store(out.data() + at, 3.75);
  EXPECT_EQ(out, (std::vector<std::int16_t>(6, 3)));
  store(out.data() + at, full<float, 1>(7), at % 2 == 0, cache::cs);
  EXPECT_EQ(out, (std::vector<std::int16_t>{7, 3, 7, 3, 7, 3}));
  std::vector<float16> halves(2);
  store(halves.data() + arange<2>(), arange<2>() + 0.5f, evict::first);
  EXPECT_EQ(static_cast<float>(halves[1]), 1.5f);
  std::vector<float> untouched;
  store(untouched.data() + arange<4>(), 1.0f, full<bool, 4>(false));
}

TEST(Memory, ScalarPointers) {
  float value = 4;
  EXPECT_EQ(load(&value), 4.0f);
  EXPECT_EQ(load(&value, false, 9), 9.0f);
  store(&value, 5);
  EXPECT_EQ(value, 5.0f);
  store(&value, 6.5, false);
  EXPECT_EQ(*(&value), 5.0f);
  static_assert(same<decltype(load(&value)), float>);
  const float* nothing = nullptr;
  EXPECT_EQ(load(nothing, false), 0.0f);
}

TEST(Memory, ProgramOrder) {
  int data[4] = {1, 2, 3, 4};
  const auto at = arange<3>();
  const auto before = load(data + at);
  store(data + 1 + at, before);  // overlaps what was loaded
  using t3 = tile<int, 3>;
  EXPECT_TILE(t3, load(data + at), 1, 1, 2);
}

}  // namespace
