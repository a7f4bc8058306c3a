"""Kernels whose checks (tile2cu --checks) fail, each at the line of lib/failing.tile.cpp below the comment that says so, and hold otherwise."""

import os
import re
import subprocess

import toolchain

SOURCE = toolchain.HERE / "lib/failing.tile.cpp"


def expected_lines(text):
    """launcher -> the start of what the failing check prints."""
    result, failing = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.search(r"// fails: (.*)$", line):
            failing = f"{SOURCE.name}:{number + 1}: {found[1]}"
        if found := re.match(r"inline constexpr auto (\w+)", line):
            result[found[1]], failing = failing, None
    return result


def build(tools, folder, *flags):
    folder.mkdir(parents=True, exist_ok=True)
    tools.transpile(SOURCE, folder / "failing.cuda.cpp", "--checks")
    names = expected_lines(SOURCE.read_text())
    (folder / "failing.inc").write_text("".join(f"KERNEL({name})\n" for name in names))
    return tools.build_caller(folder, toolchain.HERE / "lib/failing.cpp", *flags)


def run_one(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, env=dict(os.environ))
    return done.returncode, done.stdout, done.stderr


def fails_so(tools, status, output, said, expected):
    """Whether a check has failed with a text that starts so; the value may follow, or the thread.

    A GPU prints the value in a line of its own.
    """
    if tools.gpu:
        asserted = re.search(r"Assertion `(.*)` failed", said)
        lines = [f"check: {asserted[1]}", *output.splitlines()] if asserted else []
        return status > 0 and any(line.startswith(f"check: {expected}") for line in lines)
    return status == -6 and any(line.startswith(f"check: {expected}") for line in said.splitlines())


def run(tools, folder):
    """Each kernel with arguments for which its checks hold, and with some for which one does not."""
    passed, lines = 0, []
    try:
        program = build(tools, folder, "-DNDEBUG")
    except toolchain.Failed as failed:
        return 0, 1, [f"FAIL checks: {failed}"]
    for name, expected in expected_lines(SOURCE.read_text()).items():
        if not expected:
            lines.append(f"FAIL checks {name}: no line of it is said to fail")
        right = run_one(program, name)
        if right == (0, "", ""):
            passed += 1
        else:
            lines.append(f"FAIL checks {name}: fails where it holds: {right}")
        status, output, said = run_one(program, name, "fail")
        if fails_so(tools, status, output, said, expected):
            passed += 1
        else:
            lines.append(f"FAIL checks {name}: not '{expected}': {(status, output, said)}")
    return passed, len(lines), lines
