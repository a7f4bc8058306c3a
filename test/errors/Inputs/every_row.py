"""Every message of diagnostics.def is shown by a test: every_row.py REPOSITORY

A message is found by four words that follow each other in the longest part of its text without arguments. Rows that are
nothing but an argument (texts of the user's, and of the parser of Tile IR) cannot be looked for.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
rows = re.findall(
    r'^DIAG\((\w+), \w+, "[^"]*",\s*"((?:[^"\\]|\\.)*)"\)',
    (root / "passes/ir/diagnostics/diagnostics.def").read_text(),
    re.M,
)
files = [
    path
    for folder in ("cli", "emit", "errors", "frontend", "passes")
    for path in (root / "test" / folder).rglob("*")
    if path.suffix in (".cpp", ".t2ir", ".test")
]
# What tests expect, without FileCheck's patterns.
text = re.sub(r"\{\{.*?\}\}", "", "\n".join(path.read_text() for path in files))
assert len(rows) > 40 and len(files) > 40, "nothing to compare"

missing = []
for name, message in rows:
    words = max(re.split(r"\{\d\}", message), key=len).split()
    chunks = [" ".join(words[i : i + 4]) for i in range(max(1, len(words) - 3))]
    if words and not any(chunk in text for chunk in chunks):
        missing.append(name)
print("\n".join(f"no test shows {name}" for name in missing) or "every message is shown by a test")
sys.exit(bool(missing))
