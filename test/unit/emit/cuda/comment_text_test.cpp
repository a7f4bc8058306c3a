// The text of comments that mention symbols.
#include "emit/cuda/comment_text.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Symbol x("x", {}, 0), y("y", {Origin::Generated}, 1);

TEST(CommentText, SymbolsGetTheirNames) {
  CommentText text = CommentText("Computes ") + x + " and " + y + ", 2" + x + ", x";
  EXPECT_TRUE(text.mentionsSymbols());
  EXPECT_EQ(text.str(), "Computes x and y, 2x, x");
  text.rename({{y, "z"}});
  EXPECT_EQ(text.str(), "Computes x and z, 2x, x");
  text.rename({{x, "a"}});
  EXPECT_EQ(text.str(), "Computes a and z, 2a, x");
  // Equal to a text that never had a symbol.
  EXPECT_FALSE(text.mentionsSymbols());
  EXPECT_EQ(text, "Computes a and z, 2a, x");
}

TEST(CommentText, SymbolsOfOneNameDiffer) {
  const Symbol other("x", {}, 2);
  EXPECT_NE(CommentText() + x, CommentText() + other);
  EXPECT_NE(CommentText() + x, CommentText("x"));
  EXPECT_EQ(CommentText("a ") + "b", CommentText("a b"));
}

TEST(CommentText, ExpressionsKeepTheirSymbols) {
  CommentText text("at ");
  print(product(sum(named(x), named("tid")), named(y)), text);
  EXPECT_EQ(text, CommentText("at (") + x + " + tid) * " + y);
}

TEST(CommentText, RowsBreakAtSpaces) {
  const auto wrapped = [](const CommentText &text) { return text.wrapped(8).str(); };
  EXPECT_EQ(wrapped("a bb ccc dddd"), "a bb ccc\ndddd");
  EXPECT_EQ(wrapped("a bb cccc"), "a bb\ncccc");
  EXPECT_EQ(wrapped("longer_than_a_row b"), "longer_than_a_row\nb");
  EXPECT_EQ(wrapped("a\n\nbb  c\n"), "a\n\nbb  c\n");
  EXPECT_EQ(wrapped(""), "");
  // Symbols are as wide as what they are wanted to be called, and part of the word around them.
  const Symbol row("row", {.second = "a_longer_name"}, 0);
  EXPECT_EQ(wrapped(CommentText("of ") + row + "_3 " + row), "of row_3\nrow");
  EXPECT_EQ(wrapped(CommentText("of (") + row + "_3)"), "of\n(row_3)");
  EXPECT_EQ(CommentText("a\nb").rows(), 2u);
}

TEST(CommentText, Lists) {
  EXPECT_EQ(inWords({x}).str(), "x");
  EXPECT_EQ(inWords({x, y}).str(), "x and y");
  EXPECT_EQ(inWords({x, y, "tid"}), CommentText() + x + ", " + y + " and tid");
  EXPECT_EQ(joined({CommentText("a") + x, "b"}, ", "), CommentText("a") + x + ", b");
}

}  // namespace
}  // namespace tile2cu::emit
