#!/usr/bin/env python3
"""Checks that emitted files keep to what the README promises of their text: check_style.py FILE... Device helpers are not looked
at. Prints each finding with its place; ends with "N files, N findings" and fails if there are any."""
import re
import sys

MOST_COLUMNS = 100
MOST_LINES = 132  # of a function with its head: the emitter takes parts out of longer ones, whose parts are at least 5 lines
MOST_DEPTH = 5  # of braces, with the function's
FORBIDDEN = {
    r"\basm\b": "inline assembly outside of the helpers",
    r"while \((true|1)\)": "a loop without a condition",
    r"\(\(\(": "parentheses that say nothing",
    r"\b_?v?_\d+\b": "a name that is only a number",
    r"__shfl": "a raw shuffle",
    r"^\s*\w+ \w+\[1\];": "an array of one element",
    r"__syncthreads\(\);\s*$": "a barrier without its reason",
}


def findings(path):
    is_helper, depth, start, is_function = False, 0, 0, False
    with open(path) as lines:
        for number, line in enumerate((line.rstrip("\n") for line in lines), 1):
            if line.startswith("// ==== "):
                is_helper = line.startswith("// ==== device helpers")
            if is_helper:
                continue
            code = line.split("//")[0]
            for pattern, what in FORBIDDEN.items():
                if re.search(pattern, line if "syncthreads" in pattern else code):
                    yield number, what
            if len(line) > MOST_COLUMNS:
                yield number, f"{len(line)} columns"
            if depth == 0 and re.match(r"(template|static|__device__|__global__)", code):
                start, is_function = start or number, True
            depth += code.count("{") - code.count("}")
            if depth > MOST_DEPTH:
                yield number, f"{depth} blocks in each other"
            if depth == 0 and (code.startswith("}") or code.rstrip().endswith(";")):
                if is_function and number - start + 1 > MOST_LINES:
                    yield number, f"a function of {number - start + 1} lines"
                start, is_function = 0, False


def main():
    count = 0
    for path in sys.argv[1:]:
        for number, what in findings(path):
            print(f"{path}:{number}: {what}")
            count += 1
    print(f"{len(sys.argv) - 1} files, {count} findings")
    sys.exit(1 if count or len(sys.argv) == 1 else 0)


main()
