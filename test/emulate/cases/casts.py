"""Casts between all pairs of element types, bitcasts, rounding toward zero, and conversions by a store."""

from case import FLOATS, INTEGERS, SHORT, Table, ragged, warps_of

table = Table()
ALL = [*INTEGERS, *FLOATS, "bool"]
BITS = {
    "int8_t": 8,
    "uint8_t": 8,
    "int16_t": 16,
    "uint16_t": 16,
    "float16": 16,
    "bfloat16": 16,
    "int": 32,
    "uint32_t": 32,
    "float": 32,
    "int64_t": 64,
    "uint64_t": 64,
    "double": 64,
}


def block(n):
    return f"auto i = grid(cdiv(n, {n})) * {n} + arange<{n}>();\nauto m = i < n;\n"


def domain_of(source):
    """Values that every type can hold when the source is a float, else any bits."""
    return "positive" if source in FLOATS else "bits"


def all_pairs():
    for number, source in enumerate(ALL):
        name = f"cast_{SHORT[source]}"
        n = (96, 128, 160, 192)[number % 4]
        outputs = [(f"to_{SHORT[t]}", t) for t in ALL]
        parameters = "".join(f"{t}* {o} = out(n)\n" for o, t in outputs)
        body = (
            block(n)
            + "auto x = load(a + i, m);\n"
            + "".join(f"store({o} + i, cast<{t}>(x), m);\n" for o, t in outputs)
        )
        table.add(
            name,
            f"const {source}* a = {domain_of(source)}(n)\n{parameters}int n",
            body,
            ragged(n),
            warps=warps_of(name, 2),
        )
        body = (
            block(n)
            + "auto x = load(a + i, m);\n"
            + "".join(f"store({o} + i, x, m);\n" for o, t in outputs)
        )
        name = f"store_{SHORT[source]}"
        table.add(
            name,
            f"const {source}* a = {domain_of(source)}(n)\n{parameters}int n",
            body,
            ragged(n),
            warps=warps_of(name),
        )


def signed_floats():
    """Fractions and both signs to signed integers; every magnitude to floats, rounded both ways."""
    for source in FLOATS:
        name = f"cast_signed_{SHORT[source]}"
        parameters = (
            "".join(f"{t}* to_{SHORT[t]} = out(n)\n" for t in INTEGERS[:4])
            + "bool* to_bool = out(n)\n"
        )
        body = block(128) + "auto x = load(a + i, m);\n"
        body += "".join(
            f"store(to_{SHORT[t]} + i, cast<{t}>(x), m);\n" for t in [*INTEGERS[:4], "bool"]
        )
        table.add(
            name,
            f"const {source}* a = unit(n)\n{parameters}int n",
            body,
            ragged(128),
            warps=warps_of(name, 2),
        )
    for source in ("float", "double"):
        for kind in ("bits", "special"):
            name = f"narrow_{SHORT[source]}_{kind}"
            targets = ["float16", "bfloat16"] + (["float"] if source == "double" else [])
            parameters = "".join(
                f"{t}* near_{SHORT[t]} = out(n)\n{t}* zero_{SHORT[t]} = out(n)\n" for t in targets
            )
            body = block(128) + "auto x = load(a + i, m);\n"
            for t in targets:
                body += f"store(near_{SHORT[t]} + i, cast<{t}>(x), m);\n"
                body += f"store(zero_{SHORT[t]} + i, cast<{t}>(x, rounding::rz), m);\n"
            table.add(
                name,
                f"const {source}* a = {kind}(n)\n{parameters}int n",
                body,
                ragged(128),
                warps=warps_of(name, 2),
            )


def small_integers():
    """Integers that are known to be small become 16-bit floats by their bits; at the edges as well."""
    forms = {
        "nibble": "(x & 15) - 8",
        "shifted": "(x >> 4) & 15",
        "unsigned_128": "x & 127",
        "from_128": "128 + (x & 127)",
        "over_128": "129 + (x & 127)",
        "to_129": "128 - (x & 127)",
        "unsigned_1024": "x & 1023",
        "below": "(x & 1023) - 1024",
        "above": "1024 + (x & 1023)",
        "beyond": "1025 + (x & 1023)",
        "eleven_bits": "x & 2047",
        "remainder": "x % 50",
        "zeros": "(x & 15) - ((x >> 8) & 15)",
    }
    for source in ("int", "uint32_t", "int64_t", "uint8_t", "int16_t"):
        name = f"small_{SHORT[source]}"
        targets = [(f, t) for f in forms for t in ("float16", "bfloat16")]
        parameters = "".join(f"{t}* {f}_{SHORT[t]} = out(n)\n" for f, t in targets)
        body = block(128) + "auto x = load(a + i, m);\n"
        body += "".join(
            f"store({f}_{SHORT[t]} + i, cast<{t}>({forms[f]}), m);\n" for f, t in targets
        )
        table.add(
            name,
            f"const {source}* a = bits(n)\n{parameters}int n",
            body,
            ragged(128),
            warps=warps_of(name, 2),
        )


def bitcasts():
    for source, bits in BITS.items():
        name = f"bitcast_{SHORT[source]}"
        targets = [t for t, b in BITS.items() if b == bits and t != source]
        parameters = "".join(f"{t}* to_{SHORT[t]} = out(n)\n" for t in targets)
        body = (
            block(80)
            + "auto x = load(a + i, m);\n"
            + "".join(f"store(to_{SHORT[t]} + i, bitcast<{t}>(x), m);\n" for t in targets)
        )
        table.add(
            name,
            f"const {source}* a = bits(n)\n{parameters}int n",
            body,
            ragged(80),
            warps=warps_of(name),
        )


def scalars():
    """Scalar arithmetic and conversions of every type."""
    for t in [*INTEGERS, *FLOATS]:
        name = f"scalar_cast_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = positive(n)\n{t}* out = out(n)\nfloat* wide = out(n)\nint n\n{t} s",
            """
            auto row = grid(n);
            auto x = load(a + row);
            auto y = a[row];
            store(out + row, cast<%s>(x + y * s));
            wide[row] = cast<float>(x) - cast<float>(s);
            """ % t,
            [{"n": 3, "s": 2}, {"n": 1, "s": 5}, {"n": 0, "s": 1}],
            warps=warps_of(name),
        )


def weak_operands():
    """Integers and doubles combined with 16-bit floats are converted to them first; constants as well."""
    for t in ("float16", "bfloat16"):
        table.add(
            f"weak_{SHORT[t]}",
            f"const {t}* a = positive(128)\nfloat* out = out(128 * 14)\nint si\ndouble sd",
            """
            grid(1);
            using T = %s;
            auto i = arange<128>();
            auto h = load(a + i);
            auto q = 69990 + i;
            store(out + i, cast<float>(h * si));
            store(out + 128 + i, cast<float>(h * 100000));
            store(out + 256 + i, cast<float>(h + 2049));
            store(out + 384 + i, cast<float>(h * 0.3));
            store(out + 512 + i, cast<float>(h / 0.3));
            store(out + 640 + i, cast<float>(sd - h));
            store(out + 768 + i, cast<float>(q / h));
            store(out + 896 + i, cast<float>(h * q));
            store(out + 1024 + i, cast<float>(full<T, 128>(257)) + cast<float>(full<T, 128>(70001)));
            store(out + 1152 + i, cast<float>(full<T, 128>(2049) == 2048));
            store(out + 1280 + i, float(T(2051)));
            store(out + 1408 + i, cast<float>(h < si));
            store(out + 1536 + i, cast<float>(full<float8_e5m2, 128>(inf)));
            store(out + 1664 + i, cast<float>(full<T, 128>(cast<T>(16777219))));
            """ % t,
            [{"si": 70001, "sd": 0.1}, {"si": 2051, "sd": 1e5}],
        )


for make in (weak_operands, all_pairs, signed_floats, small_integers, bitcasts, scalars):
    make()


def widths():
    """Constants of int64_t and uint64_t that fit an int, where the width of the result depends on them."""
    outputs = [
        ("int64_t", "shifted", "full<int64_t, 96>(1) << (x & 62)"),
        ("int64_t", "chosen", "where(x > 0, int64_t(100000), int64_t(-200000)) * 100000"),
        ("int64_t", "moved", "where(x > 0, int64_t(1), int64_t(2)) << 40"),
        ("int64_t", "scalar", "where(x > 0, int64_t(1) << s, (s > 50 ? int64_t(100000) : int64_t(3)) * 1000000000)"),
        ("double", "bits", "bitcast<double>(where(x > 0, int64_t(1), int64_t(2)))"),
        ("uint8_t", "byte", "bitcast<uint8_t>(where(x > 0, int8_t(1), int8_t(-2)))"),
        ("uint64_t", "high", "umulhi(cast<uint64_t>(x) ^ 3, uint64_t(5000000000))"),
    ]
    parameters = "".join(f"{t}* {o} = out(n)\n" for t, o, _ in outputs)
    body = block(96) + "auto x = load(a + i, m);\n"
    body += "".join(f"store({o} + i, {words}, m);\n" for _, o, words in outputs)
    body += "atomic_add(count + i, cast<uint64_t>(x) << 32 | 1, m);\natomic_add(total + i, x - 5000000000, m);\n"
    table.add(
        "constant_widths",
        f"const int64_t* a = bits(n)\nuint64_t* count = small(n)\nint64_t* total = small(n)\n{parameters}int n\nint s",
        body,
        [{"n": 200, "s": 40}, {"n": 97, "s": 62}, {"n": 1, "s": 3}],
        warps=(1, 3),
    )


def periods():
    """Ranges longer than a narrow type has values: its numbers start again within the tile."""
    uses = {
        "difference": "auto x = {cut} - i;",
        "quotient": "auto x = {cut} / 8 - i / 8;",
        "sum": "auto x = cast<int>(cast<{t}>(cast<{t}>(i) + cast<{t}>(n))) - i;",
        "less": "auto x = where(cast<{t}>(i) < cast<{t}>(n), 0, 256);",
        "larger": "auto x = maximum({cut}, i) - i;",
    }
    for t in ("int8_t", "uint8_t"):
        for use, text in uses.items():
            x = text.format(cut=f"cast<int>(cast<{t}>(i))", t=t)
            table.add(
                f"period_{SHORT[t]}_{use}",
                "const int* in = small(2048)\nint* out = out(512)\nint* numbers = out(512)\nint n",
                f"grid(1);\nauto i = arange<512>();\n{x}\nstore(numbers + i, x);\nstore(out + i, load(in + (x / 64 + i + 64)));",
                [{"n": 16}, {"n": 5}],
                warps=(1, 4),
            )


widths()
periods()


def addresses():
    """Addresses that are computed in bytes."""
    for name, address in {
        "constant": "bitcast<int64_t>(in) + 4",
        "variable": "bitcast<int64_t>(in) + 4 * n",
        "unsigned": "bitcast<uint64_t>(in) + 8",
        "tile": "bitcast<int64_t>(in + i - i) + 4 * n",
    }.items():
        at = "p" if name == "tile" else "p + i"
        i = " + i * 4" if name == "tile" else ""
        table.add(
            f"address_{name}",
            "const int* in = small(512)\nint* out = out(256)\nint n",
            f"grid(1);\nauto i = arange<256>();\nauto p = bitcast<const int*>({address}{i});\nstore(out + i, load({at}));",
            [{"n": n} for n in (1, 4, 6, 16)],
            warps=(1, 4),
        )


addresses()
