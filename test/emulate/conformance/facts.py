"""What the cases of a file do, read from the compiler's IR: (kernel, warps) -> {(operation, element type, shape)}.

The IR is that before the first canonicalize, which holds each operation of the source. An operation has a fact for each
type among its operands and results. `reduce`, `scan` and `atomic` have a second name with their kind: reduce.sum, scan.max,
atomic.add. Pointers count as what they point to. The shape of a scalar is "".
"""

import re

PASS = "canonicalize"
KERNEL = re.compile(r"kernel @(\w+)(?:<.*>)?\((.*)\) warps (\d+)")
PARAMETER = re.compile(r"%([\w.]+): (ptr<(?:const )?\w+>|\w+)")
LINE = re.compile(r"(?:((?:%[\w.]+, )*%[\w.]+) = )?([a-z]\w*)(?: |$)([^:{]*)(\{[^}]*\})?(?: : (.*))?$")
TYPE = re.compile(r"tile<((?:\d+x)+)(?:ptr<(?:const )?(\w+)>|(\w+))>|ptr<(?:const )?(\w+)>|(\w+)")
SYMBOL = re.compile(r"(\d+)(?::[^,<>]*?)? x ")  # a size with its formula: 32:BLOCK_M x 32:BLOCK_N x f32
KIND = re.compile(r"\b(?:kind|update) = (\w+)")


def types_of(text):
    """(element type, shape) of each type in a list of types."""
    result = []
    for found in TYPE.finditer(text):
        shape, pointee, element, pointer, scalar = found.groups()
        result.append((pointee or element or pointer or scalar, (shape or "")[:-1]))
    return result


def facts_of(text):
    """What tile2cu --print-before=canonicalize wrote."""
    parts = text.split("// ==== before ")
    dump = parts[1] if len(parts) > 1 else ""
    result, facts, values = {}, set(), {}
    for line in dump.splitlines():
        found = KERNEL.match(line)
        if found:
            facts = result.setdefault((found[1], int(found[3])), set())
            values = {name: types_of(t)[0] for name, t in PARAMETER.findall(found[2])}
            continue
        found = LINE.match(SYMBOL.sub(r"\1x", line.strip()))
        if not found:
            continue
        names, word, operands, attributes, types = found.groups()
        results = types_of(types or "")
        if names:
            values |= dict(zip((name.strip("% ") for name in names.split(",")), results))
        kind = KIND.search(attributes or "")
        used = [values[name] for name in re.findall(r"%([\w.]+)", operands) if name in values]
        for word in [word, f"{word}.{kind[1]}"] if kind else [word]:
            facts |= {(word, *t) for t in used + results}
    return result
