// RUN: %tile2cu %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %tile2cu %s -Wno-unused-candidate -o %t.cu 2>&1 | count 0
// RUN: not %tile2cu %s -Werror=unused-candidate -o - 2>&1 | FileCheck %s
// Candidates after one that takes all arguments that they take are never taken, and not emitted.
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK, bool ASKS>
__tile_global__ void scale(float* x, int n) {
  if constexpr (ASKS) require(n <= BLOCK);
  grid(1);
  auto i = arange<BLOCK>();
  store(x + i, load(x + i, i < n) * 2, i < n);
}
// CHECK: :[[@LINE+1]]:23: {{warning|error}}: candidate 1 of 'two' is taken wherever candidate 2 could be; drop what is never taken, or say in a require(...) which arguments each candidate is for [{{.*}}-Wunused-candidate]
inline constexpr auto two = select(candidate(scale<64, false>), candidate(scale<128, false>));
// CHECK: :[[@LINE+1]]:23: {{warning|error}}: candidate 2 of 'four' is taken wherever candidates 3, 4 could be
inline constexpr auto four = select(candidate(scale<64, true>), candidate(scale<256, false>), candidate(scale<512, true>), candidate(scale<1024, false>));
// CHECK-NOT: {{warning|error}}:
inline constexpr auto right = select(candidate(scale<64, true>), candidate(scale<2048, false>));
// In another launcher it is the only one.
inline constexpr auto one = instantiate(scale<512, true>);
// Both ask for the same.
// CHECK: :[[@LINE+1]]:23: {{warning|error}}: candidate 1 of 'alike' is taken wherever candidate 3 could be
inline constexpr auto alike = select(candidate(scale<32, true>), candidate(scale<16, false>), candidate(scale<32, true>, {.num_warps = 2}));
// CHECK: 3 {{warnings|errors}} generated.
// TEXT-NOT: scale_128
// TEXT-NOT: scale_1024
// TEXT: 2048
