// Launchers: how they are built from kernels, and how host code runs them.
//
//   inline constexpr auto softmax_1024 = instantiate(softmax<1024>, {.num_warps = 4});
//   ...
//   if (softmax_1024(in, out, n_rows, n_cols, stride) != tl::success) ...
//
// On the CPU a call runs all programs on the host's cores and returns when they are done. With
// TILE2CU_CUDA_NAMES defined before the include, cudaError_t, cudaSuccess, cudaErrorInvalidValue
// and cudaStream_t are names of the types and values below, for host code that is also built with
// CUDA.
#pragma once

#include "options.h"
#include "program.h"

#if !defined(__TILE2CU__)
#include "cpu/launch.h"
#endif

namespace tl {

// The result of a launch. The values are those of cudaError_t.
enum status : int { success = 0, invalid_value = 1 };
// Takes the place of a CUDA stream; unused on the CPU.
using stream = void*;

namespace detail {
template <class T>
struct Identity {
  using type = T;
};
template <class T>
using NotDeduced = typename Identity<T>::type;
}  // namespace detail

// A kernel with its options: the result of `candidate`. P... are the types of the kernel's
// parameters. It is an element of a list of configurations, not a launcher.
template <class... P>
struct configuration {
  void (*kernel)(P...);
  options config;
};

// A launcher with one configuration.
template <class... P>
struct instance : configuration<P...> {
  status operator()(P... arguments, stream = nullptr) const
      TL_CPU(return static_cast<status>(cpu::launch(this->kernel, arguments...)););
};

// A launcher with N configurations of one signature; a call runs the first one whose requirements
// hold. (On the GPU `tune` runs the fastest.)
template <int N, class... P>
struct selection {
  configuration<P...> candidates[N];

  status operator()(P... arguments, stream = nullptr) const
      TL_CPU(for (const auto& candidate : candidates) {
        if (cpu::launch(candidate.kernel, arguments...) == 0) return success;
      } return invalid_value;);
};

template <class... P>
TL_OP("instantiate")
constexpr instance<P...> instantiate(void (*kernel)(P...), options config = {}) {
  return {{kernel, config}};
}

template <class... P>
TL_OP("candidate")
constexpr configuration<P...> candidate(void (*kernel)(P...), options config = {}) {
  return {kernel, config};
}

template <class... P, class... C>
  requires(__is_base_of(configuration<P...>, C) && ...)
TL_OP("select")
constexpr selection<1 + sizeof...(C), P...> select(configuration<P...> first, C... rest) {
  return {{first, rest...}};
}
template <class... P, class... C>
  requires(sizeof...(C) > 0 && !(__is_base_of(configuration<P...>, C) && ...))
TL_REJECT("the candidates of one select must have kernels of one signature")
constexpr int select(configuration<P...> first, C... rest) {
  return 0;
}

// Functions that are not kernels. The results are of the types that kernels give, so that there is
// one error.
#define TL_NO_KERNEL(NAME, RESULT)                                                            \
  template <class R, class... P>                                                              \
    requires detail::NotVoid<R>                                                               \
  TL_REJECT("a kernel returns nothing; make it void, and store the result through a pointer") \
  constexpr RESULT<P...> NAME(R (*)(P...), options = {}) {                                    \
    return {};                                                                                \
  }                                                                                           \
  template <class R, class... P>                                                              \
  TL_REJECT("a kernel has no C variadic parameters; name each parameter")                     \
  constexpr RESULT<P...> NAME(R (*)(P..., ...), options = {}) {                               \
    return {};                                                                                \
  }                                                                                           \
  template <class R, class C, class... P>                                                     \
  TL_REJECT("a member function is not a kernel; make it static, or a free function")          \
  constexpr RESULT<P...> NAME(R (C::*)(P...), options = {}) {                                 \
    return {};                                                                                \
  }
TL_NO_KERNEL(instantiate, instance)
TL_NO_KERNEL(candidate, configuration)
#undef TL_NO_KERNEL

// The integer parameters that determine which candidate of `tune` is the fastest.
template <int N>
struct key {
  const char* names[N + 1];  // a null pointer at the end: N may be 0
};
template <class... Name>
key(Name...) -> key<sizeof...(Name)>;

namespace detail {
// A factor of a number of elements: an integer parameter, or a constant.
struct Size {
  const char* name = nullptr;
  std::int64_t number = 1;
  constexpr Size(const char* parameter) : name(parameter) {}
  constexpr Size(int n) : number(n) {}
};
template <int N>
struct Preserved {
  const char* pointer;
  Size sizes[N];
};
}  // namespace detail

// Memory that a kernel both reads and writes: `preserve("c", "M", "N")` is the first M * N elements
// at c, which timing restores before each run.
template <class... S>
TL_OP("preserve")
constexpr detail::Preserved<1 + sizeof...(S)> preserve(const char* pointer, detail::Size first,
                                                       S... more) {
  return {pointer, {first, more...}};
}

// A launcher that `tune` returns; its key is K parameters.
template <int K, int N, class... P>
struct tuned : selection<N, P...> {
  key<K> names;
};
// The same, with memory that timing restores. `Rest` is `tuned` or `preserving`.
template <class Rest, int S>
struct preserving : Rest {
  detail::Preserved<S> memory;
};

// The fastest of several configurations for each value of the key: timed on first use, then
// remembered. `preserve(...)`, if any, precedes the candidates.
template <int K, class... P, class... C>
  requires(__is_base_of(configuration<P...>, C) && ...)
TL_OP("tune")
constexpr tuned<K, 1 + sizeof...(C), P...> tune(key<K> names, configuration<P...> first,
                                                C... rest) {
  return {{{first, rest...}}, names};
}
template <int K, class... P, class... C>
  requires(sizeof...(C) > 0 && !(__is_base_of(configuration<P...>, C) && ...))
TL_REJECT("after its key and preserve, tune takes candidates whose kernels must have one signature")
constexpr int tune(key<K>, configuration<P...> first, C... rest) {
  return 0;
}
template <int K, int S, class... R>
TL_OP("tune")
constexpr auto tune(key<K> names, detail::Preserved<S> memory, R... rest) {
  return preserving<decltype(tune(names, rest...)), S>{tune(names, rest...), memory};
}

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
