// The attention of examples/hopper_attention with tiles for short and long sequences.
#include "../../../../examples/hopper_attention/hopper_attention.tile.cpp"

// Short: persistent blocks, which load the queries of the next pair of turns while they store.
// Long: one block for each program.
inline constexpr auto hopper_attention_tuned_f16 =
    tune(key{"heads", "length", "head_dim", "causal"},
         candidate(hopper_attention<128, 128, 128, 1, 1>, {.num_warps = 8, .num_stages = 2}),
         candidate(hopper_attention<128, 128, 128, 1, 2>,
                   {.num_warps = 8, .num_stages = 2, .persistent = true}),
         candidate(hopper_attention<64, 64, 64, 16, 1>,
                   {.num_warps = 4, .num_stages = 2, .min_blocks = 4}),
         candidate(hopper_attention<256, 80, 64, 16, 1>, {.num_warps = 16, .num_stages = 2}));
