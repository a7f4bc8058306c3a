// Matmul through tensor descriptors: no pointers and no masks.
#include <tile2cu/tile.h>
using namespace tl;

// c = a b        a: f16 [M, K], b: f16 [K, N], c: f16 [M, N], rows `stride_...` elements apart
//
// The kernel of examples/matmul. A descriptor knows the sizes of its matrix: elements of a
// block past an edge read as 0, and are not written.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void matmul_descriptor(const float16* __restrict__ a, const float16* __restrict__ b,
                                       float16* __restrict__ c, int M, int N, int K, int stride_am,
                                       int stride_bk, int stride_cm) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto a_desc = make_tensor_descriptor<BLOCK_M, BLOCK_K>(a, {M, K}, {stride_am, 1});
  auto b_desc = make_tensor_descriptor<BLOCK_K, BLOCK_N>(b, {K, N}, {stride_bk, 1});
  auto c_desc = make_tensor_descriptor<BLOCK_M, BLOCK_N>(c, {M, N}, {stride_cm, 1});
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = a_desc.load({pid_m * BLOCK_M, k});
    auto y = b_desc.load({k, pid_n * BLOCK_N});
    acc = dot(x, y, acc);
  }
  c_desc.store({pid_m * BLOCK_M, pid_n * BLOCK_N}, cast<float16>(acc));
}

// The candidates of examples/matmul.
inline constexpr auto matmul_descriptor_f16 =
    tune(key{"M", "N", "K"},
         candidate(matmul_descriptor<128, 256, 64, 8>, {.num_warps = 8, .num_stages = 3}),
         candidate(matmul_descriptor<64, 128, 64, 8>, {.num_warps = 4, .num_stages = 4}));
