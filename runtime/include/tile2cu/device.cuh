// The device helpers: the small functions that emitted kernels call, each for one instruction or
// one idea.
//
// There are two ways to use them:
//   * stand-alone: the emitter pastes the helpers that a file uses, and their needs. Those that
//     kernels name are declared above them, with the first sentence of the comment here, those
//     that only launchers name above the launchers; functions are defined at the end of the file,
//     but for those of one statement that only launchers name.
//     Each part stands between the lines `// ==== device helpers` and
//     `// ==== end of device helpers`;
//   * shared: `#include "tile2cu/device.cuh"` (--helpers=include), as in CMake builds and in
//     the emulator.
//
// Every device/*.cuh consists of a preamble, sections and an end:
//
//   // @helper <name>[, <name>...] [needs <name>, ...] [include <header>, ...]
//   ...text, pasted inside `namespace tile2cu { inline namespace v1 { ... } }`...
//   // @end
//
// A section ends at the next `// @helper` or at `// @end`. Marker lines, the preamble and the text
// after `// @end` are not pasted. `needs` lists sections that have to precede this one; a section
// does not repeat what its needs already include. Headers are written with their brackets:
// `include <cuda_fp16.h>`.
//
// The names are those that kernels use: `load_if`, `sum_op`, `vec`. Overloads of which a file needs
// few are sections of their own with dotted names: `tma_load.2`, `tma_store.2` and
// `tma_load_multicast.2` are those for tensors of two dimensions. Each caching policy has overloads
// too: a load with `cache::X` (`read_only` by default) uses `load.X`, a store with `cache::X`
// (`write_back` by default) uses `store.X`; so does whoever calls `load_if`, `load_prefix`,
// `load_element_if`, `store_if`, `store_prefix`, `store_element_if` or, for less than 4 bytes,
// `copy_to_shared`. The functions of namespace `precise` are sections `precise.exp` and so on.
//
// A pasted helper fits its file (emit/device/fit_helper.h). A macro is expanded. The emitter says
// which widths a file moves, in bytes of a word (`load.X.16`): functions with a word of another
// width as their last parameter, and branches on BYTES that no width takes, are left out. Where all
// accesses have their default policies, `policy<C>` and the parameter C are left out too.
//
// The files:
//
//   bits, cache, memory, memory_ptx   vectors; loads and stores under a mask, with a caching policy
//   check_ptx                         device_assert, check, check_value
//   convert, math, each also _ptx     arithmetic and conversions
//   combine, warp                     operators; reductions, scans and shuffles of a warp, a block
//   sort                              sorts in a warp, and merges of sorted runs of several
//   atomic, atomic_updates,           atomics (reduce_add_words: sm_90)
//   atomic_ptx
//   random, host                      Philox; host checks
//   tune, tune_file, tune_time        launchers that time their candidates; not included below: a
//                                     file that tunes includes "tile2cu/device/tune.cuh" too
//   async_copy_ptx, async_copy        cp_async<4, 8, 16>, _if, _prefix, _commit,        sm_80
//                                     _wait<N>; copy_to_shared, _if, _prefix
//   ldmatrix_ptx                      ldmatrix_x1, _x2, _x4, each also _trans           sm_75
//   mma_ptx                           mma_m16n8k16_f16, _bf16, mma_m16n8k8_tf32, ...    sm_80
//                                     (mma_m16n8k8_f16: sm_75), mma_m8n8k4_f64
//   mma_8bit_ptx                      mma_m16n8k32_s8, _u8, _s8_u8, _u8_s8, also k16    sm_80
//                                     mma_m16n8k32_e4m3, _e5m2, and mixed               sm_89
//   fragment_ptx, fragment            to_tf32 (sm_80), pack_half, pack_bfloat16; accumulators and
//                                     operands of mma as arrays of registers
//   mbarrier_ptx, pipeline_state      mbarrier, mbarrier_init, _arrive, _wait;          sm_90
//                                     named barriers; warpgroup_reg_alloc, _dealloc (sm_90a)
//   tma_ptx, tensor_map               tma_load, tma_store; make_tensor_map,             sm_90
//                                     for launchers
//   stmatrix_ptx                      stmatrix_x1, _x2, _x4, each also _trans           sm_90
//   grid_ptx                          griddepcontrol_wait, _launch_dependents;          sm_90
//                                     launch_pdl, for launchers
//   cluster_ptx                       cluster_rank, _sync, mbarrier_arrive_cluster,     sm_90
//                                     tma_load_multicast (sm_90a); launch_cluster, for launchers
//   hopper_ptx                        on_hopper, for launchers of files for sm_90a and others
//   wgmma_ptx                         wgmma_operand, wgmma_fence, _commit, _wait        sm_90a
//
// The wgmma instructions, wgmma_m64n128k16_f16 and 327 more, are in none of these files: the
// emitter writes those that a file uses into that file (emit/device/wgmma_helpers.h), also after
// the included header. The emulator has all of them.
//
// A helper whose instruction an architecture lacks is a __trap() there. A file that carries its own
// helpers and is written for newer GPUs only (--arch) has none of these guards but one #error
// (emit/device/architecture_guard.h).
//
// Files named *_ptx.cuh contain PTX and intrinsics; emulator/<same name>.h replaces them on the
// CPU. All other files are plain CUDA C++ that the emulator includes unchanged.
//
// Every helper compiles for sm_75 and later, as C++17.
#pragma once

#ifdef TILE2CU_EMULATE
#include "emulator.h"
#else
// clang-format off: in the order of their needs
#include <cuda_runtime.h>

#include "device/bits.cuh"
#include "device/cache.cuh"

#include "device/check_ptx.cuh"
#include "device/memory_ptx.cuh"

#include "device/memory.cuh"

#include "device/async_copy_ptx.cuh"
#include "device/async_copy.cuh"
#include "device/atomic_ptx.cuh"
#include "device/convert_ptx.cuh"
#include "device/fragment_ptx.cuh"
#include "device/cluster_ptx.cuh"
#include "device/grid_ptx.cuh"
#include "device/hopper_ptx.cuh"
#include "device/ldmatrix_ptx.cuh"
#include "device/math_ptx.cuh"
#include "device/mma_8bit_ptx.cuh"
#include "device/mma_ptx.cuh"
#include "device/mbarrier_ptx.cuh"
#include "device/pipeline_state.cuh"
#include "device/stmatrix_ptx.cuh"
#include "device/tma_ptx.cuh"
#include "device/wgmma_ptx.cuh"

#include "device/fragment.cuh"

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
#endif
