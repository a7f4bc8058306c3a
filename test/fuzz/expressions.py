"""Random expressions over a typed scope.

A `Scope` knows the variables in sight and collects the lines of the block that is being written. An `Expressions`
object makes values of a wanted shape out of them; what needs a statement of its own (structured bindings, lambdas) is
written to the scope first. Shapes and element types come from a `Palette` that the kernels of one file share, so that
they share template instantiations too.
"""

import dataclasses

import values as v
from extremes import Extremes
from functors import Functors
from moves import Moves, list_of
from narrow import Narrow
from rare import Rare
from values import BOOL, F32, F64, I32, I64, U8, U32, Value, literal

SHAPES = {
    1: [(16,), (32,), (64,), (96,), (128,), (100,), (33,), (256,), (48,), (8,), (7,), (1,), (512,)],
    2: [(8, 8), (4, 16), (16, 16), (3, 32), (5, 7), (1, 64), (32, 1), (16, 32), (12, 10), (2, 64), (32, 4), (64, 2)],
    4: [(2, 3, 4, 2), (1, 2, 8, 2), (4, 2, 2, 8), (2, 2, 2, 2, 2), (2, 1, 3, 2, 4)],
    6: [(2, 2, 2, 2, 2, 2), (1, 2, 3, 1, 2, 4), (2, 1, 2, 2, 2, 2, 2), (2, 2, 2, 1, 2, 2, 2, 2), (1, 1, 2, 3, 2, 1, 2, 2)],
    3: [(2, 4, 8), (3, 2, 16), (2, 2, 2), (4, 1, 16), (8, 3, 4), (16, 2, 2)],
}
COMMON = [F32, I32, I32, v.F16, v.I64, U32, v.BF16, v.I8, U8, v.I16, v.U16, F64, v.U64]


@dataclasses.dataclass
class Palette:
    """The element types and shapes that the kernels of one file share."""

    types: list
    shapes: list
    products: bool = False

    @staticmethod
    def draw(rng, products=False):
        """A random palette; with `products`, for kernels that have dots."""
        shapes = rng.sample(SHAPES[1][:8], 2) + rng.sample(SHAPES[2], 2)
        if rng.random() < 0.5:
            shapes.append(rng.choice(SHAPES[3]))
        if rng.random() < 0.15:
            shapes.append(rng.choice(SHAPES[4]))
        if rng.random() < 0.12:
            shapes.append(rng.choice(SHAPES[6]))
        if rng.random() < 0.3:
            shapes.append(rng.choice(SHAPES[1][8:]))
        return Palette([I32, F32, *rng.sample(COMMON, 3)], shapes, products)


@dataclasses.dataclass
class Variable:
    """A variable in sight, and what may be done to it."""

    value: Value
    limit: int = 0  # of one that may be assigned: its bounds
    accumulator: bool = False


class Scope:
    """The variables in sight, and the lines of the block."""

    def __init__(self, kernel, parent=None):
        self.kernel = kernel
        self.variables = list(parent.variables) if parent else []
        self.lines = []
        self.texts = list(parent.texts) if parent else []  # values that were written before, as expressions
        self.calls = list(parent.calls) if parent else []  # what changes a variable: (text, parameters)
        self.reads = list(parent.reads) if parent else []  # methods: (value, parameters)
        self.in_loop = parent.in_loop if parent else False
        self.unrolled = parent.unrolled if parent else False
        self.depth = parent.depth + 1 if parent else 0

    def write(self, line):
        self.lines.append(line)

    def add(self, value, **more):
        self.variables.append(Variable(value, **more))
        return value

    def let(self, value, prefix=""):
        """A new variable with this value."""
        name = self.kernel.name(prefix or ("s" if not value.shape else "t"))
        self.write(f"auto {name} = {value.text};")
        self.texts.append(value)
        return self.add(value.named(name))

    def child(self):
        """The scope of a block inside this one."""
        return Scope(self.kernel, self)

    def text(self, margin="  "):
        return "\n".join(margin + line for line in self.lines)


class Expressions(Moves, Extremes, Narrow, Functors, Rare):
    """Makes values of a wanted shape from what a scope has."""

    def __init__(self, rng, palette):
        self.rng = rng
        self.palette = palette

    # ---- Scalars

    def scalar(self, scope, depth=2):
        """A scalar: a variable, a number, or an operation on others."""
        rng = self.rng
        known = [x.value for x in scope.variables if not x.value.shape]
        if depth <= 0 or rng.random() < 0.45:
            if known and rng.random() < 0.75:
                return rng.choice(known[-3:] if rng.random() < 0.5 else known)
            return self.number()
        kind = rng.randrange(14)
        if kind == 13:
            return self.rare_scalar(scope)
        if kind == 12:
            return v.ternary(self.condition(scope, depth - 1), self.scalar(scope, depth - 1), self.scalar(scope, depth - 1))
        if kind < 7:
            return self.binary(scope, self.scalar(scope, depth - 1), self.scalar(scope, depth - 1))
        if kind == 7:
            return v.cast(self.scalar(scope, depth - 1), rng.choice(self.palette.types))
        if kind == 8:
            return v.where(self.condition(scope, depth - 1), self.scalar(scope, depth - 1), self.scalar(scope, depth - 1))
        if kind == 9:
            loaded = self.scalar_load(scope)
            if loaded:
                return loaded
        return self.whole_reduction(scope, depth - 1)

    def number(self):
        """A literal, often a number at which something changes."""
        rng = self.rng
        type_ = rng.choice([I32, I32, I32, I32, F32, v.I64, U32, BOOL, *self.palette.types])
        if type_.kind == "b":
            return literal(rng.randrange(2), type_)
        number = rng.choice([0, 1, 2, 3, 5, 7, 8, 16, 31, 32, 63, 100])
        if rng.random() < 0.25 and type_.kind != "u":
            number = -number
        return literal(number, type_)

    def index(self, scope, below, depth=1):
        """A scalar from 0 to below - 1; `below` is a power of two."""
        x = v.whole(self.scalar(scope, depth))
        if x.within(0, below - 1):
            return x
        return Value(f"({x.text} & {below - 1})", v.promoted(x.type, I32), (), 0, below - 1)

    def condition(self, scope, depth=2):
        """A scalar bool."""
        rng = self.rng
        kind = rng.randrange(6)
        if kind == 0 and depth > 0:
            return v.logic(rng.choice(["&&", "||"]), self.condition(scope, depth - 1), self.condition(scope, depth - 1))
        if kind == 1 and depth > 0:
            x = self.tile(scope, rng.choice(self.palette.shapes), depth - 1)
            return Value(f"{rng.choice(['any', 'all_of'])}({x.text})", BOOL, (), 0, 1)
        if kind == 2 and depth > 0:
            return v.unary("!", self.condition(scope, depth - 1))
        op = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return v.compare(op, self.scalar(scope, depth - 1), self.scalar(scope, depth - 1))

    def scalar_load(self, scope):
        """One element of an input; None if there are no inputs."""
        sources = scope.kernel.inputs
        if not sources:
            return None
        source = self.rng.choice(sources)
        at = self.index(scope, 256)
        text = f"load({source.name} + {at.text})" if self.rng.random() < 0.7 else f"{source.name}[{at.text}]"
        return dataclasses.replace(source.value, text=text, shape=())

    def whole_reduction(self, scope, depth):
        """A tile reduced to a scalar, or one of its elements."""
        if self.rng.random() < 0.2:
            return self.element(scope, depth)
        x = self.tile(scope, self.rng.choice(self.palette.shapes), depth)
        return self.reduction(x, None)

    # ---- Tiles

    def tile(self, scope, shape, depth=2):
        """A value of exactly this shape."""
        if not shape:
            return self.scalar(scope, depth)
        rng = self.rng
        known = [x.value for x in scope.variables if x.value.shape == shape]
        if known and (depth <= 0 or rng.random() < 0.4):
            return rng.choice(known[-6:])
        if depth <= 0:
            return self.leaf(scope, shape)
        again = [x for x in scope.texts if x.shape == shape]
        if again and rng.random() < 0.2:
            return rng.choice(again)  # the same expression, maybe of variables that have changed
        makers = [
            (9, self.make_binary), (2, self.make_unary), (3, self.make_cast), (2, self.make_where),
            (2, self.make_choice), (3, self.make_movement), (2, self.make_reduction), (2, self.make_scan),
            (1, self.make_map), (3, self.make_load), (1, self.make_math), (1, self.make_combine), (1, self.make_call),
            (1, self.make_bits_of), (1, self.make_edges), (1, self.make_far_load), (1, self.make_narrowed),
            (0.5, self.make_float8), (0.5, self.make_random), (0.2, self.make_philox), (2, self.make_rare),
        ]
        if not scope.kernel.is_helper:
            makers.append((1.5, self.make_extreme))
        maker = rng.choices([m for _, m in makers], [w for w, _ in makers])[0]
        return maker(scope, shape, depth - 1) or self.leaf(scope, shape)

    def near(self, scope, shape, depth):
        """A value that broadcasts to the shape."""
        rng = self.rng
        roll = rng.random()
        if roll < 0.2:
            return self.scalar(scope, depth)
        if roll < 0.35 and len(shape) > 1:
            part = tuple(1 if rng.random() < 0.5 else extent for extent in shape)
            if rng.random() < 0.3:
                part = part[1:]
            return self.tile(scope, part, depth)
        return self.tile(scope, shape, depth)

    def leaf(self, scope, shape):
        """A tile that needs no other: loaded, constant or of indices."""
        rng = self.rng
        kind = rng.randrange(5)
        if kind < 2:
            loaded = self.make_load(scope, shape, 0)
            if loaded:
                return loaded
        if kind == 2:
            type_ = rng.choice(self.palette.types)
            number = literal(rng.randrange(0, 9), type_ if rng.random() < 0.5 else I32)
            text = f"full<{type_.name}, {list_of(shape)}>({number.text})"
            return Value(text, type_, shape, number.lo, number.hi)
        axis = rng.randrange(len(shape))
        if len(shape) == 1 and rng.random() < 0.8:
            first = rng.choice([0, 0, 0, 1, -2, 5])
            text = f"arange<{shape[0]}>()" if first == 0 else f"arange<{first}, {first + shape[0]}>()"
            return Value(text, I32, shape, first, first + shape[0] - 1)
        return Value(f"iota<{axis}, {list_of(shape)}>()", I32, shape, 0, shape[axis] - 1)

    def binary(self, scope, a, b):
        """An operation of two values whose shapes broadcast."""
        rng = self.rng
        kind = rng.choices(range(7), [8, 2, 3, 2, 3, 1, 2])[0]
        if kind == 0:
            return v.arithmetic(rng.choice("+-*"), a, b)
        if kind == 1:
            return v.division(rng.choice(["/", "%", "%"]), a, b)
        if kind == 2:
            return v.bits(rng.choice("&|^"), a, b)
        if kind == 3:
            return v.shift(rng.choice(["<<", ">>"]), a, b)
        if kind == 4:
            return v.compare(rng.choice(["<", "<=", ">", ">=", "==", "!="]), a, b)
        if kind == 5:
            return v.logic(rng.choice(["&&", "||"]), a, b)
        return v.choice(rng.choice(["minimum", "maximum"]), a, b)

    def make_binary(self, scope, shape, depth):
        """An operation of a tile and a value that broadcasts to it."""
        a, b = self.tile(scope, shape, depth), self.near(scope, shape, depth)
        return self.binary(scope, a, b) if self.rng.random() < 0.6 else self.binary(scope, b, a)

    def make_choice(self, scope, shape, depth):
        """The smaller or the larger of two values, or a value between two bounds."""
        a, b = self.tile(scope, shape, depth), self.near(scope, shape, depth)
        if self.rng.random() < 0.3:
            low = self.rng.randrange(-20, 5) if a.type.kind != "u" else 1
            return v.choice("minimum", v.choice("maximum", a, literal(low)), literal(low + 9))
        return v.choice(self.rng.choice(["minimum", "maximum", "min", "max"]), a, b)

    def make_unary(self, scope, shape, depth):
        """An operation of one tile."""
        x = self.tile(scope, shape, depth)
        op = self.rng.choice(["-", "~", "!", "abs"])
        return v.absolute(x) if op == "abs" else v.unary(op, x)

    def make_cast(self, scope, shape, depth):
        """A conversion, sometimes by way of another type, of a tile or of numbers at the ends of ranges."""
        rng = self.rng
        edges = rng.random() < 0.35
        x = self.make_edges(scope, shape, depth) if edges else self.tile(scope, shape, depth)
        types = [BOOL, *self.palette.types, *self.palette.types]
        if rng.random() < 0.4:
            # A cast by way of another type. An optimizer may wrongly think that it changes nothing.
            x = v.cast(x, rng.choice([F64, F64, F32, I64, *self.palette.types]))
            types = [F32, v.BF16, v.F16, *self.palette.types]
        rounding = "rz" if rng.random() < 0.4 and x.type.kind == "f" else ""
        return v.cast(x, rng.choice([F32, v.BF16, *types] if edges else types), rounding)

    def make_edges(self, scope, shape, depth):
        """Integers next to powers of two: where conversions round, and ranges end."""
        rng = self.rng
        type_ = rng.choice([I32, I64, v.U64, U32])
        axis = rng.randrange(len(shape))
        index = f"cast<{type_.name}>(iota<{axis}, {list_of(shape)}>())"
        more = rng.choice([-1, 0, 1, 1, 3]) if type_.kind == "i" else rng.choice([0, 1, 3])
        first = rng.choice([0, 1, 129, 255])
        most = type_.bits - 2 - (2 * shape[axis] + first).bit_length()
        up = rng.randrange(0, most + 1) if rng.random() < 0.6 else most - rng.randrange(3)
        text = f"(((({index} * 2) + {first}) << {up}) + {more})"
        if type_.kind == "i" and rng.random() < 0.3:
            return Value(f"(-{text})", type_, shape, -((2 * shape[axis] + first) << up) - 3, 1)
        return Value(text, type_, shape, min(0, more), ((2 * shape[axis] + first) << up) + 3)

    def make_far_load(self, scope, shape, depth):
        """Two rows that are very far apart, of which the mask keeps one."""
        if len(shape) != 2 or shape[0] != 2 or not scope.kernel.inputs:
            return None
        rng = self.rng
        source = rng.choice(scope.kernel.inputs)
        first, far = scope.kernel.far()
        rows = f"({first} + arange<-2, 0>())[all, none]"
        column = self.along(shape, 1).text
        text = f"load({source.name} + ({rows} * {far} + {column}), {rows} < 1)"
        value = source.value
        return dataclasses.replace(value, text=text, shape=shape, lo=min(0, value.lo), hi=max(0, value.hi))

    def make_bits_of(self, scope, shape, depth):
        """bitcast between integers of one size, or of whole floats."""
        x = self.tile(scope, shape, depth)
        if x.type.kind == "f":
            if not x.exact:
                return None
            to = {16: v.I16, 32: U32, 64: v.I64}[x.type.bits]
            return Value(f"bitcast<{to.name}>({x.text} + 0)", to, shape, *to.range())
        to = {8: v.I8, 16: v.U16, 32: U32 if x.type is I32 else I32, 64: v.U64}.get(x.type.bits)
        if x.type.kind == "b" or to is None:
            return None
        lo, hi = (x.lo, x.hi) if v.fits(to, x.lo, x.hi) else to.range()
        return Value(f"bitcast<{to.name}>({x.text})", to, shape, lo, hi)

    def make_where(self, scope, shape, depth):
        """A choice between two values, element by element."""
        c = v.truth(self.near(scope, shape, depth))
        return v.where(c, self.tile(scope, shape, depth), self.near(scope, shape, depth))

    def make_math(self, scope, shape, depth):
        """A floating-point value that is rounded the same everywhere."""
        x = self.tile(scope, shape, depth)
        if x.type.kind != "f":
            x = v.cast(v.smaller(x), self.rng.choice([F32, v.F16, F64]))
        kind = self.rng.randrange(4)
        if kind == 0:
            return dataclasses.replace(x, text=f"{self.rng.choice(['floor', 'ceil', 'rint'])}({x.text})")
        if kind == 1:
            return Value(f"sqrt_rn({v.absolute(x).text})", x.type, shape, exact=False)
        y = v.nonzero(v.cast(v.smaller(self.near(scope, shape, depth)), x.type))
        if kind == 2:
            return Value(f"div_rn({x.text}, {y.text})", x.type, shape, exact=False)
        z = v.smaller(self.near(scope, shape, depth), 3)
        if not (x.exact and y.exact and z.exact):
            return None
        x, y = v.smaller(x, 12), v.smaller(y, 12)
        if z.type.kind != "f" or z.type is not x.type or y.type is not x.type:
            z, y = v.cast(z, x.type), v.cast(y, x.type)
        return Value(f"fma({x.text}, {y.text}, {z.text})", x.type, shape, -147, 147)

    # ---- Reductions, scans

    def reduction(self, x, axis, keep=False, name=None):
        """x reduced over an axis, or over all; with the bounds of the result."""
        rng = self.rng
        name = name or rng.choice(["sum", "sum", "max", "min", "argmax", "argmin", "xor_sum", "any", "all_of"])
        if name == "xor_sum":
            x = v.whole(x)
        count = x.size() if axis is None else x.shape[axis]
        over = "" if axis is None else f"<{axis}>"
        more = ", keep_dims" if keep else ""
        if axis is None:
            shape = (1,) * len(x.shape) if keep else ()
        else:
            shape = x.shape[:axis] + ((1,) if keep else ()) + x.shape[axis + 1 :]
        if name == "sum":
            x, type_ = self.summable(x, count)
            return Value(f"sum{over}({x.text}{more})", type_, shape, min(0, x.lo) * count, max(0, x.hi) * count)
        text = f"{name}{over}({x.text}{more})"
        if name in ("argmax", "argmin"):
            return Value(text, I32, shape, 0, count - 1)
        if name in ("any", "all_of"):
            return Value(text, BOOL, shape, 0, 1)
        if name == "xor_sum":
            lo, hi = v.bit_range(x.lo, x.hi)
            lo, hi = max(lo, x.type.range()[0]), min(hi, x.type.range()[1])
            return Value(text, x.type, shape, lo, hi)
        return Value(text, x.type, shape, x.lo, x.hi, x.exact)

    @staticmethod
    def summable(x, count):
        """x, small enough for a sum of `count`; the type of the sum."""
        if x.type.kind == "f":
            type_ = F32 if x.type in (v.F16, v.BF16) else x.type
        elif x.type.kind == "u":
            return x, x.type if x.type.bits >= 32 else U32
        else:
            type_ = x.type if x.type.bits >= 32 and x.type.kind != "b" else I32
        for limit in (2**20, 1000, 100, 12):
            if x.exact and v.fits(type_, x.lo * count, x.hi * count):
                return x, type_
            x = v.smaller(x, limit)
            if x.type.kind != "f" and type_.kind == "i":
                type_ = x.type if x.type.bits >= 32 and x.type.kind != "b" else I32
        return x, type_

    def make_reduction(self, scope, shape, depth):
        """A reduced tile that has the shape, or is stretched to it."""
        rng = self.rng
        larger = [s for s in self.palette.shapes if len(s) == len(shape) + 1]
        fitting = [(s, k) for s in larger for k in range(len(s)) if s[:k] + s[k + 1 :] == shape]
        if fitting and rng.random() < 0.7:
            source, axis = rng.choice(fitting)
            return self.reduction(self.tile(scope, source, depth), axis)
        axis = rng.randrange(len(shape))
        x = self.tile(scope, shape, depth)
        if len(shape) == 1 or rng.random() < 0.3:
            total = self.reduction(x, None)
            return v.arithmetic("+", x, total) if rng.random() < 0.5 else v.compare("<", x, total)
        part = self.reduction(x, axis, keep=True)
        if rng.random() < 0.5:
            return dataclasses.replace(part, text=f"broadcast_to<{list_of(shape)}>({part.text})", shape=shape)
        return self.binary(scope, x, part)

    def make_scan(self, scope, shape, depth):
        """cumsum of numbers whose sums fit, or cumprod of unsigned ones, which wrap around."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        x = self.tile(scope, shape, depth)
        more = ", reverse" if rng.random() < 0.3 else ""
        if rng.random() < 0.7:
            x, type_ = self.summable(x, shape[axis])
            lo, hi = min(0, x.lo * shape[axis], x.lo), max(0, x.hi * shape[axis], x.hi)
            return Value(f"cumsum<{axis}>({x.text}{more})", type_, shape, *((lo, hi) if type_.kind != "u" else type_.range()))
        x = v.whole(x)
        x = v.cast(x, U32)
        return Value(f"cumprod<{axis}>({x.text}{more})", U32, shape, *U32.range())

    # ---- Memory

    def make_load(self, scope, shape, depth):
        """A load from an input, with or without a mask and another value; None if there are no inputs."""
        rng = self.rng
        if not scope.kernel.inputs:
            return None
        source = rng.choice(scope.kernel.inputs)
        at = self.offsets(scope, shape, depth)
        pointer = f"{source.name} + {at}"
        value = dataclasses.replace(source.value, shape=shape)
        hint = rng.choice([", cache::cg", ", evict::first", ", cache::ca"]) if rng.random() < 0.08 else ""
        if rng.random() < 0.5:
            return dataclasses.replace(value, text=f"load({pointer}{hint})")
        mask = self.mask(scope, shape, depth)
        if rng.random() < 0.4:
            lo, hi = min(0, value.lo), max(0, value.hi)
            return dataclasses.replace(value, text=f"load({pointer}, {mask.text}{hint})", lo=lo, hi=hi)
        other = literal(rng.randrange(0, 9))
        lo, hi = min(other.lo, value.lo), max(other.hi, value.hi)
        return dataclasses.replace(value, text=f"load({pointer}, {mask.text}, {other.text}{hint})", lo=lo, hi=hi)

    def mask(self, scope, shape, depth):
        """A bool tile that broadcasts to the shape: mostly comparisons of indices with bounds."""
        rng = self.rng
        extreme = self.extreme_mask(scope, shape) if rng.random() < 0.3 and not scope.kernel.is_helper else None
        if extreme:
            return extreme
        if rng.random() < 0.6:
            masks = []
            for axis in range(len(shape)):
                if rng.random() < 0.75:
                    bound = rng.choice([self.scalar(scope, 0), self.scalar(scope, 1), literal(shape[axis] // 2 + 1)])
                    index = self.along(shape, axis)
                    if rng.random() < 0.3:
                        index = v.arithmetic(rng.choice("+-"), index, v.smaller(v.whole(self.scalar(scope, 0))))
                    masks.append(v.compare(rng.choice(["<", "<", "<", "<=", ">=", ">", "!="]), index, bound))
            if masks:
                result = masks[0]
                for more in masks[1:]:
                    result = v.bits("&", result, more)
                return result
        return v.truth(self.near(scope, shape, depth))

    @staticmethod
    def along(shape, axis):
        """The index along an axis, as a tile of ones but there."""
        if len(shape) == 1:
            return Value(f"arange<{shape[0]}>()", I32, shape, 0, shape[0] - 1)
        subscripts = ["none"] * len(shape)
        subscripts[axis] = "all"
        part = tuple(e if k == axis else 1 for k, e in enumerate(shape))
        return Value(f"arange<{shape[axis]}>()[{', '.join(subscripts)}]", I32, part, 0, shape[axis] - 1)

    def flat(self, shape):
        """Row-major indices."""
        stride, terms = 1, []
        for axis in reversed(range(len(shape))):
            index = self.along(shape, axis).text
            terms.insert(0, index if stride == 1 else f"{index} * {stride}")
            stride *= shape[axis]
        return "(" + " + ".join(terms) + ")"

    def offsets(self, scope, shape, depth):
        """Offsets into an input of scope.kernel.input_size elements."""
        rng = self.rng
        kind = rng.randrange(6)
        if kind == 0 and depth > 0:
            x = v.whole(self.tile(scope, shape, depth - 1))
            return f"({x.text} & 255)"
        text = self.flat(shape)
        if rng.random() < 0.25:
            text = len(shape) == 2 and self.extreme_rows(scope, shape) or self.extreme_offset_of(scope, shape) or text
        elif kind == 1 and len(shape) == 2:
            rows, columns = self.along(shape, 0).text, self.along(shape, 1).text
            stride = scope.kernel.stride
            if stride is not None and rng.random() < 0.7:
                text = f"({rows} * {stride} + {columns})"
            else:
                text = f"({rows} + {columns} * {shape[0]})"
        elif kind == 3:
            x = v.smaller(v.whole(self.scalar(scope, 1)), 1000)
            if x.type.bits <= 32:
                text = f"(({x.text} * 4 + {text}) % 16 + 16)" if x.type.kind == "i" else text
        elif kind == 2 and len(shape) == 1:
            text = f"(arange<{shape[0]}>() {rng.choice(['* 2', '/ 2', '% 8', '/ 4', '^ 1'])})"
        if scope.kernel.gap and len(shape) <= 2 and rng.random() < 0.5:
            text = self.gaps(scope, shape)
        if rng.random() < 0.6 and scope.kernel.program:
            text = f"({scope.kernel.program} * {rng.choice([64, 256, 100])} + {text})"
        if rng.random() < 0.4:
            text = f"({self.index(scope, 64).text} + {text})"
        return text

    def gaps(self, scope, shape):
        """Offsets of elements that are a parameter apart, along one dimension."""
        gap, stride = scope.kernel.gap, scope.kernel.stride or 40
        if len(shape) < 2:
            return f"(arange<{shape[0]}>() * {gap})" if shape else gap
        rows, columns = self.along(shape, 0).text, self.along(shape, 1).text
        far = stride if shape[1] <= 40 else 3
        return self.rng.choice([
            f"({rows} * {stride} + {columns} * {gap})", f"({gap} * {columns} + {rows} * {shape[1]})",
            f"({rows} * {gap} + {columns} * {shape[0]})", f"({rows} * {gap} + {columns} * {far})",
        ])

    # ---- Functions

    def make_call(self, scope, shape, depth):
        """A call of a helper of this kernel."""
        helpers = [h for h in scope.kernel.helpers if h.value.shape == shape]
        if not helpers:
            return None
        helper = self.rng.choice(helpers)
        arguments = []
        for parameter in helper.parameters:
            x = self.tile(scope, parameter.shape, depth)
            arguments.append(v.to_range(x, parameter.type, parameter.hi).text)
        return helper.value.named(f"{helper.name}({', '.join(arguments)})")
