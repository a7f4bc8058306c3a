// cp.async on the emulator: bytes land at the wait, and what is not waited for is found.
#include <cstring>

#include "testing.h"

namespace device_tests {
namespace {

using Kind = enum emulate::report::kind;

// 4 KiB of source bytes that differ, at a multiple of 16.
struct alignas(16) Bytes {
  unsigned char at[4096];
  Bytes() {
    for (int i = 0; i < 4096; ++i) at[i] = static_cast<unsigned char>(i * 7 + 1);
  }
};

unsigned char* place(int thread) { return dynamic_smem + thread * 16; }

void expectLines(const std::string& text, std::initializer_list<const char*> markers) {
  for (const char* marker : markers) {
    const std::string line = lineOf(__FILE__, marker);
    EXPECT_NE(text.find(line), std::string::npos) << marker << " is " << line << "\n" << text;
  }
}

template <int BYTES>
void checkCopies() {
  const Bytes source;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    onBlock(64, [&] {
      const int tid = threadIdx.x, other = tid ^ 33;
      tile2cu::cp_async<BYTES>(place(tid), source.at + tid * 16);
      tile2cu::cp_async_if<BYTES>(tid % 3 == 0, place(tid + 64), source.at + tid * 16);
      tile2cu::cp_async_commit();
      tile2cu::cp_async_wait<0>();
      __syncthreads();
      EXPECT_EQ(std::memcmp(place(other), source.at + other * 16, BYTES), 0);
      for (int i = 0; i < BYTES; ++i) {
        EXPECT_EQ(place(other + 64)[i], other % 3 == 0 ? source.at[other * 16 + i] : 0);
      }
      if (BYTES < 16) EXPECT_EQ(place(other)[BYTES], 0xff);  // and no more
    });
  }
}
TEST(AsyncCopy, EverySize) {
  checkCopies<4>();
  checkCopies<8>();
  checkCopies<16>();
}

// Copies of N elements, asynchronous or not, under a mask and of the first elements only.
template <class T, int N>
void checkElements() {
  const Bytes source;
  constexpr int BYTES = N * int(sizeof(T));
  onBlock(1, [&] {
    const auto to = [](int i) { return reinterpret_cast<T*>(place(i)); };
    const auto* const from = reinterpret_cast<const T*>(source.at);
    tile2cu::copy_to_shared<N>(to(0), from);
    tile2cu::copy_to_shared_if<N>(true, to(1), from);
    tile2cu::copy_to_shared_if<N>(false, to(2), static_cast<const T*>(nullptr));
    for (int valid = -1; valid <= N + 1; ++valid)
      tile2cu::copy_to_shared_prefix<N>(valid, to(4 + valid), from);
    tile2cu::cp_async_commit();
    tile2cu::cp_async_wait<0>();
    for (int i = 0; i < BYTES; ++i) {
      EXPECT_EQ(place(0)[i], source.at[i]);
      EXPECT_EQ(place(1)[i], source.at[i]);
      EXPECT_EQ(place(2)[i], 0);
      for (int valid = -1; valid <= N + 1; ++valid)
        EXPECT_EQ(place(4 + valid)[i], i < valid * int(sizeof(T)) ? source.at[i] : 0);
    }
    if (BYTES < 16)
      for (int each = 0; each <= N + 5; ++each) EXPECT_EQ(place(each)[BYTES], 0xff);
  });
}
TEST(AsyncCopy, Elements) {
  checkElements<int8_t, 1>();
  checkElements<int8_t, 2>();
  checkElements<int8_t, 4>();
  checkElements<__half, 1>();
  checkElements<__half, 2>();
  checkElements<__half, 8>();
  checkElements<float, 1>();
  checkElements<float, 4>();
}

TEST(AsyncCopy, NamedForms) {
  const Bytes source;
  onBlock(1, [&] {
    tile2cu::cp_async<16>(place(0), source.at);
    tile2cu::cp_async_if<16>(true, place(1), source.at);
    tile2cu::cp_async_if<16>(false, place(2), nullptr);
    tile2cu::cp_async_commit();
    tile2cu::cp_async_wait<0>();
    EXPECT_EQ(std::memcmp(place(0), source.at, 16), 0);
    EXPECT_EQ(std::memcmp(place(1), source.at, 16), 0);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(place(2)[i], 0);
  });
}

// `valid` elements of T: every count, and counts outside 0 to all.
template <int BYTES, class T>
void checkPrefix() {
  constexpr int COUNT = BYTES / int(sizeof(T));
  const Bytes source;
  for (int valid = -2; valid <= COUNT + 2; ++valid) {
    unsigned char* buffer = nullptr;  // ends where the valid elements do
    const int count = std::min(std::max(valid, 0), COUNT);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&buffer), count * sizeof(T)), cudaSuccess);
    std::memcpy(buffer, source.at, count * sizeof(T));
    onBlock(1, [&] {
      tile2cu::cp_async_prefix<BYTES>(valid, reinterpret_cast<T*>(place(0)),
                                      reinterpret_cast<const T*>(buffer));
      tile2cu::cp_async_commit();
      tile2cu::cp_async_wait<0>();
      for (int i = 0; i < BYTES; ++i) {
        EXPECT_EQ(place(0)[i], i < count * int(sizeof(T)) ? source.at[i] : 0) << valid;
      }
    });
    cudaFree(buffer);
  }
}
TEST(AsyncCopy, PrefixesAreFilledWithZeros) {
  checkPrefix<16, int8_t>();
  checkPrefix<16, __half>();
  checkPrefix<16, float>();
  checkPrefix<16, double>();
  checkPrefix<8, int8_t>();
  checkPrefix<8, __half>();
  checkPrefix<4, int8_t>();
  checkPrefix<4, float>();
}

TEST(AsyncCopy, WithoutWaitTheBytesAreOld) {
  const Bytes source;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    unsigned char seen = 0;
    launch(1, 64, [&] {
      const int tid = threadIdx.x;
      tile2cu::cp_async<16>(place(tid), source.at + tid * 16);  // copy without wait
      tile2cu::cp_async_commit();
      __syncthreads();
      const unsigned char byte = place(tid ^ 32)[0];  // read without wait
      if (tid == 5) seen = byte;
    });
    EXPECT_EQ(seen, 0xff);
    expectLines(soleReport(Kind::race), {"copy without wait", "read without wait"});
  }
}

TEST(AsyncCopy, OfTheThreadItself) {
  const Quietly quietly;
  const Bytes source;
  launch(1, 1, [&] {
    tile2cu::cp_async<16>(place(0), source.at);  // own copy
    tile2cu::cp_async_commit();
    EXPECT_EQ(place(0)[3], 0xff);  // own read
    tile2cu::cp_async_wait<0>();
    EXPECT_EQ(place(0)[3], source.at[3]);
  });
  expectLines(soleReport(Kind::race), {"own copy", "own read"});
}

TEST(AsyncCopy, WithoutCommitNothingIsWaitedFor) {
  const Quietly quietly;
  const Bytes source;
  launch(1, 1, [&] {
    tile2cu::cp_async<16>(place(0), source.at);  // not committed
    tile2cu::cp_async_wait<0>();
    EXPECT_EQ(place(0)[3], 0xff);  // not there
  });
  expectLines(soleReport(Kind::race), {"not committed", "not there"});
}

TEST(AsyncCopy, WithoutBarrierAfterTheWait) {
  const Bytes source;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    launch(1, 64, [&] {
      const int tid = threadIdx.x;
      tile2cu::cp_async<16>(place(tid), source.at + tid * 16);  // copied by another
      tile2cu::cp_async_commit();
      __syncthreads();
      tile2cu::cp_async_wait<0>();
      volatile unsigned char byte = place(tid ^ 32)[0];  // read after one's own wait
      (void)byte;
    });
    expectLines(soleReport(Kind::race), {"copied by another", "read after one's own wait"});
  }
}

TEST(AsyncCopy, WaitsCountGroups) {
  const Bytes source;
  onBlock(32, [&] {
    const int tid = threadIdx.x;
    for (int stage = 0; stage < 3; ++stage) {
      tile2cu::cp_async<16>(place(stage * 32 + tid), source.at + stage * 512 + tid * 16);
      tile2cu::cp_async_commit();
    }
    tile2cu::cp_async_commit();  // an empty group counts
    tile2cu::cp_async_wait<3>();
    EXPECT_EQ(place(tid)[0], source.at[tid * 16]);
    tile2cu::cp_async_wait<1>();
    EXPECT_EQ(place(32 + tid)[1], source.at[512 + tid * 16 + 1]);
    EXPECT_EQ(place(64 + tid)[2], source.at[1024 + tid * 16 + 2]);
  });
  const Quietly quietly;
  launch(1, 32, [&] {
    const int tid = threadIdx.x;
    for (int stage = 0; stage < 3; ++stage) {
      tile2cu::cp_async<16>(place(stage * 32 + tid), source.at + tid * 16);  // three groups
      tile2cu::cp_async_commit();
    }
    tile2cu::cp_async_wait<1>();
    EXPECT_EQ(place(32 + tid)[0], source.at[tid * 16]);
    EXPECT_EQ(place(64 + tid)[0], 0xff);  // the third is in flight
  });
  expectLines(soleReport(Kind::race), {"three groups", "the third is in flight"});
}

TEST(AsyncCopy, RefillOfWhatIsStillRead) {
  const Bytes source;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    launch(1, 64, [&] {
      const int tid = threadIdx.x;
      place(tid)[0] = 1;
      __syncthreads();
      volatile unsigned char byte = place(tid ^ 32)[0];  // still read
      (void)byte;
      tile2cu::cp_async<16>(place(tid), source.at + tid * 16);  // refill
      tile2cu::cp_async_commit();
    });
    expectLines(soleReport(Kind::race), {"still read", "refill"});
  }
}

// The ring of a pipelined loop, one barrier a step: right with STAGES slots, a race with one fewer.
void ring(const Bytes& source, int slots, std::vector<int>& sums) {
  constexpr int STAGES = 3, STEPS = 7;
  const int tid = threadIdx.x;
  const auto slot = [&](int step, int thread) { return place(step % slots * 64 + thread); };
  const auto copy = [&](int step) {
    if (step < STEPS)
      tile2cu::cp_async<16>(slot(step, tid), source.at + step * 512 + tid * 8 / 16 * 16);
    tile2cu::cp_async_commit();
  };
  for (int step = 0; step < STAGES - 1; ++step) copy(step);
  for (int step = 0; step < STEPS; ++step) {
    tile2cu::cp_async_wait<STAGES - 2>();
    __syncthreads();
    sums[tid] += slot(step, tid ^ 32)[1];
    copy(step + STAGES - 1);
  }
}
TEST(AsyncCopy, ARingOfSlots) {
  const Bytes source;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    std::vector<int> sums(64);
    onBlock(64, [&] { ring(source, 3, sums); });
    for (int t = 0; t < 64; ++t) {
      int want = 0;
      for (int step = 0; step < 7; ++step) want += source.at[step * 512 + (t ^ 32) / 2 * 16 + 1];
      EXPECT_EQ(sums[t], want);
    }
    launch(1, 64, [&] { ring(source, 2, sums); });
    EXPECT_FALSE(emulate::take_reports().empty());
  }
}

TEST(AsyncCopy, TwoCopiesToOnePlace) {
  const Quietly quietly;
  const Bytes source;
  launch(1, 1, [&] {
    tile2cu::cp_async<16>(place(0), source.at);      // the one copy
    tile2cu::cp_async<4>(place(0) + 12, source.at);  // the other copy
    tile2cu::cp_async_commit();
  });
  expectLines(soleReport(Kind::race), {"the one copy", "the other copy"});
}

TEST(AsyncCopy, TheSourceIsReadLate) {
  const Quietly quietly;
  Bytes source;
  launch(1, 1, [&] {
    tile2cu::cp_async<16>(place(0), source.at);  // source changes
    tile2cu::cp_async_commit();
    source.at[2] = 99;
    tile2cu::cp_async_wait<0>();
    EXPECT_EQ(place(0)[2], 99);
  });
  expectLines(soleReport(Kind::race), {"source changes"});
}

TEST(AsyncCopy, SourceWrittenByAnother) {
  const Quietly quietly;
  Bytes source;
  launch(1, 64, [&] {
    if (threadIdx.x == 40) source.at[2] = 7;  // written by one
    if (threadIdx.x == 0) {
      tile2cu::cp_async<16>(place(0), source.at);  // copied by the other
      tile2cu::cp_async_commit();
      tile2cu::cp_async_wait<0>();
    }
  });
  expectLines(soleReport(Kind::race), {"written by one", "copied by the other"});
}

TEST(AsyncCopy, NothingIsLeftForTheNextBlock) {
  const Bytes source;
  std::vector<int> seen(2);
  EXPECT_EQ(launch(2, 32,
                   [&] {
                     if (threadIdx.x == 0) seen[blockIdx.x] = place(3)[0];
                     __syncthreads();
                     tile2cu::cp_async<16>(place(threadIdx.x), source.at);
                     tile2cu::cp_async_commit();
                   }),
            cudaSuccess);
  EXPECT_TRUE(emulate::take_reports().empty());
  EXPECT_EQ(seen, (std::vector<int>{0xff, 0xff}));
}

TEST(AsyncCopy, Misaligned) {
  const Bytes source;
  for (const auto [to, from] : {std::pair{8, 0}, {0, 8}, {0, 2}}) {
    for (const bool mask : {true, false}) {
      const Quietly quietly;
      const cudaError_t error = launch(1, 1, [&] {
        tile2cu::cp_async_if<16>(mask, dynamic_smem + to, source.at + from);  // misaligned copy
      });
      EXPECT_EQ(error, cudaErrorMisalignedAddress);
      expectLines(soleReport(Kind::misaligned), {"misaligned copy"});
    }
  }
}

TEST(AsyncCopy, WrongMemory) {
  const Quietly quietly;
  Bytes source;
  launch(1, 1, [&] { tile2cu::cp_async<16>(source.at, source.at + 16); });  // to global
  expectLines(soleReport(Kind::out_of_bounds), {"to global"});
  launch(1, 1, [&] { tile2cu::cp_async<16>(place(0), place(1)); });  // from shared
  expectLines(soleReport(Kind::out_of_bounds), {"from shared"});
  launch(1, 1, [&] { tile2cu::cp_async<16>(place(4), source.at); }, 64);  // beyond the launch
  expectLines(soleReport(Kind::out_of_bounds), {"beyond the launch"});
  launch(1, 1, [&] {
    tile2cu::cp_async<16>(place(0), reinterpret_cast<const void*>(64));  // from nowhere
  });
  expectLines(soleReport(Kind::out_of_bounds), {"from nowhere"});
}

}  // namespace
}  // namespace device_tests
