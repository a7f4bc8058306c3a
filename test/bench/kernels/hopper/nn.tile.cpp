// Matmul of 16-bit floats on Hopper.
#include "products.h"

inline constexpr auto hopper_nn_f16 =
    tune(key{"M", "N", "K"},
         candidate(matmul<float16, float16, 128, 256, 32>, {.num_warps = 8, .num_stages = 6}),
         candidate(matmul<float16, float16, 128, 256, 32>,
                   {.num_warps = 8, .num_stages = 6, .persistent = true}),
         candidate(matmul<float16, float16, 64, 128, 64>, {.num_warps = 4, .num_stages = 8}));
inline constexpr auto hopper_nn_bf16 =
    tune(key{"M", "N", "K"},
         candidate(matmul<bfloat16, bfloat16, 128, 256, 32>, {.num_warps = 8, .num_stages = 6}),
         candidate(matmul<bfloat16, bfloat16, 128, 256, 32>,
                   {.num_warps = 8, .num_stages = 6, .persistent = true}),
         candidate(matmul<bfloat16, bfloat16, 64, 128, 64>, {.num_warps = 4, .num_stages = 8}));
