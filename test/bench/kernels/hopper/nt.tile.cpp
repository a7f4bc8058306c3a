// Matmul of 16-bit floats on Hopper, the second matrix transposed.
#include "products.h"

inline constexpr auto hopper_nt_f16 =
    tune(key{"M", "N", "K"},
         candidate(matmul_nt<float16, float16, 128, 256, 32>, {.num_warps = 8, .num_stages = 6}),
         candidate(matmul_nt<float16, float16, 128, 256, 32>,
                   {.num_warps = 8, .num_stages = 6, .persistent = true}),
         candidate(matmul_nt<float16, float16, 64, 128, 64>, {.num_warps = 4, .num_stages = 8}));
inline constexpr auto hopper_nt_bf16 =
    tune(key{"M", "N", "K"},
         candidate(matmul_nt<bfloat16, bfloat16, 128, 256, 32>, {.num_warps = 8, .num_stages = 6}),
         candidate(matmul_nt<bfloat16, bfloat16, 128, 256, 32>,
                   {.num_warps = 8, .num_stages = 6, .persistent = true}),
         candidate(matmul_nt<bfloat16, bfloat16, 64, 128, 64>, {.num_warps = 4, .num_stages = 8}));
