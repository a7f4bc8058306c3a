// Kernels that print, for prints.py: on the CPU and on the emulator they print the same lines.
#include <tile2cu/tile.h>
using namespace tl;

// Every element of a tile once, whatever number of threads have it. n elements of y are read.
template <int N>
__tile_global__ void line(const int* y, int n) {
  auto part = grid(3);
  auto i = arange<N>();
  auto v = load(y + i, i < n, -7);
  device_print("100%\t", v, part, v * 0.125f);
  device_print("sum", sum(v));
  if (part == 1) device_print("\"branch\"", i < n);
  for (int k = 0; k < part; ++k) device_print("loop", k, v + k);
}
inline constexpr auto line_1_w4 = instantiate(line<1>);
inline constexpr auto line_5_w1 = instantiate(line<5>, {.num_warps = 1});
inline constexpr auto line_24_w3 = instantiate(line<24>, {.num_warps = 3});
inline constexpr auto line_64_w8 = instantiate(line<64>, {.num_warps = 8});
inline constexpr auto line_300_w2 = instantiate(line<300>, {.num_warps = 2});

template <int M, int N>
__tile_global__ void square(const int* y, int n) {
  auto [row, column, deep] = grid(2, 1, 2);
  auto at = arange<M>()[all, none] * N + arange<N>()[none, all];
  auto v = load(y + at, at < n);
  device_print("tile", v);
  device_print("rows", max<1>(v), min<0>(v));
  device_print("turned", trans(v) + row + deep);
  device_print("cube", v[all, none, all] - arange<2>()[none, all, none]);
  device_print("product", dot(cast<float16>(v & 3), cast<float16>(trans(v & 3))));
  device_print("order", sort(v), cumsum<1>(v));
}
inline constexpr auto square_16x16_w4 = instantiate(square<16, 16>);
inline constexpr auto square_5x3_w2 = instantiate(square<5, 3>, {.num_warps = 2});
inline constexpr auto square_1x40_w5 = instantiate(square<1, 40>, {.num_warps = 5});

__tile_global__ void types(const int* y, int n) {
  grid(2);
  auto i = arange<20>();
  auto v = load(y + i) - n;
  device_print("i8", cast<int8_t>(v));
  device_print("u8", cast<uint8_t>(v), cast<uint16_t>(v), cast<uint32_t>(v), cast<uint64_t>(v));
  device_print("i16", cast<int16_t>(v), cast<int64_t>(v) * 4294967296);
  device_print("bool", v > 3, n > 3);
  device_print("f", cast<float16>(v) / float16(3), cast<bfloat16>(v), cast<float>(v) * 1e20f,
               cast<double>(v) / 3);
  device_print("scalars", n, n * 0.5f, int64_t(n) << 40, uint8_t(n), 2.5, -1);
}
inline constexpr auto types_w4 = instantiate(types);
