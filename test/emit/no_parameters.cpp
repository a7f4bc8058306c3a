// RUN: %tile2cu %s -o - | FileCheck %s
// A kernel without parameters: its launcher has nothing but the stream.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void idle() { grid(1); }
__tile_global__ void idle_blocks() {}

inline constexpr auto idle_all = instantiate(idle);
inline constexpr auto idle_blocks_all = instantiate(idle_blocks);

// CHECK: static cudaError_t launch_idle(cudaStream_t stream) {
// CHECK: idle_kernel<<<unsigned(programs), 128, 0, stream>>>();
// CHECK: static cudaError_t launch_idle_blocks(dim3 grid, cudaStream_t stream) {
// CHECK: idle_blocks_kernel<<<grid, 128, 0, stream>>>();
// CHECK: cudaError_t idle_all(cudaStream_t stream = nullptr) { return launch_idle{{.*}}(stream); }
// CHECK: cudaError_t idle_blocks_all(dim3 grid, cudaStream_t stream = nullptr) {
