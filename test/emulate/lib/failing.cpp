// Calls one kernel of failing.tile.cpp: failing KERNEL [fail]
#include <cstdio>
#include <cstring>

#include "failing.cuda.cpp"

int main(int count, char **arguments) {
  alignas(16) static int y[4096];
  for (int i = 0; i < 4096; ++i) y[i] = i;
  const int n = count > 2;
#define KERNEL(name) \
  if (std::strcmp(#name, arguments[1]) == 0) return int(name(y + n, n));
#include "failing.inc"
  return 3;
}
