"""The rows of the conformance table: what Triton's tests cover, claim by claim, and how it is covered here.

A row is in one section, A to O, and has a number there. What it says is one of

  cases     patterns of names of generated cases; `covers` lists what the compiler's IR has to show in them: each operation
            x type x shape x number of warps
  refused   a kernel that tile2cu refuses, and words of its message: the row is "not supported" as long as it does
  fails     a kernel that tile2cu has to take, but refuses: a fault that is known
  rejected  a kernel that is wrong, and words of the message that says so
  tests     lit tests, "path: text": the path's file has to hold the text, and to pass
  jobs      other parts of test/emulate/run: conversions, prints
  absent    why the claim does not apply: it is about Python, or about hardware after sm_90
"""

import dataclasses
import fnmatch
import importlib
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import generate  # noqa: E402

SECTIONS = {
    "A": "Elementwise",
    "B": "Casts",
    "C": "Memory",
    "D": "Shape",
    "E": "Atomics",
    "F": "Reductions",
    "G": "Scan, sort",
    "H": "dot",
    "I": "Control flow",
    "J": "Diagnostics",
    "K": "Pipeliner",
    "L": "Descriptors",
    "M": "Whole kernels",
    "N": "Misc",
    "O": "Beyond Triton's tests",
}
ANY = (None,)


@dataclasses.dataclass(frozen=True)
class Cover:
    """Each operation x type x shape x number of warps; None stands for whichever there is."""

    operations: tuple
    types: tuple = ANY
    shapes: tuple = ANY
    warps: tuple = ANY

    def parts(self):
        return itertools.product(self.operations, self.types, self.shapes, self.warps)


def cover(operations, types="", shapes="", warps=""):
    """Words in place of tuples; a shape of "scalar" is that of a scalar."""
    shape = lambda s: "" if s == "scalar" else s  # noqa: E731
    return Cover(
        tuple(operations.split()),
        tuple(types.split()) or ANY,
        tuple(map(shape, shapes.split())) or ANY,
        tuple(map(int, str(warps).split())) or ANY,
    )


@dataclasses.dataclass(frozen=True)
class Row:
    key: str
    claim: str
    cases: tuple = ()
    covers: tuple = ()
    refused: tuple = ()
    fails: tuple = ()
    rejected: tuple = ()
    tests: tuple = ()
    jobs: tuple = ()
    absent: str = ""
    remark: str = ""

    def kernel_without_text(self):
        """(message, kernel) if tile2cu has to refuse one."""
        return self.refused or self.fails or self.rejected

    def found_cases(self):
        """(group, case) in the order of the groups, and the patterns without a case."""
        found, unmatched = [], set(self.cases)
        for group, cases in generate.tables().items():
            for case in cases:
                fitting = {p for p in self.cases if fnmatch.fnmatchcase(case.name, p)}
                unmatched -= fitting
                if fitting:
                    found.append((group, case))
        return found, sorted(unmatched)


class Section:
    def __init__(self, letter):
        self.letter = letter
        self.rows = []

    def add(self, claim, cases="", *covers, **more):
        key = f"{self.letter}{len(self.rows) + 1}"
        self.rows.append(Row(key, claim, tuple(cases.split()), tuple(covers), **more))

    def refuses(self, claim, message, kernel, remark=""):
        """Not supported: the body of a kernel with parameters `in`, `out` (floats), `ints` and `n`, or a whole source."""
        self.add(claim, refused=(message, kernel), remark=remark)

    def fails(self, claim, message, kernel, remark=""):
        """A kernel as in `refuses` that should work."""
        self.add(claim, fails=(message, kernel), remark=remark)

    def rejects(self, claim, message, kernel, remark=""):
        """A kernel as in `refuses` that has to be an error."""
        self.add(claim, rejected=(message, kernel), remark=remark)

    def absent(self, claim, reason):
        self.add(claim, absent=reason)


def all_rows():
    result = []
    for letter in SECTIONS:
        section = importlib.import_module(f"conformance.section_{letter.lower()}").section
        assert section.letter == letter
        result += section.rows
    return result
