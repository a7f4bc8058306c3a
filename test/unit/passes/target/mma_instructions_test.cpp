// Bank conflicts of a warp's accesses to shared memory, and the row pitch of tiles that follows from them.
#include "passes/target/mma_instructions.h"

#include <vector>

#include "gtest/gtest.h"

namespace tile2cu::passes {
namespace {

using ir::Scalar;

std::vector<int64_t> lanes(int64_t count, int64_t apart) {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < count; ++lane) addresses.push_back(lane * apart);
  return addresses;
}

TEST(BankWavefronts, countsWordsOfABank) {
  EXPECT_EQ(bankWavefronts(lanes(32, 4), 4), 1);
  EXPECT_EQ(bankWavefronts(lanes(32, 8), 4), 2);
  EXPECT_EQ(bankWavefronts(lanes(32, 128), 4), 32);
  EXPECT_EQ(bankWavefronts(lanes(32, 0), 4), 1);  // one word for all
  EXPECT_EQ(bankWavefronts(lanes(32, 1), 1), 1);
  EXPECT_EQ(bankWavefronts(lanes(32, 8), 8), 2);  // halves of the warp
  EXPECT_EQ(bankWavefronts(lanes(32, 16), 16), 4);
  EXPECT_EQ(bankWavefronts(lanes(8, 64), 16), 4);
}

int64_t pitch(Scalar type, Scalar sum, bool alongK, int64_t elements) {
  const FragmentReader reader{mmaShape(type, type, sum), alongK};
  return rowPitch(elements * ir::byteWidth(type), reader);
}

TEST(RowPitch, keepsReadersApart) {
  EXPECT_EQ(pitch(Scalar::F16, Scalar::F32, true, 32), 80);
  EXPECT_EQ(pitch(Scalar::F16, Scalar::F32, false, 64), 144);
  EXPECT_EQ(pitch(Scalar::F16, Scalar::F32, true, 24), 48);  // they are apart already
  EXPECT_EQ(pitch(Scalar::I8, Scalar::I32, true, 128), 144);
  EXPECT_EQ(pitch(Scalar::F32, Scalar::F32, true, 32), 144);
  EXPECT_EQ(pitch(Scalar::F32, Scalar::F32, false, 128), 512 + 32);  // 4 rows of 8 floats
  EXPECT_EQ(pitch(Scalar::F64, Scalar::F64, true, 16), 128 + 32);
  EXPECT_EQ(pitch(Scalar::F64, Scalar::F64, false, 16), 128 + 32);
}

TEST(MmaShapes, take32BytesOfK) {
  EXPECT_FALSE(ir::mmaShapes().empty());
  for (const MmaShape &shape : ir::mmaShapes()) {
    EXPECT_EQ(shape.k * shape.elementBytes(), 32) << shape.helper();
    EXPECT_EQ(shape.elementBytes(), ir::byteWidth(shape.b)) << shape.helper();
    EXPECT_EQ(&shape, mmaShape(shape.a, shape.b, shape.d)) << shape.helper();
    EXPECT_EQ(&shape, &mmaShape(shape.instruction)) << shape.helper();
    EXPECT_EQ(shape.registersOfA() * shape.registerBytes() * 32, shape.m * 32) << shape.helper();
    EXPECT_EQ(shape.registersOfB() * shape.registerBytes() * 32, shape.n * 32) << shape.helper();
  }
  EXPECT_FALSE(mmaShape(Scalar::I32, Scalar::I32, Scalar::I32));
}

}  // namespace
}  // namespace tile2cu::passes
