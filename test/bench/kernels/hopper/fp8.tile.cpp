// Matmul of 8-bit floats on Hopper, where k has to be contiguous in both matrices.
#include "products.h"

inline constexpr auto hopper_fp8 = tune(
    key{"M", "N", "K"},
    candidate(matmul_nt<float8_e4m3, float16, 128, 256, 64>, {.num_warps = 8, .num_stages = 6}),
    candidate(matmul_nt<float8_e4m3, float16, 128, 256, 64>,
              {.num_warps = 8, .num_stages = 6, .persistent = true}));
