// The results of swizzle2d are below its extents, so they are known to be bounded when counted from the end, and in an int.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: some_rows<8, false>, <1, false>: TMA loads 'x'
// CHECK: some_rows<8, true>: TMA does not load 'x': its coordinates may be negative [-Rtile,T2C402]
// CHECK: some_rows<8, false>, <1, false>: TMA loads 'y'

// 32-bit divisions, and only two in groups of one row.
// TEXT: const int group_size = most_rows * columns;
// TEXT-NEXT: const int first_row = pid / group_size * most_rows;
// TEXT: int64_t row = int64_t(pid / columns);
// TEXT-NEXT: int64_t column = int64_t(pid % columns);
template <int GROUP, bool OTHER_END>
__tile_global__ void some_rows(const float16* __restrict__ a, const float16* __restrict__ b,
                               float16* __restrict__ c, int M, int N, int K) {
  int rows = cdiv(M, 64), columns = cdiv(N, 64);
  int pid = grid(rows * columns);
  auto [row, column] = swizzle2d(pid, rows, columns, GROUP);
  int first_row = ((OTHER_END ? columns : rows) - 1 - row) * 64;
  int first_column = column * 64;
  auto i = (first_row + arange<64>())[all, none];
  auto j = (first_column + arange<64>())[none, all];
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) {
    auto ks = k + arange<64>();
    auto x = load(a + i * int64_t(K) + ks[none, all], (i < M) & (ks < K)[none, all]);
    auto y = load(b + ks[all, none] * int64_t(N) + j, (ks < K)[all, none] & (j < N));
    acc = dot(x, y, acc);
  }
  store(c + i * int64_t(N) + j, cast<float16>(acc), (i >= 0) & (i < M) & (j < N));
}
inline constexpr auto grouped = instantiate(some_rows<8, false>, {.num_warps = 4});
inline constexpr auto plain = instantiate(some_rows<1, false>, {.num_warps = 4});
// Counted from another end.
inline constexpr auto others = instantiate(some_rows<8, true>, {.num_warps = 4});
