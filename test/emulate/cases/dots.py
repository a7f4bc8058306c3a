"""Dots: types, shapes, numbers of warps, loops over k, epilogues, chains, batches. The data are small integers, so results are exact."""

from case import SHORT, Table, warps_of
from products import add_matmul

table = Table()
# Element types of both operands -> of the accumulator.
SUMS = {
    ("float16", "float16"): "float",
    ("bfloat16", "bfloat16"): "float",
    ("float", "float"): "float",
    ("int8_t", "int8_t"): "int",
    ("uint8_t", "uint8_t"): "int",
    ("int8_t", "uint8_t"): "int",
    ("uint8_t", "int8_t"): "int",
    ("double", "double"): "double",
}
SHAPES = [(64, 64, 32), (32, 32, 16), (48, 40, 16), (16, 8, 16), (80, 96, 48), (5, 7, 3), (1, 16, 8), (16, 16, 64), (128, 8, 32)]
# M and N of 1 to 16, head dimensions, depths between the instructions'.
RAGGED = [(1, 1, 1), (2, 8, 16), (8, 24, 33), (16, 3, 20), (12, 20, 80), (33, 65, 40), (32, 80, 96), (7, 96, 31), (80, 16, 24)]
HALF = "out({}, 2**-9, 0.5)"  # for accumulators in float16
ORDERS = ("nn", "nt", "tn", "tt")


def names_of(types):
    a, b = types
    return SHORT[a] if a == b else f"{SHORT[a]}_{SHORT[b]}"


def product(table, name, types, s, shape, order="nn", options="", out=None, data="small", **more):
    """One dot of whole tiles; `order` says which operand is stored transposed, `options` are more arguments of dot."""
    m, n, k = shape
    x = {
        "n": f"load(a + (i[all, none] * {k} + k[none, all]))",
        "t": f"trans(load(a + (k[all, none] * {m} + i[none, all])))",
        "c": f"load(a + (k[none, all] * {m} + i[all, none]))",
    }[order[0]]
    y = {
        "n": f"load(b + (k[all, none] * {n} + j[none, all]))",
        "t": f"trans(load(b + (j[all, none] * {k} + k[none, all])))",
        "c": f"load(b + (j[none, all] * {k} + k[all, none]))",
    }[order[1]]
    table.add(
        name,
        f"const {types[0]}* a = {data}({m * k})\nconst {types[1]}* b = {data}({k * n})\n{s}* c = {out or f'out({m * n})'}\nint count",
        f"""
        grid(count);
        auto i = arange<{m}>();
        auto j = arange<{n}>();
        auto k = arange<{k}>();
        auto x = {x};
        auto y = {y};
        store(c + (i[all, none] * {n} + j[none, all]), dot(x, y{options}));
        """,
        [{"count": 1}],
        **more,
    )


def single():
    for types, s in SUMS.items():
        for m, n, k in SHAPES:
            name = f"dot_{names_of(types)}_{m}x{n}x{k}"
            product(table, name, types, s, (m, n, k), warps=warps_of(name, 3))
        for at, (m, n, k) in enumerate(RAGGED):
            order = ORDERS[at % 4]
            name = f"dot_{names_of(types)}_{m}x{n}x{k}_{order}"
            product(table, name, types, s, (m, n, k), order, warps=warps_of(name, 2))


def orders():
    """Each type with either operand stored transposed, in several matrices for each warp."""
    for types, s in SUMS.items():
        for order in ORDERS:
            name = f"dot_{order}_{names_of(types)}"
            product(table, name, types, s, (32, 48, 32), order, warps=warps_of(name, 2))
        for order in ("cn", "nc", "cc"):
            name = f"dot_{order}_{names_of(types)}"
            product(table, name, types, s, (32, 48, 32), order, warps=warps_of(name, 2))


def precisions():
    """Floats with fractions are multiplied in tf32, as three dots of tf32, and in float; accumulators may be float16."""
    shape = m, n, k = 32, 40, 24
    most = k * 16  # of |a b| over k, as elements are -4 to 4
    for precision, error in (("tf32", 2**-9), ("tf32x3", 2**-18 + 75 * 2**-23), ("ieee", 25 * 2**-23)):
        for order in ORDERS:
            name = f"dot_{precision}_{order}"
            out = f"out({m * n}, 0, {(error + 25 * 2**-23) * most!r})"
            options = f", precision::{precision}"
            product(table, name, ("float", "float"), "float", shape, order, options, out, "unit", warps=warps_of(name, 2))
    for order in ORDERS:
        name = f"dot_f16_sums_{order}"
        options = f", zeros<float16, {m}, {n}>()"
        product(table, name, ("float16", "float16"), "float16", shape, order, options, HALF.format(m * n), warps=warps_of(name, 2))
    for at, (m, n, k) in enumerate(RAGGED):
        name = f"dot_f16_sums_{m}x{n}x{k}"
        options = f", zeros<float16, {m}, {n}>()"
        out = HALF.format(m * n)
        product(table, name, ("float16", "float16"), "float16", (m, n, k), ORDERS[at % 4], options, out, warps=warps_of(name, 2))


def matmul(name, types, tiles, warps=(1, 2, 3, 4, 8), **more):
    t, sums = types
    sizes = ((64, 48, 64), (37, 50, 41), (1, 1, 1), (16, 8, 0), (3, 70, 8), (0, 8, 8))
    runs = [{"M": m, "N": n, "K": k} for m, n, k in sizes]
    add_matmul(table, name, (t, sums, sums), tiles, runs, warps=warps, **more)


def loops():
    matmul("matmul_f16", ("float16", "float"), (32, 32, 16))
    matmul("matmul_bf16", ("bfloat16", "float"), (64, 32, 32))
    matmul("matmul_f32", ("float", "float"), (16, 32, 8))
    matmul("matmul_i8", ("int8_t", "int"), (16, 16, 32))
    matmul("matmul_f64", ("double", "double"), (16, 16, 16))
    matmul("matmul_f16_sums", ("float16", "float16"), (32, 32, 16), warps=(1, 4))
    matmul("matmul_u8", ("uint8_t", "int"), (32, 24, 64), warps=(1, 4))
    # Tiles that no instruction divides, copied ahead: zeros around them stay in every stage.
    ragged = ((1, 24, 24), (16, 80, 48), (20, 12, 10), (33, 16, 96))
    for at, (t, s) in enumerate((("float16", "float"), ("float", "float"), ("int8_t", "int"), ("double", "double"))):
        for stages in (1, 2, 3, 4, 5):
            m, n, k = ragged[(at + stages) % 4]
            if t == "double":
                k = min(k, 56)  # as much as five stages have room for
            name = f"matmul_{SHORT[t]}_{m}x{n}x{k}_stages_{stages}"
            matmul(name, (t, s), (m, n, k), warps=warps_of(name, 2), options=f", .num_stages = {stages}")
    matmul("matmul_twice_ragged", ("float16", "float"), (20, 20, 20), body="acc = acc + dot(trans(y), y) * 0.0f;", warps=(1, 4))
    matmul("matmul_relu", ("float16", "float"), (32, 16, 16), store="maximum(acc, 0.0f)", warps=(4, 5))
    matmul("matmul_row", ("float16", "float"), (16, 32, 16), store="acc - max<1>(acc, keep_dims)", warps=(1, 4))
    matmul("matmul_scaled", ("float16", "float"), (16, 16, 16), body="acc = acc * 0.5f;", warps=(1, 4))
    matmul("matmul_break", ("float16", "float"), (16, 16, 16), body="if (k0 >= 32) break;", warps=(1, 2))


def shapes():
    """Operands are computed, transposed, chained, batched, or used under a condition."""
    load = "load({0} + (i[all, none] * 32 + j[none, all]))"
    square = "const float16* a = small(1024)\nconst float16* b = small(1024)\nfloat* c = out(1024)\nint n"
    head = "grid(1);\nauto i = arange<32>();\nauto j = arange<32>();\n"
    put = "store(c + (i[all, none] * 32 + j[none, all]), {0});"
    for name, body in {
        "dot_trans_b": f"auto x = {load.format('a')};\nauto y = trans({load.format('b')});\n" + put.format("dot(x, y)"),
        "dot_trans_a": f"auto x = trans({load.format('a')});\nauto y = {load.format('b')};\n" + put.format("dot(x, y)"),
        "dot_computed": f"auto x = {load.format('a')} * float16(2);\nauto y = {load.format('b')} + float16(1);\n" + put.format("dot(x, y)"),
        "dot_same": f"auto x = {load.format('a')};\n" + put.format("dot(x, x)"),
        "dot_chain": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\n"
        "auto p = dot(x, y);\nauto q = cast<float16>(where(p > 3.0f, 1.0f, 0.0f));\n" + put.format("dot(q, y)"),
        "dot_twice": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\n"
        "auto p = dot(x, y);\nauto q = dot(y, x, p);\n" + put.format("q + p"),
        "dot_if": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\nauto acc = full<float, 32, 32>(1.0f);\n"
        "if (n > 1) acc = dot(x, y, acc);\n" + put.format("acc"),
        "dot_nested": f"auto x = {load.format('a')};\nauto acc = zeros<float, 32, 32>();\n"
        f"for (int r = 0; r < n; ++r) {{\n  auto part = zeros<float, 32, 32>();\n  for (int s = 0; s <= r; ++s) {{\n"
        f"    auto y = {load.format('b')} + cast<float16>(full<float, 32, 32>(1.0f * s));\n    part = dot(x, y, part);\n  }}\n"
        "  acc += part;\n}\n" + put.format("acc"),
        "dot_sums": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\nauto p = dot(x, y);\n"
        + put.format("p + sum<0>(p)[none, all] - sum<1>(p)[all, none]"),
    }.items():
        table.add(name, square, head + body, [{"n": n} for n in (1, 2, 3)], warps=(1, 2, 3, 4))
    table.add(
        "dot_batched",
        "const float16* a = small(1536)\nconst float16* b = small(768)\nfloat* c = out(2048)\nint n",
        """
        grid(1);
        auto b_ = arange<4>()[all, none, none];
        auto x = load(a + (b_ * 384 + arange<16>()[none, all, none] * 24 + arange<24>()[none, none, all]));
        auto y = load(b + (b_ * 192 + arange<24>()[none, all, none] * 8 + arange<8>()[none, none, all]));
        store(c + (b_ * 128 + arange<16>()[none, all, none] * 8 + arange<8>()[none, none, all]), dot(x, y));
        """,
        [{"n": 1}],
        warps=(1, 3, 4),
    )


for make in (single, orders, precisions, loops, shapes):
    make()
