// Variables of a text that is lowered, and the changes of their values.
#include "emit/cuda/names.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {
namespace {

TEST(Names, SymbolsAreUnique) {
  Names names;
  const Symbol first = names.take("row"), second = names.take("row"),
               ours = names.take("row", {Origin::Generated}), constant = names.symbol("STEPS");
  EXPECT_NE(first, second);
  EXPECT_NE(second, ours);
  for (const Symbol &symbol : {first, second, ours}) {
    EXPECT_TRUE(symbol.isOpen());
    EXPECT_EQ(symbol.wanted(), "row");
  }
  EXPECT_FALSE(second.isGenerated());
  EXPECT_TRUE(ours.isGenerated());
  EXPECT_EQ(names.take("2 rows", {.second = "a.b"}).wanted(), "value_2_rows");
  EXPECT_EQ(names.take("2 rows", {.second = "a.b"}).second(), "a_b");
  // A constant is no variable.
  EXPECT_TRUE(names.readsOf(named(constant)).empty());
  Names others;
  others.startAfter(names);
  EXPECT_NE(others.symbol("row"), first);
  EXPECT_EQ(Names().symbol("row"), first);
}

TEST(Names, VariablesEndWithTheirScopes) {
  Names names;
  names.open();
  const Reads reads = names.readsOf(named(names.take("x")));
  EXPECT_EQ(reads.size(), 1u);
  names.close();
  EXPECT_EQ(names.firstChanged(reads).wanted(), "x");
  const Symbol x = names.take("x");  // another variable
  EXPECT_EQ(names.firstChanged(reads).wanted(), "x");
  const Reads others = names.readsOf(named(x));
  EXPECT_FALSE(names.firstChanged(others));
  names.release(x);
  EXPECT_EQ(names.firstChanged(others).wanted(), "x");
}

TEST(Names, ConstantsHoldUntilWhatTheyReadChanges) {
  Names names;
  const Expr kInt = word("int"), x = named(names.take("x"));
  const Expr first = sum(x, integer(1)), second = sum(x, integer(2));
  const Symbol next = names.take("next");
  names.rememberConstant(kInt, first, next);
  ASSERT_NE(names.constant(kInt, first), nullptr);
  EXPECT_EQ(names.constant(kInt, first)->name, next);
  EXPECT_EQ(names.constant(word("int64_t"), first), nullptr);
  EXPECT_EQ(names.constant(kInt, second), nullptr);
  names.open();
  names.rememberConstant(kInt, second, names.take("second"));
  EXPECT_NE(names.constant(kInt, second), nullptr);
  names.close();
  EXPECT_EQ(names.constant(kInt, second), nullptr);
  names.change(x.symbol());
  EXPECT_EQ(names.constant(kInt, first), nullptr);
}

TEST(Names, WhatAnExpressionReads) {
  Names names;
  const Symbol x = names.take("x"), row = names.take("row");
  // x(smem.row, row[row]): neither the function nor the member is a variable.
  const Expr e = call("x", {member(named("smem"), "row"), elementOf(named(row), named(row))});
  const Reads reads = names.readsOf(e);
  EXPECT_EQ(reads.size(), 2u);
  names.change(x);
  EXPECT_FALSE(names.firstChanged(reads));
  names.change(row);
  EXPECT_EQ(names.firstChanged(reads).wanted(), "row");
}

// if (c) { x = ...; } else { y = ...; }
TEST(Names, SidesOfABranchStartAlike) {
  Names names;
  const Symbol a = names.take("x"), b = names.take("y"), c = names.take("z");
  const Reads x = names.readsOf(named(a)), y = names.readsOf(named(b)), z = names.readsOf(named(c));
  const Names::Place start = names.place();
  names.change(a);
  names.change(a);
  names.open();
  names.change(names.take("inner"));
  names.close();
  EXPECT_EQ(names.firstChanged(x).wanted(), "x");
  const std::vector<unsigned> first = names.takeBack(start);
  EXPECT_EQ(first.size(), 1u);
  EXPECT_FALSE(names.firstChanged(x));
  names.change(b);
  const std::vector<unsigned> second = names.takeBack(start);
  names.change(first);
  names.change(second);
  EXPECT_EQ(names.firstChanged(x).wanted(), "x");
  EXPECT_EQ(names.firstChanged(y).wanted(), "y");
  EXPECT_FALSE(names.firstChanged(z));
  EXPECT_EQ(names.changedSince(start).size(), 2u);
  EXPECT_FALSE(names.areOthers(names.changedSince(start), {b, a}));
  EXPECT_TRUE(names.areOthers(names.changedSince(start), {b, c}));
}

}  // namespace
}  // namespace tile2cu::emit
