#!/usr/bin/env python3
"""Finds registers that machine code writes while a wgmma may still read them.

  test/nvcc/wgmma_hazard.py FILE.sass...      (the output of cuobjdump -sass)

A wgmma (HGMMA, QGMMA, IGMMA) may take its operand A from four registers. They must keep their values until the
wgmma's group is complete. ptxas before 13.3 may give them to another value before that (triton-lang/triton#9433, #11781).

For each instruction the wgmmas that may be in flight before it are found over all paths: a wgmma is in flight from its
own instruction to a WARPGROUP.DEPBAR that waits for its group. `gsb0` at a wgmma ends a group. A suspect is an
instruction that writes one of the registers of such a wgmma.
"""

import dataclasses
import re
import sys

INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;")
FUNCTION = re.compile(r"Function : (\S+)")
PRODUCT = re.compile(r"(?:HGMMA|QGMMA|IGMMA)\.(?:\w+\.)*?64x(\d+)x\d+(?:\.(\w+))?")
REGISTERS_OF_A = 4  # of each thread: 64 rows of 32 bytes over 128 threads
PREDICATE = re.compile(r"!?U?P(?:T|\d+)$")
BRANCHES = ("BRA", "JMP", "CALL")
INDIRECT = ("BRX", "JMX", "BRXU")
ENDS = ("EXIT", "RET", "KILL")
# They read the register that they name first.
READERS = ("RET", "BRX", "JMX", "BAR", "NANOSLEEP", "WARPSYNC", "SETLMEMBASE", "CALL", "BPT", "KILL")
# They have a predicate as their result, so that the first register is one that they read.
OF_PREDICATES = re.compile(r"\w*SETP|PLOP3|FCHK|QSPC|SYNCS|VOTE\.ALL|ELECT|R2P|CSMTEST")
MOST_GROUPS = 16  # in flight; older ones count as this old


@dataclasses.dataclass
class Instruction:
    address: int
    predicate: str  # "" where it always runs
    name: str
    operands: list
    text: str

    def is_a(self, names):
        return self.name.split(".")[0] in names


@dataclasses.dataclass(frozen=True)
class Suspect:
    function: str
    address: int
    text: str
    product: int  # the address of the product

    def __str__(self):
        return f"{self.function}+{self.address:#x}: {self.text} (operand A of the product at {self.product:#x})"


def functions_of(listing):
    """name -> instructions"""
    result, code = {}, None
    for line in listing.splitlines():
        start = FUNCTION.search(line)
        if start:
            code = result.setdefault(start[1], [])
        found = INSTRUCTION.search(line)
        if not found or code is None:
            continue
        predicate, rest = "", found[2]
        guard = re.match(r"@(!?U?P\w+)\s+", rest)
        if guard:
            predicate, rest = guard[1], rest[guard.end() :]
        name, _, operands = rest.partition(" ")
        parts = [part.strip() for part in operands.split(",")] if operands.strip() else []
        code.append(Instruction(int(found[1], 16), predicate, name, parts, found[2]))
    return result


def register(operand):
    found = re.match(r"R(\d+)\b", operand)
    return int(found[1]) if found else None


def results_of(instruction):
    """The number of registers that it writes from its first one."""
    name = instruction.name
    parts = name.split(".")
    product = PRODUCT.match(name)
    if product:
        return int(product[1]) // (4 if product[2] == "F16" else 2)
    if parts[0] in ("HMMA", "IMMA", "QMMA", "DMMA"):
        return 4
    if parts[0] == "LDSM":
        return int(parts[-1]) if parts[-1] in ("2", "4") else 1
    if "128" in parts:
        return 4
    if parts[0] in ("F2F", "I2F", "FRND"):
        return 2 if len(parts) > 1 and parts[1] == "F64" else 1
    if parts[0] == "F2I":
        return 2 if {"S64", "U64"} & set(parts) else 1
    if parts[0] == "CS2R":
        return 1 if "32" in parts else 2
    wide = {"64", "WIDE"} & set(parts) or parts[0] in ("DADD", "DMUL", "DFMA")
    return 2 if wide else 1


def written(instruction):
    """The registers that it writes."""
    if instruction.is_a(READERS) or OF_PREDICATES.match(instruction.name):
        return set()
    operands = list(instruction.operands)
    while operands and PREDICATE.match(operands[0]):
        operands.pop(0)
    first = register(operands[0]) if operands else None
    return set() if first is None else set(range(first, first + results_of(instruction)))


def operand_a(instruction):
    """The registers of operand A, if the instruction is a product that has it there."""
    if not PRODUCT.match(instruction.name) or len(instruction.operands) < 2:
        return set()
    first = register(instruction.operands[1])
    return set() if first is None else set(range(first, first + REGISTERS_OF_A))


def successors(code):
    """index -> indices of what may run next"""
    at = {instruction.address: i for i, instruction in enumerate(code)}
    result = []
    for i, instruction in enumerate(code):
        following = [i + 1] if i + 1 < len(code) else []
        if instruction.is_a(INDIRECT):
            raise ValueError(f"{instruction.text}: a branch to an address in a register")
        if instruction.is_a(ENDS):
            result.append(following if instruction.predicate not in ("", "PT") else [])
            continue
        if instruction.is_a(BRANCHES) or instruction.name == "WARPSYNC.COLLECTIVE":
            target = int(instruction.operands[-1], 16)
            if target not in at:
                raise ValueError(f"{instruction.text}: a branch out of the function")
            always = instruction.name == "BRA" and instruction.predicate in ("", "PT")
            if always and len(instruction.operands) == 1:
                following = []
            following = [*following, at[target]]
        result.append(following)
    return result


def after(instruction, index, flight):
    """The products in flight after it: index -> groups that ended at or after the product."""
    name, operands = instruction.name, instruction.operands
    if PRODUCT.match(name):
        flight = dict(flight)
        if operand_a(instruction):
            flight[index] = 0
        if "gsb0" in operands:
            flight = {i: min(groups + 1, MOST_GROUPS) for i, groups in flight.items()}
    elif name.startswith("WARPGROUP.DEPBAR"):
        left = int(operands[-1], 16)
        flight = {i: groups for i, groups in flight.items() if groups <= left}
    return flight


def flights(code):
    """index -> products in flight before it, over all paths."""
    following = successors(code)
    before = [None] * len(code)
    before[0] = {}
    work = [0]
    while work:
        i = work.pop()
        flight = after(code[i], i, before[i])
        for j in following[i]:
            old = before[j]
            new = dict(old or {})
            for product, groups in flight.items():
                new[product] = min(groups, new.get(product, groups))
            if old is None or new != old:
                before[j] = new
                work.append(j)
    return before


def suspects_of(function, code):
    """(products with operand A in registers, suspects)"""
    products = [i for i, instruction in enumerate(code) if operand_a(instruction)]
    if not products:
        return 0, []
    found = []
    for i, flight in enumerate(flights(code)):
        if not flight:
            continue
        registers = written(code[i])
        for product in sorted(flight):
            if registers & operand_a(code[product]):
                found.append(Suspect(function, code[i].address, code[i].text, code[product].address))
    return len(products), found


def search(listing):
    """(functions, products with operand A in registers, suspects) of what cuobjdump wrote."""
    functions, products, found = functions_of(listing), 0, []
    for function, code in functions.items():
        count, more = suspects_of(function, code)
        products += count
        found += more
    return len(functions), products, found


def main():
    bad = 0
    for path in sys.argv[1:]:
        with open(path) as file:
            functions, products, found = search(file.read())
        print(f"{path}: {functions} functions, {products} products with operand A in registers, {len(found)} suspects")
        for suspect in found:
            print(f"  {suspect}")
        bad += len(found) + (functions == 0)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
