// wgmma on the emulator: every type, major and swizzle against plain loops; what is not waited for.
#include <cstring>
#include <numeric>

#include "panels.h"
#include "testing.h"

namespace device_tests {
namespace {

using Kind = enum emulate::report::kind;
using panels::elementA;
using panels::elementB;
using panels::Layout;
using tile2cu::major;

struct Tf32 {
  float value;
  Tf32(float x) : value(x) {}
};

template <class T>
void fillOperand(unsigned char* to, const Layout& layout, int (*element)(int, int)) {
  for (int e = int(threadIdx.x); e < layout.rows * layout.depth; e += int(blockDim.x)) {
    const int i = e / layout.depth, k = e % layout.depth;
    const T value(std::is_unsigned_v<T> ? element(i, k) & 7 : element(i, k));
    // Bytes, so that nothing is said about alignment.
    std::memcpy(to + layout.place(i, k), &value, sizeof(T));
  }
}

template <class A, class B>
float expected(int m, int n, int depth) {
  float sum = 0;
  for (int k = 0; k < depth; ++k) {
    const int a = elementA(m, k), b = elementB(n, k);
    sum += float(std::is_unsigned_v<A> ? a & 7 : a) * float(std::is_unsigned_v<B> ? b & 7 : b);
  }
  return sum;
}

// Two k-steps, the first one without and the second one with the contents of acc.
template <int N, int K, class A, class B, class Sum, class Multiply>
void checkProduct(bool a_mn, int a_row, bool b_mn, int b_row, Multiply multiply) {
  constexpr int DEPTH = 128 / int(sizeof(A));  // the row of a panel of 128 bytes
  const Layout a = {a_mn, a_row, int(sizeof(A)), 64, DEPTH};
  const Layout b = {b_mn, b_row, int(sizeof(B)), N, DEPTH};
  constexpr int B_AT = 16 << 10;
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    int right[128] = {};
    EXPECT_EQ(cudaSuccess,
              launch(
                  1, 128,
                  [&] {
                    fillOperand<A>(dynamic_smem, a, elementA);
                    fillOperand<B>(dynamic_smem + B_AT, b, elementB);
                    tile2cu::fence_proxy_async();
                    __syncthreads();
                    typename tile2cu::wgmma_fragment<Sum>::type acc[N / 8];
                    tile2cu::wgmma_fence(acc);
                    for (int k = 0; k < DEPTH; k += K) {
                      multiply(acc,
                               tile2cu::wgmma_operand<128>(dynamic_smem + a.plain(0, k),
                                                           a_mn ? a.panelBytes() : 0),
                               tile2cu::wgmma_operand<128>(dynamic_smem + B_AT + b.plain(0, k),
                                                           b_mn ? b.panelBytes() : 0),
                               k > 0);
                    }
                    tile2cu::wgmma_commit();
                    tile2cu::wgmma_wait<0>(acc);
                    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
                    for (int j = 0; j < N / 8; ++j)
                      for (int e = 0; e < 4; ++e)
                        right[threadIdx.x] += float(reinterpret_cast<const Sum*>(acc[j])[e]) ==
                                              expected<A, B>(16 * warp + lane / 4 + e / 2 * 8,
                                                             8 * j + lane % 4 * 2 + e % 2, DEPTH);
                  },
                  48 << 10));
    for (const emulate::report& report : emulate::take_reports()) ADD_FAILURE() << report.text;
    EXPECT_EQ(std::accumulate(right, right + 128, 0), 64 * N)
        << "rows of " << a_row << " and " << b_row << " bytes";
  }
}

#define CHECK(N, K, KIND, A, B, SUM, A_MAJOR, A_ROW, B_MAJOR, B_ROW)                         \
  checkProduct<N, K, A, B, SUM>(                                                             \
      major::A_MAJOR == major::mn, A_ROW, major::B_MAJOR == major::mn, B_ROW,                \
      [](auto& acc, uint32_t a, uint32_t b, bool on) {                                       \
        tile2cu::wgmma_m64n##N##k##K##_##KIND<major::A_MAJOR, major::B_MAJOR, A_ROW, B_ROW>( \
            acc, a, b, on);                                                                  \
      })

TEST(Wgmma, MajorsAndSwizzles) {
  CHECK(64, 16, f16, __half, __half, float, k, 128, k, 128);
  CHECK(64, 16, f16, __half, __half, float, k, 128, mn, 128);
  CHECK(64, 16, f16, __half, __half, float, mn, 128, k, 128);
  CHECK(64, 16, f16, __half, __half, float, mn, 128, mn, 128);
  CHECK(32, 16, f16, __half, __half, float, k, 64, k, 32);
  CHECK(32, 16, f16, __half, __half, float, k, 32, mn, 64);
  CHECK(64, 16, f16, __half, __half, float, mn, 64, mn, 32);
  CHECK(64, 16, f16, __half, __half, float, mn, 32, k, 64);
}

TEST(Wgmma, Types) {
  CHECK(16, 16, bf16, __nv_bfloat16, __nv_bfloat16, float, mn, 128, k, 64);
  CHECK(24, 16, f16_acc_f16, __half, __half, __half, k, 128, mn, 32);
  CHECK(16, 8, tf32, Tf32, Tf32, float, k, 128, k, 64);
  CHECK(16, 32, e4m3, __nv_fp8_e4m3, __nv_fp8_e4m3, float, k, 128, k, 128);
  CHECK(16, 32, e5m2, __nv_fp8_e5m2, __nv_fp8_e5m2, float, k, 64, k, 32);
  CHECK(16, 32, e4m3_e5m2, __nv_fp8_e4m3, __nv_fp8_e5m2, float, k, 128, k, 128);
  CHECK(16, 32, e5m2_e4m3, __nv_fp8_e5m2, __nv_fp8_e4m3, float, k, 128, k, 128);
  CHECK(16, 32, s8, int8_t, int8_t, int, k, 128, k, 32);
  CHECK(24, 32, u8, uint8_t, uint8_t, int, k, 128, k, 128);
  CHECK(32, 32, s8_u8, int8_t, uint8_t, int, k, 128, k, 128);
  CHECK(16, 32, u8_s8, uint8_t, int8_t, int, k, 64, k, 128);
}

TEST(Wgmma, Widths) {
  CHECK(8, 16, f16, __half, __half, float, k, 128, mn, 128);
  CHECK(8, 32, s8, int8_t, int8_t, int, k, 128, k, 128);
  CHECK(200, 16, bf16, __nv_bfloat16, __nv_bfloat16, float, k, 128, k, 128);
  CHECK(256, 16, f16, __half, __half, float, k, 128, k, 128);
}

// acc = A * B of float16, A in registers; acc without the dimension of columns.
TEST(Wgmma, RegistersAndOneColumn) {
  const Layout b = {false, 32, 2, 8, 16};
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    onBlock(128, [&] {
      fillOperand<__half>(dynamic_smem, b, elementB);
      tile2cu::fence_proxy_async();
      __syncthreads();
      const int lane = int(threadIdx.x) % 32, row = int(threadIdx.x) / 32 * 16 + lane / 4;
      uint32_t a[4];
      for (int r = 0; r < 4; ++r) {
        const int m = row + r % 2 * 8, k = r / 2 * 8 + lane % 4 * 2;
        a[r] = tile2cu::pack_half(float(elementA(m, k)), float(elementA(m, k + 1)));
      }
      float acc[4];
      tile2cu::wgmma_fence(acc, a);
      tile2cu::wgmma_m64n8k16_f16<major::k, major::k, 128, 32>(
          acc, a, tile2cu::wgmma_operand<32>(dynamic_smem), false);
      tile2cu::wgmma_commit();
      tile2cu::wgmma_wait<0>(acc);
      for (int e = 0; e < 4; ++e)
        EXPECT_EQ(acc[e], (expected<__half, __half>(row + e / 2 * 8, lane % 4 * 2 + e % 2, 16)));
    });
  }
}

// ---- what is wrong

// One product of N = 8; `before` and `after` are called around its commit and wait.
struct Steps {
  bool fence_proxy = true, fence = true, wait = true;
  std::function<void(float (&)[1][4])> pending = [](auto&) {};
};
void oneProduct(const Steps& steps) {
  const Layout layout = {false, 128, 2, 64, 16};
  launch(
      1, 128,
      [&] {
        fillOperand<__half>(dynamic_smem, layout, elementA);  // writes the operand
        if (steps.fence_proxy) tile2cu::fence_proxy_async();
        __syncthreads();
        float acc[1][4] = {};
        if (steps.fence) tile2cu::wgmma_fence(acc);
        const uint32_t operand = tile2cu::wgmma_operand<128>(dynamic_smem);
        tile2cu::wgmma_m64n8k16_f16<major::k, major::k>(acc, operand, operand, true);  // product
        tile2cu::wgmma_commit();
        steps.pending(acc);
        if (steps.wait) tile2cu::wgmma_wait<0>(acc);
      },
      16 << 10);
}

TEST(Wgmma, Right) {
  oneProduct({});
  EXPECT_TRUE(emulate::take_reports().empty());
}

TEST(Wgmma, UnfencedOperand) {
  const Quietly quietly;
  oneProduct({.fence_proxy = false});
  const std::vector<emulate::report> reports = emulate::take_reports();
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports[0].kind, Kind::asynchronous);
  EXPECT_NE(reports[0].text.find("fence_proxy_async has to come between"), std::string::npos);
}

TEST(Wgmma, OnlyOnHopper) {
  const Quietly quietly;
  EXPECT_TRUE(tile2cu::on_hopper());
  emulate::settings().compute_capability = 80;
  EXPECT_FALSE(tile2cu::on_hopper());
  oneProduct({});
  EXPECT_NE(soleReport(Kind::asynchronous).find("not of compute capability 9.0"),
            std::string::npos);
}

TEST(Wgmma, NoFence) {
  const Quietly quietly;
  oneProduct({.fence = false});
  EXPECT_NE(soleReport(Kind::asynchronous).find("without a wgmma_fence"), std::string::npos);
}

TEST(Wgmma, NoWait) {
  const Quietly quietly;
  oneProduct({.wait = false});
  EXPECT_NE(soleReport(Kind::asynchronous).find("ends before this wgmma"), std::string::npos);
}

TEST(Wgmma, SumsBeforeTheWait) {
  const Quietly quietly;
  oneProduct({.pending = [](auto& acc) { EXPECT_TRUE(std::isnan(acc[0][0])); }});
  EXPECT_TRUE(emulate::take_reports().empty());
  oneProduct({.pending = [](auto& acc) { acc[0][3] = 2.0f; }});
  EXPECT_NE(soleReport(Kind::asynchronous).find("was changed before"), std::string::npos);
}

TEST(Wgmma, OperandsBeforeTheWait) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    oneProduct({.pending = [](auto&) {
      if (threadIdx.x == 5) dynamic_smem[128 + 16] = 1;
    }});
    EXPECT_NE(soleReport(Kind::asynchronous).find("is still reading"), std::string::npos);
  }
}

// After the wait of one warp only: nothing tells the others.
TEST(Wgmma, OperandsAfterTheWaitOfAnother) {
  const Quietly quietly;
  const Layout layout = {false, 128, 2, 64, 16};
  launch(1, 256, [&] {
    fillOperand<__half>(dynamic_smem, layout, elementA);
    tile2cu::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x < 128) {
      float acc[1][4];
      tile2cu::wgmma_fence(acc);
      const uint32_t operand = tile2cu::wgmma_operand<128>(dynamic_smem);
      tile2cu::wgmma_m64n8k16_f16<major::k, major::k>(acc, operand, operand, false);
      tile2cu::wgmma_commit();
      tile2cu::wgmma_wait<0>(acc);
    } else {
      for (int i = 0; i < 4; ++i) __syncwarp();
      if (threadIdx.x == 128) dynamic_smem[0] = 1;
    }
  });
  const std::vector<emulate::report> reports = emulate::take_reports();
  EXPECT_FALSE(reports.empty());
  for (const emulate::report& report : reports) {
    EXPECT_TRUE(report.kind == Kind::race || report.kind == Kind::asynchronous) << report.text;
  }
}

TEST(Wgmma, PartOfAWarpgroup) {
  const Quietly quietly;
  launch(1, 64, [] { tile2cu::wgmma_fence(); });
  EXPECT_NE(soleReport(Kind::divergence).find("takes 128 threads"), std::string::npos);
}

}  // namespace
}  // namespace device_tests
