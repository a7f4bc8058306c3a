#!/usr/bin/env python3
"""Keeps the excerpts in README.md as they are in the files that they come from.

  <!-- from examples/softmax/softmax.cu: softmax_warp_kernel -->
  ```cpp
  ...the function, with the template line or comment right above it...
  ```

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


def main():
    readme = os.path.join(ROOT, "README.md")
    text = open(readme).read()
    now = BLOCK.sub(lambda m: m[1] + excerpt(m[2], m[3]) + m[5], text)
    if now == text:
        return 0
    if sys.argv[1:] == ["--check"]:
        print("README.md: the excerpts are not what the files hold; run examples/regenerate")
        return 1
    open(readme, "w").write(now)
    return 0


sys.exit(main())
