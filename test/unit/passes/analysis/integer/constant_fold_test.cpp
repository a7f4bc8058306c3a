// fold: every operation on 8-bit integers against C++, and the corners of the others.
#include "passes/analysis/integer/constant_fold.h"

#include <cmath>
#include <limits>

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using ir::OpKind;
using ir::Scalar;

// The result of C++ in a wide type, truncated to T; nullopt if T's own arithmetic is undefined.
template <class T>
std::optional<int64_t> expected(OpKind kind, int64_t a, int64_t b) {
  bool isSigned = std::numeric_limits<T>::is_signed;
  auto cut = [&](int64_t value) -> std::optional<int64_t> {
    if (isSigned && static_cast<T>(value) != value) return std::nullopt;
    return static_cast<T>(value);
  };
  switch (kind) {
    case OpKind::Add:
      return cut(a + b);
    case OpKind::Sub:
      return cut(a - b);
    case OpKind::Mul:
      return cut(a * b);
    case OpKind::Div:
      return b == 0 ? std::nullopt : cut(a / b);
    case OpKind::Rem:
      return b == 0 || (isSigned && b == -1 && a == -128) ? std::nullopt : cut(a % b);
    case OpKind::And:
      return cut(a & b);
    case OpKind::Or:
      return cut(a | b);
    case OpKind::Xor:
      return cut(a ^ b);
    case OpKind::Shl:
      return b < 0 || b >= 8 ? std::nullopt : std::optional<int64_t>(static_cast<T>(a * (1 << b)));
    case OpKind::Shr:
      return b < 0 || b >= 8 ? std::nullopt : cut(a >> b);
    case OpKind::Mulhi:
      return cut((a * b) >> 8);
    case OpKind::Minimum:
      return std::min(a, b);
    case OpKind::Maximum:
      return std::max(a, b);
    case OpKind::Lt:
      return a < b;
    case OpKind::Le:
      return a <= b;
    case OpKind::Gt:
      return a > b;
    case OpKind::Ge:
      return a >= b;
    case OpKind::Eq:
      return a == b;
    case OpKind::Ne:
      return a != b;
    default:
      return std::nullopt;
  }
}

template <class T>
void checkAll(Scalar type) {
  for (OpKind kind :
       {OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Div, OpKind::Rem, OpKind::And, OpKind::Or,
        OpKind::Xor, OpKind::Shl, OpKind::Shr, OpKind::Mulhi, OpKind::Minimum, OpKind::Maximum,
        OpKind::Lt, OpKind::Le, OpKind::Gt, OpKind::Ge, OpKind::Eq, OpKind::Ne})
    for (int a = std::numeric_limits<T>::min(); a <= std::numeric_limits<T>::max(); ++a)
      for (int b = std::numeric_limits<T>::min(); b <= std::numeric_limits<T>::max(); ++b)
        ASSERT_EQ(foldInteger(kind, type, a, b), expected<T>(kind, a, b))
            << ir::mnemonic(kind).str() << " " << a << ", " << b << " : " << ir::name(type).str();
}

TEST(Fold, EveryPairOfBytes) {
  checkAll<int8_t>(Scalar::I8);
  checkAll<uint8_t>(Scalar::U8);
}

TEST(Fold, WideIntegers) {
  int64_t most = INT64_MAX, least = INT64_MIN;
  EXPECT_EQ(foldInteger(OpKind::Add, Scalar::I64, most, 1), std::nullopt);
  EXPECT_EQ(foldInteger(OpKind::Add, Scalar::U64, -1, 1), 0);  // 2^64 - 1 is kept as its bits
  EXPECT_EQ(foldInteger(OpKind::Div, Scalar::U64, -1, 2), most);
  EXPECT_EQ(foldInteger(OpKind::Lt, Scalar::U64, 1, -1), 1);
  EXPECT_EQ(foldInteger(OpKind::Div, Scalar::I64, least, -1), std::nullopt);
  EXPECT_EQ(foldInteger(OpKind::Mulhi, Scalar::U64, -1, -1), -2);
  EXPECT_EQ(foldInteger(OpKind::Mulhi, Scalar::U32, 0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFE);
  EXPECT_EQ(foldInteger(OpKind::Mulhi, Scalar::I64, least, least), int64_t{1} << 62);
  EXPECT_EQ(foldInteger(OpKind::Mulhi, Scalar::I64, most, -2), -1);
  EXPECT_EQ(foldInteger(OpKind::Mulhi, Scalar::I32, INT32_MIN, 3), -2);
  EXPECT_EQ(foldInteger(OpKind::Shr, Scalar::I32, -8, 1), -4);
  EXPECT_EQ(foldInteger(OpKind::Shr, Scalar::U32, 0xFFFFFFF8, 1), 0x7FFFFFFC);
}

// Folds the operation `line`, whose operands are constants, and which defines %x.
std::optional<Const> foldLine(const std::string &line) {
  ir::Module module;
  test::parseOrFail(test::kernelText("", line), module);
  ir::Op *op = test::find(module, "x")->definition;
  llvm::SmallVector<Const, 3> operands;
  for (ir::Value *value : op->operands()) operands.push_back(*constantOf(value));
  return fold(*op, operands);
}
double real(const std::string &line) {
  auto value = foldLine(line);
  return value ? value->real : NAN;
}
std::optional<int64_t> integer(const std::string &line) {
  auto value = foldLine(line);
  return value ? std::optional<int64_t>(value->integer) : std::nullopt;
}
std::string two(const std::string &type, const std::string &a, const std::string &b,
                const std::string &op) {
  return "%a = constant " + a + " : " + type + "\n%b = constant " + b + " : " + type +
         "\n%x = " + op + " %a, %b : " + type + "\n";
}
// The operation `op`, rounded as `mode` says, of constants.
double rounded(const std::string &op, const std::string &mode, const std::string &type,
               const std::vector<std::string> &operands) {
  std::string text, names;
  for (const std::string &each : operands) {
    const std::string name = "%o" + std::to_string(text.size());
    text += name + " = constant " + each + " : " + type + "\n";
    names += (names.empty() ? "" : ", ") + name;
  }
  return real(text + "%x = " + op + "_rounded " + names + " {rounding = " + mode + "} : " + type +
              "\n");
}
std::string cast(const std::string &value, const std::string &from, const std::string &to,
                 const std::string &op = "cast") {
  return "%a = constant " + value + " : " + from + "\n%x = " + op + " %a : " + to + "\n";
}

TEST(Fold, RoundedInADirection) {
  // Exact: 1 + 2^-30, between 1 and 1 + 2^-23.
  const std::vector<std::string> sum = {"1.0", "9.313225746154785e-10"};
  EXPECT_EQ(rounded("add", "rn", "f32", sum), 1.0);
  EXPECT_EQ(rounded("add", "rtz", "f32", sum), 1.0);
  EXPECT_EQ(rounded("add", "rd", "f32", sum), 1.0);
  EXPECT_EQ(rounded("add", "ru", "f32", sum), 1 + 0x1p-23);
  EXPECT_EQ(rounded("add", "ru", "f64", sum), 1 + 0x1p-30);
  // Exact: -(2^24 - 1)^2 = -(2^48 - 2^25 + 1), between -2^24 * (2^24 - 2) and the next below.
  const std::vector<std::string> product = {"16777215.0", "-16777215.0"};
  EXPECT_EQ(rounded("mul", "rtz", "f32", product), -0x1p24 * 16777214);
  EXPECT_EQ(rounded("mul", "ru", "f32", product), -0x1p24 * 16777214);
  EXPECT_EQ(rounded("mul", "rd", "f32", product), -0x1p24 * 16777215);
  EXPECT_EQ(rounded("mul", "rn", "f32", product), -0x1p24 * 16777214);
  EXPECT_EQ(rounded("fma", "ru", "f32", {"16777215.0", "16777215.0", "-281474943156224.0"}), 1);
  EXPECT_EQ(rounded("fma", "rd", "f32", {"3.0", "3.0", "9.313225746154785e-10"}), 9);
  EXPECT_EQ(rounded("fma", "ru", "f32", {"3.0", "3.0", "9.313225746154785e-10"}), 9 + 0x1p-20);
  // An exact zero is -0 where the sum is rounded down.
  EXPECT_TRUE(std::signbit(rounded("add", "rd", "f64", {"1.0", "-1.0"})));
  EXPECT_FALSE(std::signbit(rounded("add", "ru", "f64", {"1.0", "-1.0"})));
  // What overflows is infinite, or the largest number.
  EXPECT_EQ(rounded("add", "ru", "f32", {"3.4028234663852886e38", "1.0"}), INFINITY);
  EXPECT_EQ(rounded("add", "rtz", "f32", {"3.4028234663852886e38", "3.4028234663852886e38"}),
            3.4028234663852886e38);
}

TEST(Fold, FloatsRoundOnceInTheirType) {
  EXPECT_EQ(real(two("f32", "16777216.0", "1.0", "add")), 16777216.0);
  EXPECT_EQ(real(two("f64", "16777216.0", "1.0", "add")), 16777217.0);
  EXPECT_EQ(real(two("f16", "2048.0", "1.0", "add")), 2048.0);
  EXPECT_EQ(real(two("bf16", "256.0", "1.0", "add")), 256.0);
  EXPECT_EQ(real(two("f16", "60000.0", "60000.0", "add")), INFINITY);
  EXPECT_EQ(real(two("f32", "1.0", "3.0", "div")), 1.0f / 3.0f);
  EXPECT_EQ(real(two("f32", "-7.5", "2.0", "rem")), -1.5);
  EXPECT_TRUE(std::signbit(real(two("f32", "0.0", "-0.0", "minimum"))));
  EXPECT_FALSE(std::signbit(real(two("f32", "-0.0", "0.0", "maximum"))));
  EXPECT_FALSE(foldLine(two("f32", "0.0", "0.0", "div")));
  EXPECT_FALSE(foldLine(two("f32", "nan", "1.0", "add")));
}

TEST(Fold, Casts) {
  EXPECT_EQ(integer(cast("300", "i32", "u8")), 44);
  EXPECT_EQ(integer(cast("200", "i32", "i8")), -56);
  EXPECT_EQ(integer(cast("-1", "i32", "u64")), -1);
  EXPECT_EQ(integer(cast("4294967295", "u32", "i64")), 4294967295);
  EXPECT_EQ(integer(cast("-2.9", "f32", "i32")), -2);
  EXPECT_EQ(integer(cast("1e+10", "f32", "i32")), std::nullopt);
  EXPECT_EQ(integer(cast("-1.0", "f32", "u32")), std::nullopt);
  EXPECT_EQ(integer(cast("0.5", "f32", "bool")), 1);
  EXPECT_EQ(integer(cast("true", "bool", "i32")), 1);
  EXPECT_EQ(real(cast("16777217", "i32", "f32")), 16777216.0);
  EXPECT_EQ(real(cast("-1", "u64", "f64")), 18446744073709551616.0);
  EXPECT_EQ(real(cast("0.1", "f64", "f16")), 0.0999755859375);
  EXPECT_EQ(real("%a = constant 16777219.0 : f64\n%x = cast %a {rounding = rtz} : f32\n"),
            16777218.0);
  EXPECT_EQ(integer(cast("1.0", "f32", "u32", "bitcast")), 0x3F800000);
  EXPECT_EQ(real(cast("16256", "i16", "bf16", "bitcast")), 1.0);
  EXPECT_FALSE(foldLine(cast("-1", "i32", "f32", "bitcast")));  // a NaN
}

TEST(Fold, Others) {
  EXPECT_EQ(integer(cast("-5", "i32", "i32", "abs")), 5);
  EXPECT_EQ(integer(cast("-2147483648", "i32", "i32", "neg")), std::nullopt);
  EXPECT_EQ(integer(cast("0", "u32", "u32", "not")), 4294967295);
  EXPECT_EQ(integer(cast("true", "bool", "bool", "not")), 0);
  EXPECT_EQ(real(cast("2.5", "f32", "f32", "rint")), 2.0);
  EXPECT_EQ(real(cast("-0.5", "f32", "f32", "ceil")), 0.0);
  EXPECT_FALSE(foldLine(cast("-1.0", "f32", "f32", "log")));
  std::string abc = "%a = constant 4 : i32\n%b = constant 0 : i32\n%c = constant 3 : i32\n";
  EXPECT_EQ(integer(abc + "%x = clamp %a, %b, %c : i32\n"), 3);
  EXPECT_EQ(integer(abc + "%t = constant false : bool\n%x = select %t, %a, %c : i32\n"), 3);
}

}  // namespace
}  // namespace tile2cu::passes
