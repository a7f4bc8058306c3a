// Names that are free in a scope: a number only where two would clash.
#include "emit/cuda/free_names.h"

#include <gtest/gtest.h>

namespace tile2cu::emit {
namespace {

TEST(FreeNames, NumbersOnlyForClashes) {
  FreeNames names;
  EXPECT_EQ(names.take("row"), "row");
  EXPECT_EQ(names.take("row"), "row_2");
  EXPECT_EQ(names.take("row"), "row_3");
  EXPECT_EQ(names.take("row_2"), "row_2_2");
  EXPECT_EQ(names.take("column"), "column");
}

TEST(FreeNames, ScopesEnd) {
  FreeNames names;
  EXPECT_EQ(names.take("x"), "x");
  names.open();
  EXPECT_EQ(names.take("x"), "x_2");
  EXPECT_EQ(names.take("y"), "y");
  names.close();
  EXPECT_EQ(names.take("y"), "y");
  EXPECT_EQ(names.take("x"), "x_2");
}

TEST(FreeNames, ReservedWords) {
  FreeNames names;
  for (const char *word : {"int", "threadIdx", "tid", "smem", "exp", "template", "min"})
    EXPECT_EQ(names.take(word), std::string(word) + "_value");
  EXPECT_FALSE(names.reserve("lane"));
  EXPECT_TRUE(names.reserve("mine"));
  EXPECT_FALSE(names.reserve("mine"));
  EXPECT_EQ(names.take("mine"), "mine_2");
}

TEST(FreeNames, AreIdentifiers) {
  FreeNames names;
  EXPECT_EQ(names.take("a.b"), "a_b");
  EXPECT_EQ(names.take("2x"), "value_2x");
  EXPECT_EQ(names.take(""), "value");
  EXPECT_EQ(names.take("_"), "value_2");
}

TEST(FreeNames, Forms) {
  EXPECT_EQ(singular("cols"), "col");
  EXPECT_EQ(singular("offsets"), "offset");
  EXPECT_EQ(singular("mass"), "mass");
  EXPECT_EQ(singular("status"), "status");
  EXPECT_EQ(singular("axis"), "axis");
  EXPECT_EQ(singular("is"), "is");
  EXPECT_EQ(singular("mask"), "mask");
  EXPECT_EQ(camelCase("softmax_online"), "SoftmaxOnline");
  EXPECT_EQ(camelCase("x"), "X");
  EXPECT_EQ(camelCase("already_Mixed2"), "AlreadyMixed2");
}

}  // namespace
}  // namespace tile2cu::emit
