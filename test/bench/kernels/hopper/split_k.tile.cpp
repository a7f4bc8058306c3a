// The example split_k, for Hopper: bulk copies, and additions four floats at a time. Smaller tiles, of longer parts, add half as
// many sums, and have room for them in shared memory; of large ones lanes exchange them.
#include "../../../../examples/split_k/split_k.tile.cpp"

inline constexpr auto hopper_split_k =
    instantiate(split_k<128, 256, 64>, {.num_warps = 8, .num_stages = 4});
inline constexpr auto hopper_split_k_128 =
    instantiate(split_k<128, 128, 64>, {.num_warps = 8, .num_stages = 4});
