// Remarks about a `for` that becomes a `while`, and none about others.
// RUN: %tile2cu -Rtile %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %tile2cu -Rtile %s -o %t.cu 2>&1 | grep -c "becomes a 'while'" | FileCheck --check-prefix=COUNT %s
// COUNT: {{^6$}}
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void loops(const int* __restrict__ in, int* __restrict__ out, int n, int step, size_t long_n, unsigned u) {
  grid(1);
  int sum = 0;
  for (int i = 0; i < n; i += 4) sum += in[i];
  for (auto i : range(0, n, 4)) sum += in[i];
  // CHECK: :[[@LINE+1]]:3: remark: this 'for' becomes a 'while', in which nothing is prefetched: its head does not declare one integer variable; write for (int i = first; i < bound; i += step)
  for (int i = 0, j = 1; i < n; ++i) sum += in[i] + j;
  // CHECK: :[[@LINE+1]]:3: remark: this 'for' becomes a 'while', in which nothing is prefetched: its condition does not compare 'i' with a bound; write for (int i = first; i < bound; i += step)
  for (int i = 0; i * 2 < n; ++i) sum += in[i];
  // CHECK: :[[@LINE+1]]:3: remark: this 'for' becomes a 'while', in which nothing is prefetched: its head does not add a step to 'i'; write for (int i = first; i < bound; i += step)
  for (int i = 1; i < n; i *= 2) sum += in[i];
  // CHECK: :[[@LINE+1]]:3: remark: this 'for' becomes a 'while', in which nothing is prefetched: its body may change 'i'; use another variable there
  for (int i = 0; i < n; ++i) sum += in[i], i += sum & 1;
  // CHECK: :[[@LINE+1]]:3: remark: this 'for' becomes a 'while', in which nothing is prefetched: the bound or the step of 'i' may change in the loop; compute it before the loop, into a variable of its own
  for (int i = 0; i < n; ++i) n -= in[i];
  // CHECK: :[[@LINE+1]]:3: remark: this 'for' becomes a 'while', in which nothing is prefetched: C++ converts 'i' to compare it or to add the step, and a conversion may change it; give variable, bound and step one type of 32 or 64 bits
  for (int i = step; i < u; ++i) sum += in[i];
  // A `while` that is written as a `for`.
  for (int i = 0; i < n;) sum += in[i], i += 1 + (sum & 1);
  out[0] = sum;
}
inline constexpr auto f = instantiate(loops, {.num_warps = 1});
