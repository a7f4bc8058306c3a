// Parts of long functions as functions of their own: what is handed to them, and what stays where it is.
#include "emit/transform/outline_functions.h"

#include <gtest/gtest.h>

#include "emit/cuda/printer.h"

namespace tile2cu::emit {
namespace {

struct Outlined {
  std::string rest;
  std::vector<Part> parts;

  std::string parameters(size_t i) const {
    std::string text;
    for (const Local &local : parts.at(i).locals) text += local.parameter + "; ";
    return text;
  }
};

// isTooLong: what is left is, once it is formatted
Outlined outlined(const std::string &text, size_t limit, bool isTooLong = false) {
  Outlined result;
  auto check = [&](const std::string &) { return isTooLong; };
  result.rest = outline(text, 0, limit, check, [&](const Part &part) {
    result.parts.push_back(part);
    std::string arguments;
    for (const Local &local : part.locals)
      arguments += (arguments.empty() ? "" : ", ") + local.name;
    return "k_" + part.name + "(" + arguments;
  });
  return result;
}

std::string repeated(const std::string &line, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += line + "\n";
  return text;
}

const std::string kLoop = "for (int k = 0; k < n; ++k) {\nuse(k);\n}\n";

TEST(Outline, ShortFunctionsStay) {
  const std::string text = "float x = 0.0f;\n" + kLoop + repeated("use(x);", 20);
  EXPECT_EQ(outlined(text, 100).rest, text);
  EXPECT_TRUE(outlined(text, 100).parts.empty());
}

TEST(Outline, WhatStandsBehindTheLoop) {
  const std::string tail = repeated("use(x);", 20);
  Outlined result = outlined("float x = 0.0f;\n" + kLoop + "\n" + tail, 10);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "epilogue");
  EXPECT_EQ(result.parts[0].body, tail);
  EXPECT_EQ(result.rest, "float x = 0.0f;\n" + kLoop + "\nk_epilogue(x);\n");
}

// A pointer that the part writes through is not assigned itself: it is passed by value, as the caller's may be const.
TEST(Outline, PointersThatArePassedByValue) {
  const std::string tail = repeated("if (tid == 0) *p = x;", 10) + repeated("q[x + 1] = y;", 10) +
                           "r += 4;\n*r = *s;\nu.value0 = 1;\nx_2 = v + x;\n";
  Outlined result = outlined(
      "float* const p = out + x;\nfloat* const q = out;\nfloat* r = out;\nfloat* const s = out;\n"
      "const int x = 1;\nint y = 2;\nKCombine::Values u;\nfloat v = 0;\nfloat x_2 = 0;\n" +
          kLoop + "\n" + tail,
      10);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parameters(0),
            "float* p; float* q; float*& r; float* s; int x; int y; KCombine::Values& u; float v; "
            "float& x_2; ");
}

// A step that calls what was a branch: what the branch changes is the variable of the function around both.
TEST(Outline, VariablesThatACalledPartChanges) {
  const std::string branch = repeated("use(p, x, y);", 10) + "x *= y;\n";
  Outlined result =
      outlined("int x = 0;\nint y = 2;\nfloat* p = out;\nfor (int k = 0; k < n; ++k) {\n" +
                   repeated("use(k);", 10) + "if (k > y) {\n" + branch + "}\n}\n",
               5, true);
  ASSERT_EQ(result.parts.size(), 2u);
  EXPECT_EQ(result.parts[0].name, "update_x");
  EXPECT_EQ(result.parameters(0), "int& x; int y; float* p; ");
  EXPECT_EQ(result.parts[1].name, "step");
  EXPECT_EQ(result.parameters(1), "int& x; int y; float* p; int k; ");
}

TEST(Outline, StepsIfNothingElseIsLeft) {
  const std::string head = "float x = 0.0f;\nint stage = 0;\n#pragma unroll 1\n";
  const std::string step = repeated("use(x, k);", 20) + "++stage;\n";
  const std::string text = head + "for (int k = 0; k < n; ++k) {\n" + step + "}\n";
  EXPECT_EQ(outlined(text, 10).rest, text);
  Outlined result = outlined(text, 10, true);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "step");
  EXPECT_EQ(result.parts[0].comment, "// A step of the loop over k.\n");
  EXPECT_EQ(result.parts[0].body, step);
  EXPECT_EQ(result.parameters(0), "float x; int& stage; int k; ");
  EXPECT_EQ(result.rest, head + "for (int k = 0; k < n; ++k) {\nk_step(x, stage, k);\n}\n");
}

TEST(Outline, StepsOfTheInnerLoop) {
  const std::string step = repeated("use(i, k);", 20);
  const std::string text =
      "for (int i = 0; i < n; ++i) {\nfor (int k = 0; k < n; ++k) {\n" + step + "}\nuse(i);\n}\n";
  Outlined result = outlined(text, 10, true);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].body, step);
}

TEST(Outline, StepsThatLeaveTheirLoopStay) {
  for (const char *end :
       {"if (k > n) break;\n", "if (k > n) continue;\n", "if (k > n) return;\n"}) {
    const std::string text =
        "for (int k = 0; k < n; ++k) {\n" + repeated("use(k);", 20) + end + "}\n";
    EXPECT_EQ(outlined(text, 10, true).rest, text);
  }
}

TEST(Outline, LoopsOverRegistersHaveNoEpilogue) {
  const std::string text = "#pragma unroll\n" + kLoop + repeated("use(n);", 20);
  EXPECT_EQ(outlined(text, 10).rest, text);
}

TEST(Outline, Parameters) {
  const std::string head =
      "tile2cu::vec<float, PAIR> acc[ROWS][COLUMNS] = {};\n"
      "const int64_t first = blockIdx.x;\n"
      "const __half* const from = a + first;\n"
      "int last = -1;\n"
      "int count = 0;\n"
      "const tile2cu::vec<int, VEC> lone = {};\n"
      "float unused = 0.0f;\n";
  const std::string tail =
      "acc[0][0][0] += first;\nload(from);\n++count;\nuse(last + smem.unused, lone);\n" +
      repeated("more();", 10);
  Outlined result = outlined(head + kLoop + tail, 10);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parameters(0),
            "tile2cu::vec<float, PAIR> (&acc)[ROWS][COLUMNS]; int64_t first; const __half* from; "
            "int last; int& count; const tile2cu::vec<int, VEC>& lone; ");
}

TEST(Outline, WhatCannotBeHandedOnStays) {
  for (const char *line : {"const auto x = [&](int i) {\n};", "auto x = first();",
                           "float x[2 * ROWS];", "const float& x = other;"}) {
    const std::string text = line + ("\n" + kLoop) + repeated("use(x);", 20);
    EXPECT_EQ(outlined(text, 10).rest, text) << line;
  }
}

TEST(Outline, AssignmentsDeclareNothing) {
  for (const char *sign : {"^=", "*=", "%=", "|=", "<<=", ">>=", "+=", "-=", "/=", "&="}) {
    Outlined result = outlined("int x = 0;\nint h = 0;\nh " + std::string(sign) + " x;\n" + kLoop +
                                   repeated("use(x + h);", 20),
                               10);
    ASSERT_EQ(result.parts.size(), 1u) << sign;
    EXPECT_EQ(result.parameters(0), "int x; int h; ") << sign;
  }
}

TEST(Outline, WhatEndedIsAnother) {
  const std::string head = "for (int i = 0; i < n; ++i) {\nfloat x = 0.0f;\nuse(x);\n}\n";
  Outlined result = outlined(head + repeated("use(i);", 10), 5);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parameters(0), "");
}

TEST(Outline, MarkedStatements) {
  const std::string product = std::string(kSectionBegin) + "multiply_acc\n// Tensor cores.\n" +
                              repeated("mma(acc, kk);", 10) + kSectionEnd + "\n";
  const std::string text = "float acc[ROWS];\nfor (int kk = 0; kk < n; ++kk) {\n" + product + "}\n";
  Outlined result = outlined(text, 5);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].comment, "// Tensor cores.\n");
  EXPECT_EQ(result.parts[0].body, repeated("mma(acc, kk);", 10));
  EXPECT_EQ(result.parameters(0), "float (&acc)[ROWS]; int kk; ");
  EXPECT_EQ(result.rest,
            "float acc[ROWS];\nfor (int kk = 0; kk < n; ++kk) {\nk_multiply_acc(acc, kk);\n}\n");
  EXPECT_EQ(outlined(text, 100).rest,  // without the marks
            "float acc[ROWS];\nfor (int kk = 0; kk < n; ++kk) {\n// Tensor cores.\n" +
                repeated("mma(acc, kk);", 10) + "}\n");
}

TEST(Outline, Lambdas) {
  const std::string text =
      "const int left = 3;\n// Starts the copies.\nconst auto copy = [&](int stage) {\n" +
      repeated("start(left, stage);", 10) + "};\ncopy(0);\nif (left > 0) copy(left - 1);\n";
  Outlined result = outlined(text, 8);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].parameters, "int stage");
  EXPECT_EQ(result.parts[0].comment, "// Starts the copies.\n");
  EXPECT_EQ(result.rest,
            "const int left = 3;\nk_copy(left, 0);\nif (left > 0) k_copy(left, left - 1);\n");
}

TEST(Outline, LambdasOfOneNameInTwoBlocks) {
  auto block = [](const char *what) {
    return std::string("if (n > 0) {\nconst auto copy = [&](int stage) {\n") +
           repeated(std::string("start(") + what + ", stage);", 10) + "};\ncopy(0);\n}\n";
  };
  Outlined result = outlined("int a = 0;\nint b = 0;\n" + block("a") + block("b"), 8);
  ASSERT_EQ(result.parts.size(), 2u);
  EXPECT_NE(result.parts[0].name, result.parts[1].name);
  EXPECT_EQ(
      result.rest,
      "int a = 0;\nint b = 0;\nif (n > 0) {\nk_copy(a, 0);\n}\nif (n > 0) {\nk_copy_2(b, 0);\n}\n");
}

TEST(Outline, Branches) {
  const std::string branch = repeated("row_max = other;", 10);
  Outlined result =
      outlined("float row_max = 0.0f;\nif (moves) {\n" + branch + "}\nuse(row_max);\n", 8);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "update_row_max");
  EXPECT_EQ(result.parameters(0), "float& row_max; ");
  EXPECT_EQ(result.rest,
            "float row_max = 0.0f;\nif (moves) {\nk_update_row_max(row_max);\n}\nuse(row_max);\n");
  const std::string either =
      "float row_max = 0.0f;\nif (moves) {\n" + branch + "} else {\n" + branch + "}\n";
  EXPECT_EQ(outlined(either, 8).rest, either);
  const std::string leaves = "float row_max = 0.0f;\nif (moves) {\n" + branch + "return;\n}\n";
  EXPECT_EQ(outlined(leaves, 8).rest, leaves);
}

// The branch around it cannot be a function, which has no parameter for `y`.
TEST(Outline, BranchesInsideOthers) {
  const std::string branch = repeated("a = b;", 10);
  Outlined result = outlined(
      "float a = 0.0f;\nauto y = f();\nif (p) {\nuse(y);\nif (q) {\n" + branch + "}\n}\n", 4);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "update_a");
  EXPECT_EQ(result.parts[0].body, branch);
  EXPECT_EQ(result.rest,
            "float a = 0.0f;\nauto y = f();\nif (p) {\nuse(y);\nif (q) {\nk_update_a(a);\n}\n}\n");
  // Without y, it is taken as a whole.
  result = outlined("float a = 0.0f;\nif (p) {\nuse(a);\nif (q) {\n" + branch + "}\n}\n", 4);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.rest, "float a = 0.0f;\nif (p) {\nk_update_a(a);\n}\n");
}

// A loop over registers that sets `tile` to `value`.
std::string nest(const std::string &tile, const std::string &value) {
  return "#pragma unroll\nfor (int i = 0; i < ROWS; ++i) {\n" + repeated("const int k = i;", 3) +
         tile + "[i] = " + value + ";\n}\n";
}

TEST(Outline, LoopsOverRegisters) {
  const std::string text =
      "float old[ROWS];\nload(old);\n// weights = exp(old)\nfloat weights[ROWS];\n" +
      nest("weights", "exp(old[i])") + "float twice[ROWS];\n" + nest("twice", "2 * weights[i]") +
      nest("old", "twice[i]") + "wait();\nuse(weights);\n";
  Outlined result = outlined(text, 8);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "compute_weights_old");
  EXPECT_EQ(result.parts[0].comment, "// Computes weights and old.\n");
  // Variables that are read after it are declared before it, and no others are.
  EXPECT_EQ(result.rest,
            "float old[ROWS];\nload(old);\nfloat weights[ROWS];\nk_compute_weights_old(old, "
            "weights);\nwait();\nuse(weights);\n");
  EXPECT_EQ(result.parts[0].body, "// weights = exp(old)\n" + nest("weights", "exp(old[i])") +
                                      "float twice[ROWS];\n" + nest("twice", "2 * weights[i]") +
                                      nest("old", "twice[i]"));
}

TEST(Outline, LoopsOverRegistersThatMakeMuch) {
  std::string text, uses;
  for (const char *tile : {"a", "b", "c", "d"}) {
    text += "float " + std::string(tile) + "[ROWS];\n" + nest(tile, "f(i)");
    uses += "use(" + std::string(tile) + ");\n";
  }
  Outlined result = outlined("start();\n" + text + "wait();\n" + uses, 12);
  ASSERT_EQ(result.parts.size(), 2u);
  EXPECT_EQ(result.parts[0].name, "compute_a_b_c");
  EXPECT_EQ(result.parts[1].name, "compute_d");
}

TEST(Outline, LoopsInWhichThreadsWaitStay) {
  for (const char *line : {"__syncthreads();", "tile2cu::cp_async_commit();", "return;",
                           "const int stage = x_ring.take(smem.x_full);"}) {
    const std::string text = "float a[ROWS];\n#pragma unroll\nfor (int i = 0; i < ROWS; ++i) {\n" +
                             repeated(line, 10) + "a[i] = 0;\n}\nuse(a);\n";
    EXPECT_EQ(outlined(text, 5).rest, text) << line;
  }
}

TEST(Outline, LoopsThatFillSharedMemory) {
  const std::string loop = "#pragma unroll\nfor (int i = 0; i < ROWS; ++i) {\n" +
                           repeated("const int k = i;", 6) +
                           "tile2cu::as_vec<4>(&smem.rows[i]) = x[i];\n}\n";
  Outlined result = outlined("float x[ROWS];\nload(x);\n" + loop + "wait();\n", 6);
  ASSERT_EQ(result.parts.size(), 1u);
  EXPECT_EQ(result.parts[0].name, "store_rows");
}

}  // namespace
}  // namespace tile2cu::emit
