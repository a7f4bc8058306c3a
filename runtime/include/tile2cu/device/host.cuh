// What launchers ask before a launch. Host code.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper aligned include <cstdint>
// Whether every pointer is a multiple of BYTES.
template <int BYTES, class... P>
inline bool aligned(const P*... pointers) {
  return ((reinterpret_cast<uintptr_t>(pointers) % BYTES == 0) && ...);
}

// @helper divisible
// Whether every number is a multiple of N.
template <int N, class... I>
constexpr bool divisible(I... numbers) {
  return ((numbers % N == 0) && ...);
}

// @helper resident_blocks
// For __launch_bounds__: how many blocks of `threads` threads should fit on a multiprocessor for
// `resident_threads` to be there; 1 to 16, which every architecture allows. The bound also tells
// ptxas how many registers are free to use: without it, it may save registers by serializing loads.
constexpr int resident_blocks(int threads, int resident_threads) {
  return resident_threads < threads        ? 1
         : resident_threads / threads < 16 ? resident_threads / threads
                                           : 16;
}

// @end

}  // namespace v1
}  // namespace tile2cu
