// Variables that are copies of one another become one, unless both values are needed.
#include "emit/transform/join_variables.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr c = named("c"), n = named("n"), p = named("p");
// Two variables that want one name; they are printed as `x` both, so that `y` is used for one of
// them after joining.
Symbol wanting(unsigned number) { return Symbol("x", {}, number); }
const Expr x = named(wanting(1)), y = named(wanting(2));

Stmt declare(const Expr &name, const Expr &init = {}) {
  return variable(word("int"), name.symbol(), init);
}
Stmt set(const Expr &target, const Expr &value) { return {Assign{target, "=", value}}; }
Stmt store(const Expr &value) { return set(elementOf(p, n), value); }
Stmt branch(Stmts then, Stmts otherwise = {}) {
  If result;
  result.condition = c;
  result.then = std::move(then);
  result.otherwise = std::move(otherwise);
  return {std::move(result)};
}
Stmt whileLoop(Stmts body) { return {While{c, std::move(body)}}; }
Stmt leave(const char *how) { return shortIf(c, jump(how)); }
Expr next(const Expr &of) { return sum(of, integer(1)); }

std::string joined(Stmts stmts) { return textOf(joinVariables(std::move(stmts))); }
// Both variables are still there.
bool areTwo(const Stmts &stmts) {
  const SymbolSet left = symbolsIn(joinVariables(stmts));
  return left.contains(x.symbol()) && left.contains(y.symbol());
}

TEST(JoinVariables, ResultOfABranch) {
  EXPECT_EQ(joined({declare(x, n), declare(y), branch({set(y, next(x))}, {set(y, x)}), store(y)}),
            "int x = n;\nif (c)\nx += 1;\np[n] = x;\n");
  EXPECT_EQ(joined({declare(x, n), declare(y, x), branch({set(y, next(y))}), store(y)}),
            "int x = n;\nif (c)\nx += 1;\np[n] = x;\n");
}

TEST(JoinVariables, AConstantThatIsAssignedIsNone) {
  EXPECT_EQ(joined({constant(word("int"), x.symbol(), n), declare(y, x), set(y, n), store(y)}),
            "int x = n;\nx = n;\np[n] = x;\n");
}

TEST(JoinVariables, NextValueOfALoop) {
  EXPECT_EQ(joined({declare(x, n),
                    whileLoop({declare(y), branch({set(y, next(x))}, {leave("break"), set(y, x)}),
                               set(x, y)}),
                    store(x)}),
            "int x = n;\nwhile (c) {\nif (c) {\nx += 1;\n} else if (c) {\nbreak;\n"
            "}\n}\np[n] = x;\n");
}

TEST(JoinVariables, BothValuesAreRead) {
  EXPECT_TRUE(areTwo({declare(x, n), declare(y, x), set(y, n), store(x), store(y)}));
  EXPECT_TRUE(areTwo({declare(x, n), declare(y, x), set(x, n), store(x), store(y)}));
  // Where only one of two sides changes it.
  EXPECT_TRUE(areTwo({declare(x, n), declare(y, x), branch({set(y, n)}), store(sum(x, y))}));
}

TEST(JoinVariables, TheNextIterationReads) {
  // y = x; y = y + 1; of an x from before the loop
  EXPECT_TRUE(areTwo({declare(x, n), whileLoop({declare(y, x), set(y, next(y)), store(y)})}));
  EXPECT_FALSE(
      areTwo({declare(x, n), whileLoop({declare(y, x), set(y, next(y)), set(x, y)}), store(x)}));
}

TEST(JoinVariables, AnExitReads) {
  // The loop is left with the old x after y has the new value.
  const auto loop = [](const char *how) {
    return Stmts{declare(x, n), whileLoop({declare(y, next(x)), leave(how), set(x, y)}), store(x)};
  };
  EXPECT_TRUE(areTwo(loop("break")));
  EXPECT_TRUE(areTwo(loop("continue")));
  EXPECT_FALSE(areTwo(loop("return")));
}

TEST(JoinVariables, FunctionsReadAndWrite) {
  // A local function reads x when it is called.
  Stmt function = localFunction("f", {});
  function.as<LocalFunction>()->body = {store(x)};
  const Stmt called = evaluate(call("f", {}));
  EXPECT_TRUE(areTwo({declare(x, n), function, declare(y, x), set(y, n), called, store(y)}));
  // f(y) may write to y, while x is needed.
  EXPECT_TRUE(areTwo({declare(x, n), declare(y, x), evaluate(call("f", {y})), store(x)}));
}

TEST(JoinVariables, OtherTypesAndNames) {
  const Expr other = named(Symbol("z", {}, 3));
  EXPECT_EQ(joined({declare(x, n), declare(other, x), set(other, n), store(other)}),
            "int x = n;\nint z = x;\nz = n;\np[n] = z;\n");
  EXPECT_TRUE(
      areTwo({declare(x, n), variable(word("int64_t"), y.symbol(), x), set(y, n), store(y)}));
  EXPECT_TRUE(areTwo({declare(x, n), variable(word("auto&"), y.symbol(), x), set(y, n), store(y)}));
}

TEST(JoinVariables, TheKeptOneIsVisible) {
  // x = y where y is declared in the branch, and x around it; the other way round, x is not
  // declared where y is read.
  EXPECT_EQ(joined({declare(x, n), branch({declare(y, next(x)), store(y), set(x, y)}), store(x)}),
            "int x = n;\nif (c) {\nx += 1;\np[n] = x;\n}\np[n] = x;\n");
  EXPECT_TRUE(areTwo({branch({declare(x, n), store(x)}), branch({declare(y, n), set(y, x)})}));
}

TEST(JoinVariables, ThreeInARow) {
  const Expr z = named(wanting(3));
  EXPECT_EQ(joined({declare(x, n), declare(y, x), branch({set(y, next(y))}), declare(z, y),
                    branch({set(z, next(z))}), store(z)}),
            "int x = n;\nif (c)\nx += 1;\nif (c)\nx += 1;\np[n] = x;\n");
  // y and z are both copies of x, and both are read: only z becomes x. (y is printed as x as well.)
  const std::string text = joined({declare(x, n), declare(y, x), set(y, next(y)), declare(z, x),
                                   set(z, next(z)), store(sum(y, z))});
  EXPECT_EQ(text, "int x = n;\nint x = x;\nx = x + 1;\nx += 1;\np[n] = x + x;\n");
}

}  // namespace
}  // namespace tile2cu::emit
