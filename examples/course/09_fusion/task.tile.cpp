// Lesson 9: two operations in one kernel.
#include <tile2cu/tile.h>
using namespace tl;

// out[r, :] = max(0, in[r, :] + bias)        in, out: f32 [rows, cols], bias: f32 [cols]
template <int BLOCK>
__tile_global__ void bias_relu(const float* __restrict__ in, const float* __restrict__ bias,
                               float* __restrict__ out, int rows, int cols) {
  auto [row, block] = grid(rows, cdiv(cols, BLOCK));
  auto c = block * BLOCK + arange<BLOCK>();
  auto mask = c < cols;
  auto x = load(in + row * cols + c, mask);
  auto b = load(bias + c, mask);
  auto shifted = x + b;
  // TODO: the sum is stored, and a second kernel would load it again for the maximum with 0. Store
  // the final value here.
  store(out + row * cols + c, shifted, mask);
}

inline constexpr auto bias_relu_f32 = instantiate(bias_relu<512>, {.num_warps = 4});
