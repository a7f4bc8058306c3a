// Symbols: the names of variables, known or wanted.
#include "emit/cuda/symbol.h"

#include <gtest/gtest.h>

namespace tile2cu::emit {
namespace {

TEST(Symbol, KnownNamesAreTheSameWhereverTheyStand) {
  const Symbol tid("tid");
  EXPECT_EQ(tid, Symbol(std::string("tid")));
  EXPECT_NE(tid, "lane");
  EXPECT_FALSE(tid.isOpen());
  EXPECT_EQ(tid.wanted(), "tid");
  EXPECT_FALSE(tid.isGenerated());
  EXPECT_FALSE(Symbol());
  EXPECT_EQ(Symbol(""), Symbol());
  EXPECT_EQ(Symbol().wanted(), "");
}

TEST(Symbol, WantedNamesAreNotKnownOnes) {
  const Symbol first("row", {}, 0), second("row", {}, 1);
  EXPECT_NE(first, Symbol("row"));
  EXPECT_NE(first, second);
  EXPECT_NE(first, Symbol("row", {Origin::Generated}, 0));
  EXPECT_NE(first, Symbol("row", {.second = "column"}, 0));
  EXPECT_EQ(first, Symbol("row", {}, 0));
  EXPECT_TRUE(first.isOpen());
}

TEST(Symbol, SecondNamesComeFirstOnlyIfTheyAreFree) {
  const Symbol symbol("row", {.second = "column"}, 0);
  EXPECT_EQ(symbol.freeName([](llvm::StringRef) { return true; }), "row");
  EXPECT_EQ(symbol.freeName([](llvm::StringRef name) { return name == "column"; }), "column");
  EXPECT_EQ(symbol.freeName([](llvm::StringRef) { return false; }), "row");
  EXPECT_EQ(Symbol("row", {}, 0).freeName([](llvm::StringRef) { return false; }), "row");
}

TEST(Symbol, NewNumbersAreOnesThatNoTextHas) {
  const Symbol symbol("row", {Origin::Generated, "column"}, 7), other = symbol.renumbered(7);
  EXPECT_NE(symbol, other);
  EXPECT_EQ(other, Symbol("row", {Origin::Generated, "column"}, 3).renumbered(7));
  EXPECT_NE(other, symbol.renumbered(8));
  EXPECT_EQ(other.second(), "column");
  EXPECT_TRUE(other.isGenerated());
}

}  // namespace
}  // namespace tile2cu::emit
