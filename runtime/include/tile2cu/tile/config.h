// Macros of the language header. They are undefined at the end of <tile2cu/tile.h>, except for
// those that the author of a kernel writes: __tile_global__, __tile__, and CUDA's.
//
//   TL_OP("name")   marks a primitive; the front end dispatches on the name (table in ops.h)
//   TL_CPU(...)     the reference body; nothing under the tool; a semicolon follows
//   TL_INLINE, TL_CONSTEXPR   the keywords, where there is a body
//   TL_REJECT("m")  an overload that is chosen only to be rejected with message m, at
//                   the user's line
#pragma once

#if defined(__TILE2CU__)
#include <stddef.h>
#include <stdint.h>
// The declarations of <cstddef> and <cstdint> that the language needs, in a third of their compile
// time.
namespace std {
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
}  // namespace std
#else
#include <cstdint>
#endif

#if defined(__clang__)
// This form may stand among other specifiers, as in `static __tile_global__ void f()`.
#define __tile_global__ __attribute__((annotate("tile2cu:global")))
#define __tile__ __attribute__((annotate("tile2cu:tile")))
#else
#define __tile_global__
#define __tile__
#endif

// CUDA's words for functions of the user that tile functions call. nvcc has its own.
#if !defined(__CUDACC__)
#undef __device__
#undef __host__
#undef __forceinline__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#if defined(__TILE2CU__)
#define __device__ __attribute__((annotate("tile2cu:device")))
#else
#define __device__
#endif
#endif

#if defined(__TILE2CU__)
#define TL_OP(name) [[clang::annotate("tile2cu:op:" name)]]
#define TL_CPU(...)
#define TL_INLINE
#define TL_CONSTEXPR
#else
#define TL_OP(name)
#define TL_CPU(...) {__VA_ARGS__}
#define TL_INLINE inline
#define TL_CONSTEXPR constexpr
#endif

// Used by several headers.
#define TL_AXIS "the axis is out of range: a tile of rank r has the axes -r to r - 1"

#define TL_REJECT(message) __attribute__((unavailable(message)))
