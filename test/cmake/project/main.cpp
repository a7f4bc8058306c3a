// The tile source on the CPU, from an installed tile2cu.
#include <cstdio>
#include <vector>

#include "include/factor.h"
#include "other/copy.tile.cpp"

int main() {
  std::vector<float> in(3000, 1.0f), out(3000);
  tl::launch(copy, in.data(), out.data(), 3000);
  std::puts(out == in ? "OK" : "mismatch");
  return out == in ? 0 : 1;
}
