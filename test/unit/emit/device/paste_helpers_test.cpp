// Device helpers are cut out of the library: what is used, after what it needs, once, and no more.
#include "emit/device/paste_helpers.h"

#include <gtest/gtest.h>

#include <sstream>

#include "emit/device/wgmma_helpers.h"

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
  PastedHelpers pasted = pasteHelpers({"int", "__syncthreads", "std::min<int64_t>"}, {});
  EXPECT_EQ(pasted.text, "");
  EXPECT_TRUE(pasted.includes.empty());
}

TEST(Helpers, NeedsComeFirstAndOnce) {
  PastedHelpers pasted = pasteHelpers({"tile2cu::block_reduce", "tile2cu::warp_reduce"}, {});
  EXPECT_EQ(count(pasted.text, "T block_reduce("), 1u);
  EXPECT_EQ(count(pasted.text, "T warp_reduce("), 1u);
  EXPECT_LT(pasted.text.find("T warp_reduce("), pasted.text.find("T block_reduce("));
  EXPECT_LT(pasted.text.find("warp_shuffle_xor(T"), pasted.text.find("T warp_reduce("));
  EXPECT_FALSE(contains(pasted.text, "load_if"));
  EXPECT_FALSE(contains(pasted.text, "@helper"));
  EXPECT_FALSE(contains(pasted.text, "@end"));
}

TEST(Helpers, DottedNames) {
  PastedHelpers fast = pasteHelpers({"tile2cu::exp"}, {});
  EXPECT_TRUE(contains(fast.text, "ex2.approx"));
  EXPECT_FALSE(contains(fast.text, "namespace precise"));
  PastedHelpers precise = pasteHelpers({"tile2cu::precise::exp"}, {});
  EXPECT_TRUE(contains(precise.text, "precise"));
  EXPECT_FALSE(contains(precise.text, "ex2.approx"));
}

// The template arguments of a word, and the members of a type, are none of its helper's name.
TEST(Helpers, NamesInWords) {
  const std::string text = pasteHelpers({"tile2cu::minimum"}, {}).text;
  EXPECT_TRUE(contains(text, "T minimum("));
  EXPECT_EQ(pasteHelpers({"tile2cu::minimum<__half>"}, {}).text, text);
  EXPECT_TRUE(contains(pasteHelpers({"tile2cu::cache::last_use"}, {}).text, "enum class cache"));
}

// Those that are in no file are written, of each width and type.
TEST(Helpers, ProductsOfAWarpgroup) {
  std::set<std::string> use{"tile2cu::wgmma_m64n24k32_s8_u8", "tile2cu::major::k",
                            "tile2cu::wgmma_m64n8k16_f16_acc_f16"};
  PastedHelpers pasted = pasteHelpers(use, {});
  EXPECT_LT(pasted.text.find("enum class major"), pasted.text.find("void wgmma_m64n24k32_s8_u8("));
  EXPECT_LT(pasted.text.find("struct alignas"), pasted.text.find("void wgmma_m64n24k32_s8_u8("));
  EXPECT_TRUE(contains(pasted.text, "register_of(acc[1])"));
  EXPECT_TRUE(contains(pasted.text, "wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.u8 {"));
  EXPECT_EQ(count(pasted.text, "void wgmma_m64n24k32_s8_u8("), 2u);       // A in registers too
  EXPECT_EQ(count(pasted.text, "void wgmma_m64n8k16_f16_acc_f16("), 4u);  // acc of one column too
  // With the included header only these.
  use.insert("tile2cu::exp");
  const std::string unfiled = pasteUnfiledHelpers(use);
  EXPECT_EQ(count(unfiled, "void wgmma_m64n24k32_s8_u8("), 2u);
  EXPECT_FALSE(contains(unfiled, "enum class major"));
  EXPECT_EQ(pasteUnfiledHelpers({"tile2cu::exp"}), "");
}

TEST(Helpers, WidthsOfProducts) {
  const std::vector<std::string> names = wgmmaNames();
  EXPECT_EQ(names.size(), 8u * 32 + 4u * 18);
  for (const std::string &name : names) EXPECT_TRUE(wgmmaHelper(name)) << name;
  for (const char *name : {"wgmma_m64n0k16_f16", "wgmma_m64n264k16_f16", "wgmma_m64n12k16_f16",
                           "wgmma_m64n40k32_s8", "wgmma_m64n8k8_f16", "wgmma_wait"})
    EXPECT_FALSE(wgmmaHelper(name)) << name;
  // Lines are as long as those of a file.
  for (const std::string &name : names) {
    std::istringstream lines(wgmmaHelper(name)->text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

}  // namespace
}  // namespace tile2cu::emit
