// A kernel has the parameters that its text mentions. Its launch function has all of them: a launcher
// chooses among launch functions of one type.
// RUN: %tile2cu --arch=sm_90a %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// Only the grid reads `rows`, only the requirement reads `pitch`, and nothing reads `unread`.
__tile_global__ void scale(const float* __restrict__ in, float* __restrict__ out,
                           const int* __restrict__ unread, int rows, int pitch, float factor) {
  require(pitch == 64);
  auto at = grid(rows) * 64 + arange<64>();
  store(out + at, load(in + at) * factor);
}
inline constexpr auto scale_64 = instantiate(scale);
// CHECK: {{^}}scale_kernel(const float* __restrict__ in, float* __restrict__ out, float factor) {

__tile_global__ void nothing(float* out, int n) {
  if (program_id(0) < 0) out[0] = n;
}
inline constexpr auto nothing_1 = instantiate(nothing);
// CHECK: {{^}}nothing_kernel() {}

// Roles and tensor maps: the kernel's own text mentions what it passes to its roles.
template <int BLOCK>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b,
                             float16* __restrict__ c, int M, int N, int K) {
  auto a_desc = make_tensor_descriptor<BLOCK, 64>(a, {M, K}, {int64_t(K), 1});
  auto b_desc = make_tensor_descriptor<64, BLOCK>(b, {K, N}, {int64_t(N), 1});
  auto c_desc = make_tensor_descriptor<BLOCK, BLOCK>(c, {M, N}, {int64_t(N), 1});
  auto [i, j] = grid(cdiv(M, BLOCK), cdiv(N, BLOCK));
  auto acc = zeros<float, BLOCK, BLOCK>();
  for (int k = 0; k < K; k += 64)
    acc = dot(a_desc.load({i * BLOCK, k}), b_desc.load({k, j * BLOCK}), acc);
  c_desc.store({i * BLOCK, j * BLOCK}, cast<float16>(acc));
}
inline constexpr auto product_128 = instantiate(product<128>);
// CHECK: {{^}}product_kernel(int M, int K, const __grid_constant__ CUtensorMap a_map,
// CHECK: {{^}}product_unaligned_kernel(const __half* __restrict__ a, const __half* __restrict__ b,
// CHECK-NEXT: __half* __restrict__ c, int M, int N, int K) {

// CHECK: launch_scale(const float* in, float* out, const int* /*unread*/, int rows,
// CHECK-NEXT: int /*pitch*/, float factor, cudaStream_t stream) {
// CHECK: stream>>>(in, out, factor);
// CHECK: launch_nothing(float* /*out*/, int /*n*/, dim3 grid, cudaStream_t stream) {
// CHECK: stream>>>();
// CHECK: launch_product(const __half* a, const __half* b, __half* c, int M, int N, int K,
// CHECK: stream, M, K, a_map, b_map, c_map);
// CHECK: return launch_scale(in, out, unread, rows, pitch, factor, stream);
