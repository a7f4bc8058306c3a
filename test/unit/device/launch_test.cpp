// Launches: what a real one would refuse, the ids, the schedules, the runtime API.
#include <algorithm>
#include <numeric>

#include "testing.h"

namespace device_tests {
namespace {

void nothing() {}

TEST(Launch, RefusesWhatAGpuRefuses) {
  const auto error = [](dim3 grid, dim3 block, std::size_t smem) {
    return emulate::launch(nothing, grid, block, smem, nullptr);
  };
  EXPECT_EQ(error(1, 1, 0), cudaSuccess);
  EXPECT_EQ(error(0, 1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error({1, 0}, 1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error(1, 0, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error(1, 1025, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error(1, {32, 33}, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error(1, {1, 1, 65}, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error(1u << 31, 1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error({1, 65536}, 1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(error({1, 1, 65536}, 1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);

  // More than 48 KiB must be asked for.
  EXPECT_EQ(error(1, 1, 48 << 10), cudaSuccess);
  EXPECT_EQ(error(1, 1, (48 << 10) + 1), cudaErrorInvalidValue);
  const auto raise = [](int bytes) {
    return cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  EXPECT_EQ(raise((227 << 10) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(raise(227 << 10), cudaSuccess);
  EXPECT_EQ(error(1, 1, 227 << 10), cudaSuccess);
  EXPECT_EQ(error(1, 1, (227 << 10) + 1), cudaErrorInvalidValue);
  cudaGetLastError();
}

void large() {}

// The blocks of a persistent kernel are counted after the launcher has asked for its memory.
TEST(Launch, CountsResidentBlocks) {
  int64_t blocks = 1000000;
  EXPECT_EQ(tile2cu::limit_to_resident(blocks, large, 256, 64 << 10),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(blocks, 1000000);
  EXPECT_EQ(tile2cu::allow_shared_memory<large>(64 << 10), cudaSuccess);
  EXPECT_EQ(tile2cu::limit_to_resident(blocks, large, 256, 64 << 10), cudaSuccess);
  EXPECT_GT(blocks, 0);
  EXPECT_LT(blocks, 1000000);
}

void fill(int* out, int factor) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x) * factor;
}

TEST(Launch, ConvertsArguments) {
  std::vector<int> out(64);
  EXPECT_EQ(emulate::launch(fill, 2, 32, 0, nullptr, out.data(), short{3}), cudaSuccess);
  EXPECT_EQ(out[63], 31 * 3);
}

TEST(Launch, EveryThreadOnce) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    std::vector<int> visits(2 * 3 * 4 * 8 * 4 * 2);
    launch({2, 3, 4}, {8, 4, 2}, [&] {
      const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
      const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
      ++visits[block * 64 + thread];
    });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; }));
  }
}

TEST(Launch, OrdersDiffer) {
  const auto orderOf = [](emulate::order order, unsigned seed) {
    const Quietly quietly(order, seed);
    std::vector<unsigned> threads;
    launch(1, 128, [&] { threads.push_back(threadIdx.x); });
    emulate::take_reports();  // the vector is shared without a barrier
    return threads;
  };
  std::vector<unsigned> ascending(128);
  std::iota(ascending.begin(), ascending.end(), 0u);
  EXPECT_EQ(orderOf(emulate::order::in_order, 1), ascending);
  EXPECT_EQ(orderOf(emulate::order::random, 7), orderOf(emulate::order::random, 7));
  EXPECT_NE(orderOf(emulate::order::random, 7), orderOf(emulate::order::random, 8));
  std::reverse(ascending.begin(), ascending.end());
  EXPECT_EQ(orderOf(emulate::order::reverse, 1), ascending);
  EXPECT_EQ(orderOf(emulate::order::warp_last, 1), ascending);
}

TEST(Launch, ABlockThatIsNoMultipleOfAWarp) {
  onBlock(40, [] {
    const unsigned lanes = __ballot_sync(0xffffffffu, 1);
    EXPECT_EQ(lanes, threadIdx.x < 32 ? 0xffffffffu : 0xffu);
    __syncthreads();
  });
}

TEST(Launch, SharedMemoryStartsPoisonedInEveryBlock) {
  launch(3, 32, [] {
    auto* values = reinterpret_cast<float*>(dynamic_smem);
    EXPECT_TRUE(std::isnan(values[threadIdx.x]));
    values[threadIdx.x] = 1.0f;
  });
}

TEST(Launch, ReservedMemoryIsNotTouched) {
  const std::size_t bytes = std::size_t{12} << 30;  // of which two pages are used
  float* huge = nullptr;
  if (cudaMalloc(&huge, bytes) != cudaSuccess) GTEST_SKIP() << "no address space";
  const int64_t last = int64_t(bytes / sizeof(float)) - 1;
  onBlock(32, [&] {
    tile2cu::store_if<1>(threadIdx.x == 0, huge + last, {{2.0f}});
    tile2cu::store_if<1>(threadIdx.x == 1, huge, {{1.0f}});
  });
  EXPECT_EQ(huge[0] + huge[last], 3.0f);
  cudaFree(huge);
}

TEST(Runtime, Attributes) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, emulate::settings().multiprocessors);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
  EXPECT_EQ(value, 9);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 1),
            cudaErrorInvalidDevice);
  EXPECT_STREQ(cudaGetErrorName(cudaGetLastError()), "cudaErrorInvalidDevice");
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, nothing, 256, 0), cudaSuccess);
  EXPECT_EQ(value, 8);
}

TEST(Runtime, EventsAndStreams) {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&begin), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&end), cudaSuccess);
  cudaEventRecord(begin, stream);
  EXPECT_EQ(emulate::launch(nothing, 1, 32, 0, stream), cudaSuccess);
  cudaEventRecord(end, stream);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0.0f);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
}

}  // namespace
}  // namespace device_tests
