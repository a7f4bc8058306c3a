// The example split_k, for Hopper: bulk copies, and additions two floats at a time.
#include "../../../../examples/split_k/split_k.tile.cpp"

inline constexpr auto hopper_split_k =
    instantiate(split_k<128, 256, 64>, {.num_warps = 8, .num_stages = 4});
