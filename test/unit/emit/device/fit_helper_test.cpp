// A device helper without what a file has no use for: other widths, and the choice of the only
// caching policy.
#include "emit/device/fit_helper.h"

#include <gtest/gtest.h>

#include "emit/device/paste_helpers.h"

namespace tile2cu::emit {
namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

const char *const kCopy =
    "template <int BYTES>\n"
    "void copy(void* to) {\n"
    "  static_assert(BYTES == 4 || BYTES == 16, \"copy: no such width\");\n"
    "  if constexpr (BYTES == 16) {\n"
    "    whole(to);\n"
    "  } else {\n"
    "    part(to);\n"
    "  }\n"
    "}\n";

TEST(FitHelper, BranchOfAllWidths) {
  EXPECT_EQ(withWidths(kCopy, {16}),
            "template <int BYTES>\n"
            "void copy(void* to) {\n"
            "  static_assert(BYTES == 16, \"copy: no such width\");\n"
            "  whole(to);\n"
            "}\n");
  EXPECT_EQ(withWidths(kCopy, {4}),
            "template <int BYTES>\n"
            "void copy(void* to) {\n"
            "  static_assert(BYTES == 4, \"copy: no such width\");\n"
            "  part(to);\n"
            "}\n");
  EXPECT_EQ(withWidths(kCopy, {4, 16}), kCopy);
  EXPECT_EQ(withWidths(kCopy, {}), kCopy);  // not known
}

TEST(FitHelper, Types) {
  const std::string code =
      "using word = std::conditional_t<BYTES == 1, char, std::conditional_t<BYTES == 4, int, "
      "vec<int, 4>>>;\n";
  EXPECT_EQ(withWidths(code, {4, 16}),
            "using word = std::conditional_t<BYTES == 4, int, vec<int, 4>>;\n");
  EXPECT_EQ(withWidths(code, {16}), "using word = vec<int, 4>;\n");
  EXPECT_EQ(withWidths(code, {1}), "using word = char;\n");
}

// The comment above the first function is about all of them.
TEST(FitHelper, FunctionsOfOtherWidths) {
  const std::string one = "void move(int* p, uint8_t& w) {}\n",
                    four = "void move(int* p, uint32_t& w) {}\n",
                    other = "void wait(int number) {}\n";
  EXPECT_EQ(withWidths("// Moves.\n" + one + four + other, {4}), "// Moves.\n" + four + other);
  EXPECT_EQ(withWidths("// Moves.\n" + one + four + other, {1}), "// Moves.\n" + one + other);
}

TEST(FitHelper, Macro) {
  const std::optional<HelperMacro> macro = helperMacro(
      "// Loads.\n#define LOAD(KIND, WORD, ...) \\\n  void load(KIND) { \\\n"
      "    asm(\"a.\" WORD \".b\"__VA_ARGS__); \\\n  }\n");
  ASSERT_TRUE(macro);
  EXPECT_EQ(macro->comment, "// Loads.\n");
  EXPECT_TRUE(
      contains(expanded(*macro, "LOAD(int, \"nc\")\n"), "void load(int) {\n    asm(\"a.nc.b\");"));
  EXPECT_TRUE(contains(expanded(*macro, "LOAD(int, \"nc\", : \"memory\")\n"),
                       "asm(\"a.nc.b\": \"memory\");"));
  EXPECT_FALSE(helperMacro("int x;\n"));
}

// A file where every access has its default policy does not mention policies; any other does.
TEST(FitHelper, Policies) {
  auto textOf = [](const std::set<std::string> &dotted) {
    const PastedHelpers pasted = pasteHelpers({"tile2cu::load_if", "tile2cu::store_if"}, dotted);
    return pasted.declarations + pasted.definitions;
  };
  const std::string plain = textOf({"load.read_only", "store.write_back"});
  for (const char *none : {"policy", "cache", "C>", "#define", "TILE2CU_"})
    EXPECT_FALSE(contains(plain, none)) << none;
  EXPECT_TRUE(contains(plain, "load_word_if(bool mask, const void* p, uint32_t& word)"));
  const std::string two = textOf({"load.read_only", "load.cs", "store.write_back"});
  EXPECT_TRUE(contains(two, "cache C = cache::read_only"));
  EXPECT_TRUE(contains(two, "load_word_if(policy<cache::cs>, bool mask"));
  EXPECT_TRUE(contains(two, "store_word_if(policy<cache::write_back>, bool mask"));
  EXPECT_FALSE(contains(two, "TILE2CU_"));
}

// Of each policy the widths that it moves.
TEST(FitHelper, WidthsOfPolicies) {
  const std::string text =
      pasteHelpers({"tile2cu::load_if"}, {"load.read_only", "load.read_only.16", "load.cs",
                                          "load.cs.2", "words.2", "words.16"})
          .definitions;
  EXPECT_TRUE(contains(text, "ld.global.nc.v4.u32"));
  EXPECT_TRUE(contains(text, "ld.global.cs.u16"));
  for (const char *none : {"ld.global.nc.u16", "ld.global.cs.v4", ".u32 %0", ".u8", ".v2."})
    EXPECT_FALSE(contains(text, none)) << none;
  EXPECT_TRUE(contains(text, "std::conditional_t<BYTES == 2, uint16_t, vec<uint32_t, 4>>"));
}

// What only a branch for other widths calls is not pasted.
TEST(FitHelper, NeedsOfBranches) {
  const std::string text =
      pasteHelpers({"tile2cu::copy_to_shared_if"}, {"copy_to_shared_if.16", "cp_async_if.16"})
          .definitions;
  EXPECT_TRUE(contains(text, "cp.async.cg.shared.global"));
  for (const char *none : {"cp.async.ca", "load_if", "words", "as_vec", "if constexpr"})
    EXPECT_FALSE(contains(text, none)) << none;
}

}  // namespace
}  // namespace tile2cu::emit
