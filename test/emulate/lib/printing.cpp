// Calls one kernel of printing.tile.cpp: printing KERNEL
#include <cstdio>
#include <cstring>

#include "called.h"

#ifdef REFERENCE
#include "printing.tile.cpp"
#else
#include "printing.cuda.cpp"
#endif

VARIABLE int y[1024];

int main(int, char **arguments) {
  for (int i = 0; i < 1024; ++i) y[i] = (i * 7 + 3) % 23 - 5;
  const int n = 17;
#define KERNEL(name) \
  if (std::strcmp(#name, arguments[1]) == 0) return int(name(y, n)) | SYNCHRONIZE;
#include "printing.inc"
  return 3;
}
