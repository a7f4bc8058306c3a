// What the tests of mma know of it: the fragment maps in the words of the PTX ISA ("Matrix
// Fragments for mma"), element by element, one function for each of its tables. Plain C++, for the
// emulator's tests and for those on a GPU.
#pragma once
#include <cstdint>
#include <cstring>

namespace fragments {

struct Place {
  int row, column;
};

// groupID and threadID_in_group of the tables.
inline int group(int lane) { return lane >> 2; }
inline int member(int lane) { return lane % 4; }

// m16n8k16 and m16n8k8 of 16-bit floats.
struct Bits16 {
  static Place a(int lane, int i) {
    const bool upper = !((0 <= i && i < 2) || (4 <= i && i < 6));
    return {group(lane) + (upper ? 8 : 0), member(lane) * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  }
  static Place b(int lane, int i) {
    return {member(lane) * 2 + (i & 1) + (i >= 2 ? 8 : 0), group(lane)};
  }
};
// m16n8k8 and m16n8k4 of tf32.
struct Bits32 {
  static Place a(int lane, int i) {
    return {group(lane) + (i == 1 || i == 3 ? 8 : 0), member(lane) + (i >= 2 ? 4 : 0)};
  }
  static Place b(int lane, int i) { return {member(lane) + (i == 1 ? 4 : 0), group(lane)}; }
};
// m16n8k32 and m16n8k16 of 8-bit elements.
struct Bits8 {
  static Place a(int lane, int i) {
    const bool upper = !((0 <= i && i < 4) || (8 <= i && i < 12));
    return {group(lane) + (upper ? 8 : 0), member(lane) * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  }
  static Place b(int lane, int i) {
    return {member(lane) * 4 + (i & 3) + (i >= 4 ? 16 : 0), group(lane)};
  }
};
// m8n8k4 of double.
struct Bits64 {
  static Place a(int lane, int) { return {group(lane), member(lane)}; }
  static Place b(int lane, int) { return {member(lane), group(lane)}; }
};
// The accumulators of all of them.
inline Place c(int lane, int i) {
  return {group(lane) + (i < 2 ? 0 : 8), member(lane) * 2 + (i & 1)};
}

// Integers that every type and every sum holds exactly.
inline int smallInteger(uint32_t& state, int low, int high) {
  state = state * 1664525u + 1013904223u;
  return low + int((state >> 16) % uint32_t(high - low + 1));
}

// The bits of small integers: of a float with EXPONENT and MANTISSA bits.
template <int EXPONENT, int MANTISSA>
uint32_t floatBits(int value) {
  if (value == 0) return 0;
  const int magnitude = value < 0 ? -value : value;
  int power = 0;
  while (magnitude >> (power + 1)) ++power;
  const int bias = (1 << (EXPONENT - 1)) - 1;
  const uint32_t fraction = (uint32_t(magnitude) << MANTISSA >> power) - (1u << MANTISSA);
  return (value < 0 ? 1u << (EXPONENT + MANTISSA) : 0) | uint32_t(power + bias) << MANTISSA |
         fraction;
}

// The element types: how many bits, which integers, as bits.
struct F16 {
  static constexpr int BITS = 16, LOW = -8, HIGH = 8;
  static uint32_t encode(int x) { return floatBits<5, 10>(x); }
};
struct Bf16 {
  static constexpr int BITS = 16, LOW = -8, HIGH = 8;
  static uint32_t encode(int x) { return floatBits<8, 7>(x); }
};
struct Tf32 {
  static constexpr int BITS = 32, LOW = -500, HIGH = 500;
  static uint32_t encode(int x) { return floatBits<8, 23>(x); }
};
struct E4m3 {
  static constexpr int BITS = 8, LOW = -8, HIGH = 8;
  static uint32_t encode(int x) { return floatBits<4, 3>(x); }
};
struct E5m2 {
  static constexpr int BITS = 8, LOW = -4, HIGH = 4;
  static uint32_t encode(int x) { return floatBits<5, 2>(x); }
};
struct S8 {
  static constexpr int BITS = 8, LOW = -128, HIGH = 127;
  static uint32_t encode(int x) { return uint32_t(x) & 0xff; }
};
struct U8 {
  static constexpr int BITS = 8, LOW = 0, HIGH = 255;
  static uint32_t encode(int x) { return uint32_t(x); }
};

// Puts element i of BITS bits into the registers of a lane.
template <class Type>
void insert(uint32_t* registers, int i, int value) {
  constexpr int IN_REGISTER = 32 / Type::BITS;
  registers[i / IN_REGISTER] |= Type::encode(value) << (i % IN_REGISTER * Type::BITS);
}

// One product of small integers: as matrices, as fragments of all lanes, and what is to come out.
template <class Map, class A, class B, int K>
struct Product {
  static constexpr int A_ELEMENTS = 16 * K / 32, B_ELEMENTS = 8 * K / 32;
  static constexpr int A_REGISTERS = A_ELEMENTS * A::BITS / 32,
                       B_REGISTERS = B_ELEMENTS * B::BITS / 32;
  int a[16][K], b[K][8], c[16][8], d[16][8];
  uint32_t a_registers[32][A_REGISTERS] = {}, b_registers[32][B_REGISTERS] = {};

  explicit Product(uint32_t seed) {
    for (auto& row : a)
      for (int& x : row) x = smallInteger(seed, A::LOW, A::HIGH);
    for (auto& row : b)
      for (int& x : row) x = smallInteger(seed, B::LOW, B::HIGH);
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 8; ++n) {
        d[m][n] = c[m][n] = smallInteger(seed, -100, 100);
        for (int k = 0; k < K; ++k) d[m][n] += a[m][k] * b[k][n];
      }
    }
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < A_ELEMENTS; ++i) {
        const Place at = Map::a(lane, i);
        insert<A>(a_registers[lane], i, a[at.row][at.column]);
      }
      for (int i = 0; i < B_ELEMENTS; ++i) {
        const Place at = Map::b(lane, i);
        insert<B>(b_registers[lane], i, b[at.row][at.column]);
      }
    }
  }
};

// All mma helpers with 32-bit registers and plain accumulators: NAME, type of d, fragment map,
// types of a and b, k.
#define FRAGMENTS_EVERY_MMA(X)                            \
  X(mma_m16n8k16_f16, float, Bits16, F16, F16, 16)        \
  X(mma_m16n8k8_f16, float, Bits16, F16, F16, 8)          \
  X(mma_m16n8k16_bf16, float, Bits16, Bf16, Bf16, 16)     \
  X(mma_m16n8k8_bf16, float, Bits16, Bf16, Bf16, 8)       \
  X(mma_m16n8k8_tf32, float, Bits32, Tf32, Tf32, 8)       \
  X(mma_m16n8k4_tf32, float, Bits32, Tf32, Tf32, 4)       \
  X(mma_m16n8k32_s8, int, Bits8, S8, S8, 32)              \
  X(mma_m16n8k32_u8, int, Bits8, U8, U8, 32)              \
  X(mma_m16n8k32_s8_u8, int, Bits8, S8, U8, 32)           \
  X(mma_m16n8k32_u8_s8, int, Bits8, U8, S8, 32)           \
  X(mma_m16n8k16_s8, int, Bits8, S8, S8, 16)              \
  X(mma_m16n8k16_u8, int, Bits8, U8, U8, 16)              \
  X(mma_m16n8k16_s8_u8, int, Bits8, S8, U8, 16)           \
  X(mma_m16n8k16_u8_s8, int, Bits8, U8, S8, 16)           \
  X(mma_m16n8k32_e4m3, float, Bits8, E4m3, E4m3, 32)      \
  X(mma_m16n8k32_e5m2, float, Bits8, E5m2, E5m2, 32)      \
  X(mma_m16n8k32_e4m3_e5m2, float, Bits8, E4m3, E5m2, 32) \
  X(mma_m16n8k32_e5m2_e4m3, float, Bits8, E5m2, E4m3, 32)

}  // namespace fragments
