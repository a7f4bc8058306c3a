"""Finds operations that the emitter lowers, and that no test/emit/lower_*.t2ir has.

Usage: lowered_operations.py ROOT TESTS...
"""

import pathlib
import re
import sys


def without_comments(path):
    return re.sub(r"//.*", "", pathlib.Path(path).read_text())


def main(root, *tests):
    rows = re.findall(
        r"^(?:OP|ELEMENTWISE|REAL_FUNCTION|COMPARISON)\((\w+),\s*(\w+)",
        without_comments(f"{root}/passes/ir/ops.def"),
        re.M,
    )
    lowering = without_comments(f"{root}/emit/lower/lower_kernel.cpp")
    # Those that passes replace never reach the emitter.
    replaced = re.findall(r"^REPLACED\((\w+)\)", lowering, re.M)
    lowered = {word for name, word in rows if name not in replaced}
    # An operation begins a line, or follows the `=` of its results.
    tested = set()
    for test in tests:
        tested.update(re.findall(r"^ +(?:%[^=]*= )?([a-z]\w*)\b", without_comments(test), re.M))
    missing = sorted(lowered - tested)
    for word in missing:
        print(f"no test of the lowering of {word}")
    print(f"{len(lowered)} operations, {len(missing)} without a test")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
