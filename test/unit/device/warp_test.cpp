// Reductions, scans and shuffles: every group of lanes, every number of warps, the same bits
// everywhere.
#include <algorithm>
#include <cstring>
#include <random>

#include "testing.h"

namespace device_tests {
namespace {

using tile2cu::indexed;

template <class T>
std::vector<T> randomValues(int count) {
  std::mt19937 random(3);
  std::vector<T> values(count);
  for (T& value : values) value = T(float(int(random() % 2001) - 1000) / 64);
  return values;
}

// ---- groups of lanes

template <int LANES, int STRIDE>
void checkGroups() {
  const auto values = randomValues<int>(32);
  onBlock(32, [&] {
    const int lane = threadIdx.x;
    const int position = lane / STRIDE % LANES;
    const int first = lane - position * STRIDE;  // the group is first + i * STRIDE
    int total = 0, before = 0, after = 0;
    for (int i = 0; i < LANES; ++i) {
      const int value = values[first + i * STRIDE];
      total += value;
      if (i <= position) before += value;
      if (i >= position) after += value;
    }
    const auto sum = tile2cu::sum_op<int>();
    EXPECT_EQ((tile2cu::warp_reduce<LANES, STRIDE>(values[lane], sum)), total);
    EXPECT_EQ((tile2cu::warp_scan<LANES, STRIDE>(values[lane], sum)), before);
    EXPECT_EQ((tile2cu::warp_scan_reverse<LANES, STRIDE>(values[lane], sum)), after);
    const int previous = position > 0 ? values[lane - STRIDE] : -7;
    EXPECT_EQ((tile2cu::warp_shift_up<LANES, STRIDE>(values[lane], -7)), previous);
    const int next = position < LANES - 1 ? values[lane + STRIDE] : -7;
    EXPECT_EQ((tile2cu::warp_shift_down<LANES, STRIDE>(values[lane], -7)), next);
  });
}
template <int LANES>
void checkStrides() {
  checkGroups<LANES, 1>();
  if constexpr (LANES <= 16) checkGroups<LANES, 2>();
  if constexpr (LANES <= 8) checkGroups<LANES, 4>();
  if constexpr (LANES <= 4) checkGroups<LANES, 8>();
  if constexpr (LANES <= 2) checkGroups<LANES, 16>();
}

TEST(Warp, EveryGroupOfLanes) {
  checkStrides<1>();
  checkStrides<2>();
  checkStrides<4>();
  checkStrides<8>();
  checkStrides<16>();
  checkStrides<32>();
}

// A scan of an operator that does not commute: composition of x -> a x + b.
struct Affine {
  int64_t a, b;
};
TEST(Warp, ScansKeepTheOrder) {
  const auto compose = [](Affine f, Affine g) { return Affine{g.a * f.a, g.a * f.b + g.b}; };
  onBlock(32, [&] {
    const auto at = [](int lane) { return Affine{lane % 3 - 1, lane}; };
    const int lane = threadIdx.x;
    Affine up = at(0), down = at(31);
    for (int l = 1; l <= lane; ++l) up = compose(up, at(l));
    for (int l = 30; l >= lane; --l) down = compose(down, at(l));
    const Affine scanned = tile2cu::warp_scan(at(lane), compose);
    EXPECT_EQ(scanned.a, up.a);
    EXPECT_EQ(scanned.b, up.b);
    const Affine reversed = tile2cu::warp_scan_reverse(at(lane), compose);
    EXPECT_EQ(reversed.a, down.a);
    EXPECT_EQ(reversed.b, down.b);
  });
}

// ---- shuffles of any size

template <int BYTES>
struct Bytes {
  unsigned char at[BYTES];
  friend bool operator==(const Bytes&, const Bytes&) = default;
};
template <int BYTES>
void checkBytes() {
  onBlock(64, [] {
    const auto of = [](unsigned thread) {
      Bytes<BYTES> value;
      for (int b = 0; b < BYTES; ++b) value.at[b] = static_cast<unsigned char>(thread * 7 + b);
      return value;
    };
    const unsigned warp = threadIdx.x & ~31u, lane = threadIdx.x % 32;
    const Bytes<BYTES> mine = of(threadIdx.x);
    EXPECT_EQ(tile2cu::warp_shuffle(mine, int(lane * 5 % 32)), of(warp + lane * 5 % 32));
    EXPECT_EQ(tile2cu::warp_shuffle_xor(mine, 9), of(threadIdx.x ^ 9));
    EXPECT_EQ(tile2cu::warp_broadcast(mine, 3), of(warp + 3));
  });
}
TEST(Warp, ShufflesAnySize) {
  checkBytes<1>();
  checkBytes<2>();
  checkBytes<3>();
  checkBytes<4>();
  checkBytes<6>();
  checkBytes<8>();
  checkBytes<12>();
  checkBytes<16>();
  checkBytes<20>();
}

// Before and after, lane l has columns of a row: the pair's `low` and `high` ones each side by side.
template <int LANE, class T>
void checkExchange() {
  onBlock(64, [] {
    const int lane = threadIdx.x, other = lane ^ LANE;
    const auto of = [](int thread, int v) { return T(thread * 3 + v); };
    tile2cu::vec<T, 2> low, high;
    for (int v = 0; v < 2; ++v) low[v] = of(lane, v), high[v] = of(lane, v + 100);
    const tile2cu::vec<T, 4> both = tile2cu::exchange_lanes<LANE>(low, high);
    const bool upper = lane & LANE;
    for (int v = 0; v < 2; ++v) {
      EXPECT_EQ(both[v], of(upper ? other : lane, v + (upper ? 100 : 0)));
      EXPECT_EQ(both[v + 2], of(upper ? lane : other, v + (upper ? 100 : 0)));
    }
  });
}
TEST(Warp, LanesExchangeHalves) {
  checkExchange<1, float>();
  checkExchange<2, short>();
  checkExchange<8, double>();
  checkExchange<16, signed char>();
}

TEST(Warp, Votes) {
  onBlock(64, [] {
    const unsigned warp = threadIdx.x / 32;
    EXPECT_EQ(tile2cu::warp_any(threadIdx.x == 5), warp == 0);
    EXPECT_EQ(tile2cu::warp_all(threadIdx.x != 5), warp == 1);
  });
}
// Each element of each thread's array decides, alone, and for its own warp only.
TEST(Warp, VotesOnArrays) {
  for (int thread = 0; thread < 64; thread += 21) {
    for (int place = 0; place < 12; ++place) {
      onBlock(64, [&] {
        const bool mine = int(threadIdx.x) == thread;
        const bool expected = int(threadIdx.x) / 32 == thread / 32;
        bool row[12] = {}, rows[3][4] = {};
        tile2cu::vec<bool, 2> vectors[2][3] = {};
        row[place] = rows[place / 4][place % 4] = vectors[place / 6][place / 2 % 3][place % 2] =
            mine;
        EXPECT_EQ(tile2cu::any_of(rows), mine);
        EXPECT_EQ(tile2cu::warp_any(row), expected);
        EXPECT_EQ(tile2cu::warp_any(rows), expected);
        EXPECT_EQ(tile2cu::warp_any(vectors), expected);
        EXPECT_EQ(tile2cu::warp_any(vectors[place / 6][place / 2 % 3]), expected);
      });
    }
  }
}

// ---- blocks

// Every thread ends with `expected`, and all with the same bits.
template <int WARPS, class T, class Op, class Expected>
void checkBlock(const std::vector<T>& values, Op op, Expected expected) {
  std::vector<T> results(WARPS * 32);
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    onBlock(WARPS * 32, [&] {
      auto& partial = *reinterpret_cast<T(*)[WARPS]>(dynamic_smem);
      results[threadIdx.x] = tile2cu::block_reduce(values[threadIdx.x], op, partial);
    });
    for (const T& result : results) {
      EXPECT_EQ(std::memcmp(&result, &results[0], sizeof(T)), 0) << WARPS << " warps";
    }
    expected(results[0]);
  }
}

template <int WARPS>
void checkWarps() {
  const int threads = WARPS * 32;
  const auto values = randomValues<float>(threads);
  float sum = 0.0f, largest = -INFINITY;
  for (const float value : values) {
    sum += value;  // exact: multiples of 1/64 below 2^15
    largest = std::max(largest, value);
  }
  checkBlock<WARPS>(values, tile2cu::sum_op<float>(), [&](float x) { EXPECT_EQ(x, sum); });
  checkBlock<WARPS>(values, tile2cu::max_op<float>(), [&](float x) { EXPECT_EQ(x, largest); });

  std::vector<indexed<float>> pairs(threads);
  for (int t = 0; t < threads; ++t) pairs[t] = {std::floor(values[t]), t};
  const auto first = std::max_element(pairs.begin(), pairs.end(),
                                      [](auto a, auto b) { return a.value < b.value; });
  checkBlock<WARPS>(pairs, tile2cu::argmax_op<float>(), [&](indexed<float> best) {
    EXPECT_EQ(best.index, first->index);
    EXPECT_EQ(best.value, first->value);
  });
}

TEST(Block, EveryNumberOfWarps) {
  checkWarps<1>();
  checkWarps<2>();
  checkWarps<3>();
  checkWarps<4>();
  checkWarps<5>();
  checkWarps<6>();
  checkWarps<7>();
  checkWarps<8>();
  checkWarps<9>();
  checkWarps<12>();
  checkWarps<15>();
  checkWarps<16>();
  checkWarps<17>();
  checkWarps<24>();
  checkWarps<31>();
  checkWarps<32>();
}

// A user's combine function: no identity, and its rounding depends on the order of the operands.
struct Moments {
  float mean, square, count;
};
TEST(Block, UserFunctionsGiveTheSameBitsEverywhere) {
  const auto merge = [](Moments a, Moments b) {
    const float n = a.count + b.count, d = b.mean - a.mean;
    return Moments{a.mean + d * (b.count / n),
                   a.square + b.square + d * d * (a.count * b.count / n), n};
  };
  const auto values = randomValues<float>(5 * 32);
  std::vector<Moments> moments;
  double mean = 0, square = 0;
  for (const float value : values) {
    moments.push_back({value, 0.0f, 1.0f});
    mean += value / 160.0;
  }
  for (const float value : values) square += (value - mean) * (value - mean);
  checkBlock<5>(moments, merge, [&](Moments m) {
    EXPECT_EQ(m.count, 160.0f);
    EXPECT_NEAR(m.mean, mean, 1e-5);
    EXPECT_NEAR(m.square, square, 1e-5 * square);
  });
}

// ---- operators

template <class T>
class Operators : public testing::Test {};
using Types = testing::Types<int8_t, uint8_t, int, uint32_t, int64_t, uint64_t, float, double,
                             __half, __nv_bfloat16>;
TYPED_TEST_SUITE(Operators, Types);

TYPED_TEST(Operators, IdentitiesChangeNothing) {
  using T = TypeParam;
  const auto check = [](auto op) {
    for (const float f : {-3.0f, 0.0f, 1.0f, 100.0f}) {
      if (std::is_unsigned_v<T> && f < 0) continue;
      EXPECT_EQ(op(T(f), op.identity()), T(f));
      EXPECT_EQ(op(op.identity(), T(f)), T(f));
    }
  };
  check(tile2cu::sum_op<T>());
  check(tile2cu::prod_op<T>());
  check(tile2cu::max_op<T>());
  check(tile2cu::min_op<T>());
  if constexpr (std::is_integral_v<T>) {
    check(tile2cu::xor_op<T>());
    check(tile2cu::or_op<T>());
    check(tile2cu::and_op<T>());
    const T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
    EXPECT_EQ(tile2cu::max_op<T>::identity(), low);
    EXPECT_EQ(tile2cu::min_op<T>::identity(), high);
  } else {
    EXPECT_EQ(float(tile2cu::max_op<T>::identity()), -INFINITY);
    EXPECT_EQ(float(tile2cu::min_op<T>::identity()), INFINITY);
  }
  const auto greatest = tile2cu::argmax_op<T>();
  const auto least = tile2cu::argmin_op<T>();
  for (const indexed<T>& at : {indexed<T>{T(3.0f), 5}, indexed<T>{tile2cu::lowest<T>(), 6},
                               indexed<T>{tile2cu::highest<T>(), 7}}) {
    EXPECT_EQ(greatest(at, greatest.identity()).index, at.index);
    EXPECT_EQ(greatest(greatest.identity(), at).index, at.index);
    EXPECT_EQ(least(at, least.identity()).index, at.index);
    EXPECT_EQ(least(least.identity(), at).index, at.index);
  }
}

TEST(Operators, Bool) {
  EXPECT_TRUE(tile2cu::or_op<bool>()(true, tile2cu::or_op<bool>::identity()));
  EXPECT_TRUE(tile2cu::and_op<bool>()(true, tile2cu::and_op<bool>::identity()));
  EXPECT_FALSE(tile2cu::and_op<bool>()(false, tile2cu::and_op<bool>::identity()));
  EXPECT_FALSE(tile2cu::xor_op<bool>()(true, true));
}

TEST(Operators, ArgmaxOfEqualAndNaN) {
  const auto greatest = tile2cu::argmax_op<float>();
  const auto least = tile2cu::argmin_op<float>();
  for (const auto& op :
       {+[](indexed<float> a, indexed<float> b) { return tile2cu::argmax_op<float>()(a, b).index; },
        +[](indexed<float> a, indexed<float> b) {
          return tile2cu::argmin_op<float>()(a, b).index;
        }}) {
    EXPECT_EQ(op({1.0f, 4}, {1.0f, 2}), 2);
    EXPECT_EQ(op({1.0f, 2}, {1.0f, 4}), 2);
    EXPECT_EQ(op({0.0f, 4}, {-0.0f, 2}), 2);
    EXPECT_EQ(op({NAN, 1}, {1.0f, 2}), 2);  // NaN is ignored
    EXPECT_EQ(op({1.0f, 2}, {NAN, 1}), 2);
    EXPECT_EQ(op({NAN, 3}, {NAN, 1}), 1);  // and where all are NaN the first is taken
    EXPECT_EQ(op({NAN, 1}, {NAN, 3}), 1);
  }
  EXPECT_EQ(greatest({-INFINITY, 3}, {NAN, 1}).index, 3);
  EXPECT_EQ(least({INFINITY, 3}, {NAN, 1}).index, 3);
  EXPECT_EQ(greatest({NAN, 3}, greatest.identity()).index, 3);
}

TEST(Operators, MaximumAndNaN) {
  EXPECT_EQ(tile2cu::maximum_number(NAN, 1.0f), 1.0f);
  EXPECT_EQ(tile2cu::minimum_number(1.0f, NAN), 1.0f);
  EXPECT_EQ(tile2cu::minimum_number(1.0, double(NAN)), 1.0);
  EXPECT_TRUE(std::isnan(tile2cu::maximum_number(NAN, NAN)));
  EXPECT_TRUE(std::isnan(tile2cu::maximum_nan(NAN, 1.0f)));
  EXPECT_TRUE(std::isnan(tile2cu::minimum_nan(1.0, double(NAN))));
  EXPECT_EQ(tile2cu::maximum_nan(2.0f, 1.0f), 2.0f);
  EXPECT_EQ(tile2cu::minimum(-3, 5), -3);
  EXPECT_EQ(tile2cu::maximum(3u, 0x80000000u), 0x80000000u);
  EXPECT_EQ(tile2cu::max_op<int8_t>()(-3, 5), 5);
  EXPECT_EQ(float(tile2cu::maximum_number(__half(NAN), __half(2.0f))), 2.0f);
  EXPECT_TRUE(
      std::isnan(tile2cu::max_nan_op<float>()(NAN, tile2cu::max_nan_op<float>::identity())));
}

}  // namespace
}  // namespace device_tests
