"""Launchers with `tune` on the emulator, with a clock that the test sets: tune_main.cpp."""

import os
import pathlib
import re
import shutil

import toolchain

HERE = pathlib.Path(__file__).resolve().parent


def build(tools, folder):
    """tune_main, and the emitted file that it runs."""
    source = toolchain.ROOT / "test/gpu/tune.tile.cpp"
    tools.transpile(source, folder / "tune.cuda.cpp", "--header", "-Wno-tune")
    objects = []
    for path, command in (
        (folder / "tune.cuda.cpp", toolchain.EMULATED),
        (HERE / "tune_main.cpp", [*toolchain.HOST, "-DTILE2CU_EMULATE"]),
    ):
        objects.append(folder / f"{path.stem}.o")
        toolchain.call([*command, f"-I{folder}", "-c", path, "-o", objects[-1]])
    toolchain.call([*toolchain.HOST, *objects, tools.archive, "-pthread", "-o", folder / "tune"])
    return folder / "tune"


def run(tools, folder):
    """(passed, failed, lines)"""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cache = folder / "cache"
    environment = os.environ | {"TILE2CU_CACHE": str(cache)}
    passed = failed = 0
    lines = []

    def process(word, program, **more):
        nonlocal passed, failed
        try:
            text = toolchain.call([program, word], environment=environment | more)
        except toolchain.Failed as wrong:
            text = str(wrong)
        counts = re.search(r"^(\d+) passed, (\d+) failed$", text, re.M)
        p, f = (int(counts[1]), int(counts[2])) if counts else (0, 1)
        passed, failed = passed + p, failed + f
        if f or not counts:
            lines.append(f"FAIL tune {word}: {text.strip()}")

    try:
        program = build(tools, folder)
    except toolchain.Failed as wrong:
        return 0, 1, [f"FAIL tune: {wrong}"]
    process("first", program)
    process("again", program)
    process("pinned", program)
    process("off", program, TILE2CU_TUNE="off")
    process("off", program, TILE2CU_TUNE="first")
    for file in cache.glob("scale_tuned-*.txt"):
        file.write_bytes(b"\x00\xff -> \n" + file.read_bytes()[:40])
    process("changed", program)
    return passed, failed, lines
