// Sums of products that scalars and index tiles are made of.
#include "passes/analysis/integer/symbolic.h"

#include <array>
#include <cstddef>
#include <new>

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using test::find;

Polynomial sumOf(std::initializer_list<std::pair<Polynomial::Monomial, int64_t>> terms) {
  Polynomial sum;
  for (const auto &[monomial, factor] : terms) sum.add(monomial, factor);
  return sum;
}

TEST(Polynomial, Arithmetic) {
  const Polynomial x(Atom{nullptr, 0}), y(Atom{nullptr, 1});
  EXPECT_TRUE((x - x).isZero());
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ((x + Polynomial(2)) * (x - Polynomial(2)), x * x - Polynomial(4));
  EXPECT_EQ(Polynomial(3).constant(), 3);
  EXPECT_EQ(Polynomial().constant(), 0);
  EXPECT_EQ((x - Polynomial(1)).constant(), std::nullopt);
}

TEST(Polynomial, Division) {
  const Polynomial x(Atom{nullptr, 0}), y(Atom{nullptr, 1});
  EXPECT_EQ((Polynomial(6) * x * y).dividedBy(Polynomial(2) * y), Polynomial(3) * x);
  EXPECT_EQ((x * x + x).dividedBy(x), x + Polynomial(1));
  EXPECT_EQ((x + y).dividedBy(x), std::nullopt);
  EXPECT_EQ((Polynomial(3) * x).dividedBy(Polynomial(2)), std::nullopt);
  EXPECT_EQ(x.dividedBy(x + y), std::nullopt);  // one term only
}

// Texts list factors and terms in this order: it must not depend on where values happen to be in memory.
TEST(Polynomial, OrderIsThatInWhichValuesWereMade) {
  constexpr int kValues = 16;
  alignas(ir::Value) std::array<std::byte, kValues * sizeof(ir::Value)> memory;
  std::vector<ir::Value *> values;
  for (int i = kValues; i-- > 0;)  // from the end of the memory
    values.push_back(new (&memory[i * sizeof(ir::Value)]) ir::Value(ir::Scalar::I32, ""));
  Polynomial sum, product(1);
  for (ir::Value *value : values) sum = Polynomial(Atom{value}) + sum;
  for (ir::Value *value : values) product = Polynomial(Atom{value}) * product;
  std::vector<ir::Value *> terms, factors;
  for (const auto &[monomial, factor] : sum.terms()) terms.push_back(monomial.front().value);
  for (const Atom &atom : product.terms().begin()->first) factors.push_back(atom.value);
  EXPECT_EQ(terms, values);
  EXPECT_EQ(factors, values);
  for (ir::Value *value : values) value->~Value();
}

struct Known {
  ir::Module module;
  Symbols symbols;
  explicit Known(llvm::StringRef body) {
    test::parseOrFail(test::kernelText("%p: ptr<const f16>, %n: i32, %s: i32, %u: u32", body),
                      module);
  }
  ir::Value *value(llvm::StringRef name) { return find(module, name); }
  Atom atom(llvm::StringRef name) { return Atom{value(name)}; }
  std::optional<Polynomial> of(llvm::StringRef name) { return symbols.of(value(name)); }
};

TEST(Symbols, IndexTile) {
  Known known(
      "%r = arange {end = 40, start = 8} : tile<32xi32>\n"
      "%rows = expand_dims %r {axis = 1} : tile<32x1xi32>\n"
      "%pitch = splat %s : tile<32x1xi32>\n"
      "%starts = mul %rows, %pitch : tile<32x1xi32>\n"
      "%wide = cast %starts : tile<32x1xi64>\n"
      "%x = permute %wide {order = [1, 0]} : tile<1x32xi64>\n");
  const Atom s = known.atom("s");
  const Atom along{nullptr, 0}, across{nullptr, 1};
  EXPECT_EQ(known.of("starts"),
            Polynomial(Atom{along}) * Polynomial(s) + Polynomial(8) * Polynomial(s));
  EXPECT_EQ(known.of("x"),
            Polynomial(Atom{across}) * Polynomial(s) + Polynomial(8) * Polynomial(s));
}

// Values that may wrap around are atoms: unsigned sums, and casts that may lose bits.
TEST(Symbols, NoSums) {
  Known known(
      "%more = add %u, %u : u32\n"
      "%wide = cast %n : i64\n"
      "%k = constant 4 : i64\n"
      "%four = mul %wide, %k : i64\n"
      "%x = cast %four : i32\n"
      "%t = splat %u : tile<4xu32>\n"
      "%i = arange {end = 4, start = 0} : tile<4xu32>\n"
      "%sum = add %t, %i : tile<4xu32>\n");
  EXPECT_EQ(known.of("more"), Polynomial(known.atom("more")));
  EXPECT_EQ(known.of("x"), Polynomial(known.atom("x")));
  EXPECT_EQ(known.of("four"), Polynomial(4) * Polynomial(known.atom("n")));
  EXPECT_EQ(known.of("sum"), std::nullopt);
}

const char *const kLoop =
    "%zero = constant 0 : i32\n"
    "%step = constant 32 : i32\n"
    "%two = constant 2 : i32\n"
    "%last = for %k = %zero to %n step %step, %at = %p {compare = lt} : ptr<const f16> {\n"
    "  %by = mul %two, ADVANCE : i32\n"
    "  %next = addptr %at, %by : ptr<const f16>\n"
    "  yield %next\n"
    "}\n";

std::string loopThatAdvances(const std::string &by) {
  std::string text = kLoop;
  return text.replace(text.find("ADVANCE"), 7, by);
}

// A pointer that advances with the loop is where it started plus a multiple of the loop's variable.
TEST(Symbols, Carried) {
  Known known(loopThatAdvances("%step"));
  EXPECT_EQ(known.of("at"), sumOf({{{known.atom("p")}, 1}, {{known.atom("k")}, 2}}));
}

TEST(Symbols, CarriedByOtherAmounts) {
  Known known(loopThatAdvances("%s"));  // no multiple of the step
  EXPECT_EQ(known.of("at"), Polynomial(known.atom("at")));
  Known varying(loopThatAdvances("%k"));
  EXPECT_EQ(varying.of("at"), Polynomial(varying.atom("at")));
}

}  // namespace
}  // namespace tile2cu::passes
