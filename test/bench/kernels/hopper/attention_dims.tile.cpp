// The attention of examples/hopper_attention for head dimensions that are not powers of 2, or are large.
#include "../../../../examples/hopper_attention/hopper_attention.tile.cpp"

inline constexpr auto hopper_attention_dims_f16 =
    select(candidate(hopper_attention<128, 128, 80, 1, 1>, {.num_warps = 8, .num_stages = 2}),
           candidate(hopper_attention<128, 128, 96, 1, 1>, {.num_warps = 8, .num_stages = 2}),
           candidate(hopper_attention<128, 48, 256, 1, 1>, {.num_warps = 8, .num_stages = 2}));
