#!/usr/bin/env python3
"""Fails where an emitted .cu file breaks a mechanical rule of the style guide.

check_emitted.py [--long-sources] FILE...      prints `file:line: what is wrong`; exit status 1 if anything is.

--long-sources: for kernels of many names. Names may end in a number, and device functions may have more parameters.

What stands between `// ==== device helpers` and `// ==== end of device helpers` is not looked at.
"""
import re
import sys

MAX_COLUMNS = 100
MAX_FUNCTION_LINES = 160  # of code, from the signature to the last brace; comments and empty lines do not count
MAX_NESTING = 5  # braces open at the end of a line, the function's own among them
MAX_PARAMETERS = 6  # of a device function; a kernel has those of its tile function
MAX_PRODUCT_NESTING = 7  # functions with dots: two more loops over fragments, in a loop over k

VECTOR = r"(?:u?char|u?short|u?int|u?long|u?longlong|float|double|half|__half|nv_bfloat16)[248]"
TYPE = r"(?:const )?(?:auto|bool|float|double|(?:unsigned )?(?:int|char|short|long)|u?int\d+_t|__half|__nv_bfloat16|__nv_fp8_e\dm\d)"

# In code, with comments and strings blanked.
BANNED = [
    (r"\bv_?\d+\b|\bv__\d+\b|\b_S\d+\b|\b__?\d+\b|\b(?:tmp|temp|val)_?\d+\b", "numbered temporary: take the role's name"),
    (r"\b[A-Za-z](?:\w*[A-Za-z])?_[2-9]\b", "numbered name: give its hint a second name (emit/cuda/symbol.h)"),
    (r"\basm\b", "raw asm: use a device helper"),
    (r"\bwhile \((?:true|1)\)|\bfor \(;;\)", "endless loop: write the condition"),
    (r"\((?:int|unsigned)\) ?(?:threadIdx|blockIdx)|static_cast<int>\((?:threadIdx|blockIdx)", "redundant cast"),
    (r"\(\(\(", "redundant parentheses"),
    (rf"\*\((?:const )?{VECTOR} ?\*\)|reinterpret_cast<(?:const )?{VECTOR} ?\*>", "raw vector cast: use a device helper"),
    (rf"^\s*(?:{TYPE}|[\w:]+<[^;]*>) \w+\[1\](?:;| =)", "array of one element: use a scalar"),
    (r"__shfl|__ballot_sync|__any_sync|__all_sync|__reduce_\w+_sync|__activemask", "raw warp function: use a device helper"),
    (r"\bgoto\b", "goto"),
]
BARRIER = re.compile(r"\b__sync(?:threads|warp)\([^;]*\);(.*)$")


def blanked(text):
    """The text with comments and the insides of string literals as spaces; line breaks stay."""
    pattern = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def without_helpers(text):
    """The text with the pasted helpers as empty lines."""
    lines, inside = [], False
    for line in text.split("\n"):
        if line.startswith("// ==== device helpers"):
            inside = True
        lines.append("" if inside else line)
        if line.startswith("// ==== end of device helpers"):
            inside = False
    return "\n".join(lines)


PRODUCT = re.compile(r"\b(?:w?g?mma_m\d+n\d+k\d+|wgmma_wait|load_fragments|cp_async_commit)")


def shape_problems(code, limit=MAX_FUNCTION_LINES):
    """Functions that are too long or nest too deep."""
    problems, deep = [], []  # deep: of the function being read
    lines = code.split("\n")
    scopes = []  # of each open brace: (is a function or inside one, line where its statement began)
    statement, begun = "", 1  # since the last ; { or }
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            continue
        for letter in line:
            if letter == "{":
                in_function = bool(scopes) and scopes[-1][0]
                head = statement.strip()
                opens = bool(re.search(r"\)\s*(?:const|noexcept|mutable|->.*)?\s*$", head)) and "=" not in head.split("(")[0]
                scopes.append((in_function or opens, begun))
            elif letter == "}" and scopes:
                is_function, start = scopes.pop()
                outermost = is_function and not (scopes and scopes[-1][0])
                if outermost:
                    body = lines[start - 1 : number]
                    product = any(PRODUCT.search(l) for l in body)
                    depth = MAX_PRODUCT_NESTING if product else MAX_NESTING
                    rows = sum(1 for l in body if l.strip())
                    if rows > limit:
                        problems.append((start, f"function of {rows} lines of code"))
                    problems += [(n, f"nesting {d}") for n, d in deep if d > depth]
                    deep = []
            if letter in ";{}":
                statement = ""
            else:
                if not statement.strip() and not letter.isspace():
                    begun = number
                statement += letter
        statement += " "
        nesting = sum(1 for is_function, _ in scopes if is_function)
        if nesting > MAX_NESTING:
            deep.append((number, nesting))
    return problems


SECTION = re.compile(r"^// ---- \w+ ")  # of a kernel, or of the launchers
SMEM = re.compile(r"^struct \w*Smem \{")  # of a kernel that is one function: it has its constants for itself
CONSTANT = re.compile(r"\bconstexpr int (\w+) =")


def constant_problems(text, code):
    """Constants that the functions of one kernel, and the struct of these, declare more than once."""
    problems, known, in_smem = [], None, False  # known: None before the first section
    for number, (line, bare) in enumerate(zip(text.split("\n"), code.split("\n")), 1):
        if SECTION.match(line):
            known = set()
        in_smem = bool(SMEM.match(bare)) or (in_smem and not bare.startswith("};"))
        for name in [] if in_smem or known is None else CONSTANT.findall(bare):
            if name in known:
                problems.append((number, f"{name} is declared twice: declare it in the struct of the kernel's functions"))
            known.add(name)
    return problems


DEVICE_FUNCTION = re.compile(r"__device__ [\w ]*?(\w+)\(")


def parameter_problems(code):
    """Device functions with too many parameters."""
    problems = []
    for found in DEVICE_FUNCTION.finditer(code):
        depth, commas, rest = 1, 0, code[found.end() :]
        for letter in rest:
            depth += (letter in "([<{") - (letter in ")]>}")
            if depth == 0:
                break
            commas += depth == 1 and letter == ","
        if commas + 1 > MAX_PARAMETERS:
            problems.append((code.count("\n", 0, found.start()) + 1, f"{found[1]} has {commas + 1} parameters"))
    return problems


def check(text, limit=MAX_FUNCTION_LINES):
    """[(line, what is wrong)]"""
    text = without_helpers(text)
    code = blanked(text)
    problems = shape_problems(code, limit) + constant_problems(text, code) + parameter_problems(code)
    for number, (line, bare) in enumerate(zip(text.split("\n"), code.split("\n")), 1):
        for pattern, why in BANNED:
            if re.search(pattern, bare):
                problems.append((number, why))
        barrier = BARRIER.search(line) if "__sync" in bare else None
        if barrier and not re.match(r"\s*// \S", barrier[1]):
            problems.append((number, "barrier without a reason after it"))
        if len(line) > MAX_COLUMNS:
            problems.append((number, f"{len(line)} columns"))
        if "\t" in line or line != line.rstrip():
            problems.append((number, "tab, or space at the end"))
    return sorted(problems)


def main(paths):
    failed = False
    long_sources = paths[0] == "--long-sources"
    for path in paths[long_sources:]:
        with open(path, encoding="utf-8") as file:
            problems = check(file.read())
        if long_sources:
            problems = [(n, why) for n, why in problems if not re.search(r"^numbered name|has \d+ parameters", why)]
        for number, why in problems:
            print(f"{path}:{number}: {why}")
        failed |= bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
