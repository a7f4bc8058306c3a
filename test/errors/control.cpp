// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

struct Items {
  int* begin();
  int* end();
};

__tile_global__ void control(float* out, int n, int step) {
  auto row = grid(n);
  float x = 0;
  switch (n) {
    case 1:
      x = 1;
    // CHECK: :[[@LINE+1]]:5: error: the case above falls through into this one; end it with break or return
    case 2:
      x = 2;
      break;
  }
  switch (n) {
    case 1:
      // CHECK: :[[@LINE+1]]:18: error: break cannot leave a switch from here; end the case with its only break
      if (x > 2) break;
      x = 1;
      break;
    default:
      for (int i : static_range<4>()) {
        if (x > i) break;  // of the loop, not of the switch
        switch (i) {
          case 1:
            // CHECK: :[[@LINE+1]]:24: error: break cannot leave a switch from here
            if (x > 2) break;
            x = 1;
            break;
        }
      }
      break;
  }
  for (int i = 0; i < n; ++i) {
    switch (i) {
      case 0:
        // CHECK: :[[@LINE+1]]:20: error: break cannot leave a switch from here; end the case with its only break
        if (x > 2) break;
        x = 1;
        break;
      default:
        x = 3;
    }
  }
  // CHECK: :[[@LINE+1]]:24: error: a variable in a loop's condition is not supported in a tile function; declare it before the loop
  for (int i = 0; bool more = i < n; ++i) x += more;
  // CHECK: :[[@LINE+1]]:14: error: a variable in a loop's condition is not supported in a tile function; declare it before the loop
  while (int left = n - 1) n = left;
  // CHECK: :[[@LINE+1]]:32: error: an option is not a constant
  for (auto i : range(0, n, 1, {.num_stages = step})) x += i;
  switch (step) {
    case 1: {
      x = 1;
      // CHECK: :[[@LINE+1]]:7: error: a case within another statement is not supported in a tile function; write all cases directly in the braces of the switch
      case 2:
        x += 2;
        break;
    }
  }
  constexpr int kTwo = 2;
  switch (kTwo) {
    case 1:
      x = 1;
      break;
      {
        // CHECK: :[[@LINE+1]]:9: error: a case within another statement is not supported
        case 2:
          x += 2;
      }
  }
  Items items;
  // CHECK: :[[@LINE+1]]:3: error: a tile function cannot iterate over this range; use range(...), static_range<...>() or an array
  for (int i : items) x += i;
  out[row] = x;
}
