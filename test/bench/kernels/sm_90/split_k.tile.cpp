// The example split_k, for GPUs that add vectors of floats to memory (sm_90), without what only sm_90a has.
#include "../../../../examples/split_k/split_k.tile.cpp"

inline constexpr auto sm_90_split_k =
    instantiate(split_k<128, 256, 64>, {.num_warps = 8, .num_stages = 3});
