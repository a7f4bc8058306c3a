"""Prints the passes without a test that runs them on textual IR: every_pass.py ROOT. Fails if there is one."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
passes = re.findall(r"^PASS\((\w+)", (root / "passes/passes.def").read_text(), re.M)
assert passes, "passes.def has no rows"
tested = set()
for path in (root / "test/passes").rglob("*.t2ir"):
    for names in re.findall(r"^// RUN:.*--passes=([\w,]+)", path.read_text(), re.M):
        tested |= {(name, path.parent.name) for name in names.split(",")}
missing = []
for name in passes:
    rooms = [path.parent.name for path in (root / "passes").rglob(f"{name}.h")]
    if not any((name, room) in tested for room in rooms or [p for n, p in tested if n == name]):
        missing.append(name)
print("\n".join(f"no test in test/passes runs {name}" for name in missing))
sys.exit(bool(missing))
