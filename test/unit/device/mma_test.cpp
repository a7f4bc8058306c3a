// Tensor cores on the emulator: every mma against a plain product through the fragment maps of the
// PTX ISA, its arithmetic, and lanes that do not all come.
#include "fragments.h"
#include "testing.h"

namespace device_tests {
namespace {

using namespace fragments;
using Kind = enum emulate::report::kind;

void expectLines(const std::string& text, std::initializer_list<const char*> markers) {
  for (const char* marker : markers) {
    const std::string line = lineOf(__FILE__, marker);
    EXPECT_NE(text.find(line), std::string::npos) << marker << " is " << line << "\n" << text;
  }
}

// ---- products

// Three warps, each with data of its own, in every order of the lanes.
template <class Product, class D, class Mma>
void checkProduct(Mma mma) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    const std::vector<Product> products = {Product(1), Product(2), Product(3)};
    onBlock(96, [&] {
      const int lane = threadIdx.x % 32;
      const Product& mine = products[threadIdx.x / 32];
      D d[4];
      for (int i = 0; i < 4; ++i) d[i] = D(mine.c[c(lane, i).row][c(lane, i).column]);
      mma(d, mine.a_registers[lane], mine.b_registers[lane]);
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(d[i], D(mine.d[c(lane, i).row][c(lane, i).column])) << lane << " " << i;
      }
    });
  }
}
#define CHECK_MMA(NAME, D, MAP, A, B, K)                                        \
  TEST(Mma, NAME) {                                                             \
    checkProduct<Product<MAP, A, B, K>, D>(                                     \
        [](auto& d, const auto& a, const auto& b) { tile2cu::NAME(d, a, b); }); \
  }
FRAGMENTS_EVERY_MMA(CHECK_MMA)

// Two elements of d in a register.
template <class Product, class Mma>
void checkHalfSums(Mma mma) {
  const Product product(7);
  onBlock(32, [&] {
    const int lane = threadIdx.x;
    uint32_t d[2] = {};
    for (int i = 0; i < 4; ++i) insert<F16>(d, i, product.c[c(lane, i).row][c(lane, i).column]);
    mma(d, product.a_registers[lane], product.b_registers[lane]);
    for (int i = 0; i < 4; ++i) {
      const auto sum = __half::from_bits(uint16_t(d[i / 2] >> (i % 2 * 16)));
      EXPECT_EQ(float(sum), float(product.d[c(lane, i).row][c(lane, i).column]));
    }
  });
}
TEST(Mma, HalfSums) {
  checkHalfSums<Product<Bits16, F16, F16, 16>>(
      [](auto& d, auto& a, auto& b) { tile2cu::mma_m16n8k16_f16_acc_f16(d, a, b); });
  checkHalfSums<Product<Bits16, F16, F16, 8>>(
      [](auto& d, auto& a, auto& b) { tile2cu::mma_m16n8k8_f16_acc_f16(d, a, b); });
}

TEST(Mma, Doubles) {
  double a[8][4], b[4][8];
  for (int i = 0; i < 32; ++i) a[i / 4][i % 4] = 1.0 / (i + 3), b[i / 8][i % 8] = i - 13.5;
  onBlock(32, [&] {
    const int lane = threadIdx.x;
    const Place at = Bits64::a(lane, 0), bt = Bits64::b(lane, 0);
    const double mine_a[1] = {a[at.row][at.column]}, mine_b[1] = {b[bt.row][bt.column]};
    double d[2] = {double(lane), 0.5};
    tile2cu::mma_m8n8k4_f64(d, mine_a, mine_b);
    for (int i = 0; i < 2; ++i) {
      double want = i == 0 ? lane : 0.5;
      for (int k = 0; k < 4; ++k) {
        want = std::fma(a[c(lane, i).row][k], b[k][c(lane, i).column], want);
      }
      EXPECT_EQ(d[i], want);
    }
  });
}

// ---- arithmetic: the same element everywhere, so that every sum is one of k equal products

float oneSum(uint32_t a, uint32_t b, float start, void (*mma)(float (&)[4], uint32_t, uint32_t)) {
  float sum = 0;
  onBlock(32, [&] {
    float d[4] = {start, start, start, start};
    mma(d, a, b);
    if (threadIdx.x == 0) sum = d[3];
  });
  return sum;
}
template <class T>
uint32_t twice(T x) {
  return x.bits | uint32_t{x.bits} << 16;
}

TEST(Mma, SumsOfHalfsAreFloats) {
  const auto mma = [](float(&d)[4], uint32_t a, uint32_t b) {
    tile2cu::mma_m16n8k16_f16(d, {a, a, a, a}, {b, b});
  };
  const __half x = 0.1f, huge = 0x1p15f, tiny = 0x1p-24f;
  float want = 3.0f;
  for (int k = 0; k < 16; ++k) want += float(x) * float(x);
  EXPECT_EQ(oneSum(twice(x), twice(x), 3.0f, mma), want);
  EXPECT_EQ(oneSum(twice(huge), twice(huge), 0, mma), 0x1p34f);
  EXPECT_EQ(oneSum(twice(tiny), twice(tiny), 0, mma), 0x1p-44f);
  EXPECT_TRUE(std::isnan(oneSum(twice(__half(NAN)), twice(x), 0, mma)));
  EXPECT_EQ(oneSum(twice(__half(INFINITY)), twice(x), 0, mma), INFINITY);
}

TEST(Mma, Tf32IgnoresTheLowBits) {
  const auto mma = [](float(&d)[4], uint32_t a, uint32_t b) {
    tile2cu::mma_m16n8k8_tf32(d, {a, a, a, a}, {b, b});
  };
  const uint32_t one = __float_as_uint(1.0f);
  EXPECT_EQ(oneSum(one | 0x1fff, one | 0x1fff, 0, mma), 8.0f);
  EXPECT_EQ(oneSum(one | 0x2000, one, 0, mma), 8.0f * __uint_as_float(one | 0x2000));
}

TEST(Mma, HalfSumsAreRoundedOnce) {
  // 2048 + 16 * 1: each addition of 1 would be lost in float16.
  const uint32_t one = twice(__half(1.0f));
  onBlock(32, [&] {
    uint32_t d[2] = {twice(__half(2048.0f)), twice(__half(65504.0f))};
    tile2cu::mma_m16n8k16_f16_acc_f16(d, {one, one, one, one}, {one, one});
    EXPECT_EQ(d[0], twice(__half(2064.0f)));
    EXPECT_EQ(d[1], twice(__half(INFINITY)));  // 65520
  });
}

TEST(Mma, IntegerSumsWrap) {
  onBlock(32, [] {
    int d[4] = {2147483647, 0, 0, -1};
    const uint32_t ones = 0x01010101;
    tile2cu::mma_m16n8k32_u8(d, {ones, ones, ones, ones}, {ones, ones});
    EXPECT_EQ(d[0], -2147483647 - 1 + 31);
    EXPECT_EQ(d[3], 31);
  });
}

TEST(Mma, EveryFloat8) {
  const auto e4m3 = [](float(&d)[4], uint32_t a, uint32_t b) {
    tile2cu::mma_m16n8k32_e4m3(d, {a, 0, 0, 0}, {b, 0});
  };
  const auto e5m2 = [](float(&d)[4], uint32_t a, uint32_t b) {
    tile2cu::mma_m16n8k32_e5m2(d, {a, 0, 0, 0}, {b, 0});
  };
  for (uint32_t bits = 0; bits < 256; ++bits) {
    // d[0] of four lanes: one product each.
    for (const auto& [mma, exponent_bits, one] : {std::tuple{+e4m3, 4, 0x38u}, {+e5m2, 5, 0x3cu}}) {
      const int mantissa_bits = 7 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
      const int exponent = int(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
      const int mantissa = int(bits) & ((1 << mantissa_bits) - 1);
      const int steps = exponent == 0 ? mantissa : mantissa + (1 << mantissa_bits);
      double want = std::ldexp(steps, std::max(exponent, 1) - bias - mantissa_bits);
      if (exponent == 31) want = mantissa == 0 ? INFINITY : NAN;
      if (exponent_bits == 4 && exponent == 15 && mantissa == 7) want = NAN;
      if (bits & 0x80) want = -want;
      float got = 0;
      onBlock(32, [&, run = mma, unit = one] {
        float d[4] = {};
        run(d, threadIdx.x % 4 == 0 ? bits : 0, threadIdx.x % 4 == 0 ? unit : 0);
        if (threadIdx.x == 0) got = d[0];
      });
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got)) << bits;
      } else {
        EXPECT_EQ(got, float(want)) << bits << " " << exponent_bits;
      }
    }
  }
}

// ---- the numbers of fragments

TEST(Fragments, Tf32) {
  onBlock(1, [] {
    const auto round = [](uint32_t bits) { return tile2cu::to_tf32(__uint_as_float(bits)); };
    EXPECT_EQ(round(0x3f800fff), 0x3f800000u);
    EXPECT_EQ(round(0x3f801000), 0x3f802000u);  // halfway: away from zero
    EXPECT_EQ(round(0xbf801000), 0xbf802000u);
    EXPECT_EQ(round(0x3f803000), 0x3f804000u);
    EXPECT_EQ(round(0x3ffff000), 0x40000000u);  // the carry
    EXPECT_EQ(round(0x7f7fffff), 0x7f800000u);
    EXPECT_EQ(round(0xff800000), 0xff800000u);
    EXPECT_TRUE(std::isnan(__uint_as_float(round(0x7f800001))));
    EXPECT_EQ(round(0x80000000), 0x80000000u);
  });
}

TEST(Fragments, Pairs) {
  onBlock(1, [] {
    EXPECT_EQ(tile2cu::pack_half(1.0f, -2.0f), 0xc0003c00u);
    EXPECT_EQ(tile2cu::pack_half(2049.0f, 2051.0f), 0x68026800u);  // to even
    EXPECT_EQ(tile2cu::pack_bfloat16(1.0f, -2.0f), 0xc0003f80u);
    EXPECT_EQ(tile2cu::pack_bfloat16(257.0f, 259.0f), 0x43824380u);
  });
}

// ---- not all lanes

void product(float (&d)[4]) { tile2cu::mma_m16n8k16_f16(d, {0, 0, 0, 0}, {0, 0}); }

TEST(MmaLanes, SomeDoNotCome) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    const cudaError_t error = launch(1, 64, [] {
      float d[4] = {};
      if (threadIdx.x < 40) tile2cu::mma_m16n8k16_f16(d, {0, 0, 0, 0}, {0, 0});  // some lanes
    });
    EXPECT_EQ(error, cudaErrorLaunchFailure);
    const std::string text = soleReport(Kind::deadlock);
    expectLines(text, {"some lanes"});
    EXPECT_NE(text.find("threads 32-39 wait in mma_m16n8k16_f16"), std::string::npos) << text;
  }
}

TEST(MmaLanes, InTwoBranches) {
  const Quietly quietly;
  launch(1, 32, [] {
    float d[4] = {};
    if (threadIdx.x < 16) {
      tile2cu::mma_m16n8k16_f16(d, {0, 0, 0, 0}, {0, 0});  // one branch
      d[0] += 1.0f;
    } else {
      tile2cu::mma_m16n8k16_f16(d, {0, 0, 0, 0}, {0, 0});  // the other branch
      d[0] += 2.0f;
    }
    EXPECT_EQ(d[0], threadIdx.x < 16 ? 1.0f : 2.0f);
  });
  expectLines(soleReport(Kind::divergence), {"one branch", "the other branch"});
}

TEST(MmaLanes, AtAnotherInstruction) {
  const Quietly quietly;
  const cudaError_t error = launch(1, 32, [] {
    float d[4] = {};
    if (threadIdx.x < 16) {
      tile2cu::mma_m16n8k16_f16(d, {0, 0, 0, 0}, {0, 0});  // of halfs
    } else if (threadIdx.x < 30) {
      tile2cu::mma_m16n8k16_bf16(d, {0, 0, 0, 0}, {0, 0});  // of bfloat16s
    } else {
      tile2cu::warp_any(true);  // and a vote
    }
  });
  EXPECT_EQ(error, cudaErrorLaunchFailure);
  expectLines(soleReport(Kind::deadlock), {"of halfs", "of bfloat16s", "and a vote"});
}

TEST(MmaLanes, AWarpOfFewer) {
  const Quietly quietly;
  const cudaError_t error = launch(1, 48, [] {
    float d[4] = {};
    tile2cu::mma_m16n8k16_f16(d, {0, 0, 0, 0}, {0, 0});  // 16 lanes
  });
  EXPECT_EQ(error, cudaErrorLaunchFailure);
  expectLines(soleReport(Kind::divergence), {"16 lanes"});
}

TEST(MmaLanes, AmongShuffles) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    onBlock(64, [] {
      const int lane = threadIdx.x % 32;
      for (int i = 0; i < 4; ++i) {
        float d[4] = {float(lane), 1.0f, 2.0f, 3.0f};
        product(d);
        EXPECT_EQ(tile2cu::warp_shuffle_xor(d[0], 5), float(lane ^ 5));
        __syncthreads();
        EXPECT_EQ(tile2cu::warp_shuffle(d[0], i), float(i));
      }
    });
  }
}

}  // namespace
}  // namespace device_tests
