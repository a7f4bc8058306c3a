"""Builds and runs what the emulation tests need. Everything goes to build/emulate."""

import os
import pathlib
import shutil
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INCLUDE = ROOT / "runtime/include"

CCACHE = ["ccache"] if shutil.which("ccache") else []
CXX = ["nice", *CCACHE, os.environ.get("CXX", "g++"), f"-I{INCLUDE}", f"-I{HERE}", "-w"]
REFERENCE = [*CXX, "-std=c++23", "-O0"]
EMULATED = [*CXX, "-std=c++20", "-O0", "-g", "-fsanitize=thread", "-DTILE2CU_EMULATE"]
HOST = [*CXX, "-std=c++20", "-O1"]


class Failed(Exception):
    """A command that failed, and what it said."""


def call(command, timeout=300, environment=None):
    """The output of a command; Failed otherwise."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} took more than {timeout} s") from None
    if done.returncode != 0:
        raise Failed(done.stdout.strip() or f"exit status {done.returncode}")
    return done.stdout


def program():
    """tile2cu: TILE2CU, or the one of build/dev."""
    path = pathlib.Path(os.environ.get("TILE2CU", ROOT / "build/dev/bin/tile2cu"))
    if not path.exists():
        raise SystemExit(f"there is no {path}: build it, or name another by TILE2CU")
    return path


class Toolchain:
    def __init__(self, build):
        self.build = build
        build.mkdir(parents=True, exist_ok=True)
        self.program = program()
        self.archive = build / "emulator.a"
        self.driver = build / "driver.o"
        self.lock = threading.Lock()

    def prepare(self):
        """The emulator and the driver."""
        objects = []
        for source in sorted((ROOT / "runtime/emulator").glob("*.cpp")):
            objects.append(self.build / f"{source.stem}.emulator.o")
            call([*CXX, "-std=c++20", "-O2", "-g", f"-I{ROOT}", "-c", source, "-o", objects[-1]])
        self.archive.unlink(missing_ok=True)
        call(["ar", "rc", self.archive, *objects])
        call([*HOST, "-c", HERE / "driver.cpp", "-o", self.driver])

    def transpile(self, source, output, *flags, timeout=60):
        call(
            [self.program, source, "--emit=emulator", "-I", INCLUDE, "-o", output, *flags], timeout
        )

    def build_file(self, folder, stem, parts=("cuda", "reference", "emulated", "table")):
        """The program of one generated file."""
        path = lambda suffix: folder / f"{stem}.{suffix}"  # noqa: E731
        if "cuda" in parts:
            self.transpile(path("tile.cpp"), path("cuda.cpp"))
        for part, command in (
            ("reference", REFERENCE),
            ("emulated", EMULATED),
            ("table", HOST[:-1]),
        ):
            if part in parts:
                call([*command, "-c", path(f"{part}.cpp"), "-o", path(f"{part}.o")])
        # The instrumented copies of what both objects define must win.
        objects = [path("emulated.o"), path("table.o"), self.driver, path("reference.o")]
        call(["g++", *objects, self.archive, "-pthread", "-o", path("run")])
        return path("run")
