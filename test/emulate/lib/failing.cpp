// Calls one kernel of failing.tile.cpp: failing KERNEL [fail]
#include <cstdio>
#include <cstring>

#include "called.h"
#include "failing.cuda.cpp"

alignas(16) VARIABLE int y[4096];

int main(int count, char **arguments) {
  for (int i = 0; i < 4096; ++i) y[i] = i;
  const int n = count > 2;
#define KERNEL(name) \
  if (std::strcmp(#name, arguments[1]) == 0) return int(name(y + n, n)) | SYNCHRONIZE;
#include "failing.inc"
  return 3;
}
