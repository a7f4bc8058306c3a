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

// The indices of `size` values in order; of equal ones, the smallest index first.
template <class At>
std::vector<int> orderOf(At at, int size, bool descending) {
  std::vector<int> order(size);
  for (int i = 0; i < size; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return precedes(at(i), at(j), descending) || (!precedes(at(j), at(i), descending) && i < j);
  });
  return order;
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
    const auto at = [&](int i) { return values[row * COUNT + i]; };
    const std::vector<int> order = orderOf(at, size, DESCENDING);
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

// The first KEPT keys of each of ROWS rows of LANES * V, or of one row in all warps.
template <int KEPT, int WARPS, int V, int LANES = 32, int STRIDE = 1>
void checkFirst() {
  constexpr int COUNT = (WARPS > 1 ? 32 * WARPS : LANES) * V, ROWS = WARPS > 1 ? 1 : 32 / LANES;
  constexpr int SHARING = tile2cu::kept_lanes<KEPT, LANES, V>, OWN = KEPT / SHARING;
  const auto values = randomKeys<float>(ROWS * COUNT);
  std::vector<int> indices(32 * WARPS * OWN);
  using key = tile2cu::indexed_key<float, true>;
  const auto rowOf = [](int thread) {
    return WARPS > 1 ? 0 : thread % STRIDE + thread / STRIDE / LANES * STRIDE;
  };
  onBlock(32 * WARPS, [&] {
    const int thread = int(threadIdx.x), part = WARPS > 1 ? thread : thread / STRIDE % LANES;
    key keys[V];
    for (int v = 0; v < V; ++v) {
      const int i = part * V + v;
      keys[v] = key::of(values[rowOf(thread) * COUNT + i], i);
    }
    tile2cu::warp_first<KEPT, LANES, STRIDE>(keys);
    if constexpr (WARPS > 1) {
      constexpr int ALL = WARPS * KEPT;
      auto& shared = *reinterpret_cast<key(*)[ALL + ALL / 32]>(dynamic_smem);
      tile2cu::share_first<KEPT>(keys, shared, thread / 32);
      __syncthreads();
      tile2cu::merge_first<KEPT, WARPS>(keys, shared, thread / 32);
    }
    for (int v = 0; v < OWN; ++v) indices[thread * OWN + v] = keys[v].index();
  });
  for (int thread = 0; thread < 32 * WARPS; ++thread) {
    const auto at = [&](int i) { return values[rowOf(thread) * COUNT + i]; };
    const std::vector<int> order = orderOf(at, COUNT, true);
    for (int v = 0; v < OWN; ++v)  // every thread: the others have copies
      ASSERT_EQ(indices[thread * OWN + v], order[thread % 32 / STRIDE % SHARING * OWN + v])
          << KEPT << " of " << COUNT << ", thread " << thread << ", key " << v;
  }
}

TEST(Sort, FirstKeys) {
  checkFirst<1, 1, 1>();
  checkFirst<1, 1, 8, 4, 8>();
  checkFirst<8, 1, 8, 16, 1>();
  checkFirst<8, 1, 8, 2, 4>();
  checkFirst<2, 1, 8, 1, 1>();
  checkFirst<16, 1, 4, 16, 2>();
  checkFirst<16, 1, 1>();
  checkFirst<64, 1, 4>();
  checkFirst<1, 2, 1>();
  checkFirst<8, 5, 2>();
  checkFirst<4, 3, 8>();
  checkFirst<64, 8, 2>();
  checkFirst<256, 4, 8>();
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
