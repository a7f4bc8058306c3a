// RUN: %tile2cu %s -o - | FileCheck %s
// RUN: %tile2cu %s -o - | FileCheck %s --check-prefix=ENDS
// A comment that ends in a backslash would take the next line with it.
// ENDS-NOT: {{\\$}}
#include <tile2cu/tile.h>
using namespace tl;

/* of the kernel \
 */
__tile_global__ void ends(int* out, int n) {
  grid(1);

  /* of an if \
   */
  if (n > 7) return;

  // one, two \
  and three
  out[0] = 5;

  // clang-format off
  auto long_\
name = out[1] + n;
  // clang-format on

  // This comment is wrapped behind the word that ends at the column of eighty-eight, also\ the end.
  out[2] = long_name;
}

/* of the launcher \
 */
inline constexpr auto ends_all = instantiate(ends);

// CHECK: // of the kernel{{$}}
// CHECK-NEXT: //{{$}}
// CHECK: // of an if{{$}}
// CHECK-NEXT: if (n > 7) return;
// CHECK: // one, two{{$}}
// CHECK-NEXT: // and three{{$}}
// CHECK-NEXT: // out[0] = 5
// CHECK: // auto long_name = out[1] + n
// CHECK: eighty-eight, also{{$}}
// CHECK-NEXT: // the end.
// CHECK: // of the launcher{{$}}
// CHECK-NEXT: cudaError_t ends_all(
