// Calls one kernel of printing.tile.cpp: printing KERNEL
#include <cstdio>
#include <cstring>

#ifdef REFERENCE
#include "printing.tile.cpp"
#else
#include "printing.cuda.cpp"
#endif

int main(int, char **arguments) {
  static int y[1024];
  for (int i = 0; i < 1024; ++i) y[i] = (i * 7 + 3) % 23 - 5;
  const int n = 17;
#define KERNEL(name) \
  if (std::strcmp(#name, arguments[1]) == 0) return int(name(y, n));
#include "printing.inc"
  return 3;
}
