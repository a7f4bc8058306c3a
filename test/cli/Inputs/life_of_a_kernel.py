"""Compares the snippets of transpiler/life_of_a_kernel.md with tile2cu: ROOT TILE2CU RUNTIME WORK

The block ```cpp is the source. A block ```text PASS has lines of the IR after that pass, in their order; `before` is the
IR before all passes, `output` the emitted file. In a line, `...` stands for any text.
"""

import pathlib
import re
import subprocess
import sys

root, tile2cu, runtime, work = sys.argv[1:]
page = (pathlib.Path(root) / "transpiler/life_of_a_kernel.md").read_text()
source = pathlib.Path(work).with_suffix(".tile.cpp")
source.write_text(re.search(r"```cpp\n(.*?)```", page, re.S)[1])


def output(*options):
    done = subprocess.run([tile2cu, source, "-I", runtime, *options], capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def printed(step):
    if step == "output":
        return output("-o", "-")
    if step == "before":
        return output("--emit=ir", "--passes=none", "-o", "-")
    return output(f"--print-after={step}", "-o", "/dev/null")


snippets = re.findall(r"```text (\w+)\n(.*?)```", page, re.S)
assert len(snippets) >= 8, "the page has lost its snippets"
failed = False
for step, text in snippets:
    lines, at = printed(step).splitlines(), 0
    for wanted in text.splitlines():
        pattern = re.compile(".*".join(re.escape(part) for part in wanted.split("...")))
        while at < len(lines) and not pattern.fullmatch(lines[at]):
            at += 1
        if at == len(lines):
            print(f"life_of_a_kernel.md, {step}: tile2cu does not print this, or not in this order:\n{wanted}")
            failed = True
            break
        at += 1
sys.exit(failed)
