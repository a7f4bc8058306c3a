// The layout of finished text.
#include "emit/cuda/format.h"

#include <gtest/gtest.h>

namespace tile2cu::emit {
namespace {

TEST(Format, HeadingsAreNotBroken) {
  const std::string heading =
      "// ---- heading " + std::string(60, 'a') + ' ' + std::string(60, 'b');
  EXPECT_EQ(formatCuda(heading + "\n\nint x;\n"), heading + "\n\nint x;\n");
  EXPECT_NE(formatCuda("// comment " + heading + "\n").find("\n// "), std::string::npos);
}

TEST(Format, StatementsOnOneRow) {
  const std::string call = "f(" + std::string(60, 'a') + ", " + std::string(60, 'b') + ");\n";
  EXPECT_EQ(formatCuda("void g() {\n" + call + "}\n", 0), "void g() {\n  " + call + "}\n");
}

}  // namespace
}  // namespace tile2cu::emit
