// Questions about trees, and changes of all of their nodes.
#include "emit/cuda/ast.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/names.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr x = named("x"), y = named("y"), n = named("N");

// A statement of each sort, all of which mention `symbol`, and a member and a type of its name.
Stmts everySort(const Symbol &symbol) {
  const Expr e = named(symbol);
  const llvm::StringRef name = symbol.wanted();
  Builder builder;
  builder.add({Comment{CommentText("About ") + symbol + ", not " + name + "_2."}});
  builder.add({Declare{instance("tile2cu::vec", {word("float"), e}), {{"v", {e}, e}}}});
  builder.add({Assign{elementOf(x, e), "=", member(y, name)}, "a note"});
  builder.add(evaluate(call(scoped(word(name), "identity"), {})));
  builder.open({unrolledLoop("i", e)});
  builder.open(branchOn(e));
  builder.add(shortIf(e, jump("return", e)));
  builder.openElse();
  builder.open(section("role"));
  builder.open(localFunction("f", {{word("int"), symbol}}));
  builder.add(record("union", {variable(word("int"), "m", e)}, "note"));
  CallOperator function;
  function.result = word(name);
  function.parameters = {{word(name), "a"}, {word("float"), symbol}};
  builder.open({std::move(function)});
  builder.add(jump("return", e));
  for (int open = 0; open < 5; ++open) builder.close();
  return builder.end();
}

TEST(Ast, RenamesNamesButNoWords) {
  Names names;
  const Symbol symbol = names.take("N");
  Stmts stmts = everySort(symbol);
  rename(stmts, {{symbol, "BLOCK"}});
  const std::string text = textOf(stmts);
  EXPECT_FALSE(symbolsIn(stmts).contains(symbol));
  EXPECT_TRUE(llvm::StringRef(text).contains("// About BLOCK, not N_2."));
  // Neither a member nor a type is meant.
  EXPECT_TRUE(llvm::StringRef(text).contains("= y.N"));
  EXPECT_TRUE(llvm::StringRef(text).contains("N::identity()"));
  const auto last = [](const Stmts &all) { return all[2]; };
  EXPECT_FALSE(last(stmts) == last(everySort(symbol)));
}

TEST(Ast, RenamesTypesThatAreNames) {
  const Expr functor = named("Combine");
  Stmts stmts{evaluate(call(scoped(functor, "identity"), {})),
              variable(scoped(functor, "Values"), "x", braces(functor, {y}))};
  rename(stmts, {{"Combine", "SoftmaxCombine"}});
  EXPECT_EQ(textOf(stmts),
            "SoftmaxCombine::identity();\nSoftmaxCombine::Values x = SoftmaxCombine{y};\n");
}

TEST(Ast, RenamedTreesShareWhatStays) {
  const Expr left = sum(x, y), e = product(left, n);
  EXPECT_TRUE(renamed(e, {{"M", "K"}}).isSameNode(e));
  const Expr other = renamed(e, {{"N", "K"}});
  EXPECT_EQ(other.str(), "(x + y) * K");
  EXPECT_TRUE(other.operand(0).isSameNode(left));
}

TEST(Ast, EqualStatements) {
  const Stmts all = everySort("N");
  EXPECT_TRUE(all == everySort("N"));
  EXPECT_FALSE(all == everySort("M"));
  for (size_t i = 0; i < all.size(); ++i) {
    Stmts others = all;
    others[i].note += "!";
    EXPECT_FALSE(all == others) << i;
    others = all;
    others[i] = jump("break");
    EXPECT_FALSE(all == others) << i;
    others = all;
    others[i].source = {0, 7};  // not a part of the text
    EXPECT_TRUE(all == others) << i;
  }
}

TEST(Ast, ExpressionsOutsideOfBodies) {
  const Stmts all = everySort("N");
  std::string heads;
  forEachOwnExpr(all.back(), [&](const Expr &e) { heads += e.str() + ";"; });
  EXPECT_EQ(heads, "int;0;i < N;i;");
  size_t bodies = 0;
  forEachBody(all.back(), [&](const Stmts &body) { bodies += body.size(); });
  EXPECT_EQ(bodies, 1u);
}

}  // namespace
}  // namespace tile2cu::emit
