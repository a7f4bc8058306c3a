// Guards of helpers are dropped where every GPU of the file has what they ask for, and only those
// that trap.
#include "emit/device/architecture_guard.h"

#include <gtest/gtest.h>

namespace tile2cu::emit {
namespace {

const char *const kCommit =
    "void commit() {\n#if __CUDA_ARCH__ >= 800\n  first;\n#if defined(X)\n  second;\n#else\n  "
    "third;\n#endif\n#else\n  __trap();\n  return 0;\n#endif\n}";

TEST(ArchitectureGuard, DropsTheTrap) {
  Architecture needed;
  EXPECT_EQ(withoutGuards(kCommit, {90, false}, needed),
            "void commit() {\n  first;\n#if defined(X)\n  second;\n#else\n  third;\n#endif\n}");
  EXPECT_EQ(needed.sm, 80);
  EXPECT_FALSE(needed.isSm90a);
}

TEST(ArchitectureGuard, KeepsWhatOlderGpusNeed) {
  Architecture needed;
  EXPECT_EQ(withoutGuards(kCommit, {75, false}, needed), kCommit);
  EXPECT_EQ(needed.sm, 0);
}

TEST(ArchitectureGuard, KeepsAlternatives) {
  const char *const text = "#if __CUDA_ARCH__ >= 800\n  one;\n#else\n  two;\n#endif\n";
  Architecture needed;
  EXPECT_EQ(withoutGuards(text, {80, false}, needed), text);
  EXPECT_EQ(needed.sm, 0);
}

TEST(ArchitectureGuard, Sm90aIsAskedForByItself) {
  const char *const text = "#ifdef __CUDA_ARCH_FEAT_SM90_ALL\n  one;\n#else\n  __trap();\n#endif\n";
  Architecture needed;
  EXPECT_EQ(withoutGuards(text, {100, false}, needed), text);
  EXPECT_EQ(needed.sm, 0);
  EXPECT_EQ(withoutGuards(text, {90, true}, needed), "  one;\n");
  EXPECT_TRUE(needed.isSm90a);
}

TEST(ArchitectureGuard, WritesOneError) {
  EXPECT_EQ(architectureGuard({}), "");
  EXPECT_NE(architectureGuard({80, false}).find("__CUDA_ARCH__ < 800\n#error"), std::string::npos);
  EXPECT_NE(architectureGuard({90, true}).find("!defined(__CUDA_ARCH_FEAT_SM90_ALL)\n#error"),
            std::string::npos);
}

}  // namespace
}  // namespace tile2cu::emit
