"""The kernels of tile sources that have no table of data: test/frontend, test/emit, test/bench/kernels, examples.

Each becomes a Case: buffers of whole numbers for its pointers, small numbers for its integers, which meet its
`require`s. Nothing is known of what the kernel means: a run that leaves the buffers, or whose programs write one
address, is told apart as for every mutant.
"""

import functools
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "emulate"))

from case import FLOATS, FLOAT8, TYPES, Case, Parameter  # noqa: E402

PATTERNS = ["test/frontend/*.cpp", "test/emit/*.cpp", "test/bench/kernels/**/*.tile.cpp", "examples/*/*.tile.cpp"]
SIZE = 65536  # elements of a buffer: rows of the sizes below fit
NUMBERS = [1, 2, 3, 4, 8, 16, 24, 33, 64, 100, 128]
HOPPER = ("--arch=sm_90a",)
KERNEL = re.compile(r"(template\s*<(?P<template>[^<>]*)>\s*)?(?:static |inline )*__tile_global__\s+(?:static |inline )*void\s+(?P<name>\w+)\(")
OTHER_NAMES = {"unsigned int": "uint32_t", "unsigned": "uint32_t", "short": "int16_t", "size_t": "uint64_t", "long long": "int64_t",
               "int32_t": "int", "ptrdiff_t": "int64_t", "long": "int64_t", "char": "int8_t"}
LEFT_OUT = ["test/frontend/combine.cpp"]  # its scan is not associative: any result is right
MOST_WORK = 64 * 64  # elements of the largest tile of a kernel with dots: the reference and the emulator take long


def behind(text, at):
    """The index after the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i + 1
    raise ValueError


def arguments_of(text, name):
    """(template arguments, options) of the first launcher of the kernel; None if it has none."""
    found = re.search(rf"(?:instantiate|candidate)\((?:::)?{name}\s*(<[^<>]*>)?\s*[,)]", text)
    if not found:
        return None
    options = re.match(r"\s*\{([^{}]*)\}", text[found.end() :])
    return found[1] or "", options[1] if options else ""


def parameter(text, types):
    """A Parameter with data, or None if no table can describe it."""
    text = re.sub(r"\b(__restrict__|std::|tl::)", "", text).strip()
    found = re.match(r"(const )?([\w ]+?)\s*(\*?)\s*(?:const )?(\w+)$", text)
    if not found:
        return None
    const, type_, star, name = found.groups()
    type_ = types.get(type_, type_)
    type_ = OTHER_NAMES.get(type_, type_)
    if type_ not in TYPES:
        return None
    if not star:
        return Parameter.parse(f"{type_} {name}")
    integer = type_ not in [*FLOATS, *FLOAT8, "bool"]
    domain = f"below({SIZE}, 8)" if integer and const and type_ in ("int", "int64_t", "uint32_t") else f"small({SIZE})"
    return Parameter.parse(f"{const or ''}{type_}* {name} = {domain}")


def runs_of(rng, parameters, body, constants):
    """Two runs whose numbers satisfy the requirements; None if none were found."""
    requirements = [
        re.sub(r"&&", " and ", re.sub(r"\|\|", " or ", r)).replace("0.0f", "0").replace("1.0f", "1").replace("/", "//")
        for r in re.findall(r"\brequire\((.*)\);", body)
    ]
    runs = []
    for _ in range(4000):
        run = {}
        for p in parameters:
            if p.is_pointer():
                continue
            if p.type in FLOATS + FLOAT8:
                run[p.name] = rng.choice([0.5, 1, 2, 0.25])
            elif re.search("stride|pitch|^ld", p.name):
                run[p.name] = rng.choice([128, 136, 129])
            else:
                run[p.name] = rng.choice([0, 1]) if p.type == "bool" else rng.choice(NUMBERS)
        try:
            good = all(eval(r, {"cdiv": lambda a, b: -(-a // b)}, {**constants, **run}) for r in requirements)
        except (NameError, SyntaxError, TypeError, ZeroDivisionError):
            return None
        if good:
            runs.append(run)
        if len(runs) == 2:
            return runs
    return None


def with_own_helpers(case):
    """Gives what stands before the kernel names of its own: two mutants of one kernel are in one file."""
    text = case.helpers
    names = set(re.findall(r"(?:__tile__|struct|enum class|enum|class)\s+(?:[\w:<>,&* ]+\s)?(\w+)\s*[({:]", text))
    names |= set(re.findall(r"constexpr\s+[\w:]+\s+(\w+)", text)) | set(re.findall(r"using (\w+) =", text))
    for name in names:
        for part in ("helpers", "template", "arguments", "body"):
            setattr(case, part, re.sub(rf"(?<![\w.]){name}\b", f"{case.name}_{name}", getattr(case, part)))


def kernels_of(path, text):
    """The Cases of one source."""
    first = text.index("using namespace tl;") + len("using namespace tl;")
    text = re.sub(r"//.*", "", text[first:])
    found = list(KERNEL.finditer(text))
    launchers = re.compile(r"^(?:inline |static )*constexpr\s[^;{]*?\b\w+\s*=\s*(?:tl::)?(?:instantiate|select|tune)\(", re.M)
    helpers, at = [], 0
    for k, kernel in enumerate(found):
        helpers.append(text[at : kernel.start()])
        at = behind(text, behind(text, kernel.end() - 1) + len(re.match(r"\s*", text[behind(text, kernel.end() - 1) :])[0]))
    helper = ""
    for part in helpers:
        while launcher := launchers.search(part):
            end = behind(part, launcher.end() - 1)
            part = part[: launcher.start()] + part[part.index(";", end) + 1 :]
        helper += part
    stem = "s_" + re.sub(r"\W", "_", f"{path.parent.name}_{path.stem.split('.')[0]}")
    for kernel in found:
        case = case_of(stem, text, kernel, helper)
        if case:
            case.flags = HOPPER if "hopper" in str(path) or "sm_90a" in path.read_text() else ()
            yield case


def case_of(stem, text, kernel, helper):
    name = kernel["name"]
    given = arguments_of(text, name)
    close = behind(text, kernel.end() - 1)
    list_, rest = text[kernel.end() : close - 1], text[close:]
    if given is None or not rest.lstrip().startswith("{"):
        return None
    open_ = close + rest.index("{")
    body = text[open_ + 1 : behind(text, open_) - 1]
    if not re.search(r"\bgrid\(|persistent_range|dynamic_range", body) or "program_id" in body or "num_sms" in body or "..." in list_:
        return None
    arguments, options = given
    declared = [p.split("=")[0].strip() for p in (kernel["template"] or "").split(",") if p.strip()]
    values = dict(zip([p.split()[-1] for p in declared], [a.strip() for a in arguments[1:-1].split(",")]))
    parameters = [parameter(p, values) for p in re.sub(r"\s+", " ", list_).split(",") if p.strip()]
    if not parameters or None in parameters or not any(p.is_pointer() and not p.const for p in parameters):
        return None
    constants = {k: int(a) for k, a in values.items() if a.isdigit()}
    sizes = sorted([int(n) for n in re.findall(r"\b\d+\b", body + arguments)], reverse=True)
    if re.search(r"\bdot\(", body + helper) and sizes[0] * sizes[1] > MOST_WORK or sizes[0] > 65536:
        return None
    runs = runs_of(random.Random(f"{stem}_{name}"), parameters, body, constants)
    if not runs:
        return None
    warps = re.search(r"\.num_warps = (\d+)", options)
    more = "".join(f", {o.strip()}" for o in options.split(",") if o.strip() and re.match(r"\.\w+ = \w+$", o.strip()) and "num_warps" not in o)
    template = f"template <{kernel['template']}>" if kernel["template"] else ""
    return Case(
        f"{stem}_{name}", parameters, body, runs, warps=(int(warps[1]) if warps else 4,), options=more,
        helpers=helper, template=template, arguments=arguments, restrict="__restrict__" in list_,
    )


@functools.cache
def cases():
    """All of them. A source with macros, or one that this does not understand, has none."""
    result = []
    for pattern in PATTERNS:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text()
            if str(path.relative_to(ROOT)) in LEFT_OUT:
                continue
            if "__tile_global__" not in text or "using namespace tl;" not in text or "#define" in text or "#if" in text:
                continue
            if path.parts[-2] == "emit" and not re.search(r"RUN: %tile2cu", text):
                continue
            try:
                result += kernels_of(path, text)
            except (ValueError, IndexError):
                continue
    return result
