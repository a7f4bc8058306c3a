// Errors that the emulator must find, and correct code that it must accept: a compiler could make each of these errors.
#include "testing.h"

namespace device_tests {
namespace {

using Kind = enum emulate::report::kind;
using tile2cu::cache;

struct Smem {
  float values[256];
  float partial[8];
  __half halves[256];
};
Smem& smem() { return *reinterpret_cast<Smem*>(dynamic_smem); }

void expectLines(const std::string& text, std::initializer_list<const char*> markers) {
  for (const char* marker : markers) {
    const std::string line = lineOf(__FILE__, marker);
    EXPECT_NE(text.find(line), std::string::npos) << marker << " is " << line << "\n" << text;
  }
}

TEST(Races, MissingBarrierBetweenWriteAndRead) {
  for (const emulate::order order : ALL_ORDERS) {
    Quietly quietly(order);
    std::vector<float> out(256);
    const cudaError_t error = launch(1, 256, [&] {
      const int tid = threadIdx.x;
      smem().values[tid] = 1.0f;           // write without barrier
      out[tid] = smem().values[tid ^ 64];  // read without barrier
    });
    EXPECT_EQ(error, cudaSuccess);
    expectLines(soleReport(Kind::race), {"write without barrier", "read without barrier"});
  }
}

TEST(Races, BarrierOrders) {
  for (const emulate::order order : ALL_ORDERS) {
    Quietly quietly(order);
    std::vector<float> out(256);
    onBlock(256, [&] {
      const int tid = threadIdx.x;
      smem().values[tid] = float(tid);
      __syncthreads();
      out[tid] = smem().values[tid ^ 64];
    });
    for (int t = 0; t < 256; ++t) EXPECT_EQ(out[t], float(t ^ 64));
  }
}

TEST(Races, MissingBarrierBeforeReuse) {
  for (const emulate::order order : ALL_ORDERS) {
    Quietly quietly(order);
    const cudaError_t error = launch(1, 256, [&] {
      const float value = float(threadIdx.x);
      const auto sum = tile2cu::sum_op<float>();
      tile2cu::block_reduce(value, sum, smem().partial);  // first use
      tile2cu::block_reduce(value, sum, smem().partial);  // second use
    });
    EXPECT_EQ(error, cudaSuccess);
    expectLines(soleReport(Kind::race), {"first use", "second use"});
  }
}

TEST(Races, TwoArraysNeedNoBarrierBetween) {
  for (const emulate::order order : ALL_ORDERS) {
    Quietly quietly(order);
    onBlock(256, [&] {
      const float value = float(threadIdx.x);
      const auto sum = tile2cu::sum_op<float>();
      for (int i = 0; i < 3; ++i) {
        auto& partial = *reinterpret_cast<float(*)[8]>(smem().values + 8 * (i % 2));
        EXPECT_EQ(tile2cu::block_reduce(value, sum, partial), 255 * 128.0f);
      }
    });
  }
}

TEST(Races, TwoWriters) {
  Quietly quietly;
  launch(1, 64, [&] {
    if (threadIdx.x % 32 == 0) smem().partial[0] = 1.0f;  // two writers
  });
  expectLines(soleReport(Kind::race), {"two writers"});
}

TEST(Races, NeighbouringBytesAreNotShared) {
  onBlock(256, [&] {
    smem().halves[threadIdx.x] = __half(1.0f);
    reinterpret_cast<char*>(smem().values)[threadIdx.x] = 1;
  });
}

TEST(Races, HalfOfAWordAndTheWord) {
  Quietly quietly;
  launch(1, 64, [&] {
    if (threadIdx.x == 0) smem().values[0] = 1.0f;                             // whole word
    if (threadIdx.x == 40) reinterpret_cast<uint16_t*>(smem().values)[1] = 1;  // upper half
  });
  expectLines(soleReport(Kind::race), {"whole word", "upper half"});
}

TEST(Races, AShuffleIsNoFence) {
  Quietly quietly;
  launch(1, 32, [&] {
    const int lane = threadIdx.x;
    smem().values[lane] = 1.0f;  // before the shuffle
    tile2cu::warp_shuffle_xor(lane, 1);
    volatile float other = smem().values[lane ^ 1];  // after the shuffle
    (void)other;
  });
  expectLines(soleReport(Kind::race), {"before the shuffle", "after the shuffle"});
}

TEST(Races, SyncwarpOrdersTheWarp) {
  for (const emulate::order order : ALL_ORDERS) {
    Quietly quietly(order);
    onBlock(64, [&] {
      const int tid = threadIdx.x;
      for (int i = 0; i < 3; ++i) {
        smem().values[tid] = float(tid + i);
        __syncwarp();
        EXPECT_EQ(smem().values[tid ^ 1], float((tid ^ 1) + i));
        __syncwarp();
      }
    });
  }
}

TEST(Races, SyncwarpDoesNotOrderOtherWarps) {
  Quietly quietly;
  launch(1, 64, [&] {
    const int tid = threadIdx.x;
    smem().values[tid] = 1.0f;  // one warp
    __syncwarp();
    volatile float other = smem().values[tid ^ 32];  // the other warp
    (void)other;
  });
  expectLines(soleReport(Kind::race), {"one warp", "the other warp"});
}

TEST(Races, SyncwarpOfSomeLanes) {
  onBlock(32, [&] {
    const int lane = threadIdx.x;
    const unsigned mine = lane < 16 ? 0xffffu : 0xffff0000u;
    smem().values[lane] = float(lane);
    __syncwarp(mine);
    EXPECT_EQ(smem().values[lane ^ 8], float(lane ^ 8));
  });
  Quietly quietly;
  launch(1, 32, [&] {
    const int lane = threadIdx.x;
    smem().values[lane] = 1.0f;  // in the other half
    __syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);
    volatile float other = smem().values[lane ^ 16];  // across halves
    (void)other;
  });
  expectLines(soleReport(Kind::race), {"in the other half", "across halves"});
}

TEST(Races, GlobalMemoryWithinABlock) {
  Quietly quietly;
  std::vector<float> data(64);
  launch(1, 64, [&] {
    float* p = data.data() + threadIdx.x % 32;
    tile2cu::store_if<1>(threadIdx.x < 32, p, {{1.0f}});               // store in the block
    tile2cu::load_if<1, cache::coherent>(threadIdx.x >= 32, p, 0.0f);  // load in the block
  });
  expectLines(soleReport(Kind::race), {"store in the block", "load in the block"});
}

TEST(Races, OfOneStore) {
  Quietly quietly;
  int one = 0, two = 0;
  auto kernel = [&] {
    const int thread = int(threadIdx.x);
    tile2cu::store_element_if(true, &one, thread);    // the first store
    tile2cu::store_element_if(thread < 8, &two, 1);   // the second
    tile2cu::store_element_if(thread >= 8, &two, 2);  // the third
  };
  launch(1, 32, kernel);
  EXPECT_FALSE(emulate::take_reports().empty());
  emulate::settings().races_of_one_store = false;
  launch(1, 32, kernel);
  expectLines(soleReport(Kind::race), {"the second", "the third"});
}

TEST(Races, BetweenBlocks) {
  Quietly quietly;
  float total = 0;
  launch(4, 32, [&] {
    if (threadIdx.x == 0) tile2cu::store_if<1>(true, &total, {{1.0f}});  // same address
  });
  expectLines(soleReport(Kind::race_between_blocks), {"same address"});
  emulate::settings().races_between_blocks = false;
  launch(4, 32, [&] {
    if (threadIdx.x == 0) tile2cu::store_if<1>(true, &total, {{1.0f}});
  });
  EXPECT_TRUE(emulate::reports().empty());
}

TEST(Races, AtomicsDoNotRaceWithEachOther) {
  float total = 0;
  onBlock(256, [&] { tile2cu::reduce_add_if(threadIdx.x % 2 == 0, &total, 1.0f); });
  EXPECT_EQ(total, 128.0f);
  Quietly quietly;
  launch(1, 64, [&] {
    tile2cu::reduce_add_if(threadIdx.x == 0, &total, 1.0f);     // atomic
    tile2cu::store_if<1>(threadIdx.x == 40, &total, {{1.0f}});  // plain
  });
  expectLines(soleReport(Kind::race), {"atomic", "plain"});
}

TEST(Races, VolatileLoadsRaceWithPlainStoresAlone) {
  float flag = 0;
  onBlock(64, [&] {
    if (threadIdx.x == 0) tile2cu::reduce_add_if(true, &flag, 1.0f);
    if (threadIdx.x == 40) tile2cu::load_element_if<tile2cu::cache::cv>(true, &flag, 0.0f);
    if (threadIdx.x == 50) tile2cu::reduce_add_if(true, &flag, 1.0f);
    if (threadIdx.x == 60) tile2cu::load_element_if<tile2cu::cache::cv>(true, &flag, 0.0f);
  });
  EXPECT_EQ(flag, 2.0f);
  Quietly quietly;
  launch(1, 64, [&] {
    const float* p = &flag;
    tile2cu::load_element_if<tile2cu::cache::cv>(threadIdx.x == 0, p, 0.0f);  // volatile
    tile2cu::store_if<1>(threadIdx.x == 40, &flag, {{1.0f}});                 // plain store
  });
  expectLines(soleReport(Kind::race), {"volatile", "plain store"});
}

TEST(Races, ReadOnlyLoadOfWrittenMemory) {
  Quietly quietly;
  std::vector<float> data(32);
  launch(1, 32, [&] {
    float* p = data.data() + threadIdx.x;
    const auto v = tile2cu::load_if<1>(true, p, 0.0f);  // read-only
    tile2cu::store_if<1>(true, p, v);                   // written
  });
  expectLines(soleReport(Kind::read_only), {"read-only", "written"});
  launch(1, 32, [&] {
    float* p = data.data() + threadIdx.x;
    tile2cu::store_if<1>(true, p, tile2cu::load_if<1, cache::coherent>(true, p, 0.0f));
  });
  EXPECT_TRUE(emulate::reports().empty());
}

TEST(Faults, MisalignedGlobalVector) {
  Quietly quietly;
  std::vector<float> data(64);
  const cudaError_t error = launch(1, 32, [&] {
    tile2cu::load_if<4>(threadIdx.x == 3, data.data() + 1, 0.0f);  // misaligned
  });
  EXPECT_EQ(error, cudaErrorMisalignedAddress);
  expectLines(soleReport(Kind::misaligned), {"misaligned"});
}

TEST(Faults, MisalignedSharedVector) {
  Quietly quietly;
  const cudaError_t error = launch(1, 32, [&] {
    tile2cu::store_shared(smem().values + 2, tile2cu::vec<float, 4>{});  // in shared memory
  });
  EXPECT_EQ(error, cudaErrorMisalignedAddress);
  expectLines(soleReport(Kind::misaligned), {"in shared memory"});
}

TEST(Faults, MaskedOffAccessesAreNone) {
  onBlock(32, [] {
    const auto* nowhere = reinterpret_cast<const float*>(20);
    EXPECT_EQ(tile2cu::load_if<4>(false, nowhere, 3.0f)[2], 3.0f);
    tile2cu::store_if<4>(false, const_cast<float*>(nowhere), {});
  });
}

TEST(Faults, SharedMemoryBeyondTheLaunch) {
  for (const int index : {16, -1}) {
    Quietly quietly;
    launch(
        1, 32,
        [&] {
          float* values = smem().values;
          if (threadIdx.x == 5) values[index] = 1.0f;  // wrong index
        },
        16 * sizeof(float));
    expectLines(soleReport(Kind::out_of_bounds), {"wrong index"});
  }
}

TEST(Faults, DroppedMask) {
  Quietly quietly;
  float* buffer = nullptr;
  ASSERT_EQ(cudaMalloc(&buffer, 20 * sizeof(float)), cudaSuccess);
  cudaMemset(buffer, 0, 20 * sizeof(float));
  launch(1, 32, [&] { tile2cu::load_if<1>(threadIdx.x < 20, buffer + threadIdx.x, 0.0f); });
  EXPECT_TRUE(emulate::reports().empty());
  launch(1, 32, [&] {
    tile2cu::load_if<1>(true, buffer + threadIdx.x, 0.0f);  // dropped mask
  });
  expectLines(soleReport(Kind::out_of_bounds), {"dropped mask"});
  cudaFree(buffer);
}

TEST(Faults, MemoryThatDoesNotExist) {
  Quietly quietly;
  const cudaError_t error = launch(1, 32, [&] {
    tile2cu::load_if<1>(true, reinterpret_cast<const float*>(64), 0.0f);  // unmapped
  });
  EXPECT_EQ(error, cudaErrorIllegalAddress);
  expectLines(soleReport(Kind::out_of_bounds), {"unmapped"});
}

TEST(Faults, PlainAccessToMemoryThatDoesNotExist) {
  Quietly quietly;
  const cudaError_t error = launch(1, 32, [&] {
    *reinterpret_cast<volatile float*>(64) = 1.0f;  // plain and unmapped
  });
  EXPECT_EQ(error, cudaErrorIllegalAddress);
  expectLines(soleReport(Kind::out_of_bounds), {"plain and unmapped"});
}

int depth(int n, volatile char* caller) {
  volatile char frame[1000];
  frame[0] = *caller;
  return n == 0 ? frame[0] : depth(n - 1, frame) + frame[0];
}

void useMuchStack() {
  volatile char zero = 0;
  EXPECT_EQ(depth(1000, &zero), 0);
}

TEST(Faults, StackUsedUp) {
  Quietly quietly;
  const cudaError_t error = launch(1, 1, useMuchStack);
  EXPECT_EQ(error, cudaErrorIllegalAddress);
  EXPECT_NE(soleReport(Kind::out_of_bounds).find("has used up its stack"), std::string::npos);
  emulate::settings().stack_bytes = 4 << 20;
  EXPECT_EQ(launch(1, 1, useMuchStack), cudaSuccess);
}

TEST(Faults, PoisonShowsReadsBeforeWrites) {
  onBlock(32, [&] { EXPECT_TRUE(std::isnan(smem().values[threadIdx.x])); });
  Quietly quietly;
  emulate::settings().uninitialized = true;
  launch(1, 32, [&] {
    volatile float value = smem().values[threadIdx.x];  // never written
    (void)value;
  });
  expectLines(soleReport(Kind::uninitialized), {"never written"});
}

// Not an aggregate, as __half: an assignment copies 13 of its 16 bytes, an initialization copies 16.
struct Padded {
  Padded() = default;
  explicit Padded(double x) : value(x), count(int(x)), valid(true) {}
  double value;
  int count;
  bool valid;
};

// Functions of their own, so that the compiler copies whole structs and not member by member.
[[gnu::noinline]] void assign(Padded& to, const Padded& from) { to = from; }
template <class T>
[[gnu::noinline]] void initialize(void* to, const T& from) {
  new (to) T(from);  // reads the whole struct
}

TEST(Faults, PaddingOfCopiedStructsNeedsNoWrite) {
  Quietly quietly;
  emulate::settings().uninitialized = true;
  onBlock(32, [&] {
    auto& object = reinterpret_cast<Padded*>(dynamic_smem)[threadIdx.x];
    const Padded written(threadIdx.x);
    assign(object, written);
    Padded read;
    initialize(&read, object);
    EXPECT_EQ(read.count, int(threadIdx.x));
  });
}

TEST(Faults, MembersOfStructsNeedWrites) {
  Quietly quietly;
  emulate::settings().uninitialized = true;
  launch(1, 32, [&] {
    auto& object = reinterpret_cast<Padded*>(dynamic_smem)[threadIdx.x];
    object.value = 1;
    object.count = 1;
    Padded read;
    initialize(&read, object);
    EXPECT_EQ(read.count, 1);
  });
  expectLines(soleReport(Kind::uninitialized), {"reads the whole struct"});
}

TEST(Faults, NeighboursOfCopiedStructsNeedWrites) {
  Quietly quietly;
  emulate::settings().uninitialized = true;
  struct Pair {
    Padded first;
    double second;
  };
  launch(1, 32, [&] {
    auto& pair = reinterpret_cast<Pair*>(dynamic_smem)[threadIdx.x];
    assign(pair.first, Padded(1));
    Pair read;
    initialize(&read, pair);
    EXPECT_EQ(read.first.count, 1);
  });
  expectLines(soleReport(Kind::uninitialized), {"reads the whole struct"});
}

TEST(Deadlocks, AThreadHasEnded) {
  for (const emulate::order order : ALL_ORDERS) {
    Quietly quietly(order);
    const cudaError_t error = launch(1, 64, [&] {
      if (threadIdx.x >= 40) return;
      __syncthreads();  // not for all
    });
    EXPECT_EQ(error, cudaErrorLaunchFailure);
    const std::string text = soleReport(Kind::deadlock);
    expectLines(text, {"not for all"});
    EXPECT_NE(text.find("threads 0-39 wait in __syncthreads"), std::string::npos) << text;
    EXPECT_NE(text.find("threads 40-63 have ended"), std::string::npos) << text;
  }
}

TEST(Deadlocks, WaitingElsewhere) {
  Quietly quietly;
  const cudaError_t error = launch(1, 64, [&] {
    if (threadIdx.x == 7) {
      __syncthreads();  // here one waits
    } else {
      tile2cu::warp_any(true);  // there the warp
    }
  });
  EXPECT_EQ(error, cudaErrorLaunchFailure);
  const std::string text = soleReport(Kind::deadlock);
  expectLines(text, {"here one waits", "there the warp"});
  EXPECT_NE(text.find("threads 0-6, 8-31 wait in a vote"), std::string::npos) << text;
  EXPECT_NE(text.find("thread 7 waits in __syncthreads"), std::string::npos) << text;
}

TEST(Deadlocks, DifferentBarriers) {
  Quietly quietly;
  launch(1, 64, [&] {
    if (threadIdx.x < 32) {
      __syncthreads();  // the one
      smem().values[threadIdx.x] = 1.0f;
    } else {
      smem().values[threadIdx.x] = 1.0f;
      __syncthreads();  // the other
    }
  });
  expectLines(soleReport(Kind::divergence), {"the one", "the other"});
}

TEST(Deadlocks, AMaskWithoutTheLane) {
  Quietly quietly;
  launch(1, 32, [&] {
    if (threadIdx.x >= 16) __syncwarp(0xffffu);  // not in the mask
  });
  expectLines(soleReport(Kind::divergence), {"not in the mask"});
}

}  // namespace
}  // namespace device_tests
