// Braces around short statements, and how many lines statements have.
#include "emit/transform/drop_braces.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/format.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr c = named("c"), x = named("x");
const Stmt assigned{Assign{x, "=", integer(1)}};

std::string printed(Stmts stmts, size_t depth = 1) {
  dropBraces(stmts, depth);
  return textOf(stmts);
}
Stmt loop(Stmts body, const char *unroll = "unroll") {
  For result = unrolledLoop("i", named("N"));
  result.unroll = unroll;
  result.body = std::move(body);
  return {std::move(result)};
}
Stmt branch(Stmts then, Stmts otherwise = {}) {
  return {If{c, std::move(then), std::move(otherwise)}};
}
const std::string kHead = "#pragma unroll\nfor (int i = 0; i < N; ++i)";

TEST(DropBraces, OneShortStatement) {
  EXPECT_EQ(printed({branch({assigned})}), "if (c)\nx = 1;\n");
  EXPECT_EQ(printed({loop({assigned})}), kHead + "\nx = 1;\n");
  EXPECT_EQ(printed({{While{c, {assigned}}}}), "while (c)\nx = 1;\n");
  EXPECT_EQ(printed({branch({branch({assigned})})}), "if (c)\nif (c)\nx = 1;\n");
  EXPECT_EQ(printed({branch({{Section{"part", {assigned}}}})}), "if (c)\nx = 1;\n");
}

TEST(DropBraces, OtherStatements) {
  EXPECT_EQ(printed({branch({assigned, assigned})}), "if (c) {\nx = 1;\nx = 1;\n}\n");
  EXPECT_EQ(printed({branch({assigned}, {assigned})}), "if (c) {\nx = 1;\n} else {\nx = 1;\n}\n");
  EXPECT_EQ(printed({branch({{Comment{"one"}}, assigned})}), "if (c) {\n// one\nx = 1;\n}\n");
  EXPECT_EQ(printed({branch({evaluate(x, "note")})}), "if (c) {\nx;  // note\n}\n");
}

// Loops over registers have no braces around another one, whatever that holds; branches have.
TEST(DropBraces, LoopsOverRegisters) {
  const Stmt inner = loop({assigned, assigned});
  EXPECT_EQ(printed({loop({inner})}), kHead + "\n" + kHead + " {\nx = 1;\nx = 1;\n}\n");
  EXPECT_EQ(printed({branch({loop({assigned})})}), "if (c) {\n" + kHead + "\nx = 1;\n}\n");
  EXPECT_EQ(printed({branch({loop({assigned}, "unroll 1")})}),
            "if (c) {\n#pragma unroll 1\nfor (int i = 0; i < N; ++i)\nx = 1;\n}\n");
}

TEST(DropBraces, WhatFitsOnALine) {
  const auto named97 = [](size_t width) {
    return Stmts{{Assign{named(Symbol(std::string(width - 5, 'x'))), "=", integer(1)}}};  // " = 1;"
  };
  const size_t inside = kColumns - 4;  // two blocks around it
  EXPECT_FALSE(llvm::StringRef(printed({branch(named97(inside))})).contains('{'));
  EXPECT_TRUE(llvm::StringRef(printed({branch(named97(inside + 1))})).contains('{'));
}

// Both ways: a block that gets shorter loses its braces, one that gets longer has them again.
TEST(DropBraces, Again) {
  Stmts stmts{branch({assigned})};
  dropBraces(stmts, 1);
  stmts.front().as<If>()->then.push_back(assigned);
  EXPECT_EQ(printed(stmts), "if (c) {\nx = 1;\nx = 1;\n}\n");
}

}  // namespace
}  // namespace tile2cu::emit
