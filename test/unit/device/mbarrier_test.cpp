// mbarriers and named barriers on the emulator: order, phases, misuse, deadlocks.
#include "testing.h"

namespace device_tests {
namespace {

using Kind = enum emulate::report::kind;

constexpr int STAGES = 3;
struct Shared {
  int value[STAGES][32];
  tile2cu::mbarrier full[STAGES], empty[STAGES];
};
Shared& shared() { return *reinterpret_cast<Shared*>(dynamic_smem); }

// A ring of stages from warp 0 to `consumers` warps; without `release` nothing is given back.
void ringKernel(int consumers, int steps, bool release) {
  Shared& smem = shared();
  const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      tile2cu::mbarrier_init(smem.full[s], 32);
      tile2cu::mbarrier_init(smem.empty[s], consumers);
    }
    tile2cu::fence_mbarrier_init();
  }
  __syncthreads();
  tile2cu::pipeline_state<STAGES> at;
  for (int step = 0; step < steps; ++step, at.next()) {
    if (warp == 0) {
      if (release) tile2cu::mbarrier_wait(smem.empty[at.stage], at.phase ^ 1);
      smem.value[at.stage][lane] = step * 100 + lane;  // writes the stage
      tile2cu::mbarrier_arrive(smem.full[at.stage]);
    } else {
      tile2cu::mbarrier_wait(smem.full[at.stage], at.phase);
      EXPECT_EQ(smem.value[at.stage][lane ^ 1], step * 100 + (lane ^ 1));  // reads the stage
      __syncwarp();
      if (lane == 0) tile2cu::mbarrier_arrive(smem.empty[at.stage]);
    }
  }
}

TEST(Mbarrier, Ring) {
  for (const emulate::order order : ALL_ORDERS) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Quietly quietly(order, seed);
      onBlock(512, [] { ringKernel(15, 20, true); });
      onBlock(64, [] { ringKernel(1, 7, true); });
    }
  }
}

TEST(Mbarrier, WritesAfterTheArrival) {
  const Quietly quietly;
  const auto two_warps = [] {
    Shared& smem = shared();
    if (threadIdx.x == 0) {
      tile2cu::mbarrier_init(smem.full[0], 32);
      tile2cu::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x < 32) {
      smem.value[0][threadIdx.x] = 1;
      tile2cu::mbarrier_arrive(smem.full[0]);
      smem.value[0][threadIdx.x] = 2;  // after the arrival
    } else {
      tile2cu::mbarrier_wait(smem.full[0], 0);
      EXPECT_GE(smem.value[0][threadIdx.x - 32], 1);  // after the wait
    }
  };
  for (const emulate::order order : ALL_ORDERS) {
    emulate::settings().order = order;
    launch(1, 64, two_warps);
    const std::string text = soleReport(Kind::race);
    EXPECT_NE(text.find(lineOf(__FILE__, "after the arrival")), std::string::npos) << text;
    EXPECT_NE(text.find(lineOf(__FILE__, "after the wait")), std::string::npos) << text;
  }
}

// Calls `body` in one thread, with an initialised barrier of `arrivals`.
std::string misuse(int arrivals, const std::function<void(tile2cu::mbarrier&)>& body) {
  const Quietly quietly;
  launch(1, 1, [&] {
    tile2cu::mbarrier_init(shared().full[0], arrivals);
    tile2cu::fence_mbarrier_init();
    body(shared().full[0]);
  });
  return soleReport(Kind::barrier);
}

TEST(Mbarrier, Misuse) {
  EXPECT_NE(misuse(0, [](auto&) {}).find("for 0 arrivals"), std::string::npos);
  EXPECT_NE(misuse(1, [](auto&) { tile2cu::mbarrier_arrive(shared().empty[0]); })
                .find("is not initialised"),
            std::string::npos);
  EXPECT_NE(misuse(1,
                   [](auto& b) {
                     b.state = 0;
                     tile2cu::mbarrier_arrive(b);
                   })
                .find("is not initialised"),
            std::string::npos);
  EXPECT_NE(misuse(1, [](auto& b) { tile2cu::mbarrier_wait(b, 2); }).find("phase 2"),
            std::string::npos);
  EXPECT_NE(misuse(1,
                   [](auto& b) {
                     tile2cu::mbarrier_arrive_expect_tx(b, 64);
                     tile2cu::mbarrier_arrive(b);
                   })
                .find("already have all its 1 arrivals"),
            std::string::npos);
}

TEST(Mbarrier, NoFenceAfterInit) {
  const Quietly quietly;
  launch(1, 1, [] {
    tile2cu::mbarrier_init(shared().full[0], 1);
    tile2cu::mbarrier_arrive(shared().full[0]);
  });
  EXPECT_NE(soleReport(Kind::barrier).find("fence_mbarrier_init"), std::string::npos);
}

TEST(Mbarrier, NoSyncAfterInit) {
  const Quietly quietly;
  launch(1, 64, [] {
    if (threadIdx.x == 0) {
      tile2cu::mbarrier_init(shared().full[0], 64);
      tile2cu::fence_mbarrier_init();
    }
    tile2cu::mbarrier_arrive(shared().full[0]);
  });
  const std::vector<emulate::report> reports = emulate::take_reports();
  ASSERT_FALSE(reports.empty());
  for (const emulate::report& report : reports) EXPECT_EQ(report.kind, Kind::race) << report.text;
}

TEST(Mbarrier, Deadlock) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    const cudaError_t error = launch(1, 96, [] {
      if (threadIdx.x == 0) {
        tile2cu::mbarrier_init(shared().full[0], 2);
        tile2cu::fence_mbarrier_init();
      }
      __syncthreads();
      if (threadIdx.x == 0) tile2cu::mbarrier_arrive_expect_tx(shared().full[0], 48);
      if (threadIdx.x < 32) return;
      tile2cu::mbarrier_wait(shared().full[0], 0);  // waits for good
    });
    EXPECT_EQ(error, cudaErrorLaunchFailure);
    const std::string text = soleReport(Kind::deadlock);
    for (const char* part : {"threads 32-95 wait in mbarrier_wait", "phase 0 of the barrier",
                             "lacks 1 of 2 arrivals and 48 bytes", "threads 0-31 have ended"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
    EXPECT_NE(text.find(lineOf(__FILE__, "waits for good")), std::string::npos) << text;
  }
}

// ---- named barriers

// Two warps take turns at one value.
TEST(NamedBarrier, TakingTurns) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    onBlock(96, [] {
      const int warp = int(threadIdx.x) / 32;
      int* const value = shared().value[0];
      if (warp == 2) return;
      if (warp == 0) {
        if (threadIdx.x == 0) value[1] = 100;
        __syncwarp();
        tile2cu::named_barrier_arrive<64>(1);
        tile2cu::named_barrier_sync<64>(2);
        EXPECT_EQ(value[1], 101);
      } else {
        tile2cu::named_barrier_sync<64>(1);
        if (threadIdx.x == 32) value[1] += 1;
        __syncwarp();
        tile2cu::named_barrier_arrive<64>(2);
      }
    });
  }
}

TEST(NamedBarrier, OrdersOnlyThoseWhoWait) {
  const Quietly quietly(emulate::order::reverse);
  launch(1, 64, [] {
    int* const value = shared().value[0];
    if (threadIdx.x < 32) {
      tile2cu::named_barrier_arrive<64>(3);
      if (threadIdx.x == 0) value[0] = 1;
    } else {
      if (threadIdx.x == 32) value[0] = 2;
      tile2cu::named_barrier_sync<64>(3);
    }
  });
  soleReport(Kind::race);
}

TEST(NamedBarrier, Misuse) {
  const auto report = [](const std::function<void()>& body) {
    const Quietly quietly;
    launch(1, 64, body);
    return soleReport(Kind::barrier);
  };
  EXPECT_NE(report([] { tile2cu::named_barrier_sync<64>(16); }).find("barrier 16"),
            std::string::npos);
  EXPECT_NE(report([] {
              if (threadIdx.x < 32) {
                tile2cu::named_barrier_arrive<96>(1);
              } else {
                tile2cu::named_barrier_arrive<64>(1);
              }
            }).find("came to it with 96"),
            std::string::npos);
  EXPECT_NE(report([] {
              tile2cu::named_barrier_arrive<96>(1);
              tile2cu::named_barrier_arrive<96>(1);
            }).find("again before it is complete"),
            std::string::npos);
}

TEST(NamedBarrier, Deadlock) {
  const Quietly quietly;
  launch(1, 64, [] {
    if (threadIdx.x < 32) tile2cu::named_barrier_sync<64>(5);
  });
  const std::string text = soleReport(Kind::deadlock);
  EXPECT_NE(text.find("threads 0-31 wait in named_barrier_sync"), std::string::npos) << text;
}

}  // namespace
}  // namespace device_tests
