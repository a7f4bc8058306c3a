// A function of a kernel in another file: its statements are lines of this one.
#pragma once
#include <tile2cu/tile.h>

__tile__ inline auto halved(auto x) {
  auto half = x * 0.5f;  // in the binary
  return half * half;
}
