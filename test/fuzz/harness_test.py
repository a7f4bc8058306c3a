#!/usr/bin/env python3
"""Tests of the fuzzer itself: test/fuzz/harness_test.py"""

import pathlib
import random
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "emulate"))

import generate  # noqa: E402
from case import Case  # noqa: E402
from mutants import Mutator  # noqa: E402


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


if __name__ == "__main__":
    unittest.main()
