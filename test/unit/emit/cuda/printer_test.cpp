// Random trees are printed. A small evaluator, which knows C++'s precedence and nothing of the
// printer, computes the text; the tree itself has to have that value.
#include "emit/cuda/printer.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "emit/cuda/builder.h"
#include "emit/cuda/format.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
namespace {

using Value = uint64_t;

struct Operator {
  const char *sign;
  Prec prec;
};
constexpr Operator kOperators[] = {
    {"*", Prec::Multiplicative}, {"/", Prec::Multiplicative},
    {"%", Prec::Multiplicative}, {"+", Prec::Additive},
    {"-", Prec::Additive},       {"<<", Prec::Shift},
    {">>", Prec::Shift},         {"<", Prec::Relational},
    {">=", Prec::Relational},    {"==", Prec::Equality},
    {"!=", Prec::Equality},      {"&", Prec::BitAnd},
    {"^", Prec::BitXor},         {"|", Prec::BitOr},
    {"&&", Prec::And},           {"||", Prec::Or},
};

// A value for each operation, so that no two orders of the same operations agree by chance.
Value compute(const std::string &sign, Value a, Value b) {
  if (sign == "*") return a * b;
  if (sign == "/") return b ? a / b : 17;
  if (sign == "%") return b ? a % b : 19;
  if (sign == "+") return a + b;
  if (sign == "-") return a - b;
  if (sign == "<<") return a << (b % 64);
  if (sign == ">>") return a >> (b % 64);
  if (sign == "<") return a < b;
  if (sign == ">=") return a >= b;
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "&") return a & b;
  if (sign == "^") return a ^ b;
  if (sign == "|") return a | b;
  if (sign == "&&") return a && b;
  return a || b;
}
Value computeUnary(char sign, Value a) { return sign == '-' ? -a : sign == '!' ? !a : ~a; }

const std::map<std::string, Value> kVariables = {{"a", 3}, {"b", 1000003}, {"c", ~Value{0} - 4}};

struct Evaluator {
  llvm::StringRef rest;

  bool take(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  // The sign of the next binary operator, the longest that fits.
  std::optional<Operator> next() {
    rest = rest.ltrim();
    std::optional<Operator> found;
    for (const Operator &each : kOperators)
      if (rest.starts_with(each.sign) &&
          (!found || llvm::StringRef(each.sign).size() > llvm::StringRef(found->sign).size()))
        found = each;
    return found;
  }
  Value primary() {
    rest = rest.ltrim();
    for (char sign : {'-', '!', '~'})
      if (take(llvm::StringRef(&sign, 1))) return computeUnary(sign, primary());
    if (take("(")) {
      const Value inner = conditional();
      EXPECT_TRUE(take(")"));
      return inner;
    }
    const llvm::StringRef token = rest.take_while(llvm::isAlnum);
    rest = rest.drop_front(token.size());
    if (take("(")) {  // f(x, y)
      Value result = 7;
      do result = result * 31 + conditional();
      while (take(","));
      EXPECT_TRUE(take(")"));
      return result;
    }
    if (const auto known = kVariables.find(token.str()); known != kVariables.end())
      return known->second;
    Value number = 0;
    EXPECT_FALSE(token.getAsInteger(10, number)) << rest.str();
    return number;
  }
  Value binary(Prec loosest) {
    Value left = primary();
    while (const auto op = next()) {
      if (op->prec > loosest) break;
      take(op->sign);
      left = compute(op->sign, left, binary(static_cast<Prec>(static_cast<int>(op->prec) - 1)));
    }
    return left;
  }
  Value conditional() {
    const Value condition = binary(Prec::Or);
    if (!take("?")) return condition;
    const Value a = conditional();
    EXPECT_TRUE(take(":"));
    const Value b = conditional();
    return condition ? a : b;
  }
};

Value valueOf(const Expr &e) {
  switch (e.kind()) {
    case ExprKind::Literal:
      return static_cast<Value>(std::stoll(e.spelling()));
    case ExprKind::Name:
      return kVariables.at(e.symbol().wanted().str());
    case ExprKind::Unary:
      return computeUnary(e.spelling()[0], valueOf(e.operand(0)));
    case ExprKind::Binary:
      return compute(e.spelling(), valueOf(e.operand(0)), valueOf(e.operand(1)));
    case ExprKind::Conditional:
      return valueOf(e.operand(valueOf(e.operand(0)) ? 1 : 2));
    default: {
      Value result = 7;
      for (const Expr &argument : e.operands().drop_front())
        result = result * 31 + valueOf(argument);
      return result;
    }
  }
}

class Trees {
 public:
  explicit Trees(unsigned seed) : random_(seed) {}
  Expr make(int depth) {
    switch (depth > 0 ? pick(9) : pick(2)) {
      case 0:
        return named(Symbol(std::string(1, "abc"[pick(3)])));
      case 1:
        return integer(pick(20) - 5);
      case 2:
        return unary(std::string(1, "-!~"[pick(3)]), make(depth - 1));
      case 3:
        return conditional(make(depth - 1), make(depth - 1), make(depth - 1));
      case 4:
        return call("f", {make(depth - 1), make(depth - 1)});
      default: {
        const Operator &op = kOperators[pick(std::size(kOperators))];
        return binary(op.prec, op.sign, make(depth - 1), make(depth - 1));
      }
    }
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % count); }
  std::mt19937 random_;
};

TEST(Printer, TextHasTheValueOfTheTree) {
  Trees trees(1);
  for (int i = 0; i < 20000; ++i) {
    const Expr e = trees.make(1 + i % 5);
    const std::string text = e.str();
    Evaluator evaluator{text};
    const Value value = evaluator.conditional();
    ASSERT_TRUE(evaluator.rest.trim().empty()) << text;
    ASSERT_EQ(value, valueOf(e)) << text;
    ASSERT_FALSE(llvm::StringRef(text).contains("--")) << text;
  }
}

TEST(Printer, Lists) {
  const Expr x = named("x"), vec = named("VEC");
  EXPECT_EQ(
      call(instance("tile2cu::load_if", {vec, word("tile2cu::cache::cg")}), {x, sum(x, vec)}).str(),
      "tile2cu::load_if<VEC, tile2cu::cache::cg>(x, x + VEC)");
  EXPECT_EQ(braces(word("Values"), {x, sum(x, vec)}).str(), "Values{x, x + VEC}");
  EXPECT_EQ(braces(word("Combine"), {}).str(), "Combine{}");
}

TEST(Printer, PostfixOperatorsBindTightest) {
  const Expr x = named("x"), y = named("y");
  EXPECT_EQ(member(elementOf(x, sum(y, integer(1))), "value").str(), "x[y + 1].value");
  EXPECT_EQ(member(sum(x, y), "value").str(), "(x + y).value");
  EXPECT_EQ(elementOf(unary("*", x), y).str(), "(*x)[y]");
  EXPECT_EQ(unary("*", elementOf(x, y)).str(), "*x[y]");
}

TEST(Builder, SumsInOneRow) {
  const Expr a = named("a"), b = named("b"), c = named("c"), d = named("d");
  const Expr right = binary(Prec::Additive, "-", sum(b, c), d);
  EXPECT_EQ(flatSum(a, right).str(), "a + b + c - d");
  EXPECT_EQ(flatSum(a, product(b, c)).str(), "a + b * c");
  EXPECT_EQ(bothOf(a, bothOf(b, c)).str(), "a && b && c");
  EXPECT_EQ(bothOf(Expr{}, b).str(), "b");
}

TEST(Printer, Statements) {
  const Expr x = named("x"), i = named("i"), n = named("n"), zero = integer(0);
  Builder builder;
  builder.add({Comment{"Two\nrows."}});
  builder.add(constant(pointerTo(word("float")), "p", sum(x, n), "why"));
  builder.add({Declare{instance("tile2cu::vec", {word("float"), n}), {{"v", {n, integer(4)}}}}});
  builder.open(section("role"));
  builder.open({unrolledLoop("i", n)});
  builder.open(branchOn(binary(Prec::Equality, "==", i, zero)));
  builder.add(jump("continue"));
  builder.openElse();
  builder.add(shortIf(x, evaluate(call("f", {x}), "then")));
  builder.close();
  builder.close();
  builder.close();
  builder.add({Blank{}});
  builder.open(localFunction("g", {{word("int"), "a"}, {pointerTo(word("const float")), "b"}}));
  builder.open({For{}});
  builder.add(jump("break"));
  builder.close();
  builder.add(jump("return", x));
  builder.close();
  const std::string text = textOf(builder.end());
  EXPECT_EQ(text,
            "// Two\n// rows.\n"
            "float* const p = x + n;  // why\n"
            "tile2cu::vec<float, n> v[n][4];\n"
            "#pragma unroll\n"
            "for (int i = 0; i < n; ++i) {\n"
            "if (i == 0) {\ncontinue;\n} else {\nif (x) f(x);  // then\n}\n"
            "}\n"
            "\n"
            "const auto g = [&](int a, const float* b) {\n"
            "for (;;)\nbreak;\nreturn x;\n};\n");
}

TEST(Printer, Functors) {
  const Expr value = word("float");
  CallOperator function;
  function.result = value;
  function.parameters = {{value, "a"}, {value, "b"}};
  function.body = {jump("return", sum(named("a"), named("b")))};
  Declare storage{value, {{"rows", {integer(4)}}}};
  storage.alignment = 16;
  EXPECT_EQ(textOf({record("struct Values", {variable(value, "value0")}),
                    {std::move(function)},
                    record("union", {{std::move(storage)}}, "disjoint lifetimes")}),
            "struct Values {\nfloat value0;\n};\n"
            "__device__ __forceinline__ float operator()(float a, float b) const {\n"
            "return a + b;\n}\n"
            "union {  // disjoint lifetimes\nalignas(16) float rows[4];\n};\n");
}

TEST(Printer, CommentsAboveLoopsStandWithThem) {
  For loop = unrolledLoop("i", named("N"));
  loop.body.push_back(assignment(named("x"), named("i")));
  Function function;
  function.head = "void";
  function.name = "f";
  function.body = {{Comment{"first"}}, {Comment{"all\nof them"}}, {std::move(loop)}};
  std::string text;
  print(function, text);
  EXPECT_EQ(formatCuda(text),
            "void f() {\n  // first\n  // all\n  // of them\n#pragma unroll\n"
            "  for (int i = 0; i < N; ++i) x = i;\n}\n");
}

TEST(Printer, HostFunctions) {
  Declare tuner{instance("tuner", {integer(2)}), {{"t", {}, call(Expr{}, {word("\"f\"")})}}};
  tuner.isStatic = tuner.all.front().isDirect = true;
  Declare flags{word("Flags"), {{"flags", {}, list({integer(0)})}}};
  flags.all.front().isDirect = true;
  EXPECT_EQ(textOf({{tuner}, {flags}}), "static tuner<2> t(\"f\");\nFlags flags{0};\n");
  EXPECT_EQ(textOf({{Declare{word("int"), {{"all", {Expr{}}, rows({named("a"), named("b")})}}}}}),
            "int all[] = {a,\nb,\n};\n");
  EXPECT_EQ(call(launch(word("k"), {integer(1), integer(32)}), {named("x")}).str(),
            "k<<<1, 32>>>(x)");
  EXPECT_EQ(lambda({"f"}, call(named("f"), {}), "auto*").str(), "[&](auto* f) { return f(); }");
  Function declared;
  declared.comment = "Does it.";
  declared.head = "int";
  declared.name = "f";
  declared.parameters = {{word("int"), "n"}, {word("int"), "m"}};
  declared.parameters.back().init = integer(1);
  EXPECT_EQ(declarationOf(declared), "// Does it.\nint f(int n, int m = 1);\n");
}

TEST(Printer, ChainsOfBranches) {
  If second;
  second.condition = named("b");
  second.isChain = true;
  second.then = {assignment(named("x"), integer(2))};
  second.otherwise = {assignment(named("x"), integer(3))};
  If first = second;
  first.condition = named("a");
  first.then = {assignment(named("x"), integer(1))};
  first.otherwise = {{second}};
  EXPECT_EQ(textOf({{first}}), "if (a)\nx = 1;\nelse if (b)\nx = 2;\nelse\nx = 3;\n");
  // With braces, a branch in a branch is one.
  first.isChain = false;
  EXPECT_EQ(textOf({{first}}), "if (a) {\nx = 1;\n} else {\nif (b)\nx = 2;\nelse\nx = 3;\n}\n");
}

TEST(Printer, LineDirectives) {
  For loop = unrolledLoop("i", named("N"));
  loop.body = {assignment(named("x"), named("i"))};
  loop.body.front().source = {1, 7};
  Function function;
  function.head = "void";
  function.name = "f";
  function.source = {0, 3};
  function.body = {variable(word("int"), "x"), {Comment{"all"}}, {std::move(loop), "", {0, 5}}};
  std::string text;
  print(function, text, {"a.cpp", "b.h"});
  EXPECT_EQ(formatCuda(text, 0),
            "#line 3 \"a.cpp\"\nvoid f() {\n#line 3 \"a.cpp\"\n  int x;\n  // all\n"
            "#pragma unroll\n#line 5 \"a.cpp\"\n  for (int i = 0; i < N; ++i)\n"
            "#line 7 \"b.h\"\n    x = i;\n#line 3 \"a.cpp\"\n}\n");
  std::string without;
  print(function, without);
  EXPECT_EQ(llvm::StringRef(without).count("#line"), 0U);
  EXPECT_EQ(lineDirective(12, R"(dir\a "b".cpp)"), "#line 12 \"dir\\\\a \\\"b\\\".cpp\"\n");
}

// The text of each statement begins at its source's offset, also after braces were added to a body
// and the text was laid out.
TEST(Printer, SourcesOfStatements) {
  For loop = unrolledLoop("i", named("N"));
  loop.body = {assignment(named("x"), named("i")), assignment(named("yy"), named("x"))};
  loop.body.front().source = {1, 7};
  loop.body.back().source = {1, 8};
  Function function;
  function.head = "void";
  function.name = "f";
  function.source = {0, 3};
  function.body = {variable(word("int"), "x"),
                   {Comment{"all"}, "", {0, 5}},
                   {std::move(loop), "", {0, 5}},
                   variable(word("int"), "last")};
  std::string text;
  TextSources sources;
  print(function, text, {}, &sources);
  std::vector<size_t> places;
  for (const TextSource &each : sources) places.push_back(each.offset);
  const std::string formatted = formatCuda(text, kColumns, &places);
  std::vector<std::string> starts;
  for (auto [place, each] : llvm::zip_equal(places, sources))
    starts.push_back(std::to_string(each.source.line) + ": " + formatted.substr(place, 5));
  EXPECT_EQ(llvm::join(starts, "|"),
            "3: void |3: int x|5: // al|5: for (|7: x = i|8: yy = |3: int l|3: }\n");
  std::string without;
  print(function, without);
  EXPECT_EQ(without, text);
}

TEST(Builder, CompoundAssignments) {
  const Expr x = elementOf(named("x"), named("i")), y = named("y"), z = named("z");
  auto text = [&](const Expr &value) { return textOf({assignment(x, value)}); };
  EXPECT_EQ(text(sum(x, y)), "x[i] += y;\n");
  EXPECT_EQ(text(sum(y, x)), "x[i] = y + x[i];\n");
  EXPECT_EQ(text(sum(x, product(y, z))), "x[i] += y * z;\n");
  // The value has the parentheses of the operation; a chain is none.
  EXPECT_EQ(text(product(x, sum(y, z))), "x[i] *= (y + z);\n");
  EXPECT_EQ(text(sum(sum(x, y), z)), "x[i] = x[i] + y + z;\n");
  EXPECT_EQ(text(binary(Prec::Shift, "<<", x, y)), "x[i] = x[i] << y;\n");
  EXPECT_EQ(text(binary(Prec::And, "&&", x, y)), "x[i] = x[i] && y;\n");
}

TEST(Builder, CollectsLists) {
  Builder builder;
  builder.add({Comment{"outside"}});
  builder.begin();
  builder.setSource({0, 7});
  builder.add(jump("return"));
  const Stmts inner = builder.end();
  ASSERT_EQ(inner.size(), 1u);
  EXPECT_EQ(inner.front().source.line, 7U);
  EXPECT_NE(builder.last()->as<Comment>(), nullptr);
  builder.removeLast();
  EXPECT_EQ(builder.last(), nullptr);
}

TEST(Ast, AssignedNames) {
  const Expr x = named("x"), i = named("i");
  EXPECT_EQ(assignedSymbol(x), "x");
  EXPECT_EQ(assignedSymbol(member(elementOf(elementOf(x, i), i), "value")), "x");
  EXPECT_EQ(
      assignedSymbol(call(instance("tile2cu::as_vec", {integer(4)}), {addressOf(elementOf(x, i))})),
      "x");
  EXPECT_EQ(assignedSymbol(unary("*", x)), Symbol());
  EXPECT_EQ(assignedSymbol(call("f", {x})), Symbol());
}

TEST(Ast, NamesInOrder) {
  For loop = unrolledLoop("i", named("N"));
  loop.body = {{Assign{elementOf(named("x"), named("i")), "=", member(named("y"), "z")}}};
  std::string all;
  forEachSymbol(Stmts{{std::move(loop)}},
                [&](const Symbol &symbol) { all += symbol.wanted().str() + " "; });
  EXPECT_EQ(all, "i i N i x i y ");
}

TEST(Ast, EqualTrees) {
  const Expr a = named("a"), b = named("b");
  EXPECT_EQ(sum(a, b), sum(named("a"), named("b")));
  EXPECT_FALSE(sum(a, b) == sum(b, a));
  EXPECT_FALSE(named("a") == word("a"));
  EXPECT_FALSE(named("a") == Expr{});
  EXPECT_TRUE(mentions(elementOf(a, sum(b, integer(1))), "b"));
  EXPECT_FALSE(mentions(member(a, "b"), "b"));
}

// Constants, structs, variables of each object, functions: an empty line is between them.
TEST(Printer, StructOfFunctions) {
  Struct smem;
  smem.comment = "Shared memory.";
  smem.name = "Smem";
  smem.members = {variable(word("int"), "x")};
  Function function;
  function.comment = "The sum.";
  function.head = "__device__ void";
  function.name = "run";
  function.body = {assignment(member(named("smem"), "x"), named("N"))};
  Struct record;
  record.comment = "A kernel.";
  record.numbers = {"N"};
  record.name = "Sum";
  record.structs = {smem};
  record.data = {variable(word("Smem&"), "smem")};
  record.functions = {function, function};
  std::string text;
  print(record, text);
  const std::string functions =
      "\n// The sum.\n__device__ void run() {\nsmem.x = N;\n}\n"
      "\n// The sum.\n__device__ void run() {\nsmem.x = N;\n}\n";
  EXPECT_EQ(text,
            "// A kernel.\ntemplate <int N>\nstruct Sum {\n"
            "// Shared memory.\nstruct Smem {\nint x;\n};\n\nSmem& smem;\n" +
                functions + "};\n\n");
}

}  // namespace
}  // namespace tile2cu::emit
