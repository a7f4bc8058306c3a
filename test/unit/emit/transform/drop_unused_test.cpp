// Declarations that nobody reads are taken out of a kernel's text.
#include "emit/transform/drop_unused.h"

#include <gtest/gtest.h>

namespace tile2cu::emit {
namespace {

std::string left(const std::string &text) {
  return dropUnused(
      text,
      {{"const int a = n;", "a"}, {"const int b = a + 1;", "b"}, {"const int c = b + 1;", "c"}});
}

TEST(DropUnused, KeepsWhatIsRead) {
  const std::string text = "const int a = n;\nconst int b = a + 1;\nx[b] = 0;\n";
  EXPECT_EQ(left(text), text);
}

TEST(DropUnused, TakesOutWhatOnlyDroppedLinesRead) {
  EXPECT_EQ(left("const int a = n;\nconst int b = a + 1;\nconst int c = b + 1;\nx = n;\n"),
            "x = n;\n");
  EXPECT_EQ(left("const int a = n;\nconst int b = a + 1;\nconst int c = b + 1;\nx = a;\n"),
            "const int a = n;\nx = a;\n");
}

TEST(DropUnused, OtherLinesStay) {
  EXPECT_EQ(left("const int d = n;\n  const int a = n;\n"),
            "const int d = n;\n  const int a = n;\n");
}

TEST(DropUnused, MembersAndCommentsAreNoReaders) {
  EXPECT_EQ(left("const int a = n;\nx = y.a + z::a;  // a\n"), "x = y.a + z::a;  // a\n");
  EXPECT_EQ(left("const int a = n;\nx = ab + ba;\n"), "x = ab + ba;\n");
}

TEST(DropUnused, ReadersStandInTheSameBlock) {
  EXPECT_EQ(left("{\nconst int a = n;\n}\nx = a;\n"), "{\n}\nx = a;\n");
  EXPECT_EQ(left("if (x) {\nconst int a = n;\n} else if (a) {\n}\n"),
            "if (x) {\n} else if (a) {\n}\n");
  const std::string inner = "{\nconst int a = n;\n{\nx = a;\n}\n}\n";
  EXPECT_EQ(left(inner), inner);
}

TEST(DropUnused, BlocksBesideEachOtherDeclareTheSame) {
  EXPECT_EQ(left("{\nconst int a = n;\nx = a;\n}\n{\nconst int a = n;\n}\n"),
            "{\nconst int a = n;\nx = a;\n}\n{\n}\n");
}

TEST(DropUnused, CommentsGoWithTheirLastLine) {
  EXPECT_EQ(left("// one\n// two\nconst int a = n;\nconst int b = a + 1;\n\nx = 0;\n"),
            "\nx = 0;\n");
  EXPECT_EQ(left("// one\nconst int a = n;\n// two\nx = 0;\n"), "// two\nx = 0;\n");
  EXPECT_EQ(left("// of x\nconst int a = n;\nx = 0;\n"), "// of x\nx = 0;\n");
}

}  // namespace
}  // namespace tile2cu::emit
