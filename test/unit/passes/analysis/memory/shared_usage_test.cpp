// shared_usage: the bytes of a kernel's shared memory, as the emitted struct lays them out. That they are sizeof(Smem) in
// every text is asserted by the emulator's texts.
#include "passes/analysis/memory/shared_usage.h"

#include <climits>

#include "gtest/gtest.h"

namespace tile2cu::passes {
namespace {

using ir::Scalar;

ir::SharedBuffer buffer(const std::string &name, Scalar scalar, int64_t extent, int alignment = 0) {
  ir::SharedBuffer made;
  made.name = name;
  made.members = {scalar};
  made.shape = {ir::Dim(extent)};
  made.alignment = alignment;
  return made;
}

ir::SharedBuffer placed(ir::SharedBuffer buffer, int slot, int stack) {
  buffer.slot = slot;
  buffer.stack = stack;
  return buffer;
}

TEST(SharedUsage, AlignmentMakesGaps) {
  ir::Kernel kernel;
  kernel.shared = {buffer("partial", Scalar::F32, 4), buffer("tile", Scalar::F16, 512, 1024)};
  EXPECT_EQ(sharedBytes(kernel), 2048);  // 16, a gap of 1008, and 1024
  kernel.shared = {buffer("tile", Scalar::F16, 512, 1024), buffer("partial", Scalar::F32, 4)};
  EXPECT_EQ(sharedBytes(kernel), 2048);  // the size is a multiple of the alignment
  kernel.shared = {buffer("flags", Scalar::I8, 3), buffer("sums", Scalar::F64, 1)};
  EXPECT_EQ(sharedBytes(kernel), 16);
}

TEST(SharedUsage, StacksOfASlotAreAUnion) {
  ir::Kernel kernel;
  kernel.shared = {placed(buffer("a", Scalar::F32, 256, 16), 0, 0),
                   placed(buffer("b", Scalar::F32, 200, 128), 0, 1),
                   placed(buffer("c", Scalar::F32, 200, 16), 0, 1)};
  std::string sum;
  EXPECT_EQ(totalBytes(kernel, INT_MAX, &sum), 1664);  // 800 + 800, in multiples of 128
  EXPECT_EQ(sum, "b 800 + c 800");
}

TEST(SharedUsage, StagesAndBarriers) {
  ir::Kernel kernel;
  kernel.shared = {buffer("ring", Scalar::F16, 512, 1024)};
  kernel.shared[0].stages = 4;
  kernel.rings.push_back({"", 4, {0}});
  std::string sum;
  EXPECT_EQ(totalBytes(kernel, INT_MAX, &sum), 5120);  // 4096 and 64 bytes of mbarriers
  EXPECT_EQ(sum, "4 stages of ring 4096");
  EXPECT_EQ(totalBytes(kernel, 2), 3072);
}

}  // namespace
}  // namespace tile2cu::passes
