// Names: the user's survive; a number only where two would clash in one scope.
#include "emit/cuda/symbols.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {
namespace {

TEST(Names, NumbersOnlyForClashes) {
  Names names;
  EXPECT_EQ(names.take("row"), "row");
  EXPECT_EQ(names.take("row"), "row_2");
  EXPECT_EQ(names.take("row"), "row_3");
  EXPECT_EQ(names.take("row_2"), "row_2_2");
  EXPECT_EQ(names.take("column"), "column");
}

TEST(Names, ScopesEnd) {
  Names names;
  EXPECT_EQ(names.take("x"), "x");
  names.open();
  EXPECT_EQ(names.take("x"), "x_2");
  EXPECT_EQ(names.take("y"), "y");
  names.close();
  EXPECT_EQ(names.take("y"), "y");
  EXPECT_EQ(names.take("x"), "x_2");
}

TEST(Names, ReservedWords) {
  Names names;
  for (const char *word : {"int", "threadIdx", "tid", "smem", "exp", "template", "min"})
    EXPECT_EQ(names.take(word), std::string(word) + "_2");
  EXPECT_FALSE(names.reserve("lane"));
  EXPECT_TRUE(names.reserve("mine"));
  EXPECT_FALSE(names.reserve("mine"));
  EXPECT_EQ(names.take("mine"), "mine_2");
}

TEST(Names, AreIdentifiers) {
  Names names;
  EXPECT_EQ(names.take("a.b"), "a_b");
  EXPECT_EQ(names.take("2x"), "value_2x");
  EXPECT_EQ(names.take(""), "value");
  EXPECT_EQ(names.take("_"), "value_2");
}

TEST(Names, VariablesEndWithTheirScopes) {
  Names names;
  names.open();
  names.take("x");
  const Reads reads = names.readsOf(named("x"));
  names.close();
  EXPECT_EQ(names.firstChanged(reads), "x");
  names.take("x");  // another variable
  EXPECT_EQ(names.firstChanged(reads), "x");
  const Reads others = names.readsOf(named("x"));
  names.release("x");
  EXPECT_EQ(names.firstChanged(others), "x");
}

TEST(Names, ConstantsHoldUntilWhatTheyReadChanges) {
  Names names;
  names.take("x");
  const Expr first = sum(named("x"), integer(1)), second = sum(named("x"), integer(2));
  names.rememberConstant("int", first, names.take("next"));
  ASSERT_NE(names.constant("int", first), nullptr);
  EXPECT_EQ(names.constant("int", first)->name, "next");
  EXPECT_EQ(names.constant("int64_t", first), nullptr);
  EXPECT_EQ(names.constant("int", second), nullptr);
  names.open();
  names.rememberConstant("int", second, names.take("second"));
  EXPECT_NE(names.constant("int", second), nullptr);
  names.close();
  EXPECT_EQ(names.constant("int", second), nullptr);
  names.change("x");
  EXPECT_EQ(names.constant("int", first), nullptr);
}

TEST(Names, WhatAnExpressionReads) {
  Names names;
  names.take("x");
  names.take("row");
  // x(smem.row, row[row]): neither the function nor the member is a variable.
  const Expr e = call("x", {member(named("smem"), "row"), elementOf(named("row"), named("row"))});
  const Reads reads = names.readsOf(e);
  EXPECT_EQ(reads.size(), 2u);
  names.change("x");
  EXPECT_EQ(names.firstChanged(reads), "");
  names.change("row");
  EXPECT_EQ(names.firstChanged(reads), "row");
}

// if (c) { x = ...; } else { y = ...; }
TEST(Names, SidesOfABranchStartAlike) {
  Names names;
  for (const char *name : {"x", "y", "z"}) names.take(name);
  const Reads x = names.readsOf(named("x")), y = names.readsOf(named("y")),
              z = names.readsOf(named("z"));
  const Names::Place start = names.place();
  names.change("x");
  names.change("x");
  names.open();
  names.take("inner");
  names.change("inner");
  names.close();
  EXPECT_EQ(names.firstChanged(x), "x");
  const std::vector<unsigned> first = names.takeBack(start);
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(names.firstChanged(x), "");
  names.change("y");
  const std::vector<unsigned> second = names.takeBack(start);
  names.change(first);
  names.change(second);
  EXPECT_EQ(names.firstChanged(x), "x");
  EXPECT_EQ(names.firstChanged(y), "y");
  EXPECT_EQ(names.firstChanged(z), "");
  EXPECT_EQ(names.changedSince(start).size(), 2u);
  EXPECT_FALSE(names.areOthers(names.changedSince(start), {"y", "x"}));
  EXPECT_TRUE(names.areOthers(names.changedSince(start), {"y", "z"}));
}

TEST(Names, Forms) {
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
