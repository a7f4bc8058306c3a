// Bit casts, vectors and indices, which the other helpers are built on.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <climits>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tile2cu {
inline namespace v1 {

// @helper bit_cast include <cstring>
// The same bits as another type of the same size. The argument is passed by value: the compiler
// would access each element of a reference to memory separately.
template <class To, class From>
__host__ __device__ __forceinline__ To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast: the sizes differ");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

// @helper vec
// A vector of N consecutive elements; more than 16 bytes are moved in several accesses of 16 bytes.
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  static_assert(N > 0 && (N & (N - 1)) == 0, "vec: N is a power of two");
  T elem[N];
  __host__ __device__ __forceinline__ T& operator[](int i) { return elem[i]; }
  __host__ __device__ __forceinline__ const T& operator[](int i) const { return elem[i]; }
};

// @helper as_vec needs vec
// The N elements at `p` as one vector; `p` is aligned to the vector.
template <int N, class T>
__host__ __device__ __forceinline__ vec<T, N>& as_vec(T* p) {
  return *reinterpret_cast<vec<T, N>*>(p);
}

// @helper load_vec needs vec, bit_cast include <cstdint>
// Loads the N elements at `p`, aligned as for as_vec, in 32-bit words. If bytes are converted
// together, the compiler would also load words, but take them apart and reassemble them.
template <int N, class T>
__host__ __device__ __forceinline__ vec<T, N> load_vec(const T* p) {
  static_assert(sizeof(T) * N % 4 == 0, "load_vec: whole words");
  using words = vec<uint32_t, sizeof(T) * N / 4>;
  return bit_cast<vec<T, N>>(*reinterpret_cast<const words*>(p));
}

// @helper store_vec needs as_vec include <cstdint>, <cstring>
// Stores the first N elements at `from`, which may be a part of a longer vector, to `p` in 32-bit
// words, which are not taken apart.
template <int N, class T>
__host__ __device__ __forceinline__ void store_vec(T* p, const T* from) {
  static_assert(sizeof(T) * N % 4 == 0, "store_vec: whole words");
  vec<uint32_t, sizeof(T) * N / 4> words;
  memcpy(&words, from, sizeof(words));
  as_vec<sizeof(T) * N / 4>(reinterpret_cast<uint32_t*>(p)) = words;
}

// @helper fill needs vec
// Sets every element of a thread's array to `value`.
template <class T, class V>
__device__ __forceinline__ void fill(T& element, V value) {
  element = value;
}
template <class T, int N, class V>
__device__ __forceinline__ void fill(vec<T, N>& x, V value) {
#pragma unroll
  for (int v = 0; v < N; ++v) x[v] = value;
}
template <class T, int N, class V>
__device__ __forceinline__ void fill(T (&x)[N], V value) {
#pragma unroll
  for (int i = 0; i < N; ++i) fill(x[i], value);
}

// @helper coordinate include <climits>, <cstdint>
// The start of a TMA copy in one dimension, which is not negative. A start at or past the largest
// extent of tensor maps is outside of every array and is clamped to it; the parts of the copy start
// somewhat further on, which still fits in 32 bits.
constexpr int64_t MAX_EXTENT = INT_MAX - 65535;
__host__ __device__ __forceinline__ int coordinate(int64_t at) {
  return int(at < MAX_EXTENT ? at : MAX_EXTENT);
}

// @helper signed_coordinate needs coordinate
// The same for a copy that may start before its array: a box at the lower bound still ends before
// the array.
__host__ __device__ __forceinline__ int signed_coordinate(int64_t at) {
  return coordinate(at > -MAX_EXTENT ? at : -MAX_EXTENT);
}

// @helper swizzle
// The index of an element of a swizzled shared tile. Each row consists of chunks of 16 bytes (CHUNK
// elements). Rows that start in the same banks, every 8 / P rows, have their chunks in different
// orders, so that the chunks in one column of 8 rows use all 32 banks. P is the largest power of
// two, up to 8, that divides the number of chunks of a row.
template <int COLUMNS, int CHUNK = 8>
__device__ __forceinline__ int swizzle(int row, int column) {
  static_assert(COLUMNS % CHUNK == 0, "swizzle: rows of whole chunks");
  constexpr int CHUNKS = COLUMNS / CHUNK;
  constexpr int P = CHUNKS % 8 == 0 ? 8 : CHUNKS % 4 == 0 ? 4 : CHUNKS % 2 == 0 ? 2 : 1;
  return row * COLUMNS + (column ^ row / (8 / P) % P * CHUNK);
}

// @helper swizzled needs swizzle
// The element at (row, column) of a swizzled shared tile.
template <class T, int ROWS, int COLUMNS>
__device__ __forceinline__ T& swizzled(T (&tile)[ROWS][COLUMNS], int row, int column) {
  return (&tile[0][0])[swizzle<COLUMNS, 16 / int(sizeof(T))>(row, column)];
}

// @helper swizzle_panels needs swizzle
// The index in a tile of panels, each swizzled. A panel has PANEL columns of all LINES rows. With
// panel rows of 32, 64 or 128 bytes this is the swizzle of wgmma and TMA.
template <int LINES, int PANEL, int CHUNK = 8>
__device__ __forceinline__ int swizzle_panels(int row, int column) {
  return column / PANEL * (LINES * PANEL) + swizzle<PANEL, CHUNK>(row, column % PANEL);
}

// @helper same include <type_traits>
template <class T>  // T, not deduced from a parameter of this type: load_if<4>(mask, p, 0.0f)
using same = std::enable_if_t<true, T>;

// @helper step_count needs same include <type_traits>
// The number of values low, low + step, low + 2 * step, ... that are below `high`, without
// overflow. The step is positive.
template <class T, class U = std::make_unsigned_t<T>>
__device__ __forceinline__ U step_count(T low, same<T> high, same<U> step) {
  return low < high ? (U(high) - U(low) - 1) / step + 1 : 0;
}

// @helper words needs vec include <cstdint>, <type_traits>
// The registers of N elements of type T: `count` words of at most 16 bytes, each moved in one
// access.
template <class T, int N>
struct words {
  static constexpr int BYTES = int(sizeof(T)) * N, count = BYTES <= 16 ? 1 : BYTES / 16;
  using word = std::conditional_t<
      BYTES == 1, uint8_t,
      std::conditional_t<
          BYTES == 2, uint16_t,
          std::conditional_t<BYTES == 4, uint32_t,
                             std::conditional_t<BYTES == 8, vec<uint32_t, 2>, vec<uint32_t, 4>>>>>;
  word elem[count];
};

// @end

}  // namespace v1
}  // namespace tile2cu
