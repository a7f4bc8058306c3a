// The words of statements, which say what headers and helpers a file needs.
#include "emit/cuda/used_words.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {
namespace {

using Words = std::set<std::string>;

Words wordsOf(const Stmts &stmts) {
  UsedWords words;
  words.add(stmts);
  return words.all();
}

TEST(UsedWords, NamesMembersCommentsAndStringsAreNone) {
  const Expr x = named("x");
  EXPECT_EQ(wordsOf({{Comment{"tile2cu::exp"}},
                     {Assign{x, "=", member(x, "INFINITY")}, "tile2cu::log"},
                     evaluate(call("f", {word("\"tile2cu::tanh\""), integer(4)}))}),
            Words{"f"});
}

TEST(UsedWords, OfTypesCallsAndMacros) {
  const Expr type = instance("tile2cu::vec", {word("__half"), named("VEC")});
  EXPECT_EQ(wordsOf({variable(type, "x", call("tile2cu::load", {digits("-INFINITY")}))}),
            (Words{"tile2cu::vec", "__half", "tile2cu::load", "INFINITY"}));
}

TEST(UsedWords, EachNameOfAWord) {
  EXPECT_EQ(wordsOf({evaluate(call("std::min<const __half*>", {}))}),
            (Words{"std::min", "const", "__half"}));
}

TEST(UsedWords, OfFunctions) {
  Function function;
  function.launchBounds = call("__launch_bounds__", {call("tile2cu::resident_blocks", {})});
  function.parameters = {{pointerTo(word("const __half")), "p"}};
  function.body = {shortIf(named("p"), jump("return", word("NAN")))};
  UsedWords words;
  words.add(function);
  EXPECT_EQ(words.all(),
            (Words{"__launch_bounds__", "tile2cu::resident_blocks", "const", "__half", "NAN"}));
  EXPECT_TRUE(words.contain("__half"));
  EXPECT_FALSE(words.contain("__hal"));
}

}  // namespace
}  // namespace tile2cu::emit
