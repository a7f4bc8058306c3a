"""Kernels whose tiles have other sizes in each candidate, and whose results are the same for all sizes.

A program covers a part of the problem that follows from template arguments: elements, rows in steps, blocks of a matrix, products.
So candidates with other extents, warps and stages do the same, and a tuner may take any. The candidates of `select`
also write down who they are.
"""

import matmuls
import values as v
from case import Parameter
from expressions import Expressions, Palette, Scope
from launchers import FORMS, Launcher, Program
from values import F32, I32, I64, Value

ANY = 64  # what stands for an extent while expressions are made: the text names the template parameter
BLOCKS = [16, 32, 64, 96, 128, 256, 512, 100, 48, 7]
SMALL_BLOCKS = [1, 2, 4, 8, 16, 32, 5]
MOST = 300  # elements of a row


class Body:
    """The text of one kernel, and what it needs."""

    def __init__(self, rng, palette, kernel):
        self.rng, self.kernel = rng, kernel
        self.scope = Scope(kernel)
        self.expressions = Expressions(rng, Palette(palette.types, [(ANY,)]))
        self.inputs = [("in0", rng.choice(palette.types)), ("in1", rng.choice([I32, F32, *palette.types]))]
        self.inputs = [(name, F32 if type_.kind == "b" else type_) for name, type_ in self.inputs]
        self.outputs = {}  # name -> type, size
        self.numbers = {}  # name -> values in the runs
        self.extents = {}  # template parameter -> extents of the candidates
        self.margin = ""
        self.tail = []  # the last lines

    def write(self, *lines):
        for line in lines:
            self.scope.write(self.margin + line)

    def extent(self, name, extents):
        self.extents[name] = extents
        return name

    def output(self, type_, size):
        name = f"out{len(self.outputs)}"
        self.outputs[name] = (type_, size)
        return name

    def loaded(self, at, mask, shape, k=None):
        """A variable with elements of an input."""
        rng = self.rng
        name, type_ = self.inputs[rng.randrange(2) if k is None else k]
        other = f", {rng.randrange(3)}" if rng.random() < 0.3 else ""
        more = "" if mask is None else f", {mask}{other}"
        x = self.kernel.name("x")
        self.write(f"auto {x} = load({name} + {at}{more});")
        lo = 0 if type_.kind == "u" else -8
        return Value(x, type_, shape, lo, 16 if type_.kind == "u" else 8)

    def value(self, leaves, depth=2):
        """An expression of the leaves, element by element."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return rng.choice(leaves) if rng.random() < 0.85 else v.literal(rng.randrange(1, 9))
        kind = rng.randrange(8)
        a = self.value(leaves, depth - 1)
        if kind < 4:
            return self.expressions.binary(self.scope, a, self.value(leaves, depth - 1))
        if kind == 4:
            return v.cast(a, rng.choice(self.expressions.palette.types))
        if kind == 5:
            return v.unary(rng.choice("-~!"), a)
        if kind == 6 and a.shape:
            return v.where(v.compare(rng.choice(["<", ">", "=="]), a, self.value(leaves, 0)), a, self.value(leaves, depth - 1))
        return v.absolute(a) if a.shape else a

    def full(self, leaves, type_, limit=100, depth=2):
        """Such a value of the shape of the first leaf, of this type."""
        x = self.value(leaves, depth)
        if x.shape != leaves[0].shape:
            x = v.choice("maximum", leaves[0], x)
        return v.to_range(x, type_, limit)


def elements(b):
    """Each program has BLOCK elements."""
    rng = b.rng
    block = b.extent("BLOCK", BLOCKS)
    persistent = rng.random() < 0.2
    p, i, mask = (b.kernel.name(name) for name in "pim")
    if persistent:
        b.write(f"for (auto {p} : persistent_range(cdiv(n, {block}))) {{")
        b.margin = "  "
    else:
        b.write(f"auto {p} = grid(cdiv(n, {block}));")
    b.write(f"auto {i} = {p} * {block} + arange<{block}>();", f"auto {mask} = {i} < n;")
    leaves = []
    for k in range(rng.choice([1, 2, 3])):
        at = rng.choice([i, i, i, f"({i} ^ 1)", f"(n - 1 - {i})", f"{i} * 2", f"{i} / 2", f"({i} + m)", f"{i} % n", f"(({i} + m) % n)",
                         f"(1024 + ({i} - {rng.choice([3, 40, 100])}) % n)"])
        leaves.append(b.loaded(at, mask, (ANY,)))
    leaves += [Value(i, I64, (ANY,), 0, 2048), Value("m", I32, (), 0, 40)]
    for _ in range(rng.choice([1, 1, 2])):
        type_ = rng.choice([I32, F32, *b.expressions.palette.types])
        out = b.output(type_, MOST)
        x = b.full(leaves, type_, 1 if type_.kind == "b" else 100, 3)
        b.write(f"store({out} + {i}, {x.text}, {mask});")
    b.tail = ["}"] if persistent else []
    return p


def rows(b):
    """A program goes through a row in steps of BLOCK."""
    rng = b.rng
    block = b.extent("BLOCK", BLOCKS)
    row, k, j, mask, total = (b.kernel.name(name) for name in "rkjma")
    b.write(f"auto {row} = grid(m);")
    type_ = rng.choice([I32, I32, F32, I64])
    kinds = rng.sample(["tile", "scalar", "max", "scan", "early"], rng.choice([1, 2]))
    sums = b.output(type_, 40 * 4)
    scanned = b.output(type_, MOST * 40) if "scan" in kinds else None
    if "tile" in kinds:
        b.write(f"auto {total} = zeros<{type_.name}, {block}>();")
    b.write(f"{type_.name} {total}_s = 0;", f"{type_.name} {total}_m = -1000;", f"{type_.name} {total}_c = 0;")
    stages = f", {{.num_stages = {rng.randrange(1, 5)}}}" if rng.random() < 0.4 else ""
    head = rng.choice([f"for (int {k} = 0; {k} < n; {k} += {block})", f"for (auto {k} : range(0, n, {block}{stages}))"])
    again = rng.random() < 0.3 and "early" not in kinds
    for turn in range(2 if again else 1):
        b.write(head + " {")
        b.margin = "  "
        b.write(f"auto {j} = {k} + arange<{block}>();", f"auto {mask} = {j} < n;")
        leaves = [b.loaded(f"{row} * n + {j}", mask, (ANY,)) for _ in range(rng.choice([1, 2]))]
        leaves += [Value(j, I32, (ANY,), 0, 2048), Value(row, I64, (), 0, 40)]
        x = b.kernel.name("t")
        b.write(f"auto {x} = where({mask}, {b.full(leaves, type_).text}, {type_.name}(0));")
        if turn == 1:
            b.write(f"store({b.output(type_, MOST * 40)} + {row} * n + {j}, {x} - {total}_s, {mask});")
            b.margin = ""
            b.write("}")
            break
        if "tile" in kinds:
            b.write(rng.choice([f"{total} += {x};", f"{total} = {total} + {x};"]))
        if "scalar" in kinds or again:
            b.write(f"{total}_s += sum({x});")
        if "max" in kinds:
            b.write(f"{total}_m = maximum({total}_m, max(where({mask}, {x}, {type_.name}(-1000))));")
        if scanned:
            name = b.kernel.name("c")
            b.write(f"auto {name} = cumsum({x}) + {total}_c;", f"store({scanned} + {row} * n + {j}, {name}, {mask});", f"{total}_c += sum({x});")
        b.margin = ""
        b.write("}")
    for part, text in (("tile", f"sum({total})"), ("scalar", f"{total}_s"), ("max", f"{total}_m"), ("scan", f"{total}_c")):
        if part in kinds:
            b.write(f"store({sums} + {row} * 4 + {kinds.index(part)}, {text});")
    return row


def blocks(b):
    """A program has ROWS x COLUMNS elements of a matrix: also transposed, and reduced if it has whole rows."""
    rng = b.rng
    whole = rng.random() < 0.4
    height, width = b.extent("ROWS", SMALL_BLOCKS), b.extent("COLUMNS", [512] if whole else [8, 16, 32, 64, 128, 24])
    p, q, r, c, mask = (b.kernel.name(name) for name in "pqrcm")
    if whole:
        b.extents["COLUMNS"] = [512, 320, 400, 1024]
        b.extents["ROWS"] = [1, 2, 3, 4]
        b.write(f"auto {p} = grid(cdiv(m, {height}));", f"auto {c} = arange<{width}>()[none, all];")
    elif rng.random() < 0.5:
        b.write(f"auto [{p}, {q}] = grid(cdiv(m, {height}), cdiv(n, {width}));", f"auto {c} = ({q} * {width} + arange<{width}>())[none, all];")
    else:
        b.write(f"auto {p}_1 = grid(cdiv(m, {height}) * cdiv(n, {width}));", f"auto [{p}, {q}] = swizzle2d({p}_1, cdiv(m, {height}), cdiv(n, {width}), 2);",
                f"auto {c} = ({q} * {width} + arange<{width}>())[none, all];")
    b.write(f"auto {r} = ({p} * {height} + arange<{height}>())[all, none];", f"auto {mask} = ({r} < m) & ({c} < n);")
    shape = (ANY, ANY)
    leaves = [b.loaded(rng.choice([f"{r} * n + {c}", f"({c} * m + {r})"]), mask, shape) for _ in range(rng.choice([1, 2]))]
    leaves += [Value(r, I64, (ANY, 1), 0, 200), Value(c, I32 if whole else I64, (1, ANY), 0, 2048)]
    type_ = rng.choice([I32, F32])
    x = b.kernel.name("t")
    b.write(f"auto {x} = {b.full(leaves, type_, 100, 3).text};")
    out = b.output(type_, MOST * 40)
    at = rng.choice([f"{r} * n + {c}", f"{c} * m + {r}"])
    b.write(f"store({out} + ({at}), {x}, {mask});")
    if whole:
        y = b.kernel.name("t")
        b.write(f"auto {y} = where({mask}, {x}, {type_.name}(0));")
        row = f"{p} * {height} + arange<{height}>()"
        sums = b.output(type_, 40)
        b.write(f"store({sums} + ({row}), {rng.choice(['sum', 'max', 'min'])}<1>({y}), {row} < m);")
        if rng.random() < 0.5:
            b.write(f"store({b.output(type_, MOST * 40)} + ({r} * n + {c}), cumsum<1>({y}), {mask});")
        if rng.random() < 0.3:
            b.write(f"store({b.output(I32, 40)} + ({row}), argmax<1>({y}), {row} < m);")
    return f"{p}_1" if any(f"{p}_1" in line for line in b.scope.lines) else p if whole else f"({p} + {q})"


def products(b):
    """A matmul of m x l and l x n elements."""
    rng = b.rng
    a_type, b_type, sum_type, precision = rng.choice(matmuls.KINDS)
    b.inputs = [("in0", a_type), ("in1", b_type)]
    height, width, depth = b.extent("BLOCK_M", [16, 32, 64, 48]), b.extent("BLOCK_N", [16, 32, 64, 8]), b.extent("BLOCK_K", [16, 32, 64])
    b.numbers["l"] = rng.choice([[64, 40], [96, 33], [17, 128], [0, 50]])
    p, q, r, c, k, d, acc = (b.kernel.name(name) for name in "pqrckda")
    b.write(f"auto [{p}, {q}] = grid(cdiv(m, {height}), cdiv(n, {width}));")
    b.write(f"auto {r} = ({p} * {height} + arange<{height}>())[all, none];", f"auto {c} = ({q} * {width} + arange<{width}>())[none, all];")
    b.write(f"auto {acc} = zeros<{sum_type.name}, {height}, {width}>();")
    stages = f", {{.num_stages = {rng.randrange(1, 5)}}}" if rng.random() < 0.4 else ""
    b.write(rng.choice([f"for (int {k} = 0; {k} < l; {k} += {depth}) {{", f"for (auto {k} : range(0, l, {depth}{stages})) {{"]))
    b.margin = "  "
    b.write(f"auto {d} = {k} + arange<{depth}>();")
    if rng.random() < 0.4:
        # Rows and columns past the end repeat other ones, and are not stored.
        x = b.loaded(f"({r} % m * l + {d}[none, all])", f"{d}[none, all] < l", (ANY, ANY), 0)
        y = b.loaded(f"({d}[all, none] * n + {c} % n)", f"{d}[all, none] < l", (ANY, ANY), 1)
    else:
        x = b.loaded(f"({r} * l + {d}[none, all])", f"({r} < m) & ({d}[none, all] < l)", (ANY, ANY), 0)
        y = b.loaded(f"({d}[all, none] * n + {c})", f"({d}[all, none] < l) & ({c} < n)", (ANY, ANY), 1)
    lines = b.scope.lines
    lines[-2:] = [line.replace(", 1);", ");").replace(", 2);", ");") for line in lines[-2:]]  # zeros beyond the end
    more = f", {precision}" if precision else ""
    b.write(f"{acc} += dot({x.text}, {y.text});" if not more and rng.random() < 0.5 else f"{acc} = dot({x.text}, {y.text}, {acc}{more});")
    b.margin = ""
    b.write("}")
    out = b.output(sum_type, MOST * 40)
    end = rng.choice([acc, acc, f"maximum({acc}, 0)", f"{acc} + {c}", f"where({acc} > 8, {acc}, 0)"])
    b.write(f"store({out} + ({r} * n + {c}), {end}, ({r} < m) & ({c} < n));")
    return f"({p} + {q})"


KINDS = [(3, elements), (4, rows), (3, blocks)]


def case(name, rng, palette, kernel, finish):
    """A Program, which `finish` gives odd names and a type parameter."""
    b = Body(rng, palette, kernel)
    kinds = KINDS + [(4, products)] * palette.products
    kind = rng.choices([k for _, k in kinds], [w for w, _ in kinds])[0]
    b.numbers = {"n": rng.sample([37, 100, 256, 1, 0, 300, 64], 2), "m": rng.sample([1, 5, 17, 3, 40], 2)}
    if kind is products:
        b.numbers["n"] = rng.sample([37, 64, 1, 100], 2)
    program = kind(b)
    how = rng.choice(["select", "tune", "tune"])
    if how == "select":
        mark = b.output(I32, 8)
        for k, e in enumerate(b.extents):
            b.write(f"if ({program} == 0) store({mark} + {k}, {e});")
    b.scope.lines += b.tail
    same = rng.random() < 0.4
    candidates = []
    options = options_of(rng, palette)
    names = list(b.extents)
    for _ in range(rng.choice([2, 2, 3, 4])):
        extents = [rng.choice(b.extents[e]) for e in names]
        if same and candidates:
            extents[1:] = candidates[0][0][1:]
        candidates.append((extents, options if same else options_of(rng, palette)))
    if how == "select" and rng.random() < 0.8:
        bound = rng.choice([f"n <= {names[-1]} * {rng.choice([1, 2, 4])}", f"n % {names[-1]} == 0", f"m >= {names[0]} || n < 64"])
        b.scope.lines.insert(0, f"require({bound});")
    parameters = [Parameter.parse(f"const {t.name}* {i} = small({MOST * 40 + 1024})") for i, t in b.inputs]
    for out, (type_, size) in b.outputs.items():
        exact = ", 0, 0" if type_.kind == "f" else ""
        parameters.append(Parameter.parse(f"{type_.name}* {out} = out({size}{exact})"))
    parameters += [Parameter.parse(f"int {number}") for number in b.numbers]
    runs = [{number: values[k] for number, values in b.numbers.items()} for k in range(2)]
    runs[0]["shift"] = rng.choice([0, 0, 1])
    key = "key{" + ", ".join(f'"{k}"' for k in rng.sample(list(b.numbers), rng.randrange(3))) + "}, " if how == "tune" else ""
    template = "template <" + ", ".join(f"int {e}" for e in names) + ">"
    made = [(0, "<" + ", ".join(map(str, extents)) + ">", text) for extents, text in candidates]
    form = "pack" if same and rng.random() < 0.6 else rng.choice(FORMS)
    program = Program(name, parameters, "\n".join(b.scope.lines), runs, template=template, restrict=rng.random() < 0.8,
                      launchers=[Launcher(how, made, key, form)], space=f"{name}_s" if rng.random() < 0.1 else "")
    return finish(rng, program)


def options_of(rng, palette):
    text = f".num_warps = {rng.choice([4, 8] if palette.products else [1, 2, 3, 4, 5, 8])}"
    if rng.random() < 0.6:
        text += f", .num_stages = {rng.randrange(1, 4 if palette.products else 6)}"
    return text
