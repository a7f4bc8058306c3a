// Parts of long functions as functions of their own: what is handed to them, and what stays where it is.
#include "emit/transform/outline_functions.h"

#include <gtest/gtest.h>

#include "emit/cuda/builder.h"
#include "emit/cuda/printer.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {
namespace {

struct Outlined {
  std::string rest;
  std::vector<Part> parts;

  std::string parameters(size_t i) const {
    LocalFunction function;
    function.parameters = parts.at(i).locals;
    const std::string text = textOf({{function}});  // const auto  = [&](...) {
    return text.substr(14, text.find(" {") - 14);
  }
  std::string body(size_t i) const { return textOf(parts.at(i).body); }
};

// takesSteps: iterations of loops become functions
Outlined outlined(const Stmts &stmts, size_t most, bool takesSteps = false) {
  Outlined result;
  Stmts rest = outline(stmts, most, takesSteps ? most : SIZE_MAX, [&](Part part) {
    std::vector<Expr> arguments;
    for (const FunctionParameter &local : part.locals) arguments.push_back(named(local.name));
    const Expr made = call("k_" + part.name, arguments);
    result.parts.push_back(std::move(part));
    return made;
  });
  result.rest = textOf(rest);
  return result;
}

const Expr kInt = word("int"), kFloat = word("float"), a = named("a"), b = named("b"),
           i = named("i"), k = named("k"), n = named("n"), x = named("x"), y = named("y"),
           zero = integer(0), kRows = named("ROWS");

Stmts repeated(const Stmt &stmt, size_t count) { return Stmts(count, stmt); }
// f(x, y);
Stmt use(llvm::ArrayRef<Expr> arguments, const char *function = "use") {
  return evaluate(call(function, arguments));
}
Stmt set(const Expr &target, const Expr &value, const char *op = "=") {
  return {Assign{target, op, value}};
}
Stmts operator+(Stmts some, Stmts more) {
  llvm::append_range(some, more);
  return some;
}
Stmts operator+(Stmts some, Stmt more) { return std::move(some) + Stmts{std::move(more)}; }

// for (int variable = 0; variable < n; ++variable) { ... }
Stmt loop(const Symbol &variable, Stmts body, const char *unroll = "") {
  For result = unrolledLoop(variable, n);
  result.unroll = unroll;
  result.body = std::move(body);
  return {std::move(result)};
}
Stmt branch(const Expr &condition, Stmts then, Stmts otherwise = {}) {
  If result{condition, std::move(then), std::move(otherwise)};
  return {std::move(result)};
}
Stmt function(const Symbol &name, Stmts body) {
  return {LocalFunction{name, {{kInt, "stage"}}, std::move(body)}};
}
Stmt array(const Expr &type, const Symbol &name, const std::vector<Expr> &extents,
           const Expr &init = {}) {
  return {Declare{type, {{name, extents, init}}}};
}
const Stmt kLoop = loop("k", {use({k})});
const Stmt number = variable(kFloat, "x", zero);

TEST(Outline, ShortFunctionsStay) {
  const Stmts stmts = Stmts{number, kLoop} + repeated(use({x}), 20);
  EXPECT_TRUE(outlined(stmts, 100).parts.empty());
  EXPECT_TRUE(llvm::StringRef(outlined(stmts, 100).rest)
                  .ends_with("use(k);\n" + textOf(repeated(use({x}), 20))));
}

TEST(Outline, WhatStandsBehindTheLoop) {
  const Stmts tail = repeated(use({x}), 20);
  const Outlined result = outlined(Stmts{number, kLoop, {Blank{}}} + tail, 10);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "epilogue");
  EXPECT_EQ(result.body(0), textOf(tail));
  EXPECT_EQ(result.rest, "float x = 0;\nfor (int k = 0; k < n; ++k)\nuse(k);\n\nk_epilogue(x);\n");
}

// A pointer that the part writes through is not assigned itself: it is passed by value, as the caller's may be const.
TEST(Outline, PointersThatArePassedByValue) {
  const Expr pointer = pointerTo(kFloat), p = named("p"), q = named("q"), r = named("r"),
             s = named("s"), u = named("u"), v = named("v"), x2 = named("x_2");
  const Stmts head{constant(pointer, "p", a),
                   constant(pointer, "q", a),
                   variable(pointer, "r", a),
                   constant(pointer, "s", a),
                   constant(kInt, "x", b),
                   variable(kInt, "y", b),
                   variable(word("KCombine::Values"), "u"),
                   variable(kFloat, "v", zero),
                   variable(kFloat, "x_2", zero),
                   kLoop};
  const Stmts tail = repeated(shortIf(n, set(unary("*", p), x)), 10) +
                     repeated(set(elementOf(q, sum(x, integer(1))), y), 10) +
                     Stmts{set(r, integer(4), "+="), set(unary("*", r), unary("*", s)),
                           set(member(u, "value0"), integer(1)), set(x2, sum(v, x))};
  const Outlined result = outlined(head + tail, 10);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parameters(0),
            "[&](float* p, float* q, float*& r, float* s, int x, int y, KCombine::Values& u, float "
            "v, float& x_2)");
}

// A step that calls what was a branch: what the branch changes is the variable of the function around both.
TEST(Outline, VariablesThatACalledPartChanges) {
  const Stmts inside = repeated(use({x, y}), 10) + set(x, y, "*=");
  const Outlined result = outlined({variable(kInt, "x", zero), variable(kInt, "y", zero),
                                    loop("k", repeated(use({k}), 10) + branch(k, inside))},
                                   5, true);
  ASSERT_EQ(result.parts.size(), 2u);
  EXPECT_EQ(result.parts[0].name, "update_x");
  EXPECT_EQ(result.parameters(0), "[&](int& x, int y)");
  EXPECT_EQ(result.parts[1].name, "step");
  EXPECT_EQ(result.parameters(1), "[&](int& x, int y, int k)");
}

TEST(Outline, StepsIfNothingElseIsLeft) {
  const Expr stage = named("stage");
  const Stmts step = repeated(use({x, k}), 20) + Stmt{Assign{stage, "++"}};
  const Stmts stmts{number, variable(kInt, "stage", zero), loop("k", step, "unroll 1")};
  EXPECT_TRUE(outlined(stmts, 10).parts.empty());
  const Outlined result = outlined(stmts, 10, true);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "step");
  EXPECT_EQ(result.parts[0].comment, "One iteration of the loop over k.");
  EXPECT_EQ(result.body(0), textOf(step));
  EXPECT_EQ(result.parameters(0), "[&](float x, int& stage, int k)");
  EXPECT_EQ(result.rest,
            "float x = 0;\nint stage = 0;\n#pragma unroll 1\nfor (int k = 0; k < n; ++k)\n"
            "k_step(x, stage, k);\n");
}

TEST(Outline, StepsOfTheInnerLoop) {
  const Stmts step = repeated(use({i, k}), 20);
  const Outlined result = outlined({loop("i", Stmts{loop("k", step)} + use({i}))}, 10, true);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.body(0), textOf(step));
}

TEST(Outline, StepsThatLeaveTheirLoopStay) {
  for (const char *end : {"break", "continue", "return"}) {
    const Stmts stmts{loop("k", repeated(use({k}), 20) + shortIf(k, jump(end)))};
    EXPECT_TRUE(outlined(stmts, 10, true).parts.empty()) << end;
  }
}

TEST(Outline, LoopsOverRegistersHaveNoEpilogue) {
  const Stmts stmts = Stmts{loop("k", {use({k})}, "unroll")} + repeated(use({n}), 20);
  EXPECT_TRUE(outlined(stmts, 10).parts.empty());
}

TEST(Outline, Parameters) {
  const auto vector = [](const Expr &of, const Symbol &size) {
    return instance("tile2cu::vec", {of, named(size)});
  };
  const Expr half = word("const __half"), from = named("from"), acc = named("acc");
  const Stmts head{array(vector(kFloat, "PAIR"), "acc", {kRows, named("COLUMNS")}, braces({}, {})),
                   constant(word("int64_t"), "first", member(word("blockIdx"), "x")),
                   constant(pointerTo(half), "from", a),
                   variable(kInt, "last", integer(-1)),
                   variable(kInt, "count", zero),
                   constant(vector(kInt, "VEC"), "lone", braces({}, {})),
                   variable(kFloat, "unused", zero),
                   kLoop};
  const Stmts tail =
      Stmts{set(subscript(acc, {zero, zero, zero}), named("first"), "+="),
            use({from}, "load"),
            {Assign{named("count"), "++"}},
            use({sum(named("last"), member(named("smem"), "unused")), named("lone")})} +
      repeated(use({}, "more"), 10);
  const Outlined result = outlined(head + tail, 10);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parameters(0),
            "[&](tile2cu::vec<float, PAIR> (&acc)[ROWS][COLUMNS], int64_t first, const __half* "
            "from, int last, int& count, const tile2cu::vec<int, VEC>& lone)");
}

TEST(Outline, WhatCannotBeHandedOnStays) {
  for (const Stmt &stmt :
       {function("x", {use({named("stage")})}), variable(word("auto"), "x", zero),
        variable(word("auto&"), "x", a), array(kFloat, "x", {product(integer(2), kRows)}),
        array(instance("tile2cu::vec", {kFloat, product(integer(2), kRows)}), "x", {kRows})})
    EXPECT_TRUE(outlined(Stmts{stmt, kLoop} + repeated(use({x}), 20), 10).parts.empty())
        << textOf({stmt});
}

TEST(Outline, WhatEndedIsAnother) {
  const Outlined result =
      outlined(Stmts{loop("i", {number, use({x})})} + repeated(use({i, x}), 10), 5);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parameters(0), "[&]()");
}

TEST(Outline, Sections) {
  const Stmts product = repeated(use({named("acc"), k}, "mma"), 10);
  const Stmt part{Section{"multiply_acc", Stmts{{Comment{"Tensor cores."}}} + product}};
  const Stmts stmts{array(kFloat, "acc", {kRows}), loop("k", {part})};
  const Outlined result = outlined(stmts, 5);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "multiply_acc");
  EXPECT_EQ(result.parts[0].comment, "Tensor cores.");
  EXPECT_EQ(result.body(0), textOf(product));
  EXPECT_EQ(result.parameters(0), "[&](float (&acc)[ROWS], int k)");
  EXPECT_EQ(result.rest,
            "float acc[ROWS];\nfor (int k = 0; k < n; ++k)\nk_multiply_acc(acc, k);\n");
  EXPECT_EQ(outlined(stmts, 100).rest,
            "float acc[ROWS];\nfor (int k = 0; k < n; ++k) {\n// Tensor cores.\n" +
                textOf(product) + "}\n");
}

// What a section declares can be seen behind it.
TEST(Outline, SectionsAreNoBlocks) {
  const Stmts stmts = Stmts{{Section{"start_copies", {number}}}, kLoop} + repeated(use({x}), 20);
  const Outlined result = outlined(stmts, 10);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parameters(0), "[&](float x)");
}

TEST(Outline, LocalFunctions) {
  const Expr left = named("left"), copy = named("copy"), stage = named("stage");
  const Stmts stmts{constant(kInt, "left", integer(3)),
                    {Comment{"Starts the copies."}},
                    function("copy", repeated(use({left, stage}, "start"), 10)),
                    evaluate(call(copy, {zero})),
                    shortIf(left, evaluate(call(copy, {sum(left, integer(-1))})))};
  const Outlined result = outlined(stmts, 8);
  ASSERT_EQ(result.parts.size(), 1u);
  ASSERT_EQ(result.parts[0].parameters.size(), 1u);
  EXPECT_EQ(result.parts[0].parameters[0].name, "stage");
  EXPECT_EQ(result.parts[0].comment, "Starts the copies.");
  EXPECT_EQ(result.rest,
            "const int left = 3;\nk_copy(left, 0);\nif (left) k_copy(left, left - 1);\n");
}

// One that a section declares is called behind the section as well.
TEST(Outline, LocalFunctionsOfSections) {
  const Stmt part{Section{"part", {function("copy", repeated(use({named("stage")}), 10))}}};
  const Outlined result = outlined({loop("k", {part, evaluate(call(named("copy"), {k}))})}, 5);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "part");
}

TEST(Outline, LocalFunctionsOfOneNameInTwoBlocks) {
  const auto block = [](const Expr &what) {
    return branch(n, {function("copy", repeated(use({what, named("stage")}, "start"), 10)),
                      evaluate(call(named("copy"), {zero}))});
  };
  const Outlined result =
      outlined({variable(kInt, "a", zero), variable(kInt, "b", zero), block(a), block(b)}, 8);
  ASSERT_EQ(result.parts.size(), 2u);
  EXPECT_NE(result.parts[0].name, result.parts[1].name);
  EXPECT_EQ(result.rest,
            "int a = 0;\nint b = 0;\nif (n)\nk_copy(a, 0);\nif (n)\nk_copy_2(b, 0);\n");
}

TEST(Outline, Branches) {
  const Expr rowMax = named("row_max"), moves = named("moves");
  const Stmt declared = variable(kFloat, "row_max", zero);
  const Stmts inside = repeated(set(rowMax, a), 10);
  const Outlined result = outlined({declared, branch(moves, inside), use({rowMax})}, 8);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "update_row_max");
  EXPECT_EQ(result.parts[0].comment, "Runs if moves.");
  EXPECT_EQ(result.parameters(0), "[&](float& row_max)");
  EXPECT_EQ(result.rest,
            "float row_max = 0;\nif (moves)\nk_update_row_max(row_max);\nuse(row_max);\n");
  EXPECT_TRUE(outlined({declared, branch(moves, inside, inside)}, 8).parts.empty());
  EXPECT_TRUE(outlined({declared, branch(moves, inside + jump("return"))}, 8).parts.empty());
}

// The branch around it cannot be a function, which has no parameter for `y`.
TEST(Outline, BranchesInsideOthers) {
  const Expr p = named("p"), q = named("q");
  const Stmts inside = repeated(set(a, b), 10);
  const Stmt declared = variable(kFloat, "a", zero);
  Outlined result = outlined(
      {declared, variable(word("auto"), "y", zero), branch(p, {use({y}), branch(q, inside)})}, 4);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "update_a");
  EXPECT_EQ(result.body(0), textOf(inside));
  EXPECT_EQ(result.rest,
            "float a = 0;\nauto y = 0;\nif (p) {\nuse(y);\nif (q)\nk_update_a(a);\n}\n");
  // Without y, it is taken as a whole.
  result = outlined({declared, branch(p, {use({a}), branch(q, inside)})}, 4);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.rest, "float a = 0;\nif (p)\nk_update_a(a);\n");
}

// A loop over registers with these statements.
Stmt nest(Stmts body) {
  For result = unrolledLoop("i", kRows);
  result.body = std::move(body);
  return {std::move(result)};
}
// One that sets `tile`.
Stmt nest(const Symbol &tile, const Expr &value) {
  return nest(repeated(constant(kInt, "k", i), 3) + set(elementOf(named(tile), i), value));
}
Stmt tile(const Symbol &name) { return array(kFloat, name, {kRows}); }

TEST(Outline, LoopsOverRegisters) {
  const auto element = [](const Symbol &of) { return elementOf(named(of), i); };
  const Stmts run{{Comment{"weights = exp(old)"}},   tile("weights"),
                  nest("weights", element("old")),   tile("twice"),
                  nest("twice", element("weights")), nest("old", element("twice"))};
  const Outlined result = outlined(Stmts{tile("old"), use({named("old")}, "load")} + run +
                                       Stmts{use({}, "wait"), use({named("weights")})},
                                   8);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "compute_weights_old");
  EXPECT_EQ(result.parts[0].comment, "Computes weights and old.");
  // Variables that are read after it are declared before it, and no others are.
  EXPECT_EQ(result.rest,
            "float old[ROWS];\nload(old);\nfloat weights[ROWS];\nk_compute_weights_old(old, "
            "weights);\nwait();\nuse(weights);\n");
  EXPECT_EQ(result.body(0),
            textOf({{Comment{"weights = exp(old)"}}, run[2], run[3], run[4], run[5]}));
}

// The words about the layout of a tile stay with its declaration.
TEST(Outline, CommentsOfTilesThatAreReadBehind) {
  const Outlined result = outlined({{Comment{"The weights."}},
                                    {Comment{"Tile w: row = i.", "w"}},
                                    tile("w"),
                                    nest("w", zero),
                                    use({}, "wait"),
                                    use({named("w")})},
                                   5);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.rest,
            "// Tile w: row = i.\nfloat w[ROWS];\nk_compute_w(w);\nwait();\nuse(w);\n");
}

TEST(Outline, LoopsOverRegistersThatMakeMuch) {
  Stmts stmts{use({}, "start")}, uses;
  for (const Symbol &name : std::initializer_list<Symbol>{"a", "b", "c", "d"}) {
    llvm::append_range(stmts, Stmts{tile(name), nest(name, zero)});
    uses.push_back(use({named(name)}));
  }
  const Outlined result = outlined(stmts + use({}, "wait") + uses, 12);
  ASSERT_EQ(result.parts.size(), 2u);
  EXPECT_EQ(result.parts[0].name, "compute_a_b_c");
  EXPECT_EQ(result.parts[1].name, "compute_d");
}

TEST(Outline, LoopsInWhichThreadsWaitStay) {
  for (const Stmt &stmt :
       {evaluate(Effect::Synchronizes, call("__syncthreads", {})),
        evaluate(Effect::Wgmma, call("tile2cu::wgmma_commit", {})),
        shortIf(zero, evaluate(Effect::Synchronizes, call("copy", {}))), jump("return")}) {
    const Stmts stmts{tile("a"), nest(repeated(stmt, 10) + set(elementOf(a, i), zero)), use({a})};
    EXPECT_TRUE(outlined(stmts, 5).parts.empty()) << textOf({stmt});
  }
}

TEST(Outline, LoopsThatFillSharedMemory) {
  const Expr place = call(instance("tile2cu::as_vec", {integer(4)}),
                          {addressOf(elementOf(member(named("smem"), "rows"), i))});
  const Stmts stmts{tile("x"), use({x}, "load"),
                    nest(repeated(constant(kInt, "k", i), 6) + set(place, elementOf(x, i))),
                    use({}, "wait")};
  const Outlined result = outlined(stmts, 6);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "store_rows");
}

TEST(Outline, ArraysThatAreFilled) {
  const Stmts stmts{tile("x"), use({x, zero}, "tile2cu::fill"), nest("x", elementOf(x, i)),
                    use({x})};
  const Outlined result = outlined(stmts, 5);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "compute_x");
}

}  // namespace
}  // namespace tile2cu::emit
