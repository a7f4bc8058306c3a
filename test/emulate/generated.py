"""Builds and runs files of generated cases, and says which cases failed."""

import os
import pathlib
import re

import generate
import independent
import toolchain


def first_lines(text, count=4):
    """The lines that say what is wrong."""
    lines = [line for line in text.splitlines() if line.strip()]
    at = next((i for i, line in enumerate(lines) if re.search(r"\berror\b|assert", line, re.I)), 0)
    return " | ".join(line.strip() for line in lines[at : at + count])[:500]


def run_program(executable, cases):
    """Counts and failures. Where Python computes results of a case, the reference has to have them too."""
    record = executable.with_suffix(".record")
    record.unlink(missing_ok=True)
    computed = any(case.expected for case in cases)
    try:
        text = toolchain.call([executable, *(["--record", record] if computed else [])])
    except toolchain.Failed as failed:
        text = str(failed)
    found = re.search(r"^(\d+) passed, (\d+) failed$", text, re.M)
    if not found:
        return 0, sum(len(c.warps) for c in cases), [f"{executable.name}: {first_lines(text)}"]
    lines = [line for line in text.splitlines() if line.startswith("FAIL")]
    passed, failed = int(found[1]), int(found[2])
    if computed:
        compared, differences = independent.check(cases, record)
        record.unlink()
        lines += differences
        failed += len(differences)
        passed += len(compared) - len({line.split("(")[0] for line in differences})
    return passed, failed, lines


def split_off(tools, folder, stem, cases):
    """The cases that tile2cu takes, and a failure for each that it does not."""
    good, lines = [], []
    alone = folder / "alone"
    alone.mkdir(exist_ok=True)
    for case in cases:
        generate.write_file(alone, case.name, [case])
        source = alone / f"{case.name}.tile.cpp"
        try:
            tools.transpile(source, alone / f"{case.name}.cuda.cpp", *case.flags, timeout=20)
            good.append(case)
        except toolchain.Failed as failed:
            where = source.relative_to(toolchain.ROOT)
            lines.append(f"FAIL {case.name}: tile2cu: {first_lines(str(failed))} ({where})")
    return good, lines


def guilty_cases(text, message, cases):
    """(case, what the compiler says) for the kernels in which it found errors; all cases if none is named."""
    starts = []
    if text.exists():
        for number, line in enumerate(text.read_text().splitlines(), 1):
            found = re.match(r"// From .* `(\w+)`", line)
            if found:
                starts.append((number, found[1]))
    named = {}
    for line in message.splitlines():
        for at in re.findall(re.escape(text.name) + r":(\d+)", line):
            name = next((name for number, name in reversed(starts) if number <= int(at)), None)
            if name and (name not in named or "error" in line and "error" not in named[name]):
                named[name] = line.strip()[:300]
    guilty = [(case, named[case.name]) for case in cases if case.name in named]
    return guilty or [(case, first_lines(message)) for case in cases]


def run_cases(tools, folder, stem, cases):
    """Counts and failures of one file. A case that does not build fails, and the others run without it."""
    refused, lines = 0, []
    generate.write_file(folder, stem, cases)
    try:
        tools.transpile(folder / f"{stem}.tile.cpp", folder / f"{stem}.cuda.cpp", *cases[0].flags)
    except toolchain.Failed as failed:
        good, lines = split_off(tools, folder, stem, cases)
        if len(good) == len(cases):
            return 0, len(cases), [f"FAIL {stem}: only together: {first_lines(str(failed))}"]
        refused = sum(len(case.warps) for case in cases if case not in good)
        if not good:
            return 0, refused, lines
        cases = good
        generate.write_file(folder, stem, cases)
        tools.transpile(folder / f"{stem}.tile.cpp", folder / f"{stem}.cuda.cpp", *cases[0].flags)
    try:
        parts = ("reference", "emulated", "table")
        executable = tools.build_file(folder, stem, parts, all(case.checks_overflow for case in cases))
    except toolchain.Failed as failed:
        guilty = guilty_cases(folder / f"{stem}.cuda.cpp", str(failed), cases)
        source = (folder / f"{stem}.tile.cpp").relative_to(toolchain.ROOT)
        for case, words in guilty:
            refused += len(case.warps)
            lines.append(f"FAIL {case.name}: {words} ({source})")
        good = [case for case in cases if case not in [case for case, _ in guilty]]
        if good:
            p, b, more = run_cases(tools, folder, stem + "x", good)
            return p, b + refused, lines + more
        return 0, refused, lines
    passed, bad, more = run_program(executable, cases)
    return passed, refused + bad, lines + more
