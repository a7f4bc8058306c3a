#!/usr/bin/env python3
"""Runs the examples in Python of runtime/doc/pytorch.md, in their order, with its tile source. Ends with "N passed, N failed"."""

import os
import re
import sys
import tempfile
import traceback

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

with open(os.path.join(ROOT, "runtime", "doc", "pytorch.md"), encoding="utf-8") as page:
    text = page.read()
os.chdir(tempfile.mkdtemp())
with open("scale_rows.tile.cpp", "w", encoding="utf-8") as source:
    source.write(re.search(r"```cpp\n(.*?)```", text, re.S)[1])
blocks = re.findall(r"```python\n(.*?)```", text, re.S)
names = {}
passed = 0
for number, block in enumerate(blocks):
    file = f"block_{number}.py"  # torch.compile reads the source of functions
    with open(file, "w", encoding="utf-8") as out:
        out.write(block)
    try:
        exec(compile(block, os.path.abspath(file), "exec"), names)
        passed += 1
    except Exception:
        traceback.print_exc()
failed = len(blocks) - passed + (not blocks)
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed))
