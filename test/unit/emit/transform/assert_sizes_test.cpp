// Which static_asserts a kernel's sizes have.
#include "emit/transform/assert_sizes.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr m = named("M"), n = named("N"), vec = named("VEC"), warps = named("WARPS"),
           threads = named("THREADS"), lane = named("lane");

Expr over(const Expr &a, const Expr &b) { return binary(Prec::Multiplicative, "/", a, b); }
Expr equal(const Expr &a, const Expr &b) { return binary(Prec::Equality, "==", a, b); }

// Kernels of two sizes: 64 x 32 with 4 warps, 128 x 32 with 8 of them.
class AssertSizes : public testing::Test {
 protected:
  AssertSizes() {
    group.instances.resize(2);
    group.numbers = {{"M", {}, "", {64, 128}, true},
                     {"N", {}, "", {32, 32}, false},
                     {"WARPS", {}, "", {4, 8}, true},
                     {"VEC", {}, "", {8, 8}, false},
                     {"THREADS", product(integer(32), warps), "", {128, 256}, false}};
  }
  void derive(const Symbol &name, const Expr &derivation) {
    group.numbers.push_back({name, derivation, "", {1, 1}, false});
  }
  void write(const Expr &e) { text().body.push_back({Assign{named("x"), "=", e}}); }
  KernelText &text() { return group.instances.front().text; }
  std::string assertions() const {
    SymbolSet declared;
    for (const GroupNumber &number : group.numbers) declared.insert(number.name);
    return textOf(assertSizes(group, declared));
  }

  KernelGroup group;
};

TEST_F(AssertSizes, OneForTheQuotientsOfEachSize) {
  derive("ROWS", over(n, product(vec, integer(2))));
  derive("STEPS", over(m, warps));
  write(over(n, integer(16)));
  EXPECT_EQ(assertions(),
            "static_assert(M % WARPS == 0);\n"
            "static_assert(N % (VEC * 2) == 0 && N % 16 == 0);\n");
}

TEST_F(AssertSizes, NoneOfNumbersThatAreNotDeclared) {
  derive("STEPS", over(m, warps));
  write(over(n, vec));
  EXPECT_EQ(textOf(assertSizes(group, {"N", "VEC"})), "static_assert(N % VEC == 0);\n");
}

TEST_F(AssertSizes, NoneOfVariablesAndOfQuotientsThatAreRoundedUp) {
  write(over(lane, vec));
  write(over(sum(n, integer(15)), integer(16)));
  write(over(integer(7), integer(2)));
  EXPECT_EQ(assertions(), "");
}

TEST_F(AssertSizes, NoneThatADerivationImplies) {
  write(over(threads, warps));
  write(over(threads, product(integer(16), warps)));
  EXPECT_EQ(assertions(), "");
  write(over(threads, integer(64)));
  EXPECT_EQ(assertions(), "static_assert(THREADS % 64 == 0);\n");
}

TEST_F(AssertSizes, NoneThatAnotherImplies) {
  write(over(n, integer(8)));
  write(over(n, integer(16)));
  write(over(m, integer(8)));
  EXPECT_EQ(assertions(), "static_assert(M % 8 == 0);\nstatic_assert(N % 16 == 0);\n");
}

TEST_F(AssertSizes, ConditionsOfTheText) {
  write(over(m, vec));
  text().conditions = {equal(m, product(warps, integer(16)))};
  EXPECT_EQ(assertions(), "static_assert(M % VEC == 0 && M == WARPS * 16);\n");
}

TEST_F(AssertSizes, EachKernelIsChecked) {
  text().conditions = {equal(m, integer(64))};
  EXPECT_DEATH(assertions(), "assert");
}

}  // namespace
}  // namespace tile2cu::emit
