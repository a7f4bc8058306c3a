// How many lines a text has after it is formatted.
#include "emit/cuda/format.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tile2cu::emit {
namespace {

size_t formattedLines(const std::string &text) {
  const std::string formatted = formatCuda(text);
  return std::count(formatted.begin(), formatted.end(), '\n');
}

// Text of the kinds that formatting makes shorter.
TEST(Format, FewestLinesIsALowerBound) {
  const std::string joined[] = {
      "void f() {\nint x = 0;\n}\n",
      "void f() {\nfor (int i = 0; i < 4; ++i) {\nx[i] = 0;\n}\n}\n",
      "void f() {\n#pragma unroll\nfor (int i = 0; i < 4; ++i) {\n#pragma unroll\n"
      "for (int j = 0; j < 4; ++j) {\nx[i][j] = 0;\n}\n}\n}\n",
      "void f() {\nif (c) {\nreturn;\n}\nif (c) {\na = 0;\n} else {\nb = 0;\n}\n}\n",
      "void f() {\nconst auto copy = [&](int stage) {\ncopy_one(stage);\n};\ncopy(0);\n}\n",
      "void f() {\n\n\n// a comment;\n// another;\nx = 0;\n\n\ny = 0;\n}\n",
      "struct S {\nint x;\n};\nenum E { A, B };\n",
  };
  for (const std::string &text : joined) {
    EXPECT_LE(fewestFormattedLines(text), formattedLines(text)) << text;
    EXPECT_GT(fewestFormattedLines(text), 0u) << text;
  }
}

TEST(Format, FewestLinesOfStatements) {
  std::string text = "void f() {\n";
  for (int i = 0; i < 10; ++i) text += "x = " + std::to_string(i) + ";\n";
  EXPECT_EQ(fewestFormattedLines(text + "}\n"), 10u);
  EXPECT_EQ(formattedLines(text + "}\n"), 12u);
}

TEST(Format, HeadingsAreNotBroken) {
  const std::string heading =
      "// ---- heading " + std::string(60, 'a') + ' ' + std::string(60, 'b');
  EXPECT_EQ(formatCuda(heading + "\n\nint x;\n"), heading + "\n\nint x;\n");
  EXPECT_NE(formatCuda("// comment " + heading + "\n").find("\n// "), std::string::npos);
}

}  // namespace
}  // namespace tile2cu::emit
