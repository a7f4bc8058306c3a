// examples/flash_attention with the tiles that suit Hopper.
#include "../../../../examples/flash_attention/flash_attention.tile.cpp"

inline constexpr auto hopper_attention_f16 = tune(
    key{"length", "head_dim", "causal"},
    candidate(flash_attention<128, 128, 64>, {.num_warps = 8, .num_stages = 2}),
    candidate(flash_attention<192, 128, 64>, {.num_warps = 12, .num_stages = 2}),
    candidate(flash_attention<128, 128, 64>, {.num_warps = 8, .num_stages = 2, .persistent = true}),
    candidate(flash_attention<128, 128, 128>, {.num_warps = 8, .num_stages = 2}),
    candidate(flash_attention<128, 128, 128>,
              {.num_warps = 8, .num_stages = 2, .persistent = true}));
