// Tuned launchers: they time their candidates and remember the fastest. Host code; not part of
// device.cuh: files that tune include it themselves.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <new>

// clang-format off: CUDA's declarations first
#include "../device.cuh"

#include "tune_file.cuh"
#include "tune_time.cuh"
// clang-format on

namespace tile2cu {
inline namespace v1 {

// @helper tuning_mode include <cstdlib>, <cstring>
// TILE2CU_TUNE=off: times nothing, but uses what was found before. =first: does not use that
// either.
enum class tuning_mode { on, off, first };
inline tuning_mode get_tuning_mode() {
  const char* const word = std::getenv("TILE2CU_TUNE");
  if (word == nullptr) return tuning_mode::on;
  return std::strcmp(word, "first") == 0 ? tuning_mode::first
         : std::strcmp(word, "off") == 0 ? tuning_mode::off
                                         : tuning_mode::on;
}

// @helper can_time include <cuda_runtime.h>
// Whether work on the stream runs now, and is not captured into a graph.
inline bool can_time(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const bool known = cudaStreamIsCapturing(stream, &status) == cudaSuccess;
  if (!known) (void)cudaGetLastError();
  return known && status == cudaStreamCaptureStatusNone;
}

// @helper relaxed_capture include <cuda_runtime.h>
// While an object of it exists, this thread may allocate and synchronize although another thread
// captures a graph.
class relaxed_capture {
 public:
  relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  relaxed_capture(const relaxed_capture&) = delete;
  ~relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// @helper tuner needs tuning_mode, can_time, relaxed_capture, memory_range, saved_memory, stopwatch, fastest, tuning_file include <cuda_runtime.h>, <array>, <atomic>, <cstdint>, <initializer_list>, <mutex>, <new>
// The fastest of a launcher's candidates, for each device and key. Look-ups take no lock; `text` is
// a hash of the kernels and of the list of candidates.
template <int CANDIDATES, int KEYS>
class tuner {
 public:
  using key_type = std::array<int64_t, KEYS>;
  constexpr tuner(const char* launcher, uint64_t text) : launcher_(launcher), text_(text) {}
  tuner(const tuner&) = delete;

  // From now on uses this candidate wherever it fits; -1 ends that.
  cudaError_t pin(int candidate);

  // Launches the fastest candidate by run(candidate), which launches on `stream`. A candidate that
  // does not fit the arguments is null. The first call with a key times the candidates, and
  // restores `preserved` before each run; during graph capture, candidates are tried in order until
  // one can be launched.
  template <class Launch, class Run>
  cudaError_t launch(Launch* const (&candidates)[CANDIDATES], const key_type& key,
                     cudaStream_t stream, Run run,
                     std::initializer_list<memory_range> preserved = {});

  // The same for kernels that cannot be run several times: it times nothing.
  template <class Launch, class Run>
  cudaError_t launch_untimed(Launch* const (&candidates)[CANDIDATES], const key_type& key, Run run);

 private:
  // A choice does not change once it is reachable, and is never freed.
  struct choice {
    int device;
    key_type key;
    int candidate;
    const choice* next;
  };
  using choice_list = std::atomic<const choice*>;

  choice_list& list_of(int device, const key_type& key);
  int look_up(int device, const key_type& key);
  void remember(int device, const key_type& key, int candidate);
  int known(int device, const key_type& key);
  void read_file(int device);
  template <class Launch>
  static bool several(Launch* const (&candidates)[CANDIDATES]);
  template <class Launch, class Run>
  int time(Launch* const (&candidates)[CANDIDATES], int device, const key_type& key,
           cudaStream_t stream, Run run, std::initializer_list<memory_range> preserved);
  template <class Launch, class Run>
  static cudaError_t run_known(int best, Launch* const (&candidates)[CANDIDATES], Run run);

  const char* const launcher_;
  const uint64_t text_;
  std::atomic<int> pinned_{-1};
  std::atomic<uint64_t> files_read_{0};  // one bit per device
  choice_list lists_[64] = {};
  std::mutex mutex_;  // held while timing, and while adding choices
};

template <int CANDIDATES, int KEYS>
cudaError_t tuner<CANDIDATES, KEYS>::pin(int candidate) {
  if (candidate < -1 || candidate >= CANDIDATES) return cudaErrorInvalidValue;
  pinned_.store(candidate, std::memory_order_relaxed);
  return cudaSuccess;
}

template <int CANDIDATES, int KEYS>
template <class Launch, class Run>
cudaError_t tuner<CANDIDATES, KEYS>::launch(Launch* const (&candidates)[CANDIDATES],
                                            const key_type& key, cudaStream_t stream, Run run,
                                            std::initializer_list<memory_range> preserved) {
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  int best = known(device, key);
  if (best < 0 && get_tuning_mode() == tuning_mode::on && several(candidates) && can_time(stream))
    best = time(candidates, device, key, stream, run, preserved);
  return run_known(best, candidates, run);
}

template <int CANDIDATES, int KEYS>
template <class Launch, class Run>
cudaError_t tuner<CANDIDATES, KEYS>::launch_untimed(Launch* const (&candidates)[CANDIDATES],
                                                    const key_type& key, Run run) {
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  return error != cudaSuccess ? error : run_known(known(device, key), candidates, run);
}

template <int CANDIDATES, int KEYS>
auto tuner<CANDIDATES, KEYS>::list_of(int device, const key_type& key) -> choice_list& {
  uint64_t hash = uint64_t(device);
  for (const int64_t number : key) hash = (hash ^ uint64_t(number)) * 0x9e3779b97f4a7c15u;
  return lists_[hash >> 58];
}

template <int CANDIDATES, int KEYS>
int tuner<CANDIDATES, KEYS>::look_up(int device, const key_type& key) {
  const choice* c = list_of(device, key).load(std::memory_order_acquire);
  while (c != nullptr && !(c->device == device && c->key == key)) c = c->next;
  return c != nullptr ? c->candidate : -1;
}

// The caller holds mutex_.
template <int CANDIDATES, int KEYS>
void tuner<CANDIDATES, KEYS>::remember(int device, const key_type& key, int candidate) {
  choice_list& list = list_of(device, key);
  const choice* const first = list.load(std::memory_order_relaxed);
  const choice* const added = new (std::nothrow) choice{device, key, candidate, first};
  if (added != nullptr) list.store(added, std::memory_order_release);
}

// The pinned candidate, or the one that this process has found, or the one in the tuning file; -1
// if there is none.
template <int CANDIDATES, int KEYS>
int tuner<CANDIDATES, KEYS>::known(int device, const key_type& key) {
  const int pinned = pinned_.load(std::memory_order_relaxed);
  if (pinned >= 0) return pinned;
  const int found = look_up(device, key);
  if (found >= 0 || (files_read_.load(std::memory_order_acquire) >> device % 64 & 1)) return found;
  if (get_tuning_mode() == tuning_mode::first) return -1;
  read_file(device);
  return look_up(device, key);
}

template <int CANDIDATES, int KEYS>
void tuner<CANDIDATES, KEYS>::read_file(int device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t bit = uint64_t{1} << device % 64;
  if (files_read_.load(std::memory_order_relaxed) & bit) return;
  try {
    tuning_file(launcher_, text_, device).read<KEYS>([&](const key_type& key, int candidate) {
      if (candidate >= 0 && candidate < CANDIDATES) remember(device, key, candidate);
    });
  } catch (...) {  // out of memory: nothing is known
  }
  files_read_.fetch_or(bit, std::memory_order_release);
}

template <int CANDIDATES, int KEYS>
template <class Launch>
bool tuner<CANDIDATES, KEYS>::several(Launch* const (&candidates)[CANDIDATES]) {
  int fitting = 0;
  for (Launch* const candidate : candidates) fitting += candidate != nullptr;
  return fitting > 1;
}

template <int CANDIDATES, int KEYS>
template <class Launch, class Run>
int tuner<CANDIDATES, KEYS>::time(Launch* const (&candidates)[CANDIDATES], int device,
                                  const key_type& key, cudaStream_t stream, Run run,
                                  std::initializer_list<memory_range> preserved) try {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int found = look_up(device, key);  // another thread was faster
  if (found >= 0) return found;
  const relaxed_capture relaxed;
  const saved_memory saved(preserved, stream);
  const stopwatch watch(stream, device);
  if (!saved.good() || !watch.good()) return -1;
  const int best = fastest<CANDIDATES>([&](int i) {
    if (candidates[i] == nullptr || !saved.restore()) return -1.0f;
    return watch([&] { return run(candidates[i]); });
  });
  (void)saved.restore();
  if (best < 0) return -1;
  remember(device, key, best);
  tuning_file(launcher_, text_, device).write<KEYS>(key, best);
  return best;
} catch (...) {  // out of memory
  return -1;
}

// Runs the best candidate, or the first that fits the arguments and the device.
template <int CANDIDATES, int KEYS>
template <class Launch, class Run>
cudaError_t tuner<CANDIDATES, KEYS>::run_known(int best, Launch* const (&candidates)[CANDIDATES],
                                               Run run) {
  if (best >= 0 && candidates[best] != nullptr) return run(candidates[best]);
  const cudaError_t earlier = cudaGetLastError();  // so that an error below is the launch's
  cudaError_t error = cudaErrorInvalidValue;
  for (Launch* const candidate : candidates) {
    if (candidate == nullptr) continue;
    error = run(candidate);
    if (error == cudaSuccess) return earlier;
    (void)cudaGetLastError();
  }
  return error;
}

// @end

}  // namespace v1
}  // namespace tile2cu
