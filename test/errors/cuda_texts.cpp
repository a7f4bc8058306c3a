// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Texts that would not end in their function, or that miss something.
#include <tile2cu/tile.h>
using namespace tl;

__tile__ float twice(float x) { return x + x; }
__tile_global__ void texts(float* out, int n, float f) {
  auto row = grid(n);
  auto g = [](float x) { return x; };
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has a '{' that is not closed
  out[row] = cuda("if (x > 0) { return x;", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has a '}' that closes nothing
  out[row] = cuda("return x; } static void f() {", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has a ']' that closes nothing
  out[row] = cuda("return x[(0]);", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has a string or character that does not end
  out[row] = cuda("asm(\"add);  return x;", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has a comment that does not end
  out[row] = cuda("return x; /* and", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) ends in a backslash
  out[row] = cuda("return x; // and \\", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) ends in a backslash
  out[row] = cuda("return x; \\\n", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has '@', which C++ has not
  out[row] = cuda("return x @ x;", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has #define, which would hold for the rest of the file; write a __device__ function in a header instead
  out[row] = cuda("\n#define y x\nreturn y;", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has an #if without its #endif
  out[row] = cuda("\n#ifdef X\nreturn x;", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) has an #endif without its #if
  out[row] = cuda("\n#endif\n#if 1\nreturn x;", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) does not use 'x'; drop that parameter of the reference
  out[row] = cuda("return 1 /* x */ + 'x';  // x", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) returns nothing; it is the body of a function, so write return
  out[row] = cuda("asm(\"return\" : \"+f\"(x));", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) does not end in ';' or '}'
  out[row] = cuda("return x", twice, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) does not use 'x'
  out[row] = cuda("", g, f);
  // CHECK-DAG: :[[@LINE+1]]:19: error: the text of cuda(...) is not a constant; write it as a string literal, or in a constexpr variable
  out[row] = cuda(n ? "return x;" : "return -x;", g, f);
}
