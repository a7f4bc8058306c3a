#!/usr/bin/env python3
"""wgmma_hazard.py on small listings, some with the hazard and some without it."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import wgmma_hazard  # noqa: E402

PRODUCT = "HGMMA.64x64x16.F32 R56, R24, gdesc[UR8].tnspB, R56"
LAST_OF_GROUP = PRODUCT + ", gsb0"
WAIT = "WARPGROUP.DEPBAR.LE gsb0, 0x0"
WAIT_FOR_ALL_BUT_ONE = "WARPGROUP.DEPBAR.LE gsb0, 0x1"


def listing(*instructions):
    """As cuobjdump prints them, at addresses 0x0000, 0x0010, ..."""
    lines = ["\t\tFunction : kernel"]
    for i, text in enumerate(instructions):
        guard = text.startswith("@") and text.split(" ", 1)[0] or ""
        rest = text[len(guard) :].strip()
        lines.append(f"        /*{16 * i:04x}*/  {guard:>12} {rest} ;  /* 0x00e00000081879f0 */")
        lines.append(" " * 60 + "/* 0x000fe20008000000 */")
    return "\n".join(lines) + "\n"


class Hazard(unittest.TestCase):
    def addresses(self, *instructions):
        functions, products, found = wgmma_hazard.search(listing(*instructions))
        self.assertEqual(functions, 1)
        self.assertGreater(products, 0)
        return [suspect.address for suspect in found]

    def test_write_before_the_wait(self):
        for write in (
            "MOV R24, R3",
            "FADD R27, R3, R4",
            "@P0 IADD3 R25, P1, P2, R3, R4, RZ",
            "SHFL.BFLY PT, R26, R3, 0x1, 0x1f",
            "LDS.128 R20, [R2]",  # no: 20 to 23
            "LDS.128 R24, [R2]",
            "IMAD.WIDE R22, R2, R3, R4",  # no: 22 and 23
            "LDG.E.64.CONSTANT R26, desc[UR4][R2.64]",
            "CS2R R26, SRZ",
            "LDSM.16.M88.4 R21, [R2]",
            "LDSM.16.M88.2 R22, [R2]",  # no
            "HMMA.16816.F32 R24, R4, R8, R24",
            "HGMMA.64x16x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0",
            "F2FP.F16.F32.PACK_AB R24, R3, R4",
            "LOP3.LUT P0, R25, R3, 0x6, RZ, 0xc0, !PT",
            "ATOMG.E.ADD.STRONG.GPU PT, R24, desc[UR4][R2.64], R3",
        ):
            expected = [] if write.split()[1] in ("R20,", "R22,") else [0x10]
            self.assertEqual(self.addresses(LAST_OF_GROUP, write, WAIT, "EXIT"), expected, write)

    def test_reads_are_no_writes(self):
        for read in (
            "STS [R24], R25",
            "STG.E desc[UR4][R24.64], R26",
            "ISETP.GE.AND P0, PT, R24, R25, PT",
            "R2UR UR4, R24",
            "BAR.SYNC R24, R25",
            "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R24], R25",
            "FADD R3, R24, R25",
            "RED.E.ADD.F32 desc[UR4][R24.64], R25",
        ):
            self.assertEqual(self.addresses(LAST_OF_GROUP, read, WAIT, "EXIT"), [], read)

    def test_the_wait_ends_it(self):
        self.assertEqual(self.addresses(LAST_OF_GROUP, WAIT, "MOV R24, R3", "EXIT"), [])

    def test_a_group_of_several_products(self):
        self.assertEqual(self.addresses(PRODUCT, LAST_OF_GROUP, WAIT, "MOV R24, R3", "EXIT"), [])
        # The first product is in no complete group yet.
        self.assertEqual(self.addresses(PRODUCT, WAIT, "MOV R24, R3", LAST_OF_GROUP, "EXIT"), [0x20])

    def test_a_wait_that_leaves_one_group(self):
        other = "HGMMA.64x64x16.F32 R88, gdesc[UR8], R88, gsb0"
        safe = (LAST_OF_GROUP, other, WAIT_FOR_ALL_BUT_ONE, "MOV R24, R3", "EXIT")
        self.assertEqual(self.addresses(*safe), [])
        still_in_flight = (other, LAST_OF_GROUP, WAIT_FOR_ALL_BUT_ONE, "MOV R24, R3", "EXIT")
        self.assertEqual(self.addresses(*still_in_flight), [0x30])

    def test_over_the_back_edge_of_a_loop(self):
        loop = ("MOV R24, R3", LAST_OF_GROUP, "@P0 BRA 0x0", WAIT, "EXIT")
        self.assertEqual(self.addresses(*loop), [0x0])
        waiting = ("MOV R24, R3", LAST_OF_GROUP, WAIT, "@P0 BRA 0x0", "EXIT")
        self.assertEqual(self.addresses(*waiting), [])

    def test_on_one_of_two_paths(self):
        code = ("@P0 BRA 0x30", LAST_OF_GROUP, "BRA 0x40", "NOP", "MOV R25, R3", WAIT, "EXIT")
        self.assertEqual(self.addresses(*code), [0x40])
        never = (LAST_OF_GROUP, "BRA 0x30", "MOV R25, R3", WAIT, "EXIT")
        self.assertEqual(self.addresses(*never), [])

    def test_operand_a_in_shared_memory(self):
        text = listing("HGMMA.64x64x16.F32 R56, gdesc[UR8], R56, gsb0", "MOV R24, R3", "EXIT")
        self.assertEqual(wgmma_hazard.search(text), (1, 0, []))

    def test_what_cannot_be_followed_is_an_error(self):
        for branch in ("BRX R2 -0x10", "BRA 0x1000"):
            with self.assertRaises(ValueError):
                wgmma_hazard.search(listing(LAST_OF_GROUP, branch, "EXIT"))


if __name__ == "__main__":
    unittest.main()
