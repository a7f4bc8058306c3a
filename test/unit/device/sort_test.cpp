// Sorts: types of each kind and size, groups of lanes, numbers of warps, with and without indices.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "testing.h"

namespace device_tests {
namespace {

template <class T>
constexpr bool IS_FLOAT = !std::is_integral_v<T>;

// Few values, so that some are equal; of floats both zeros, NaNs and infinity, too.
template <class T>
std::vector<T> randomKeys(int count) {
  std::mt19937 random(count);
  std::vector<T> values(count);
  for (T& value : values) {
    const int k = int(random() % 40);
    value = T(k - 20);
    if constexpr (IS_FLOAT<T>) {
      const float special[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0f};
      if (k < 5) value = T(special[k]);
    }
  }
  return values;
}

template <class T>
bool precedes(T first, T second, bool descending) {
  const auto a = descending ? second : first, b = descending ? first : second;
  return a < b || (a == a && b != b);
}

// Whether a value is the expected one; with its sign if it is a zero.
template <class T>
bool isSame(T value, T expected, bool of_zero) {
  if constexpr (IS_FLOAT<T>)
    if (of_zero && std::signbit(float(value)) != std::signbit(float(expected)))
      return expected != expected && value != value;
  return value == expected || (value != value && expected != expected);
}

// Rows of `size` elements. With one warp a row has LANES lanes that are STRIDE apart.
template <class T, bool DESCENDING, int WARPS, int V, int LANES = 32, int STRIDE = 1>
void check(int size) {
  constexpr int COUNT = (WARPS > 1 ? 32 * WARPS : LANES) * V, ROWS = WARPS > 1 ? 1 : 32 / LANES;
  const auto values = randomKeys<T>(ROWS * COUNT);
  std::vector<T> sorted(values.size()), most(values.size());
  std::vector<int> indices(values.size());
  onBlock(32 * WARPS, [&] {
    using key = tile2cu::sort_key<T, DESCENDING>;
    using indexed = tile2cu::indexed_key<T, DESCENDING>;
    const int thread = int(threadIdx.x), part = WARPS > 1 ? thread : thread / STRIDE % LANES;
    const int row = WARPS > 1 ? 0 : thread % STRIDE + thread / STRIDE / LANES * STRIDE;
    key keys[V];
    indexed places[V];
    for (int v = 0; v < V; ++v) {
      const int i = part * V + v;
      const T x = values[row * COUNT + i];
      keys[v] = i < size ? key::of(x) : key::last();
      places[v] = i < size ? indexed::of(x, i) : indexed::last();
    }
    tile2cu::warp_sort<LANES, STRIDE>(keys);
    tile2cu::warp_sort<LANES, STRIDE>(places);
    if constexpr (WARPS > 1) {
      auto& shared = *reinterpret_cast<key(*)[COUNT + COUNT / 32]>(dynamic_smem);
      auto& with_places = *reinterpret_cast<indexed(*)[COUNT + COUNT / 32]>(dynamic_smem);
      for (int run = 32 * V; run < COUNT; run *= 2) {
        tile2cu::share_keys(keys, shared, thread);
        __syncthreads();
        tile2cu::merge_runs<COUNT>(keys, shared, run, thread);
        __syncthreads();
        tile2cu::share_keys(places, with_places, thread);
        __syncthreads();
        tile2cu::merge_runs<COUNT>(places, with_places, run, thread);
        __syncthreads();
      }
    }
    for (int v = 0; v < V; ++v) {
      const int i = row * COUNT + part * V + v;
      sorted[i] = keys[v].value();
      most[i] = places[v].value();
      indices[i] = places[v].index();
    }
  });
  for (int row = 0; row < ROWS; ++row) {
    std::vector<int> order(size);
    for (int i = 0; i < size; ++i) order[i] = i;
    const auto at = [&](int i) { return values[row * COUNT + i]; };
    std::sort(order.begin(), order.end(), [&](int i, int j) {
      return precedes(at(i), at(j), DESCENDING) || (!precedes(at(j), at(i), DESCENDING) && i < j);
    });
    for (int i = 0; i < size; ++i) {
      const int to = row * COUNT + i;
      ASSERT_TRUE(isSame(sorted[to], at(order[i]), false)) << row << " " << i << " of " << size;
      ASSERT_TRUE(isSame(most[to], at(order[i]), true)) << row << " " << i << " of " << size;
      ASSERT_EQ(indices[to], order[i]) << row << " " << i << " of " << size;
    }
  }
}

template <class T, bool DESCENDING>
void checkRows() {
  check<T, DESCENDING, 1, 1>(32);
  check<T, DESCENDING, 1, 8, 8, 4>(61);
  check<T, DESCENDING, 1, 4, 1>(3);
  check<T, DESCENDING, 2, 1>(64);
  check<T, DESCENDING, 5, 2>(257);
}
template <class T>
void checkOrders() {
  checkRows<T, false>();
  checkRows<T, true>();
}

TEST(Sort, Integers) {
  checkOrders<int8_t>();
  checkOrders<int>();
  checkOrders<uint64_t>();
}

TEST(Sort, Floats) {
  checkOrders<__half>();
  checkOrders<float>();
  checkOrders<double>();
}

}  // namespace
}  // namespace device_tests
