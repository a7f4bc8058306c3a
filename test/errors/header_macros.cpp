// A macro that replaces a name in tile2cu's headers is reported once, where it is defined; one that is defined after them, or
// that they do not use, is allowed.
// RUN: rm -f %t.cu
// RUN: not tile2cu %s -o %t.cu -- -DEARLY 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tile2cu %s -o %t.cu -- -DT=3 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not ls %t.cu
// RUN: tile2cu %s -o - -- -DUNUSED_BY_HEADERS=1 -DNDEBUG -Dload=load > %t.allowed

// EARLY: header_macros.cpp:[[#@LINE+3]]:9: fatal error: macro 'N' replaces a name in tile2cu/tile/shape.h; give it another name, or define it after the include
// EARLY: 1 error generated.
#ifdef EARLY
#define N 4
#endif
// LINE: <command line>:1:9: fatal error: macro 'T' replaces a name in tile2cu/tile/shape.h; give it another name, or define it after the include
// LINE: 1 error generated.
#include <tile2cu/tile.h>
using namespace tl;

#undef N
#define N 4
#define X 2

__tile_global__ void scale(float* out, const float* in, int n) {
  auto i = grid(cdiv(n, 256)) * 256 + arange<256>();
  store(out + i, load(in + i, i < n) * N + X, i < n);
}
inline constexpr auto scale_f32 = instantiate(scale);
