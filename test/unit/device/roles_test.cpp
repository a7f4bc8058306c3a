// A matrix product as emitted for Hopper, on the emulator: a producer warpgroup loads stages with
// TMA, two consumers multiply with wgmma and store with stmatrix and TMA. With one step left out,
// something is reported.
#include <cstring>

#include "testing.h"

namespace device_tests {
namespace {

using tile2cu::major;

constexpr int M = 128, N = 64, K = 160, BLOCK_K = 32, STAGES = 2;

struct Smem {
  alignas(1024) __half a[STAGES][M][BLOCK_K];  // rows of 64 bytes
  alignas(1024) __half b[STAGES][BLOCK_K][N];  // rows of 128 bytes
  alignas(1024) __half c[M][N];                // rows of 128 bytes
  tile2cu::mbarrier full[STAGES], empty[STAGES];
};

struct Maps {
  alignas(64) CUtensorMap a, b, c;
};

// Which steps are there.
struct Steps {
  bool empty = true, wait_before_release = true, fence_proxy = true, wait_read = true;
};

void produce(Smem& smem, const Maps& maps, const Steps& steps) {
  tile2cu::pipeline_state<STAGES> at;
  for (int k = 0; k < K; k += BLOCK_K, at.next()) {
    if (steps.empty) tile2cu::mbarrier_wait(smem.empty[at.stage], at.phase ^ 1);
    tile2cu::mbarrier_arrive_expect_tx(smem.full[at.stage], sizeof(smem.a[0]) + sizeof(smem.b[0]));
    tile2cu::tma_load(smem.a[at.stage], maps.a, smem.full[at.stage], k, 0);
    tile2cu::tma_load(smem.b[at.stage], maps.b, smem.full[at.stage], 0, k);
  }
}

void store(Smem& smem, const Maps& maps, const Steps& steps, float (&acc)[N / 8][4]) {
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32 - 4;
  auto* const rows = reinterpret_cast<unsigned char*>(smem.c[16 * warp]);
  for (int c = 0; c < N / 16; ++c) {
    const int row = lane % 16, chunk = 2 * c + lane / 16;
    uint32_t r[4];
    for (int i = 0; i < 4; ++i)
      r[i] = tile2cu::pack_half(acc[2 * c + i / 2][i % 2 * 2], acc[2 * c + i / 2][i % 2 * 2 + 1]);
    tile2cu::stmatrix_x4(rows + row * 128 + (chunk ^ row % 8) * 16, r[0], r[1], r[2], r[3]);
  }
  if (steps.fence_proxy) tile2cu::fence_proxy_async();
  __syncwarp();
  if (lane != 0) return;
  tile2cu::tma_store(maps.c, rows, 0, 16 * warp);
  tile2cu::tma_store_commit();
  if (steps.wait_read) tile2cu::tma_store_wait_read<0>();
}

void consume(Smem& smem, const Maps& maps, const Steps& steps) {
  const int lane = int(threadIdx.x) % 32, group = int(threadIdx.x) / 128 - 1;
  float acc[N / 8][4];
  tile2cu::pipeline_state<STAGES> at, done;
  for (int k = 0; k < K; k += BLOCK_K, at.next()) {
    tile2cu::mbarrier_wait(smem.full[at.stage], at.phase);
    tile2cu::wgmma_fence(acc);
    for (int kk = 0; kk < BLOCK_K; kk += 16) {
      tile2cu::wgmma_m64n64k16_f16<major::k, major::mn, 64, 128>(
          acc, tile2cu::wgmma_operand<64>(&smem.a[at.stage][64 * group][kk]),
          tile2cu::wgmma_operand<128>(&smem.b[at.stage][kk][0]), k + kk > 0);
    }
    tile2cu::wgmma_commit();
    // One group stays in flight; the stage before it is released.
    if (steps.wait_before_release) tile2cu::wgmma_wait<1>();
    if (k > 0 || !steps.wait_before_release) {
      if (lane == 0) tile2cu::mbarrier_arrive(smem.empty[done.stage]);
      done.next();
    }
  }
  tile2cu::wgmma_wait<0>(acc);
  store(smem, maps, steps, acc);
}

void kernel(const Maps& maps, const Steps& steps) {
  Smem& smem = *reinterpret_cast<Smem*>(dynamic_smem);
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      tile2cu::mbarrier_init(smem.full[s], 1);
      tile2cu::mbarrier_init(smem.empty[s], 8);
    }
    tile2cu::fence_mbarrier_init();
  }
  __syncthreads();
  if (threadIdx.x >= 128) return consume(smem, maps, steps);
  tile2cu::warpgroup_reg_dealloc<40>();
  if (threadIdx.x == 0) produce(smem, maps, steps);
}

// Whether the product is right.
bool run(const Steps& steps) {
  alignas(16) static __half a[M][K], b[K][N], c[M][N];
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k) a[m][k] = __half(float((m + k * 3) % 5 - 2));
  for (int k = 0; k < K; ++k)
    for (int n = 0; n < N; ++n) b[k][n] = __half(float((k + n * 2) % 3 - 1));
  std::memset(static_cast<void*>(c), 0xff, sizeof(c));
  Maps maps;
  constexpr auto HALF = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  EXPECT_EQ(tile2cu::make_tensor_map(&maps.a, HALF, a, {K, M}, {K * 2}, {BLOCK_K, M}, 64), 0);
  EXPECT_EQ(tile2cu::make_tensor_map(&maps.b, HALF, b, {N, K}, {N * 2}, {N, BLOCK_K}, 128), 0);
  EXPECT_EQ(tile2cu::make_tensor_map(&maps.c, HALF, c, {N, M}, {N * 2}, {N, 16}, 128), 0);
  launch(1, 384, [&] { kernel(maps, steps); }, sizeof(Smem));
  bool right = true;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      float want = 0;
      for (int k = 0; k < K; ++k) want += float(a[m][k]) * float(b[k][n]);
      right = right && float(c[m][n]) == want;
    }
  return right;
}

TEST(Roles, Right) {
  for (const emulate::order order : ALL_ORDERS) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const Quietly quietly(order, seed);
      EXPECT_TRUE(run({}));
      for (const emulate::report& report : emulate::take_reports()) ADD_FAILURE() << report.text;
    }
  }
}

void expectReports(const Steps& steps, enum emulate::report::kind kind) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order, 3);
    run(steps);
    const std::vector<emulate::report> reports = emulate::take_reports();
    EXPECT_FALSE(reports.empty()) << int(order);
    for (const emulate::report& report : reports) {
      EXPECT_TRUE(report.kind == kind || report.kind == emulate::report::kind::race) << report.text;
    }
  }
}

using Kind = enum emulate::report::kind;

// The producer expects bytes in phases that nobody may have seen yet.
TEST(Roles, WithoutEmpty) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    run({.empty = false});
    EXPECT_FALSE(emulate::take_reports().empty()) << int(order);
  }
}
TEST(Roles, ReleaseBeforeTheWait) {
  expectReports({.wait_before_release = false}, Kind::asynchronous);
}
TEST(Roles, StoreWithoutFence) { expectReports({.fence_proxy = false}, Kind::asynchronous); }
TEST(Roles, EndWithoutWaitRead) {
  const Quietly quietly;
  run({.wait_read = false});
  EXPECT_FALSE(emulate::take_reports().empty());
}

}  // namespace
}  // namespace device_tests
