// The value of integer arithmetic in the text.
#include "emit/cuda/evaluate.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {
namespace {

// With 7 for `seven`.
std::optional<int64_t> valueOf(const Expr &e) {
  return valueOf(e, [](const Expr &leaf) -> std::optional<int64_t> {
    if (leaf.isName(Symbol("seven"))) return 7;
    return std::nullopt;
  });
}
Expr multiplicative(const char *op, int64_t a, const Expr &b) {
  return binary(Prec::Multiplicative, op, integer(a), b);
}
const Expr seven = named("seven");

TEST(Evaluate, Arithmetic) {
  EXPECT_EQ(valueOf(multiplicative("*", 3, seven)), 21);
  EXPECT_EQ(valueOf(multiplicative("/", 20, seven)), 2);
  EXPECT_EQ(valueOf(multiplicative("%", 20, seven)), 6);
  EXPECT_EQ(valueOf(sum(multiplicative("*", 2, seven), integer(-1))), 13);
  EXPECT_EQ(valueOf(call("int", {multiplicative("*", 3, seven)})), 21);
}

TEST(Evaluate, UnknownParts) {
  EXPECT_EQ(valueOf(sum(named("other"), seven)), std::nullopt);
  EXPECT_EQ(valueOf(multiplicative("/", 20, integer(0))), std::nullopt);
  EXPECT_EQ(valueOf(binary(Prec::Shift, "<<", seven, seven)), std::nullopt);
  EXPECT_EQ(valueOf(digits("1.5f")), std::nullopt);
}

}  // namespace
}  // namespace tile2cu::emit
