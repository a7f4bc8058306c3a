// The attention of examples/hopper_attention with tiles for short and long sequences.
#include "../../../../examples/hopper_attention/hopper_attention.tile.cpp"

// Short: blocks take pairs of turns and go on with the next pair, whose queries come while they store.
// Long: programs that the hardware hands out.
inline constexpr auto hopper_attention_tuned_f16 =
    tune(key{"heads", "length", "head_dim", "causal"},
         candidate(hopper_attention<128, 128, 128, 1, 1>, {.num_warps = 8, .num_stages = 2}),
         candidate(hopper_attention<128, 128, 128, 1, 2>,
                   {.num_warps = 8, .num_stages = 2, .persistent = true}),
         candidate(hopper_attention<64, 64, 64, 16, 1>,
                   {.num_warps = 4, .num_stages = 2, .min_blocks = 4}),
         candidate(hopper_attention<256, 80, 64, 16, 1>, {.num_warps = 16, .num_stages = 2}));
