#!/usr/bin/env python3
"""A program on the emulator, built by the commands of emulator.h: output, reports, exit status, options.

EMULATOR_ARCHIVE names an emulator that is built already."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CXX = ["nice", os.environ.get("CXX", "g++"), "-std=c++20", "-g", "-Wall", "-Wextra", f"-I{ROOT}/runtime/include"]


class Emulator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.folder.name)
        if os.environ.get("EMULATOR_ARCHIVE"):
            cls.library = [pathlib.Path(os.environ["EMULATOR_ARCHIVE"]).resolve()]
            return
        sources = sorted((ROOT / "runtime/emulator").glob("*.cpp"))
        subprocess.run([*CXX, "-O2", "-Wno-unknown-pragmas", "-Werror", "-c", *sources], cwd=cls.out, check=True)
        cls.library = sorted(cls.out.glob("*.o"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def build(self, name, *flags, source="racy_sum.cu"):
        """The source with these flags, linked without any of them."""
        compile_only = ["-O1", "-Wno-unknown-pragmas", "-DTILE2CU_EMULATE", *flags, "-x", "c++", "-c"]
        subprocess.run([*CXX, *compile_only, HERE / source, "-o", self.out / f"{name}.main"], check=True)
        subprocess.run([*CXX, "-x", "none", self.out / f"{name}.main", *self.library, "-o", self.out / name], check=True)
        return self.out / name

    def run_program(self, program, options="", arguments=()):
        environment = {**os.environ, "TILE2CU_EMULATE": options}
        return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)

    def test_clean(self):
        program = self.build("clean", "-fsanitize=thread")
        for options in ["", "order=reverse", "order=random,seed=3", "order=warp_last", "uninitialized,quiet=off"]:
            done = self.run_program(program, options)
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("cudaSuccess 1024\n", "", 0), options)

    def test_dropped_barrier(self):
        program = self.build("racy", "-fsanitize=thread", "-DDROP_BARRIER")
        lines = (HERE / "racy_sum.cu").read_text().split("\n")
        places = [f"racy_sum.cu:{1 + next(i for i, l in enumerate(lines) if part in l)}"
                  for part in ("smem.partial[tid / 32] = sum", "sum += smem.partial[w]")]
        for options in ["", "order=reverse", "order=random,seed=3", "order=warp_last"]:
            done = self.run_program(program, options)
            self.assertEqual(done.returncode, 66, options)
            self.assertIn("race in shared memory", done.stderr)
            for place in places:
                self.assertIn(place, done.stderr)
        self.assertEqual(self.run_program(program, "exit_code=5").returncode, 5)
        self.assertEqual(self.run_program(program, "exit_code=0").returncode, 0)
        self.assertEqual(self.run_program(program, "quiet").stderr, "")

    def test_without_instrumentation(self):
        # Shuffles, barriers, masks and vector accesses still run; plain accesses are not seen.
        done = self.run_program(self.build("plain"))
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("cudaSuccess 1024\n", "", 0))

    def test_calls_of_one_barrier(self):
        """Only lines tell whether threads wait at different ones: a compiler makes several calls of one."""
        right = ("cudaSuccess 7\n", "", 0)
        for name, *flags in (("line",), ("no_lines", "-g0"), ("two_without", "-g0", "-DTWO_LINES")):
            done = self.run_program(self.build(name, *flags, source="two_barriers.cu"))
            self.assertEqual((done.stdout, done.stderr, done.returncode), right, name)
        done = self.run_program(self.build("two", "-DTWO_LINES", source="two_barriers.cu"))
        self.assertEqual(done.returncode, 66)
        lines = (HERE / "two_barriers.cu").read_text().split("\n")
        for part in ("// the first", "// the second"):
            self.assertIn(f"two_barriers.cu:{1 + next(i for i, l in enumerate(lines) if part in l)}", done.stderr)

    def test_asserts(self):
        program = self.build("asserting", source="asserting.cu")
        done = self.run_program(program)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("cudaSuccess\n", "", 0))
        done = self.run_program(program, arguments=["fail"])
        self.assertEqual(done.returncode, -signal.SIGABRT)
        self.assertEqual(done.stderr, "device_assert: below.tile.cpp:7: below the bound (block 0 0 0, thread 63)\n")
        done = self.run_program(self.build("unchecked", "-DNDEBUG", source="asserting.cu"), arguments=["fail"])
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("cudaSuccess\n", "", 0))

    def test_overflow(self):
        lines = (HERE / "overflowing.cu").read_text().split("\n")
        kernel, host = (1 + next(i for i, l in enumerate(lines) if part in l) for part in ("// the kernel's", "// the host's"))
        program = self.build("overflowing", "-fsanitize=signed-integer-overflow", source="overflowing.cu")
        done = self.run_program(program)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (f"cudaSuccess\n{2**31 - 3}\n", "", 0))
        done = self.run_program(program, arguments=["kernel"])
        self.assertEqual(done.stderr, f"overflowing.cu:{kernel}: signed arithmetic of thread 3 overflows\n")
        self.assertEqual(done.returncode, 66)
        done = self.run_program(program, arguments=["host"])
        self.assertIn(f"overflowing.cu:{host}: signed arithmetic overflows\n", done.stderr)
        self.assertEqual(done.returncode, -signal.SIGABRT)

    def test_unknown_option(self):
        done = self.run_program(self.build("options"), "order=sideways")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'order=sideways' is not an option", done.stderr)


if __name__ == "__main__":
    unittest.main()
