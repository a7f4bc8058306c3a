// Constants and types as CUDA C++ spells them: a value that is read back is the same.
#include <cmath>
#include <cstring>
#include <limits>

#include "emit/spelling/cuda_scalar.h"
#include "gtest/gtest.h"

namespace tile2cu::emit {
namespace {

using ir::Scalar;

std::string integer(Scalar type, int64_t value) { return literal(type, value).str(); }
std::string floating(Scalar type, double value) { return literal(type, value).str(); }

TEST(Literal, Integers) {
  EXPECT_EQ(integer(Scalar::I32, 1024), "1024");
  EXPECT_EQ(integer(Scalar::I32, -7), "-7");
  EXPECT_EQ(integer(Scalar::I32, std::numeric_limits<int32_t>::min()), "INT_MIN");
  EXPECT_EQ(integer(Scalar::I64, std::numeric_limits<int64_t>::min()), "INT64_MIN");
  EXPECT_EQ(integer(Scalar::I64, std::numeric_limits<int32_t>::min()), "int64_t(INT_MIN)");
  EXPECT_EQ(integer(Scalar::I64, int64_t{1} << 40), "1099511627776");
  EXPECT_EQ(integer(Scalar::U32, 5), "5u");
  EXPECT_EQ(integer(Scalar::U32, -1), "4294967295u");
  EXPECT_EQ(integer(Scalar::U64, -1), "18446744073709551615u");
  EXPECT_EQ(integer(Scalar::Bool, 1), "true");
  EXPECT_EQ(integer(Scalar::Bool, 0), "false");
}

TEST(Literal, NegativeOperandsGetParentheses) {
  EXPECT_EQ(unary("-", literal(Scalar::I32, int64_t{-7})).str(), "-(-7)");
  EXPECT_EQ(binary(Prec::Additive, "-", named("a"), literal(Scalar::I32, int64_t{-7})).str(),
            "a - -7");
}

TEST(Literal, Floats) {
  EXPECT_EQ(floating(Scalar::F32, 1), "1.0f");
  EXPECT_EQ(floating(Scalar::F32, 0.1f), "0.1f");
  EXPECT_EQ(floating(Scalar::F32, -2.5), "-2.5f");
  EXPECT_EQ(floating(Scalar::F64, 0.1), "0.1");
  EXPECT_EQ(floating(Scalar::F64, 1e300), "1e+300");
  EXPECT_EQ(floating(Scalar::F16, 0.5), "__half(0.5f)");
  EXPECT_EQ(floating(Scalar::BF16, 3), "__nv_bfloat16(3.0f)");
  EXPECT_EQ(floating(Scalar::F32, std::numeric_limits<double>::infinity()), "INFINITY");
  EXPECT_EQ(floating(Scalar::F32, -std::numeric_limits<double>::infinity()), "-INFINITY");
  EXPECT_EQ(floating(Scalar::F32, std::nan("")), "NAN");
  EXPECT_EQ(floating(Scalar::F32, -0.0), "-0.0f");
}

TEST(Literal, FloatsReadBack) {
  uint32_t bits = 1;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 1664525u + 1013904223u;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    std::string text = floating(Scalar::F32, value);
    ASSERT_EQ(text.back(), 'f');
    float again = std::strtof(text.c_str(), nullptr);
    ASSERT_EQ(std::memcmp(&again, &value, sizeof value), 0) << text;
  }
}

TEST(Literal, Types) {
  EXPECT_EQ(cppType(Scalar::I32), "int");
  EXPECT_EQ(cppType(Scalar::U8), "uint8_t");
  EXPECT_EQ(cppType(Scalar::F16), "__half");
  EXPECT_EQ(cppType(ir::Element{Scalar::F32, true, true}), "const float*");
  EXPECT_EQ(cppType(ir::Element{Scalar::I64, true, false}), "int64_t*");
}

}  // namespace
}  // namespace tile2cu::emit
