// Sides of branches that only give variables a first value become initializers.
#include "emit/transform/tidy_branches.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr c = named("c"), n = named("n"), x = named("x"), y = named("y");

Stmt declare(const Expr &name) { return variable(word("int"), name.symbol()); }
Stmt set(const Expr &target, const Expr &value) { return {Assign{target, "=", value}}; }
Stmt branch(Stmts then, Stmts otherwise, const Expr &condition = c) {
  If result;
  result.condition = condition;
  result.then = std::move(then);
  result.otherwise = std::move(otherwise);
  return {std::move(result)};
}
std::string tidied(Stmts stmts) { return textOf(tidyBranches(std::move(stmts))); }
const Expr computed = sum(n, integer(1));

TEST(TidyBranches, TheOtherSideIsTheFirstValue) {
  EXPECT_EQ(tidied({declare(x), branch({set(x, computed)}, {set(x, n)})}),
            "int x = n;\nif (c)\nx = n + 1;\n");
  EXPECT_EQ(tidied({declare(x), branch({set(x, n)}, {set(x, computed)})}),
            "int x = n;\nif (!c)\nx = n + 1;\n");
  EXPECT_EQ(tidied({declare(x), branch({set(x, n)}, {set(x, computed)}, unary("!", c))}),
            "int x = n;\nif (c)\nx = n + 1;\n");
}

TEST(TidyBranches, OfSeveralVariables) {
  EXPECT_EQ(tidied({declare(x), declare(y),
                    branch({set(x, computed), set(y, n)}, {set(x, n), set(y, integer(0))})}),
            "int x = n;\nint y = 0;\nif (c) {\nx = n + 1;\ny = n;\n}\n");
  // x changes in the side before y becomes a copy of it.
  EXPECT_EQ(tidied({declare(x), declare(y), branch({set(x, computed)}, {set(x, n), set(y, x)})}),
            "int x = n;\nint y;\nif (c) {\nx = n + 1;\n} else {\ny = x;\n}\n");
}

TEST(TidyBranches, OnlyJustAboveTheBranch) {
  const Stmts between = {declare(x), set(elementOf(y, n), n),
                         branch({set(x, computed)}, {set(x, n)})};
  EXPECT_EQ(tidied(between), "int x;\ny[n] = n;\nif (c) {\nx = n + 1;\n} else {\nx = n;\n}\n");
}

TEST(TidyBranches, ASideThatComputesStays) {
  EXPECT_EQ(tidied({declare(x), branch({set(x, computed)}, {set(y, computed), set(x, y)})}),
            "int x;\nif (c) {\nx = n + 1;\n} else {\ny = n + 1;\nx = y;\n}\n");
}

TEST(TidyBranches, AChainStaysOne) {
  const Stmt inner = branch({set(x, computed)}, {set(x, integer(2))}, y);
  EXPECT_EQ(tidied({declare(x), branch({set(x, n)}, {inner})}),
            "int x;\nif (c) {\nx = n;\n} else if (y) {\nx = n + 1;\n} else {\nx = 2;\n}\n");
}

TEST(TidyBranches, EmptySidesVanish) {
  EXPECT_EQ(tidied({branch({}, {set(x, n)})}), "if (!c)\nx = n;\n");
  EXPECT_EQ(tidied({branch({set(x, n)}, {{Blank{}}})}), "if (c)\nx = n;\n");
  EXPECT_EQ(tidied({branch({}, {}), set(x, n)}), "x = n;\n");
  EXPECT_EQ(tidied({branch({branch({}, {})}, {}), set(x, n)}), "x = n;\n");
}

}  // namespace
}  // namespace tile2cu::emit
