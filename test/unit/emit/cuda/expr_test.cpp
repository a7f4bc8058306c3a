// Expressions: all parentheses that are needed, and only those that help a reader.
#include <gtest/gtest.h>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {
namespace {

const Expr a = named("a"), b = named("b"), c = named("c");
Expr add(const Expr &x, const Expr &y) { return binary(Prec::Additive, "+", x, y); }
Expr sub(const Expr &x, const Expr &y) { return binary(Prec::Additive, "-", x, y); }
Expr mul(const Expr &x, const Expr &y) { return binary(Prec::Multiplicative, "*", x, y); }
Expr div(const Expr &x, const Expr &y) { return binary(Prec::Multiplicative, "/", x, y); }
Expr rem(const Expr &x, const Expr &y) { return binary(Prec::Multiplicative, "%", x, y); }
Expr less(const Expr &x, const Expr &y) { return binary(Prec::Relational, "<", x, y); }
Expr bitAnd(const Expr &x, const Expr &y) { return binary(Prec::BitAnd, "&", x, y); }
Expr bitOr(const Expr &x, const Expr &y) { return binary(Prec::BitOr, "|", x, y); }
Expr shl(const Expr &x, const Expr &y) { return binary(Prec::Shift, "<<", x, y); }
Expr both(const Expr &x, const Expr &y) { return binary(Prec::And, "&&", x, y); }
Expr either(const Expr &x, const Expr &y) { return binary(Prec::Or, "||", x, y); }

TEST(Expr, Precedence) {
  EXPECT_EQ(add(mul(a, b), c).str(), "a * b + c");
  EXPECT_EQ(mul(add(a, b), c).str(), "(a + b) * c");
  EXPECT_EQ(mul(a, add(b, c)).str(), "a * (b + c)");
  EXPECT_EQ(less(add(a, b), c).str(), "a + b < c");
  EXPECT_EQ(both(less(a, b), less(b, c)).str(), "a < b && b < c");
}

TEST(Expr, RightOperandsOfEqualPrecedence) {
  EXPECT_EQ(sub(sub(a, b), c).str(), "a - b - c");
  EXPECT_EQ(sub(a, sub(b, c)).str(), "a - (b - c)");
  EXPECT_EQ(sub(a, add(b, c)).str(), "a - (b + c)");
  EXPECT_EQ(div(a, mul(b, c)).str(), "a / (b * c)");
  EXPECT_EQ(mul(a, div(b, c)).str(), "a * (b / c)");
  EXPECT_EQ(mul(div(a, b), c).str(), "a / b * c");
  EXPECT_EQ(rem(div(a, b), c).str(), "a / b % c");
  // Rounding depends on the order: no re-association.
  EXPECT_EQ(add(a, add(b, c)).str(), "a + (b + c)");
}

TEST(Expr, ReadersDoNotKnowThePrecedenceOfBits) {
  EXPECT_EQ(bitAnd(shl(a, b), c).str(), "(a << b) & c");
  EXPECT_EQ(bitOr(bitAnd(a, b), c).str(), "(a & b) | c");
  EXPECT_EQ(bitAnd(bitAnd(a, b), c).str(), "a & b & c");
  EXPECT_EQ(add(a, shl(b, c)).str(), "a + (b << c)");
  EXPECT_EQ(less(bitAnd(a, b), c).str(), "(a & b) < c");
  EXPECT_EQ(either(both(a, b), c).str(), "(a && b) || c");
  EXPECT_EQ(both(either(a, b), c).str(), "(a || b) && c");
}

TEST(Expr, ComparisonsThatAreComparedStandOut) {
  const auto differ = [](const Expr &x, const Expr &y) {
    return binary(Prec::Equality, "!=", x, y);
  };
  EXPECT_EQ(differ(less(a, b), c).str(), "(a < b) != c");
  EXPECT_EQ(differ(a, less(b, c)).str(), "a != (b < c)");
  EXPECT_EQ(less(less(a, b), c).str(), "(a < b) < c");
  EXPECT_EQ(differ(differ(a, b), c).str(), "(a != b) != c");
  EXPECT_EQ(differ(add(a, b), c).str(), "a + b != c");
}

TEST(Expr, Unary) {
  EXPECT_EQ(unary("-", a).str(), "-a");
  EXPECT_EQ(unary("-", unary("-", a)).str(), "-(-a)");
  EXPECT_EQ(unary("-", digits("-1")).str(), "-(-1)");
  EXPECT_EQ(unary("!", less(a, b)).str(), "!(a < b)");
  EXPECT_EQ(unary("!", unary("!", a)).str(), "!!a");
  EXPECT_EQ(mul(unary("-", a), b).str(), "-a * b");
}

TEST(Expr, Conditional) {
  EXPECT_EQ(conditional(less(a, b), a, b).str(), "a < b ? a : b");
  Expr inner = conditional(a, b, c);
  EXPECT_EQ(conditional(inner, a, b).str(), "(a ? b : c) ? a : b");
  EXPECT_EQ(conditional(a, inner, b).str(), "a ? (a ? b : c) : b");
  EXPECT_EQ(conditional(a, b, inner).str(), "a ? b : a ? b : c");
  EXPECT_EQ(add(inner, c).str(), "(a ? b : c) + c");
}

TEST(Expr, CallsAndSubscripts) {
  EXPECT_EQ(call("fmaxf", {add(a, b), c}).str(), "fmaxf(a + b, c)");
  EXPECT_EQ(mul(call("f", {a}), b).str(), "f(a) * b");
  EXPECT_EQ(call("f", {}).str(), "f()");
  EXPECT_EQ(subscript(named("x"), {named("i"), add(named("j"), integer(1))}).str(), "x[i][j + 1]");
}

TEST(Expr, IndexArithmeticDropsZeroAndOne) {
  const Expr zero = integer(0), one = integer(1);
  EXPECT_EQ(sum(zero, a).str(), "a");
  EXPECT_EQ(sum(a, zero).str(), "a");
  EXPECT_EQ(sum(a, digits("-4")).str(), "a - 4");
  EXPECT_EQ(product(a, one).str(), "a");
  EXPECT_EQ(product(one, a).str(), "a");
  EXPECT_EQ(product(a, zero).str(), "0");
  EXPECT_EQ(sum(product(sum(product(a, b), c), b), c).str(), "(a * b + c) * b + c");
}

TEST(Expr, Kinds) {
  EXPECT_TRUE(named("row_2").isName());
  EXPECT_FALSE(word("true").isName());
  EXPECT_FALSE(elementOf(a, b).isName());
  EXPECT_TRUE(digits("1.5f").isLiteral());
  EXPECT_TRUE(integer(-3).isNegative());
  EXPECT_FALSE(unary("-", a).isNegative());
  for (const Expr &atom : {a, integer(3), digits("-INFINITY"), word("true")})
    EXPECT_TRUE(atom.isAtom()) << atom.str();
  EXPECT_FALSE(add(a, b).isAtom());
  EXPECT_TRUE(call("int64_t", {a}).isCallOf("int64_t"));
  EXPECT_FALSE(call(named("int64_t"), {a}).isCallOf("int64_t"));
}

}  // namespace
}  // namespace tile2cu::emit
