// emulate::launch: the emulator's <<<grid, block, smem_bytes, stream>>>.
#pragma once
#include <tuple>
#include <utility>

#include "cuda.h"
#include "runtime_api.h"

namespace emulate {

struct launch_shape {
  const void* kernel;
  dim3 grid, block;
  std::size_t smem_bytes;
  unsigned cluster = 1;  // blocks that run together
};

// Runs every thread of every block: `body(context)` once per thread. Returns what a real launch
// would.
cudaError_t run(const launch_shape& shape, void (*body)(void*), void* context);

template <class... P, class... A>
cudaError_t launch_cluster(int cluster, void (*kernel)(P...), dim3 grid, dim3 block,
                           std::size_t smem_bytes, cudaStream_t, A&&... arguments) {
  struct Call {
    void (*kernel)(P...);
    std::tuple<P...> arguments;
  } call{kernel, std::tuple<P...>(P(std::forward<A>(arguments))...)};
  return run(
      {reinterpret_cast<const void*>(kernel), grid, block, smem_bytes, unsigned(cluster)},
      [](void* context) {
        auto& mine = *static_cast<Call*>(context);
        std::apply(mine.kernel, mine.arguments);
      },
      &call);
}

template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t smem_bytes,
                   cudaStream_t stream, A&&... arguments) {
  return launch_cluster(1, kernel, grid, block, smem_bytes, stream, std::forward<A>(arguments)...);
}

}  // namespace emulate
