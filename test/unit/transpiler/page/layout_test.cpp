// The page's rule for layouts, in JavaScript, against the compiler's.
#include <cstdlib>
#include <fstream>
#include <random>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "transpiler/page/tiles.h"

namespace tile2cu::page {
namespace {
using namespace ir;

// Any sizes, as tiles have them: small, large, powers of two, odd factors.
BlockedSpec randomSpec(std::mt19937 &random) {
  const auto below = [&](unsigned end) { return unsigned(random() % end); };
  BlockedSpec spec;
  const unsigned rank = 1 + below(3);
  for (unsigned d = 0; d < rank; ++d) {
    const unsigned most = rank == 1 ? 14 : 8;
    spec.shape.push_back(below(3) ? int64_t{1} << below(most) : int64_t(1 + below(1u << most)));
    spec.order.push_back(d);
  }
  std::shuffle(spec.order.begin(), spec.order.end(), random);
  spec.numWarps = below(4) ? 1 << below(5) : 1 + below(16);
  spec.scalar = below(5) == 0;
  spec.vector = spec.scalar ? 1 : 1 << below(4);
  if (below(5) == 0) spec.scanAxis = below(rank);
  if (below(5) == 0) spec.exactAxis = below(rank);
  return spec;
}

std::string asJson(const BlockedSpec &spec) {
  const auto list = [](const auto &all) {
    return "[" +
           llvm::join(llvm::map_range(all, [](int64_t each) { return std::to_string(each); }),
                      ", ") +
           "]";
  };
  return fmt::format(R"({{"shape": {}, "warps": {}, "vector": {}, "order": {}, "scalar": {}, )"
                     R"("scanAxis": {}, "exactAxis": {}}})",
                     list(spec.shape), spec.numWarps, spec.vector, list(spec.order), spec.scalar,
                     spec.scanAxis, spec.exactAxis);
}

// The elements of some threads: their coordinates, with spaces.
std::string someCoordinates(const Layout &layout) {
  std::string text;
  for (const int64_t lane : {0, 5, 31}) {
    llvm::SmallVector<int64_t, 4> last;
    for (const int64_t extent : layout.registerAxes()) last.push_back(extent - 1);
    for (unsigned d = 0; d < layout.rank(); ++d)
      text += fmt::format(" {}", layout.coordinate(d, last, lane, layout.numWarps() - 1));
  }
  return text;
}

TEST(PageLayout, RuleInJavaScriptIsThatOfTheCompiler) {
  const auto node = llvm::sys::findProgramByName("node");
  if (!node) GTEST_SKIP() << "SKIPPED: no node on this machine, so the page's rule was not tested";
  std::mt19937 random(35);
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("layouts", "js", path));
  std::ofstream script((std::string(path)));
  script << "const rule = require('" << T2C_WEB << "/layout.js');\nlet wrong = 0;\n"
         << "function check(spec, text, some) {\n"
         << "  const layout = rule.blockedLayout(spec);\n"
         << "  const at = [0, 5, 31].flatMap(lane => rule.coordinates(\n"
         << "      layout, layout.axes.map(extent => extent - 1), lane, layout.warps - 1));\n"
         << "  const own = rule.layoutText(layout), ownSome = at.map(x => ' ' + x).join('');\n"
         << "  if (own === text && ownSome === some) return;\n"
         << "  if (++wrong < 5) console.log(JSON.stringify(spec), own, text, ownSome, some);\n"
         << "}\n";
  for (int i = 0; i < 2000; ++i) {
    const BlockedSpec spec = randomSpec(random);
    const LayoutRef layout = blockedLayout(spec);
    script << fmt::format("check({}, \"{}\", \"{}\");\n", asJson(spec), layout->str(),
                          someCoordinates(*layout));
  }
  script << "process.exitCode = wrong > 0 ? 1 : 0;\n";
  script.close();
  EXPECT_EQ(llvm::sys::ExecuteAndWait(*node, {*node, path.str()}), 0);
  llvm::sys::fs::remove(path);
}

TEST(PageLayout, RuleIsFoundFromTheLayout) {
  std::mt19937 random(53);
  for (int i = 0; i < 500; ++i) {
    const LayoutRef layout = blockedLayout(randomSpec(random));
    const auto rule = ruleOf(*layout);
    ASSERT_TRUE(rule.has_value()) << layout->str();
    EXPECT_EQ(blockedLayout(*rule)->str(), layout->str());
  }
}

// Lanes in the order of a tensor core's accumulator.
TEST(PageLayout, NoRuleMakesAnAccumulator) {
  const Layout layout(1, {2, 2},
                      {{16, {{Unit::Lane, 0, 4, 8}, {Unit::Register, 0, 1, 2}}},
                       {8, {{Unit::Register, 1, 1, 2}, {Unit::Lane, 0, 1, 4}}}});
  EXPECT_FALSE(ruleOf(layout).has_value());
}

}  // namespace
}  // namespace tile2cu::page
