#!/usr/bin/env python3
"""Tests of what the generator writes, and of the verdicts on it: test/fuzz/generator_test.py"""

import collections
import copy
import pathlib
import random
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "emulate"))

import batch  # noqa: E402
import counting  # noqa: E402
import features  # noqa: E402
import parameters  # noqa: E402
import programs  # noqa: E402
import reduce  # noqa: E402
import tables  # noqa: E402
import toolchain  # noqa: E402
from built_programs import BuiltPrograms  # noqa: E402
from case import Case, Parameter  # noqa: E402
from expressions import Expressions, Palette, Scope  # noqa: E402
from launchers import Launcher, Program  # noqa: E402


def program_of(seed, grouped=False):
    """A generated program; with a parameter for each buffer and number, or some in a struct or an array."""
    rng = random.Random(f"generator:{seed}")
    program = programs.single_parameters(f"g1_{seed}_0", rng, Palette.draw(rng, products=seed % 2 == 1))
    return parameters.grouped(rng, program) if grouped else program


class Counting(unittest.TestCase):
    def test_each_way_to_count_takes_the_variable_through_all_numbers(self):
        """From 0 to the bound, or back; none for a bound of 0."""
        up, down = counting.heads("k", "n")
        text = "#include <cstdio>\n#include <tile2cu/tile.h>\nusing namespace tl;\nint main() {\n  for (int n : {0, 1, 3}) {\n"
        expected = ""
        for n in (0, 1, 3):
            expected += "".join("".join(f"{k} " for k in numbers) + "\n" for heads, numbers in ((up, range(n)), (down, range(n - 1, -1, -1))) for _ in heads)
        for before, head, first, last in up + down:
            text += "{ " + " ".join([*before, head, *first, 'std::printf("%d ", k);', *last, "}", "}", 'std::puts("");\n'])
        folder = toolchain.ROOT / "build/fuzz/harness"
        folder.mkdir(parents=True, exist_ok=True)
        source, program = folder / "counting.cpp", folder / "counting"
        source.write_text(text + "  }\n}\n")
        toolchain.call([*toolchain.GENERATED.split(), "-std=c++2b", "-w", f"-I{toolchain.INCLUDE}", source, "-o", program])
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split() for line in printed.splitlines()], [line.split() for line in expected.splitlines()])


class Parameters(unittest.TestCase):
    """Structs and arrays of pointers."""

    def test_a_group_names_its_members_and_can_be_taken_apart(self):
        kinds = set()
        for seed in range(60):
            program, alone = program_of(seed, True), program_of(seed)
            for group in program.groups:
                paths = group.paths()
                self.assertEqual(set(paths), {p.name for p in group.parameters()})
                self.assertEqual(len(set(paths.values())), len(paths))
                kinds |= {"struct" if isinstance(m, parameters.Group) else m[0] for m in group.members}
                for name in paths:  # what a kernel calls so is a member, where it does not write the name of a member itself
                    self.assertIsNone(re.search(rf"(?<![.\w]){name}\b", program.body) if name not in paths.values() and name != group.name else None, program.source())
            program.ungroup()
            self.assertEqual(program.body, alone.body)
            self.assertEqual([other.body for other in program.others], [other.body for other in alone.others])
            self.assertEqual([launcher.more for launcher in program.launchers], [launcher.more for launcher in alone.launchers])
        self.assertEqual(kinds, {"struct", "one", "array", "pointers"})

    def test_variables_of_the_same_name_are_not_members(self):
        for text, named in (
            ("x = n + 1;", False), ("x & n", False), ("[](int n) { return n; }", True), ("[](auto n, int m)", True), ("auto& [m, n] = q;", True),
            ("const tile<int, 8>& n", True), ("[=, n](int a) { return a; }", True), ("in[n](a)", True), ("auto y = n;", False), ("p[n] = 1;", False),
        ):
            self.assertEqual(parameters.is_named_otherwise(text, "n"), named, text)

    def test_no_variable_of_the_caller_hides_the_launcher(self):
        """A parameter with the launcher's name keeps the program as it is (g52_0_7)."""
        for name, count in (("kernel_w0", 0), ("count", 1)):
            program = Program("kernel", [Parameter.parse(f"int {name}")], f"grid({name});", [], launchers=[Launcher("instantiate", [(0, "", ".num_warps = 1")])])
            self.assertEqual(max(len(parameters.grouped(random.Random(seed), copy.deepcopy(program)).groups) for seed in range(20)), count, name)

    def test_the_call_passes_what_the_kernel_takes(self):
        given = [Parameter.parse(text) for text in ("const float* a = small(9)", "const float* b = small(9)", "float* o = out(9)", "int n", "int m")]
        inner = parameters.Group("Inner", "size", [("array", "each", given[3:])])
        group = parameters.Group("Outer", "p", [("pointers", "ins", given[:2]), inner, ("one", "o", [given[2]])], ["o"], True)
        program = Program("kernel", given, "p.get_o()[0] = p.ins[1][p.size.each[0]];", [], launchers=[Launcher("instantiate", [(0, "", ".num_warps = 1")])])
        program.groups = [group]
        self.assertEqual(program.parameter_list(program.kernels()[0]), "Outer p")
        self.assertEqual(group.declared(True), "struct Inner {\n  int each[2];\n};\nstruct Outer {\n  const float* const* ins;\n  Inner size = {};\n"
                         "  float* __restrict__ o = nullptr;\n  __tile__ auto get_o() const { return o; }\n};\n")
        self.assertIn("kernel_w0(Outer{emulate_test::PointerArray<const float>{a, b}.data(), Inner{{n, m}}, o})", program.shim("reference", "kernel_w0"))
        program.ungroup()
        self.assertEqual(program.body, "o[0] = b[n];")


class Nulls(unittest.TestCase):
    def test_pointers_are_null_in_some_runs(self):
        """The reducer keeps which ones, and drops those without a parameter."""
        found = [program for program in map(program_of, range(120)) if any("null" in run for run in program.runs)]
        self.assertGreater(len(found), 10)
        for program in found:
            pointers = {p.name for p in program.parameters if p.is_pointer()}
            smaller = reduce.used(program)
            left = {p.name for p in smaller.parameters}
            for run, kept in zip(program.runs, smaller.runs):
                self.assertLessEqual(set(run.get("null", ())), pointers)
                self.assertEqual([name for name in run.get("null", ()) if name in left], list(kept.get("null", ())))
        program = found[0]
        program.body = "grid(1);"
        program.others, program.groups = [], []
        self.assertFalse(any("null" in run for run in reduce.used(program).runs))


class Features(unittest.TestCase):
    def test_programs_have_what_the_language_has(self):
        """Each feature is in one of so many programs at least."""
        seen = set()
        for seed in range(700):
            rng = random.Random(f"features:{seed}")
            seen.update(features.of(programs.kernel_case(f"g1_{seed}_0", rng, Palette.draw(rng, products=seed % 2 == 1))))
            if seen == set(features.FEATURES):
                return
        self.fail(f"no program has {sorted(set(features.FEATURES) - seen)}")

    def test_indices_are_inside_of_their_table(self):
        """Those that may be outside stand behind a mask."""
        forms = collections.Counter()
        for seed in range(300):
            rng = random.Random(f"tables:{seed}")
            kernel = programs.Kernel(f"g1_{seed}", rng, Palette.draw(rng))
            kernel.is_helper = seed % 5 == 0
            scope = Scope(kernel)
            expressions = Expressions(rng, kernel.palette)
            expressions.index_below = lambda scope, shape, extent, depth: f"below({extent})"
            made = tables.tile(expressions, scope, (8,)) if seed % 2 else tables.scalar(expressions, scope)
            text = "\n".join([*kernel.functions, *scope.lines])
            extents = re.findall(r"\w+(?:\[\d\])?\[(\d+)\] = \{|std::array<\w+, (\d+)> \w+[{;]", text)
            self.assertTrue(extents, text)
            extent = max(int(a or b) for a, b in extents)
            below = [int(x) for x in re.findall(r"below\((\d+)\)", f"{text}\n{made.text}")]
            self.assertEqual(len(set(below)), 1, text)
            masked = re.search(rf"load\(.* \+ (i\d+), \1 < {extent}\b", made.text)
            self.assertTrue(masked or below[0] == extent, f"{text}\n{made.text}")
            forms["masked" if masked else "load" if "load(" in made.text else "scalar"] += 1
        self.assertGreater(min(forms["masked"], forms["load"], forms["scalar"]), 20, forms)


class Verdicts(BuiltPrograms):
    """Prints, and programs that are built with --checks."""

    def verdict(self, name, body, old, new, flags=()):
        """What is said of a program in whose emitted text `old` has become `new`."""
        given = ["const int* x = below(64, 9)", "int* out = out(64)", "int n"]
        case = Case(name, [Parameter.parse(text) for text in given], body, [{"n": 40}], warps=(2,))
        result = self.result_of_changed(case, old, new, flags)
        return result.failed.get(name, "compared" if name in result.compared else f"skipped: {result.skipped.get(name)}")

    def test_a_line_that_one_execution_prints_otherwise(self):
        line = "pid (0, 0, 0) idx (3) g7_1_2 5: 4"
        self.assertEqual(batch.odd_lines(f"{line}\n{line}\nSAME g7_1_2_w0\n"), {})
        self.assertEqual(batch.odd_lines(f"{line}\n{line}\n{line}\n"), {"g7_1_2": line})
        self.assertEqual(batch.odd_lines("pid (0, 0, 0) idx () g7_1_2 5 (operand 1): 4\n"), {"g7_1_2": "pid (0, 0, 0) idx () g7_1_2 5 (operand 1): 4"})
        body = 'auto pid = grid(2);\nauto v = load(x + arange<32>());\nif (pid == 0) device_print("NAME 1", v * 2);\nstore(out + pid * 32 + arange<32>(), v);'
        for name, old, new, expected in (("prints_right", "pid", "pid", "compared"), ("prints_wrong", "* 2", "* 3", "(print): pid (0, 0, 0) idx")):
            self.assertTrue(self.verdict(name, body.replace("NAME", name), old, new).startswith(expected), name)

    def test_a_check_that_fails_is_a_failure(self):
        """One that fails in the emitted text alone; where the reference stops too, the program is at fault."""
        body = "grid(1);\nauto i = arange<64>();\nassume(n < 41);\nstore(out + i, load(x + i));"
        self.assertEqual(self.verdict("checks_hold", body, "", "", ("--checks",)), "compared")
        self.assertIn("signal 6: check: assume(n < 40)", self.verdict("checks_fail", body, "n < 41", "n < 40", ("--checks",)))
        self.assertTrue(self.verdict("checks_false", body.replace("41", "40"), "", "", ("--checks",)).startswith("skipped"))

    def test_a_conversion_to_int_that_a_check_reports_is_the_program_s_choice(self):
        """C++ defines it (g600_4_7); the check of a sum, which C++ does not define, remains a failure."""
        body = "grid(1);\nauto i = arange<64>();\nstore(out + i, load(x + (EXPRESSION & 7)));"
        self.assertTrue(self.verdict("checks_conversion", body.replace("EXPRESSION", "cast<int>(n * 4294967296)"), "", "", ("--checks",)).startswith("skipped: "))
        said = self.verdict("checks_sum", body.replace("EXPRESSION", "cast<int>(n * 4294967296)"), "the conversion", "the sum", ("--checks",))
        self.assertIn("signal 6: check: the sum does not fit int", said)


if __name__ == "__main__":
    unittest.main()
