// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// RUN: %tile2cu %s -DGOOD -Wno-unused-kernel -o %t.cu 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: not %tile2cu %s -DUNWRITTEN -o - 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: %tile2cu %s -DGOOD -Wno-tune -o %t.cu 2>&1 | count 0
// RUN: not %tile2cu %s -DGOOD -Werror=tune -o - 2>&1 | FileCheck %s --check-prefix=GOOD
// The arguments of key and preserve; launchers that cannot be timed.
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void add(const float* __restrict__ x, float* __restrict__ c, int n, float factor) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(c + i, load(c + i, i < n) + load(x + i, i < n) * factor, i < n);
}
template <int BLOCK>
__tile_global__ void copy(const float* x, float* c, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(c + i, load(x + i, i < n), i < n);
}
template <int BLOCK>
__tile_global__ void count(int* counter, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  atomic_add(counter, sum(cast<int>(i < n)));
}

#if defined(GOOD)
// GOOD-NOT: add_timed
inline constexpr auto add_timed = tune(key{"n"}, preserve("c", "n"), candidate(add<256>), candidate(add<512>));
// GOOD: tune.cpp:[[@LINE+1]]:23: {{warning|error}}: 'add_once' is not timed and runs the first candidate that fits: it reads 'c', which it also writes; write preserve("c", ...) that restores it [{{.*}}-Wtune]
inline constexpr auto add_once = tune(key{"n"}, candidate(add<256>), candidate(add<512>));
// GOOD: :[[@LINE+1]]:23: {{.*}}: 'copy_once' is not timed and runs the first candidate that fits: it writes 'c', which may be memory that it reads through 'x'; declare one of them __restrict__, or write preserve("c", ...) that restores it
inline constexpr auto copy_once = tune(key{"n"}, candidate(copy<256>), candidate(copy<512>));
// GOOD-NOT: copy_timed
inline constexpr auto copy_timed = tune(key{"n"}, preserve("c", "n"), candidate(copy<256>), candidate(copy<512>));
// GOOD: :[[@LINE+1]]:23: {{.*}}: 'count_once' is not timed and runs the first candidate that fits: it reads 'counter', which it also writes
inline constexpr auto count_once = tune(key{"n"}, candidate(count<256>), candidate(count<512>));
// GOOD-NOT: count_timed
inline constexpr auto count_timed = tune(key{"n"}, preserve("counter", 1), candidate(count<256>), candidate(count<512>));
#elif defined(UNWRITTEN)
// UNWRITTEN: tune.cpp:[[@LINE+1]]:43: error: no candidate writes through 'x'; preserve names what a run changes
inline constexpr auto add_x = tune(key{}, preserve("x", "n"), preserve("c", "n"), candidate(add<256>));
#else
// CHECK: tune.cpp:[[@LINE+1]]:45: error: kernel 'add' has no parameter 'm'; key and preserve name its parameters
inline constexpr auto add_m = tune(key{"n", "m"}, candidate(add<256>), candidate(add<512>));
// CHECK: tune.cpp:[[@LINE+1]]:40: error: parameter 'factor' is not an integer; a key consists of integers, as do the sizes in preserve
inline constexpr auto add_f = tune(key{"factor"}, candidate(add<256>));
// CHECK: tune.cpp:[[@LINE+1]]:40: error: parameter 'x' is not an integer
inline constexpr auto add_x = tune(key{"x"}, candidate(add<256>));
// CHECK: tune.cpp:[[@LINE+1]]:52: error: parameter 'n' is not a pointer; preserve names a pointer first, then how many elements to restore
inline constexpr auto add_n = tune(key{}, preserve("n", "n"), candidate(add<256>));
// CHECK: tune.cpp:[[@LINE+1]]:60: error: kernel 'add' has no parameter 'size'
inline constexpr auto add_size = tune(key{}, preserve("c", "size"), candidate(add<256>));
// CHECK: tune.cpp:[[@LINE+1]]:60: error: parameter 'c' is not an integer
inline constexpr auto add_c = tune(key{}, preserve("c", 2, "c"), candidate(add<256>));
static constexpr char word[] = {'n'};
// CHECK: tune.cpp:[[@LINE+1]]:39: error: an option is not a constant
inline constexpr auto add_word = tune(key{word}, candidate(add<256>));
#endif
