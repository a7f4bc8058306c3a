"""Which of the generated cases one push runs: a sample that covers every feature and changes with the rotation.

A feature is (operation, class of types, class of layouts) within a group. All three are read from the text of a case,
so that a new group or a new case needs no entry here:

  operation         a function of tile.h, an operator, a statement, an option of the launcher, a qualified name
  class of types    the element types of the case: small, int and long integers, half, float, double, 8-bit floats, bool
  class of layouts  the rank of the tiles, sizes that are powers of two or not, the number of warps (1, 2^n, other)

A case is taken with some of its numbers of warps. The order in which cases are tried is a permutation by the rotation.
A case is taken if it has a feature that those before it lack, or if fewer than one kernel in LEAST of its group would run.
So every feature of every group is in each sample, and the cases that are taken change from one rotation to the next.
Of cases that are `rarely` taken, one kernel in RARELY is, whatever its features.
"""

import dataclasses
import functools
import os
import re
import subprocess
import zlib

import case as cases_module
from toolchain import INCLUDE, ROOT

TYPE_CLASSES = {
    **dict.fromkeys(["int8_t", "int16_t", "uint8_t", "uint16_t"], "small"),
    **dict.fromkeys(["int", "int32_t", "unsigned", "uint32_t"], "int"),
    **dict.fromkeys(["int64_t", "uint64_t"], "long"),
    **dict.fromkeys(["float16", "bfloat16"], "half"),
    **dict.fromkeys(["float8_e4m3", "float8_e5m2"], "float8"),
    "float": "float",
    "double": "double",
    "bool": "bool",
}
LEAST = 6
RARELY = 48
STATEMENTS = {"if", "else", "for", "while", "do", "break", "continue", "return"}
OPERATORS = re.compile(r"<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\+\+|--|[-+*/%&|^~!?]| [<>] ")
WORDS = re.compile(r"\b[A-Za-z_]\w*(?:::\w+)?")
OPTIONS = re.compile(r"\.(\w+) = ([-\w.]+)")
SHAPE = re.compile(r"<((?:\w+, )*\d+(?:, \w+)*)>")


@functools.cache
def functions_of_language():
    """What tile.h declares: each name that a parenthesis follows in its headers."""
    result = set(STATEMENTS)
    for header in sorted((INCLUDE / "tile2cu/tile").rglob("*.h")):
        result |= set(re.findall(r"\b([a-z]\w+)\(", header.read_text()))
    return result


def text_of(case):
    text = case.body if type(case) is cases_module.Case else case.source()
    text = " ".join([case.helpers, case.template, case.arguments, text])
    return re.sub(r"//.*", "", text)


def operations_of(case, text):
    words = set(WORDS.findall(text))
    found = {word for word in words if "::" in word or word in functions_of_language()}
    found |= {f"operator {sign.strip()}" for sign in OPERATORS.findall(text)}
    found |= {f"{name} = {value}" for name, value in OPTIONS.findall(case.options + text)}
    found |= {f"sm_{device}" for device in case.devices}
    return found


def type_classes_of(case, text):
    types = [p.type for p in case.parameters if p.is_pointer()]
    types += [word for word in WORDS.findall(text) if word in TYPE_CLASSES and word != "int"]
    return {TYPE_CLASSES[t] for t in types if t in TYPE_CLASSES}


def tiles_of(text):
    """The rank of the case's tiles, and whether a size is not a power of two."""
    shapes = [shape.split(", ") for shape in SHAPE.findall(text)]
    rank = max([len(shape) for shape in shapes] + [2 if "none]" in text or "[none" in text else 1])
    sizes = [int(size) for shape in shapes for size in shape if size.isdigit()]
    return min(rank, 4), any(size & (size - 1) for size in sizes)


def class_of_warps(warps):
    return "one" if warps == 1 else "other" if warps & (warps - 1) else "power"


def units_of(case):
    """The parts of a case that can be taken alone: its numbers of warps."""
    return list(case.warps) if type(case) is cases_module.Case and case.warps else [None]


def features_of(case):
    """Number of warps -> the features that the case has with it."""
    text = text_of(case)
    operations, types, tiles = operations_of(case, text), type_classes_of(case, text), tiles_of(text)
    result = {}
    for warps in units_of(case):
        layout = (*tiles, class_of_warps(warps or case.warps[0]))
        result[warps] = {(o, t, layout) for o in operations for t in types or {"none"}}
    return result


def order(rotation, *words):
    return zlib.crc32(" ".join(map(str, (rotation, *words))).encode())


def sample(cases, rotation):
    """The cases of a group that the rotation takes, in their order, with the numbers of warps that it takes."""
    features = {case.name: features_of(case) for case in cases if not getattr(case, "rarely", False)}
    units = [(case.name, warps) for case in cases for warps in units_of(case)]
    units.sort(key=lambda unit: order(rotation, *unit))
    rare = {case.name for case in cases if getattr(case, "rarely", False)}
    covered, left, taken = set(), [], {}
    for name, warps in units:
        if name in rare:
            if order(rotation, "rarely", name, warps) % RARELY == 0:
                taken.setdefault(name, []).append(warps)
        elif features[name][warps] <= covered:
            left.append((name, warps))
        else:
            covered |= features[name][warps]
            taken.setdefault(name, []).append(warps)
    often = sum(name not in rare for name, _ in units)
    more = -(-often // LEAST) - (often - len(left))
    for name, warps in left[: max(0, more)]:
        taken.setdefault(name, []).append(warps)
    result = []
    for case in cases:
        chosen = taken.get(case.name)
        if chosen == [None]:
            result.append(case)
        elif chosen:
            kept = tuple(warps for warps in case.warps if warps in chosen)
            result.append(dataclasses.replace(case, warps=kept))
    return result


def default_rotation():
    """The rotation of a run that names none: ROTATION, which test/run sets, or from the commit that is checked out."""
    if os.environ.get("ROTATION"):
        return int(os.environ["ROTATION"])
    done = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True)
    commit = done.stdout.strip()
    return int(commit[:6], 16) if re.fullmatch(r"[0-9a-f]{40,64}", commit) else 0
