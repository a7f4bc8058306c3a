// Launchers with `tune`, for tune_check.cu on a GPU and test/emulate/tune on the emulator. Each kernel says in *chosen
// which candidate it is.
#include <tile2cu/tile.h>
using namespace tl;

// out = x * factor
template <int BLOCK>
__tile_global__ void scale(const float* __restrict__ x, float* __restrict__ out,
                           int* __restrict__ chosen, float factor, int n) {
  auto block = grid(cdiv(n, BLOCK));
  auto i = block * BLOCK + arange<BLOCK>();
  store(out + i, load(x + i, i < n) * factor, i < n);
  if (block == 0) *chosen = BLOCK;
}
inline constexpr auto scale_tuned =
    tune(key{"n"}, candidate(scale<4096>, {.num_warps = 16}),
         candidate(scale<64>, {.num_warps = 2}), candidate(scale<1024>, {.num_warps = 4}));

// c += x, row by row
template <int BLOCK>
__tile_global__ void accumulate(const float* __restrict__ x, float* __restrict__ c,
                                int* __restrict__ chosen, int rows, int columns) {
  require(columns <= BLOCK);
  auto row = grid(rows);
  auto i = row * columns + arange<BLOCK>();
  auto mask = arange<BLOCK>() < columns;
  store(c + i, load(c + i, mask) + load(x + i, mask), mask);
  if (row == 0) *chosen = BLOCK;
}
inline constexpr auto accumulate_tuned =
    tune(key{"rows", "columns"}, preserve("c", "rows", "columns"),
         candidate(accumulate<256>, {.num_warps = 8}), candidate(accumulate<512>, {.num_warps = 4}),
         candidate(accumulate<1024>, {.num_warps = 2}));
inline constexpr auto accumulate_untimed =
    tune(key{"rows"}, candidate(accumulate<256>, {.num_warps = 8}),
         candidate(accumulate<512>, {.num_warps = 4}));

// out = the transpose of x, n x n; the first candidate takes 66 KB of shared memory.
template <int BLOCK>
__tile_global__ void turn(const float* __restrict__ x, float* __restrict__ out,
                          int* __restrict__ chosen, int n) {
  auto [row, column] = grid(cdiv(n, BLOCK), cdiv(n, BLOCK));
  auto r = (row * BLOCK + arange<BLOCK>())[all, none];
  auto c = (column * BLOCK + arange<BLOCK>())[none, all];
  auto tile = load(x + r * n + c, (r < n) & (c < n));
  store(out + trans(c) * n + trans(r), trans(tile), (trans(c) < n) & (trans(r) < n));
  if (row == 0 && column == 0) *chosen = BLOCK;
}
inline constexpr auto turn_tuned =
    tune(key{"n"}, candidate(turn<128>, {.num_warps = 8}), candidate(turn<32>, {.num_warps = 2}),
         candidate(turn<64>, {.num_warps = 4}));
