// Which loops and branches are printed without braces.
#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/format.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr c = named("c"), x = named("x");
const Stmt assigned{Assign{x, "=", integer(1)}};

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

TEST(Braces, OneShortStatement) {
  EXPECT_EQ(textOf({branch({assigned})}), "if (c)\nx = 1;\n");
  EXPECT_EQ(textOf({loop({assigned})}), kHead + "\nx = 1;\n");
  EXPECT_EQ(textOf({{While{c, {assigned}}}}), "while (c)\nx = 1;\n");
  EXPECT_EQ(textOf({branch({branch({assigned})})}), "if (c)\nif (c)\nx = 1;\n");
  EXPECT_EQ(textOf({branch({{Section{"part", {assigned}}}})}), "if (c)\nx = 1;\n");
}

TEST(Braces, OtherStatements) {
  EXPECT_EQ(textOf({branch({assigned, assigned})}), "if (c) {\nx = 1;\nx = 1;\n}\n");
  EXPECT_EQ(textOf({branch({assigned}, {assigned})}), "if (c) {\nx = 1;\n} else {\nx = 1;\n}\n");
  EXPECT_EQ(textOf({branch({{Comment{"one"}}, assigned})}), "if (c) {\n// one\nx = 1;\n}\n");
  EXPECT_EQ(textOf({branch({evaluate(x, "note")})}), "if (c) {\nx;  // note\n}\n");
}

// Loops over registers have no braces around another one, whatever that holds; branches have.
TEST(Braces, LoopsOverRegisters) {
  const Stmt inner = loop({assigned, assigned});
  EXPECT_EQ(textOf({loop({inner})}), kHead + "\n" + kHead + " {\nx = 1;\nx = 1;\n}\n");
  EXPECT_EQ(textOf({branch({loop({assigned})})}), "if (c) {\n" + kHead + "\nx = 1;\n}\n");
  EXPECT_EQ(textOf({branch({loop({assigned}, "unroll 1")})}),
            "if (c) {\n#pragma unroll 1\nfor (int i = 0; i < N; ++i)\nx = 1;\n}\n");
}

TEST(Braces, WhatFitsOnALine) {
  const auto hasBraces = [](size_t width) {
    Function function;
    function.name = "f";
    const Stmt line{
        Assign{named(Symbol(std::string(width - 5, 'x'))), "=", integer(1)}};  // " = 1;"
    function.body = {branch({line})};
    std::string text;
    print(function, text);
    return llvm::StringRef(text).contains("if (c) {");
  };
  const size_t inside = kColumns - 4;  // two blocks around it
  EXPECT_FALSE(hasBraces(inside));
  EXPECT_TRUE(hasBraces(inside + 1));
}

}  // namespace
}  // namespace tile2cu::emit
