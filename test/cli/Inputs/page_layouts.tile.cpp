// Kernels of many sizes and numbers of warps. The page computes the layouts of each from those of
// each other one.
#include <tile2cu/tile.h>
using namespace tl;

template <int N>
__tile_global__ void line(const float* __restrict__ in, float* __restrict__ result) {
  assume_aligned<16>(in);
  assume_aligned<16>(result);
  auto at = grid(1024) * N + arange<N>();
  auto x = load(in + at);
  store(result + at, x + 1.0f);
}

template <int M, int N>
__tile_global__ void plane(const float16* __restrict__ in, float16* __restrict__ result) {
  assume_aligned<16>(in);
  assume_aligned<16>(result);
  auto first = grid(1024) * (M * N);
  auto at = first + arange<M>()[all, none] * N + arange<N>()[none, all];
  auto y = load(in + at);
  store(result + at, y);
}

inline constexpr auto line_32_1 = instantiate(line<32>, {.num_warps = 1});
inline constexpr auto line_32_2 = instantiate(line<32>, {.num_warps = 2});
inline constexpr auto line_32_4 = instantiate(line<32>, {.num_warps = 4});
inline constexpr auto line_32_8 = instantiate(line<32>, {.num_warps = 8});
inline constexpr auto line_64_1 = instantiate(line<64>, {.num_warps = 1});
inline constexpr auto line_64_2 = instantiate(line<64>, {.num_warps = 2});
inline constexpr auto line_64_4 = instantiate(line<64>, {.num_warps = 4});
inline constexpr auto line_64_8 = instantiate(line<64>, {.num_warps = 8});
inline constexpr auto line_256_1 = instantiate(line<256>, {.num_warps = 1});
inline constexpr auto line_256_2 = instantiate(line<256>, {.num_warps = 2});
inline constexpr auto line_256_4 = instantiate(line<256>, {.num_warps = 4});
inline constexpr auto line_256_8 = instantiate(line<256>, {.num_warps = 8});
inline constexpr auto line_512_1 = instantiate(line<512>, {.num_warps = 1});
inline constexpr auto line_512_2 = instantiate(line<512>, {.num_warps = 2});
inline constexpr auto line_512_4 = instantiate(line<512>, {.num_warps = 4});
inline constexpr auto line_512_8 = instantiate(line<512>, {.num_warps = 8});
inline constexpr auto line_1024_1 = instantiate(line<1024>, {.num_warps = 1});
inline constexpr auto line_1024_2 = instantiate(line<1024>, {.num_warps = 2});
inline constexpr auto line_1024_4 = instantiate(line<1024>, {.num_warps = 4});
inline constexpr auto line_1024_8 = instantiate(line<1024>, {.num_warps = 8});
inline constexpr auto line_2048_1 = instantiate(line<2048>, {.num_warps = 1});
inline constexpr auto line_2048_2 = instantiate(line<2048>, {.num_warps = 2});
inline constexpr auto line_2048_4 = instantiate(line<2048>, {.num_warps = 4});
inline constexpr auto line_2048_8 = instantiate(line<2048>, {.num_warps = 8});
inline constexpr auto line_4096_1 = instantiate(line<4096>, {.num_warps = 1});
inline constexpr auto line_4096_2 = instantiate(line<4096>, {.num_warps = 2});
inline constexpr auto line_4096_4 = instantiate(line<4096>, {.num_warps = 4});
inline constexpr auto line_4096_8 = instantiate(line<4096>, {.num_warps = 8});
inline constexpr auto line_8192_2 = instantiate(line<8192>, {.num_warps = 2});
inline constexpr auto line_8192_4 = instantiate(line<8192>, {.num_warps = 4});
inline constexpr auto line_8192_8 = instantiate(line<8192>, {.num_warps = 8});
inline constexpr auto line_100_1 = instantiate(line<100>, {.num_warps = 1});
inline constexpr auto line_100_4 = instantiate(line<100>, {.num_warps = 4});
inline constexpr auto line_640_5 = instantiate(line<640>, {.num_warps = 5});
inline constexpr auto line_1000_4 = instantiate(line<1000>, {.num_warps = 4});
inline constexpr auto line_3072_3 = instantiate(line<3072>, {.num_warps = 3});
inline constexpr auto line_7_2 = instantiate(line<7>, {.num_warps = 2});
inline constexpr auto plane_8_32_4 = instantiate(plane<8, 32>, {.num_warps = 4});
inline constexpr auto plane_16_16_1 = instantiate(plane<16, 16>, {.num_warps = 1});
inline constexpr auto plane_16_64_4 = instantiate(plane<16, 64>, {.num_warps = 4});
inline constexpr auto plane_32_32_2 = instantiate(plane<32, 32>, {.num_warps = 2});
inline constexpr auto plane_64_64_4 = instantiate(plane<64, 64>, {.num_warps = 4});
inline constexpr auto plane_64_64_8 = instantiate(plane<64, 64>, {.num_warps = 8});
inline constexpr auto plane_128_32_4 = instantiate(plane<128, 32>, {.num_warps = 4});
inline constexpr auto plane_32_128_8 = instantiate(plane<32, 128>, {.num_warps = 8});
inline constexpr auto plane_4_256_2 = instantiate(plane<4, 256>, {.num_warps = 2});
inline constexpr auto plane_1_512_4 = instantiate(plane<1, 512>, {.num_warps = 4});
inline constexpr auto plane_12_40_3 = instantiate(plane<12, 40>, {.num_warps = 3});
inline constexpr auto plane_64_8_4 = instantiate(plane<64, 8>, {.num_warps = 4});
