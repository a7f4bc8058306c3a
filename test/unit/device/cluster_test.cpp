// Two blocks of a cluster that copy for each other, on the emulator. With one step left out,
// something is reported.
#include "testing.h"

namespace device_tests {
namespace {

constexpr int ROWS = 16, COLUMNS = 32, STEPS = 5, STAGES = 2, WARPS = 2;

struct Smem {
  alignas(128) uint32_t tile[STAGES][ROWS][COLUMNS];
  tile2cu::mbarrier full[STAGES], empty[STAGES];
};

// Which steps are there.
struct Steps {
  bool other_reads = true, tail = true, all = true;
  int cluster = 2;
};

void produce(Smem& smem, const CUtensorMap& map, const Steps& steps) {
  tile2cu::pipeline_state<STAGES> pipeline;
  const int part = tile2cu::cluster_rank<2>() * ROWS / 2;
  for (int s = 0; s < STEPS; ++s) {
    const int stage = pipeline.producer_acquire(smem.empty);
    tile2cu::mbarrier_arrive_expect_tx(smem.full[stage], sizeof(smem.tile[stage]));
    if (steps.all)
      tile2cu::tma_load_multicast<2>(&smem.tile[stage][part], map, smem.full[stage], 0,
                                     s * ROWS + part);
    else
      tile2cu::tma_load(&smem.tile[stage][part], map, smem.full[stage], 0, s * ROWS + part);
  }
  if (steps.tail) tile2cu::producer_tail(pipeline, smem.empty);
}

void consume(Smem& smem, uint32_t* out, const Steps& steps) {
  const int lane = int(threadIdx.x) % 32;
  tile2cu::pipeline_state<STAGES> pipeline;
  uint32_t sum = 0;
  for (int s = 0; s < STEPS; ++s) {
    const int stage = pipeline.consumer_wait(smem.full);
    for (int row = int(threadIdx.x) / 32; row < ROWS; row += WARPS)
      sum += (s + 1) * smem.tile[stage][row][lane];
    __syncwarp();
    if (steps.other_reads ? lane < 2 : lane == 0)
      tile2cu::mbarrier_arrive_cluster<2>(smem.empty[stage],
                                          steps.other_reads ? lane : tile2cu::cluster_rank<2>());
  }
  out[blockIdx.x * WARPS * 32 + threadIdx.x] = sum;
}

void kernel(const CUtensorMap& map, uint32_t* out, const Steps& steps) {
  Smem& smem = *reinterpret_cast<Smem*>(dynamic_smem);
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      tile2cu::mbarrier_init(smem.full[s], 1);
      tile2cu::mbarrier_init(smem.empty[s], steps.other_reads ? 2 * WARPS : WARPS);
    }
    tile2cu::fence_mbarrier_init();
  }
  tile2cu::cluster_sync<2>();
  if (threadIdx.x < WARPS * 32) return consume(smem, out, steps);
  if (threadIdx.x == WARPS * 32) produce(smem, map, steps);
}

// Whether the launch succeeds and the results are right.
bool run(const Steps& steps, int blocks = 4) {
  static uint32_t in[STEPS * ROWS][COLUMNS], out[8 * WARPS * 32];
  for (int r = 0; r < STEPS * ROWS; ++r)
    for (int c = 0; c < COLUMNS; ++c) in[r][c] = r * 100 + c;
  alignas(64) CUtensorMap map;
  EXPECT_EQ(
      tile2cu::make_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, in, {COLUMNS, STEPS * ROWS},
                               {COLUMNS * 4}, {COLUMNS, ROWS / 2}, 0),
      0);
  const std::function<void()> body = [&] { kernel(map, out, steps); };
  if (tile2cu::launch_cluster(steps.cluster, call, dim3(blocks), (WARPS + 1) * 32, sizeof(Smem),
                              nullptr, &body) != cudaSuccess)
    return false;
  bool right = true;
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < WARPS * 32; ++t) {
      uint32_t want = 0;
      for (int s = 0; s < STEPS; ++s)
        for (int row = t / 32; row < ROWS; row += WARPS)
          want += (s + 1) * in[s * ROWS + row][t % 32];
      right = right && out[b * WARPS * 32 + t] == want;
    }
  return right;
}

TEST(Cluster, Right) {
  for (const emulate::order order : ALL_ORDERS)
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const Quietly quietly(order, seed);
      EXPECT_TRUE(run({}));
      for (const emulate::report& report : emulate::take_reports()) ADD_FAILURE() << report.text;
    }
}

// In some schedule at least: what the other block does comes when this one has to wait.
void expectReports(const Steps& steps) {
  int reported = 0;
  for (const emulate::order order : ALL_ORDERS)
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Quietly quietly(order, seed);
      run(steps);
      reported += !emulate::take_reports().empty();
    }
  EXPECT_GT(reported, 0);
}

// A block writes what the other one may still read.
TEST(Cluster, WithoutTheOthersReads) { expectReports({.other_reads = false}); }
// A block ends while the other one's arrivals are in flight.
TEST(Cluster, WithoutTail) { expectReports({.tail = false}); }
// Half of what each waits for does not come.
TEST(Cluster, CopiesToItself) { expectReports({.all = false}); }
TEST(Cluster, LaunchedWithoutClusters) { expectReports({.cluster = 1}); }

TEST(Cluster, OddGrid) {
  const Quietly quietly;
  EXPECT_FALSE(run({}, 3));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_TRUE(emulate::take_reports().empty());
}

}  // namespace
}  // namespace device_tests
