#include "passes/ir/diagnostics/numbered_text.h"

#include "gtest/gtest.h"

namespace tile2cu::ir {
namespace {

std::string merged(std::initializer_list<llvm::StringRef> texts) {
  NumberedText result(*texts.begin(), true);
  for (llvm::StringRef text : texts) {
    const NumberedText next(text, true);
    if (!result.isLike(next)) return "not alike";
    result.add(next);
  }
  return result.str();
}

TEST(NumberedText, NumbersBecomeRanges) {
  EXPECT_EQ(merged({"combines 32, then 5", "combines 8, then 5", "combines 16, then 5"}),
            "combines 8 to 32, then 5");
  EXPECT_EQ(merged({"8", "9"}), "8 to 9");
  EXPECT_EQ(merged({"(16 bytes).", "(4 bytes)."}), "(4 to 16 bytes).");
  EXPECT_EQ(merged({"at most 8.", "at most 4."}), "at most 4 to 8.");
  EXPECT_EQ(merged({"", ""}), "");
}

TEST(NumberedText, DigitsOfNamesAreText) {
  EXPECT_EQ(merged({"'x1' moves", "'x2' moves"}), "not alike");
  EXPECT_EQ(merged({"mma_m16n8k16", "mma_m16n8k8"}), "not alike");
  EXPECT_EQ(merged({"0.5 of", "0.7 of"}), "not alike");
  EXPECT_EQ(merged({"softmax<256>", "softmax<512>"}), "softmax<256 to 512>");
  EXPECT_EQ(merged({"99999999999999999999", "1"}), "not alike");
}

TEST(NumberedText, WithoutRangesOnlyEqualTextsAreAlike) {
  EXPECT_FALSE(NumberedText("8 lanes", false).isLike(NumberedText("4 lanes", false)));
  EXPECT_TRUE(NumberedText("8 lanes", false).isLike(NumberedText("8 lanes", false)));
  EXPECT_EQ(NumberedText("8 lanes", false).str(), "8 lanes");
}

}  // namespace
}  // namespace tile2cu::ir
