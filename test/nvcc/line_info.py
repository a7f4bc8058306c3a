"""--line-directives, read back from the binary: which lines of the tile source the instructions of a kernel come from.

The tile source marks the lines that have to be there ("in the binary") and those of its loads and stores. Without the
option the machine code is the same.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = HERE / "Inputs"
SOURCE = INPUTS / "lines.tile.cpp"
# //## File "a.cu", line 7 inlined at "b.cu", line 9
PLACE = re.compile(r'"([^"]+)", line (\d+)')
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(.*?);")


def marked(path, mark):
    """{(file name, line)} of the lines with a comment that says `mark`."""
    lines = path.read_text().splitlines()
    return {(path.name, i + 1) for i, line in enumerate(lines) if line.endswith(f"// {mark}") or f"// {mark}:" in line}


def instructions(listing):
    """[(instruction, {(path, line)})]: the lines that each comes from, through all functions it was inlined from."""
    result, places, is_open = [], set(), False
    for line in listing.splitlines():
        if line.lstrip().startswith("//## File"):
            places = places if is_open else set()
            places = places | {(path, int(number)) for path, number in PLACE.findall(line)}
            is_open = True
        elif found := INSTRUCTION.match(line):
            is_open = False
            result.append((found[1], places))
    return result


def check(found, emitted, text):
    """What is wrong with these instructions of the file `emitted`, whose text is `text`."""
    problems = []
    own = {SOURCE.name, "halved.h"}
    seen = {(pathlib.Path(path).name, line) for _, places in found for path, line in places}
    wanted = marked(SOURCE, "in the binary") | marked(INPUTS / "halved.h", "in the binary")
    of_source = {place for place in seen if place[0] in own}
    problems += [f"no instruction comes from {name}:{line}" for name, line in sorted(wanted - of_source)]
    problems += [f"an instruction comes from {name}:{line}" for name, line in sorted(of_source - wanted)]
    for opcode, what in ("LDG", "load"), ("STG", "store"):
        (line,) = marked(SOURCE, f"in the binary: {what}")
        accesses = [places for instruction, places in found if opcode in instruction.split()[:2][-1] or instruction.startswith(opcode)]
        if not accesses:
            problems.append(f"there is no {opcode}")
        for places in accesses:
            if line not in {(pathlib.Path(path).name, number) for path, number in places}:
                problems.append(f"a {opcode} does not come from {line[0]}:{line[1]} but from {sorted(places)}")
    # The file's own lines are device helpers, whose numbers are the real ones.
    rows, helpers, inside = text.splitlines(), set(), False
    for number, row in enumerate(rows, 1):
        inside = (inside or row.startswith("// ==== device helpers")) and row != "// ==== end of device helpers"
        if inside and row.strip() and not row.lstrip().startswith("//"):
            helpers.add(number)
    for path, line in {place for _, places in found for place in places if pathlib.Path(place[0]).name == emitted}:
        if line not in helpers:
            problems.append(f"an instruction comes from line {line} of {emitted}, which is no code of a device helper")
    return problems


def compare(build, transpile, run, nvcc, nvdisasm):
    """Builds the source with and without the option; returns what is wrong."""
    code = {}
    for name, flags in ("lines_plain", []), ("lines", ["--line-directives"]):
        output, binary = build / f"{name}.cu", build / f"{name}.cubin"
        status, text = transpile(SOURCE, flags, output)
        if status != 0:
            return [f"tile2cu: {text.strip()[:400]}"]
        status, text = run([nvcc, "-std=c++17", "-lineinfo", "-cubin", "-arch=sm_80", output, "-o", binary])
        if status != 0 or "warning" in text:
            return [f"nvcc: {text.strip()[:400]}"]
        status, listing = run([nvdisasm, "--print-line-info-inline", binary])
        if status != 0:
            return [f"nvdisasm: {listing.strip()[:400]}"]
        code[name] = instructions(listing)
    problems = check(code["lines"], "lines.cu", (build / "lines.cu").read_text())
    if not any(pathlib.Path(path).name == "lines_plain.cu" for _, places in code["lines_plain"] for path, _ in places):
        problems.append("without the option, no instruction comes from the emitted file")
    if [instruction for instruction, _ in code["lines"]] != [instruction for instruction, _ in code["lines_plain"]]:
        problems.append("the machine code is another one with --line-directives")
    return problems
