"""Builds and runs what the emulation tests need. Everything goes to build/emulate."""

import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INCLUDE = ROOT / "runtime/include"
FUNCTIONS = HERE / "include"  # headers of the cases' sources

CCACHE = ["ccache"] if shutil.which("ccache") else []
# What a precompiled header defines is part of its content, which ccache hashes.
os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
# Reports name lines, so line tables are all that is needed of the debug information.
FLAGS_OF_EMULATED = ["-std=c++20", "-g1", "-fsanitize=thread", "-DTILE2CU_EMULATE"]


def compiler(program):
    return ["nice", *CCACHE, program, f"-I{INCLUDE}", f"-I{HERE}", f"-I{FUNCTIONS}", "-w"]


# What users build with, for the examples, for programs written by hand and for what is built once.
CXX = compiler(os.environ.get("CXX", "g++"))
REFERENCE = [*CXX, "-std=c++23", "-O0"]
EMULATED = [*CXX, *FLAGS_OF_EMULATED]
HOST = [*CXX, "-std=c++20", "-O1"]
# Clang takes half of g++'s time for the generated files, whose compile time is most of the level's.
GENERATED = os.environ.get("CXX") or shutil.which("clang++-19") or "g++"
IS_CLANG = "clang" in pathlib.Path(GENERATED).name
PARTS = {
    "reference": [*compiler(GENERATED), "-std=c++2b", "-O0"],
    "emulated": [*compiler(GENERATED), *FLAGS_OF_EMULATED, "-O0"],
    "table": [*compiler(GENERATED), "-std=c++20", "-O0"],
}
# The same for a GPU; -O3 is the default for device code. ccache preprocesses without -arch.
NVCC = ["nice", "nvcc", "-std=c++17", "-w", f"-I{HERE}", f"-I{FUNCTIONS}", "-x", "cu"]
# What every generated file of a part includes.
PRECOMPILED = {"reference": "tile2cu/tile.h", "emulated": "tile2cu/emulator.h"}


class Failed(Exception):
    """A command that failed, and what it said."""


def call(command, timeout=1200, environment=None):
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


def cuda():
    """The folder of the CUDA Toolkit whose nvcc is in PATH."""
    return pathlib.Path(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc").resolve().parents[1]


def architecture():
    """The architecture for which nvcc compiles, as 90a: ARCH, or that of this machine's GPU."""
    asked = os.environ.get("ARCH")
    if not asked:
        try:
            answer = call(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"])
        except (Failed, FileNotFoundError):
            raise SystemExit("there is no GPU: nvidia-smi lists none") from None
        asked = answer.split()[0].replace(".", "")
    return "90a" if asked == "90" else asked


# mold takes a fraction of the time of the system's linker.
LINK = ["g++", *(["-fuse-ld=mold"] if shutil.which("mold") else []), "-pthread"]


class Toolchain:
    """`parts` says how the generated files of each part are compiled.

    With `gpu` the emitted kernels are compiled by nvcc and run on the GPU, not on the emulator.
    """

    def __init__(self, build, parts=None, gpu=False):
        self.build = build
        self.gpu = gpu
        self.parts = parts or PARTS
        if gpu:
            a = architecture()
            self.parts = {**self.parts, "emulated": [*NVCC, f"-gencode=arch=compute_{a},code=sm_{a}"]}
        build.mkdir(parents=True, exist_ok=True)
        self.program = program()
        self.archive = build / "emulator.a"
        self.driver = build / "driver.o"

    def prepare(self):
        """The emulator and the driver."""
        for part in PRECOMPILED:
            if self.is_precompiled(part):
                self.precompile(part)
        if self.gpu:
            call([*HOST, "-DON_GPU", f"-I{cuda() / 'include'}", "-c", HERE / "driver.cpp", "-o", self.driver])
            return
        strict = [part for part in CXX if part != "-w"]
        strict += ["-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror"]
        objects = []
        for source in sorted((ROOT / "runtime/emulator").glob("*.cpp")):
            objects.append(self.build / f"{source.stem}.emulator.o")
            call([*strict, "-std=c++20", "-O2", "-g", f"-I{ROOT}", "-c", source, "-o", objects[-1]])
        self.archive.unlink(missing_ok=True)
        call(["ar", "rc", self.archive, *objects])
        call([*HOST, "-c", HERE / "driver.cpp", "-o", self.driver])

    def precompile(self, part):
        """The headers that every generated file of this part includes.

        Not through ccache: with its base_dir set, a checkout would get another checkout's header,
        which holds that one's paths.
        """
        header = self.build / f"{part}.h"
        header.write_text(f'#include "{PRECOMPILED[part]}"\n#include "driver.h"\n')
        stable = ["-Xclang", "-fno-pch-timestamp"] if IS_CLANG else []
        plain = [word for word in self.parts[part] if word not in CCACHE]
        command = [*plain, *stable, "-x", "c++-header", header]
        call([*command, "-o", self.precompiled(part)])

    def is_precompiled(self, part):
        return part in PRECOMPILED and not (self.gpu and part == "emulated")

    def precompiled(self, part):
        return self.build / (f"{part}.pch" if IS_CLANG else f"{part}.h.gch")

    def command_of(self, part):
        """How a generated file of this part is compiled."""
        command = self.parts[part]
        if not self.is_precompiled(part):
            return command
        if IS_CLANG:
            return [*command, "-include-pch", self.precompiled(part)]
        return [*command, "-include", self.build / f"{part}.h"]

    def is_ready(self):
        """Whether `prepare` has run."""
        made = [self.archive, self.driver, *map(self.precompiled, PRECOMPILED)]
        return all(path.exists() for path in made)

    def transpile(self, source, output, *flags, timeout=60):
        call(
            [
                *(self.program, source, "-I", INCLUDE, "-I", FUNCTIONS, "-o", output),
                *([] if self.gpu else ["--emit=emulator"]),
                *flags,
            ],
            timeout,
        )

    def build_file(self, folder, stem, parts=("cuda", "reference", "emulated", "table"), checks_overflow=False):
        """The program of one generated file."""
        path = lambda suffix: folder / f"{stem}.{suffix}"  # noqa: E731
        if "cuda" in parts:
            self.transpile(path("tile.cpp"), path("cuda.cpp"))
        for part in PARTS:
            if part in parts:
                command = self.command_of(part)
                if part == "emulated" and checks_overflow and not self.gpu:
                    command = [*command, "-fsanitize=signed-integer-overflow"]
                call([*command, "-c", path(f"{part}.cpp"), "-o", path(f"{part}.o")])
        self.link(path("emulated.o"), path("table.o"), path("reference.o"), path("run"))
        return path("run")

    def link(self, emulated, table, reference, program):
        """The instrumented copies of what both objects define must win, so they come first."""
        library = [f"-L{cuda() / 'lib64'}", "-lcudart"] if self.gpu else [self.archive]
        call([*LINK, emulated, table, self.driver, reference, *library, "-o", program])

    def build_caller(self, folder, main, *flags):
        """The program of `main`, which includes emitted text and calls its kernels."""
        program = folder / main.stem
        if self.gpu:
            call([*self.parts["emulated"], f"-I{folder}", "-DON_GPU", *flags, main, "-o", program])
            return program
        call([*EMULATED, f"-I{folder}", *flags, "-c", main, "-o", program.with_suffix(".o")])
        call(["g++", program.with_suffix(".o"), self.archive, "-pthread", "-o", program])
        return program
