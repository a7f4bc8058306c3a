// ldmatrix on the emulator: against its definition, as operands of an mma, and as accesses to
// shared memory, which race and have to be aligned.
#include "fragments.h"
#include "testing.h"

namespace device_tests {
namespace {

using Kind = enum emulate::report::kind;

void expectLines(const std::string& text, std::initializer_list<const char*> markers) {
  for (const char* marker : markers) {
    const std::string line = lineOf(__FILE__, marker);
    EXPECT_NE(text.find(line), std::string::npos) << marker << " is " << line << "\n" << text;
  }
}

uint16_t* words() { return reinterpret_cast<uint16_t*>(dynamic_smem); }
// Row `row` of matrix `matrix`: rows are 24 elements apart, and the matrices upside down.
uint16_t* rowOf(int matrix, int row) { return words() + (matrix * 8 + 7 - row) * 24; }
uint16_t valueAt(int matrix, int row, int column) {
  return uint16_t(matrix * 1000 + row * 10 + column);
}

// Fills four matrices; then `load(r, lane, address)` with the address of row lane % 8 of matrix
// lane / 8, and the registers are compared.
template <int COUNT, class Load>
void checkMatrices(bool transposed, Load load) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    onBlock(32, [&] {
      const int lane = threadIdx.x;
      for (int column = 0; column < 8; ++column) {
        rowOf(lane / 8, lane % 8)[column] = valueAt(lane / 8, lane % 8, column);
      }
      __syncwarp();
      uint32_t r[COUNT];
      // Lanes that give no row may pass anything.
      load(r, lane < COUNT * 8 ? rowOf(lane / 8, lane % 8) : nullptr);
      for (int i = 0; i < COUNT; ++i) {
        for (int e = 0; e < 2; ++e) {
          const int line = lane / 4, along = lane % 4 * 2 + e;
          EXPECT_EQ(uint16_t(r[i] >> (16 * e)),
                    transposed ? valueAt(i, along, line) : valueAt(i, line, along))
              << lane << " " << i << " " << e;
        }
      }
    });
  }
}

TEST(Ldmatrix, Plain) {
  checkMatrices<1>(false, [](auto& r, const void* row) { tile2cu::ldmatrix_x1(r, row); });
  checkMatrices<2>(false, [](auto& r, const void* row) { tile2cu::ldmatrix_x2(r, row); });
  checkMatrices<4>(false, [](auto& r, const void* row) { tile2cu::ldmatrix_x4(r, row); });
  checkMatrices<4>(false, [](auto& r, const void* row) {
    uint32_t first[2], second[2];
    tile2cu::ldmatrix_x4(first, second, row);
    r[0] = first[0], r[1] = first[1], r[2] = second[0], r[3] = second[1];
  });
}

TEST(Ldmatrix, Transposed) {
  checkMatrices<1>(true, [](auto& r, const void* row) { tile2cu::ldmatrix_x1_trans(r, row); });
  checkMatrices<2>(true, [](auto& r, const void* row) { tile2cu::ldmatrix_x2_trans(r, row); });
  checkMatrices<4>(true, [](auto& r, const void* row) { tile2cu::ldmatrix_x4_trans(r, row); });
  checkMatrices<4>(true, [](auto& r, const void* row) {
    uint32_t first[2], second[2];
    tile2cu::ldmatrix_x4_trans(first, second, row);
    r[0] = first[0], r[1] = first[1], r[2] = second[0], r[3] = second[1];
  });
}

// As a matmul uses them: a [16][16] and b [16][16] (rows of k) in shared memory, two mma.
TEST(Ldmatrix, OperandsOfMma) {
  using fragments::F16;
  const fragments::Product<fragments::Bits16, F16, F16, 16> left(1), right(2);
  onBlock(32, [&] {
    const int lane = threadIdx.x;
    uint16_t *const a = words(), *const b = words() + 256;
    for (int i = lane; i < 256; i += 32) {
      a[i] = uint16_t(F16::encode(left.a[i / 16][i % 16]));
      const auto& half = i % 16 < 8 ? left : right;
      b[i] = uint16_t(F16::encode(half.b[i / 16][i % 8]));
    }
    __syncwarp();
    uint32_t a_frag[4], b_frag[2][2];
    tile2cu::ldmatrix_x4(a_frag, a + lane % 16 * 16 + lane / 16 * 8);
    tile2cu::ldmatrix_x4_trans(b_frag[0], b_frag[1], b + lane % 16 * 16 + lane / 16 * 8);
    for (int r = 0; r < 4; ++r) EXPECT_EQ(a_frag[r], left.a_registers[lane][r]);
    for (int r = 0; r < 2; ++r) {
      EXPECT_EQ(b_frag[0][r], left.b_registers[lane][r]);
      EXPECT_EQ(b_frag[1][r], right.b_registers[lane][r]);
    }
    float d[4] = {};
    tile2cu::mma_m16n8k16_f16(d, a_frag, b_frag[1]);
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = fragments::c(lane, i);
      int want = 0;
      for (int k = 0; k < 16; ++k) want += left.a[row][k] * right.b[k][column];
      EXPECT_EQ(d[i], float(want));
    }
  });
}

// 8-bit elements: a with rows of m, b with columns of n, each pair as one element of 16 bits.
TEST(Ldmatrix, OperandsOf8Bits) {
  const fragments::Product<fragments::Bits8, fragments::S8, fragments::U8, 32> product(3);
  onBlock(32, [&] {
    const int lane = threadIdx.x;
    unsigned char *const a = dynamic_smem, *const b = dynamic_smem + 512;
    for (int i = lane; i < 512; i += 32) a[i] = uint8_t(product.a[i / 32][i % 32]);
    for (int i = lane; i < 256; i += 32) b[i] = uint8_t(product.b[i % 32][i / 32]);
    __syncwarp();
    uint32_t a_frag[4], b_frag[2];
    tile2cu::ldmatrix_x4(a_frag, a + lane % 16 * 32 + lane / 16 * 16);
    tile2cu::ldmatrix_x2(b_frag, b + lane % 8 * 32 + lane / 8 % 2 * 16);
    for (int r = 0; r < 4; ++r) EXPECT_EQ(a_frag[r], product.a_registers[lane][r]);
    for (int r = 0; r < 2; ++r) EXPECT_EQ(b_frag[r], product.b_registers[lane][r]);
  });
}

// ---- faults

TEST(Ldmatrix, Races) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    launch(1, 64, [] {
      words()[threadIdx.x * 8] = 1;  // the row's writer
      uint32_t r[4];
      __syncwarp();
      tile2cu::ldmatrix_x4(r, words() + (threadIdx.x ^ 32) * 8);  // without barrier
    });
    expectLines(soleReport(Kind::race), {"the row's writer", "without barrier"});
  }
}

TEST(Ldmatrix, OrdersNothing) {
  const Quietly quietly;
  launch(1, 32, [] {
    uint32_t r[1];
    words()[threadIdx.x * 8 + 256] = 1;  // before it
    tile2cu::ldmatrix_x1(r, words() + threadIdx.x * 8);
    volatile uint16_t other = words()[(threadIdx.x ^ 1) * 8 + 256];  // after it
    (void)other;
  });
  expectLines(soleReport(Kind::race), {"before it", "after it"});
}

TEST(Ldmatrix, WhileACopyIsOnItsWay) {
  const Quietly quietly;
  alignas(16) static const uint16_t source[32 * 8] = {};
  launch(1, 32, [] {
    uint32_t r[4];
    tile2cu::cp_async<16>(words() + threadIdx.x * 8, source + threadIdx.x * 8);  // copy
    tile2cu::cp_async_commit();
    __syncthreads();
    tile2cu::ldmatrix_x4(r, words() + threadIdx.x * 8);  // load of a copy
    EXPECT_EQ(r[0], 0xffffffffu);
  });
  expectLines(soleReport(Kind::race), {"copy", "load of a copy"});
}

TEST(Ldmatrix, Misaligned) {
  const Quietly quietly;
  const cudaError_t error = launch(1, 32, [] {
    uint32_t r[2];
    tile2cu::ldmatrix_x2(r, words() + threadIdx.x * 8 + (threadIdx.x == 9 ? 4 : 0));  // 8 bytes off
  });
  EXPECT_EQ(error, cudaErrorMisalignedAddress);
  expectLines(soleReport(Kind::misaligned), {"8 bytes off"});
}

TEST(Ldmatrix, OutsideSharedMemory) {
  const Quietly quietly;
  alignas(16) static uint16_t global[32 * 8];
  launch(1, 32, [] {
    uint32_t r[4];
    tile2cu::ldmatrix_x4(r, global + threadIdx.x * 8);  // from global
  });
  expectLines(soleReport(Kind::out_of_bounds), {"from global"});
}

TEST(Ldmatrix, NotAllLanes) {
  const Quietly quietly;
  const cudaError_t error = launch(1, 32, [] {
    uint32_t r[1];
    if (threadIdx.x < 8) tile2cu::ldmatrix_x1(r, words() + threadIdx.x * 8);  // eight lanes
  });
  EXPECT_EQ(error, cudaErrorLaunchFailure);
  const std::string text = soleReport(Kind::deadlock);
  expectLines(text, {"eight lanes"});
  EXPECT_NE(text.find("threads 0-7 wait in ldmatrix_x1"), std::string::npos) << text;
}

}  // namespace
}  // namespace device_tests
