// The overlap of random accesses in two loops, compared with an enumeration of all their elements.
#include <map>
#include <random>
#include <set>

#include "passes/analysis/memory/access_overlap.h"
#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

constexpr int kRows = 3, kColumns = 4;

// The atoms of terms and conditions.
enum Variable { R, K, Row, Column, N, S, kVariables };
const char *const kNames[] = {"r", "k", "row", "column", "n", "s"};

struct Term {
  int factor;
  std::vector<Variable> factors;
};
using Sum = std::vector<Term>;
using Values = std::array<int, kVariables>;

int64_t valueOf(const Sum &sum, const Values &values) {
  int64_t result = 0;
  for (const Term &term : sum) {
    int64_t product = term.factor;
    for (Variable variable : term.factors) product *= values[variable];
    result += product;
  }
  return result;
}

struct Access {
  Sum address;
  std::vector<Sum> masks;  // each less than 0
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int pick(std::initializer_list<int> all) { return *(all.begin() + random_() % all.size()); }
  bool chance(int percent) { return int(random_() % 100) < percent; }

  // As such accesses are, digit by digit, with a mistake in some.
  Access access() {
    Access made;
    switch (pick({0, 1, 2, 3, 4})) {
      case 0:  // rows in blocks
        made = {{{1, {R, N}}, {1, {K}}, {1, {Column}}}, {{{1, {K}}, {1, {Column}}, {-1, {N}}}}};
        break;
      case 1:  // planes
        made = {{{1, {R, S, N}}, {1, {Row, N}}, {1, {Column}}},
                {{{1, {Row}}, {-1, {S}}}, {{1, {Column}}, {-1, {N}}}}};
        break;
      case 2:  // numbers alone
        made = {{{pick({12, 24, 11}), {R}}, {4, {Row}}, {1, {Column}}, {pick({1, 3, 12, 36}), {K}}},
                {}};
        break;
      case 3:  // rows of a tile
        made = {{{1, {Row, N}}, {1, {Column}}, {pick({1, 3}), {R, N}}},
                {{{1, {Column}}, {-1, {N}}}}};
        break;
      default:  // blocks of elements
        made = {{{4, {K}}, {1, {Column}}, {16, {R}}, {64, {Row}}},
                {{{1, {R}}, {1, {Row}}, {-1, {S}}}}};
    }
    if (chance(30))
      made.address[random_() % made.address.size()].factor = pick({1, 2, 3, 4, 8, -1});
    if (chance(15)) made.address.erase(made.address.begin() + random_() % made.address.size());
    if (chance(10)) made.address.push_back({pick({1, 2, 4}), {pickOf({R, K, Row, Column})}});
    if (chance(25) && !made.masks.empty()) {
      Sum &mask = made.masks[random_() % made.masks.size()];
      mask.push_back({pick({1, -1, 2}), {}});
    }
    if (chance(10) && !made.masks.empty()) made.masks.pop_back();
    if (chance(10))
      made.masks.push_back({{1, {pickOf({R, K, Row, Column})}}, {-1, {pickOf({N, S})}}});
    return made;
  }

  Variable pickOf(std::initializer_list<Variable> all) {
    return *(all.begin() + random_() % all.size());
  }

 private:
  std::mt19937 random_;
};

// The kernel's text.
class Text {
 public:
  std::string of(const Access &a, const Access &b, bool isOne, const std::string &outer,
                 const std::string &inner) {
    out_ =
        "%arange3 = arange {end = 3, start = 0} : tile<3xi32>\n%arange4 = arange {end = 4, start = "
        "0} : tile<4xi32>\n"
        "%e3 = expand_dims %arange3 {axis = 1} : tile<3x1xi32>\n%e4 = expand_dims %arange4 {axis = "
        "0} : tile<1x4xi32>\n"
        "%row = broadcast %e3 : tile<3x4xi32>\n%column = broadcast %e4 : tile<3x4xi32>\n";
    out_ += outer + inner;
    const std::string x = access(a), y = isOne ? "" : access(b);
    out_ += "%x = load " + x + " : tile<3x4xf32>\n";
    if (!isOne) out_ += "%y = load " + y + " : tile<3x4xf32>\n";
    return out_ + "yield\n}\nyield\n}\n";
  }

 private:
  std::string fresh() { return "%v" + std::to_string(count_++); }
  std::string line(const std::string &text, const std::string &type) {
    const std::string name = fresh();
    out_ += name + " = " + text + " : " + type + "\n";
    return name;
  }
  std::string tile(const std::string &value) { return line("splat " + value, kTile); }
  std::string sum(const Sum &sum) {
    std::string result = tile(line("constant 0", "i32"));
    for (const Term &term : sum) {
      std::string product = tile(line("constant " + std::to_string(term.factor), "i32"));
      for (Variable variable : term.factors) {
        const std::string name = std::string("%") + kNames[variable];
        product = line(
            "mul " + product + ", " + (variable == Row || variable == Column ? name : tile(name)),
            kTile);
      }
      result = line("add " + result + ", " + product, kTile);
    }
    return result;
  }
  std::string access(const Access &access) {
    const std::string base = line("splat %p", "tile<3x4xptr<f32>>"),
                      at =
                          line("addptr " + base + ", " + sum(access.address), "tile<3x4xptr<f32>>");
    std::string mask;
    for (const Sum &each : access.masks) {
      const std::string holds =
          line("lt " + sum(each) + ", " + tile(line("constant 0", "i32")), "tile<3x4xbool>");
      mask = mask.empty() ? holds : line("and " + mask + ", " + holds, "tile<3x4xbool>");
    }
    return mask.empty() ? at : at + ", " + mask;
  }

  static constexpr const char *kTile = "tile<3x4xi32>";
  std::string out_;
  int count_ = 0;
};

struct Touched {
  std::pair<int, int> step, element;
};

TEST(AccessOverlapSoundness, RandomAccessesInTwoLoops) {
  unsigned never = 0, same = 0, unknown = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Generator random(seed);
    const bool isOne = random.chance(50);
    Access a = random.access(), b = a;
    if (random.chance(15)) b = random.access();
    if (random.chance(60)) b.address.push_back({random.pick({1, 2, 3, 4, -4, 12}), {}});
    if (random.chance(20)) b.address.push_back({1, {random.pickOf({N, S})}});
    const int lowers[] = {random.pick({0, 0, 0, 1, -2}), random.pick({0, 0, 0, 1, -2})},
              steps[] = {random.pick({1, 1, 2, 3}), random.pick({4, 4, 1, 8, 3})};
    const bool fromOuter = random.chance(15);
    const Variable uppers[] = {random.chance(70) ? S : N, random.chance(80) ? N : S};
    auto head = [&](int i, const char *name) {
      const std::string digit = std::to_string(i);
      const std::string lower = i == 1 && fromOuter ? "%r" : "%low" + digit;
      return "%low" + digit + " = constant " + std::to_string(lowers[i]) + " : i32\n%by" + digit +
             " = constant " + std::to_string(steps[i]) + " : i32\nfor %" + name + " = " + lower +
             " to %" + kNames[uppers[i]] + " step %by" + digit + " {compare = lt} {\n";
    };
    const std::string text = Text().of(a, b, isOne, head(0, "r"), head(1, "k"));
    ir::Module module;
    test::parseOrFail(test::kernelText("%p: ptr<f32>, %n: i32, %s: i32", text), module);
    const ir::Op *x = test::find(module, "x")->definition,
                 *y = isOne ? x : test::find(module, "y")->definition;
    const Overlap overlap = AccessOverlaps().of(x, y);
    if (!overlap.isPossible)
      ++never;
    else if (overlap.isSameElement || overlap.isSameStep)
      ++same;
    else
      ++unknown;

    for (int n = -1; n <= 9; ++n)
      for (int s = -1; s <= 6; ++s) {
        std::map<int64_t, std::vector<Touched>> touched;
        std::vector<std::pair<int64_t, Touched>> others;
        Values values{};
        values[N] = n;
        values[S] = s;
        for (int &r = values[R] = lowers[0]; r < values[uppers[0]]; r += steps[0])
          for (int &k = values[K] = fromOuter ? r : lowers[1]; k < values[uppers[1]]; k += steps[1])
            for (values[Row] = 0; values[Row] < kRows; ++values[Row])
              for (values[Column] = 0; values[Column] < kColumns; ++values[Column]) {
                const Touched here{{r, k}, {values[Row], values[Column]}};
                auto isDone = [&](const Access &access) {
                  return std::all_of(access.masks.begin(), access.masks.end(),
                                     [&](const Sum &mask) { return valueOf(mask, values) < 0; });
                };
                if (isDone(a)) touched[valueOf(a.address, values)].push_back(here);
                const Access &other = isOne ? a : b;
                if (isDone(other)) others.emplace_back(valueOf(other.address, values), here);
              }
        for (const auto &[address, second] : others)
          for (const Touched &first : touched[address]) {
            ASSERT_TRUE(overlap.isPossible) << "seed " << seed << ", n " << n << ", s " << s << "\n"
                                            << text;
            if (overlap.isSameElement)
              ASSERT_EQ(first.element, second.element)
                  << "seed " << seed << ", n " << n << ", s " << s << "\n"
                  << text;
            if (overlap.isSameStep)
              ASSERT_EQ(first.step, second.step)
                  << "seed " << seed << ", n " << n << ", s " << s << "\n"
                  << text;
          }
      }
  }
  // It says something at all.
  EXPECT_GT(never, 30u);
  EXPECT_GT(same, 300u);
  EXPECT_GT(unknown, 300u);
}

}  // namespace
}  // namespace tile2cu::passes
