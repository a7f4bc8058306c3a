// Proofs about polynomials.
#include "passes/analysis/integer/linear_prover.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

// Atoms by letter: c and d are coordinates from 0 to 31, the others parameters; n and m are not negative, x and y can be anything.
class InequalitiesTest : public ::testing::Test {
 protected:
  InequalitiesTest() {
    test::parseOrFail(test::kernelText("%n: i32, %m: i32, %x: i32, %y: i32", ""), module_);
  }

  Polynomial operator[](char letter) const {
    if (letter == 'c' || letter == 'd') return Polynomial(Atom{nullptr, unsigned(letter - 'c')});
    const size_t at = std::string("nmxy").find(letter);
    return Polynomial(Atom{module_.kernels.front().body.argument(at)});
  }
  static Polynomial number(int64_t value) { return Polynomial(value); }

  bool isNegative(const Polynomial &sum, const std::vector<Polynomial> &known = {}) const {
    Inequalities assumptions([&](const Atom &atom) -> Inequalities::Bounds {
      if (!atom.value) return {0, 31};
      if (atom.value->name == "n" || atom.value->name == "m") return {0, std::nullopt};
      return {};
    });
    for (const Polynomial &each : known) assumptions.add(each);
    return assumptions.isNegative(sum);
  }

  ir::Module module_;
};

TEST_F(InequalitiesTest, Numbers) {
  const auto &I = *this;
  EXPECT_TRUE(isNegative(number(-1)));
  EXPECT_FALSE(isNegative(number(0)));
  EXPECT_FALSE(isNegative(Polynomial()));
  EXPECT_TRUE(isNegative(I['c'] - number(32)));
  EXPECT_FALSE(isNegative(I['c'] - number(31)));
  EXPECT_TRUE(isNegative(I['c'] - I['d'] - number(32)));
  EXPECT_FALSE(isNegative(I['c'] + I['d'] - number(62)));
}

TEST_F(InequalitiesTest, Signs) {
  const auto &I = *this;
  EXPECT_TRUE(isNegative(number(-1) - I['n']));
  EXPECT_TRUE(isNegative(number(-1) - I['n'] * I['m'] * I['c']));
  EXPECT_FALSE(isNegative(number(-1) - I['x']));
  EXPECT_FALSE(isNegative(number(-1) - I['n'] * I['x']));
  EXPECT_FALSE(isNegative(number(-1) - I['x'] * I['x']));  // true, but not seen
  EXPECT_FALSE(isNegative(I['n'] - number(1)));
}

TEST_F(InequalitiesTest, WhatIsKnown) {
  const auto &I = *this;
  EXPECT_TRUE(isNegative(I['x'] - I['y'], {I['x'] - I['y']}));
  EXPECT_TRUE(isNegative(I['x'] - I['y'], {I['x'] - I['y'] + number(3)}));
  EXPECT_FALSE(isNegative(I['x'] - I['y'], {I['x'] - I['y'] - number(1)}));
  EXPECT_FALSE(isNegative(I['y'] - I['x'], {I['x'] - I['y']}));
  // x < y < n  =>  x + 1 < n
  EXPECT_TRUE(isNegative(I['x'] - I['n'] + number(1), {I['x'] - I['y'], I['y'] - I['n']}));
  EXPECT_FALSE(isNegative(I['x'] - I['n'] + number(2), {I['x'] - I['y'], I['y'] - I['n']}));
  // c < x: x is 1 or more.
  EXPECT_TRUE(isNegative(Polynomial() - I['x'], {I['c'] - I['x']}));
  EXPECT_FALSE(isNegative(number(1) - I['x'], {I['c'] - I['x']}));
}

TEST_F(InequalitiesTest, RowsAndColumns) {
  const auto &I = *this;
  // c n + d < m n  where c < m and d < n
  const std::vector<Polynomial> inside = {I['c'] - I['m'], I['d'] - I['n']};
  const Polynomial last = I['c'] * I['n'] + I['d'] - I['m'] * I['n'];
  EXPECT_TRUE(isNegative(last, inside));
  EXPECT_FALSE(isNegative(last + number(1), inside));
  EXPECT_FALSE(isNegative(last, {inside[0]}));
  EXPECT_FALSE(isNegative(last, {inside[1]}));
  // A number of columns that is unknown is known by them.
  EXPECT_TRUE(
      isNegative(I['c'] * I['x'] + I['d'] - I['m'] * I['x'], {I['c'] - I['m'], I['d'] - I['x']}));
  // One that may be negative is not.
  const Polynomial less = I['x'] * (I['c'] - I['m'] + number(1)) - number(1);
  EXPECT_FALSE(isNegative(less, {I['c'] - I['m']}));
  EXPECT_TRUE(isNegative(less, {I['c'] - I['m'], I['d'] - I['x']}));
}

TEST_F(InequalitiesTest, LargeNumbersProveNothing) {
  const auto &I = *this;
  const int64_t large = int64_t{1} << 61;
  EXPECT_FALSE(isNegative(I['c'] * number(large) - I['n'] - number(large)));
  EXPECT_FALSE(isNegative(number(-1) - I['x'] * number(large), {number(large) - I['x']}));
  EXPECT_FALSE(isNegative(I['c'] * number(INT64_MIN) - number(1)));
}

// What does not fit is not known, whatever is subtracted from it afterwards.
TEST_F(InequalitiesTest, FactorsThatOverflow) {
  const auto &I = *this;
  const Polynomial large = I['x'] * number(int64_t{1} << 62);
  for (const Polynomial &sum :
       {large + large, large * number(4), number(0) - large - large - large,
        number(INT64_MIN) - number(1), I['x'] * number(INT64_MIN) * number(-1)}) {
    EXPECT_FALSE((sum - sum).isZero());
    EXPECT_FALSE(sum.constant());
    EXPECT_FALSE((sum - sum + number(1)).constant());
    EXPECT_FALSE(sum.isSmall());
    EXPECT_FALSE(sum.dividedBy(number(1)));
    EXPECT_FALSE(isNegative(sum - number(1)));
  }
  EXPECT_TRUE((large - large).isZero());
}

}  // namespace
}  // namespace tile2cu::passes
