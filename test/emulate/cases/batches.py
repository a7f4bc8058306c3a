"""Batched dots: tiles have three dimensions. The cases vary types, shapes, memory orders, numbers of warps, loops over k with
prefetched copies, chains and epilogues. The data are small integers, so results are exact."""

from case import SHORT, Table, warps_of

table = Table()
# Element types of both operands, and of the accumulator.
TYPES = (("float16", "float"), ("bfloat16", "float"), ("float16", "float16"), ("float", "float"), ("int8_t", "int"), ("double", "double"))
# Products, M, N, K: whole matrices of the instructions, and less.
SHAPES = ((4, 16, 8, 24), (2, 32, 16, 64), (3, 16, 24, 16), (6, 8, 40, 8), (16, 16, 16, 16), (5, 20, 12, 32), (1, 48, 16, 32))
# An operand with rows and columns of `rows` and `columns`, by how it lies in memory: row by row, column by column (read as it is,
# or transposed), products next to each other.
LOADS = {
    "n": "load({p} + (p_ * {size} + {row3} * {columns} + {column3}))",
    "c": "load({p} + (p_ * {size} + {column3} * {rows} + {row3}))",
    "t": "permute<0, 2, 1>(load({p} + (p_ * {size} + {column}[none, all, none] * {rows} + {row}[none, none, all])))",
    "b": "load({p} + (({row3} * {columns} + {column3}) * {count} + p_))",
    # What is loaded has the products as its last dimension.
    "p": "permute<2, 0, 1>(load({p} + (({row}[all, none, none] * {columns} + {column}[none, all, none]) * {count} + arange<{count}>()[none, none, all])))",
}


def operand(order, pointer, count, row, rows, column, columns):
    return LOADS[order].format(
        p=pointer, count=count, size=rows * columns, rows=rows, columns=columns, row=row, column=column,
        row3=f"{row}[none, all, none]", column3=f"{column}[none, none, all]",
    )  # fmt: skip


def head(b, m, n, k):
    return f"grid(count);\nauto p_ = arange<{b}>()[all, none, none];\nauto i = arange<{m}>();\nauto j = arange<{n}>();\nauto k = arange<{k}>();\n"


def parameters(type_, sums, a, b, out):
    out = f"out({out}, 2**-9, 0.5)" if sums == "float16" else f"out({out})"
    return f"const {type_}* a = small({a})\nconst {type_}* b = small({b})\n{sums}* c = {out}\nint count"


def product(name, type_, sums, shape, order="nn", options="", **more):
    b, m, n, k = shape
    table.add(
        name,
        parameters(type_, sums, b * m * k, b * k * n, b * m * n),
        head(*shape)
        + f"auto x = {operand(order[0], 'a', b, 'i', m, 'k', k)};\nauto y = {operand(order[1], 'b', b, 'k', k, 'j', n)};\n"
        + f"store(c + (p_ * {m * n} + i[none, all, none] * {n} + j[none, none, all]), dot(x, y, zeros<{sums}, {b}, {m}, {n}>(){options}));",
        [{"count": 1}],
        **more,
    )


def single():
    for type_, sums in TYPES:
        short = SHORT[type_] + ("_acc_f16" if sums == "float16" else "")
        for shape in SHAPES:
            name = f"b_{short}_" + "x".join(map(str, shape))
            product(name, type_, sums, shape, warps=warps_of(name, 2))
        for order in ("nt", "tn", "cc", "nb", "bn", "np", "pn"):
            name = f"b_{short}_{order}"
            product(name, type_, sums, (4, 32, 24, 32), order, warps=warps_of(name))
    for precision in ("tf32x3", "ieee"):
        product(f"b_{precision}", "float", "float", (3, 16, 24, 16), options=f", precision::{precision}", warps=(1, 4))
    product("b_rows", "float16", "float", (4, 1, 16, 16), warps=(1, 4))
    product("b_warps_16", "float16", "float", (3, 32, 32, 32), warps=(16,))


def loops():
    """The loop over k has a ragged end and prefetches its copies."""
    for type_, sums in (("float16", "float"), ("float", "float"), ("int8_t", "int")):
        for stages in (1, 3):
            table.add(
                f"b_loop_{SHORT[type_]}_{stages}",
                f"const {type_}* a = small(4 * 20 * 70)\nconst {type_}* b = small(4 * 70 * 24)\n{sums}* c = out(4 * 20 * 24)\nint K",
                f"""
                grid(1);
                auto p_ = arange<4>()[all, none, none];
                auto i = arange<32>()[none, all, none];
                auto j = arange<32>()[none, none, all];
                auto ks = arange<16>();
                auto acc = zeros<{sums}, 4, 32, 32>();
                for (int k = 0; k < K; k += 16) {{
                  auto x = load(a + (p_ * (20 * K) + i * K + k + ks[none, none, all]), (i < 20) & (k + ks[none, none, all] < K));
                  auto y = load(b + (p_ * (K * 24) + (k + ks[none, all, none]) * 24 + j), (k + ks[none, all, none] < K) & (j < 24));
                  acc = dot(x, y, acc);
                }}
                store(c + (p_ * (20 * 24) + i * 24 + j), acc, (i < 20) & (j < 24));
                """,
                [{"K": n} for n in (70, 64, 16, 7, 0)],
                warps=(1, 2, 4, 8),
                options=f", .num_stages = {stages}",
            )  # fmt: skip


def around():
    """Chained dots, reductions along each dimension, and dots of one matrix with a whole batch."""
    shape = (4, 16, 16, 16)
    start = head(*shape) + "auto at = p_ * 256 + i[none, all, none] * 16 + j[none, none, all];\nauto x = load(a + at);\nauto y = load(b + at);\n"
    whole = parameters("float16", "float", 1024, 1024, 1024)
    for name, body in {
        "chain": "store(c + at, dot(cast<float16>(dot(x, y)), y));",
        "chain_right": "store(c + at, dot(x, cast<float16>(dot(x, y))));",
        "square": "store(c + at, dot(x, x));",
        "gram": "store(c + at, dot(x, permute<0, 2, 1>(x)));",
        "computed": "store(c + at, dot(cast<float16>(cast<float>(x) * 2.0f), y) + cast<float>(x));",
        "shared": "auto one = broadcast_to<4, 16, 16>(load(b + (i[all, none] * 16 + j[none, all]))[none, all, all]);\nstore(c + at, dot(x, one));",
        "twice": "auto acc = dot(x, y);\nacc = dot(y, x, acc);\nstore(c + at, acc);",
        "if": "auto acc = dot(x, y);\nif (count > 0) acc = dot(acc > 0.0f ? x : y, y, acc);\nstore(c + at, acc);".replace("acc > 0.0f ? x : y", "where(acc > 0.0f, x, y)"),
    }.items():
        table.add(f"b_{name}", whole, start + body, [{"count": 1}], warps=(1, 2, 4))
    for axis, size in ((0, 256), (1, 64), (2, 64)):
        place = ("i[all, none] * 16 + j[none, all]", "arange<4>()[all, none] * 16 + j[none, all]", "arange<4>()[all, none] * 16 + i[none, all]")[axis]
        table.add(
            f"b_sum_{axis}",
            parameters("float16", "float", 1024, 1024, size),
            start + f"store(c + ({place}), sum<{axis}>(dot(x, y)));",
            [{"count": 1}],
            warps=(1, 2, 4, 8),
        )


for make in (single, loops, around):
    make()
