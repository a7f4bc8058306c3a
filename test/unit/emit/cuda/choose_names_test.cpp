// The names of variables in a complete function.
#include "emit/cuda/choose_names.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/names.h"
#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

const Expr kInt = word("int");

Stmt use(const Expr &e) { return evaluate(call("use", {e})); }
Stmt loop(const Symbol &variable, Stmts body) {
  For result = unrolledLoop(variable, integer(4));
  result.unroll.clear();
  result.body = std::move(body);
  return {std::move(result)};
}
Stmt declare(const Symbol &name) { return variable(kInt, name, integer(0)); }

std::string chosen(Stmts body, std::vector<FunctionParameter> parameters = {},
                   const SymbolSet &others = {}) {
  Function function;
  function.parameters = std::move(parameters);
  function.body = std::move(body);
  chooseNames(function, others);
  std::string text;
  for (const FunctionParameter &each : function.parameters) text += each.name.wanted().str() + "; ";
  return text + textOf(function.body);
}

TEST(ChooseNames, NumbersOnlyWhereAScopeHasTheName) {
  Names names;
  const Symbol a = names.take("i"), b = names.take("i"), c = names.take("i"), d = names.take("i");
  EXPECT_EQ(chosen({loop(a, {loop(b, {use(named(a)), use(named(b))})}), loop(c, {use(named(c))}),
                    declare(d), use(named(d))}),
            "for (int i = 0; i < 4; ++i) {\nfor (int i_2 = 0; i_2 < 4; ++i_2) {\nuse(i);\n"
            "use(i_2);\n}\n}\nfor (int i = 0; i < 4; ++i)\nuse(i);\nint i = 0;\nuse(i);\n");
}

TEST(ChooseNames, NamesThatMeanSomethingElse) {
  Names names;
  const Symbol smem = names.take("smem"), row = names.take("row"), use = names.take("use"),
               known = names.take("known");
  EXPECT_EQ(
      chosen({declare(smem), declare(row), declare(use), declare(known),
              evaluate(call("use", {named("row"), named(use)}))},
             {}, {"known"}),
      "int smem_value = 0;\nint row_2 = 0;\nint use_2 = 0;\nint known_2 = 0;\nuse(row, use_2);\n");
}

// The user's names come first.
TEST(ChooseNames, GeneratedNamesMakeWay) {
  Names names;
  const Symbol ours = names.take("start", {Origin::Generated}), users = names.take("start");
  EXPECT_EQ(chosen({loop(names.take("k"), {declare(ours)}), declare(users)}),
            "for (int k = 0; k < 4; ++k)\nint start_2 = 0;\nint start = 0;\n");
}

TEST(ChooseNames, SecondNamesComeBeforeNumbers) {
  Names names;
  const Hint hint{.second = "x_stage"};
  const Symbol a = names.take("stage", hint), b = names.take("stage", hint),
               c = names.take("stage", hint);
  EXPECT_EQ(chosen({declare(a), declare(b), {Comment{CommentText("From ") + b + "."}}, declare(c)}),
            "int stage = 0;\nint x_stage = 0;\n// From x_stage.\nint stage_2 = 0;\n");
}

TEST(ChooseNames, ParametersSectionsAndLocalFunctions) {
  Names names;
  const Symbol x = names.take("x"), inside = names.take("x"), after = names.take("y"),
               function = names.take("f"), stage = names.take("x");
  const Stmts body{{Section{"part", {declare(after)}}},
                   {LocalFunction{function, {{kInt, stage}}, {use(named(stage)), use(named(x))}}},
                   loop(inside, {evaluate(call(named(function), {named(inside), named(after)}))})};
  EXPECT_EQ(chosen(body, {{kInt, x}}),
            "x; int y = 0;\nconst auto f = [&](int x_2) {\nuse(x_2);\nuse(x);\n};\n"
            "for (int x_2 = 0; x_2 < 4; ++x_2)\nf(x_2, y);\n");
}

TEST(ChooseNames, Comments) {
  Names names;
  const Symbol x = names.take("x"), y = names.take("x"), gone = names.take("gone");
  const CommentText text = CommentText("Tile ") + y + ": from " + gone + ".";
  EXPECT_EQ(chosen({declare(x), {Comment{text, y}}, declare(y)}),
            "int x = 0;\n// Tile x_2: from gone.\nint x_2 = 0;\n");
}

TEST(ChooseNames, TextsThatDifferInNumbersAlone) {
  Names names;
  const auto body = [&](const Expr &outer) {
    const Symbol i = names.take("i"), a = names.take("a");
    return Stmts{loop(i, {declare(a), use(sum(named(a), outer))})};
  };
  const auto renumbered = [](Stmts stmts) {
    SymbolMap numbers;
    addNumbers(stmts, numbers);
    rename(stmts, numbers);
    return stmts;
  };
  const Expr x = named(names.take("x")), y = named(names.take("x"));
  EXPECT_NE(body(x), body(x));
  EXPECT_EQ(renumbered(body(x)), renumbered(body(x)));
  EXPECT_NE(renumbered(body(x)), renumbered(body(y)));
}

}  // namespace
}  // namespace tile2cu::emit
