"""Tensor descriptors: element types, 1 to 5 dimensions, any offset, size, stride and padding; dots of tiles that they load."""

from case import FLOATS, INTEGERS, SHORT, Table, warps_of

table = Table()
ALL = [*INTEGERS, *FLOATS, "bool"]
WARPS = (1, 2, 3, 4, 8)
# Rows and columns, and the shift of the blocks: inside, whole vectors, ragged, one element, none.
SIZES = [
    {"rows": 32, "columns": 64, "s": 0},
    {"rows": 29, "columns": 48, "s": 0},
    {"rows": 19, "columns": 37, "s": 0},
    {"rows": 19, "columns": 37, "s": 5},
    {"rows": 7, "columns": 40, "s": 8},
    {"rows": 1, "columns": 1, "s": 3},
    {"rows": 0, "columns": 8, "s": 1},
]


def types():
    """A copy through blocks that start before the tensor and end past it; the contents of a block go to `blocks`."""
    for t in ALL:
        name = f"copy_{SHORT[t]}"
        n = {1: 16, 2: 32, 0: 48}[len(t) % 3]
        table.add(
            name,
            f"const {t}* a = small(rows * (columns + 8) + 8)\n{t}* out = out(rows * (columns + 8) + 8)\n"
            f"{t}* blocks = out((cdiv(rows, 8) + 1) * (cdiv(columns, {n}) + 1) * {8 * n})\n"
            "int rows\nint columns\nint s",
            f"""
            auto [i, j] = grid(cdiv(rows, 8) + 1, cdiv(columns, {n}) + 1);
            auto A = make_tensor_descriptor<8, {n}>(a, {{rows, columns}}, {{columns + 8, 1}});
            auto Out = make_tensor_descriptor<8, {n}>(out, {{rows, columns}}, {{columns + 8, 1}});
            auto x = A.load({{i * 8 - s, j * {n} - s}});
            Out.store({{i * 8 - s, j * {n} - s}}, x);
            auto at = (i * (cdiv(columns, {n}) + 1) + j) * {8 * n};
            store(blocks + at + (arange<8>()[all, none] * {n} + arange<{n}>()[none, all]), x);
            """,
            SIZES,
            warps=warps_of(name, 2),
        )


def ranks():
    """Each number of dimensions, with offsets on every side of the tensor."""
    for rank, shape in enumerate([(96,), (12, 16), (3, 4, 16), (2, 3, 4, 8), (2, 1, 3, 2, 8)], 1):
        letters = "abcde"[:rank]
        sizes = ", ".join(f"n{c}" for c in letters)
        strides = ["1"]
        for c in reversed(letters[1:]):
            strides.insert(0, f"{strides[0]} * int64_t(n{c})" if strides[0] != "1" else f"n{c}")
        volume = 1
        for extent in shape:
            volume *= extent
        total = " * ".join(f"n{c}" for c in letters)
        block = ", ".join(map(str, shape))
        starts = ", ".join(f"s - {k}" for k in range(rank))
        flat = " + ".join(
            f"iota<{k}, {block}>() * {volume_after}"
            for k, volume_after in enumerate(
                [_product(shape[k + 1 :]) for k in range(rank)]
            )
        )
        table.add(
            f"rank_{rank}",
            f"const float* x = small({total} + 1)\nfloat* y = out({total} + 1)\nint* z = out({volume})\n"
            + "".join(f"int n{c}\n" for c in letters)
            + "int s",
            f"""
            grid(1);
            auto X = make_tensor_descriptor<{block}>(x, {{{sizes}}}, {{{", ".join(strides)}}});
            auto Y = make_tensor_descriptor<{block}>(y, {{{sizes}}}, {{{", ".join(strides)}}});
            auto v = X.load({{{starts}}});
            Y.store({{{starts}}}, v + 1);
            store(z + ({flat}), v);
            """,
            [
                {**{f"n{c}": extent + more for c, extent in zip(letters, shape)}, "s": s}
                for more, s in ((0, 0), (2, 1), (0, -1), (-1, 2), (1, -5), (1, 200), (-100, 0))
                if more > -100
            ]
            + [{**{f"n{c}": extent for c, extent in zip(letters, shape)}, "nc" if rank > 2 else "na": 0, "s": 0}],
            warps=WARPS,
        )


def _product(extents):
    result = 1
    for extent in extents:
        result *= extent
    return result


def strides():
    """Strides are transposed, zero, negative or known only at run time; base pointers are far from what is read."""
    head = "const float* a = small(3000)\nfloat* out = out(1024)\nint s\nint64_t big"
    for name, (base, sizes, steps, offsets) in {
        "transposed": ("a", "32, 32", "1, 33", "s, s"),
        "rows_repeat": ("a", "32, 32", "0, 1", "s, s"),
        "all_repeat": ("a + 3", "32, 32", "0, 0", "s, s"),
        "backwards": ("a + 1023", "32, 32", "-32, -1", "s, s"),
        "row_backwards": ("a + 992", "32, 32", "-32, 1", "s, s"),
        "sparse": ("a", "16, 16", "64, 2", "s, s"),
        "runtime": ("a + 100", "20, 20", "s + 34, s + 1", "s, s"),
        "huge_size": ("a", "big, 32", "0, 1", "big - 20, s"),
        "huge_stride": ("a", "1, 32", "big, 1", "s, s"),
        "far_base": ("a - 2 * big", "big + 30, 32", "2, 1", "big + (s & 7), 0"),
        "far_columns": ("a - big", "32, big + 32", "32, 1", "s, big"),
    }.items():
        table.add(
            f"stride_{name}",
            head,
            f"""
            grid(1);
            auto A = make_tensor_descriptor<32, 32>({base}, {{{sizes}}}, {{{steps}}});
            auto Out = make_tensor_descriptor<32, 32>(out, {{32, 32}}, {{32, 1}});
            Out.store({{0, 0}}, A.load({{{offsets}}}));
            """,
            [{"s": s, "big": 2**b} for s, b in ((0, 33), (1, 33), (4, 20), (-3, 40), (31, 31), (50, 33))],
            warps=warps_of(name, 2),
        )
    table.add(
        "store_strides",
        "float* out = out(3000)\nint s\nint t",
        """
        grid(1);
        auto x = arange<16>()[all, none] * 100 + arange<32>()[none, all];
        make_tensor_descriptor<16, 32>(out, {15, 30}, {1, 15}).store({s, t}, x);
        make_tensor_descriptor<16, 32>(out + 1499, {15, 30}, {-32, -1}).store({t, s}, x);
        make_tensor_descriptor<16, 32>(out + 2000, {15, 30}, {64, 2}).store({s, s}, x);
        """,
        [{"s": s, "t": t} for s, t in ((0, 0), (1, 3), (-2, -5), (14, -31), (15, 0), (-100, 100))],
        warps=(1, 3, 4),
    )


def paddings():
    for t in FLOATS:
        name = f"padding_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = small(n * n + 1)\n{t}* out = out(1024)\n{t}* zero = out(1024)\n{t}* chosen = out(1024)\nint n\nint s",
            """
            grid(1);
            auto A = make_tensor_descriptor<32, 32>(a, {n, n}, {n, 1}, padding::nan);
            auto Z = make_tensor_descriptor<32, 32>(a, {n, n}, {n, 1}, padding::zero);
            auto C = s < 0 ? A : Z;
            make_tensor_descriptor<32, 32>(out, {32, 32}, {32, 1}).store({0, 0}, A.load({s, s}));
            make_tensor_descriptor<32, 32>(zero, {32, 32}, {32, 1}).store({0, 0}, Z.load({s, s}));
            make_tensor_descriptor<32, 32>(chosen, {32, 32}, {32, 1}).store({0, 0}, C.load({s, s}));
            """,
            [{"n": n, "s": s} for n, s in ((32, 0), (40, 8), (32, -4), (27, 3), (0, 0))],
            warps=warps_of(name, 2),
        )


def stores():
    """The stored values are converted and broadcast."""
    for t in ("int8_t", "float16", "float", "int64_t"):
        name = f"store_block_{SHORT[t]}"
        table.add(
            name,
            f"{t}* out = out(2048)\n{t}* row = out(2048)\n{t}* column = out(2048)\nint n\nint s",
            """
            grid(1);
            auto shape = make_tensor_descriptor<16, 64>(out, {n, 61}, {61, 1});
            shape.store({s, s}, 7);
            make_tensor_descriptor<16, 64>(row, {n, 61}, {61, 1}).store({s, -s}, arange<64>() * 0.5f);
            make_tensor_descriptor<16, 64>(column, {n, 61}, {61, 1}).store({-s, s}, arange<16>()[all, none]);
            """,
            [{"n": n, "s": s} for n, s in ((16, 0), (12, 2), (33, -1), (1, 60), (0, 0))],
            warps=warps_of(name, 2),
        )


def uses():
    """Descriptors are variables, arguments, captures, members and results; loops make and advance them."""
    head = "const float* a = small(rows * columns + 1)\nfloat* out = out(rows * columns + 1)\nint rows\nint columns"
    first = "auto [i, j] = grid(cdiv(rows, 16), cdiv(columns, 32));\n"
    both = (
        "auto A = make_tensor_descriptor<16, 32>(a, {rows, columns}, {columns, 1});\n"
        "auto Out = make_tensor_descriptor<16, 32>(out, {rows, columns}, {columns, 1});\n"
    )
    helpers = {
        "helper": """
template <class D>
__tile__ auto doubled(D from, int64_t i, int64_t j) {
  return from.load({i, j}) * 2;
}
template <class T, int... N>
__tile__ void put(const tensor_descriptor<T, N...>& to, int64_t i, int64_t j, const tile<float, N...>& value) {
  to.store({i, j}, value);
}
""",
        "returned": """
__tile__ auto matrix(const float* p, int rows, int columns) {
  if (rows < columns) return make_tensor_descriptor<16, 32>(p, {rows, columns}, {columns, 1});
  return make_tensor_descriptor<16, 32>(p, {rows, columns}, {columns, 1}, padding::zero);
}
""",
        "member": """
struct Pair {
  tensor_descriptor<const float, 16, 32> from;
  tensor_descriptor<float, 16, 32> to;
};
""",
    }
    runs = [{"rows": r, "columns": c} for r, c in ((32, 64), (37, 45), (16, 96), (5, 1), (0, 4))]
    for name, body in {
        "helper": first + both + "put(Out, i * 16, j * 32, doubled(A, i * 16, j * 32));",
        "returned": first + both + "auto B = matrix(a, rows, columns);\nOut.store({i * 16, j * 32}, B.load({i * 16, j * 32}));",
        "lambda": first + both
        + "auto copy = [=](int64_t r, int64_t c) { Out.store({r, c}, A.load({r, c}) + 1); };\ncopy(i * 16, j * 32);",
        "lambda_reference": first + both
        + "auto copy = [&](auto r, auto c) { Out.store({r, c}, A.load({r, c}) + 1); };\ncopy(i * 16, j * 32);",
        "member": first + both + "Pair p{A, Out};\np.to.store({i * 16, j * 32}, p.from.load({i * 16, j * 32}));",
        "array": first + both
        + "int64_t at[2] = {i * 16, j * 32};\nOut.store(at, A.load(at) - A.load({at[0], at[1] + 1}));",
        "loop_rows": "auto j = grid(cdiv(columns, 32));\n" + both
        + "for (int r = 0; r < rows; r += 16) Out.store({r, j * 32}, A.load({r, j * 32}) * 3);",
        "made_in_loop": "grid(1);\nfor (int r = 0; r < rows; ++r) {\n"
        "  auto A = make_tensor_descriptor<64>(a + int64_t(r) * columns, {columns}, {1});\n"
        "  auto Out = make_tensor_descriptor<64>(out + int64_t(r) * columns, {columns}, {1});\n"
        "  for (int c = 0; c < columns; c += 64) Out.store({c}, A.load({c}) + r);\n}",
        "carried": "grid(1);\nauto A = make_tensor_descriptor<64>(a, {columns}, {1});\n"
        "auto Out = make_tensor_descriptor<64>(out, {columns}, {1});\n"
        "for (int r = 0; r < rows; ++r) {\n"
        "  for (int c = 0; c < columns; c += 64) Out.store({c}, A.load({c}) + r);\n"
        "  A = make_tensor_descriptor<64>(a + int64_t(r + 1) * columns, {columns}, {1});\n"
        "  Out = make_tensor_descriptor<64>(out + int64_t(r + 1) * columns, {columns}, {1});\n}",
        "chosen": first + both
        + "auto B = make_tensor_descriptor<16, 32>(a, {rows, columns - 1}, {columns, 1});\n"
        "if (i == 0) A = B;\nOut.store({i * 16, j * 32}, A.load({i * 16, j * 32}));",
        "transposed": first
        + "auto A = make_tensor_descriptor<32, 16>(a, {columns, rows}, {1, columns});\n"
        "auto Out = make_tensor_descriptor<16, 32>(out, {rows, columns}, {columns, 1});\n"
        "Out.store({i * 16, j * 32}, trans(A.load({j * 32, i * 16})));",
        "in_place": first
        + "auto Out = make_tensor_descriptor<16, 32>(out, {rows, columns}, {columns, 1});\n"
        "Out.store({i * 16, j * 32}, Out.load({i * 16, j * 32}) + 1);\n"
        "Out.store({i * 16, j * 32}, Out.load({i * 16, j * 32}) * 2);",
        "reduced": "auto i = grid(cdiv(rows, 16));\n" + both
        + "auto total = zeros<float, 16, 32>();\n"
        "for (auto c : range(0, columns, 32)) total += A.load({i * 16, c});\n"
        "make_tensor_descriptor<16>(out, {rows}, {1}).store({i * 16}, sum<1>(total));",
    }.items():
        table.add(
            f"use_{name}",
            head,
            body,
            runs if name != "reduced" else [r for r in runs if r["columns"] > 0],
            warps=warps_of(name, 3),
            helpers=helpers.get(name, ""),
        )


def products():
    """The matmul of the design page, with tiles that no size divides."""
    for name, types, tiles, load, swizzle in (
        ("f16", ("float16", "float"), (32, 32, 16), "B.load({k, n0})", False),
        ("f16_swizzled", ("float16", "float16"), (16, 32, 32), "B.load({k, n0})", True),
        ("f16_trans", ("float16", "float"), (32, 16, 32), "trans(Bt.load({n0, k}))", False),
        ("bf16", ("bfloat16", "float"), (64, 32, 16), "B.load({k, n0})", True),
        ("f32", ("float", "float"), (16, 32, 8), "B.load({k, n0})", False),
        ("i8", ("int8_t", "int"), (16, 16, 32), "B.load({k, n0})", False),
    ):
        t, out = types
        total = "int" if t == "int8_t" else "float"
        m, n, k = tiles
        ids = (
            f"auto id = grid(cdiv(M, {m}) * cdiv(N, {n}));\n"
            f"auto [pm, pn] = swizzle2d(id, cdiv(M, {m}), cdiv(N, {n}), 2);"
            if swizzle
            else f"auto [pm, pn] = grid(cdiv(M, {m}), cdiv(N, {n}));"
        )
        b_descriptor = (
            f"auto Bt = make_tensor_descriptor<{n}, {k}>(b, {{N, K}}, {{K + 8, 1}});"
            if "Bt" in load
            else f"auto B = make_tensor_descriptor<{k}, {n}>(b, {{K, N}}, {{N + 8, 1}});"
        )
        table.add(
            f"product_{name}",
            f"const {t}* a = small(M * (K + 8) + 8)\nconst {t}* b = small((K + N) * (K + N + 8) + 8)\n"
            f"{out}* c = out(M * (N + 8) + 8)\nint M\nint N\nint K",
            f"""
            {ids.replace(chr(10), chr(10) + "            ")}
            auto n0 = pn * {n};
            auto A = make_tensor_descriptor<{m}, {k}>(a, {{M, K}}, {{K + 8, 1}});
            {b_descriptor}
            auto C = make_tensor_descriptor<{m}, {n}>(c, {{M, N}}, {{N + 8, 1}});
            auto acc = zeros<{total}, {m}, {n}>();
            for (int k = 0; k < K; k += {k}) acc = dot(A.load({{pm * {m}, k}}), {load}, acc);
            C.store({{pm * {m}, n0}}, acc);
            """,
            [
                {"M": m, "N": n, "K": k}
                for m, n, k in ((64, 48, 64), (37, 50, 41), (1, 1, 1), (16, 8, 0), (3, 72, 8), (0, 8, 8))
            ],
            warps=WARPS,
        )


for make in (types, ranks, strides, paddings, stores, uses, products):
    make()
