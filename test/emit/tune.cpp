// RUN: %tile2cu %s --header -o %t.cu && FileCheck %s < %t.cu && FileCheck %s --check-prefix=HEADER < %t.h
// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s --check-prefix=INCLUDE
// RUN: %tile2cu %s --extern-c -o - | FileCheck %s --check-prefix=C
// RUN: %tile2cu %s -o - | grep -c 'class tuner' | FileCheck %s --check-prefix=ONCE
// RUN: %tile2cu %s -o - | grep '_tuner("' > %t.first && %tile2cu %s --emit=emulator -o - | grep '_tuner("' > %t.second && diff %t.first %t.second
// RUN: %tile2cu %s -DFACTOR=3 -o - | grep '_tuner("' > %t.third && not diff %t.first %t.third
#include <tile2cu/tile.h>
using namespace tl;

#ifndef FACTOR
#define FACTOR 2
#endif

namespace a {
template <int BLOCK>
__tile_global__ void scale(const float* __restrict__ x, float* __restrict__ y, int rows, uint64_t columns, int run) {
  require(rows > 0);
  require(run <= BLOCK);
  auto i = grid(rows) * columns + arange<BLOCK>();
  store(y + i, load(x + i, arange<BLOCK>() < columns) * FACTOR, arange<BLOCK>() < columns);
}
// Twice as much.
inline constexpr auto scale_fast =
    tune(key{"rows", "columns"}, candidate(scale<512>, {.num_warps = 2}), candidate(scale<2048>, {.num_warps = 8}));
}  // namespace a

template <int BLOCK>
__tile_global__ void add(const float* __restrict__ x, float* __restrict__ c, int m, int n) {
  auto i = program_id(0) * n + arange<BLOCK>();
  store(c + i, load(c + i) + load(x + i));
}
inline constexpr auto add_fast =
    tune(key{"n"}, preserve("c", "m", "n"), preserve("c", 4), candidate(add<512>), candidate(add<1024>));

// The headers that the tuner needs stand above the launchers; the launcher lists its candidates, null if a requirement is not met.
// CHECK-NOT: #include <atomic>
// CHECK: // ==== device helpers: declared here, defined at the end of the file
// CHECK-NOT: class tuner {
// CHECK: // ---- launchers ----
// CHECK: #include <atomic>
// CHECK: #include <filesystem>
// CHECK: // ==== device helpers of launchers: declared here, defined at the end of the file
// CHECK: class tuner {
// CHECK-NOT: tuner<CANDIDATES, KEYS>::
// CHECK: // ==== end of device helpers
// CHECK: namespace a {
// CHECK: // The fastest candidate for each key. The number is a hash of the kernels' code.
// CHECK-NEXT: static tile2cu::tuner<2, 2> scale_fast_tuner("scale_fast", 0x{{[0-9a-f]+}}u);
// CHECK: // Twice as much.
// CHECK-NEXT: cudaError_t scale_fast(const float* x, float* y, int rows, uint64_t columns, int run,
// CHECK-NEXT: cudaStream_t stream) {
// CHECK-NEXT: if (!(rows > 0)) return cudaErrorInvalidValue;
// CHECK: // Null: these arguments do not fit the candidate.
// CHECK-NEXT: const decltype(&launch_scale<{{.*}}>) candidates[] = {
// CHECK-NEXT: run <= 512 ? (aligned ? launch_scale<512, {{.*}}> : launch_scale<512, {{.*}}>) : nullptr,
// CHECK: run <= 2048
// CHECK: };
// CHECK-NEXT: const auto launch_run = [&](auto* launch) { return launch(x, y, rows, columns, run, stream); };
// CHECK-NEXT: // Times the candidates when the key is new.
// CHECK-NEXT: return scale_fast_tuner.launch(candidates, {rows, int64_t(columns)}, stream, launch_run);
// CHECK-NEXT: }
// CHECK: cudaError_t scale_fast_pin(int candidate) { return scale_fast_tuner.pin(candidate); }
// CHECK: static tile2cu::tuner<2, 1> add_fast_tuner("add_fast", 0x
// CHECK: return launch(x, c, m, n, grid, stream);
// CHECK: return add_fast_tuner.launch(candidates, {n}, stream, run,
// CHECK-NEXT: {tile2cu::preserve(c, m, n), tile2cu::preserve(c, 4)});
// CHECK: cudaError_t add_fast_pin(int candidate)
// CHECK: // ==== device helpers: definitions
// CHECK: cudaError_t tuner<CANDIDATES, KEYS>::launch(
// CHECK: // ==== end of device helpers

// HEADER: cudaError_t scale_fast(
// HEADER: // Candidate number `candidate` of scale_fast from now on, wherever it fits; -1: the fastest again.
// HEADER-NEXT: cudaError_t scale_fast_pin(int candidate);

// INCLUDE: #include "tile2cu/device.cuh"
// INCLUDE-NEXT: #include "tile2cu/device/tune.cuh"
// INCLUDE-NOT: class tuner
// C: extern "C" cudaError_t scale_fast(
// C: extern "C" cudaError_t scale_fast_pin(int candidate) {
// ONCE: {{^1$}}
