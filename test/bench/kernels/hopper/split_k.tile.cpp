// The example split_k, for Hopper: TMA loads, and atomic additions of four floats at a time. Small tiles with
// longer parts of k add half as many elements, and stage them in shared memory; for large ones lanes exchange them.
#include "../../../../examples/split_k/split_k.tile.cpp"

inline constexpr auto hopper_split_k =
    instantiate(split_k<128, 256, 64>, {.num_warps = 8, .num_stages = 4});
inline constexpr auto hopper_split_k_128 =
    instantiate(split_k<128, 128, 64>, {.num_warps = 8, .num_stages = 4});
