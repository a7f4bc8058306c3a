// RUN: %tile2cu -I %root/runtime/include %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void divided(float* out, int n, int b) {
  require(n % b < 7);
  auto k = grid(cdiv(n, b));
  store(out + k * 64 + arange<64>(), full<float, 64>(1.0f));
}
inline constexpr auto divided_rows = instantiate(divided, {.num_warps = 2});

__tile_global__ void over_sms(float* out, int n) {
  auto first = grid(num_sms());
  for (auto k = first; k < n; k += num_sms()) store(out + k * 64 + arange<64>(), zeros<float, 64>());
}
inline constexpr auto over_sms_rows = instantiate(over_sms, {.num_warps = 2});

__tile_global__ void resident(float* out, int n) {
  for (auto k : persistent_range(n)) store(out + k * 64 + arange<64>(), zeros<float, 64>());
}
inline constexpr auto resident_rows = instantiate(resident, {.num_warps = 2});

// Its tiles take more than 48 KiB of shared memory.
__tile_global__ void resident_products(const float16* a, const float16* b, float* out, int n) {
  auto i = arange<128>();
  auto at = i[all, none] * 128 + i[none, all];
  for (auto k : persistent_range(n))
    store(out + k * 16384 + at, dot(load(a + k * 16384 + at), load(b + k * 16384 + at)));
}
inline constexpr auto resident_products_4 = instantiate(resident_products, {.num_warps = 4});

__tile_global__ void ids(int* out, int a, int b) {
  grid(a, b);
  out[program_id(1) * a + program_id(0)] = num_programs(1);
}

__tile_global__ void clash(float* out, int program, int b) {
  auto [x, y] = grid(program, b);
  out[y * program + x] = 1;
}
inline constexpr auto clash_warp = instantiate(clash, {.num_warps = 1});

template <int, int WIDTH>
__tile_global__ void nameless(float* out, int n) {
  grid(1);
  for (int start = 0; start < n; start += 4 * WIDTH) out[start] = 1;
}
inline constexpr auto nameless_512 = instantiate(nameless<4, 128>, {.num_warps = 2});

// The number of multiprocessors is a parameter where the kernel reads it.
// CHECK: over_sms_kernel(float* out, int n, int num_sms) {
// CHECK: for (int64_t k = first; k < n; k += {{.*}}) {

// The items of a persistent kernel are as far apart as there are programs.
// CHECK: // grid    the blocks that the device runs at a time, at most one for each of n items
// CHECK: resident_kernel(
// CHECK: const int64_t program = blockIdx.x;
// CHECK-NEXT: const int64_t programs = gridDim.x;
// CHECK-NEXT: for (int64_t k = program; k < n; k += programs) {

// Ids come from the grid, whose launch has one dimension.
// CHECK: ids_kernel(
// CHECK-NOT: blockIdx.y
// CHECK: blockIdx.x % a;
// CHECK: blockIdx.x / a;

// The variable that counts programs is not the user's parameter.
// CHECK: clash_kernel(float* out, int program, int b) {
// CHECK: const int64_t program_2 = int64_t(blockIdx.x) * PROGRAMS_PER_BLOCK + warp;
// CHECK: if (program_2 >= {{.*}}) return;

// A template argument without a name is a number; the other factor keeps its name.
// CHECK: nameless_kernel(
// CHECK: start += 4 * WIDTH)

// The divisor is checked before a division on the host.
// CHECK: cudaError_t launch_divided(
// CHECK: if (b == 0) return cudaErrorInvalidValue;
// CHECK-NEXT: const int64_t programs = tile2cu::cdiv(n, b);
// CHECK: cudaError_t launch_over_sms(
// CHECK: tile2cu::multiprocessors(num_sms);
// CHECK: >>>(out, n, num_sms);
// CHECK: cudaError_t launch_resident(
// CHECK: tile2cu::limit_to_resident(blocks, resident_kernel, 64, 0);
// A device has no room for a block before the memory has been asked for.
// CHECK: cudaError_t launch_resident_products(
// CHECK-NOT: limit_to_resident
// CHECK: tile2cu::allow_shared_memory<resident_products_kernel>(
// CHECK: error = tile2cu::limit_to_resident(blocks, resident_products_kernel,
// CHECK: resident_products_kernel<<<
// CHECK: cudaError_t divided_rows(
// CHECK: if (!(b != 0 && int64_t(n) % int64_t(b) < 7)) return cudaErrorInvalidValue;
