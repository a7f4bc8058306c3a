"""Random statements: definitions, assignments, stores, branches, loops."""

import dataclasses
import re

import matmuls
import values as v
from expressions import Expressions, Scope, list_of
from extremes import Term, constant
from values import BOOL, F32, I32, I64, U32, U64, Value, literal


class Statements:
    """Writes random statements of one kernel."""

    def __init__(self, rng, palette, kernel):
        self.rng = rng
        self.palette = palette
        self.kernel = kernel
        self.expressions = Expressions(rng, palette)

    def block(self, scope, budget):
        """Some statements, nested ones included."""
        while budget > 0:
            budget -= self.statement(scope, budget)

    def statement(self, scope, budget):
        """One statement, with what it holds; returns how much of the budget it took."""
        rng = self.rng
        kinds = [
            (8, self.define), (3, self.define_scalar), (4, self.define_mutable), (6, self.assign), (5, self.store),
            (2, self.in_place), (1, self.atomic), (1.5, self.descriptor), (2, self.library), (1, self.lambda_), (1.5, self.combine),
            (1, self.scalar_store), (1, self.alias), (2, self.reread), (1, self.exchange), (1, self.strided), (0.7, self.function_store),
            (0.5, self.function_of_own), (2, self.memory), (2, self.object), (2.5, self.rare), (1.5 if scope.calls else 0, self.call),
            (1.5, self.optional),
        ]
        if scope.depth == 0 and not self.kernel.is_helper:
            kinds.append((1.5, self.together))
        if budget > 2 and scope.depth < 3:
            kinds += [(4, self.branch), (6, self.loop), (1, self.switch), (2, self.handed_on)]
        if self.kernel.products and scope.depth < 2:
            kinds.append((6, lambda s, b: matmuls.matmul(self, s, b)))
        if scope.in_loop and not scope.unrolled:
            kinds.append((1, self.jump))
        maker = rng.choices([m for _, m in kinds], [w for w, _ in kinds])[0]
        return maker(scope, budget) or 1

    def shape(self):
        return self.rng.choice(self.palette.shapes)

    # ---- Variables

    def define(self, scope, budget):
        """A variable that no statement assigns to."""
        scope.let(self.expressions.tile(scope, self.shape(), 3))

    def define_scalar(self, scope, budget):
        """The same, of a scalar."""
        scope.let(self.expressions.scalar(scope, 2))

    def define_mutable(self, scope, budget):
        """A variable that later statements assign to, within fixed bounds."""
        rng = self.rng
        shape = self.shape() if rng.random() < 0.7 else ()
        x = self.expressions.tile(scope, shape, 2)
        if x.type.kind == "b":
            limit = 1
        else:
            limit = rng.choice([100, 999, 60])
            if x.type.kind == "f":
                limit = min(limit, x.type.whole)
            limit = min(limit, x.type.range()[1])
            x = v.to_range(x, x.type, limit)
        name = self.kernel.name("x" if shape else "m")
        lo = 0 if x.type.kind in "bu" else -limit
        if rng.random() < 0.2 and shape and x.exact:
            scope.write(f"tile<{x.type.name}, {list_of(shape)}> {name} = {x.text};")
        elif not shape:
            scope.write(f"{x.type.name} {name} = {x.text};")
        else:
            scope.write(f"auto {name} = {x.text};")
        scope.add(Value(name, x.type, shape, lo, limit), limit=limit)

    def assign(self, scope, budget):
        """An assignment to a variable in sight; defines one if there is none."""
        targets = [x for x in scope.variables if x.limit and not x.accumulator]
        if not targets:
            return self.define_mutable(scope, budget)
        target = self.rng.choice(targets)
        scope.write(self.assignment(scope, target, 2))

    def assignment(self, scope, target, depth):
        """The text of an assignment that keeps the variable within its bounds."""
        old = target.value
        x = self.expressions.tile(scope, old.shape, depth)
        if self.rng.random() < 0.6:
            x = self.expressions.binary(scope, old, x)
        if x.shape != old.shape:
            x = v.where(Value("true", BOOL, (), 0, 1), x, old)
        wide = old.type.bits >= 32 and x.type is old.type and old.type.kind != "b" and x.exact
        if wide and x.within(-1000, 1000) and self.rng.random() < 0.15:
            # By a compound assignment, whose result is brought back into the bounds.
            again = v.to_range(Value(old.text, old.type, old.shape, -2000, 2000), old.type, target.limit)
            return f"{{ {old.text} {self.rng.choice(['+=', '-='])} {x.text}; {old.text} = {again.text}; }}"
        x = v.to_range(x, old.type, target.limit)
        return f"{old.text} = {x.text};"

    # ---- Memory

    def store(self, scope, budget):
        """An output of its own for this statement."""
        rng = self.rng
        shape = self.shape()
        tiles = [x.value for x in scope.variables if x.value.shape]
        if tiles and rng.random() < 0.6:
            x = rng.choice(tiles[-8:])
            shape = x.shape
        else:
            x = self.expressions.tile(scope, shape, 2)
            scope.texts.append(x)
        output = self.kernel.output(x.type)
        at, span = self.own_offsets(scope, shape)
        start = output.reserve(span)
        if output.type.kind != "f" and x.type.kind == "f":
            x = v.smaller(x)
            if output.type.kind == "u":
                x = v.absolute(x)
        pointer = f"{output.name} + ({self.kernel.program_text()} * {output.region()} + {start} + {at})"
        if rng.random() < 0.45:
            mask = self.expressions.mask(scope, shape, 1)
            scope.write(f"store({pointer}, {x.text}, {mask.text});")
        else:
            scope.write(f"store({pointer}, {x.text});")

    def own_offsets(self, scope, shape):
        """Offsets that are all different, and how many elements they span."""
        rng = self.rng
        size = Value("", I32, shape).size()
        flat = self.expressions.flat(shape)
        kind = rng.randrange(8)
        if kind > 5:
            text = self.expressions.extreme_offset(scope, Term(flat, I32, ((0, size - 1),) * 2), 64)
            if text:
                return text, size + 64
        if kind == 0 and len(shape) == 2:
            rows, columns = (self.expressions.along(shape, k).text for k in (0, 1))
            return f"({rows} + {columns} * {shape[0]})", size
        if kind == 1 and len(shape) == 2 and self.kernel.stride:
            rows, columns = (self.expressions.along(shape, k).text for k in (0, 1))
            gap = f" * {self.kernel.gap}" if self.kernel.gap and shape[1] <= 20 and rng.random() < 0.5 else ""
            return f"({rows} * {self.kernel.stride} + {columns}{gap})", shape[0] * self.kernel.largest_stride
        if kind == 2:
            return f"({size - 1} - {flat})", size
        if kind == 3 and size % 2 == 0:
            return f"({flat} ^ 1)", size
        return flat, size

    def in_place(self, scope, budget):
        """Reads and writes one part of a buffer, in another order."""
        rng = self.rng
        buffer = self.kernel.changed()
        shape = self.shape()
        size = Value("", I32, shape).size()
        start = rng.randrange(0, 64)
        base = f"({self.kernel.program_text()} * {buffer.region_size} + "
        first = self.permuted_offsets(shape, size)
        second = self.permuted_offsets(shape, size)
        name = self.kernel.name("t")
        name_of = rng.choice(buffer.names)
        scope.write(f"auto {name} = load({name_of} + {base}{start} + {first}));")
        x = scope.add(Value(name, buffer.type, shape, -1000, 1000))
        y = self.expressions.binary(scope, x, self.expressions.near(scope, shape, 1))
        y = v.to_range(y if y.shape == shape else x, buffer.type, buffer.limit)
        name_of = rng.choice(buffer.names)
        start = rng.choice([start, start, rng.randrange(0, 64)])
        mask = f", {self.expressions.mask(scope, shape, 1).text}" if rng.random() < 0.3 else ""
        scope.write(f"store({name_of} + {base}{start} + {second}), {y.text}{mask});")

    def permuted_offsets(self, shape, size):
        """A permutation of 0 to `size` - 1, the number of elements of `shape`, as a tile of that shape."""
        flat = self.expressions.flat(shape)
        kind = self.rng.randrange(4)
        if kind == 0 and len(shape) == 2:
            rows, columns = (self.expressions.along(shape, k).text for k in (0, 1))
            return f"({rows} + {columns} * {shape[0]})"
        if kind == 1:
            return f"({size - 1} - {flat})"
        return flat

    def scalar_store(self, scope, budget, x=None):
        """An element of an output for this statement."""
        x = x or self.expressions.scalar(scope, 2)
        output = self.kernel.output(x.type)
        start = output.reserve(1)
        if output.type.kind != "f" and x.type.kind == "f":
            x = v.smaller(x)
            if output.type.kind == "u":
                x = v.absolute(x)
        scope.write(f"store({output.name} + {self.kernel.program_text()} * {output.region()} + {start}, {x.text});")

    def alias(self, scope, budget):
        """A pointer that is advanced, or a tile of pointers in a variable."""
        if not self.kernel.inputs:
            return 1
        rng = self.rng
        source = rng.choice(self.kernel.inputs)
        shape = self.shape()
        name = self.kernel.name("p")
        scope.write(f"auto {name} = {source.name} + {self.expressions.offsets(scope, shape, 1)};")
        if rng.random() < 0.5:
            scope.write(f"{name} += {self.expressions.index(scope, 64).text};")
        scope.let(dataclasses.replace(source.value, text=f"load({name})", shape=shape))
        return 1

    def atomic(self, scope, budget):
        """atomic_add of small numbers to a buffer of 64 sums that all programs share."""
        rng = self.rng
        sums = self.kernel.sums()
        shape = rng.choice([s for s in self.palette.shapes if Value("", I32, s).size() <= 64] or [(16,)])
        x = v.to_range(self.expressions.tile(scope, shape, 2), sums.type, 8)
        index = v.whole(self.expressions.tile(scope, shape, 1))
        at = f"({index.text} & 63)" if rng.random() < 0.6 else f"({self.expressions.flat(shape)} % 64)"
        mask = f", {self.expressions.mask(scope, shape, 1).text}" if rng.random() < 0.4 else ""
        # The emulator takes long for many ordered atomics.
        order = "" if scope.depth == 0 and rng.random() < 0.5 else ", memory_order::relaxed"
        scope.write(f"atomic_add({sums.name} + {at}, {x.text}{mask}{order});")

    def function_store(self, scope, budget):
        """A function that is rounded differently on both sides, of a small argument: straight to a buffer with a tolerance."""
        rng = self.rng
        if self.kernel.is_helper:
            return 1
        shape = self.shape()
        x = self.expressions.tile(scope, shape, 2)
        x = f"clamp(cast<float>({x.text}), -8.0f, 8.0f)"
        form = rng.choice([
            "exp({x})", "exp2({x})", "log(abs({x}) + 1.0f)", "log2(abs({x}) + 0.5f)", "sqrt(abs({x}))", "rsqrt(abs({x}) + 0.25f)",
            "sin({x})", "cos({x})", "tanh({x})", "erf({x})", "pow(abs({x}) + 0.5f, 1.5f)", "hypot({x}, 1.5f)", "sigmoid({x})", "silu({x})",
            "softmax<{axis}>({x})", "tan(clamp({x}, -1.0f, 1.0f))", "gelu({x})", "gelu({x}, tanh_approx)", "sum(gelu({x})) + {x}", "sum<{axis}>(exp({x}), keep_dims) + {x}", "exp({x} - max({x}))",
            "atan({x})", "asinh({x})", "sinh({x})", "cosh({x})", "expm1({x})", "log1p(abs({x}))", "cbrt({x})", "erfc({x})", "atan2({x}, 1.5f)",
            "asin(clamp({x}, -1.0f, 1.0f))", "acosh(abs({x}) + 1.25f)", "tgamma(abs({x}) + 1.0f)", "exp10({x} / 4)", "log10(abs({x}) + 1.5f)",
        ])
        text = form.format(x=x, axis=rng.randrange(len(shape)))
        output = self.kernel.rounded_output()
        if rng.random() < 0.15:
            # What one instruction approximates: the manual's bounds.
            output = self.kernel.rounded_output("rough")
            text = rng.choice([f"fast_tanh({x})", f"fast_tanh({x} / 4) * 4", f"gelu({x}, fast_tanh_approx)"])
        elif rng.random() < 0.1:
            text = f"randn({rng.choice(['7', '0', str(2**40 + 5)])}, {self.expressions.flat(shape)} {rng.choice(['', '+ 1', '* 3', '/ 2'])})"
        start = output.reserve(Value("", F32, shape).size())
        at = self.expressions.flat(shape)
        scope.write(f"store({output.name} + ({self.kernel.program_text()} * {output.region()} + {start} + {at}), {text});")
        return 1

    def strided(self, scope, budget):
        """Elements whose distance is an id, a loop variable, a loaded number or a difference: 0 too, where all share an address."""
        rng = self.rng
        if self.kernel.is_helper:
            return 1
        shapes = [s for s in self.palette.shapes if len(s) == 1 and s[0] <= 128] or [(32,)]
        shape = rng.choice(shapes)
        stride = self.expressions.small_term(scope, I32)
        # With a stride of arguments alone, different elements are taken to be apart.
        names = re.findall(r"[a-z_]\w*", stride.text)
        of_arguments = names and not any(re.match(r"(k\d+|pid|few)$", name) for name in names)
        if stride.least() < -7 or stride.most() > 7 or of_arguments and stride.least() <= 0 <= stride.most():
            stride = constant(rng.randrange(0, 7))
        buffer = self.kernel.changed()
        self.kernel.shares_addresses = True
        base = 0 if stride.least() >= 0 else -stride.least() * shape[0]
        name, index = self.kernel.name("q"), self.expressions.along(shape, 0).text
        name_of = rng.choice(buffer.names)
        product = f"{index} * {stride.text}" if rng.random() < 0.5 else f"{stride.text} * {index}"
        scope.write(f"auto {name} = {name_of} + {self.kernel.program_text()} * {buffer.region_size} + {base} + {product};")
        x = self.expressions.binary(scope, Value(f"load({name})", buffer.type, shape, -1000, 1000), self.expressions.scalar(scope, 1))
        if x.shape == shape:
            scope.write(f"store({name}, {v.to_range(x, buffer.type, buffer.limit).text});")
        return 1

    # ---- The order of statements

    def change(self, scope, target):
        """Lines that assign to the variable, mostly under a condition."""
        rng = self.rng
        line = self.assignment(scope, target, 1)
        condition = self.expressions.condition(scope, 1).text
        other = self.assignment(scope, target, 0)
        k = self.kernel.name("k")
        return rng.choice([
            [line],
            [f"if ({condition}) {line}"],
            [f"if ({condition}) {line} else {other}"],
            [f"if ({condition})", f"  for (int {k} = 0; {k} < 2; ++{k}) {line}"],
            [f"for (int {k} = 0; {k} < 3; ++{k}) if ({condition}) {line}"],
            [f"for (int {k} = 0; {k} < 2; ++{k}) {{", f"  {line}", f"  if ({condition}) break;", f"  {other}", "}"],
            [f"[&] {{ {line} }}();"],
            [f"[&] {{ if ({condition}) return; {line} }}();"],
            [f"switch ({self.expressions.index(scope, 4).text}) {{", f"  case 0: {line} break;", f"  case 1: {line} break;", f"  default: {other}", "}"],
            [f"while ({condition}) {{", f"  {line}", "  break;", "}"],
            [f"if ({condition}) {{ if ({self.expressions.condition(scope, 1).text}) {line} }}"],
        ])

    def reread(self, scope, budget):
        """One expression of a variable, read before and after statements that may change the variable."""
        rng = self.rng
        targets = [x for x in scope.variables if x.limit and not x.accumulator]
        if not targets:
            return self.define_mutable(scope, budget)
        target = rng.choice(targets)
        shape = target.value.shape or self.shape()
        x = self.expressions.binary(scope, target.value, self.expressions.near(scope, shape, 1))
        x = rng.choice([x, x, self.expressions.reduction(x, None)]) if x.shape else x
        lines = self.change(scope, target)  # what it needs of the scope stands first
        read = [scope.let(x)]
        scope.lines += lines
        read.append(scope.let(x))
        if rng.random() < 0.4:
            scope.write(self.assignment(scope, target, 1))
            read.append(scope.let(x))
        for value in read:
            self.keep(scope, value)
        return 2

    def keep(self, scope, x):
        """Stores a value that is not to be lost."""
        output = self.kernel.output(x.type, exactly=True)
        start = output.reserve(x.size())
        at = f" + {self.expressions.flat(x.shape)}" if x.shape else ""
        scope.write(f"store({output.name} + ({self.kernel.program_text()} * {output.region()} + {start}{at}), {x.text});")

    def exchange(self, scope, budget):
        """A step as in sorting networks: elements and their partners are exchanged under a condition that both have."""
        rng = self.rng
        sizes = [s for s in self.palette.shapes if s[-1] % 4 == 0 and s[-1] >= 8]
        if not sizes:
            return 1
        shape = rng.choice(sizes)
        count = Value("", I32, shape).size()
        inner = rng.choice([d for d in (1, 2, 4, 8) if count % (4 * d) == 0])
        view = (count // (2 * inner), 2, inner)
        x = scope.let(self.expressions.tile(scope, shape, 2))
        viewed = f"reshape<{list_of(view)}>({x.text})"
        back = lambda text: f"reshape<{list_of(shape)}>({text})"  # noqa: E731
        stretched = lambda text: back(f"broadcast_to<{list_of(view)}>({text})")  # noqa: E731
        best = scope.let(dataclasses.replace(x, text=stretched(f"{rng.choice(['max', 'min'])}<1>({viewed}, keep_dims)")))
        partner = scope.let(dataclasses.replace(x, text=back(f"flip<1>({viewed})")))
        odd = Value(stretched("arange<2>()[none, all, none] == 1"), BOOL, shape, 0, 1)
        group = Value(stretched(f"(arange<{view[0]}>() & 1)[all, none, none] == 0"), BOOL, shape, 0, 1)
        c = v.compare(rng.choice(["<", ">", "=="]), rng.choice([best, x]), rng.choice([partner, x, literal(1)]))
        c = v.bits(rng.choice("^&|"), c, rng.choice([odd, group, v.bits("^", odd, group)]))
        if rng.random() < 0.7:
            c = scope.let(c)
        for y in (v.where(c, x, partner), v.where(c, rng.choice([best, partner]), literal(0)), v.where(c, v.choice("minimum", x, partner), best)):
            if rng.random() < 0.7:
                self.keep(scope, scope.let(y))
        return 2

    # ---- Functions

    def lambda_(self, scope, budget):
        """A lambda that captures what it needs, and a variable with its result."""
        x = self.expressions.tile(scope, self.shape(), 1)
        inner = Scope(self.kernel)
        inner.variables = [*scope.variables]
        inner.depth = 9
        parameter = inner.add(x.named("a"))
        y = self.expressions.binary(inner, parameter, self.expressions.near(inner, x.shape, 1))
        name = self.kernel.name("f")
        lines = " ".join(inner.lines)
        scope.write(f"auto {name} = [&](auto a) {{ {lines} return {y.text}; }};")
        scope.let(dataclasses.replace(y, text=f"{name}({x.text})"))

    def function_of_own(self, scope, budget):
        """Stores what a function of the program's own makes."""
        shape = self.shape()
        make = self.rng.choice([self.expressions.make_map, self.expressions.make_combine])
        x = make(scope, shape, 0)
        if x and x.shape == shape:
            scope.let(x)
        self.store(scope, 1)

    # ---- Branches

    def nested(self, scope, head, budget, tail="}", fill=None):
        """One block within another: `fill` writes it."""
        inner = scope.child()
        if fill:
            fill(inner)
        self.block(inner, budget)
        scope.write(head)
        scope.lines += ["  " + line for line in inner.lines]
        scope.write(tail)

    def branch(self, scope, budget):
        """An `if`, of one line or with blocks."""
        rng = self.rng
        condition = self.expressions.condition(scope, 2)
        if rng.random() < 0.3 and any(x.limit and not x.accumulator for x in scope.variables):
            # Of one line, as people write it.
            target = rng.choice([x for x in scope.variables if x.limit and not x.accumulator])
            line = self.assignment(scope, target, 1)
            scope.write(f"if ({condition.text}) {line}")
            return 2
        part = max(1, min(4, budget // 2))
        self.nested(scope, f"if ({condition.text}) {{", part)
        if rng.random() < 0.5:
            scope.lines.pop()
            self.nested(scope, "} else {", part)
            return 2 * part + 1
        return part + 1

    def switch(self, scope, budget):
        """A switch over a scalar, whose cases have blocks."""
        selector = self.expressions.index(scope, 4)
        inner_scopes = []
        for _ in range(self.rng.randrange(2, 4)):
            inner = scope.child()
            self.block(inner, 1)
            inner_scopes.append(inner)
        scope.write(f"switch ({selector.text}) {{")
        for k, inner in enumerate(inner_scopes):
            label = "default:" if k == len(inner_scopes) - 1 and self.rng.random() < 0.7 else f"case {k}:"
            scope.write(f"  {label} {{")
            scope.lines += ["    " + line for line in inner.lines]
            scope.write("    break;")
            scope.write("  }")
        scope.write("}")
        return 3

    def jump(self, scope, budget):
        """break, continue or return under a condition."""
        word = self.rng.choice(["break", "continue"])
        if self.rng.random() < 0.15 and not self.kernel.is_helper and not self.kernel.persistent:
            word = "return"
        if not scope.in_loop or (word == "continue" and scope.in_loop == "while"):
            word = "break"
        scope.write(f"if ({self.expressions.condition(scope, 1).text}) {word};")

    # ---- What other modules write

    def rare(self, scope, budget):
        import rare

        return rare.statement(self, scope, budget)

    def optional(self, scope, budget):
        import optional

        return optional.statement(self, scope, budget)

    def combine(self, scope, budget):
        import combines

        return combines.statement(self, scope, budget)

    def together(self, scope, budget):
        import together

        return together.statement(self, scope, budget)

    def descriptor(self, scope, budget):
        import descriptors

        return descriptors.statement(self, scope, budget)

    def library(self, scope, budget):
        import library

        return library.statement(self, scope, budget)

    def memory(self, scope, budget):
        import memory

        return (memory.product if self.kernel.products and scope.depth < 2 else memory.loop)(self, scope, budget)

    def object(self, scope, budget):
        import objects

        return objects.define(self, scope, budget)

    def call(self, scope, budget):
        import objects

        return objects.call(self, scope, budget)

    def handed_on(self, scope, budget):
        import loops

        return loops.handed_on(self, scope, budget)

    def loop(self, scope, budget):
        import loops

        return loops.loop(self, scope, budget)
