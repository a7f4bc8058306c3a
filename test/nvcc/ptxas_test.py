#!/usr/bin/env python3
"""ptxas.py on what ptxas writes."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import ptxas  # noqa: E402

TEXT = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z4plusPfi' for 'sm_80'
ptxas info    : Function properties for _Z4plusPfi
    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 368 bytes cmem[0]
"""
NOTES = (
    "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized in function 'k'",
    "ptxas info    : (C7501) anything",
    "ptxas info    : (C7519) warpgroup.arrive is injected in around line 10 by compiler in function 'k'",
    "ptxas info    : (C7530) anything",
    "ptxas warning : anything",
    "k.cu(3): warning #177-D: variable declared but never referenced",
)


class Ptxas(unittest.TestCase):
    def test_information(self):
        for line in TEXT.splitlines():
            self.assertTrue(ptxas.is_information(line), line)
        self.assertTrue(ptxas.is_information("ptxas info    : (C7531) anything"))
        for line in NOTES:
            self.assertFalse(ptxas.is_information(line), line)

    def test_resources(self):
        self.assertEqual(ptxas.resources_of("file", TEXT), ["file plus sm_80 32 8 12 16"])

    def test_spills(self):
        lines = ["file plus sm_80 32 8 12 16", "file minus sm_80 32 0 0 0"]
        self.assertEqual(len(ptxas.spill_problems(lines, [], True)), 1)
        for kernel, arch, most, count in (
            ("plus", "sm_80", 16, 0),
            ("plus", "*", 16, 0),
            ("plus", "*", 15, 1),  # more than it may
            ("plus", "sm_90a", 16, 2),  # another architecture: not permitted, and not needed
            ("minus", "*", 16, 2),
        ):
            permits = ptxas.permitted(f"# a comment\nfile {kernel} {arch} {most} a reason\n")
            self.assertEqual(len(ptxas.spill_problems(lines, permits, True)), count, permits)
        unused = ptxas.permitted("file other * 4 a reason")
        self.assertEqual(len(ptxas.spill_problems(lines[1:], unused, True)), 1)
        self.assertEqual(len(ptxas.spill_problems(lines[1:], unused, False)), 0)
        with self.assertRaises(ValueError):
            ptxas.permitted("file plus * 16")


if __name__ == "__main__":
    unittest.main()
