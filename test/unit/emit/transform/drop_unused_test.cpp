// Declarations that nobody reads are taken out of a kernel's statements.
#include "emit/transform/drop_unused.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr a = named("a"), b = named("b"), n = named("n"), x = named("x"), y = named("y");

// const int name = init;
Stmt number(const Symbol &name, const Expr &init) {
  Stmt stmt = constant(word("int"), name, init);
  stmt.as<Declare>()->isDroppable = true;
  return stmt;
}
Stmt set(const Expr &target, const Expr &value) { return {Assign{target, "=", value}}; }
std::string left(Stmts stmts) { return textOf(dropUnused(std::move(stmts))); }

const Stmt numberA = number("a", n), numberB = number("b", sum(a, integer(1)));

TEST(DropUnused, KeepsWhatIsRead) {
  EXPECT_EQ(left({numberA, numberB, set(elementOf(x, b), n)}),
            "const int a = n;\nconst int b = a + 1;\nx[b] = n;\n");
}

TEST(DropUnused, TakesOutWhatOnlyDroppedDeclarationsRead) {
  EXPECT_EQ(left({numberA, numberB, set(x, n)}), "x = n;\n");
  EXPECT_EQ(left({numberA, numberB, set(x, a)}), "const int a = n;\nx = a;\n");
}

TEST(DropUnused, OtherDeclarationsStay) {
  EXPECT_EQ(left({constant(word("int"), "d", n), numberA}), "const int d = n;\n");
}

TEST(DropUnused, MembersWordsAndCommentsAreNoReaders) {
  const Expr value = sum(member(y, "a"), word("z::a"));
  EXPECT_EQ(left({numberA, {Assign{x, "=", value}, "a"}}), "x = y.a + z::a;  // a\n");
}

TEST(DropUnused, EverySortOfStatementReads) {
  const Expr extent = integer(4);
  For loop = unrolledLoop("i", a);
  loop.body = {set(x, n)};
  Declare array{word("float"), {{"f", {a}}}};
  for (const Stmt &reader :
       {Stmt{loop}, Stmt{array}, evaluate(call("f", {a})), shortIf(a, jump("return")),
        jump("return", a), set(elementOf(x, a), n), evaluate(call(instance("f", {a}), {}))})
    EXPECT_TRUE(llvm::StringRef(left({numberA, reader})).starts_with("const int a = n;\n"))
        << textOf({reader});
}

TEST(DropUnused, ReadersStandInTheSameBlock) {
  Builder builder;
  builder.open(branchOn(x));
  builder.add(numberA);
  builder.openElse();
  builder.add(set(y, a));
  builder.close();
  builder.add(set(x, a));
  EXPECT_EQ(left(builder.end()), "if (x) {\n} else {\ny = a;\n}\nx = a;\n");
}

TEST(DropUnused, ReadersMayStandInInnerBlocks) {
  Builder builder;
  builder.add(numberA);
  builder.open({unrolledLoop("i", n)});
  builder.open(branchOn(y));
  builder.add(set(x, a));
  builder.close();
  builder.close();
  EXPECT_TRUE(llvm::StringRef(left(builder.end())).starts_with("const int a = n;\n"));
}

TEST(DropUnused, CommentsOfWhatGoes) {
  const Stmt comment{Comment{"a"}}, other{Comment{"x"}}, blank{Blank{}};
  EXPECT_EQ(left({comment, numberA, blank, other, set(x, n)}), "\n// x\nx = n;\n");
  EXPECT_EQ(left({comment, comment, numberA}), "");
  // The comment is about what follows, too.
  EXPECT_EQ(left({comment, numberA, set(x, n)}), "// a\nx = n;\n");
}

// What a section declares is read after it.
TEST(DropUnused, SectionsAreNoBlocks) {
  Stmts stmts{{Section{"part", {numberA, numberB}}}, set(x, a)};
  EXPECT_EQ(left(stmts), "const int a = n;\nx = a;\n");
  stmts.pop_back();
  EXPECT_EQ(left(stmts), "");
}

}  // namespace
}  // namespace tile2cu::emit
