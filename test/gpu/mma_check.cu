// The device helpers of tensor cores on a GPU, against plain products on the host: cp.async,
// ldmatrix, every mma, conversions. Prints "N passed, N failed".
// nvcc -std=c++17 -O3 -Iruntime/include -arch=native test/gpu/mma_check.cu -o mma_check &&
// ./mma_check
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "../unit/device/fragments.h"
#include "tile2cu/device.cuh"

extern __shared__ __align__(128) unsigned char dynamic_smem[];

namespace {

namespace t = tile2cu;
using namespace fragments;

int passed = 0, failed = 0, skipped = 0, device_arch = 0;

void expect(bool ok, const char* what) {
  if (!ok) printf("FAILED %s\n", what);
  ++(ok ? passed : failed);
}

// Managed memory of n elements, zeroed.
template <class T>
T* memory(size_t n) {
  T* p = nullptr;
  if (cudaMallocManaged(&p, n * sizeof(T)) != cudaSuccess) {
    printf("FAILED cudaMallocManaged: %s\n", cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
  memset(static_cast<void*>(p), 0, n * sizeof(T));
  return p;
}
// A fault ends the program: nothing works after it.
void finish(const char* what) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return;
  printf("FAILED %s: %s\n%d passed, %d failed\n", what, cudaGetErrorString(error), passed,
         failed + 1);
  exit(1);
}
bool has(int arch, const char* what) {
  if (device_arch >= arch) return true;
  printf("skipped %s: needs sm_%d\n", what, arch);
  ++skipped;
  return false;
}

// ---- products of small integers, exactly; of any numbers, within a bound

// One warp a product: fragments in, fragments out.
template <class Mma, class D, int A, int B, int COUNT, class Register>
__global__ void multiply(const Register* a, const Register* b, D* d) {
  const int lane = threadIdx.x, warp = blockIdx.x;
  Register a_frag[A], b_frag[B];
  D d_frag[COUNT];
  for (int r = 0; r < A; ++r) a_frag[r] = a[(warp * 32 + lane) * A + r];
  for (int r = 0; r < B; ++r) b_frag[r] = b[(warp * 32 + lane) * B + r];
  for (int i = 0; i < COUNT; ++i) d_frag[i] = d[(warp * 32 + lane) * COUNT + i];
  Mma::run(d_frag, a_frag, b_frag);
  for (int i = 0; i < COUNT; ++i) d[(warp * 32 + lane) * COUNT + i] = d_frag[i];
}

constexpr int PRODUCTS = 64;

template <class Mma, class D, class Product>
void checkProducts(const char* name, int arch) {
  if (!has(arch, name)) return;
  constexpr int A = Product::A_REGISTERS, B = Product::B_REGISTERS;
  auto *a = memory<uint32_t>(PRODUCTS * 32 * A), *b = memory<uint32_t>(PRODUCTS * 32 * B);
  auto* d = memory<D>(PRODUCTS * 32 * 4);
  for (int p = 0; p < PRODUCTS; ++p) {
    const Product product(p);
    memcpy(a + p * 32 * A, product.a_registers, sizeof(product.a_registers));
    memcpy(b + p * 32 * B, product.b_registers, sizeof(product.b_registers));
    for (int l = 0; l < 32; ++l)
      for (int i = 0; i < 4; ++i)
        d[(p * 32 + l) * 4 + i] = D(product.c[c(l, i).row][c(l, i).column]);
  }
  multiply<Mma, D, A, B, 4, uint32_t><<<PRODUCTS, 32>>>(a, b, d);
  finish(name);
  bool ok = true;
  for (int p = 0; p < PRODUCTS; ++p) {
    const Product product(p);
    for (int l = 0; l < 32; ++l)
      for (int i = 0; i < 4; ++i)
        ok &= d[(p * 32 + l) * 4 + i] == D(product.d[c(l, i).row][c(l, i).column]);
  }
  expect(ok, name);
}

#define MMA_STRUCT(NAME, ...)                                  \
  struct Run_##NAME {                                          \
    template <class D, class A, class B>                       \
    __device__ static void run(D& d, const A& a, const B& b) { \
      t::NAME(d, a, b);                                        \
    }                                                          \
  };
FRAGMENTS_EVERY_MMA(MMA_STRUCT)
MMA_STRUCT(mma_m16n8k16_f16_acc_f16)
MMA_STRUCT(mma_m16n8k8_f16_acc_f16)
MMA_STRUCT(mma_m8n8k4_f64)

int archOf(const char* name) {
  if (strstr(name, "_e4m3") || strstr(name, "_e5m2")) return 89;
  return strstr(name, "k8_f16") ? 75 : 80;
}

// Two elements of d in a register.
template <class Mma, class Product>
void checkHalfSums(const char* name) {
  if (!has(archOf(name), name)) return;
  constexpr int A = Product::A_REGISTERS, B = Product::B_REGISTERS;
  auto *a = memory<uint32_t>(32 * A), *b = memory<uint32_t>(32 * B), *d = memory<uint32_t>(32 * 2);
  bool ok = true;
  for (int p = 0; p < PRODUCTS; ++p) {
    const Product product(p);
    memcpy(a, product.a_registers, sizeof(product.a_registers));
    memcpy(b, product.b_registers, sizeof(product.b_registers));
    uint32_t want[32][2] = {};
    memset(d, 0, 32 * 2 * sizeof(uint32_t));
    for (int l = 0; l < 32; ++l) {
      for (int i = 0; i < 4; ++i) {
        insert<F16>(d + l * 2, i, product.c[c(l, i).row][c(l, i).column]);
        insert<F16>(want[l], i, product.d[c(l, i).row][c(l, i).column]);
      }
    }
    multiply<Mma, uint32_t, A, B, 2, uint32_t><<<1, 32>>>(a, b, d);
    finish(name);
    ok &= memcmp(d, want, sizeof(want)) == 0;
  }
  expect(ok, name);
}

void checkDoubles() {
  if (!has(80, "mma_m8n8k4_f64")) return;
  auto *a = memory<double>(32), *b = memory<double>(32), *d = memory<double>(64);
  double rows[8][4], columns[4][8];
  for (int i = 0; i < 32; ++i) rows[i / 4][i % 4] = 1.0 / (i + 3), columns[i / 8][i % 8] = i - 13.5;
  for (int l = 0; l < 32; ++l) {
    a[l] = rows[Bits64::a(l, 0).row][Bits64::a(l, 0).column];
    b[l] = columns[Bits64::b(l, 0).row][Bits64::b(l, 0).column];
    d[2 * l] = l, d[2 * l + 1] = 0.5;
  }
  multiply<Run_mma_m8n8k4_f64, double, 1, 1, 2, double><<<1, 32>>>(a, b, d);
  finish("mma_m8n8k4_f64");
  bool close = true, same = true;
  for (int l = 0; l < 32; ++l) {
    for (int i = 0; i < 2; ++i) {
      double want = i == 0 ? l : 0.5;
      for (int k = 0; k < 4; ++k) {
        want = std::fma(rows[c(l, i).row][k], columns[k][c(l, i).column], want);
      }
      close &= std::fabs(d[2 * l + i] - want) <= 1e-14 * (1 + std::fabs(want));
      same &= d[2 * l + i] == want;
    }
  }
  expect(close, "mma_m8n8k4_f64");
  printf("mma_m8n8k4_f64: %s fused multiply-adds in order\n",
         same ? "the bits of" : "other bits than");
}

// Fractions: bits of the type at random with exponents around 1; the largest error, over the sum of
// the magnitudes of the products. The hardware aligns products and cuts them off, which loses some
// units of 2^-24 of the largest, for 8-bit floats on sm_89 of 2^-13.
template <class Mma, class Map, class Type, int K, class Decode>
void checkFractions(const char* name, int arch, double bound, Decode decode) {
  if (!has(arch, name)) return;
  constexpr int A_ELEMENTS = 16 * K / 32, B_ELEMENTS = 8 * K / 32, IN_REGISTER = 32 / Type::BITS;
  constexpr int A = A_ELEMENTS / IN_REGISTER, B = B_ELEMENTS / IN_REGISTER;
  auto *a = memory<uint32_t>(32 * A), *b = memory<uint32_t>(32 * B);
  auto* d = memory<float>(32 * 4);
  uint32_t state = 1;
  double worst = 0;
  for (int round = 0; round < PRODUCTS; ++round) {
    double rows[16][K], columns[K][8];
    memset(a, 0, 32 * A * sizeof(uint32_t));
    memset(b, 0, 32 * B * sizeof(uint32_t));
    const auto fraction = [&](uint32_t* registers, int i) {
      const uint32_t bits = Type::encode(1) + uint32_t(smallInteger(state, 0, 0xffff)) *
                                                  (Type::BITS == 32 ? 0x100 : 1) %
                                                  (Type::BITS == 8 ? 8 : 1u << (Type::BITS - 5));
      const uint32_t sign = uint32_t(smallInteger(state, 0, 1)) << (Type::BITS - 1);
      registers[i / IN_REGISTER] |= (bits | sign) << (i % IN_REGISTER * Type::BITS);
      return decode(bits | sign);
    };
    for (int l = 0; l < 32; ++l) {
      for (int i = 0; i < A_ELEMENTS; ++i) {
        rows[Map::a(l, i).row][Map::a(l, i).column] = fraction(a + l * A, i);
      }
      for (int i = 0; i < B_ELEMENTS; ++i) {
        columns[Map::b(l, i).row][Map::b(l, i).column] = fraction(b + l * B, i);
      }
      for (int i = 0; i < 4; ++i) d[l * 4 + i] = 0.5f;
    }
    multiply<Mma, float, A, B, 4, uint32_t><<<1, 32>>>(a, b, d);
    finish(name);
    for (int l = 0; l < 32; ++l) {
      for (int i = 0; i < 4; ++i) {
        double want = 0.5, magnitude = 0.5;
        for (int k = 0; k < K; ++k) {
          const double product = rows[c(l, i).row][k] * columns[k][c(l, i).column];
          want += product, magnitude += std::fabs(product);
        }
        worst = std::max(worst, std::fabs(d[l * 4 + i] - want) / magnitude);
      }
    }
  }
  printf("%s: error of sums 2^%.1f of the magnitudes\n", name, std::log2(worst));
  expect(worst <= bound, name);
}

float ofBits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}
// The value of a float with EXPONENT and MANTISSA bits, neither zero nor the largest.
template <int EXPONENT, int MANTISSA>
double ofSmall(uint32_t bits) {
  const int exponent = int(bits >> MANTISSA) & ((1 << EXPONENT) - 1);
  const double magnitude = std::ldexp(double((bits & ((1u << MANTISSA) - 1)) | (1u << MANTISSA)),
                                      exponent - (1 << (EXPONENT - 1)) + 1 - MANTISSA);
  return bits >> (EXPONENT + MANTISSA) & 1 ? -magnitude : magnitude;
}

// ---- arithmetic that the emulator promises

__global__ void arithmetic(float* f, int* n) {
#if __CUDA_ARCH__ >= 800
  const uint32_t one = __float_as_uint(1.0f), low = one | 0x1fff, next = one | 0x2000;
  float d[4] = {};
  const uint32_t low_a[4] = {low, low, low, low}, low_b[2] = {low, low}, next_b[2] = {next, next};
  t::mma_m16n8k8_tf32(d, low_a, low_b);
  if (threadIdx.x == 0) f[0] = d[0];
  d[1] = 0;
  t::mma_m16n8k8_tf32(d, low_a, next_b);
  if (threadIdx.x == 0) f[1] = d[1];
  const uint32_t ones[4] = {0x01010101, 0x01010101, 0x01010101, 0x01010101};
  const uint32_t ones_b[2] = {0x01010101, 0x01010101};
  int sums[4] = {2147483647, 0, 0, -1};
  t::mma_m16n8k32_u8(sums, ones, ones_b);
  if (threadIdx.x == 0) n[0] = sums[0], n[1] = sums[3];
#endif
}

__global__ void conversions(const float* x, uint32_t* bits) {
  bits[0] = t::pack_half(x[0], x[1]);
  bits[1] = t::pack_half(x[2], x[3]);
  bits[2] = t::pack_bfloat16(x[0], x[1]);
  bits[3] = t::pack_bfloat16(x[4], x[5]);
#if __CUDA_ARCH__ >= 800
  for (int i = 0; i < 8; ++i) bits[4 + i] = t::to_tf32(x[6 + i]);
#endif
}

void checkArithmetic() {
  auto* f = memory<float>(2);
  auto* n = memory<int>(2);
  if (has(80, "arithmetic")) {
    arithmetic<<<1, 32>>>(f, n);
    finish("arithmetic");
    expect(f[0] == 8.0f && f[1] == 8.0f * ofBits(0x3f802000), "tf32 ignores the low 13 bits");
    expect(n[0] == -2147483647 - 1 + 31 && n[1] == 31, "integer sums wrap");
  }
  const uint32_t tf32[8] = {0x3f800fff, 0x3f801000, 0xbf801000, 0x3f803000,
                            0x3ffff000, 0x7f7fffff, 0xff800000, 0x80000000};
  const uint32_t rounded[8] = {0x3f800000, 0x3f802000, 0xbf802000, 0x3f804000,
                               0x40000000, 0x7f800000, 0xff800000, 0x80000000};
  const float pairs[6] = {1.0f, -2.0f, 2049.0f, 2051.0f, 257.0f, 259.0f};
  auto* x = memory<float>(14);
  auto* bits = memory<uint32_t>(12);
  for (int i = 0; i < 6; ++i) x[i] = pairs[i];
  for (int i = 0; i < 8; ++i) x[6 + i] = ofBits(tf32[i]);
  conversions<<<1, 1>>>(x, bits);
  finish("conversions");
  expect(bits[0] == 0xc0003c00u && bits[1] == 0x68026800u, "pack_half");
  expect(bits[2] == 0xc0003f80u && bits[3] == 0x43824380u, "pack_bfloat16");
  // mma ignores the lowest 13 bits, whatever they are.
  bool ok = true;
  for (int i = 0; i < 8; ++i) ok &= (bits[4 + i] & 0xffffe000) == rounded[i];
  if (has(80, "to_tf32")) expect(ok, "to_tf32");
}

// ---- ldmatrix: rows 24 elements apart, upside down

__device__ uint16_t valueAt(int matrix, int row, int column) {
  return uint16_t(matrix * 1000 + row * 10 + column);
}
template <bool TRANSPOSED, int COUNT>
__device__ int wrongWords(const uint32_t (&r)[COUNT]) {
  const int lane = threadIdx.x, across = lane / 4;
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    for (int e = 0; e < 2; ++e) {
      const int along = lane % 4 * 2 + e;
      const uint16_t want = TRANSPOSED ? valueAt(i, along, across) : valueAt(i, across, along);
      wrong += uint16_t(r[i] >> (16 * e)) != want;
    }
  }
  return wrong;
}
__global__ void matrices(int* wrong) {
  auto* const words = reinterpret_cast<uint16_t*>(dynamic_smem);
  const int lane = threadIdx.x;
  uint16_t* const row = words + (lane / 8 * 8 + 7 - lane % 8) * 24;
  for (int column = 0; column < 8; ++column) row[column] = valueAt(lane / 8, lane % 8, column);
  __syncwarp();
  uint32_t one[1], two[2], four[4], more[2];
  t::ldmatrix_x1(one, row);
  atomicAdd(wrong + 0, wrongWords<false>(one));
  t::ldmatrix_x2(two, row);
  atomicAdd(wrong + 1, wrongWords<false>(two));
  t::ldmatrix_x4(four, row);
  atomicAdd(wrong + 2, wrongWords<false>(four));
  t::ldmatrix_x4(two, more, row);
  const uint32_t pairs[4] = {two[0], two[1], more[0], more[1]};
  atomicAdd(wrong + 3, wrongWords<false>(pairs));
  t::ldmatrix_x1_trans(one, row);
  atomicAdd(wrong + 4, wrongWords<true>(one));
  t::ldmatrix_x2_trans(two, row);
  atomicAdd(wrong + 5, wrongWords<true>(two));
  t::ldmatrix_x4_trans(four, row);
  atomicAdd(wrong + 6, wrongWords<true>(four));
  t::ldmatrix_x4_trans(two, more, row);
  const uint32_t pairs_trans[4] = {two[0], two[1], more[0], more[1]};
  atomicAdd(wrong + 7, wrongWords<true>(pairs_trans));
}
void checkMatrices() {
  int* wrong = memory<int>(8);
  matrices<<<1, 32, 32 * 24 * sizeof(uint16_t)>>>(wrong);
  finish("ldmatrix");
  const char* const names[] = {
      "ldmatrix_x1",       "ldmatrix_x2",       "ldmatrix_x4",       "ldmatrix_x4 pairs",
      "ldmatrix_x1_trans", "ldmatrix_x2_trans", "ldmatrix_x4_trans", "ldmatrix_x4_trans pairs"};
  for (int i = 0; i < 8; ++i) expect(wrong[i] == 0, names[i]);
}

// ---- cp.async

// Every thread copies a slot of 16 bytes in each form; the slots come back through another thread.
template <int BYTES, class T>
__global__ void copies(const T* from, uint8_t* to) {
  constexpr int COUNT = BYTES / int(sizeof(T)), FORMS = COUNT + 8;
  auto* const smem = reinterpret_cast<uint8_t(*)[64][16]>(dynamic_smem);
  const int tid = threadIdx.x;
  for (int form = 0; form < FORMS; ++form) {
    for (int i = 0; i < 16; ++i) smem[form][tid][i] = 0xff;
  }
  __syncthreads();
  const T* const mine = from + tid * (16 / sizeof(T));
  const auto slot = [&](int form) { return reinterpret_cast<T*>(smem[form][tid]); };
  t::cp_async<BYTES>(slot(0), mine);
  t::cp_async_if<BYTES>(tid % 3 == 0, slot(1), mine);
  t::cp_async<16>(slot(2), mine);
  t::cp_async_commit();
  t::cp_async_if<16>(tid % 5 == 0, slot(3), mine);
  for (int valid = -2; valid <= COUNT + 1; ++valid) {
    t::cp_async_prefix<BYTES>(valid, slot(6 + valid), mine);
    t::cp_async_commit();
  }
  t::cp_async_wait<2>();  // all but the last two, which are waited for next
  t::cp_async_wait<0>();
  __syncthreads();
  const int other = tid ^ 33;
  for (int form = 0; form < FORMS; ++form) {
    for (int i = 0; i < 16; ++i) {
      to[(form * 64 + other) * 16 + i] = smem[form][other][i];
    }
  }
}
template <int BYTES, class T>
void checkCopies(const char* name) {
  if (!has(80, name)) return;
  constexpr int SIZE = int(sizeof(T)), COUNT = BYTES / SIZE, FORMS = COUNT + 8;
  auto* from = memory<T>(64 * 16 / SIZE);
  auto* source = reinterpret_cast<uint8_t*>(from);
  auto* to = memory<uint8_t>(FORMS * 64 * 16);
  for (int i = 0; i < 64 * 16; ++i) source[i] = uint8_t(i * 7 % 251 + 1);
  copies<BYTES><<<1, 64, FORMS * 64 * 16>>>(from, to);
  finish(name);
  bool ok = true;
  for (int form = 0; form < FORMS; ++form) {
    for (int tid = 0; tid < 64; ++tid) {
      const int bytes = form == 2 || form == 3 ? 16 : BYTES;
      int copied = bytes;
      if (form == 1 && tid % 3 != 0) copied = 0;
      if (form == 3 && tid % 5 != 0) copied = 0;
      if (form >= 4) copied = SIZE * (form - 6 < 0 ? 0 : form - 6 < COUNT ? form - 6 : COUNT);
      for (int i = 0; i < 16; ++i) {
        const uint8_t want = i < copied ? source[tid * 16 + i] : i < bytes ? 0 : 0xff;
        ok &= to[(form * 64 + tid) * 16 + i] == want;
      }
    }
  }
  expect(ok, name);
}

}  // namespace

int main() {
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    printf("no GPU\n0 passed, 1 failed\n");
    return 1;
  }
  device_arch = device.major * 10 + device.minor;
  printf("%s, sm_%d\n", device.name, device_arch);
#define CHECK_PRODUCTS(NAME, D, MAP, A, B, K) \
  checkProducts<Run_##NAME, D, Product<MAP, A, B, K>>(#NAME, archOf(#NAME));
  FRAGMENTS_EVERY_MMA(CHECK_PRODUCTS)
  checkHalfSums<Run_mma_m16n8k16_f16_acc_f16, Product<Bits16, F16, F16, 16>>(
      "mma_m16n8k16_f16_acc_f16");
  checkHalfSums<Run_mma_m16n8k8_f16_acc_f16, Product<Bits16, F16, F16, 8>>(
      "mma_m16n8k8_f16_acc_f16");
  checkDoubles();
  checkFractions<Run_mma_m16n8k16_f16, Bits16, F16, 16>("fractions of f16", 80, 0x1p-19,
                                                        ofSmall<5, 10>);
  checkFractions<Run_mma_m16n8k16_bf16, Bits16, Bf16, 16>("fractions of bf16", 80, 0x1p-19,
                                                          ofSmall<8, 7>);
  checkFractions<Run_mma_m16n8k8_tf32, Bits32, Tf32, 8>(
      "fractions of tf32", 80, 0x1p-19, [](uint32_t bits) { return ofBits(bits & 0xffffe000); });
  checkFractions<Run_mma_m16n8k32_e4m3, Bits8, E4m3, 32>("fractions of e4m3", 89, 0x1p-9,
                                                         ofSmall<4, 3>);
  checkFractions<Run_mma_m16n8k32_e5m2, Bits8, E5m2, 32>("fractions of e5m2", 89, 0x1p-9,
                                                         ofSmall<5, 2>);
  checkArithmetic();
  checkMatrices();
  checkCopies<4, int8_t>("cp_async<4> of int8_t");
  checkCopies<4, float>("cp_async<4> of float");
  checkCopies<8, __half>("cp_async<8> of half");
  checkCopies<16, __half>("cp_async<16> of half");
  checkCopies<16, int8_t>("cp_async<16> of int8_t");
  checkCopies<16, double>("cp_async<16> of double");
  printf("%d passed, %d failed%s\n", passed, failed, skipped > 0 ? ", some skipped" : "");
  return failed != 0;
}
