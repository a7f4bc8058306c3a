#!/usr/bin/env python3
"""Each rule of check_emitted.py: one text that breaks it, and texts that break none."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))
import check_emitted  # noqa: E402


def kernel(body):
    return "__global__ __launch_bounds__(128) void k(float* p, int n) {\n" + body + "}\n"


class Rules(unittest.TestCase):
    def broken(self, text, why, line=2):
        problems = check_emitted.check(text)
        self.assertTrue(any(at == line and why in what for at, what in problems), problems)

    def test_each_rule(self):
        for body, why in [
            ("  float v_12 = 0.0f;\n", "numbered"),
            ("  float _S7 = 0.0f;\n", "numbered"),
            ("  float tmp3 = 0.0f;\n", "numbered"),
            ("  float row_2 = 0.0f;\n", "numbered"),
            ('  asm volatile("");\n', "asm"),
            ("  while (true) {\n  }\n", "endless"),
            ("  for (;;) {\n  }\n", "endless"),
            ("  const int tid = (int)threadIdx.x;\n", "cast"),
            ("  p[(((n)))] = 0;\n", "parentheses"),
            ("  uint4 word = *(uint4*)(p + n);\n", "vector"),
            ("  auto word = *(const float4 *)p;\n", "vector"),
            ("  auto word = *reinterpret_cast<const float4*>(p);\n", "vector"),
            ("  float sum[1];\n", "array"),
            ("  tile2cu::vec<float, 4> v[1];\n", "array"),
            ("  n += __shfl_xor_sync(0xffffffffu, n, 1);\n", "warp function"),
            ("  if (__any_sync(0xffffffffu, n)) return;\n", "warp function"),
            ("  __syncthreads();\n", "barrier"),
            ("  __syncthreads();  //\n", "barrier"),
            ("  __syncwarp();\n", "barrier"),
            ("  p[0] = " + "1.0f + " * 14 + "1.0f;\n", "columns"),
            ("  p[0] = 1.0f; \n", "space"),
            ("\tp[0] = 1.0f;\n", "tab"),
        ]:
            with self.subTest(body):
                self.broken(kernel(body), why)

    def test_long_function(self):
        self.assertEqual(check_emitted.check(kernel("  ++n;\n" * 158)), [])
        self.broken(kernel("  ++n;\n" * 159), "function of 161 lines", 1)
        inside = "namespace a {\n" + kernel("  ++n;\n" * 159) + "}\n"
        self.broken(inside, "function of 161 lines", 2)
        # Comments and empty lines do not count, braces do.
        self.assertEqual(check_emitted.check(kernel("  ++n;\n" * 158 + "  // more\n\n")), [])
        self.broken(kernel("  ++n;\n" * 157 + "  {\n  }\n"), "function of 161 lines", 1)

    def test_a_long_file_of_short_functions(self):
        many = "namespace {\n" + kernel("  ++n;\n" * 50) * 10 + "struct S {\n" + "  int x;\n" * 200 + "};\n}\n"
        self.assertEqual(check_emitted.check(many), [])

    def test_nesting(self):
        def nested(depth):
            return "namespace a {\n" + kernel("  if (n) {\n" * depth + "  }\n" * depth) + "}\n"

        self.assertEqual(check_emitted.check(nested(4)), [])
        self.broken(nested(5), "nesting 6", 7)

    def test_constants_declared_twice(self):
        section, constant = "// ---- {}_kernel ----\n", "  static constexpr int N = 8;\n"
        smem = "struct SumSmem {\n" + constant + "};\n"
        short = section.format("sum") + smem + kernel("  constexpr int N = 8;\n")
        self.assertEqual(check_emitted.check(short + section.format("max") + kernel("  constexpr int N = 8;\n")), [])
        struct = section.format("sum") + "struct Sum {\n" + constant + "};\n"
        self.assertEqual(check_emitted.check(struct), [])
        self.broken(struct + kernel("  constexpr int N = 8;\n"), "N is declared twice", 6)

    def test_many_parameters(self):
        def function(*parameters):
            return "struct Sum {\n  __device__ __forceinline__ void f(" + ", ".join(parameters) + ") {}\n};\n"

        six = ["int a", "vec<int, 2> b", "float (&c)[2][N]", "int d", "int e", "int f"]
        self.assertEqual(check_emitted.check(function(*six)), [])
        self.broken(function(*six, "int g"), "f has 7 parameters", 2)
        many = ", ".join(f"int a{i}" for i in range(3, 9))
        self.assertEqual(check_emitted.check(f"__global__ void k(int a, int b, {many}) {{\n}}\n"), [])

    def test_what_is_fine(self):
        for body in [
            "  const int lane = threadIdx.x % 32;  // [0, 32)\n",
            "  __syncthreads();  // all partial sums are in smem\n",
            "  // while (true) asm v_12 (((\n",
            '  printf("v_12 (((");\n',
            "  /* asm\n   while (true) */\n",
            "  float sum[2] = {};\n",
            "  const auto v = tile2cu::load_if<4>(n > 0, p, 0.0f);\n",
            "  auto& smem = *reinterpret_cast<Smem*>(dynamic_smem);\n",
            "  const float numerator_half2 = p[1];\n",
        ]:
            with self.subTest(body):
                self.assertEqual(check_emitted.check(kernel(body)), [])

    def test_pasted_helpers_are_not_looked_at(self):
        helpers = "// ==== device helpers: what this file uses\nasm(((v_1\n// ==== end of device helpers\n"
        self.assertEqual(check_emitted.check(helpers + kernel("")), [])
        self.broken(helpers + kernel("  float v_1;\n"), "numbered", 5)

    def test_the_kernels_of_the_unit_tests(self):
        path = HERE.parents[1] / "unit/device/row_kernels.cuh"
        self.assertEqual(check_emitted.check(path.read_text()), [])


if __name__ == "__main__":
    unittest.main()
