// Products of 16-bit floats on Hopper.
#include "products.h"

inline constexpr auto hopper_nn_f16 =
    tune(key{"M", "N", "K"},
         candidate(matmul<float16, float16, 128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(matmul<float16, float16, 128, 256, 64>,
                   {.num_warps = 8, .num_stages = 3, .persistent = true}),
         candidate(matmul<float16, float16, 64, 128, 128>, {.num_warps = 4, .num_stages = 4}));
inline constexpr auto hopper_nn_bf16 =
    tune(key{"M", "N", "K"},
         candidate(matmul<bfloat16, bfloat16, 128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(matmul<bfloat16, bfloat16, 128, 256, 64>,
                   {.num_warps = 8, .num_stages = 3, .persistent = true}),
         candidate(matmul<bfloat16, bfloat16, 64, 128, 128>, {.num_warps = 4, .num_stages = 4}));
