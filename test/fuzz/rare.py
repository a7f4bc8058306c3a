"""Operations that few programs have: hints, assumptions, odd forms of loads, atomics with old values, 8-bit floats in memory.

A part of Expressions (Rare), and statements.
"""

import dataclasses
import math

import tables
import values as v
from counting import counted_loop
from moves import list_of
from values import BF16, F16, F32, F64, I16, I32, I64, U16, U32, U64, Type, Value, literal

E4M3, E5M2 = (Type(name, "f", 8, 16) for name in ("float8_e4m3", "float8_e5m2"))
LOAD_HINTS = ["cache::ca", "cache::cg", "cache::cs", "cache::cv"] + [f"evict::{x}" for x in ("first", "last", "normal", "unchanged", "no_allocate")]
STORE_HINTS = ["cache::wb", "cache::cg", "cache::cs", "cache::wt"] + [f"evict::{x}" for x in ("first", "last", "normal", "unchanged", "no_allocate")]
ORDERS = ["relaxed", "acquire", "release", "acq_rel"]


class Rare:
    """Makes values by operations that few programs have."""

    def make_rare(self, scope, shape, depth):
        """One of the operations below."""
        makers = [self.rare_high, self.rare_like, self.rare_cdiv, self.rare_divided, self.rare_nan, self.rare_nan_reduction,
                  self.rare_pointers, self.rare_moved_pointers, self.rare_members, self.rare_map, self.rare_negative_axis,
                  self.rare_device_function, self.rare_cuda_text, self.rare_rounded, self.rare_table, self.rare_table]
        if not scope.kernel.is_helper:
            makers += [self.rare_float8, self.rare_hint, self.rare_function_map, self.rare_never_zero, self.rare_never_zero]
        return self.rng.choice(makers)(scope, shape, depth)

    def rare_high(self, scope, shape, depth):
        """The upper half of a product of unsigned or signed numbers."""
        to = self.rng.choice([U32, U64, I32, I64])
        a, b = (v.cast(v.whole(x), to) for x in (self.tile(scope, shape, depth), self.near(scope, shape, depth)))
        function = "umulhi" if to in (U32, U64) and self.rng.random() < 0.7 else "mulhi"
        return Value(f"{function}({a.text}, {b.text})", to, shape, *to.range())

    def rare_rounded(self, scope, shape, depth):
        """A sum, a product or both at once, rounded in a direction; quotients are not exact in 24 or 53 bits."""
        rng = self.rng
        x = v.cast(v.smaller(v.whole(self.tile(scope, shape, depth)), 1000), rng.choice([F32, F64]))
        y = v.cast(v.smaller(v.whole(self.near(scope, shape, depth)), 1000), x.type)
        first, mode = f"div_rn({x.text}, 7)", rng.choice(["rn", "rz", "ru", "rd"])
        text = rng.choice([
            f"add_{mode}({first}, {y.text})", f"mul_{mode}({first}, {y.text})", f"fma_{mode}({first}, {y.text}, {x.text})",
            f"add_{mode}(mul_{mode}({first}, {y.text}), {x.text})",
        ])
        return Value(text, x.type, shape, exact=False)

    def rare_like(self, scope, shape, depth):
        """zeros_like, with a value added."""
        x = self.tile(scope, shape, depth)
        y = self.near(scope, shape, depth)
        return v.arithmetic("+", Value(f"zeros_like({x.text})", x.type, shape, 0, 0), y)

    def rare_cdiv(self, scope, shape, depth):
        """cdiv of a tile."""
        x = v.smaller(v.whole(self.tile(scope, shape, depth)), 1000)
        x = v.cast(x, I32) if x.type is not I32 else x
        by = self.rng.choice([1, 2, 3, 7, 16, 100])
        return Value(f"cdiv({x.text}, {by})", I32, shape, -1000, 1000)

    def rare_divided(self, scope, shape, depth):
        """fdiv, by its qualified name."""
        x = v.cast(v.smaller(self.tile(scope, shape, depth)), self.rng.choice([F32, F64]))
        y = v.nonzero(v.cast(v.smaller(self.tile(scope, shape, depth)), x.type))
        return Value(f"tl::fdiv({x.text}, {y.text})", x.type, shape, exact=False)

    def rare_nan(self, scope, shape, depth):
        """A value with NaNs, if the data have some."""
        rng = self.rng
        x = self.tile(scope, shape, depth)
        x = x if x.type.kind == "f" else v.cast(v.smaller(x), rng.choice([F32, F16, BF16, F64]))
        y = v.cast(v.smaller(self.near(scope, shape, depth)), x.type)
        if rng.random() < 0.3:
            return Value(f"clamp({x.text}, {rng.randrange(-9, 0)}, {rng.randrange(0, 9)}, propagate_nan)", x.type, shape, exact=False)
        return Value(f"{rng.choice(['minimum', 'maximum'])}({x.text}, {y.text}, propagate_nan)", x.type, shape, exact=False)

    def rare_nan_reduction(self, scope, shape, depth):
        """A maximum or minimum that propagates NaN, along an axis, stretched to the shape."""
        rng = self.rng
        x = self.tile(scope, shape, depth)
        x = x if x.type.kind == "f" else v.cast(v.smaller(x), rng.choice([F32, F16, F64]))
        axis = rng.randrange(len(shape))
        axis = axis if rng.random() < 0.5 else axis - len(shape)
        text = f"{rng.choice(['max', 'min'])}<{axis}>({x.text}, keep_dims, propagate_nan)"
        return Value(f"broadcast_to<{list_of(shape)}>({text})", x.type, shape, exact=False)

    def rare_pointers(self, scope, shape, depth):
        """A load through a choice of two tiles of pointers, or of two scalar pointers."""
        if not scope.kernel.inputs:
            return None
        rng = self.rng
        source = rng.choice(scope.kernel.inputs)
        c = v.truth(self.near(scope, shape, depth))
        one, other = (f"{source.name} + {self.offsets(scope, shape, 0)}" for _ in range(2))
        return dataclasses.replace(source.value, text=f"load(where({c.text}, {one}, {other}))", shape=shape)

    def rare_moved_pointers(self, scope, shape, depth):
        """The operands of a pointer's addition in other orders; pointers that were moved as tiles."""
        if not scope.kernel.inputs:
            return None
        rng = self.rng
        source = rng.choice(scope.kernel.inputs)
        at, size = self.offsets(scope, shape, 0), Value("", I32, shape).size()
        pointer = rng.choice([f"{at} + {source.name}", f"({source.name} + {at} + 5 - 5)", f"(({source.name} + 64) + {at} - 64)",
                              f"reshape<{list_of(shape)}>(reshape<{size}>({source.name} + {at}))"])
        return dataclasses.replace(source.value, text=f"load({pointer})", shape=shape)

    def rare_members(self, scope, shape, depth):
        """The size, rank or extent of a tile, as a number."""
        known = [x.value for x in scope.variables if x.value.shape and x.value.text.isidentifier()]
        if not known:
            return None
        x = self.rng.choice(known)
        k = self.rng.randrange(len(x.shape))
        text, number = self.rng.choice([("size", x.size()), ("rank", len(x.shape)), (f"dim({k})", x.shape[k]), (f"dim({k - len(x.shape)})", x.shape[k])])
        member = Value(f"int({x.text}.{text})", I32, (), number, number)
        return v.arithmetic("+", self.tile(scope, shape, depth), member)

    def rare_map(self, scope, shape, depth):
        """map of three values, with functions of the standard library."""
        rng = self.rng
        x, y = (v.cast(v.smaller(v.whole(self.tile(scope, shape, d))), F32) for d in (depth, 0))
        s = v.cast(v.smaller(v.whole(self.scalar(scope, 0))), F32)
        text, low, high = rng.choice([
            ("return std::min(std::fabs(a), b) + c;", -200, 200), ("return std::max(a, c) - floorf(b / 2);", -200, 200),
            ("return std::fmod(a, 8.0f) + (b < c ? b : c);", -108, 108), ("return fmaxf(a, b) * 2 + ceil(c / 4);", -250, 250),
            ("float r = a; a = b; b = r; return a - b + c;", -300, 300), ("auto [p, q] = std::make_tuple(a, b); return p - q + c;", -300, 300),
        ])
        return Value(f"map([](float a, float b, float c) {{ {text} }}, {x.text}, {y.text}, {s.text})", F32, shape, low, high)

    def rare_device_function(self, scope, shape, depth):
        """map with __device__ functions of a header, which the emitted file includes."""
        rng = self.rng
        x = v.cast(v.smaller(v.whole(self.tile(scope, shape, depth))), I32)
        s = v.cast(v.smaller(v.whole(self.scalar(scope, 0))), I32)
        space = "device_functions"
        text, low, high = rng.choice([
            (f"map({space}::collatz_steps, ({x.text} & 31) + 1)", 0, 120),
            (f"map({space}::scaled<int, 3>, {x.text})", -400, 400),
            (f"map([](int a, int b) {{ if (a < b) return {space}::collatz_steps((a & 7) + 1); return {space}::scaled<int, 2>(a - b); }}, {x.text}, {s.text})", -500, 500),
            (f"cast<int>(map({space}::blended, {x.text}, {s.text}, 0.5f))", -120, 120),
            (f"map([](auto e) {{ return {space}::bytes(e); }}, cast<{rng.choice(['int8_t', 'int16_t', 'int64_t', 'uint32_t', 'double'])}>({x.text})) + {space}::bytes({s.text})", 0, 900),
        ])
        return Value(text, I32, shape, low, high)

    def rare_cuda_text(self, scope, shape, depth):
        """A text beside the function that computes the same, with tiles or in a function for map."""
        rng = self.rng
        x = v.cast(v.smaller(v.whole(self.tile(scope, shape, depth))), I32)
        s = v.cast(v.smaller(v.whole(self.scalar(scope, 0))), I32)
        type_ = rng.choice(["int8_t", "int16_t", "int", "int64_t", "float", "double"])  # int converts to these by itself
        text, low, high = rng.choice([
            ('cuda("return a - b;", [](int a, int b) { return a - b; }, {x}, {s})', -400, 400),
            ('cuda(R"(\n      if (a < b) return a;\n      return b;\n    )", [](T a, T b) { return a < b ? a : b; }, {x}, {s})', -400, 400),
            ('cuda("int k = 0; for (; n > 0; n /= 2) ++k; return k;", [](int n) { int k = 0; for (; n > 0; n /= 2) ++k; return k; }, {x})', 0, 32),
            ('map([](int a, int b) { return b % 2 == 0 ? int(cuda("return a;", [](T a) { return T(a); }, a)) : a; }, {x}, {s})', -400, 400),
            ('({x} + cuda("return v;", [](T v) { return v; }, {s}))', -400, 400),
        ])
        text = text.replace("T", type_).replace("{x}", x.text).replace("{s}", s.text)
        return Value(f"cast<int>({text})", I32, shape, low, high)

    def rare_table(self, scope, shape, depth):
        """Numbers of a constant array."""
        return tables.tile(self, scope, shape)

    def rare_never_zero(self, scope, shape, depth):
        """Loaded numbers that are never 0 as divisors, and as arguments of functions that would not return for 0: padding may be neither."""
        rng = self.rng
        at = self.flat(shape)
        divisor = f"load({scope.kernel.positive()} + {rng.choice([at, f'({scope.kernel.program_text()} + {at})'])})"
        if rng.random() < 0.5:
            name = scope.kernel.name("t")
            scope.write(f"auto {name} = {divisor};")
            divisor = name
        divisor = rng.choice([divisor, divisor, f"({divisor} * 3)", f"where({divisor} > 9, {divisor}, 1 + {divisor})", f"min({divisor}, 5)",
                              f"max<{len(shape) - 1}>({divisor}, keep_dims)"])
        x = v.cast(v.smaller(v.whole(self.tile(scope, shape, depth)), 1000), I32).text
        a, r = self.local_names(scope)
        texts = [
            f"({x} / {divisor})", f"({x} % {divisor})", f"cdiv({x}, {divisor})",
            f"({x} + map([](int {a}) {{ while ({a} % 2 == 0) {a} /= 2; return {a}; }}, {divisor}))",
            f"map([=](int {a}, int {r}) {{ return {a} % {r} + 100 / {r}; }}, {x}, {divisor})",
            f"map([](int {a}, int {r}) {{ for (int k = 0; k < 40; k += {r}) ++{a}; return {a}; }}, {x}, {divisor})",
        ]
        return Value(rng.choice(texts), I32, shape, -1100, 1100)

    def rare_function_map(self, scope, shape, depth):
        """map with a function of the program."""
        from functors import BODIES

        kernel = scope.kernel
        body, lo, hi = self.rng.choice([b for b in BODIES if "{s}" not in b[0] and "{t}" not in b[0]])
        name = f"{kernel.title}_h{200 + kernel.counter}"
        kernel.counter += 1
        kernel.functions.append(f"__tile__ int {name}(int a) {{ {body.format(a='a', r='r')} }}\n")
        x = v.cast(v.smaller(v.whole(self.tile(scope, shape, depth))), I32)
        return Value(f"map({name}, {x.text})", I32, shape, lo, hi)

    def rare_negative_axis(self, scope, shape, depth):
        """flip or expand_dims with an axis that is counted from the end."""
        axis = self.rng.randrange(-len(shape), 0)
        x = self.tile(scope, shape, depth)
        if self.rng.random() < 0.5:
            return dataclasses.replace(x, text=f"flip<{axis}>({x.text})")
        rest = list(shape)
        del rest[axis]
        x = self.tile(scope, tuple(rest), depth) if rest else self.scalar(scope, 1)
        if not rest:
            return v.arithmetic("+", x, self.leaf(scope, shape))
        return dataclasses.replace(x, text=f"broadcast_to<{list_of(shape)}>(expand_dims<{axis}>({x.text}))", shape=shape)

    def rare_float8(self, scope, shape, depth):
        """A load from a buffer of 8-bit floats."""
        name, type_ = scope.kernel.float8()
        mask = f", {self.mask(scope, shape, 1).text}" if self.rng.random() < 0.5 else ""
        to = self.rng.choice([F32, F16, BF16, F64])
        return Value(f"cast<{to.name}>(load({name} + {self.offsets(scope, shape, 0)}{mask}))", to, shape, -8, 8)

    def rare_hint(self, scope, shape, depth):
        """Loads with hints of offsets, which are true, and of caches."""
        rng = self.rng
        kernel = scope.kernel
        if not kernel.inputs or len(shape) != 1:
            return None
        source = rng.choice(kernel.inputs)
        by = math.gcd(shape[0], 16)
        at = f"{kernel.program_text()} * 64 + arange<{shape[0]}>()"
        at = rng.choice([f"multiple_of<{by}>({at})", f"max_contiguous<{by}>({at})", f"max_contiguous<{by}>(multiple_of<{by}>({at}))", at])
        hints = rng.choice(["", f", {rng.choice(LOAD_HINTS)}"])
        return dataclasses.replace(source.value, text=f"load({source.name} + {at}{hints})", shape=shape)

    def rare_scalar(self, scope):
        """A scalar of a function that has no tiles, or of a constant array."""
        kernel = scope.kernel
        kind = self.rng.randrange(5)
        if kind > 2:
            return tables.scalar(self, scope)
        x = v.smaller(v.whole(self.scalar(scope, 0)), 1000)
        if kind == 0:
            return Value(f"next_power_of_2({x.text})", I64, (), 1, 1024)
        if kind == 1 and kernel.program and not kernel.is_helper and not kernel.persistent:
            return Value(self.rng.choice(["program_id(0)", "num_programs(0)"]), I64, (), 0, 4)
        x = v.cast(x, I32) if x.type is not I32 else x
        return Value(f"cdiv({x.text}, {self.rng.choice([2, 3, 16])})", I32, (), -1000, 1000)


# ---- Statements


def statement(statements, scope, budget):
    """A statement with an operation that few programs have."""
    if statements.kernel.is_helper:
        return 1
    return statements.rng.choice([assumption, old_values, old_values, compound, compound, stored_float8, hinted_store, effect_store, moving_pointer, printed, printed])(statements, scope) or 1


def assumption(statements, scope):
    """An assumption that holds: about the arguments, or about a value."""
    rng, kernel = statements.rng, statements.kernel
    integers = [(name, numbers) for name, (type_, numbers) in kernel.scalars.items() if type_ in ("int", "int64_t") and all(abs(n) < 2**31 - 1 for n in numbers)]
    if not integers:
        return
    name, numbers = rng.choice(integers)
    kind = rng.randrange(5)
    if kind == 0:
        scope.write(f"assume({name} <= {max(numbers)});")
    elif kind == 1:
        scope.write(f"assume({name} >= {min(numbers)} && {name} < {max(numbers) + 1});")
    elif kind == 2:
        scope.write(rng.choice(["debug_barrier();", f"device_assert({name} <= {max(numbers)});", "static_assert(sizeof(int) == 4);"]))
    else:
        by = math.gcd(*numbers) or 16
        text = f"{rng.choice(['assume_divisible', 'multiple_of'])}<{by}>({name})"
        type_ = v.TYPES[kernel.scalars[name][0]]
        scope.let(Value(text, type_, (), min(numbers), max(numbers)))


def old_values(statements, scope):
    """Atomics on elements of the program's own: each old value is known."""
    rng, kernel = statements.rng, statements.kernel
    buffer = kernel.changed()
    if buffer.type not in (I16, I32, I64, U16, U32, U64, F16, BF16, F32, F64):
        return
    shape = rng.choice([s for s in statements.palette.shapes if Value("", I32, s).size() <= 128] or [(16,)])
    if rng.random() < 0.2:
        shape = ()
    at = f"{kernel.program_text()} * {buffer.region_size} + {rng.randrange(0, 64)}"
    if shape:
        at = f"({at} + {statements.permuted_offsets(shape, Value('', I32, shape).size())})"
    pointer = f"{rng.choice(buffer.names)} + {at}"
    x = v.to_range(statements.expressions.tile(scope, shape, 1), buffer.type, 8)
    more = f", {statements.expressions.mask(scope, shape, 1).text}" if shape and rng.random() < 0.4 else ""
    more += f", memory_order::{rng.choice(ORDERS)}" if rng.random() < 0.7 else ""
    more += f", scope::{rng.choice(['block', 'gpu'])}" if rng.random() < 0.3 else ""
    low = 0 if buffer.type.kind == "u" else -buffer.limit
    kinds = ["add", "add", "min", "max", "xchg", "cas"] + ["sub"] * (buffer.type.kind != "u")
    kinds += ["and", "or", "xor", "inc", "dec"] * (buffer.type.kind != "f")
    kind = rng.choice(kinds)
    expected = ""
    if kind == "cas":
        expected = v.to_range(statements.expressions.tile(scope, shape, 1), buffer.type, 3).text + ", "
    old = Value(f"atomic_{kind}({pointer}, {expected}{x.text}{more})", buffer.type, shape, min(0, low), buffer.limit)
    if rng.random() < 0.7:
        statements.keep(scope, scope.let(old))
    else:
        scope.write(f"{old.text};")
    # The old values are brought back into the bounds of the buffer.
    now = Value(f"load({pointer})", buffer.type, shape, min(low - 8, -128) if low else 0, max(buffer.limit + 8, 127))
    scope.write(f"store({pointer}, {v.to_range(now, buffer.type, buffer.limit).text});")


def compound(statements, scope):
    """A variable that is changed by compound assignments."""
    rng = statements.rng
    shape = statements.shape() if rng.random() < 0.7 else ()
    type_ = rng.choice([I32, I64, U32])
    x = v.to_range(statements.expressions.tile(scope, shape, 1), type_, 100)
    name = statements.kernel.name("x")
    scope.write(f"auto {name} = {x.text};")
    lo, hi = (0, 100) if type_.kind == "u" else (-100, 100)
    for _ in range(rng.choice([1, 2, 3])):
        y = v.to_range(statements.expressions.near(scope, shape, 1) if shape else statements.expressions.scalar(scope, 1), I32, 100)
        op = rng.choice(["*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "+=", "-="])
        if type_ is U32 and y.type is I32:
            y = v.cast(v.absolute(y), U32)
        if op in ("/=", "%="):
            y = v.nonzero(v.absolute(y))
        if op in ("<<=", ">>="):
            y = v.bits("&", y, literal(3))
        line = f"{name} {op} {y.text};"
        if rng.random() < 0.3:
            line = f"if ({statements.expressions.condition(scope, 1).text}) {line}"
        scope.write(line)
        again = v.to_range(Value(name, type_, shape, *(type_.range() if type_ is U32 else (-20000, 20000))), type_, 100)
        scope.write(f"{name} = {again.text};")
    if not shape and rng.random() < 0.5:
        s = statements.kernel.name("s")
        scope.write(f"{type_.name} {s} = {rng.choice(['{0}++', '++{0}', '{0}--', '--{0}']).format(name)};")
        scope.write(f"{name} = {v.to_range(Value(name, type_, (), *(type_.range() if type_ is U32 else (-200, 200))), type_, 100).text};")
        scope.add(Value(s, type_, (), *(type_.range() if type_ is U32 else (-200, 200))))
    value = scope.add(Value(name, type_, shape, lo, hi if type_.kind == "i" else 127), limit=100)
    statements.keep(scope, value)


def stored_float8(statements, scope):
    """A store to a buffer of 8-bit floats."""
    rng = statements.rng
    type_ = rng.choice([E4M3, E5M2])
    output = statements.kernel.output8(type_)
    shape = statements.shape()
    x = statements.expressions.tile(scope, shape, 1)
    x = v.smaller(x, 8)
    x = v.cast(x, rng.choice([F32, F16, BF16, F64])) if x.type.kind != "f" else x
    at, span = statements.expressions.flat(shape), Value("", I32, shape).size()
    start = output.reserve(span)
    mask = f", {statements.expressions.mask(scope, shape, 1).text}" if rng.random() < 0.4 else ""
    value = rng.choice([x.text, f"cast<{type_.name}>({x.text})"])
    scope.write(f"store({output.name} + ({statements.kernel.program_text()} * {output.region()} + {start} + {at}), {value}{mask});")


def printed(statements, scope):
    """A print of few elements by one program; its text begins with the kernel's name, by which batch.py finds the lines."""
    rng, kernel = statements.rng, statements.kernel
    if scope.depth > 1:
        return
    few = [s for s in statements.palette.shapes if Value("", I32, s).size() <= 32] or [(4,)]
    values = [statements.expressions.tile(scope, rng.choice([(), rng.choice(few)]), 1) for _ in range(rng.choice([1, 1, 2]))]
    values = [x if x.exact else v.smaller(x) for x in values]
    kernel.counter += 1
    condition = f"{kernel.program_text()} == 0"
    if rng.random() < 0.3:
        condition += f" && {statements.expressions.condition(scope, 1).text}"
    bits = ", hex" if all(x.type.kind == "i" for x in values) and rng.random() < 0.3 else ""
    scope.write(f'if ({condition}) device_print("{kernel.title} {kernel.counter}", {list_of(x.text for x in values)}{bits});')


def hinted_store(statements, scope):
    """A store with a hint for the caches."""
    rng = statements.rng
    x = statements.expressions.tile(scope, statements.shape(), 1)
    x = scope.let(x)
    output = statements.kernel.output(x.type, exactly=True)
    start = output.reserve(x.size())
    hint = rng.choice(STORE_HINTS)
    scope.write(f"store({output.name} + ({statements.kernel.program_text()} * {output.region()} + {start} + {statements.expressions.flat(x.shape)}), {x.text}, {hint});")


def effect_store(statements, scope):
    """A text that stores the elements of a tile, and one that reads them."""
    rng = statements.rng
    x = scope.let(statements.expressions.tile(scope, statements.shape(), 1))
    output = statements.kernel.output(x.type, exactly=True)
    start = output.reserve(x.size())
    t = x.type.name
    pointer = f"{output.name} + ({statements.kernel.program_text()} * {output.region()} + {start} + {statements.expressions.flat(x.shape)})"
    scope.write(f'cuda("*p = v;", []({t}* p, {t} v) {{ *p = v; }}, writes({pointer}), {x.text});')
    if rng.random() < 0.5:
        name = statements.kernel.name("x")
        scope.write(f'auto {name} = cuda("return *p;", [](const {t}* p) {{ return *p; }}, reads({pointer}));')
        scope.add(x.named(name))


def moving_pointer(statements, scope):
    """A pointer, or a tile of pointers, that a loop carries."""
    rng, kernel = statements.rng, statements.kernel
    if not kernel.inputs:
        return
    source = rng.choice(kernel.inputs)
    shape = statements.shape()
    p, k, acc = kernel.name("p"), kernel.name("k"), kernel.name("x")
    scope.write(f"auto {p} = {source.name} + {statements.expressions.offsets(scope, shape, 0)};")
    trips, by = rng.choice([1, 2, 3, 4]), rng.choice([1, 16, 64, 100])
    type_ = I32 if source.value.type.kind in "iub" else F32
    x = v.to_range(dataclasses.replace(source.value, text=f"load({p})", shape=shape), type_, 16)
    scope.write(f"auto {acc} = zeros<{type_.name}, {list_of(shape)}>();")
    bound = rng.choice([str(trips), f"minimum({kernel.count}, {trips})"])
    step = rng.choice([f"{p} += {by};", f"{p} = {p} + {by};", f"if ({k} % 2 == 0) {p} += {by};", f"{p} = {p} + {k} * {by};"])
    counted_loop(scope, rng, k, bound, [f"{acc} += {x.text};", step])
    scope.add(Value(acc, type_, shape, -64, 64), limit=64)
