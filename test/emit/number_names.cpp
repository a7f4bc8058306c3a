// RUN: %tile2cu %in_parts %s --helpers=include -o - | FileCheck %s
// A number of the text is declared for the whole kernel. It does not take the name of a variable in one of its functions,
// which would hide the number there.
// CHECK: struct FlagsWarp {
// CHECK: {{^}}  static constexpr int STEPS_2 = 4;
// CHECK: __device__ __forceinline__ void
// CHECK: const bool STEPS =
#include <tile2cu/tile.h>
using namespace tl;

template <auto VECS>
__tile_global__ void flags(const int* __restrict__ in0, const int* __restrict__ in1, int* __restrict__ out0,
                           uint32_t* __restrict__ out1, int16_t* __restrict__ out2, float f, int programs) {
  for (auto pid : persistent_range(programs)) {
    auto STEPS = !(load(in1 + (pid * 100 + (arange<64>()[all, none] * 2 + arange<2>()[none, all]))) != 0);
    store(
        out0 + (pid * 128 + 0 + ((arange<64>()[all, none] * 2 + arange<2>()[none, all]) ^ 1)),
        argmin<1>(!(load(in1 + (pid * 100 + (arange<64>()[all, none] * 2 + arange<2>()[none, all]))) != 0), keep_dims));
    float m4 = minimum(all_of(arange<1, 101>()), 8.0f);
    store(out1 + (pid * 33 + 1 + arange<32>()[all, none]),
          cumsum<1>(cast<uint32_t>(load(in0 + arange<1>()[none, all])), reverse),
          (((arange<32>()[all, none] - cast<int>(clamp(m4, -100, 100))) < f) & (1 <= sum(arange<1, 101>()))));
    store(out2 + (pid * 128 + 0 + (arange<64>()[all, none] * 2 + arange<2>()[none, all])), STEPS);
  }
}
inline constexpr auto flags_w0 = instantiate(flags<100>, {.num_warps = 1});
