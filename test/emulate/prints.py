"""What device_print prints on the emulator (or a GPU) is what it prints on the CPU: the lines of lib/printing.tile.cpp, sorted."""

import collections
import os
import re
import subprocess

import toolchain

SOURCE = toolchain.HERE / "lib/printing.tile.cpp"
MAIN = toolchain.HERE / "lib/printing.cpp"


def printed_lines(program, launcher):
    done = subprocess.run([program, launcher], capture_output=True, text=True, timeout=60, env=dict(os.environ))
    if done.returncode or done.stderr:
        raise toolchain.Failed(f"{program.name} {launcher}: exit status {done.returncode}: {done.stderr}")
    return collections.Counter(done.stdout.splitlines())


def run(tools, folder):
    folder.mkdir(parents=True, exist_ok=True)
    names = re.findall(r"inline constexpr auto (\w+)", SOURCE.read_text())
    (folder / "printing.inc").write_text("".join(f"KERNEL({name})\n" for name in names))
    reference = folder / "printing.reference"
    try:
        tools.transpile(SOURCE, folder / "printing.cuda.cpp")
        printing = tools.build_caller(folder, MAIN)
        flags = [f"-I{folder}", "-DREFERENCE", MAIN, "-pthread", "-o", reference]
        toolchain.call([*toolchain.CXX, "-std=c++23", "-O0", *flags])
    except toolchain.Failed as failed:
        return 0, len(names), [f"FAIL prints: {failed}"]
    lines = []
    for name in names:
        try:
            expected, printed = printed_lines(reference, name), printed_lines(printing, name)
        except toolchain.Failed as failed:
            lines.append(f"FAIL prints {name}: {failed}")
            continue
        missing, more = expected - printed, printed - expected
        if not expected or missing or more:
            first = f"not printed: {list(missing)[:2]}; not expected: {list(more)[:2]}"
            lines.append(f"FAIL prints {name}: of {expected.total()} lines {missing.total()} are missing, {first}")
    return len(names) - len(lines), len(lines), lines
