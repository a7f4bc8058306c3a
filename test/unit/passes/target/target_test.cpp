#include <gtest/gtest.h>

#include "passes/ir/module.h"
#include "passes/pass_context.h"

namespace tile2cu::passes {
namespace {

std::string targetsOf(std::vector<const char *> names, bool forHopper) {
  ir::Diagnostics diagnostics;
  PassContext context{diagnostics, {}};
  for (const char *name : names) context.targets.push_back(*parseTarget(name));
  ir::Kernel kernel;
  kernel.forHopper = forHopper;
  std::string text = context.mixesHopper() ? "mixed" : "one";
  for (const Target &target : context.targetsOf(kernel)) text += " " + target.name();
  return text;
}

// A kernel is written for all targets, unless Hopper is one among others.
TEST(Target, OfAKernel) {
  EXPECT_EQ(targetsOf({"sm_80"}, false), "one sm_80");
  EXPECT_EQ(targetsOf({"sm_90a"}, false), "one sm_90a");
  EXPECT_EQ(targetsOf({"sm_80", "sm_90"}, false), "one sm_80 sm_90");
  EXPECT_EQ(targetsOf({"sm_80", "sm_90a", "sm_100"}, false), "mixed sm_80 sm_100");
  EXPECT_EQ(targetsOf({"sm_80", "sm_90a", "sm_100"}, true), "mixed sm_90a");
  EXPECT_EQ(targetsOf({"sm_90", "sm_90a"}, false), "mixed sm_90");
}

}  // namespace
}  // namespace tile2cu::passes
