// RUN: %tile2cu %s -o - | FileCheck %s
// If the launcher's checks, divisors or types show that `k + step` is a value of its type, a range is the loop that one would
// write by hand. If one of them is missing, it counts the distance to its bound.
#include <tile2cu/tile.h>
using namespace tl;

template <int MOST>
__tile_global__ void facts(int64_t* __restrict__ o, int K, int M, int L, int H, int16_t narrow, int q, int p, unsigned u) {
  require(K <= MOST && q > 0 && q <= MOST);
  require(M % 64 == 0);
  require(H % 32 == 0 && p > 0);
  require(u <= K);
  auto id = grid(L);
  int64_t n = 0;
  // At most MOST.
  for (auto k1 : range(0, K, 64)) n += k1 / 3;
  // A multiple of the step.
  for (auto k2 : range(0, M, 64)) n += k2 / 3;
  for (auto k3 : range(64, M, 32)) n += k3 / 3;
  // 16 bits.
  for (auto k4 : range(0, narrow, 64)) n += k4 / 3;
  // A whole number of steps from its start.
  const int first = p * 7;
  for (auto k5 : range(first, first + 8 * 64, 64)) n += k5 / 3;
  // Step and bound are small.
  for (auto k6 : range(0, K, q)) n += k6 / 3;
  // u <= K is compared as unsigned, where K may be up to INT_MAX or beyond: nothing is known.
  for (auto k7 : range(0u, u, 64)) n += k7 / 3;
  // Not known: any bound, half a step, another start, any step.
  for (auto k8 : range(0, L, 64)) n += k8 / 3;
  for (auto k9 : range(0, H, 64)) n += k9 / 3;
  for (auto k10 : range(1, M, 64)) n += k10 / 3;
  for (auto k11 : range(0, K, p)) n += k11 / 3;
  store(o + id, n);
}
inline constexpr auto f = instantiate(facts<4096>, {.num_warps = 1});

// CHECK-LABEL: facts_kernel(
// CHECK: for (int k1 = 0; k1 < K; k1 += 64)
// CHECK: for (int k2 = 0; k2 < M; k2 += 64)
// CHECK: for (int k3 = 64; k3 < M; k3 += 32)
// CHECK: for (int k4 = 0; k4 < int(narrow); k4 += 64)
// CHECK: for (int k5 = first; k5 < first + 512; k5 += 64)
// CHECK: for (int k6 = 0; k6 < K; k6 += q)
// CHECK: for (int64_t k7_left = int64_t(u); k7_left > 0; k7_left -= 64)
// CHECK: for (int k8_left = L; k8_left > 0; k8_left -= 64)
// CHECK: for (int k9_left = H; k9_left > 0; k9_left -= 64)
// CHECK: for (int k10_left = {{.*}}; k10_left > 0; k10_left -= 64)
// CHECK: for (uint32_t k11_step = 0, k11_steps = tile2cu::step_count(0, K, p);
