// How tuned launchers time their candidates. Host code.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

namespace tile2cu {
inline namespace v1 {

// @helper memory_range include <cstddef>
// A range of device memory.
struct memory_range {
  void* begin;
  size_t bytes;
};

// @helper preserve needs memory_range include <cstddef>, <cstdint>
// Memory that kernels read and modify; its number of elements is the product of the sizes. There is
// none at a null pointer.
template <class T, class... Size>
inline memory_range preserve(T* begin, Size... sizes) {
  const bool any = begin != nullptr && ((sizes > 0) && ...);
  return {begin, any ? (size_t(sizes) * ... * sizeof(T)) : 0};
}

// @helper saved_memory needs memory_range include <cuda_runtime.h>, <initializer_list>, <vector>
// Copies of memory ranges, with which they are restored.
class saved_memory {
 public:
  saved_memory(std::initializer_list<memory_range> ranges, cudaStream_t stream)
      : stream_(stream), ranges_(ranges), copies_(ranges.size(), nullptr) {
    for (size_t i = 0; i < copies_.size() && good_; ++i)
      good_ = ranges_[i].bytes == 0 || (cudaMalloc(&copies_[i], ranges_[i].bytes) == cudaSuccess &&
                                        copy(copies_[i], ranges_[i].begin, i));
  }
  saved_memory(const saved_memory&) = delete;
  ~saved_memory() {
    for (void* saved : copies_) cudaFree(saved);
  }

  bool good() const { return good_; }
  bool restore() const {
    bool restored = true;
    for (size_t i = 0; i < copies_.size() && restored; ++i)
      restored = ranges_[i].bytes == 0 || copy(ranges_[i].begin, copies_[i], i);
    return restored;
  }

 private:
  bool copy(void* to, const void* from, size_t i) const {
    return cudaMemcpyAsync(to, from, ranges_[i].bytes, cudaMemcpyDeviceToDevice, stream_) ==
           cudaSuccess;
  }

  cudaStream_t stream_;
  std::vector<memory_range> ranges_;
  std::vector<void*> copies_;
  bool good_ = true;
};

// @helper stopwatch include <cuda_runtime.h>, <cstddef>
// Times work on a stream; none of its data is in the L2 cache at the start.
class stopwatch {
 public:
  stopwatch(cudaStream_t stream, int device) : stream_(stream) {
    int bytes = 0;
    good_ = cudaEventCreate(&begin_) == cudaSuccess && cudaEventCreate(&end_) == cudaSuccess &&
            cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) == cudaSuccess;
    flush_bytes_ = 2 * size_t(bytes);
    if (cudaMalloc(&flush_, flush_bytes_) != cudaSuccess) flush_bytes_ = 0;  // a warm cache then
    (void)cudaGetLastError();
  }
  stopwatch(const stopwatch&) = delete;
  ~stopwatch() {
    if (begin_ != nullptr) cudaEventDestroy(begin_);
    if (end_ != nullptr) cudaEventDestroy(end_);
    cudaFree(flush_);
  }

  bool good() const { return good_; }
  // The milliseconds that run() takes; negative if anything fails.
  template <class Run>
  float operator()(Run run) const {
    float milliseconds = 0;
    if (flush_bytes_ > 0) (void)cudaMemsetAsync(flush_, 0, flush_bytes_, stream_);
    const bool ran = cudaEventRecord(begin_, stream_) == cudaSuccess && run() == cudaSuccess &&
                     cudaEventRecord(end_, stream_) == cudaSuccess &&
                     cudaEventSynchronize(end_) == cudaSuccess &&
                     cudaEventElapsedTime(&milliseconds, begin_, end_) == cudaSuccess;
    (void)cudaGetLastError();  // the error of a candidate that the device cannot run
    return ran ? milliseconds : -1;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  void* flush_ = nullptr;
  size_t flush_bytes_ = 0;
  bool good_;
};

// @helper fastest include <algorithm>, <array>, <limits>
// The candidate with the smallest median time of a few runs; negative if none runs. time(i) runs
// candidate i and returns the milliseconds, or a negative number if it cannot run.
template <int CANDIDATES, class Time>
inline int fastest(Time time) {
  constexpr int ROUNDS = 8;
  std::array<std::array<float, ROUNDS>, CANDIDATES> times{};
  std::array<bool, CANDIDATES> in_race{};
  in_race.fill(true);
  std::array<float, CANDIDATES> least;
  least.fill(std::numeric_limits<float>::infinity());
  float total = 0, least_of_all = least[0];
  int rounds = 0;
  // The candidates take turns, so that a changing clock rate affects all of them. Slow ones take
  // fewer rounds.
  for (; rounds < ROUNDS && (rounds < 4 || total < 200); ++rounds) {
    for (int i = 0; i < CANDIDATES; ++i) {
      if (!in_race[i]) continue;
      const float taken = times[i][rounds] = time(i);
      in_race[i] = taken >= 0;
      if (rounds == 0 || taken < 0) continue;  // the first run loads the kernel
      total += taken;
      least[i] = std::min(least[i], taken);
      least_of_all = std::min(least_of_all, taken);
      in_race[i] = least[i] <= 4 * least_of_all;
    }
  }
  int best = -1;
  float best_median = 0;
  for (int i = 0; i < CANDIDATES; ++i) {
    if (!in_race[i]) continue;
    std::sort(times[i].begin() + 1, times[i].begin() + rounds);
    const float median = times[i][rounds / 2];
    if (best < 0 || median < best_median) best_median = median, best = i;
  }
  return best;
}

// @end

}  // namespace v1
}  // namespace tile2cu
