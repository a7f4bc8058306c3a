#!/usr/bin/env python3
"""Tests of the fuzzer itself: test/fuzz/harness_test.py"""

import importlib.machinery
import importlib.util
import pathlib
import random
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "emulate"))

import batch  # noqa: E402
import generate  # noqa: E402
import mutants  # noqa: E402
import toolchain  # noqa: E402
from built_programs import BuiltPrograms  # noqa: E402
from case import Case, Parameter  # noqa: E402
from mutants import Mutator  # noqa: E402


def script_of(path):
    """The program `path`, whose name has no suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader(path.name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.name, loader))
    loader.exec_module(module)
    return module


script = script_of(HERE / "run")


def tolerances(case):
    """name -> (type, relative, absolute) of what the kernel writes and may differ."""
    found = {}
    for p in case.parameters:
        if p.is_pointer() and not p.const and p.domain != "at":
            given = [float(eval(x, {})) for x in p.rest[Mutator.sizes_of(p) :]] + [0.0, 0.0]
            found[p.name] = (p.type, *given[:2])
    return found


class Tolerances(unittest.TestCase):
    def test_mutants_keep_the_tolerance_of_their_case(self):
        """A dot of tf32 with another element type is as far off as before (m9301_56_12 failed with a smaller tolerance)."""
        cases = {case.name: case for case in generate.cases_of("dots", True) if type(case) is Case}
        case = next(case for name, case in cases.items() if name.startswith("dot_tf32_"))
        before = tolerances(case)
        types = set()
        for seed in range(200):
            mutator = Mutator(random.Random(seed))
            mutator.edit = lambda case, mutator=mutator: mutator.parameter_type(case) is not False
            mutant = mutator.mutant(case, f"mutant_{seed}")
            after = tolerances(mutant) if mutant else {}
            for (_, *least), (type_, *given) in zip(before.values(), after.values()):
                types.add(type_)
                if type_ in ("float", "double", "float16", "bfloat16"):
                    self.assertTrue(all(a >= b for a, b in zip(given, least)), (seed, type_, given, least))
        self.assertIn("float16", types)  # so the edit that lost the tolerance has run


class Programs(unittest.TestCase):
    def test_no_number_of_a_program_where_the_launcher_divides_the_work(self):
        """The reference has four programs for 6 items, and the emulator more: the first program does other items (m30002_134_28)."""
        loop = "for (auto k : {}(n)) o[k] = 1;"
        for body, allowed in (
            ("o[grid(n)] = 1;", True),
            ("grid(2); " + loop.format("persistent_range"), True),  # items k, k + 2, ...
            (loop.format("persistent_range"), False),
            (loop.format("dynamic_range"), False),
            ("grid(2); " + loop.format("dynamic_range"), False),
        ):
            case = Case("items", [Parameter.parse(text) for text in ("float* o = zero(9)", "int n")], body, [{"n": 6}], warps=(1,))
            conditions = {Mutator(random.Random(seed)).condition(case) for seed in range(200)}
            self.assertEqual(any("program_id" in text for text in conditions), allowed, body)
            self.assertIn("true", conditions)


    def test_no_launcher_that_refuses_its_arguments(self):
        """A grid of two negative factors, which the launcher refuses, may become one of a sum, which it takes (m42001_11_27)."""
        self.assertTrue(any(case.launcher_refuses for case in generate.cases_of("memory", True) if type(case) is Case))
        self.assertFalse(any(case.launcher_refuses for tables, _ in mutants.sources().values() for case in tables))


class TimeLimit(unittest.TestCase):
    def test_a_hang_is_told_from_a_slow_machine(self):
        """tile2cu has a limit of CPU time: a program that only waits is not ended, one that computes for ever is."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            tools = batch.Tools(toolchain.ROOT / "build/fuzz/harness")
            tools.program = program
            for body, expected in (("sleep 2", 0), ("while :; do :; done", None)):
                program.write_text(f"#!/bin/sh\n{body}\n")
                program.chmod(0o755)
                self.assertEqual(tools.run_tile2cu("x", "y", [], seconds=1)[0], expected, body)


class Rounding(BuiltPrograms):
    """What a difference of the results means, where the emitted text has been changed."""

    def verdict(self, name, body, old, new):
        """What is said of a program in whose text `old` has become `new`: (word, reason)."""
        parameters = ["const float* x = unit(n)", "float* out = out(n, 1e-5, 1e-6)", "int n"]
        case = Case(name, [Parameter.parse(text) for text in parameters], body, [{"n": 64}], warps=(1,))
        result = self.result_of_changed(case, old, new)
        return next(((word, str(found[name])) for word, found in (("failed", result.failed), ("skipped", result.skipped))
                     if name in found), ("compared", ""))

    BODY = """
      grid(1);
      auto i = arange<64>();
      auto v = load(x + i, i < n);
      auto nearly = (v * 0.1f + 8.0f) * 3.0f;
      store(out + i, EXPRESSION, i < n);
    """

    def test_numbers_that_nearly_cancel_out(self):
        """2e-6 is an error of rounding of (24 + v) - 24, and no error of 24 + v or of v (m9101_68_24)."""
        cancels = self.BODY.replace("EXPRESSION", "nearly - 24.0f")
        self.assertEqual(self.verdict("right", cancels, "24.0f", "24.0f")[0], "compared")
        word, why = self.verdict("rounded", cancels, "24.0f", "24.000002f")
        self.assertEqual(word, "skipped", why)
        self.assertIn("rounding", why)
        self.assertEqual(self.verdict("wrong", cancels, "24.0f", "24.001f")[0], "failed")
        whole = self.BODY.replace("EXPRESSION", "v * 5.0f + nearly * 0.0f")
        self.assertEqual(self.verdict("other", whole, "5.0f", "5.0005f")[0], "failed")

    def test_numbers_that_are_rounded_to_few_bits(self):
        """Next to a tie of float16 its last bit follows from a small error of the argument (m30002_110_30)."""
        narrow = self.BODY.replace("EXPRESSION", "cast<float>(cast<float16>(nearly)) - 24.0f")
        self.assertEqual(self.verdict("narrow", narrow, "3.0f", "3.0f")[0], "compared")
        word, why = self.verdict("narrow_rounded", narrow, "3.0f", "3.0003f")
        self.assertEqual(word, "skipped", why)
        self.assertIn("rounding", why)
        self.assertEqual(self.verdict("narrow_wrong", narrow, "3.0f", "3.01f")[0], "failed")


class Undefined(BuiltPrograms):
    """Programs whose own fault it is that the two executions differ."""

    def test_elements_that_share_an_address(self):
        """Forward and in reverse the same elements win, because the product is symmetric (m9811_17_24)."""
        parameters = ["const float16* v = small(96)", "float* o = zero(96)"]
        body = """
          grid(1);
          auto at = arange<32>()[all, none] + arange<32>()[none, all];
          auto x = load(v + at);
          store(o + at, dot(x, x));
        """
        case = Case("shared", [Parameter.parse(text) for text in parameters], body, [{}], warps=(4,))
        result = batch.run_file(self.tools, self.folder, "shared", [case])
        batch.clean(self.folder, "shared")
        self.assertIn("order of programs or elements", result.skipped.get("shared", str(result)))

    def test_rows_that_overlap(self):
        """With a stride that is an argument, the compiler takes rows to be apart, and there is no barrier (m10101_26_25)."""
        for stride, clean in ((40, False), (64, True)):
            parameters = ["const float* v = small(3000)", "float* o = zero(3000)", "int stride"]
            body = """
              grid(1);
              auto at = arange<32>()[all, none] * stride + arange<64>()[none, all];
              store(o + at, load(v + at));
              store(o + at, load(o + at) + 1);
            """
            case = Case("rows", [Parameter.parse(text) for text in parameters], body, [{"stride": stride}], warps=(4,),
                        races_of_one_store=False)
            failed = batch.run_file(self.tools, self.folder, "rows", [case]).failed.get("rows", "")
            self.assertEqual("race in global memory" in failed, not clean, failed)
            case.flags = ()
            self.assertEqual(batch.fault_of_reference(self.tools, self.folder, case), "")
            fault = batch.fault_of_reference(self.tools, self.folder, case, "addresses")
            self.assertEqual(fault, "" if clean else "two elements of a store have one address")
        batch.clean(self.folder, "rows")

    def test_different_values_at_one_address(self):
        """Elements 1 to 3 of a row share an address. In all orders of the reference 1 or 3 is the last, which have one value (m30002_41_28)."""
        fuzzer = script.Fuzzer(self.tools, None)
        parameters = ["const float* v = small(32)", "float* o = zero(32)", "int rows"]
        for prefix, values, fault in (
            ("m", "broadcast_to<2, 2>(x[slice<0, 2>][none, all])", "two elements of a store have one address and different values"),
            ("m", "broadcast_to<2, 2>(x[slice<0, 1>][none, all])", ""),
            ("g", "broadcast_to<2, 2>(x[slice<0, 2>][none, all])", ""),  # a generated program stores no such values
        ):
            body = f"""
              auto row = grid(rows);
              auto i = row * 4 + (arange<4>() == 0);
              auto x = load(v + i);
              store(o + i, ravel({values}));
            """
            case = Case(f"{prefix}_values", [Parameter.parse(text) for text in parameters], body, [{"rows": 5}], warps=(3,))
            case.flags = ()
            self.assertEqual(fuzzer.excuse(case, "(rows=5): o[4] is 0, not 1"), fault, values)

    def test_a_row_far_outside_of_a_buffer(self):
        """It is seen although another buffer lies there (m9811_32_8)."""
        for far, clean in ((0, True), (-5000, False), (-2500, False), (2500, False), (5000, False)):
            parameters = [f"const float* {name} = unit(1024)" for name in "stuvwxyz"] + ["float* out = out(64)"]
            body = f"grid(1); auto row = arange<64>(); store(out + row, load(w + row + ({far})));"
            case = Case("outside", [Parameter.parse(text) for text in parameters], body, [{}], warps=(1,))
            case.flags = ()
            self.assertEqual(batch.fault_of_reference(self.tools, self.folder, case) == "", clean, far)


if __name__ == "__main__":
    unittest.main()
