// Products of 16-bit floats on Hopper, the second transposed.
#include "products.h"

inline constexpr auto hopper_nt_f16 =
    tune(key{"M", "N", "K"},
         candidate(matmul_nt<float16, float16, 128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(matmul_nt<float16, float16, 128, 256, 64>,
                   {.num_warps = 8, .num_stages = 3, .persistent = true}),
         candidate(matmul_nt<float16, float16, 64, 128, 128>, {.num_warps = 4, .num_stages = 4}));
inline constexpr auto hopper_nt_bf16 =
    tune(key{"M", "N", "K"},
         candidate(matmul_nt<bfloat16, bfloat16, 128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(matmul_nt<bfloat16, bfloat16, 128, 256, 64>,
                   {.num_warps = 8, .num_stages = 3, .persistent = true}),
         candidate(matmul_nt<bfloat16, bfloat16, 64, 128, 128>, {.num_warps = 4, .num_stages = 4}));
