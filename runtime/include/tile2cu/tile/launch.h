// What is built from a kernel, and how host code runs it.
//
//   inline constexpr auto softmax_1024 = instantiate(softmax<1024>, {.num_warps = 4});
//   ...
//   if (softmax_1024(in, out, n_rows, n_cols, stride) != tl::success) ...
//
// On the CPU a call runs all programs on the host's cores and returns when they are done. With
// TILE2CU_CUDA_NAMES defined before the include, cudaError_t, cudaSuccess, cudaErrorInvalidValue
// and cudaStream_t name the same things as below, for host code that is also built against CUDA.
#pragma once

#include "options.h"
#include "program.h"

#if !defined(__TILE2CU__)
#include "cpu_launch.h"
#endif

namespace tl {

// The result of a launch. The values are those of cudaError_t.
enum status : int { success = 0, invalid_value = 1 };
// Where a CUDA stream goes; unused on the CPU.
using stream = void*;

namespace detail {
template <class T>
struct Identity {
  using type = T;
};
template <class T>
using NotDeduced = typename Identity<T>::type;
}  // namespace detail

// A kernel with its configuration. P... are the kernel's parameter types.
template <class... P>
struct instance {
  void (*kernel)(P...);
  options config;

  status operator()(P... arguments, stream = nullptr) const
      TL_CPU(return static_cast<status>(cpu::launch(kernel, arguments...)););
};

// The first of N configurations of one signature whose requirements hold.
template <int N, class... P>
struct selection {
  instance<P...> candidates[N];

  status operator()(P... arguments, stream = nullptr) const
      TL_CPU(for (const auto& candidate : candidates) {
        if (cpu::launch(candidate.kernel, arguments...) == 0) return success;
      } return invalid_value;);
};

template <class... P>
TL_OP("instantiate")
constexpr instance<P...> instantiate(void (*kernel)(P...), options config = {}) {
  return {kernel, config};
}

template <class... P>
TL_OP("candidate")
constexpr instance<P...> candidate(void (*kernel)(P...), options config = {}) {
  return {kernel, config};
}

template <class... P, class... C>
  requires(__is_same(C, instance<P...>) && ...)
TL_OP("select")
constexpr selection<1 + sizeof...(C), P...> select(instance<P...> first, C... rest) {
  return {{first, rest...}};
}
template <class... P, class... C>
  requires(sizeof...(C) > 0 && !(__is_same(C, instance<P...>) && ...))
TL_REJECT("the candidates of one select have kernels of one signature")
constexpr int select(instance<P...> first, C... rest);

// Runs a kernel that calls grid(...).
template <class... P>
status launch(void (*kernel)(P...), detail::NotDeduced<P>... arguments)
    TL_CPU(return static_cast<status>(cpu::launch(kernel, arguments...)););

// Runs a kernel that uses program_id(axis), with x * y * z programs.
template <class... P>
status launch_grid(void (*kernel)(P...), std::int64_t x, std::int64_t y, std::int64_t z,
                   detail::NotDeduced<P>... arguments)
    TL_CPU(return static_cast<status>(cpu::launchGrid(kernel, x, y, z, arguments...)););

}  // namespace tl

#if defined(TILE2CU_CUDA_NAMES)
using cudaError_t = tl::status;
using cudaStream_t = tl::stream;
inline constexpr cudaError_t cudaSuccess = tl::success;
inline constexpr cudaError_t cudaErrorInvalidValue = tl::invalid_value;
#endif
