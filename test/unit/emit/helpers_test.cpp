// Device helpers are cut out of the library: what is used, after what it needs, once, and no more.
#include "emit/helpers.h"

#include <gtest/gtest.h>

namespace tile2cu::emit {
namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
size_t count(const std::string &text, const std::string &part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Helpers, NothingForNothing) {
  PastedHelpers pasted = pasteHelpers("x[i] = a[i] + b[i];", {});
  EXPECT_EQ(pasted.text, "");
  EXPECT_TRUE(pasted.includes.empty());
}

TEST(Helpers, NeedsComeFirstAndOnce) {
  PastedHelpers pasted = pasteHelpers(
      "m = tile2cu::block_reduce<4>(m, op, p); s = tile2cu::warp_reduce(tile2cu::warp_reduce(s));",
      {});
  EXPECT_EQ(count(pasted.text, "T block_reduce("), 1u);
  EXPECT_EQ(count(pasted.text, "T warp_reduce("), 1u);
  EXPECT_LT(pasted.text.find("T warp_reduce("), pasted.text.find("T block_reduce("));
  EXPECT_LT(pasted.text.find("warp_shuffle_xor(T"), pasted.text.find("T warp_reduce("));
  EXPECT_FALSE(contains(pasted.text, "load_if"));
  EXPECT_FALSE(contains(pasted.text, "@helper"));
  EXPECT_FALSE(contains(pasted.text, "@end"));
}

TEST(Helpers, DottedNames) {
  PastedHelpers fast = pasteHelpers("y = tile2cu::exp(x);", {});
  EXPECT_TRUE(contains(fast.text, "ex2.approx"));
  EXPECT_FALSE(contains(fast.text, "namespace precise"));
  PastedHelpers precise = pasteHelpers("y = tile2cu::precise::exp(x);", {});
  EXPECT_TRUE(contains(precise.text, "precise"));
  EXPECT_FALSE(contains(precise.text, "ex2.approx"));
}

TEST(Helpers, SameTextForTheSameUse) {
  const std::string use = "tile2cu::warp_reduce(tile2cu::exp(tile2cu::fdiv(a, b)))";
  EXPECT_EQ(pasteHelpers(use, {}).text, pasteHelpers(use, {}).text);
  // The order of uses in the kernel does not matter.
  EXPECT_EQ(pasteHelpers("tile2cu::exp(x); tile2cu::fdiv(a, b)", {}).text,
            pasteHelpers("tile2cu::fdiv(a, b); tile2cu::exp(x)", {}).text);
}

}  // namespace
}  // namespace tile2cu::emit
