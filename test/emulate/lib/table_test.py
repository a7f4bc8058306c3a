"""Tests of what the table of conformance is made from: facts of the IR, results that Python computes, rows and results."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import exact  # noqa: E402
import independent  # noqa: E402
from case import Table  # noqa: E402
from conformance import facts, results, rows  # noqa: E402

IR = """// ==== before canonicalize
level tile after specialize_strides
kernel @f<8>(%in: ptr<const f32> spelled "const float*", %n: i32 spelled "int") warps 4 {
  %0 = arange {end = 8, start = 0} : tile<8xi32>
  %1 = addptr %in, %0 : tile<8xptr<const f32>>
  %x = load %1 : tile<8xf32>
  %2, %3 = reduce %x, %0 {axis = 0, kind = sum} : f32, i32
  store %1, %x
}
launcher @f_w4 = select @f#0
// ==== before canonicalize
kernel @later(%in: ptr<const f32> spelled "const float*") warps 1 {
  %0 = exp %in : f32
}
"""


class Facts(unittest.TestCase):
    def test_operands_and_results(self):
        found = facts.facts_of(IR)
        self.assertEqual(list(found), [("f", 4)])
        of_f = found["f", 4]
        self.assertIn(("arange", "i32", "8"), of_f)
        self.assertIn(("load", "f32", "8"), of_f)
        self.assertIn(("store", "f32", "8"), of_f)
        self.assertLessEqual({("reduce.sum", "f32", "8"), ("reduce.sum", "i32", ""), ("reduce", "i32", "8")}, of_f)
        self.assertFalse(any(word == "exp" for word, _, _ in of_f))


def record(path, kernel, buffers):
    with path.open("wb") as file:
        file.write(f"{kernel} 0 {len(buffers)}\n".encode())
        for name, before, after in buffers:
            file.write(f"{name} {len(before)}\n".encode() + before + after)


class Independent(unittest.TestCase):
    def problems(self, expected, after, tolerance=""):
        table = Table()
        table.add(
            "case", f"const int8_t* in = small(2)\nfloat16* out = out(2{tolerance})\nint n", "", [{"n": 2}], warps=1, expected=expected
        )
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record"
            record(path, "case_w1", [("in", b"\x01\xfe", b"\x01\xfe"), ("out", b"\x00\x00\x00\x00", after)])
            compared, lines = independent.check(table.cases, path)
        self.assertEqual(compared, {"case_w1"})
        return lines

    def test_equal(self):
        self.assertEqual(self.problems(lambda given: {"out": given["in"]}, b"\x00\x3c\x00\xc0"), [])

    def test_different(self):
        lines = self.problems(lambda given: {"out": [2, -2]}, b"\x00\x3c\x00\xc0")
        self.assertEqual(lines, ["FAIL case_w1(run 0): the reference against Python: out[0] is 1.0, not 2.0"])

    def test_sign_of_zero_and_what_is_not_written(self):
        self.assertEqual(self.problems(lambda given: {"out": [0, None]}, b"\x00\x00\x00\x00"), [])
        self.assertIn("out[0] is -0.0", self.problems(lambda given: {"out": [0, None]}, b"\x00\x80\x00\x00")[0])
        self.assertIn("not as before", self.problems(lambda given: {"out": [0, None]}, b"\x00\x00\x00\x3c")[0])

    def test_tolerance(self):
        lines = self.problems(lambda given: {"out": [1.5, 0]}, b"\x00\x3c\x00\x00", ", 0, 0.5")
        self.assertEqual(lines, [])
        self.assertEqual(len(self.problems(lambda given: {"out": [1.75, 0]}, b"\x00\x3c\x00\x00", ", 0, 0.5")), 1)

    def test_number_of_elements(self):
        self.assertIn("1 results for 2 elements", self.problems(lambda given: {"out": [1]}, b"\x00\x3c\x00\x00")[0])

    def test_rounding_and_patterns(self):
        half, e4m3 = exact.TYPES["float16"], exact.TYPES["float8_e4m3"]
        self.assertEqual(independent.bits_of(half, 1 + 2**-11), 0x3C00)  # a tie, to even
        self.assertEqual(independent.bits_of(half, 1e6), 0x7C00)
        self.assertEqual(independent.bits_of(e4m3, 1e6), 0x7E)
        self.assertEqual(independent.bits_of(exact.TYPES["int8_t"], -1), 0xFF)
        self.assertEqual(independent.number_of(half, 0xFC00), float("-inf"))
        self.assertNotEqual(independent.number_of(e4m3, 0x7F), independent.number_of(e4m3, 0x7F))


class Rows(unittest.TestCase):
    def test_keys(self):
        keys = [row.key for row in rows.all_rows()]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertLessEqual(set(results.read()), set(keys), "results.tsv has rows that are gone")

    def test_digest_follows_the_cases(self):
        row = next(row for row in rows.all_rows() if row.cases)
        found, unmatched = row.found_cases()
        self.assertTrue(found)
        self.assertFalse(unmatched)
        self.assertNotEqual(results.digest_of(row, found), results.digest_of(row, found[1:]))


if __name__ == "__main__":
    unittest.main()
