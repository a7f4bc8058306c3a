"""A random program, as a Case of test/emulate: parameters, data, statements, launchers with their options."""

import dataclasses
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "emulate"))

import generics  # noqa: E402
import grids  # noqa: E402
import launchers  # noqa: E402
import matmuls  # noqa: E402
import objects  # noqa: E402
import parameters  # noqa: E402
import sizes  # noqa: E402
import values as v  # noqa: E402
from case import Parameter  # noqa: E402
from expressions import Palette, Scope, list_of  # noqa: E402
from grids import PROGRAMS  # noqa: E402
from launchers import Launcher, Program, Version  # noqa: E402
from names import odd_names, renamed  # noqa: E402
from statements import Statements  # noqa: E402
from values import BOOL, F32, I32, I64, U32, Value  # noqa: E402

INPUT_SIZE, SLACK = 4096, 2048  # the range of offsets, and the room after it
CHANGED_SIZE = 1024  # a program's part of a buffer that is read and written
LARGEST_STRIDE = 72


@dataclasses.dataclass
class Input:
    """A buffer that is only read, and the data that it has."""

    name: str
    value: Value
    domain: str


class Output:
    """A buffer that only stores write: each store has a part of each program's region."""

    def __init__(self, name, type_):
        self.name, self.type, self.size = name, type_, 0

    def reserve(self, count):
        """The start of a part for so many elements."""
        start = self.size
        self.size += count
        return start

    def region(self):
        """The size of a program's region."""
        return f"@{self.name}@"  # known at the end


@dataclasses.dataclass
class Changed:
    """A buffer that is read and written, with the names of its pointers."""

    type: v.Type
    names: list
    limit: int
    region_size: int = CHANGED_SIZE


@dataclasses.dataclass
class Helper:
    """A function of the program, with the value that a call has."""

    name: str
    value: Value
    parameters: list
    text: str


class Kernel:
    """A kernel that is being written: its parameters, buffers and runs."""

    def __init__(self, name, rng, palette):
        self.title = name
        self.rng = rng
        self.palette = palette
        self.counter = 0
        self.parameters = []
        self.runs = []
        self.inputs, self.outputs, self.helpers, self.structs = [], [], [], []
        self.changed_buffer = self.sums_buffer = None
        self.stride = self.count = self.negative_name = None
        self.gap = None  # a parameter: the distance of neighbouring elements, 1 or more
        self.largest_stride = LARGEST_STRIDE
        self.input_size = INPUT_SIZE
        self.program = None
        self.products = palette.products
        self.hopper = False
        self.scalars = {}  # name -> values of the runs
        self.shares_addresses = False  # elements of one store may
        self.constants = set()  # template arguments, as expressions
        self.functions = []  # for map
        self.inputs8 = []  # 8-bit floats: (name, type)
        self.tables = []  # constant arrays: Tables
        self.maybes = []  # Inputs that are null in some runs
        self.programs_text, self.dims = "1", ()  # how many programs there are; without a grid: of the launch
        self.tickets, self.bins = 0, -8  # counters that statements of together.py have
        self.parts = self.lasts = self.sums_type = self.updates_type = None
        self.shared_buffers = {}  # of all programs: name -> parameter
        self.persistent = False
        self.is_helper = False  # without parameters of its own but those that it has

    def name(self, prefix):
        """A name that no other variable has."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def program_text(self):
        """The program's number, as text."""
        return self.program or "0"

    def output(self, type_, exactly=False):
        """A buffer for values of the type, mostly of the same."""
        if not exactly and self.rng.random() < 0.15:
            type_ = self.rng.choice(self.palette.types)
        for output in self.outputs:
            if output.type is type_ and output.name.startswith("out"):
                return output
        output = Output(f"out{len(self.outputs)}", type_)
        self.outputs.append(output)
        return output

    def output8(self, type_):
        """A buffer of 8-bit floats."""
        known = [output for output in self.outputs if output.type is type_]
        return known[0] if known else self.new_output(f"out{len(self.outputs)}", type_)

    def new_output(self, name, type_):
        """A new buffer that only stores write."""
        self.outputs.append(Output(name, type_))
        return self.outputs[-1]

    def float8(self, type_name=None):
        """A buffer of small 8-bit floats, maybe of this type: its name and type."""
        known = [x for x in self.inputs8 if type_name in (None, x[1])]
        if not known:
            name = f"in8_{len(self.inputs8)}" if self.inputs8 else "in8"
            known = [(name, type_name or self.rng.choice(["float8_e4m3", "float8_e5m2"]))]
            self.inputs8 += known
        return known[0]

    def rounded_output(self, name="rounded"):
        """A buffer of floats with the tolerance of functions."""
        known = [output for output in self.outputs if output.name == name]
        return known[0] if known else self.new_output(name, F32)

    def changed(self):
        """The buffer that this kernel reads and writes."""
        if not self.changed_buffer:
            type_ = self.rng.choice([t for t in self.palette.types if t.kind != "b"])
            names = ["io"] + (["io_too"] if self.rng.random() < 0.5 else [])
            self.changed_buffer = Changed(type_, names, 100)
        return self.changed_buffer

    def sums(self):
        """The buffer that atomics add to."""
        if not self.sums_buffer:
            self.sums_buffer = Output("sums", self.rng.choice([I32, F32, U32, v.U64, v.F64]))
        return self.sums_buffer

    def far(self):
        """Parameters: 2, and a distance whose double does not fit an int."""
        self.scalars["two"] = ("int", [2, 2])
        self.scalars["far"] = ("int", [2**30, 2**31 - 1000])
        return "two", "far"

    def few(self):
        """A buffer of numbers from 0 to 3, of which the compiler knows nothing."""
        if all(x.name != "few" for x in self.inputs):
            self.inputs.append(Input("few", Value("", I32, (), 0, 3), f"below({INPUT_SIZE + SLACK}, 4)"))
        return "few"

    def maybe(self):
        """A buffer that is only read, and whose pointer is null in some runs."""
        if not self.maybes or len(self.maybes) < 2 and self.rng.random() < 0.25:
            type_ = self.rng.choice([t for t in self.palette.types if t.kind != "b"])
            value = Value("", type_, (), 0 if type_.kind == "u" else -8, 16 if type_.kind == "u" else 8)
            self.maybes.append(Input("maybe_too" if self.maybes else "maybe", value, f"small({INPUT_SIZE + SLACK})"))
        return self.rng.choice(self.maybes)

    def maybe_output(self, type_):
        """A buffer that only stores write, and whose pointer is null in some runs."""
        known = [output for output in self.outputs if output.name == "maybe_out"]
        return known[0] if known else self.new_output("maybe_out", type_)

    def nulls(self):
        """The pointers that are null in a run."""
        names = [x.name for x in self.maybes] + [output.name for output in self.outputs if output.name == "maybe_out"]
        return tuple(name for name in names if self.rng.random() < 0.5)

    def positive(self):
        """A buffer of numbers from 1 to 16."""
        if all(x.name != "positive" for x in self.inputs):
            self.inputs.append(Input("positive", Value("", I32, (), 1, 16), f"positive({INPUT_SIZE + SLACK})"))
        return "positive"

    def number(self, type_, numbers):
        """A parameter with these values in the two runs."""
        known = [name for name, x in self.scalars.items() if x == (type_.name, numbers)]
        name = known[0] if known else f"n{len(self.scalars)}"
        self.scalars[name] = (type_.name, numbers)
        return name

    def negative(self):
        """A parameter that is -1 or -2."""
        if not self.negative_name:
            self.negative_name = "back"
            self.scalars["back"] = ("int", [-1, -2])
        return self.negative_name


DOMAINS = [("small", 6), ("bits", 1), ("below", 1), ("sparse", 1), ("special", 1)]


def input_of(kernel, rng, k):
    """Input number k: its type, data and bounds."""
    type_ = rng.choice(kernel.palette.types + [BOOL] * (rng.random() < 0.1))
    domain = rng.choices([d for d, _ in DOMAINS], [w for _, w in DOMAINS])[0]
    if domain == "special" and type_.kind != "f":
        domain = "small"
    low, high = type_.range()
    lo, hi, exact = {
        "small": (0 if type_.kind in "bu" else -8, 16 if type_.kind in "bu" else 8, True),
        "bits": (low, high, type_.kind != "f"),
        "below": (0, 63, True),
        "sparse": (0, 1, True),
        "special": (0, 0, False),
    }[domain]
    if type_.kind == "b":
        lo, hi = 0, 1
    text = f"{domain}({INPUT_SIZE + SLACK}" + (", 64)" if domain == "below" else ")")
    return Input(f"in{k}", Value("", type_, (), lo, hi, exact), text)


SCALARS = [
    ("n", "int", [37, 5, 64, 0, 100, 1]),
    ("m", "int64_t", [3, 50, -7, 16]),
    ("u", "uint32_t", [4, 0, 9, 70]),
    ("f", "float", [2, 0, -3, 7]),
    ("b", "int8_t", [1, -5, 100, 0]),
    ("limit", "int64_t", [2**63 - 1, -(2**63), 2**31, 20]),
    ("most", "int", [2**31 - 1, -(2**31), 40, 3]),
]


def add_scalars(kernel, rng, scope):
    """Scalar parameters, with values for two runs."""
    chosen = [SCALARS[0]] + [s for s in SCALARS[1:] if rng.random() < 0.25]
    for name, type_name, numbers in chosen:
        numbers = rng.sample(numbers, 2)
        kernel.scalars[name] = (type_name, numbers)
        lo, hi = min(numbers), max(numbers)
        scope.add(Value(name, v.TYPES[type_name], (), lo, hi))
    kernel.count = "n"
    if rng.random() < 0.3:
        kernel.stride = "stride"
        kernel.scalars["stride"] = ("int", [LARGEST_STRIDE, 65])
    if rng.random() < 0.3:
        kernel.gap = "gap"
        gaps = rng.choice([[1, 2], [1, 1], [2, 1], [3, 1]])
        kernel.scalars["gap"] = (rng.choice(["int", "int64_t", "uint8_t"]), gaps)
        if gaps == [1, 1] and rng.random() < 0.7:
            scope.write(rng.choice(["require(gap == 1);", "assume(gap == 1);", "require(1 == gap);"]))


def helper_of(kernel, rng, palette):
    """A function of the kernel's own: tiles and scalars in, a tile out."""
    shape = rng.choice(palette.shapes)
    inner = Kernel("", rng, palette)
    inner.is_helper = True
    inner.products = False
    scope = Scope(inner)
    parameters = []
    for k in range(rng.randrange(1, 3)):
        type_ = rng.choice([t for t in palette.types])
        limit = min(100, type_.range()[1])
        lo = 0 if type_.kind in "bu" else -limit
        value = Value(f"a{k}", type_, shape if k == 0 or rng.random() < 0.5 else (), lo, limit)
        parameters.append(scope.add(value))
    statements = Statements(rng, palette, inner)
    statements.statement = lambda s, b: only_values(statements, s, b)
    statements.block(scope, rng.randrange(1, 4))
    result = statements.expressions.tile(scope, shape, 2)
    name = f"{kernel.title}_h{len(kernel.helpers)}"
    declared = []
    for p in parameters:
        if p.shape:
            declared.append(f"const tile<{p.type.name}, {list_of(p.shape)}>& {p.text}")
        else:
            declared.append(f"{p.type.name} {p.text}")
    lines = list(scope.lines)
    scalars = [p for p in parameters if not p.shape]
    if scalars and rng.random() < 0.4:
        early = v.to_range(statements.expressions.tile(scope, shape, 1), result.type, 100)
        # What `early` needs stands before it.
        lines = list(scope.lines) + [f"if ({scalars[0].text} > 3) return {early.text};"]
        lo, hi = min(result.lo, early.lo), max(result.hi, early.hi)
        result = dataclasses.replace(result, lo=lo, hi=hi)
    lines.append(f"return {result.text};")
    text = f"__tile__ auto {name}({', '.join(declared)}) {{\n" + "\n".join("  " + l for l in lines) + "\n}\n"
    return Helper(name, result, parameters, text)


def struct_of(kernel, rng, palette):
    """A struct of the kernel's own."""
    inner = Kernel("", rng, palette)
    inner.is_helper, inner.products = True, False
    name = f"{kernel.title}_h{100 + len(kernel.structs)}"
    return objects.struct_of(kernel, rng, palette, name, inner, Statements(rng, palette, inner))


def only_values(statements, scope, budget):
    rng = statements.rng
    kinds = [statements.define, statements.define_mutable, statements.assign, statements.lambda_]
    if budget > 1 and scope.depth < 2:
        kinds += [statements.branch]
    return rng.choice(kinds)(scope, budget) or 1


@dataclasses.dataclass
class Text:
    """One kernel of a program."""

    constants: list  # its template arguments
    enum: str
    body: str
    persistent: bool


PLANS = [("plain", 40), ("template", 24), ("instances", 8), ("select", 10), ("tune", 6), ("sizes", 12)]


def kernel_case(name, rng, palette):
    """A program whose kernel has this name."""
    program = single_parameters(name, rng, palette)
    return parameters.grouped(rng, program) if rng.random() < 0.3 else program


def single_parameters(name, rng, palette):
    """A program with a parameter for each buffer and number."""
    kernel = Kernel(name, rng, palette)
    plan = rng.choices([p for p, _ in PLANS], [w for _, w in PLANS])[0]
    if plan == "sizes":
        return sizes.case(name, rng, palette, kernel, finish_sizes)
    kernel.hopper = palette.products and rng.random() < 0.6  # as wgmma needs it
    scope = Scope(kernel)
    kernel.inputs = [input_of(kernel, rng, k) for k in range(rng.randrange(1, 4))]
    if kernel.products:
        for type_ in rng.choice(matmuls.KINDS)[:2]:
            low = 0 if type_.kind == "u" else -8
            value = Value("", type_, (), low, 16 if type_.kind == "u" else 8)
            domain = f"small({INPUT_SIZE + SLACK})"
            kernel.inputs.append(Input(f"in{len(kernel.inputs)}", value, domain))
    add_scalars(kernel, rng, scope)
    for _ in range(rng.choice([0, 0, 1, 2])):
        kernel.helpers.append(helper_of(kernel, rng, palette))
    for _ in range(rng.choice([0, 0, 1, 2])):
        kernel.structs.append(struct_of(kernel, rng, palette))
    several = plan in ("instances", "select")
    count = 2 if several else 1
    texts = [text_of(kernel, rng, scope, rng.choice([2, 3, 4] if several else [3, 5, 7, 9, 11]), count if plan != "plain" else 0, plan in ("plain", "template", "instances"))]
    if plan == "select" or plan == "tune" and rng.random() < 0.4:
        for _ in range(rng.choice([1, 1, 2])):
            kernel.products = False
            texts.append(text_of(kernel, rng, scope, rng.choice([1, 2, 3]), rng.choice([0, count])))
    return finish(kernel, rng, texts, plan)


def text_of(kernel, rng, base, budget, instances, launcher=False):
    """A kernel; with template arguments for so many instances. With `launcher` it may be one without a grid."""
    scope = Scope(kernel)
    scope.variables = list(base.variables)
    constants, enum = [], ""
    if instances:
        constants, enum = launchers.constants_of(rng, f"{kernel.title}_e{kernel.counter}", kernel.scalars, instances)
    values = [scope.add(x) for c in constants if (x := c.value())]
    kernel.constants = {x.text for x in values} | {c.name for c in constants}
    statements = Statements(rng, kernel.palette, kernel)
    begin, persistent, end = grids.grid_of(kernel, rng, scope, launcher)
    kernel.persistent = persistent
    statements.block(scope, budget // 2 + 1)
    if rng.random() < 0.15 and not persistent:
        scope.write(f"if ({statements.expressions.condition(scope, 1).text}) return;")
    if kernel.products and rng.random() < 0.5:
        matmuls.matmul(statements, scope, 4)
    for c in constants:
        by_constant(statements, scope, constants, c)
    statements.block(scope, budget // 2)
    statements.store(scope, 1)
    for variable in scope.variables:
        if variable.limit and rng.random() < 0.7 and variable.value.shape:
            show(kernel, scope, statements, variable.value)
    return Text(constants, enum, "\n".join([*begin, *scope.lines, *end]), persistent)


def by_constant(statements, scope, constants, constant):
    """A statement in which the template argument counts."""
    rng = statements.rng
    value = constant.value()
    if not value:
        generics.statement(statements, scope, constants, constant)
    elif constant.type == "bool" and rng.random() < 0.7:
        inner = [scope.child(), scope.child()]
        for child in inner:
            statements.function_of_own(child, 1)
        scope.write(f"if constexpr ({constant.name}) {{")
        scope.lines += ["  " + line for line in inner[0].lines]
        scope.write("} else {")
        scope.lines += ["  " + line for line in inner[1].lines]
        scope.write("}")
    else:
        x = statements.expressions.binary(scope, value, statements.expressions.scalar(scope, 1))
        statements.scalar_store(scope, 1, x)


def show(kernel, scope, statements, x):
    """Stores a variable that statements have changed."""
    output = kernel.output(x.type, exactly=True)
    start = output.reserve(x.size())
    at = statements.expressions.flat(x.shape)
    scope.write(f"store({output.name} + ({kernel.program_text()} * {output.region()} + {start} + {at}), {x.text});")


def parameters_of(kernel, texts):
    """The parameters of the program; the sizes of output parts go into the texts."""
    parameters = []
    for source in kernel.inputs + kernel.maybes:
        parameters.append(Parameter.parse(f"const {source.value.type.name}* {source.name} = {source.domain}"))
    for name, type_name in kernel.inputs8:
        parameters.append(Parameter.parse(f"const {type_name}* {name} = small({INPUT_SIZE + SLACK})"))
    for output in kernel.outputs:
        size = output.size * PROGRAMS
        for text in texts:
            text.body = text.body.replace(output.region(), str(output.size))
        relative = ", 0, 0" if output.type.kind == "f" else ""
        if output.name == "rounded":
            relative = ", 1e-4, 1e-5"  # sums of 512 exponentials; the manual's bounds of single functions are smaller
        if output.name == "rough":
            relative = ", 6e-4, 2.5e-3"  # 2^-11 of tanh, or 2^-12 of the argument of gelu, which is at most 8
        parameters.append(Parameter.parse(f"{output.type.name}* {output.name} = out({max(1, size)}{relative})"))
    if kernel.changed_buffer:
        type_ = kernel.changed_buffer.type
        relative = ", 0, 0" if type_.kind == "f" else ""
        size = CHANGED_SIZE * PROGRAMS
        parameters.append(Parameter.parse(f"{type_.name}* io = small({size}{relative})"))
        if len(kernel.changed_buffer.names) > 1:
            parameters.append(Parameter.parse(f"{type_.name}* io_too = at(io, 0)"))
    if kernel.sums_buffer:
        relative = ", 0, 0" if kernel.sums_buffer.type.kind == "f" else ""
        parameters.append(Parameter.parse(f"{kernel.sums_buffer.type.name}* sums = small(64{relative})"))
    parameters += [Parameter.parse(text) for text in kernel.shared_buffers.values()]
    for name, (type_name, _) in kernel.scalars.items():
        parameters.append(Parameter.parse(f"{type_name} {name}"))
    return parameters


def options_of(kernel, rng, text, warps=None):
    """The options of one instance."""
    warps = warps or rng.choice([4, 4, 8] if kernel.hopper else [1, 1, 2, 3, 4, 4, 5, 6, 7, 8])
    options = f".num_warps = {warps}"
    if rng.random() < 0.3:
        options += f", .num_stages = {rng.randrange(1, 5)}"
    grouped = rng.choice([1, 2, 4]) if warps == 1 and rng.random() < 0.4 else 0
    if grouped:
        options += f", .programs_per_block = {grouped}"
    threads = 32 * warps * max(1, grouped)
    if rng.random() < 0.12:
        options += f", .resident_threads = {min(16 * threads, rng.choice([64, 256, 512, 1024, 2048]))}"
    if rng.random() < 0.1:
        options += f", .min_blocks = {rng.randrange(1, min(8, 2048 // max(threads, 256)) + 1)}"
    if not text.persistent and "grid(" in text.body and rng.random() < 0.1 and "return" not in text.body:
        options += ", .persistent = true"
    return options


def launchers_of(kernel, rng, texts, plan, parameters):
    """The launchers of a plan. Requirements are written to the texts."""
    first = texts[0]
    one = (0, launchers.arguments_of(first.constants, 0), options_of(kernel, rng, first))
    if plan in ("plain", "template"):
        return [Launcher("instantiate", [one])]
    if plan == "instances":
        other = (0, launchers.arguments_of(first.constants, rng.choice([0, 1, 1, 1])), options_of(kernel, rng, first))
        return [Launcher("instantiate", [c]) for c in rng.sample([one, other], 2)]
    sizes = {"io": CHANGED_SIZE * PROGRAMS, "sums": 64}
    written = re.findall(r"\b(?:store|atomic_\w+)\((\w+)", "\n".join(text.body for text in texts))
    buffers = [(name, size) for name, size in sizes.items() if name in written]
    key = launchers.key_of(rng, kernel, parameters, buffers) if plan == "tune" else ""
    if plan == "tune" and len(texts) == 1:
        # All candidates do the same: the emulator takes any.
        again = [(*one[:2], options_of(kernel, rng, first)) for _ in range(rng.choice([1, 1, 2]))]
        return [Launcher("tune", [one, *again], key)]
    if plan == "tune":
        # Only one candidate fits each run.
        texts = texts[:2]
        name, _, numbers = rng.choice(launchers.integer_scalars(kernel))
        number = launchers.literal_of(rng.choice(numbers))
        for text, op in zip(texts, rng.sample(["==", "!="], 2)):
            text.body = f"require({name} {op} {number});\n{text.body}"
    candidates = [one]
    for k, text in enumerate(texts[1:], 1):
        candidates.append((k, launchers.arguments_of(text.constants, 0), options_of(kernel, rng, text)))
    if plan == "select":
        for text in texts[: -1 if rng.random() < 0.7 else None]:
            text.body = f"{launchers.requirement(rng, kernel)}\n{text.body}"
        if rng.random() < 0.4:
            k = rng.randrange(len(texts))
            if texts[k].constants and len(texts[k].constants[0].numbers) > 1:
                candidates.append((k, launchers.arguments_of(texts[k].constants, 1), options_of(kernel, rng, texts[k])))
        first, *rest = candidates
        candidates = rng.sample(candidates, len(candidates)) if rng.random() < 0.3 else [first, *rest]
    return [Launcher(plan, candidates, key)]


SUFFIXES = ["_k1", "_2", "_kernel", "_64", "_map", "_combine", "_launch", "_warp"]


def finish(kernel, rng, texts, plan):
    """The Program."""
    parameters = parameters_of(kernel, texts)
    made = launchers_of(kernel, rng, texts, plan, parameters)
    runs = [{name: numbers[k] for name, (_, numbers) in kernel.scalars.items()} for k in range(2)]
    runs[0]["shift"] = rng.choice([0, 0, 1])
    for run in runs:
        if nulls := kernel.nulls():
            run["null"] = nulls
    aliases = kernel.changed_buffer and len(kernel.changed_buffer.names) > 1
    first = texts[0]
    for launcher in made:
        launcher.form = rng.choice(launchers.FORMS) if launcher.how != "instantiate" else rng.choice(["direct"] * 4 + ["function"])
    program = Program(
        kernel.title, parameters, first.body, runs, template=launchers.template_of(rng, first.constants),
        helpers=headers_of([text.body for text in texts] + [h.text for h in [*kernel.helpers, *kernel.structs]] + kernel.functions) + "".join(h.text for h in [*kernel.helpers, *kernel.structs]) + "".join(kernel.functions) + "".join(text.enum for text in texts),
        races_of_one_store=not kernel.shares_addresses,
        restrict=not aliases and rng.random() < 0.8,
        launchers=made, dims=kernel.dims, space=f"{kernel.title}_s" if rng.random() < 0.12 else "", spelled=spelled_of(rng, first),
    )
    for text, suffix in zip(texts[1:], rng.sample(SUFFIXES, len(texts) - 1)):
        template = launchers.template_of(rng, text.constants)
        names = launchers.own_names(rng, parameters, text.body, template)
        program.others.append(Version(suffix, names, template, renamed(text.body, names), spelled_of(rng, text)))
    if rng.random() < 0.5:
        rename(rng, program)
    return program


def headers_of(texts):
    """The headers of the standard library that these texts need."""
    named = [("std::min", "algorithm"), ("std::max", "algorithm"), ("std::f", "cmath"), ("floorf", "cmath"), ("fmaxf", "cmath"), ("std::make_tuple", "tuple"), ("std::tuple", "tuple"), ("std::get", "tuple"), ("std::tie", "tuple"),
             ("std::array", "array"), ("std::pair", "utility"), ("make_pair", "utility"), ("std::swap", "utility"), ("std::exchange", "utility"), ("<=>", "compare"),
             ("device_functions::", "device_functions.h")]
    return "".join(f"#include <{h}>\n" for h in sorted({h for word, h in named for text in texts if word in text}))


def spelled_of(rng, text):
    """Types of parameters that the kernel writes as its type parameters: those that have one type in all instances."""
    alike = [c for c in text.constants if c.type == "class" and len(set(c.numbers)) == 1]
    return {c.numbers[0]: c.name for c in alike} if rng.random() < 0.7 else {}


def finish_sizes(rng, program):
    """A type parameter and other names for a program of sizes.py."""
    pointers = [p for p in program.parameters if p.is_pointer()]
    if rng.random() < 0.3:
        type_ = rng.choice(pointers).type
        default = rng.random() < 0.5
        program.template = program.template[:-1] + f", class T{f' = {type_}' if default else ''}>"
        program.spelled = {type_: "T"}
        for launcher in program.launchers:
            if not default:
                launcher.candidates = [(k, f"{a[:-1]}, {type_}>", o) for k, a, o in launcher.candidates]
    if rng.random() < 0.4:
        rename(rng, program)
    return program


def rename(rng, program):
    """Gives parameters and variables of the first kernel names that the emitted text may use itself."""
    texts = [program.template, program.body, program.helpers]
    names = odd_names(rng, program.kernel_name(0), texts, [p.name for p in program.parameters])
    program.body = renamed(program.body, names)
    for p in program.parameters:
        if p.domain == "at":
            p.rest = (names.get(p.rest[0], p.rest[0]), *p.rest[1:])
    for other in program.others:
        other.names = {names.get(p.name, p.name): other.names.get(p.name, p.name) for p in program.parameters}
    for launcher in program.launchers:
        launcher.more = re.sub(r'"(\w+)"', lambda found: f'"{names.get(found[1], found[1])}"', launcher.more)
    program.runs = launchers.renamed_runs(program.runs, lambda name: names.get(name, name))
    for p in program.parameters:
        p.name = names.get(p.name, p.name)
