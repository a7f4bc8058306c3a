"""Makes a failing case smaller: removes lines of its body and parts of its expressions, as long as it fails in the same way.

Many candidates are built as one file, so that a round costs little more than one build.
"""

import copy
import os
import re

import batch
from launchers import Program
from mutants import calls_of, replace

CANDIDATES = 12  # of a file
SECONDS = 120  # of CPU time, for one failure


def kind_of(words):
    """The message of a failure without its numbers: failures with the same message are the same."""
    for pattern, kind in (
        (r"^tile2cu: exit status (\d+)", "crash"), (r"^tile2cu: takes", "hang"), (r"^the emitted text", "text"),
        (r"signal", "signal"), (r"report: .*race", "race"), (r"report:", "report"), (r"launcher returned", "status"),
    ):
        if re.search(pattern, words):
            return kind
    return "value"


def blocks_of(lines):
    """(first, last) of lines that are balanced in braces: statements, loops with their bodies."""
    result = []
    for first in range(len(lines)):
        depth = 0
        for last in range(first, len(lines)):
            depth += lines[last].count("{") - lines[last].count("}")
            if depth < 0:
                break
            if depth == 0:
                result.append((first, last))
                if lines[last].strip().startswith("}"):
                    continue
                break
    return result


def split_lines(body):
    """One statement a line, so that they can go one by one."""
    lines = []
    for line in body.split("\n"):
        line = line.strip()
        if line.count(";") > 1 and "(" in line and not line.startswith("for"):
            depth, start = 0, 0
            for i, c in enumerate(line):
                depth += (c in "([{") - (c in ")]}")
                if c == ";" and depth == 0:
                    lines.append(line[start : i + 1].strip())
                    start = i + 1
            if line[start:].strip():
                lines.append(line[start:].strip())
        elif line:
            lines.append(line)
    return lines


def smaller_bodies(body):
    """Bodies with something less, those with most less first."""
    lines = split_lines(body)
    result = []
    blocks = sorted(blocks_of(lines), key=lambda b: b[0] - b[1])
    count = len(lines)
    for size in (count // 2, count // 4, count // 8):
        if size > 1:
            for first in range(0, count, size):
                part = lines[first : first + size]
                if sum(l.count("{") - l.count("}") for l in part) == 0:
                    result.append(lines[:first] + lines[first + size :])
    for first, last in blocks:
        result.append(lines[:first] + lines[last + 1 :])
        if last > first and lines[first].rstrip().endswith("{") and lines[last].strip() == "}":
            result.append(lines[:first] + lines[first + 1 : last] + lines[last + 1 :])  # the body alone
    return ["\n".join(r) for r in result]


def simpler_expressions(body):
    """Bodies in which a parenthesis or a call is one of its operands, or a constant."""
    result = []
    for found in re.finditer(r"\(", body):
        depth = 0
        for end in range(found.start(), len(body)):
            depth += (body[end] in "([{") - (body[end] in ")]}")
            if depth == 0:
                break
        inner = body[found.start() + 1 : end]
        before = re.search(r"[\w>]+$", body[: found.start()])
        if before or len(inner) < 3:
            continue
        parts = top_level(inner, r" (?:[-+*/%&|^<>]|<<|>>|<=|>=|==|!=|&&|\|\|) ")
        for part in parts if len(parts) > 1 else []:
            result.append(replace(body, found.start(), end + 1, part))
        result.append(replace(body, found.start(), end + 1, "1"))
    for start, end in calls_of(body):
        call = body[start:end]
        inner = call[call.index("(") + 1 : -1]
        arguments = top_level(inner, r", ")
        if re.match(r"(store|load|grid|for|while|if|switch|range|atomic_\w+|arange|static_range|zeros)\b", call):
            if call.startswith(("load", "store")) and len(arguments) > 1:
                keep = 1 if call.startswith("load") else 2
                if len(arguments) > keep:
                    head = call[: call.index("(") + 1]
                    result.append(replace(body, start, end, head + ", ".join(arguments[:keep]) + ")"))
            continue
        for argument in arguments:
            result.append(replace(body, start, end, argument))
    return sorted(set(result), key=len)


def top_level(text, pattern):
    """The parts of a text between matches outside of parentheses."""
    parts, depth, start, i = [], 0, 0, 0
    separator = re.compile(pattern)
    while i < len(text):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        found = separator.match(text, i) if depth == 0 else None
        if found:
            parts.append(text[start:i])
            start = i = found.end()
        else:
            i += 1
    return [*parts, text[start:]]


def renamed(case, name):
    new = copy.deepcopy(case)
    new.name = name
    new.kernel = case.kernel.replace(case.name, name)
    for part in ("helpers", "template", "arguments", "body"):
        setattr(new, part, re.sub(rf"\b{case.name}(?=_[a-z])", name, getattr(case, part)))
    if isinstance(case, Program):
        new.rename_all(lambda text: re.sub(rf"\b{case.name}(?=_[a-z])", name, text))
    return new


def fitting(tools, folder, case, candidates, kind, spent):
    """The smallest of the first candidates that fail in the same way, and how."""
    for at in range(0, len(candidates), CANDIDATES):
        if spent():
            break
        part = candidates[at : at + CANDIDATES]
        named = [renamed(c, f"{c.name}r{k}") for k, c in enumerate(part)]
        result = batch.run_file(tools, folder, "candidates", named, [case.flags])
        fit = []
        for original, new in zip(part, named):
            words = result.failed.get(new.name)
            if words and kind_of(words) == kind:
                fit.append((size_of(original), len(fit), original, words))
        if fit:
            return min(fit)[2:]
    return None


def crashing(tools, folder, case, candidates, words, spent):
    """The first candidate on which tile2cu says the same: nothing else has to be built."""
    said = words.split("|")[0]
    for candidate in candidates:
        if spent():
            break
        file = batch.File(tools, folder, "candidate", [candidate], case.flags)
        file.write()
        status, text = tools.run_tile2cu(file.path("tile.cpp"), file.path("cuda.cpp"), file.flags, 20)
        if status != 0 and file.crash(status, text).split("|")[0] == said:
            return candidate, words
    return None


def simpler_launcher(case):
    """A launcher with fewer warps and no options."""
    result = []
    for warps in (1, 2, 4):
        if case.warps[0] > warps:
            new = copy.deepcopy(case)
            new.warps = (warps,)
            result.append(new)
    for part in ("options", "kernel"):
        if getattr(case, part):
            new = copy.deepcopy(case)
            setattr(new, part, "")
            result.append(new)
    return result


def others(case):
    """Candidates with the same body: fewer runs, simpler launchers, no unused helpers."""
    result = []
    for k in range(len(case.runs)):
        if len(case.runs) > 1:
            new = copy.deepcopy(case)
            new.runs = [case.runs[k]]
            result.append(new)
    result += case.simpler() if isinstance(case, Program) else simpler_launcher(case)
    if case.helpers and not re.search(rf"\b{case.name}_h\d", case.body):
        new = copy.deepcopy(case)
        new.helpers = ""
        result.insert(0, new)
    return result


def with_body(case, body, k=0):
    """With another body of its k-th kernel."""
    new = copy.deepcopy(case)
    if k == 0:
        new.body = body
    else:
        new.others[k - 1].body = body
    return new


def bodies_of(case):
    return [case.body, *(other.body for other in getattr(case, "others", []))]


def size_of(case):
    around = case.size() if isinstance(case, Program) else len(case.options) + len(case.kernel) + case.warps[0]
    return len(case.body) + len(case.helpers) + 20 * len(case.runs) + around


def used(case):
    """The case without parameters that the body does not name."""
    new = copy.deepcopy(case)
    is_used = case.used_in if isinstance(case, Program) else lambda p: re.search(rf"\b{p.name}\b", case.body)
    kept = [p for p in case.parameters if is_used(p)]
    names = {p.name for p in kept} | {p.rest[0] for p in kept if p.domain == "at"}
    sizes = " ".join(" ".join(p.rest) for p in case.parameters if p.name in names)
    new.parameters = [p for p in case.parameters if p.name in names or re.search(rf"\b{p.name}\b", sizes)]
    left = {p.name for p in new.parameters if not p.is_pointer()}
    new.runs = [{k: v for k, v in run.items() if k == "shift" or k in left} for run in case.runs]
    pointers = {p.name for p in new.parameters if p.is_pointer()}
    for run, old in zip(new.runs, case.runs):
        if nulls := tuple(name for name in old.get("null", ()) if name in pointers):
            run["null"] = nulls
    return new


def reduce(tools, folder, case, words, seconds=SECONDS):
    """The smallest case found within some seconds of CPU time, and how it fails."""
    kind = kind_of(words)
    start = sum(os.times()[:4])

    def spent():
        return sum(os.times()[:4]) - start > seconds

    while not spent():
        candidates = others(case)
        for k, body in enumerate(bodies_of(case)):
            candidates += [with_body(case, b, k) for b in smaller_bodies(body)]
            if len(body) < 1500:
                candidates += [with_body(case, b, k) for b in simpler_expressions(body)]
        candidates = [used(c) for c in candidates]
        candidates = sorted((c for c in candidates if size_of(c) < size_of(case)), key=size_of)
        # The largest steps first, then the likely ones.
        half = [c for c in candidates if size_of(c) > 0.3 * size_of(case)]
        candidates = half + [c for c in candidates if c not in half]
        if kind in ("crash", "hang"):
            found = crashing(tools, folder, case, candidates, words, spent)
        else:
            found = fitting(tools, folder, case, candidates, kind, spent)
        if not found:
            break
        case, words = found
    return case, words
