"""Dots as Triton's tests have them: epilogues x precisions x shapes x warps, with results that Python computes."""

import math

from case import SHORT, Table

table = Table(rarely=True)


def multiplied(a, b, m, n, k):
    columns = [b[j::n] for j in range(n)]
    rows = [a[i * k : (i + 1) * k] for i in range(m)]
    return [sum(x * y for x, y in zip(row, column)) for row in rows for column in columns]


def turned(x, rows, columns):
    """A matrix of rows x columns, transposed."""
    return [x[r * columns + c] for c in range(columns) for r in range(rows)]


def loads(shape, order):
    """The operands as tiles of m x k and k x n; an operand of order "t" is stored by columns."""
    m, n, k = shape
    x = f"arange<{m}>()[all, none] * {k} + arange<{k}>()" if order[0] == "n" else f"arange<{k}>() * {m} + arange<{m}>()[all, none]"
    y = f"arange<{k}>()[all, none] * {n} + arange<{n}>()" if order[1] == "n" else f"arange<{n}>() * {k} + arange<{k}>()[all, none]"
    return f"auto x = load(a + ({x}));\nauto y = load(b + ({y}));\n"


def operands(given, shape, order):
    m, n, k = shape
    a = given["a"] if order[0] == "n" else turned(given["a"], k, m)
    b = given["b"] if order[1] == "n" else turned(given["b"], n, k)
    return a, b


EPILOGUES = {
    "none": "auto z = p;",
    "trans": "auto z = trans(p);",
    "matrix": "auto z = p + load(e + at);",
    "rows": "auto z = p + load(e + arange<{m}>())[all, none];",
    "columns": "auto z = p + load(e + arange<{n}>())[none, all];",
    "softmax": "auto w = exp(p - max<1>(p, keep_dims));\nauto z = w / sum<1>(w, keep_dims);",
    "chain": "auto z = dot(cast<{t}>(p), load(e + (arange<{n}>()[all, none] * {n} + arange<{n}>())){options});",
}


def finished(epilogue, p, e, shape):
    m, n, _ = shape
    if epilogue == "trans":
        return turned(p, m, n)
    if epilogue == "matrix":
        return [x + y for x, y in zip(p, e)]
    if epilogue in ("rows", "columns"):
        return [x + e[i // n if epilogue == "rows" else i % n] for i, x in enumerate(p)]
    if epilogue == "softmax":
        result = []
        for i in range(m):
            row = p[i * n : (i + 1) * n]
            weights = [math.exp(x - max(row)) for x in row]
            result += [w / sum(weights) for w in weights]
        return result
    if epilogue == "chain":
        return multiplied(p, e, m, n, n)
    return p


def add(name, types, shape, epilogue="none", order="nn", options="", warps=(4,), data="small", error=""):
    """One dot of whole tiles. Data are small integers, so that the products are exact in each precision."""
    t, s = types
    m, n, k = shape
    width, height = (m, n) if epilogue == "trans" else (n, m)
    extra = n * n if epilogue == "chain" else m * n
    out = f"out({m * n}{', 1e-4, 1e-6' if epilogue == 'softmax' else error})"
    body = EPILOGUES[epilogue].format(m=m, n=n, t=t, options=options)
    accumulator = f", zeros<{s}, {m}, {n}>()" if s == "float16" else ""

    def expected(given):
        a, b = operands(given, shape, order)
        return {"c": finished(epilogue, multiplied(a, b, m, n, k), given["e"], shape)}

    table.add(
        name,
        f"const {t}* a = {data}({m * k})\nconst {t}* b = {data}({k * n})\n"
        f"const {t if epilogue == 'chain' else s}* e = {'ties' if data != 'ones' else 'ones'}({extra})\n{s}* c = {out}\nint count",
        f"""
        grid(count);
        auto at = arange<{height}>()[all, none] * {width} + arange<{width}>();
        {loads(shape, order).replace(chr(10), chr(10) + "        ")}auto p = dot(x, y{accumulator}{options});
        {body.replace(chr(10), chr(10) + "        ")}
        store(c + at, z);
        """,
        [{"count": 1}],
        warps=warps,
        expected=expected,
    )


PAIRS = [
    ("float16", "float16", ""),
    ("float16", "float", ""),
    ("bfloat16", "float", ""),
    ("float", "float", "tf32"),
    ("float", "float", "tf32x3"),
    ("float", "float", "ieee"),
    ("double", "double", ""),
]


def epilogues():
    for size in (16, 32, 64):
        for t, s, precision in PAIRS:
            for epilogue in EPILOGUES:
                if (s == "float16" or t == "bfloat16") and epilogue == "chain":
                    continue  # sums that these types cannot hold
                if s == "float16" and epilogue == "softmax":
                    continue
                name = f"triton_dot_{size}_{SHORT[t]}_{SHORT[s]}{precision and '_' + precision}_{epilogue}"
                options = f", precision::{precision}" if precision else ""
                data = "ones" if epilogue == "chain" else "small" if s != "float16" else "ones"
                add(name, (t, s), (size, size, size), epilogue, options=options, data=data, warps=(4,))
    add("triton_dot_softmax_128x128x64", ("float16", "float"), (128, 128, 64), "softmax", warps=(8,))
    for t in ("bfloat16", "float8_e5m2", "float8_e4m3"):
        chained(t, (32, 32, 32) if t == "bfloat16" else (64, 64, 32))


def chained(t, shape):
    """The first product, at most a few, is rounded to the type of the operands."""
    m, n, k = shape

    def expected(given):
        p = [min(x, 2) for x in multiplied(given["a"], given["b"], m, n, k)]
        return {"c": multiplied(p, given["e"], m, n, n)}

    table.add(
        f"triton_chain_{SHORT[t]}",
        f"const {t}* a = sparse({m * k})\nconst {t}* b = ties({k * n})\nconst {t}* e = ties({n * n})\nfloat* c = out({m * n})\nint count",
        f"""
        grid(count);
        auto x = load(a + (arange<{m}>()[all, none] * {k} + arange<{k}>()));
        auto y = load(b + (arange<{k}>()[all, none] * {n} + arange<{n}>()));
        auto p = cast<{t}>(minimum(dot(x, y), 2.0f));
        auto z = load(e + (arange<{n}>()[all, none] * {n} + arange<{n}>()));
        store(c + (arange<{m}>()[all, none] * {n} + arange<{n}>()), dot(p, z));
        """,
        [{"count": 1}],
        warps=(4,),
        expected=expected,
    )


MIXED = [
    (128, 256, 32, 8),
    (128, 16, 32, 4),
    (32, 128, 64, 4),
    (128, 128, 64, 4),
    (64, 128, 128, 4),
    (32, 128, 64, 2),
    (64, 64, 32, 4),
    (32, 32, 128, 16),
    (128, 128, 64, 2),
    (64, 128, 128, 2),
]


def mixed():
    for m, n, k, warps in MIXED:
        for order in ("nn", "nt", "tn", "tt"):
            for t, s in (("int8_t", "int"), ("float16", "float16"), ("float16", "float"), ("float", "float")):
                data = "ones" if s == "float16" else "small"
                name = f"triton_mixed_{m}x{n}x{k}_{warps}_{order}_{SHORT[t]}_{SHORT[s]}"
                add(name, (t, s), (m, n, k), order=order, warps=(warps,), data=data)
    for order in ("nn", "nt", "tn", "tt"):
        add(f"triton_ieee_{order}", ("float", "float"), (64, 32, 32), order=order, options=", precision::ieee", data="small")


def small():
    for t, s, shape, warps in (
        ("float16", "float", (2, 4, 32), (1, 4)),
        ("float8_e5m2", "float", (1, 2, 32), (1, 4)),
        ("float", "float", (64, 8, 8), (1, 4)),
        ("float16", "float", (64, 8, 16), (1, 4)),
        ("double", "double", (8, 8, 4), (1,)),
        ("double", "double", (8, 8, 8), (1,)),
        ("double", "double", (16, 8, 4), (1,)),
        ("double", "double", (8, 8, 16), (1,)),
    ):
        add(f"triton_small_{'x'.join(map(str, shape))}_{SHORT[t]}", (t, s), shape, warps=warps)


def batches():
    for count in (1, 2, 4, 8):
        for m, n, k in ((32, 32, 32), (16, 8, 16), (1, 32, 32), (32, 2, 32), (8, 8, 16)):
            for t, s in (("float16", "float"), ("int8_t", "int"), ("float", "float")):

                def expected(given, count=count, m=m, n=n, k=k):
                    c = []
                    for i in range(count):
                        a, b = given["a"][i * m * k : (i + 1) * m * k], given["b"][i * k * n : (i + 1) * k * n]
                        c += multiplied(a, b, m, n, k)
                    return {"c": c}

                b_ = f"arange<{count}>()[all, none, none]"
                table.add(
                    f"triton_batch_{count}_{m}x{n}x{k}_{SHORT[t]}",
                    f"const {t}* a = small({count * m * k})\nconst {t}* b = small({count * k * n})\n{s}* c = out({count * m * n})\nint count",
                    f"""
                    grid(count);
                    auto b_ = {b_};
                    auto x = load(a + (b_ * {m * k} + arange<{m}>()[none, all, none] * {k} + arange<{k}>()[none, none, all]));
                    auto y = load(b + (b_ * {k * n} + arange<{k}>()[none, all, none] * {n} + arange<{n}>()[none, none, all]));
                    store(c + (b_ * {m * n} + arange<{m}>()[none, all, none] * {n} + arange<{n}>()[none, none, all]), dot(x, y));
                    """,
                    [{"count": 1}],
                    warps={1: (1, 16), 2: (2, 4), 4: (4, 8), 8: (1, 8)}[count],
                    expected=expected,
                )


def others():
    """A dot of tiles that nothing loads; a product by broadcasting and a sum."""
    table.add(
        "triton_dot_of_full",
        "float* c = out(1024)\nint count",
        """
        grid(count);
        auto x = full<float16, 32, 16>(float16(2.0f));
        auto y = full<float16, 16, 32>(float16(3.0f));
        store(c + (arange<32>()[all, none] * 32 + arange<32>()), dot(x, y));
        """,
        [{"count": 1}],
        warps=(1, 4),
        expected=lambda given: {"c": [96] * 1024},
    )
    table.add(
        "triton_product_by_sum",
        "const float* a = small(512)\nconst float* b = small(512)\nfloat* c = out(256)\nint count",
        """
        grid(count);
        auto x = load(a + (arange<16>()[all, none] * 32 + arange<32>()));
        auto y = load(b + (arange<32>()[all, none] * 16 + arange<16>()));
        store(c + (arange<16>()[all, none] * 16 + arange<16>()), sum<1>(x[all, all, none] * y[none, all, all]));
        """,
        [{"count": 1}],
        warps=(1, 4),
        expected=lambda given: {"c": multiplied(given["a"], given["b"], 16, 16, 32)},
    )


for make in (epilogues, mixed, small, batches, others):
    make()
