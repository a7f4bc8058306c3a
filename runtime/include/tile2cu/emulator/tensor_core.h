// The instructions that a whole warp executes together: mma, ldmatrix and stmatrix. The last lane
// to arrive does the work of all lanes.
#pragma once
#include <cstdint>

#include "cuda.h"

namespace emulate {

// The element types of a and b.
enum class mma_element { f16, bf16, tf32, f64, s8, u8, e4m3, e5m2 };
// The type of d, and how the exact products are added to it, with k ascending:
//  f32: each addition to d is rounded to float;
//  f16: the same, and the result is rounded to float16 once, at the end;
//  s32: modulo 2^32;
//  f64: fused multiply-adds.
// A GPU adds floats in a different order, with more bits in some places and fewer in others.
enum class mma_accumulator { f32, f16, s32, f64 };

struct mma_instruction {
  const char* name;  // of the helper
  mma_element a, b;
  mma_accumulator d;
  int k;
};

// d += a * b. All 32 lanes have to execute the same line.
void mma(const mma_instruction& instruction, void* d, const void* a, const void* b);

// Fills r[0] to r[count - 1]. `row` is read by the lane that passes it.
void ldmatrix(const char* name, int count, bool transposed, std::uint32_t* r, const void* row);

// Stores r[0] to r[count - 1]. `row` is the address that this lane passes; it is written once all
// lanes have arrived.
void stmatrix(const char* name, int count, bool transposed, void* row, const std::uint32_t* r);

// Copies an element of a shared tile, which may hold poison.
void read_fragment(void* element, const void* place, int bytes);

}  // namespace emulate

// The emulator's helper of this name: D is the type of d, COUNT its number of elements, A and B are
// the registers.
#define TILE2CU_MMA(NAME, D, COUNT, REGISTER, A, B, A_ELEMENT, B_ELEMENT, ACC, K)                  \
  __forceinline__ void NAME(D(&d)[COUNT], const REGISTER(&a)[A], const REGISTER(&b)[B]) {          \
    using emulate::mma_element;                                                                    \
    emulate::mma(                                                                                  \
        {#NAME, mma_element::A_ELEMENT, mma_element::B_ELEMENT, emulate::mma_accumulator::ACC, K}, \
        d, a, b);                                                                                  \
  }
