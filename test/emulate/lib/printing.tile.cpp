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
  device_print("hex", cast<int8_t>(v), cast<uint16_t>(v), v, cast<int64_t>(v) << 30, v > 3, hex);
  device_print("bits", cast<float16>(v), cast<bfloat16>(v), cast<float>(v), cast<double>(v), hex);
  device_print("hex", n, uint8_t(n), n > 3, n * 0.5f, -1, hex);
  device_print("scalars", n, n * 0.5f, int64_t(n) << 40, uint8_t(n), 2.5, -1);
}
inline constexpr auto types_w4 = instantiate(types);

constexpr int kOrder[4] = {2, 0, 3, 1};

template <class X>
__tile__ void print_part(const X& x, int k) {
  device_print("helper", extract(x, k), extract<2>(x, k / 2));
}

// In loops that count down or are unrolled, in functions, under conditions, of parts and sorted tiles.
template <int N>
__tile_global__ void places(const int* y, int n) {
  for (auto item : persistent_range(3)) {
    auto i = arange<N>();
    auto v = load(y + item * N + i);
    int k = n & 3;
    while (k-- > 0) {
      v = insert(v, k * 100, (kOrder[k] + n) % N);
      if (k == 1) continue;
      device_print("down", v, kOrder[k]);
      print_part(v, k % (N - 1));
    }
    auto show = [&](auto x) { device_print("lambda", x); };
    show(sort(v, descending));
    show(k);
    int weights[3] = {n, int(item), 7};
    weights[1] += 2;
    device_print("array", weights[(n + item) % 3], v * weights[item]);
    static_for<2>([&](auto s) { device_print("copy", s, v[slice<s, s + 1>]); });
    if (item == 1) {
      if (extract(v, 0) > n) break;
      device_print("after", histogram<4>(v & 3), gather(v, N - 1 - i));
    }
  }
}
inline constexpr auto places_2_w4 = instantiate(places<2>);
inline constexpr auto places_7_w1 = instantiate(places<7>, {.num_warps = 1});
inline constexpr auto places_64_w2 = instantiate(places<64>, {.num_warps = 2});

// Numbers at the ends of their types.
__tile_global__ void ends(const int* y, int n) {
  grid(1);
  auto v = load(y + arange<4>()) & 1;
  auto f = cast<float>(v);
  device_print("inf", (f + 1) / 0.0f, -inf + f, cast<float16>(f * 1e6f));
  device_print("zero", -f * 0.0f, f * 1e-44f, cast<bfloat16>(f * 1e-39f));
  device_print("ends", cast<int64_t>(v) + INT64_MIN, uint64_t(0) - cast<uint64_t>(v));
  device_print("cube", reshape<1, 2, 2>(v), reshape<2, 1, 2>(f)[all, none]);
}
inline constexpr auto ends_w1 = instantiate(ends, {.num_warps = 1});
inline constexpr auto ends_w4 = instantiate(ends);
