"""Binary and unary operators, comparisons, where, minimum, maximum, clamp, fma, umulhi: every element type."""

from case import FLOATS, INTEGERS, SHORT, ULP, Table, ragged, warps_of

table = Table()
ALL = INTEGERS + FLOATS
SIZES = [1, 2, 16, 32, 80, 96, 128, 192, 1000, 1024, 5000]
PROMOTED = {"int8_t": "int", "int16_t": "int", "uint8_t": "int", "uint16_t": "int"}


def promoted(t):
    return PROMOTED.get(t, t)


def size_of(name, sizes=(96, 128, 192, 80, 256)):
    import zlib

    return sizes[zlib.crc32(name.encode()) % len(sizes)]


def block(n, guard=True):
    return f"auto i = grid(cdiv(n, {n})) * {n} + arange<{n}>();\nauto m = i < n;\n"


def stores(outputs):
    return "".join(f"store({name} + i, {expression}, m);\n" for name, expression in outputs)


def division(t):
    return f", {2.1 * ULP[t]}" if t in FLOATS else ""


def arithmetic():
    for t in ALL:
        name = f"arithmetic_{SHORT[t]}"
        n, r = size_of(name), promoted(t)
        outputs = [
            ("add", "x + y"),
            ("sub", "x - y"),
            ("mul", "x * y"),
            ("div", "x / z"),
            ("neg", "-x"),
            ("absolute", "abs(x)"),
        ]
        types = {"add": r, "sub": r, "mul": r, "div": r, "neg": r, "absolute": t}
        if t in INTEGERS:
            outputs += [("rem", "x % z")]
            types["rem"] = r
        parameters = "".join(
            f"{types[o]}* {o} = out(n{division(t) if o == 'div' else ''})\n" for o, _ in outputs
        )
        body = (
            block(n)
            + "auto x = load(a + i, m);\nauto y = load(b + i, m);\nauto z = load(c + i, m, 1);\n"
        )
        table.add(
            name,
            f"const {t}* a = small(n)\nconst {t}* b = small(n)\nconst {t}* c = nonzero(n)\n{parameters}int n",
            body + stores(outputs),
            ragged(n),
            warps=warps_of(name, 2),
        )


def scalars():
    """tile op scalar, scalar op tile, compound assignment."""
    for t in ALL:
        name = f"scalar_{SHORT[t]}"
        n, r = size_of(name), promoted(t)
        outputs = [
            ("right", "x + s"),
            ("left", "s - x"),
            ("product", "x * s"),
            ("quotient", "x / s"),
            ("inverse", "s / z"),
        ]
        parameters = "".join(
            f"{r}* {o} = out(n{division(t) if o in ('quotient', 'inverse') else ''})\n"
            for o, _ in outputs
        )
        table.add(
            name,
            f"const {t}* a = small(n)\nconst {t}* c = nonzero(n)\n{parameters}{t} s\nint n",
            block(n) + "auto x = load(a + i, m);\nauto z = load(c + i, m, 1);\n" + stores(outputs),
            [{**run, "s": s} for run, s in zip(ragged(n), (3, 2, 5, 1, 7))],
            warps=warps_of(name),
        )
        body = (
            block(n)
            + "auto x = cast<"
            + r
            + ">(load(a + i, m));\nx += cast<"
            + r
            + ">(load(b + i, m));\nx *= 3;\nx -= 1;\n"
        )
        if t in INTEGERS:
            body += "x <<= 2;\nx ^= 5;\nx |= 64;\nx &= 1023;\n"
        table.add(
            f"compound_{SHORT[t]}",
            f"const {t}* a = small(n)\nconst {t}* b = small(n)\n{r}* out = out(n)\nint n",
            body + "store(out + i, x, m);",
            ragged(n),
            warps=warps_of(name + "c"),
        )


def bits():
    for t in INTEGERS:
        name, r = f"bits_{SHORT[t]}", promoted(t)
        n = size_of(name)
        outputs = [
            ("a_and", "x & y"),
            ("a_or", "x | y"),
            ("a_xor", "x ^ y"),
            ("a_not", "~x"),
            ("left", "z << k"),
            ("right", "x >> k"),
        ]
        parameters = "".join(f"{r}* {o} = out(n)\n" for o, _ in outputs)
        body = (
            block(n)
            + "auto x = load(a + i, m);\nauto y = load(b + i, m);\nauto z = load(c + i, m);\nauto k = load(s + i, m);\n"
        )
        table.add(
            name,
            f"const {t}* a = bits(n)\nconst {t}* b = bits(n)\nconst {t}* c = positive(n)\nconst {t}* s = shift(n)\n{parameters}int n",
            body + stores(outputs),
            ragged(n),
            warps=warps_of(name, 2),
        )
        if t in INTEGERS[-2:] + INTEGERS[2:4]:
            u = {"int": "uint32_t", "int64_t": "uint64_t"}.get(t, t)
            table.add(
                f"umulhi_{SHORT[t]}",
                f"const {u}* a = bits(n)\nconst {u}* b = bits(n)\n{u}* out = out(n)\nint n",
                block(n) + "store(out + i, umulhi(load(a + i, m), load(b + i, m)), m);",
                ragged(n),
                warps=warps_of(name + "u"),
            )
            table.add(
                f"mulhi_{SHORT[t]}",
                f"const {t}* a = bits(n)\nconst {t}* b = bits(n)\n{t}* out = out(n)\nint n",
                block(n) + "store(out + i, mulhi(load(a + i, m), load(b + i, m)), m);",
                ragged(n),
                warps=warps_of(name + "s"),
            )


def rounded():
    """add, mul and fma that round in a direction; products and sums beside them that nvcc may contract."""
    n = 96
    for t in ("float", "double"):
        for mode in ("rn", "rz", "ru", "rd"):
            outputs = [
                ("sum", f"add_{mode}(x, y)"),
                ("product", f"mul_{mode}(x, y)"),
                ("both", f"add_{mode}(mul_{mode}(x, y), z)"),
                ("fused", f"fma_{mode}(x, y, z)"),
                ("constant", f"add_{mode}(mul_{mode}(x, 0.1f), mul_{mode}({t}(0.7), {t}(0.3)))"),
            ]
            parameters = "".join(f"{t}* {name} = out(n)\n" for name, _ in outputs)
            table.add(
                f"rounded_{mode}_{SHORT[t]}",
                f"const {t}* a = extreme(n)\nconst {t}* b = unit(n)\nconst {t}* c = unit(n)\n{parameters}int n",
                block(n)
                + "auto x = load(a + i, m);\nauto y = load(b + i, m);\nauto z = load(c + i, m);\n"
                + stores(outputs),
                ragged(n),
                warps=warps_of(mode + t),
            )


def booleans():
    n = 96
    outputs = [
        ("a", "x & y"),
        ("b", "x | y"),
        ("c", "x ^ y"),
        ("d", "!x"),
        ("e", "x && y"),
        ("f", "x || !y"),
        ("g", "~x & y"),
    ]
    parameters = "".join(f"bool* {o} = out(n)\n" for o, _ in outputs) + "int* added = out(n)\n"
    table.add(
        "booleans",
        f"const bool* p = small(n)\nconst bool* q = small(n)\n{parameters}int n",
        block(n)
        + "auto x = load(p + i, m);\nauto y = load(q + i, m);\n"
        + stores(outputs + [("added", "x + y")]),
        ragged(n),
        warps=(1, 2, 3, 4, 5, 8),
    )


def comparisons():
    for t in ALL:
        for domain in ("ties", "special" if t in FLOATS else "bits"):
            name = f"compare_{SHORT[t]}_{domain}"
            n = size_of(name)
            outputs = [
                ("lt", "x < y"),
                ("le", "x <= y"),
                ("gt", "x > y"),
                ("ge", "x >= y"),
                ("eq", "x == y"),
                ("ne", "x != y"),
            ]
            parameters = (
                "".join(f"bool* {o} = out(n)\n" for o, _ in outputs)
                + f"{t}* chosen = out(n)\nint8_t* flag = out(n)\n"
            )
            outputs += [
                ("chosen", "where(x < y, y, x)"),
                ("flag", "where(x > y, 1, where(x == y, 0, -1))"),
            ]
            table.add(
                name,
                f"const {t}* a = {domain}(n)\nconst {t}* b = {domain}(n)\n{parameters}int n",
                block(n) + "auto x = load(a + i, m);\nauto y = load(b + i, m);\n" + stores(outputs),
                ragged(n),
                warps=warps_of(name),
            )


def extremes():
    for t in ALL:
        name = f"extremes_{SHORT[t]}"
        n = size_of(name)
        outputs = [
            ("low", "minimum(x, y)"),
            ("high", "maximum(x, y)"),
            ("held", "clamp(x, cast<T>(lo), cast<T>(hi))"),
            ("tiles", "clamp(x, minimum(y, z), maximum(y, z))"),
        ]
        if t in FLOATS:
            outputs += [
                ("low_nan", "minimum(x, y, propagate_nan)"),
                ("high_nan", "maximum(x, y, propagate_nan)"),
            ]
        parameters = "".join(f"{t}* {o} = out(n)\n" for o, _ in outputs)
        body = (
            f"using T = {t};\n"
            + block(n)
            + "auto x = load(a + i, m);\nauto y = load(b + i, m);\nauto z = load(c + i, m);\n"
        )
        body += "auto lo = full<int, 1>(2);\nauto hi = full<int, 1>(3);\n"
        domain = "special" if t in FLOATS else "bits"
        table.add(
            name,
            f"const {t}* a = {domain}(n)\nconst {t}* b = {domain}(n)\nconst {t}* c = small(n)\n{parameters}int n",
            body + stores(outputs),
            ragged(n),
            warps=warps_of(name, 2),
        )
    for t in FLOATS:
        name = f"fma_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = small(n)\nconst {t}* b = small(n)\nconst {t}* c = small(n)\n{t}* out = out(n)\n{t}* other = out(n)\nint n",
            block(128)
            + "auto x = load(a + i, m);\nauto y = load(b + i, m);\nauto z = load(c + i, m);\n"
            "store(out + i, fma(x, y, z), m);\nstore(other + i, x * y + z, m);",
            ragged(128),
            warps=warps_of(name),
        )


def sizes():
    """Every tile size on every number of warps."""
    for n in SIZES:
        for t, r in (
            ("float", "float"),
            ("int8_t", "int"),
            ("bfloat16", "bfloat16"),
            ("double", "double"),
        ):
            name = f"size_{n}_{SHORT[t]}"
            table.add(
                name,
                f"const {t}* a = small(n)\nconst {t}* b = small(n)\n{r}* out = out(n)\nint n",
                block(n) + "store(out + i, load(a + i, m) * load(b + i, m) + 3, m);",
                ragged(n) + [{"n": 4 * n}],
                warps=(1, 2, 3, 4, 5, 8) if t == "float" else warps_of(name, 2),
            )


def mixed():
    """Two element types in one operation."""
    pairs = [
        ("int8_t", "int", "int"),
        ("uint8_t", "int16_t", "int"),
        ("int", "int64_t", "int64_t"),
        ("uint32_t", "uint8_t", "uint32_t"),
        ("float16", "bfloat16", "float"),
        ("float16", "float", "float"),
        ("bfloat16", "float", "float"),
        ("float", "double", "double"),
        ("int", "float", "float"),
        ("int8_t", "float16", "float16"),
        ("int64_t", "bfloat16", "bfloat16"),
        ("uint16_t", "double", "double"),
        ("bool", "float", "float"),
        ("bool", "int", "int"),
        ("uint64_t", "float", "float"),
    ]
    for a, b, r in pairs:
        name = f"mixed_{SHORT[a]}_{SHORT[b]}"
        n = size_of(name)
        table.add(
            name,
            f"const {a}* a = small(n)\nconst {b}* b = small(n)\n{r}* sum = out(n)\n{r}* product = out(n)\n{r}* difference = out(n)\nint n",
            block(n)
            + "auto x = load(a + i, m);\nauto y = load(b + i, m);\n"
            + stores([("sum", "x + y"), ("product", "y * x"), ("difference", "y - x")]),
            ragged(n),
            warps=warps_of(name),
        )


for make in (arithmetic, scalars, bits, rounded, booleans, comparisons, extremes, sizes, mixed):
    make()
