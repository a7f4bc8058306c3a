"""What a case is: a kernel in the tile language, its arguments, and the runs to compare.

A parameter is one line of text:

    const float* a = small(n)          a buffer of n elements; the names are those of driver.h's Domain
    float* out = out(n, 1e-6, 1e-7)    relative and absolute tolerance; none: the same bits
    int* index = below(n, 16)          below and starts take their bound second, then the tolerances
    float* y = at(x, 1)                a pointer into the buffer of parameter x, one element on
    int n                              a scalar, from the run

Sizes are Python expressions in the run's scalars. Every buffer that is not const is compared. A run passes nullptr for the
parameters that it names: {"n": 64, "null": ("bias",)}.
"""

import dataclasses
import re
import zlib

TYPES = {
    "int8_t": "i8",
    "int16_t": "i16",
    "int": "i32",
    "int32_t": "i32",
    "int64_t": "i64",
    "uint8_t": "u8",
    "uint16_t": "u16",
    "unsigned": "u32",
    "uint32_t": "u32",
    "uint64_t": "u64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float": "f32",
    "double": "f64",
    "float8_e4m3": "e4m3",
    "float8_e5m2": "e5m2",
    "bool": "boolean",
}
INTEGERS = ["int8_t", "int16_t", "int", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"]
FLOATS = ["float16", "bfloat16", "float", "double"]
FLOAT8 = ["float8_e4m3", "float8_e5m2"]
SHORT = {t: s if s != "boolean" else "bool" for t, s in TYPES.items()}
# One unit in the last place, and a half more.
ULP = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float": 2.0**-23, "double": 2.0**-52}

PARAMETER = re.compile(
    r"(?P<const>const )?(?P<type>\w+)\* (?P<name>\w+) = (?P<domain>\w+)\((?P<rest>.*)\)$"
)
SCALAR = re.compile(r"(?P<type>\w+) (?P<name>\w+)$")


@dataclasses.dataclass
class Parameter:
    name: str
    type: str
    const: bool = False
    domain: str = ""  # empty: a scalar
    rest: tuple = ()

    @staticmethod
    def parse(text):
        found = PARAMETER.match(text)
        if found:
            rest = tuple(part.strip() for part in split_arguments(found["rest"]))
            return Parameter(
                found["name"], found["type"], bool(found["const"]), found["domain"], rest
            )
        found = SCALAR.match(text)
        if not found:
            raise ValueError(f"no parameter: {text}")
        return Parameter(found["name"], found["type"])

    def is_pointer(self):
        return self.domain != ""


def split_arguments(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def integer_literal(value):
    """A number as a long long of C++; for 64 unsigned bits their bit pattern. 0 for values that are not 64-bit integers."""
    if not -(2**63) <= value < 2**64:
        return "0LL"
    bits = int(value) - 2**64 if value >= 2**63 else int(value)
    return f"{bits}LL" if bits > -(2**63) else f"({bits + 1}LL - 1)"


@dataclasses.dataclass
class Case:
    name: str
    parameters: list
    body: str
    runs: list
    warps: tuple = (4,)
    options: str = ""  # more of instantiate's options: ", .persistent = true"
    helpers: str = ""  # functions before the kernel
    template: str = ""  # "template <int BLOCK>", with `arguments` "<64>"
    arguments: str = ""
    restrict: bool = True
    races_between_blocks: bool = True
    races_of_one_store: bool = True  # False where elements of one store share an address
    status: int = 0
    launcher_refuses: bool = False  # what the reference runs: a grid with two negative factors
    alone: bool = False  # in a file of its own
    host_library: bool = False  # the expected bits are those of the host's math library: not for a GPU
    devices: tuple = (90,)  # compute capabilities of the emulated devices, each with all runs
    checks_overflow: bool = False  # signed arithmetic of the emitted text that overflows is a failure
    flags: tuple = ()  # more arguments of tile2cu, the same for all cases of a module
    kernel: str = ""  # the kernel's name, if it is not the case's
    expected: object = None  # a function that computes the results in Python: independent.py
    rarely: bool = False  # few of these run without --all: other cases have the same features
    # The kernel's parameters and the arguments of a call, where these are not `parameters` one by one: "Params p, int n" and
    # "Params{x, y}, n". The names in the call are those of `parameters`.
    signature: str = ""
    call: str = ""

    def seed(self):
        return zlib.crc32(self.name.encode())

    def instances(self):
        """Names of the launchers, one for each number of warps."""
        return [(f"{self.name}_w{w}", w) for w in self.warps]

    def source(self):
        """The kernel and its launchers."""
        parameters = []
        for p in self.parameters:
            if not p.is_pointer():
                parameters.append(f"{p.type} {p.name}")
                continue
            const, restrict = "const " if p.const else "", (
                " __restrict__ " if self.restrict else " "
            )
            parameters.append(f"{const}{p.type}*{restrict}{p.name}")
        body = "\n".join("  " + line.rstrip() for line in dedent(self.body))
        text = self.helpers.strip("\n") + "\n" if self.helpers else ""
        text += self.template + "\n" if self.template else ""
        parameters = self.signature or ", ".join(parameters)
        text += f"__tile_global__ void {self.kernel or self.name}({parameters}) {{\n{body}\n}}\n"
        for name, warps in self.instances():
            text += (
                f"inline constexpr auto {name} = "
                f"instantiate(::{self.kernel or self.name}{self.arguments}, {{.num_warps = {warps}{self.options}}});\n"
            )
        return text

    def shim(self, space, launcher):
        """The function by which the driver calls a launcher."""
        arguments, pointers, scalars = [], 0, 0
        for p in self.parameters:
            if p.is_pointer():
                const = "const " if p.const else ""
                arguments.append(f"static_cast<{const}{p.type}*>(p[{pointers}])")
                pointers += 1
            else:
                field = "number" if p.type in [*FLOATS, *FLOAT8] else "integer"
                inner = f"s[{scalars}].{field}"
                arguments.append(
                    f"{p.type}({inner})"
                    if p.type not in FLOATS[:2]
                    else f"{p.type}(float({inner}))"
                )
                scalars += 1
        start = ""
        if self.call:
            start = "".join(f"  const auto {p.name} = {a};\n" for p, a in zip(self.parameters, arguments))
            arguments = [self.call]
        return (
            f"int {space}_{launcher}([[maybe_unused]] void* const* p, [[maybe_unused]] const Scalar* s) {{\n{start}"
            f"  return int({launcher}({', '.join(arguments)}));\n}}\n"
        )

    def expanded_runs(self, number):
        """Each run with the misalignment of its pointers: the first two both ways, the others in turn."""
        result = []
        for i, run in enumerate(self.runs):
            if "shift" in run:
                shifts = [run["shift"]]
            elif i < 2:
                shifts = [0, 1]
            else:
                shifts = [(i + number + self.seed()) % 2]
            result += [(run, shift) for shift in shifts]
        return result

    def table(self, launcher, number):
        """(the arrays that it refers to, the Kernel of driver.h)"""
        arrays, runs = [], []

        def array(kind, values):
            if not values:
                return "{}"
            name = f"{kind.lower()}s_{launcher}_{len(arrays)}"
            arrays.append(f"static constexpr {kind} {name}[] = {{{', '.join(values)}}};\n")
            return name

        for run, shift in self.expanded_runs(number):
            scalars = {k: v for k, v in run.items() if k not in ("shift", "null")}
            nulls = run.get("null", ())
            values = {**scalars, "cdiv": lambda a, b: -(-a // b)}
            buffers, pointers, numbers, index = [], [], [], {}
            for p in self.parameters:
                if not p.is_pointer():
                    value = scalars[p.name]
                    numbers.append(f"{{{integer_literal(value)}, {float(value)!r}}}")
                elif p.name in nulls:
                    pointers.append("{-1, 0}")
                elif p.domain == "at":
                    pointers.append(f"{{{index[p.rest[0]]}, {eval(p.rest[1], values)}}}")
                else:
                    index[p.name] = len(buffers)
                    pointers.append(f"{{{len(buffers)}, 0}}")
                    buffers.append(self.buffer(p, values, shift))
            words = [f"{k}={v}" for k, v in scalars.items()] + [f"{name}=null" for name in nulls]
            words += ["misaligned"] * shift
            lists = [("Buffer", buffers), ("Pointer", pointers), ("Scalar", numbers)]
            lists = ", ".join(array(kind, values) for kind, values in lists)
            refuses = str(self.launcher_refuses).lower()
            for device in self.devices:
                text = ", ".join(words + [f"sm_{device}"] * (len(self.devices) > 1))
                runs.append(f'{{"{text}", {lists}, {self.status}, {refuses}, {device}}}')
        races = ", ".join(str(x).lower() for x in (self.races_between_blocks, self.races_of_one_store))
        calls = f"reference_{launcher}, emulated_{launcher}"
        kernel = f'{{"{launcher}", {calls}, {races}, {array("Run", runs)}}}'
        return "".join(arrays), kernel

    @staticmethod
    def buffer(p, values, shift):
        rest = list(p.rest)
        size = int(eval(rest.pop(0), values))
        parameter = int(eval(rest.pop(0), values)) if p.domain in ("below", "starts") else 0
        relative = float(eval(rest.pop(0), values)) if rest else -1
        absolute = float(eval(rest.pop(0), values)) if rest else 0
        written = "false" if p.const else "true"
        return (
            f'{{"{p.name}", Type::{TYPES[p.type]}, Domain::{p.domain}, {size}, {parameter}, {shift}, '
            f"{written}, {relative!r}, {absolute!r}}}"
        )


def dedent(text):
    lines = text.strip("\n").split("\n")
    margin = min((len(l) - len(l.lstrip()) for l in lines if l.strip()), default=0)
    return [line[margin:] for line in lines]


class Table:
    """Collects the cases of one module; `flags` are for tile2cu.

    `defaults` are options of every case, as rarely=True. With `checks_overflow` the emulator reports signed arithmetic of the emitted text that overflows:
    for modules whose kernels, as they are written, never overflow.
    """

    def __init__(self, *flags, checks_overflow=False, **defaults):
        self.cases = []
        self.defaults = defaults
        self.flags = flags
        self.checks_overflow = checks_overflow

    def add(self, name, parameters, body, runs, **options):
        parameters = [Parameter.parse(line.strip()) for line in parameters.strip().split("\n")]
        if isinstance(options.get("warps"), int):
            options["warps"] = (options["warps"],)
        options = {
            "flags": self.flags,
            "checks_overflow": self.checks_overflow,
            **self.defaults,
            **options,
        }
        self.cases.append(Case(name, parameters, body, runs, **options))


WARPS = (1, 2, 3, 4, 5, 8)


def warps_of(name, count=1):
    """Some numbers of warps for a case, so that all of them occur over a group of cases."""
    first = zlib.crc32(name.encode()) % len(WARPS)
    return tuple(WARPS[(first + 2 * i + i // 3) % len(WARPS)] for i in range(count))


def ragged(block, *more):
    """Element counts for kernels of programs of `block` elements: 3, 3, 1, 1 and 0 programs."""
    counts = [3 * block - block // 3 // 16 * 16, 2 * block + block // 2 + 1, block, 1, 0]
    return [{"n": n} for n in dict.fromkeys([*counts, *more])]


def row_runs(block):
    """Runs of kernels with a tile of `block` elements for each row of n: full, ragged in whole vectors, ragged, one, none."""
    lengths = dict.fromkeys([block, block - block // 3 // 16 * 16, max(1, block - block // 3)])
    return [{"rows": 3, "n": n} for n in lengths] + [{"rows": 1, "n": 1}, {"rows": 0, "n": block}]
