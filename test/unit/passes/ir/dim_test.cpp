// Formulas of sizes: what arithmetic keeps, and their text.
#include "passes/ir/dim.h"

#include "gtest/gtest.h"
#include "passes/ir/builder.h"

namespace tile2cu::ir {
namespace {

Dim size(int64_t value, llvm::StringRef formula) { return {value, *Formula::parse(formula)}; }

TEST(Dim, Arithmetic) {
  const Dim block = size(64, "BLOCK"), depth = size(4, "DEPTH");
  EXPECT_EQ(block.times(2).str(), "128:2*BLOCK");
  EXPECT_EQ(Dim(2).times(block).str(), "128:2*BLOCK");
  EXPECT_EQ(block.times(depth).str(), "256:BLOCK*DEPTH");
  EXPECT_EQ(block.over(16).str(), "4:BLOCK/16");
  EXPECT_EQ(block.over(16).times(16).str(), "64:BLOCK");
  EXPECT_EQ(block.times(6).over(4).str(), "96:3*BLOCK/2");
  EXPECT_EQ(block.times(-1).str(), "-64:-1*BLOCK");
  EXPECT_EQ(block.plus(8).str(), "72:BLOCK+8");
  EXPECT_EQ(block.plus(8).plus(-8).str(), "64:BLOCK");
  EXPECT_EQ(block.plus(-1).str(), "63:BLOCK-1");
  // Another kernel of the template would round differently.
  EXPECT_EQ(block.over(48).str(), "1");
  EXPECT_EQ(block.plus(8).times(2).str(), "144");
  EXPECT_EQ((block + depth), 68);
  EXPECT_EQ(block.times(0).str(), "0");
}

// Constants of a program may be sizes: 64-bit products wrap around, and have no formula.
TEST(Dim, Overflow) {
  EXPECT_EQ(Dim(INT64_MIN).times(-2147483648).str(), "0");
  EXPECT_EQ(size(INT64_MIN, "N").times(-1).str(), std::to_string(INT64_MIN));
  EXPECT_EQ(Dim(4294967295).times(size(4294967295, "N")).str(), "-8589934591");
  EXPECT_EQ(size(INT64_MAX, "N").plus(1).str(), std::to_string(INT64_MIN));
  EXPECT_EQ(size(0, "N").plus(INT64_MAX).times(1).str(), std::to_string(INT64_MAX));
  EXPECT_EQ(size(-2, "N").plus(INT64_MAX).plus(2).str(), std::to_string(INT64_MAX));
  EXPECT_EQ(combined(OpKind::Sub, size(-1, "N"), INT64_MIN, INT64_MAX).str(),
            std::to_string(INT64_MAX));
}

TEST(Dim, Equality) {
  EXPECT_TRUE(size(64, "BLOCK") == size(64, "HEADS"));
  EXPECT_FALSE(size(64, "BLOCK").hasFormulaOf(size(64, "HEADS")));
  EXPECT_FALSE(size(64, "BLOCK").hasFormulaOf(64));
  EXPECT_TRUE(size(64, "BLOCK").hasFormulaOf(size(64, "BLOCK")));
  EXPECT_EQ(Dim(64).orFrom(size(64, "BLOCK")).str(), "64:BLOCK");
  EXPECT_EQ(Dim(32).orFrom(size(64, "BLOCK")).str(), "32");
  EXPECT_EQ(size(64, "HEADS").orFrom(size(64, "BLOCK")).str(), "64:HEADS");
}

TEST(Dim, Text) {
  for (const char *text : {"BLOCK", "2*BLOCK", "-1*BLOCK", "M*N/64", "3*M*N/2+8", "BLOCK-1"})
    EXPECT_EQ(Formula::parse(text)->str(), text);
  EXPECT_EQ(Formula::parse("6*BLOCK/4")->str(), "3*BLOCK/2");
  for (const char *text : {"", "64", "2*", "BLOCK/", "BLOCK/N", "BLOCK*2", "BLOCK+", "0*BLOCK"})
    EXPECT_FALSE(Formula::parse(text)) << text;
}

}  // namespace
}  // namespace tile2cu::ir
