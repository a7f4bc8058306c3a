// The language's types by the names that they have in CUDA, for the calls of generated files.
#pragma once
#if !defined(TILE2CU_EMULATE)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#endif

using float16 = __half;
using bfloat16 = __nv_bfloat16;
using float8_e4m3 = __nv_fp8_e4m3;
using float8_e5m2 = __nv_fp8_e5m2;
