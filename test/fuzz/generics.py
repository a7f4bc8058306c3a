"""Template parameters that are types or packs, and statements in which they count; default template arguments.

A statement uses a type T for small whole numbers, which all types hold, and converts its result to int: so the bounds
of the result are the same for all instances.
"""

import dataclasses

import values as v
from expressions import list_of
from values import I32, Value

TYPES = ["int", "float", "double", "float16", "bfloat16", "int8_t", "int16_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"]
TYPE_NAMES = ["T", "U", "To", "Op", "From", "E", "Element", "A", "V", "K", "D", "Word", "type_t"]
PACK_NAMES = ["S", "Sizes", "Rest", "Ts", "More", "I", "N_", "Args", "parts"]
SMALL = 7  # the largest number that a type has to hold in a tile; a few of them are added up


@dataclasses.dataclass
class TypeArgument:
    """A parameter `class T`: a type in each instance."""

    name: str
    numbers: list
    default: bool = False
    type: str = "class"

    def declared(self, rng):
        text = f"{rng.choice(['class', 'typename'])} {self.name}"
        return text + (f" = {self.numbers[0]}" if self.default else "")

    def argument(self, k):
        return self.numbers[k]

    def value(self):
        return None


@dataclasses.dataclass
class Pack:
    """The last parameter: `int... S` or `class... Ts`, a list in each instance."""

    name: str
    numbers: list
    of: str  # class, int, or auto
    default: bool = False
    type: str = "pack"

    def declared(self, rng):
        return f"{rng.choice(['class', 'typename']) if self.of == 'class' else self.of}... {self.name}"

    def argument(self, k):
        return ", ".join(map(str, self.numbers[k]))

    def value(self):
        return None


def drawn(rng, taken, count):
    """Some type parameters, and maybe a pack, for so many instances."""
    made = []
    names = rng.sample([n for n in TYPE_NAMES if n not in taken], 2)
    for name in names[: rng.choice([0, 1, 1, 2])]:
        made.append(TypeArgument(name, [rng.choice(TYPES)] * count if rng.random() < 0.5 else [rng.choice(TYPES) for _ in range(count)]))
    pack = None
    if rng.random() < 0.4:
        of = rng.choice(["int", "int", "class", "auto"])
        name = rng.choice([n for n in PACK_NAMES if n not in taken])
        lists = []
        for _ in range(count):
            numbers = TYPES if of == "class" else range(1, 10)
            lists.append([rng.choice(numbers) for _ in range(rng.choice([0, 1, 2, 3, 3, 5]))])
        pack = Pack(name, lists, of)
    return made, pack


def with_defaults(rng, constants):
    """Gives the last parameters default arguments: those of the first instance."""
    if not constants or constants[-1].type == "pack" or rng.random() < 0.6:
        return
    for constant in constants[-rng.choice([1, 1, 2]) :]:
        constant.default = True


# ---- Statements

# {x}: a tile of ints from 0 to SMALL; {T}: the type; {s}: its shape; {a}: an axis. And the bounds of the result.
TILES = [
    ("cast<int>(cast<{T}>({x}) * cast<{T}>({x}) + cast<{T}>(3))", 0, 60),
    ("cast<int>(full<{T}, {s}>({T}(5)) - cast<{T}>({x}))", -2, 5),
    ("cast<int>(maximum(cast<{T}>({x}), {T}(3)))", 0, 7),
    ("cast<int>(cast<{T}>({x}) / cast<{T}>(2))", 0, 3),
    ("cast<int>(where({x} > 3, cast<{T}>({x}), cast<{T}>(1)))", 0, 7),
    ("{x} * int(sizeof({T}))", 0, 56),
    ("cast<int>(zeros<{T}, {s}>() + cast<{T}>({x}))", 0, 7),
    ("cast<int>(map([]({T} a) {{ if (a > {T}(3)) return {T}(a + a); return a; }}, cast<{T}>({x})))", 0, 14),
    ("cast<int>(reduce<{a}>(cast<{T}>({x}), []({T} a, {T} b) {{ return a > b ? a : b; }}, keep_dims)) + {x}", 0, 14),
    ("cast<int>(max<{a}>(cast<{T}>({x}), keep_dims)) - {x}", -7, 7),
    ("cast<int>(flip<{a}>(cast<{T}>({x})))", 0, 7),
    ("cast<int>([](auto given) {{ return given + given; }}(cast<{T}>({x})))", 0, 14),
    ("cast<int>(cast<{T}>({x}) > {T}(2))", 0, 1),
    ("where(cast<{T}>({x}) == {T}(2), {x}, 9)", 0, 9),
    ("cast<int>(sum<{a}>(cast<{T}>({x}) > {T}(4), keep_dims)) + {x}", 0, 520),
]
TWO = [
    ("cast<int>(cast<{U}>(cast<{T}>({x})) + cast<{T}>({x}))", 0, 14),
    ("cast<int>(cast<{T}>({x}) * cast<{U}>({x} + 1))", 0, 56),
    ("cast<int>(cast<{U}>(cast<{T}>({x}) + cast<{T}>({x})))", 0, 14),
    ("cast<int>(minimum(cast<{T}>({x}), cast<{U}>(flip<{a}>({x}))))", 0, 7),
    ("cast<int>(where(cast<{T}>({x}) > {T}(3), cast<{U}>({x}), {U}(1)))", 0, 7),
    ("cast<int>(map([]({T} a, {U} b) {{ return {U}(a) + b; }}, cast<{T}>({x}), cast<{U}>({x})))", 0, 14),
    ("cast<int>(cast<decltype({T}(1) + {U}(1))>({x}))", 0, 7),
]
# Values of a pack of numbers {S} from 1 to 9, or of types {S}; at most five.
NUMBERS = [
    ("({x} + ... + cast<int>({x} == {S}))", (0, 12)),
    ("(({x} * {S}) + ... + {x})", (0, 322)),
    ("{x} + ({S} + ... + 0)", (0, 52)),
    ("{x} + int(sizeof...({S}))", (0, 12)),
    ("{x} + (0 + ... + ({S} > {m} ? 1 : {S}))", (0, 52)),
    ("cast<int>((({x} > {S}) | ... | ({x} == 2)))", (0, 1)),
    ("{x} + [](auto... each) {{ return (each + ... + 0); }}({S}...)", (0, 52)),
    ("({x} + ... + ({S} + {x}))", (0, 87)),
]
CLASSES = [
    ("(cast<int>(cast<{S}>({x})) + ... + {x})", (0, 42)),
    ("{x} + (0 + ... + int(sizeof({S})))", (0, 47)),
    ("{x} + (int({S}({m})) + ... + 1)", (0, 43)),
    ("[](auto... each) {{ return (cast<int>(each) + ...); }}({x}, cast<{S}>({x})...)", (0, 42)),
    ("{x} + int(sizeof...({S}))", (0, 12)),
]


def small_tile(statements, scope, shape):
    """A variable with a tile of integers from 0 to SMALL."""
    x = v.absolute(v.smaller(v.whole(statements.expressions.tile(scope, shape, 2)), SMALL))
    x = x if x.type is I32 else v.cast(x, I32)
    return scope.let(x)


def small_scalar(statements, scope):
    """A scalar from 0 to 7."""
    return statements.expressions.index(scope, 8)


def statement(statements, scope, constants, constant):
    """A statement in which a type parameter, or a pack, counts."""
    rng = statements.rng
    shape = statements.shape()
    x = small_tile(statements, scope, shape)
    m = v.cast(small_scalar(statements, scope), I32)
    axis = rng.randrange(len(shape))
    words = {"x": x.text, "s": list_of(shape), "a": axis, "m": m.text}
    if constant.type == "pack":
        of_pack(statements, scope, constant, words, shape)
        return
    others = [c.name for c in constants if c.type == "class" and c is not constant]
    words["T"], words["U"] = constant.name, rng.choice(others or [rng.choice(TYPES)])
    roll = rng.random()
    if roll < 0.3:
        changing(statements, scope, words, shape)
        return
    text, lo, hi = rng.choice(TWO if roll < 0.6 else TILES)
    statements.keep(scope, scope.let(Value(text.format(**words), I32, shape, lo, hi)))


# Lines that change {n}, a tile of T from 0 to 28, or a scalar of T; and what is read at the end.
LINES = [
    ["auto {n} = zeros<{T}, {s}>();", "for (int {k} = 0; {k} < 3; ++{k}) {n} = cast<{T}>({n} + cast<{T}>({x}));"],
    ["tile<{T}, {s}> {n} = cast<{T}>({x});", "if ({m} > 2) {n} = cast<{T}>({n} + {n});"],
    ["auto {n} = cast<{T}>({x});", "if constexpr (sizeof({T}) > 2) {{", "  {n} = cast<{T}>({n} + {T}(2));", "}} else {{",
     "  {n} = cast<{T}>(flip({n}));", "}}"],
    ["using {n}_t = {T};", "auto {n} = cast<{n}_t>({x});", "for (auto {k} : range({m})) {{", "  {n} = minimum(cast<{n}_t>({n} + {n}_t(1)), {n}_t(20));", "}}"],
    ["auto {n}_f = []<class Each>(Each a) {{ return cast<{T}>(a + a); }};", "auto {n} = {n}_f(cast<{U}>({x}));"],
    ["auto {n}_f = [&](auto a) {{ if constexpr (sizeof(a) == sizeof({T})) return cast<int>(a); else return {x}; }};",
     "auto {n} = {n}_f({T}(1)) + {x};"],
    ["{T} {n}_m = {T}(1);", "for (int {k} = 0; {k} < {m} && {k} < 4; ++{k}) {n}_m = {T}({n}_m + {n}_m);", "auto {n} = {x} + int({n}_m);"],
    ["tile<{T}, {s}> {n}_p[2] = {{cast<{T}>({x}), cast<{T}>({x} + 1)}};", "for (auto {k} : static_range<2>()) {n}_p[{k}] = cast<{T}>({n}_p[{k}] + {n}_p[0]);",
     "auto {n} = cast<int>({n}_p[0]) + cast<int>({n}_p[1]);"],
]


def changing(statements, scope, words, shape):
    """Lines that change a variable whose type depends on a type parameter."""
    rng = statements.rng
    name = statements.kernel.name("y")
    words = {**words, "n": name, "k": statements.kernel.name("k")}
    for line in rng.choice(LINES):
        scope.write(line.format(**words))
    statements.keep(scope, scope.let(Value(f"cast<int>({name})", I32, shape, 0, 60)))


# Statements that go through a pack of numbers, or of types, and add to a tile {n}.
LOOPS = [
    ["auto {n} = {x};", "(({n} += {S}), ...);"],
    ["auto {n} = {x};", "([&] {{ {n} = {n} + cast<int>({x} > {S}); }}(), ...);"],
    ["auto {n} = {x};", "int {n}_a[] = {{1, {S}...}};", "for (int& {k} : {n}_a) {k} += {m};", "for (int {k} : {n}_a) {n} = maximum({n}, {k});"],
    ["auto {n} = {x};", "const int {n}_a[] = {{{S}..., 2}};", "for (auto {k} : {n}_a) {n} += {k};"],
    ["auto {n} = {x};", "tile<int, {s}> {n}_a[] = {{{x}, ({x} + {S})...}};", "for (const auto& {k} : {n}_a) {n} += {k};"],
    ["auto {n} = {x};", "((void)({m} > {S} && ({n} += {S}, true)), ...);"],
    ["auto {n} = {x};", "([&](auto {k}) {{ if ({k} > {m}) return; {n} += {k}; }}({S}), ...);"],
    ["auto {n} = {x};", "int {n}_i = 0;", "((({S} == {m}) || (({n}_i += {S}), false)) || ...);", "{n} += {n}_i;"],
]
TYPE_LOOPS = [
    ["auto {n} = {x};", "(({n} += cast<int>(cast<{S}>({x}))), ...);"],
    ["auto {n} = {x};", "([&]<class Each>(Each {k}) {{ {n} += cast<int>({k}) + int(sizeof(Each)); }}({S}({m})), ...);"],
    ["auto {n} = {x};", "([&](auto {k}) {{ if ({m} > 3) {n} += cast<int>({k}); }}(cast<{S}>({x})), ...);"],
]


def of_pack(statements, scope, pack, words, shape):
    """A statement in which a pack counts."""
    rng = statements.rng
    words = {**words, "S": pack.name}
    numbers = pack.of != "class"
    if rng.random() < 0.5:
        name = statements.kernel.name("y")
        words = {**words, "n": name, "k": statements.kernel.name("k")}
        for line in rng.choice(LOOPS if numbers else TYPE_LOOPS):
            scope.write(line.format(**words))
        x = Value(f"({name} + 0)", I32, shape, 0, 90)
    else:
        text, bounds = rng.choice(NUMBERS if numbers else CLASSES)
        x = Value(text.format(**words), I32, shape, *bounds)
    statements.keep(scope, scope.let(x))
