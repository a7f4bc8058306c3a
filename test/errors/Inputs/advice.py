"""Every name of advice.def is what its row says: advice.py REPOSITORY TILE2CU

The operations with forms are declared in tl, and what has advice is not; a row of an operation that is supported by now
would mislead.
"""

import pathlib
import re
import subprocess
import sys

root, tile2cu = pathlib.Path(sys.argv[1]), sys.argv[2]
rows = (root / "frontend/session/advice.def").read_text()
names = {kind: re.findall(rf"^{kind}\((\w+),", rows, re.M) for kind in ("NAME", "STD", "OF_TILE", "ARGUMENT", "FORM", "MEMBER")}
assert len(names["NAME"]) > 50 and len(names["FORM"]) > 50, "the table cannot be read"


def missing(kind):
    """The names that `using tl::name;` does not find."""
    source = "#include <tile2cu/tile.h>\n" + "".join(f"using tl::{name};\n" for name in names[kind])
    arguments = [tile2cu, "-", "-o", "-", "--", "-ferror-limit=0"]
    messages = subprocess.run(arguments, input=source, capture_output=True, text=True).stderr
    return set(re.findall(r"no member named '(\w+)' in namespace 'tl'", messages))


failed = [f"{name} has forms, but is not in tl" for name in names["FORM"] if name in missing("FORM")]
failed += [f"{name} has advice, but is in tl" for name in names["NAME"] if name not in missing("NAME")]
failed += [
    f"two rows of {kind} are for {name}" for kind in names for name in set(names[kind]) if names[kind].count(name) > 1
]
print("\n".join(failed) or "every row of advice.def is right")
sys.exit(bool(failed))
