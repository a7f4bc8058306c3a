#!/usr/bin/env python3
"""Keeps the excerpts and figures in README.md as they are in the files that they come from.

  <!-- from examples/softmax/softmax.cu: softmax_warp_kernel -->
  ```cpp
  ...the function, with the template line or comment right above it...
  ```

  <!-- speeds of test/bench/RESULTS.md -->
  | kernel                  | unit | tile2cu | Triton | torch |
  |---|---|---|---|---|
  | a case of that file     | ...the figures of its row...

Usage: readme_blocks.py [--check]
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"(<!-- from (\S+): (\w+) -->\n```cpp\n)(.*?)(```\n)", re.S)


def excerpt(path, name):
    """The definition of function `name`: from the blank line above it to the closing brace."""
    lines = open(os.path.join(ROOT, path)).read().split("\n")
    start = next(i for i, line in enumerate(lines) if re.search(rf"\b{name}\(", line) and not line.startswith("//"))
    end = next(i for i in range(start, len(lines)) if lines[i] == "}")
    while lines[start - 1]:
        start -= 1
    return "\n".join(lines[start : end + 1]) + "\n"


SPEEDS = re.compile(r"(<!-- speeds of (\S+) -->\n\|.*\n\|.*\n)((?:\|.*\n)+)")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def speeds(path, rows):
    """The rows of a table of speeds, with the figures that the file has for the case in their first column."""
    figures, header = {}, []
    for line in open(os.path.join(ROOT, path)):
        if line.startswith("| case"):
            header = cells(line)
        elif line.startswith("|") and header:
            figures[cells(line)[0]] = dict(zip(header, cells(line)))
    text = ""
    for row in rows.splitlines():
        case = cells(row)[0]
        if case not in figures:
            sys.exit(f"README.md: {path} has no case '{case}'")
        unit = next(name for name in ("GB/s", "TFLOP/s") if name in figures[case])
        peers = [figures[case][name] for name in ("Triton", "torch")]
        text += f"| {' | '.join([case, unit, figures[case][unit], *peers])} |\n"
    return text


def main():
    readme = os.path.join(ROOT, "README.md")
    text = open(readme).read()
    now = BLOCK.sub(lambda m: m[1] + excerpt(m[2], m[3]) + m[5], text)
    now = SPEEDS.sub(lambda m: m[1] + speeds(m[2], m[3]), now)
    if now == text:
        return 0
    if sys.argv[1:] == ["--check"]:
        print("README.md: the excerpts or figures are not those of the files; run examples/regenerate")
        return 1
    open(readme, "w").write(now)
    return 0


sys.exit(main())
