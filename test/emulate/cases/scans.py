"""Scans: cumsum, cumprod, associative_scan with lambdas and tuples, both directions, every axis."""

from case import SHORT, Table, row_runs, warps_of
from cases.shapes import address, product, shape_text

table = Table()
SUM = {
    "float16": "float",
    "bfloat16": "float",
    "int8_t": "int",
    "uint8_t": "uint32_t",
    "bool": "int",
    "int16_t": "int",
}
SIZES = [1, 2, 16, 32, 80, 96, 128, 192, 1000, 1024, 5000]
PLANES = [(8, 32), (16, 32), (32, 16), (2, 1024), (80, 16), (3, 1000), (5, 7), (1, 64), (64, 1)]
CUBES = [(4, 8, 16), (2, 16, 8)]


def rows():
    for block in SIZES:
        for t in ("float", "int8_t", "bfloat16", "int64_t"):
            name = f"cumsum_{block}_{SHORT[t]}"
            s = SUM.get(t, t)
            table.add(
                name,
                f"const {t}* in = small(rows * n)\n{s}* up = out(rows * n)\n{s}* down = out(rows * n)\nint rows\nint n",
                f"""
                auto row = grid(rows);
                auto i = arange<{block}>();
                auto m = i < n;
                auto x = load(in + row * n + i, m);
                store(up + row * n + i, cumsum(x), m);
                store(down + row * n + i, cumsum(x, reverse), m);
                """,
                row_runs(block),
                warps=(1, 2, 3, 4, 5, 8) if t == "float" else warps_of(name, 2),
            )


def planes():
    for shape in [*PLANES, *CUBES]:
        for axis in range(len(shape)):
            for t in ("float", "int", "float16"):
                name = f"scan_{shape_text(shape)}_{axis}_{SHORT[t]}"
                s = SUM.get(t, t)
                table.add(
                    name,
                    f"const {t}* in = ones({product(shape)})\n{s}* up = out({product(shape)})\n{s}* down = out({product(shape)})\n{s}* grown = out({product(shape)}, 1e-5)\n"
                    f"{t}* peak = out({product(shape)})\nint count",
                    f"""
                    grid(count);
                    auto at = {address(shape)};
                    auto x = load(in + at);
                    store(up + at, cumsum<{axis}>(x));
                    store(down + at, cumsum<{axis - len(shape)}>(x, reverse));
                    store(grown + at, cumprod<{axis}>(where(({axis_index(shape, axis)}) < 8, x, cast<{t}>(full<int, 1>(1)))));
                    store(peak + at, associative_scan<{axis}>(x, [](auto a, auto b) {{ return maximum(a, b); }}));
                    """,
                    [{"count": 1}, {"count": 0}],
                    warps=(
                        (1, 2, 3, 4, 5, 8)
                        if t == "float" and shape == (16, 32)
                        else warps_of(name, 2)
                    ),
                )


def axis_index(shape, axis):
    if len(shape) == 1:
        return f"arange<{shape[0]}>()"
    subscript = ", ".join("all" if k == axis else "none" for k in range(len(shape)))
    return f"arange<{shape[axis]}>()[{subscript}]"


def lambdas():
    for block in (1, 32, 96, 128, 1024):
        for direction in ("", ", reverse"):
            name = f"scan_first_{block}{'_reverse' if direction else ''}"
            table.add(
                name,
                f"const int* in = bits({block})\nint* out = out({block})\nint* last = out({block})\nint count",
                f"""
                grid(count);
                auto i = arange<{block}>();
                auto x = load(in + i);
                store(out + i, associative_scan<0>(x, [](int a, int) {{ return a; }}{direction}));
                store(last + i, associative_scan<0>(x, [](int, int b) {{ return b; }}{direction}));
                """,
                [{"count": 1}],
                warps=warps_of(name, 3),
            )
            name = f"scan_recurrence_{block}{'_reverse' if direction else ''}"
            table.add(
                name,
                f"const float* a = ones({block})\nconst float* b = small({block})\nfloat* product = out({block}, 1e-5, 1e-30)\nfloat* state = out({block}, 1e-4, 1e-3)\nint count",
                f"""
                grid(count);
                auto i = arange<{block}>();
                auto u = load(a + i) * where(i % 5 == 0, 0.5f, 1.0f);
                auto [p, h] = associative_scan<0>(tl::tuple(u * 0.75f, load(b + i)), [](auto x, auto y) {{
                  return tl::tuple(x.v0 * y.v0, x.v1 * y.v0 + y.v1);
                }}{direction});
                store(product + i, p);
                store(state + i, h);
                """,
                [{"count": 1}, {"count": 0}],
                warps=warps_of(name, 3),
            )
    for shape in ((16, 32), (80, 16), (4, 8, 16)):
        for axis in range(len(shape)):
            for direction in ("", ", reverse"):
                name = f"scan_argmax_{shape_text(shape)}_{axis}{'_reverse' if direction else ''}"
                table.add(
                    name,
                    f"const float* in = ties({product(shape)})\nfloat* value = out({product(shape)})\nint* index = out({product(shape)})\nint count",
                    f"""
                    grid(count);
                    auto at = {address(shape)};
                    auto [v, i] = associative_scan<{axis}>(tl::tuple(load(in + at), at), [](auto a, auto b) {{
                      return b.v0 > a.v0 ? b : a;
                    }}{direction});
                    store(value + at, v);
                    store(index + at, i);
                    """,
                    [{"count": 1}],
                    warps=warps_of(name, 2),
                )


def types():
    for t in ("int8_t", "uint8_t", "int16_t", "float16", "double", "bool", "int64_t"):
        name = f"cumsum_type_{SHORT[t]}"
        s = SUM.get(t, t)
        table.add(
            name,
            f"const {t}* in = small(192)\n{s}* out = out(192)\nint count",
            "grid(count);\nauto i = arange<192>();\nstore(out + i, cumsum(load(in + i)));",
            [{"count": 1}],
            warps=warps_of(name, 3),
        )


def mixtures():
    """Scans next to reductions, inside loops, and with the end of the row carried on."""
    table.add(
        "carried_scan",
        "const float* in = small(rows * n)\nfloat* out = out(rows * n)\nint rows\nint n",
        """
        auto row = grid(rows);
        auto i = arange<96>();
        float before = 0;
        for (int k = 0; k < n; k += 96) {
          auto m = i < n - k;
          auto x = load(in + row * n + k + i, m);
          store(out + row * n + k + i, cumsum(x) + before, m);
          before += sum(x);
        }
        """,
        [{"rows": 2, "n": n} for n in (288, 200, 96, 1, 0)],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "scan_two_axes",
        "const int* in = small(32 * 64)\nint* out = out(32 * 64)\nint count",
        """
        grid(count);
        auto at = arange<32>()[all, none] * 64 + arange<64>()[none, all];
        auto x = load(in + at);
        store(out + at, cumsum<1>(cumsum<0>(x)) - cumsum<0>(x));
        """,
        [{"count": 1}],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "compact",
        "const int* in = small(128)\nint* out = out(128)\nint* count = out(1)\nint n",
        """
        grid(n);
        auto i = arange<128>();
        auto x = load(in + i);
        auto keep = x > 0;
        auto place = cumsum(keep) - 1;
        store(out + place, x, keep);
        store(count, sum(keep));
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 2, 3, 4, 5, 8),
    )


def moved():
    """Of tiles whose elements stand in another order than their threads."""
    for r, c in ((2, 16), (16, 2), (4, 8), (8, 4), (2, 32), (8, 16), (4, 64), (64, 4), (32, 32), (3, 32), (2, 512)):
        n = r * c
        name = f"scan_turned_{r}_{c}"
        table.add(
            name,
            f"const float* in = ones({n})\nfloat* up = out({n})\nfloat* down = out({n})\nfloat* flat = out({n})\nfloat* plane = out({n})\nint count",
            f"""
            grid(count);
            auto i = arange<{n}>();
            auto x = load(in + i);
            auto turned = reshape<{n}>(trans(reshape<{r}, {c}>(x)));
            store(up + i, cumsum(turned));
            store(down + i, cumsum(turned, reverse));
            store(flat + i, reshape<{n}>(trans(reshape<{c}, {r}>(cumsum(turned)))) + x);
            auto square = trans(reshape<{r}, {c}>(cumsum(x)));
            store(plane + reshape<{c}, {r}>(i), cumsum<0>(square) + cumsum<1>(square, reverse));
            """,
            [{"count": 1}],
            warps=(1, 2, 4, 8),
        )


for make in (rows, planes, lambdas, types, mixtures, moved):
    make()
