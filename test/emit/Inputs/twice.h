// A function that a kernel calls: its statements are lines of this file.
#pragma once
#include <tile2cu/tile.h>

__tile__ inline auto twice(auto x) {
  auto sum = x + x;
  return sum * 0.5f;
}
