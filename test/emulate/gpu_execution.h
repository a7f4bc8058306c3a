// How driver.cpp runs an emitted kernel on a GPU (-DON_GPU): on copies of the buffers with their margins.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "buffers.h"

namespace emulate_test {

constexpr std::size_t KERNELS_OF_PROCESS =
    1000;  // to make a context takes longer than most kernels

inline void check(cudaError_t error, const char* of) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", of, cudaGetErrorString(error));
  std::exit(2);
}

// Whether the kernels of this run are made for this GPU.
inline bool can_run(const Run& run) {
  int major = 0, minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "the device");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "the device");
  return run.compute_capability == 10 * major + minor;
}

// After an error in a kernel nothing more can run in this process.
inline bool& is_lost() {
  static bool lost = false;
  return lost;
}

// The copy of a buffer. Its address is aligned as the original's, and the margins are copied too.
class DeviceCopy {
 public:
  explicit DeviceCopy(Memory& memory) : memory_(memory) {
    check(cudaMalloc(&copy_, memory.whole_size()), "cudaMalloc");
    check(cudaMemcpy(copy_, memory.whole(), memory.whole_size(), cudaMemcpyHostToDevice), "copy");
  }
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;
  ~DeviceCopy() { cudaFree(copy_); }

  void copy_back() {
    check(cudaMemcpy(memory_.whole(), copy_, memory_.whole_size(), cudaMemcpyDeviceToHost),
          "copy back");
  }
  void* element(long i) const { return static_cast<char*>(copy_) + memory_.offset_of(i); }

 private:
  Memory& memory_;
  void* copy_ = nullptr;
};

// What the emitted kernel does wrong.
inline Problem run_emitted(const Kernel& kernel, std::size_t number, const Data& expected,
                           const Data& got, int expected_status) {
  const Run& run = kernel.runs[number];
  std::vector<std::unique_ptr<DeviceCopy>> copies;
  for (auto& memory : got.memories) copies.push_back(std::make_unique<DeviceCopy>(*memory));
  std::vector<void*> pointers;
  for (const Pointer& pointer : run.pointers) {
    pointers.push_back(pointer.buffer < 0 ? nullptr
                                          : copies[pointer.buffer]->element(pointer.offset));
  }
  const int status = kernel.emulated(pointers.data(), run.scalars.data());
  cudaGetLastError();  // of a launch that was refused, which `status` tells
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    is_lost() = true;
    return {std::string("the kernel: ") + cudaGetErrorString(error)};
  }
  if (status != expected_status) return {"the launcher returned " + std::to_string(status)};
  for (auto& copy : copies) copy->copy_back();
  return compare_all(run, expected, got);
}

}  // namespace emulate_test
