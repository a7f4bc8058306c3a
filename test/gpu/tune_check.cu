// Launchers with `tune` on a GPU: which candidate runs, what is kept in the file, captures, memory
// that is preserved. Prints "N passed, N failed".
// tile2cu --header -Wno-tune test/gpu/tune.tile.cpp -o tune.cu && nvcc -std=c++17 -O3 -I. -arch=native
// tune.cu test/gpu/tune_check.cu -o tune_check && ./tune_check
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tune.h"

namespace {

int passed = 0, failed = 0;
std::string cache;

void expect(bool ok, const char* what) {
  if (!ok) printf("FAILED %s\n", what);
  ++(ok ? passed : failed);
}
void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  printf("FAILED %s: %s\n%d passed, %d failed\n", what, cudaGetErrorString(error), passed,
         failed + 1);
  exit(1);
}

// The device's x = i % 1000, out = 5 and chosen = 0.
struct Data {
  int n;
  float *x = nullptr, *out = nullptr;
  int* chosen = nullptr;
  std::vector<float> host;

  explicit Data(int count) : n(count), host(count, 5.0f) {
    must(cudaMalloc(&x, n * sizeof(float)), "cudaMalloc");
    must(cudaMalloc(&out, n * sizeof(float)), "cudaMalloc");
    must(cudaMalloc(&chosen, sizeof(int)), "cudaMalloc");
    must(cudaMemcpy(out, host.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy");
    for (int i = 0; i < n; ++i) host[i] = float(i % 1000);
    must(cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy");
    must(cudaMemset(chosen, 0, sizeof(int)), "memset");
  }
  Data(const Data&) = delete;
  ~Data() {
    cudaFree(x);
    cudaFree(out);
    cudaFree(chosen);
  }
  // The candidate that ran last; 0 if an element is not what it should be.
  template <class Expected>
  int result(Expected expected) {
    int candidate = 0;
    must(cudaDeviceSynchronize(), "a launch");
    must(cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost), "copy");
    must(cudaMemcpy(&candidate, chosen, sizeof(int), cudaMemcpyDeviceToHost), "copy");
    for (int i = 0; i < n; ++i)
      if (host[i] != expected(i)) return 0;
    return candidate;
  }
};

// The contents of a launcher's tuning files.
std::string kept(const std::string& launcher) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(cache)) {
    if (entry.path().filename().string().rfind(launcher + "-", 0) != 0) continue;
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}
bool keeps(const std::string& launcher, const std::string& key) {
  return kept(launcher).find(": " + key + " -> ") != std::string::npos;
}

int scaled(int n, cudaStream_t stream = nullptr) {
  Data d(n);
  const bool good = scale_tuned(d.x, d.out, d.chosen, 2.0f, n, stream) == cudaSuccess;
  const int candidate = d.result([](int i) { return 2.0f * float(i % 1000); });
  return good ? candidate : 0;
}

void checkChoice() {
  const int best = scaled(1 << 24);
  expect(best != 0, "the first call: results");
  expect(best != 64, "many small blocks are not the fastest");
  expect(keeps("scale_tuned", std::to_string(1 << 24)), "the choice is in the file");
  const std::string before = kept("scale_tuned");
  for (int i = 0; i < 3; ++i) expect(scaled(1 << 24) == best, "the same candidate again");
  expect(kept("scale_tuned") == before, "nothing is timed again");
  expect(scaled(1 << 20) != 0 && keeps("scale_tuned", std::to_string(1 << 20)), "another key");
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  expect(scaled(1 << 21, stream) != 0, "on another stream");
  cudaStreamDestroy(stream);
  printf("%s", kept("scale_tuned").c_str());
}

// The host time of a call once its choice is known, compared with one that is pinned.
void reportCost() {
  Data d(1 << 10);
  const auto microseconds = [&] {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 500; ++i) scale_tuned(d.x, d.out, d.chosen, 2.0f, d.n, nullptr);
    must(cudaDeviceSynchronize(), "launches");
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - begin;
    return taken.count() / 500;
  };
  scaled(d.n);
  microseconds();
  printf("a launch: %.2f us tuned", microseconds());
  scale_tuned_pin(0);
  printf(", %.2f us pinned\n", microseconds());
  scale_tuned_pin(-1);
}

void checkPreserve() {
  const int rows = 3000, columns = 200;
  Data d(rows * columns);
  for (int run = 1; run <= 3; ++run) {
    must(accumulate_tuned(d.x, d.out, d.chosen, rows, columns, nullptr), "accumulate_tuned");
    expect(d.result([&](int i) { return 5 + float(run * (i % 1000)); }) != 0,
           "preserved memory is as after one run");
  }
  expect(keeps("accumulate_tuned", "3000 200"), "and was timed");
  Data e(rows * columns);
  must(accumulate_untimed(e.x, e.out, e.chosen, rows, columns, nullptr), "accumulate_untimed");
  expect(e.result([](int i) { return 5 + float(i % 1000); }) == 256, "not timed: the first, once");
  expect(kept("accumulate_untimed").empty(), "and nothing to keep");
}

void checkShared() {
  const int n = 1000;
  Data d(n * n);
  expect(turn_tuned(d.x, d.out, d.chosen, n, nullptr) == cudaSuccess &&
             d.result([&](int i) { return float((i % n * n + i / n) % 1000); }) != 0,
         "a candidate with more than 48 KiB of shared memory");
}

// A graph of one launch; runs it, and gives its candidate.
int captured(int n, const std::function<void()>& meanwhile) {
  Data d(n);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin of a capture");
  const bool good = scale_tuned(d.x, d.out, d.chosen, 2.0f, n, stream) == cudaSuccess;
  meanwhile();
  const bool ended = cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr;
  expect(good && ended, "a capture stays whole");
  int candidate = 0;
  if (ended) {
    must(cudaGraphInstantiate(&runnable, graph, 0), "a graph");
    must(cudaGraphLaunch(runnable, stream), "a graph's launch");
    candidate = d.result([](int i) { return 2.0f * float(i % 1000); });
    cudaGraphExecDestroy(runnable);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
  return good ? candidate : 0;
}

void checkCapture() {
  expect(captured(12345, [] {}) == 4096, "captured, nothing known: the first candidate");
  expect(!keeps("scale_tuned", "12345"), "nothing is timed in a capture");
  const int best = scaled(12345);
  expect(captured(12345, [] {}) == best, "captured: the choice that is known");
  // Another thread times while this one captures.
  Data d(54321);
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  cudaError_t error = cudaErrorUnknown;
  expect(captured(12345,
                  [&] {
                    std::thread([&] {
                      error = scale_tuned(d.x, d.out, d.chosen, 2.0f, d.n, stream);
                    }).join();
                  }) == best,
         "captured while another thread times");
  expect(error == cudaSuccess && d.result([](int i) { return 2.0f * float(i % 1000); }) != 0 &&
             keeps("scale_tuned", "54321"),
         "timed while another thread captures");
  cudaStreamDestroy(stream);
}

void checkThreads() {
  std::vector<std::thread> threads;
  std::vector<int> chosen(8);
  for (int t = 0; t < 8; ++t) threads.emplace_back([t, &chosen] { chosen[t] = scaled(77777); });
  for (std::thread& thread : threads) thread.join();
  bool same = true;
  for (const int c : chosen) same &= c != 0 && c == chosen[0];
  expect(same, "threads agree");
}

void checkPin() {
  expect(scale_tuned_pin(1) == cudaSuccess && scaled(1 << 24) == 64, "pinned");
  expect(scale_tuned_pin(3) == cudaErrorInvalidValue, "no such candidate");
  expect(scale_tuned_pin(-1) == cudaSuccess && scaled(1 << 24) != 64, "no longer pinned");
}

}  // namespace

// Without arguments this process runs another with the same files: `tune_check <folder>`.
int main(int count, char** arguments) {
  const bool second = count > 1;
  cache = second ? arguments[1] : "/tmp/tile2cu_tune_check." + std::to_string(getpid());
  setenv("TILE2CU_CACHE", cache.c_str(), 1);
  unsetenv("TILE2CU_TUNE");
  if (second) {
    const std::string before = kept("scale_tuned");
    expect(scaled(1 << 24) != 0 && kept("scale_tuned") == before, "another process times nothing");
    printf("another process: %d passed, %d failed\n", passed, failed);
    return failed != 0;
  }
  std::filesystem::create_directories(cache);
  checkChoice();
  reportCost();
  checkPreserve();
  checkShared();
  checkCapture();
  checkThreads();
  checkPin();
  expect(system((std::string(arguments[0]) + " " + cache).c_str()) == 0, "another process");
  std::filesystem::remove_all(cache);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
