// GPUs that train one model together: each takes a part of the sequences of a step, and all take the
// mean of their gradients. LLM_NCCL: by NCCL, one thread for each GPU of the host.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

#ifdef LLM_NCCL
#include <nccl.h>
#endif

namespace llm {

// One of `count` GPUs, from the view of the thread that runs it.
struct Peer {
  int rank = 0, count = 1;
#ifdef LLM_NCCL
  ncclComm_t communicator = nullptr;
#endif

  // values[i] = the mean of values[i] over all GPUs. values: f32 [size]
  void average(float* values, int64_t size) const {
    if (count == 1) return;
#ifdef LLM_NCCL
    const ncclResult_t status =
        ncclAllReduce(values, values, size, ncclFloat, ncclAvg, communicator, nullptr);
    if (status != ncclSuccess) throw std::runtime_error(ncclGetErrorString(status));
#else
    (void)values, (void)size;
#endif
  }
};

// Calls run(peer) for each of `count` GPUs: several have a thread each, with the GPU as its device.
template <class Run>
void run_peers(int count, Run run) {
  if (count == 1) return run(Peer());
#ifdef LLM_NCCL
  std::vector<ncclComm_t> communicators(count);
  if (const ncclResult_t status = ncclCommInitAll(communicators.data(), count, nullptr);
      status != ncclSuccess)
    throw std::runtime_error(ncclGetErrorString(status));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        if (cudaSetDevice(rank) != cudaSuccess) throw std::runtime_error("there is no such GPU");
        run(Peer{rank, count, communicators[rank]});
      } catch (const std::exception& error) {
        std::fprintf(stderr, "train: %s\n", error.what());
        std::_Exit(1);  // the others may wait for this one in NCCL
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ncclComm_t communicator : communicators) ncclCommDestroy(communicator);
#else
  throw std::runtime_error("several GPUs need a program built with -DLLM_NCCL -lnccl");
#endif
}

}  // namespace llm
