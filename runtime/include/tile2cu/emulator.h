// Runs an emitted .cu file on the CPU, one fiber per CUDA thread, and reports errors that a GPU
// does not report.
//
//   g++ -std=c++20 -O1 -g -fsanitize=thread -Wno-unknown-pragmas -DTILE2CU_EMULATE
//       -Iruntime/include -x c++ -c softmax.cu main.cpp
//   g++ -std=c++20 -O2 -g -Iruntime/include -c runtime/emulator/*.cpp     (never instrumented)
//   g++ *.o -o softmax                                                     (without -fsanitize)
//
// The file includes "tile2cu/device.cuh" and launches with emulate::launch(kernel, grid, block,
// smem_bytes, stream, arguments...) instead of CUDA's <<< >>>; the rest is unchanged CUDA.
// -fsanitize=thread only marks the memory accesses: the emulator defines the __tsan_* functions
// (runtime/emulator/tsan.cpp). Without it everything runs, but plain accesses are not checked.
//
// The emulator reports, with the source lines of both sides (emulate::reports(); by default it
// prints them, and the exit status is 66):
//  * races between threads of a block in shared and global memory (a barrier orders a block,
//    __syncwarp a warp, a shuffle nothing), and conflicting accesses of different blocks of one
//    launch to global memory;
//  * read-only loads (cache::read_only*) of memory that the same launch writes;
//  * misaligned accesses; accesses outside the launch's shared memory, to forbidden bytes
//    (emulate::forbid, the surroundings of cudaMalloc) and to unmapped memory;
//  * any access to bytes of shared memory that a cp.async in flight writes: the copy is made when
//    the thread that started it waits for it (cp_async_wait), and reads global memory then;
//  * barriers and collectives that not all threads reach, with the place where each waits; an mma
//    or ldmatrix that the lanes of a warp execute in different lines (without -g, lines are not
//    known and are not compared);
//  * mbarriers and named barriers: too many arrivals, more bytes than expected, no initialization;
//    in a deadlock, what each barrier still waits for;
//  * TMA and wgmma: memory that a thread has written without fence_proxy_async; memory and
//    accumulators that are used before a wait; no wait before the end of the block. By default they
//    complete as late as the waits allow, with order::reverse at once, and with order::random
//    either way;
//  * signed overflow, in files that are also compiled with
//    -fsanitize=signed-integer-overflow.
// Shared memory holds 0xff bytes (NaN) at the start of each block. options::order selects the
// schedule of threads and blocks.
//
// Shared memory is `extern __shared__ __align__(128) unsigned char dynamic_smem[];` at file scope
// outside any namespace, or in a kernel outside any namespace: in C++, the same declaration inside
// a namespace declares another array.
//
// mma: products are exact, and float accumulators are rounded to float, with k ascending
// (tensor_core.h).
//
// Limits: blocks run one after another, so a block cannot wait for a later one; an atomic orders
// other memory only together with a fence (__threadfence, as in ordered_add); memcpy of shared
// memory in a kernel is not seen; vectorized (-O2, -O3) code may hide misalignment.
#pragma once

// clang-format off: in the order of their needs
#include "emulator/cuda.h"

#include "emulator/options.h"

#include "emulator/launch.h"
#include "emulator/runtime_api.h"
#include "emulator/tensor_map.h"

#include "emulator/float16.h"
#include "emulator/float8.h"

#include "emulator/intrinsics.h"

#include "emulator/atomics.h"

#include "device/bits.cuh"

#include "device/cache.cuh"

#include "emulator/check_ptx.h"
#include "emulator/memory_ptx.h"

#include "device/memory.cuh"

#include "emulator/async_copy_ptx.h"
#include "device/async_copy.cuh"
#include "emulator/atomic_ptx.h"
#include "emulator/convert_ptx.h"
#include "emulator/fragment_ptx.h"
#include "emulator/cluster_ptx.h"
#include "emulator/grid_ptx.h"
#include "emulator/hopper_ptx.h"
#include "emulator/ldmatrix_ptx.h"
#include "emulator/math_ptx.h"
#include "emulator/mma_8bit_ptx.h"
#include "emulator/mma_ptx.h"
#include "emulator/mbarrier_ptx.h"
#include "emulator/stmatrix_ptx.h"
#include "emulator/tma_ptx.h"
#include "emulator/wgmma_ptx.h"

#include "device/fragment.cuh"
#include "device/pipeline_state.cuh"

#include "emulator/minmax_names.h"

#include "device/convert.cuh"
#include "device/math.cuh"

#include "device/combine.cuh"

#include "device/warp.cuh"
#include "device/sort.cuh"

#include "device/atomic.cuh"
#include "device/atomic_updates.cuh"
#include "device/random.cuh"

#include "device/host.cuh"
#include "device/tensor_map.cuh"
// clang-format on
