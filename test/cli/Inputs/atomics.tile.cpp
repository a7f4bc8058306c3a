// Scalar atomics of every order and scope, with old values that are used and that are not.
#include <tile2cu/tile.h>
using namespace tl;

// The last program adds up what all of them wrote.
__tile_global__ void sum_of_parts(const float* __restrict__ x, float* parts, int* count,
                                  float* total, int n) {
  auto program = grid(cdiv(n, 256));
  auto i = program * 256 + arange<256>();
  store(parts + program, sum(load(x + i, i < n, 0.0f)));
  auto programs = num_programs(0);
  if (atomic_add(count, 1) == programs - 1) {
    float all = 0.0f;
    for (int k = 0; k < programs; ++k) all += load(parts + k);
    *total = all;
  }
}
inline constexpr auto sum_of_parts_w1 = instantiate(sum_of_parts, {.num_warps = 1});
inline constexpr auto sum_of_parts_w4 = instantiate(sum_of_parts, {.num_warps = 4});

__tile_global__ void orders(int* flags, double* sums, float16* halves, unsigned* words, int n) {
  auto row = grid(n);
  auto first = atomic_add(flags, 1, memory_order::relaxed, scope::system);
  auto second = atomic_add(flags + row, first, memory_order::acquire, scope::block);
  sums[row] = second;
  auto third = atomic_add(flags + 2 * row, 1, memory_order::release);
  if (third > 3) atomic_add(sums + third, 0.5, memory_order::acq_rel, scope::gpu);
  while (load(flags + row, cache::cv) < second) atomic_add(words + row, 2u);
  atomic_add(halves, float16(1.0f), memory_order::relaxed);
}
inline constexpr auto orders_w1 = instantiate(orders, {.num_warps = 1});
inline constexpr auto orders_w4 = instantiate(orders, {.num_warps = 4});
