// The device helpers of Hopper on a GPU, against plain loops on the host: wgmma of every type, width,
// major and swizzle; TMA loads and stores; stmatrix; barriers. Prints "N of M right".
//
//   g++ -std=c++20 -I. test/gpu/print_wgmma.cpp emit/device/wgmma_helpers.cpp -lfmt -o print_wgmma
//   ./print_wgmma >wgmma_products.cuh
//   nvcc -std=c++17 -O3 -Iruntime/include -I. -gencode=arch=compute_90a,code=sm_90a
//        test/gpu/wgmma_check.cu -o wgmma_check && ./wgmma_check
//
// On the emulator, to check the check itself: g++ -std=c++20 -O1 -DTILE2CU_EMULATE -Iruntime/include
// -x c++ test/gpu/wgmma_check.cu runtime/emulator/*.cpp.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "../unit/device/panels.h"
#include "tile2cu/device.cuh"

#ifdef TILE2CU_EMULATE
#define LAUNCH(KERNEL, THREADS, SMEM, ...) \
  emulate::launch(KERNEL, 1, THREADS, SMEM, nullptr, __VA_ARGS__)
#else
#include "wgmma_products.cuh"
#define LAUNCH(KERNEL, THREADS, SMEM, ...) KERNEL<<<1, THREADS, SMEM>>>(__VA_ARGS__)
extern __shared__ __align__(1024) unsigned char dynamic_smem[];
#endif

namespace {

namespace t = tile2cu;
using panels::Layout;
using t::major;

int right = 0, checked = 0;

void expect(bool ok, const char* what) {
  if (!ok) printf("WRONG %s\n", what);
  right += ok;
  ++checked;
}

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  printf("FAILED %s: %s\n%d of %d right\n", what, cudaGetErrorString(error), right, checked + 1);
  exit(1);
}

template <class T>
struct Buffer {
  T* device = nullptr;
  size_t count;
  explicit Buffer(size_t n) : count(n) {
    must(cudaMalloc(&device, n * sizeof(T)), "cudaMalloc");
    must(cudaMemset(device, 0xff, n * sizeof(T)), "cudaMemset");
  }
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
    must(cudaMemcpy(device, from.data(), count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(device); }
  std::vector<T> get(const char* what) const {
    must(cudaDeviceSynchronize(), what);
    std::vector<T> host(count);
    must(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), what);
    return host;
  }
};

// ---- wgmma

constexpr int A_BYTES = 8 << 10, B_BYTES = 32 << 10, DEPTH_BYTES = 128;

// A thread's accumulators of a row of N, as the instructions take them: those of 16 bits in pairs.
template <class T, int N, bool IN_PAIRS = sizeof(T) == 2>
struct Accumulators {
  T elements[N / 8][4];
  __device__ T at(int j, int h, int c) const { return elements[j][h * 2 + c]; }
};
template <class T, int N>
struct Accumulators<T, N, true> {
  t::vec<T, 2> elements[N / 8][2];
  __device__ T at(int j, int h, int c) const { return elements[j][h][c]; }
};

// Loads the images of A and B, multiplies step by step, stores the accumulator by row and column.
template <class Form>
__global__ void multiply(const uint32_t* a_image, const uint32_t* b_image,
                         const uint32_t* a_registers, typename Form::Sum* out) {
  auto* words = reinterpret_cast<uint32_t*>(dynamic_smem);
  for (int i = int(threadIdx.x); i < A_BYTES / 4; i += 128) words[i] = a_image[i];
  for (int i = int(threadIdx.x); i < B_BYTES / 4; i += 128) words[A_BYTES / 4 + i] = b_image[i];
  t::fence_proxy_async();
  __syncthreads();
  constexpr int STEPS = DEPTH_BYTES / 32;
  constexpr int A_STEP = Form::A_MN ? Form::K * Form::A_ROW : 0;
  constexpr int B_STEP = Form::B_MN ? Form::K * Form::B_ROW : 0;
  Accumulators<typename Form::Sum, Form::N> own;
  auto& acc = own.elements;
  t::fill(acc, typename Form::Sum(0));
  t::wgmma_fence(acc);
  for (int step = 0; step < STEPS; ++step) {
    const int byte = step * 32;  // of a row of k
    const int a_at = Form::A_MN ? step * A_STEP
                                : byte / Form::A_ROW * 64 * Form::A_ROW + byte % Form::A_ROW;
    const int b_at = Form::B_MN ? step * B_STEP
                                : byte / Form::B_ROW * Form::N * Form::B_ROW + byte % Form::B_ROW;
    constexpr int DEPTH = STEPS * Form::K;
    const uint32_t b = t::wgmma_operand<Form::B_ROW>(dynamic_smem + A_BYTES + b_at,
                                                     Form::B_MN ? DEPTH * Form::B_ROW : 0);
    if constexpr (Form::IN_REGISTERS) {
      uint32_t a[4];
      for (int r = 0; r < 4; ++r) a[r] = a_registers[(step * 128 + int(threadIdx.x)) * 4 + r];
      t::wgmma_fence(acc, a);
      Form::run(acc, a, b, step > 0);
      t::wgmma_commit();
      t::wgmma_wait<0>(acc, a);
    } else {
      const uint32_t a = t::wgmma_operand<Form::A_ROW>(dynamic_smem + a_at,
                                                       Form::A_MN ? DEPTH * Form::A_ROW : 0);
      Form::run(acc, a, b, step > 0);
    }
  }
  t::wgmma_commit();
  t::wgmma_wait<0>(acc);
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
#pragma unroll
  for (int j = 0; j < Form::N / 8; ++j)
#pragma unroll
    for (int h = 0; h < 2; ++h)
#pragma unroll
      for (int c = 0; c < 2; ++c)
        out[(16 * warp + lane / 4 + 8 * h) * Form::N + 8 * j + 2 * (lane % 4) + c] = own.at(j, h, c);
}

struct Tf32 {
  float value;
  Tf32(float x) : value(x) {}
};

// The value of an element after the conversion to the type.
template <class T>
float rounded(int x) {
  return std::is_unsigned<T>::value ? float(x & 7) : float(x);
}

template <class T>
std::vector<uint32_t> image(const Layout& layout, int bytes, int (*element)(int, int)) {
  std::vector<uint32_t> words(bytes / 4);
  for (int i = 0; i < layout.rows; ++i)
    for (int k = 0; k < layout.depth; ++k) {
      const T value(rounded<T>(element(i, k)));
      memcpy(reinterpret_cast<char*>(words.data()) + layout.place(i, k), &value, sizeof(T));
    }
  return words;
}

// The elements of A that each thread holds in each step.
template <class T>
std::vector<uint32_t> registersOfA(int depth) {
  constexpr int PER = 4 / sizeof(T), K = 32 / sizeof(T);
  std::vector<uint32_t> words(depth / K * 128 * 4);
  for (int step = 0; step < depth / K; ++step)
    for (int thread = 0; thread < 128; ++thread)
      for (int r = 0; r < 4; ++r)
        for (int e = 0; e < PER; ++e) {
          const int m = thread / 32 * 16 + thread % 32 / 4 + r % 2 * 8;
          const int k = step * K + (r / 2 * 4 + thread % 4) * PER + e;
          const T value(rounded<T>(panels::elementA(m, k)));
          memcpy(reinterpret_cast<char*>(&words[(step * 128 + thread) * 4 + r]) + e * sizeof(T),
                 &value, sizeof(T));
        }
  return words;
}

template <class Form>
void checkProduct(const char* name) {
  using A = typename Form::A;
  using B = typename Form::B;
  using Sum = typename Form::Sum;
  constexpr int DEPTH = DEPTH_BYTES / int(sizeof(A));
  const Layout a = {Form::A_MN, Form::A_ROW, int(sizeof(A)), 64, DEPTH};
  const Layout b = {Form::B_MN, Form::B_ROW, int(sizeof(B)), Form::N, DEPTH};
  const Buffer<uint32_t> a_image(image<A>(a, A_BYTES, panels::elementA));
  const Buffer<uint32_t> b_image(image<B>(b, B_BYTES, panels::elementB));
  const Buffer<uint32_t> a_registers(registersOfA<A>(DEPTH));
  const Buffer<Sum> out(64 * Form::N);
  LAUNCH(multiply<Form>, 128, A_BYTES + B_BYTES, a_image.device, b_image.device,
         a_registers.device, out.device);
  const std::vector<Sum> sums = out.get(name);
  bool ok = true;
  for (int m = 0; m < 64; ++m)
    for (int n = 0; n < Form::N; ++n) {
      float want = 0;
      for (int k = 0; k < DEPTH; ++k)
        want += rounded<A>(panels::elementA(m, k)) * rounded<B>(panels::elementB(n, k));
      ok = ok && float(sums[m * Form::N + n]) == want;
    }
  expect(ok, name);
}

template <class Run, int N_, int K_, class A_, class B_, class Sum_, major A_MAJOR, int A_ROW_,
          major B_MAJOR, int B_ROW_, bool REGISTERS>
struct Form {
  using A = A_;
  using B = B_;
  using Sum = Sum_;
  static constexpr int N = N_, K = K_, A_ROW = A_ROW_, B_ROW = B_ROW_;
  static constexpr bool A_MN = A_MAJOR == major::mn, B_MN = B_MAJOR == major::mn;
  static constexpr bool IN_REGISTERS = REGISTERS;
  template <class Acc, class Operand>
  __device__ static void run(Acc& acc, const Operand& a, uint32_t b, bool on) {
    Run::template run<A_MAJOR, B_MAJOR, A_ROW, B_ROW>(acc, a, b, on);
  }
};

#define RUN(N, K, KIND)                                                          \
  struct Run_##N##_##KIND {                                                      \
    template <major A, major B, int A_ROW, int B_ROW, class Acc, class Operand>  \
    __device__ static void run(Acc& acc, const Operand& a, uint32_t b, bool on) { \
      t::wgmma_m64n##N##k##K##_##KIND<A, B, A_ROW, B_ROW>(acc, a, b, on);        \
    }                                                                            \
  };
#define RUN_TYPE(K, KIND) RUN(8, K, KIND) RUN(24, K, KIND) RUN(64, K, KIND) RUN(128, K, KIND) RUN(256, K, KIND)
#define RUN_WIDTH(N) RUN(N, 16, f16)
RUN_TYPE(16, f16)
RUN_TYPE(16, bf16)
RUN_TYPE(16, f16_acc_f16)
RUN(80, 16, f16_acc_f16)
RUN_TYPE(8, tf32)
RUN_TYPE(32, e4m3)
RUN_TYPE(32, e5m2)
RUN_TYPE(32, e4m3_e5m2)
RUN_TYPE(32, e5m2_e4m3)
RUN_TYPE(32, s8)
RUN_TYPE(32, u8)
RUN_TYPE(32, s8_u8)
RUN_TYPE(32, u8_s8)
RUN_WIDTH(16)
RUN_WIDTH(32)
RUN_WIDTH(40)
RUN_WIDTH(48)
RUN_WIDTH(56)
RUN_WIDTH(72)
RUN_WIDTH(80)
RUN_WIDTH(88)
RUN_WIDTH(96)
RUN_WIDTH(104)
RUN_WIDTH(112)
RUN_WIDTH(120)
RUN_WIDTH(136)
RUN_WIDTH(144)
RUN_WIDTH(152)
RUN_WIDTH(160)
RUN_WIDTH(168)
RUN_WIDTH(176)
RUN_WIDTH(184)
RUN_WIDTH(192)
RUN_WIDTH(200)
RUN_WIDTH(208)
RUN_WIDTH(216)
RUN_WIDTH(224)
RUN_WIDTH(232)
RUN_WIDTH(240)
RUN_WIDTH(248)

#define CHECK(REGISTERS, N, K, KIND, A, B, SUM, A_MAJOR, A_ROW, B_MAJOR, B_ROW)               \
  checkProduct<Form<Run_##N##_##KIND, N, K, A, B, SUM, major::A_MAJOR, A_ROW, major::B_MAJOR, \
                    B_ROW, REGISTERS>>("wgmma_m64n" #N "k" #K "_" #KIND " " #A_MAJOR #A_ROW   \
                                       " " #B_MAJOR #B_ROW " registers=" #REGISTERS);

// Every width of one type.
#define WIDTH(N) CHECK(false, N, 16, f16, __half, __half, float, k, 128, k, 128)
void checkWidths() {
  WIDTH(8) WIDTH(16) WIDTH(24) WIDTH(32) WIDTH(40) WIDTH(48) WIDTH(56) WIDTH(64)
  WIDTH(72) WIDTH(80) WIDTH(88) WIDTH(96) WIDTH(104) WIDTH(112) WIDTH(120) WIDTH(128)
  WIDTH(136) WIDTH(144) WIDTH(152) WIDTH(160) WIDTH(168) WIDTH(176) WIDTH(184) WIDTH(192)
  WIDTH(200) WIDTH(208) WIDTH(216) WIDTH(224) WIDTH(232) WIDTH(240) WIDTH(248) WIDTH(256)
}

// Both majors and all rows of 16-bit operands.
#define THREE_TYPES(A_MAJOR, A_ROW, B_MAJOR)                                                        \
  CHECK(false, 64, 16, f16, __half, __half, float, A_MAJOR, A_ROW, B_MAJOR, 128)             \
  CHECK(false, 64, 16, bf16, __nv_bfloat16, __nv_bfloat16, float, A_MAJOR, A_ROW, B_MAJOR, 64) \
  CHECK(false, 80, 16, f16_acc_f16, __half, __half, __half, A_MAJOR, A_ROW, B_MAJOR, 32)
#define MAJORS(A_ROW) THREE_TYPES(k, A_ROW, k) THREE_TYPES(k, A_ROW, mn) THREE_TYPES(mn, A_ROW, k) THREE_TYPES(mn, A_ROW, mn)
void checkMajors() {
  MAJORS(128)
  MAJORS(64)
  MAJORS(32)
  CHECK(false, 8, 16, f16, __half, __half, float, k, 128, mn, 128)
  CHECK(false, 256, 16, f16, __half, __half, float, mn, 128, mn, 128)
  CHECK(true, 64, 16, f16, __half, __half, float, k, 128, mn, 128)
  CHECK(true, 8, 16, bf16, __nv_bfloat16, __nv_bfloat16, float, k, 128, mn, 64)
}

// All types, some widths, both places of A.
#define TYPE(K, KIND, A, B, SUM)                            \
  CHECK(false, 8, K, KIND, A, B, SUM, k, 128, k, 128)       \
  CHECK(false, 24, K, KIND, A, B, SUM, k, 64, k, 32)        \
  CHECK(false, 128, K, KIND, A, B, SUM, k, 32, k, 64)       \
  CHECK(false, 256, K, KIND, A, B, SUM, k, 128, k, 128)     \
  CHECK(true, 8, K, KIND, A, B, SUM, k, 128, k, 128)        \
  CHECK(true, 64, K, KIND, A, B, SUM, k, 128, k, 128)
void checkTypes() {
  TYPE(16, f16, __half, __half, float)
  TYPE(16, bf16, __nv_bfloat16, __nv_bfloat16, float)
  TYPE(16, f16_acc_f16, __half, __half, __half)
  TYPE(8, tf32, Tf32, Tf32, float)
  TYPE(32, e4m3, __nv_fp8_e4m3, __nv_fp8_e4m3, float)
  TYPE(32, e5m2, __nv_fp8_e5m2, __nv_fp8_e5m2, float)
  TYPE(32, e4m3_e5m2, __nv_fp8_e4m3, __nv_fp8_e5m2, float)
  TYPE(32, e5m2_e4m3, __nv_fp8_e5m2, __nv_fp8_e4m3, float)
  TYPE(32, s8, int8_t, int8_t, int)
  TYPE(32, u8, uint8_t, uint8_t, int)
  TYPE(32, s8_u8, int8_t, uint8_t, int)
  TYPE(32, u8_s8, uint8_t, int8_t, int)
}

// ---- TMA

constexpr int BOX_BYTES = 4096;

// Loads a box of 16-bit elements and stores it, as shared memory has it, to `raw`; then, every
// element increased, to the tensor of `to`.
__global__ void moveBox(const __grid_constant__ CUtensorMap from,
                        const __grid_constant__ CUtensorMap to, int column, int row, int bytes,
                        uint16_t* raw) {
  auto& full = *reinterpret_cast<t::mbarrier*>(dynamic_smem + BOX_BYTES);
  auto* box = reinterpret_cast<uint16_t*>(dynamic_smem);
  if (threadIdx.x == 0) {
    t::tma_prefetch_map(from);
    t::mbarrier_init(full, 1);
    t::fence_mbarrier_init();
  }
  __syncthreads();
  for (int lap = 0; lap < 3; ++lap) {
    if (threadIdx.x == 0) {
      t::mbarrier_arrive_expect_tx(full, bytes);
      t::tma_load(box, from, full, column, row);
    }
    t::mbarrier_wait(full, lap & 1);
    __syncthreads();
  }
  for (int i = int(threadIdx.x); i < bytes / 2; i += int(blockDim.x)) {
    raw[i] = box[i];
    box[i] += 1;
  }
  t::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0 && column >= 0 && row >= 0) {  // stores have no negative coordinates
    t::tma_store(to, box, column, row);
    t::tma_store_commit();
    t::tma_store_wait<0>();
  }
}

// Of `columns`, the last of which may be in the middle of 16 bytes: stores write all of them.
void checkBox(int swizzle, int columns, int column, int row) {
  constexpr int PITCH = 112, ROWS = 40, BOX_ROWS = 24;
  const int box_columns = swizzle == 0 ? 40 : swizzle / 2;
  std::vector<uint16_t> host(PITCH * ROWS);
  for (size_t i = 0; i < host.size(); ++i) host[i] = uint16_t(i * 7 + 1);
  const Buffer<uint16_t> from(host), to(host), raw(box_columns * BOX_ROWS);
  alignas(64) CUtensorMap from_map, to_map;
  for (bool load : {true, false})
    must(t::make_tensor_map(load ? &from_map : &to_map, CU_TENSOR_MAP_DATA_TYPE_UINT16,
                            load ? from.device : to.device, {columns, ROWS}, {PITCH * 2},
                            {box_columns, BOX_ROWS}, swizzle),
         "make_tensor_map");
  LAUNCH(moveBox, 64, BOX_BYTES + 64, from_map, to_map, column, row, box_columns * BOX_ROWS * 2,
         raw.device);
  char name[80];
  snprintf(name, sizeof(name), "TMA box at (%d, %d) of %d columns, swizzle %d", column, row,
           columns, swizzle);
  const std::vector<uint16_t> loaded = raw.get(name), stored = to.get(name);
  bool ok = true;
  std::vector<uint16_t> want = host;
  for (int r = 0; r < BOX_ROWS; ++r)
    for (int c = 0; c < box_columns; ++c) {
      const int x = column + c, y = row + r, byte = (r * box_columns + c) * 2;
      const bool row_inside = y >= 0 && y < ROWS, inside = row_inside && x >= 0 && x < columns;
      const bool written = row_inside && x >= 0 && x < (columns + 7) / 8 * 8;
      const uint16_t value = inside ? host[y * PITCH + x] : uint16_t(0);
      const int mask = swizzle == 0 ? 0 : swizzle / 16 - 1;
      ok = ok && loaded[(byte ^ ((byte >> 7 & mask) << 4)) / 2] == value;
      if (written && column >= 0 && row >= 0) want[y * PITCH + x] = uint16_t(value + 1);
    }
  expect(ok, name);
  expect(stored == want, "its store");
}

void checkBoxes() {
  for (int swizzle : {128, 64, 32, 0}) {
    for (int columns : {104, 100}) {
      checkBox(swizzle, columns, 0, 0);
      checkBox(swizzle, columns, 72, 24);
      checkBox(swizzle, columns, -8, -7);
      checkBox(swizzle, columns, 8, 30);
    }
  }
}

// Five dimensions, and an empty tensor, of which nothing is loaded.
__global__ void loadFive(const __grid_constant__ CUtensorMap map, uint32_t* out) {
  auto& full = *reinterpret_cast<t::mbarrier*>(dynamic_smem + 1024);
  if (threadIdx.x == 0) {
    t::mbarrier_init(full, 1);
    t::fence_mbarrier_init();
    t::mbarrier_arrive_expect_tx(full, 4 * 2 * 2 * 2 * 2 * 4);
    t::tma_load(dynamic_smem, map, full, 4, 2, 0, 1, -1);
  }
  __syncthreads();
  t::mbarrier_wait(full, 0);
  out[threadIdx.x] = reinterpret_cast<const uint32_t*>(dynamic_smem)[threadIdx.x];
}
void checkFive() {
  constexpr int64_t E[5] = {8, 5, 3, 3, 3};
  std::vector<uint32_t> host(E[0] * E[1] * E[2] * E[3] * E[4]);
  for (size_t i = 0; i < host.size(); ++i) host[i] = uint32_t(i + 1);
  const Buffer<uint32_t> from(host), out(64);
  alignas(64) CUtensorMap map;
  must(t::make_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, from.device,
                          {E[0], E[1], E[2], E[3], E[4]}, {32, 160, 480, 1440}, {4, 2, 2, 2, 2}, 0),
       "make_tensor_map");
  LAUNCH(loadFive, 64, 2048, map, out.device);
  const std::vector<uint32_t> got = out.get("five dimensions");
  bool ok = true;
  for (int i = 0; i < 64; ++i) {
    const int at[5] = {4 + i % 4, 2 + i / 4 % 2, i / 8 % 2, 1 + i / 16 % 2, -1 + i / 32 % 2};
    const uint32_t want = at[4] < 0 ? 0 : host[at[0] + 8 * at[1] + 40 * at[2] + 120 * at[3] + 360 * at[4]];
    ok = ok && got[i] == want;
  }
  expect(ok, "TMA of five dimensions");
  expect(t::make_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, from.device, {0, 0}, {32},
                            {4, 2}, 0) == cudaSuccess,
         "a map of an empty tensor");
  // The arguments of launchers for a matrix without memory; printed here, not asserted.
  printf("a map without an address: %s\n",
         cudaGetErrorString(t::make_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, nullptr,
                                               {0, 0}, {32}, {4, 2}, 0)));
}

// ---- stmatrix, as ldmatrix reads it; named barriers and registers

template <bool TRANSPOSED>
__global__ void storeMatrices(uint16_t* out) {
  auto* at = reinterpret_cast<uint16_t*>(dynamic_smem);
  const int lane = int(threadIdx.x);
  uint32_t r[7];
  for (int i = 0; i < 7; ++i) {
    // Matrix i: element (row, column) is 100 i + 10 row + column.
    const int x = lane / 4, y = lane % 4 * 2;
    const int first = TRANSPOSED ? 10 * y + x : 10 * x + y, second = first + (TRANSPOSED ? 10 : 1);
    r[i] = uint32_t(100 * i + first) | uint32_t(100 * i + second) << 16;
  }
  if constexpr (TRANSPOSED) {
    t::stmatrix_x4_trans(at + lane * 8, r[0], r[1], r[2], r[3]);
    t::stmatrix_x2_trans(at + (32 + lane % 16) * 8, r[4], r[5]);
    t::stmatrix_x1_trans(at + (48 + lane % 8) * 8, r[6]);
  } else {
    t::stmatrix_x4(at + lane * 8, r[0], r[1], r[2], r[3]);
    t::stmatrix_x2(at + (32 + lane % 16) * 8, r[4], r[5]);
    t::stmatrix_x1(at + (48 + lane % 8) * 8, r[6]);
  }
  __syncwarp();
  for (int i = lane; i < 7 * 64; i += 32) out[i] = at[i];
}
template <bool TRANSPOSED>
void checkMatrices() {
  const Buffer<uint16_t> out(7 * 64);
  LAUNCH(storeMatrices<TRANSPOSED>, 32, 2048, out.device);
  const std::vector<uint16_t> got = out.get("stmatrix");
  bool ok = true;
  for (int i = 0; i < 7 * 64; ++i) ok = ok && got[i] == i / 64 * 100 + i / 8 % 8 * 10 + i % 8;
  expect(ok, TRANSPOSED ? "stmatrix_trans" : "stmatrix");
}

// A ring from a producer warpgroup to two consumers that take turns.
__global__ void __launch_bounds__(384, 1) ringOfRoles(int steps, int* out) {
  struct Smem {
    int value[3];
    int sum;
    t::mbarrier full[3], empty[3];
  };
  Smem& smem = *reinterpret_cast<Smem*>(dynamic_smem);
  if (threadIdx.x == 0) {
    for (int s = 0; s < 3; ++s) {
      t::mbarrier_init(smem.full[s], 1);
      t::mbarrier_init(smem.empty[s], 8);
    }
    t::fence_mbarrier_init();
    smem.sum = 0;
  }
  __syncthreads();
  const int role = int(threadIdx.x) / 128, lane = int(threadIdx.x) % 32;
  t::pipeline_state<3> at;
  if (role == 0) {
    t::warpgroup_reg_dealloc<40>();
    if (threadIdx.x != 0) return;
    for (int step = 0; step < steps; ++step, at.next()) {
      t::mbarrier_wait(smem.empty[at.stage], at.phase ^ 1);
      smem.value[at.stage] = step * step;
      t::mbarrier_arrive(smem.full[at.stage]);
    }
    return;
  }
  t::warpgroup_reg_alloc<232>();
  if (role == 2) t::named_barrier_arrive<256>(1);
  for (int step = 0; step < steps; ++step, at.next()) {
    t::mbarrier_wait(smem.full[at.stage], at.phase);
    const int value = smem.value[at.stage];
    __syncwarp();
    if (lane == 0) t::mbarrier_arrive(smem.empty[at.stage]);
    t::named_barrier_sync<256>(role);
    if (threadIdx.x % 128 == 0) smem.sum += value * role;
    t::named_barrier_arrive<256>(3 - role);
  }
  if (role == 1) {
    t::named_barrier_sync<256>(1);
    if (threadIdx.x == 128) *out = smem.sum;
  }
}
void checkRing() {
  const Buffer<int> out(1);
  LAUNCH(ringOfRoles, 384, 1024, 50, out.device);
  expect(out.get("roles")[0] == 3 * 40425, "roles with mbarriers, turns and registers");
}

}  // namespace

int main() {
  checkRing();
  checkMatrices<false>();
  checkMatrices<true>();
  checkBoxes();
  checkFive();
  checkWidths();
  checkMajors();
  checkTypes();
  printf("%d of %d right\n", right, checked);
  return right == checked ? 0 : 1;
}
