// The attention of examples/hopper_attention with tiles for short and long sequences.
#include "../../../../examples/hopper_attention/hopper_attention.tile.cpp"

// Short: blocks go on with the next program, whose queries come while they store. Long: as many rows
// as fit, and programs that the hardware hands out, the longest first.
inline constexpr auto hopper_attention_tuned_f16 =
    tune(key{"heads", "length", "head_dim", "causal"},
         candidate(hopper_attention<128, 128, 128>, {.num_warps = 8, .num_stages = 2}),
         candidate(hopper_attention<128, 128, 128>,
                   {.num_warps = 8, .num_stages = 2, .persistent = true}),
         candidate(hopper_attention<192, 112, 64>, {.num_warps = 12, .num_stages = 3}),
         candidate(hopper_attention<128, 128, 64>,
                   {.num_warps = 8, .num_stages = 2, .persistent = true}));
