// Row softmax for rows that fit in registers, and a list of configurations to choose from.
#include <tile2cu/tile.h>
using namespace tl;

// out[row, :] = softmax(in[row, :])        in, out: f32 [n_rows, n_cols], rows `stride` apart
//
// One program holds one row in a tile of BLOCK elements, so that the row is read once. Columns past
// the end read as -inf, which is neutral for the maximum and, after exp, for the sum.
template <int BLOCK>
__tile_global__ void softmax(const float* __restrict__ in, float* __restrict__ out, int n_rows,
                             int n_cols, int stride) {
  require(n_cols <= BLOCK);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  // A row of one warp passes through L1 for nothing; longer rows measured better with it.
  constexpr auto keep = BLOCK <= 1024 ? evict::no_allocate : evict::by_default;
  auto x = load(in + row * stride + cols, mask, -inf, keep);
  auto numerator = exp(x - max(x));
  store(out + row * stride + cols, numerator / sum(numerator), mask);
}

// The launcher takes the first candidate with n_cols <= BLOCK, which need not be a power of two: a
// tight one leaves few lanes idle. A row of up to 1024 columns gets one warp and no barrier, and
// rows of up to 512 share a thread block; longer rows get 16 to 32 elements for each thread.
inline constexpr auto softmax_f32 = select(
    candidate(softmax<256>, {.num_warps = 1}), candidate(softmax<512>, {.num_warps = 1}),
    candidate(softmax<1024>, {.num_warps = 1}), candidate(softmax<2048>, {.num_warps = 2}),
    candidate(softmax<3072>, {.num_warps = 3}), candidate(softmax<4096>, {.num_warps = 4}),
    candidate(softmax<5120>, {.num_warps = 10}), candidate(softmax<6144>, {.num_warps = 12}),
    candidate(softmax<7168>, {.num_warps = 14}), candidate(softmax<8192>, {.num_warps = 16}),
    candidate(softmax<10240>, {.num_warps = 10}), candidate(softmax<12288>, {.num_warps = 12}),
    candidate(softmax<14336>, {.num_warps = 14}), candidate(softmax<16384>, {.num_warps = 16}));
