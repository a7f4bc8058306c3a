"""Reductions: every kind, axis, type, keep_dims, NaN and ties, lambdas over one and several tiles."""

from case import FLOATS, INTEGERS, SHORT, Table, row_runs, warps_of
from cases.shapes import address, product, shape_text

table = Table()
ALL = [*INTEGERS, *FLOATS]
SHAPES = [(16, 32), (32, 16), (64, 64), (8, 128), (80, 16), (3, 1000), (1, 128), (128, 1), (5, 7)]
CUBES = [(2, 32, 16), (32, 2, 16), (32, 16, 2), (4, 8, 16), (3, 5, 8)]
SUM = {
    "float16": "float",
    "bfloat16": "float",
    "int8_t": "int",
    "int16_t": "int",
    "uint8_t": "uint32_t",
    "uint16_t": "uint32_t",
    "bool": "int",
}


def sum_type(t):
    return SUM.get(t, t)


def rows():
    """All of a row of `n` elements to a scalar, in tiles of every size."""
    for block in (1, 2, 16, 32, 80, 96, 128, 192, 1000, 1024, 5000):
        for t in ("float", "int8_t", "float16"):
            name = f"row_{block}_{SHORT[t]}"
            s = sum_type(t)
            table.add(
                name,
                f"const {t}* in = small(rows * n)\n{s}* total = out(rows)\n{t}* high = out(rows)\n{t}* low = out(rows)\nint* at = out(rows)\n{t}* shifted = out(rows * n)\nint rows\nint n",
                f"""
                auto row = grid(rows);
                auto i = arange<{block}>();
                auto m = i < n;
                auto x = load(in + row * n + i, m);
                store(total + row, sum(x));
                store(high + row, max(cast<{t}>(x - 20)));
                store(low + row, min(load(in + row * n + i, m, 20)));
                store(at + row, argmax(load(in + row * n + i, m, -100)));
                store(shifted + row * n + i, cast<{t}>(x - min(x)), m);
                """,
                row_runs(block),
                warps=(1, 2, 3, 4, 5, 8) if t == "float" else warps_of(name, 2),
            )


def kinds():
    """Every kind on every type."""
    for t in [*ALL, "bool"]:
        domain = "ties" if t != "bool" else "small"
        s = sum_type(t)
        name = f"kinds_{SHORT[t]}"
        lines = [("total", s, "sum(x)"), ("some", "bool", "any(x)"), ("every", "bool", "all_of(x)")]
        if t != "bool":
            lines += [
                ("high", t, "max(x)"),
                ("low", t, "min(x)"),
                ("at_high", "int", "argmax(x)"),
                ("at_low", "int", "argmin(x)"),
            ]
        if t not in FLOATS:
            lines += [("parity", t if t != "bool" else "bool", "xor_sum(x)")]
        for block in (96, 256):
            parameters = "".join(f"{r}* {o} = out(rows)\n" for o, r, _ in lines)
            stores = "".join(f"store({o} + row, {e});\n" for o, _, e in lines)
            table.add(
                f"{name}_{block}",
                f"const {t}* in = {domain}(rows * {block})\n{parameters}int rows",
                f"auto row = grid(rows);\nauto x = load(in + row * {block} + arange<{block}>());\n{stores}",
                [{"rows": 3}, {"rows": 1}, {"rows": 0}],
                warps=warps_of(name + str(block), 3),
            )


def sparse():
    """any and all_of where one element decides."""
    table.add(
        "sparse",
        "const bool* in = sparse(rows * 96)\nbool* some = out(rows)\nbool* every = out(rows)\nint* count = out(rows)\nint* branch = out(rows)\nint rows",
        """
        auto row = grid(rows);
        auto x = load(in + row * 96 + arange<96>());
        store(some + row, any(x));
        store(every + row, all_of(!x));
        store(count + row, sum(x));
        if (any(x)) {
          store(branch + row, 1 + sum(x));
        } else {
          store(branch + row, -1);
        }
        """,
        [{"rows": 12}],
        warps=(1, 2, 3, 4, 5, 8),
    )


def planes():
    for shape in [*SHAPES, *CUBES]:
        for axis in range(len(shape)):
            for t in ("float", "int8_t", "float16", "double"):
                name = f"axis{axis}_{shape_text(shape)}_{SHORT[t]}"
                rest = shape[:axis] + shape[axis + 1 :]
                kept = shape[:axis] + (1,) + shape[axis + 1 :]
                s = sum_type(t)
                negative = axis - len(shape)
                table.add(
                    name,
                    f"const {t}* in = small({product(shape)})\n{s}* total = out({product(rest)})\n{t}* high = out({product(rest)})\n{t}* low = out({product(rest)})\n"
                    f"int* at = out({product(rest)})\n{t}* centred = out({product(shape)})\nint count",
                    f"""
                    grid(count);
                    auto x = load(in + ({address(shape)}));
                    auto to = {address(rest)};
                    store(total + to, sum<{axis}>(x));
                    store(high + to, max<{negative}>(x));
                    store(low + ({address(kept)}), min<{axis}>(x, keep_dims));
                    store(at + to, argmin<{axis}>(x));
                    store(centred + ({address(shape)}), cast<{t}>(x - max<{axis}>(x, keep_dims)));
                    """,
                    [{"count": 1}, {"count": 0}],
                    warps=(
                        (1, 2, 3, 4, 5, 8)
                        if t == "float" and shape in ((16, 32), (80, 16))
                        else warps_of(name, 2)
                    ),
                )
    # Results whose own layout has other padding than what is left of the tile's.
    for shape in ((3, 4, 5), (5, 7, 3), (7, 5, 6, 5), (9, 5, 12), (4, 25, 6)):
        table.add(
            f"crooked_{shape_text(shape)}",
            f"const int* in = small({product(shape)})\n"
            + "".join(
                f"int* sums{axis} = out({product(shape) // n})\nint* at{axis} = out({product(shape) // n})\n"
                for axis, n in enumerate(shape)
            )
            + "int count",
            f"grid(count);\nauto x = load(in + ({address(shape)}));\n"
            + "".join(
                f"store(sums{axis} + {address(rest)}, sum<{axis}>(x));\nstore(at{axis} + {address(rest)}, argmax<{axis}>(x));\n"
                for axis, rest in ((a, shape[:a] + shape[a + 1 :]) for a in range(len(shape)))
            ),
            [{"count": 1}],
            warps=(1, 2, 3, 5, 6, 7, 12),
        )
    for shape in ((16, 32), (4, 8, 16), (3, 1000)):
        for t in ("float", "int"):
            name = f"all_axes_{shape_text(shape)}_{SHORT[t]}"
            table.add(
                name,
                f"const {t}* in = ties({product(shape)})\n{t}* total = out(1)\nint* at = out(1)\n{t}* twice = out(1)\nint count",
                f"grid(count);\nauto x = load(in + ({address(shape)}));\nstore(total, sum(x));\nstore(at, argmax(x));\nstore(twice, sum(max<0>(x)));",
                [{"count": 1}, {"count": 0}],
                warps=warps_of(name, 3),
            )


def nans():
    for t in FLOATS:
        for domain in ("nans", "special"):
            name = f"nan_{SHORT[t]}_{domain}"
            lines = [
                ("high", t, "max(x)"),
                ("low", t, "min(x)"),
                ("at_high", "int", "argmax(x)"),
                ("at_low", "int", "argmin(x)"),
                ("high_nan", t, "max(x, propagate_nan)"),
                ("low_nan", t, "min(x, propagate_nan)"),
            ]
            parameters = "".join(f"{r}* {o} = out(rows)\n" for o, r, _ in lines)
            stores = "".join(f"store({o} + row, {e});\n" for o, _, e in lines)
            table.add(
                name,
                f"const {t}* in = {domain}(rows * n)\n{parameters}int rows\nint n",
                f"auto row = grid(rows);\nauto x = load(in + row * n + arange<96>(), arange<96>() < n, cast<{t}>(inf));\n"
                + stores,
                [{"rows": 6, "n": 96}, {"rows": 4, "n": 3}, {"rows": 3, "n": 1}],
                warps=warps_of(name, 3),
            )
    for t in ("int", "uint8_t", "int64_t", "bool"):  # no NaN to propagate
        name = f"nan_none_{SHORT[t]}"
        larger = "[](auto a, auto b) { return maximum(a, b, propagate_nan); }"
        table.add(
            name,
            f"const {t}* in = bits(rows * n)\n{t}* high = out(rows)\n{t}* low = out(rows)\n{t}* most = out(rows)\nint rows\nint n",
            "auto row = grid(rows);\nauto x = load(in + row * n + arange<96>(), arange<96>() < n);\n"
            f"store(high + row, max(x, propagate_nan));\nstore(low + row, min(x, propagate_nan));\n"
            f"store(most + row, reduce<0>(x, {larger}));",
            [{"rows": 5, "n": 96}, {"rows": 3, "n": 7}],
            warps=warps_of(name, 3),
        )
    table.add(
        "nan_all",
        "int* at = out(1)\nfloat* high = out(1)\nfloat* low = out(1)\nfloat* nan = out(1)\nint n",
        "grid(n);\nauto x = full<float, 96>(inf - inf);\nstore(at, argmax(x));\nstore(high, max(x));\n"
        "store(low, min(x));\nstore(nan, max(x, propagate_nan));",
        [{"n": 1}],
        warps=(1, 3, 4),
    )


def lambdas():
    table.add(
        "reduce_lambda",
        "const int* in = ones(rows * 96)\nint* out = out(rows)\nint* other = out(rows)\nint rows",
        """
        auto row = grid(rows);
        auto x = load(in + row * 96 + arange<96>());
        store(out + row, reduce<0>(x % 3, [](int a, int b) { return (a + b) % 7; }));
        store(other + row, reduce<0>(x, [](auto a, auto b) { return a > b ? a : b; }));
        """,
        [{"rows": 3}],
        warps=(1, 2, 3, 4, 5, 8),
    )
    for shape in ((96,), (128,), (1024,), (16, 32), (80, 16), (4, 8, 16)):
        for axis in range(len(shape)):
            rest = shape[:axis] + shape[axis + 1 :]
            name = f"reduce_pair_{shape_text(shape)}_{axis}"
            to = f" + ({address(rest)})" if rest else ""
            table.add(
                name,
                f"const float* in = ties({product(shape)})\nfloat* value = out({product(rest)})\nint* index = out({product(rest)})\nint count",
                f"""
                grid(count);
                auto at = {address(shape)};
                auto [v, i] = reduce<{axis}>(tl::tuple(load(in + at), at), [](auto a, auto b) {{
                  return a.v0 > b.v0 || (a.v0 == b.v0 && a.v1 < b.v1) ? a : b;
                }});
                store(value{to}, v);
                store(index{to}, i);
                """,
                [{"count": 1}, {"count": 0}],
                warps=warps_of(name, 3),
            )
    # Along every axis of one tile: padding is of use to the threads, but has no identity.
    own = "[](auto a, auto b) { return a > b ? a : b; }"
    for shape in ((20, 7, 20), (5, 96, 3), (12, 80), (48, 10)):
        outputs, body = "", ""
        for axis, n in enumerate(shape):
            rest = shape[:axis] + shape[axis + 1 :]
            outputs += f"int* high{axis} = out({product(rest)})\nint* up{axis} = out({product(shape)})\nint* down{axis} = out({product(shape)})\n"
            body += f"""
                store(high{axis} + ({address(rest)}), reduce<{axis}>(x, {own}));
                store(up{axis} + at, associative_scan<{axis}>(x, {own}));
                store(down{axis} + at, associative_scan<{axis}>(x, {own}, reverse));
            """
        table.add(
            f"own_{shape_text(shape)}",
            f"const int* in = small({product(shape)})\n{outputs}int count",
            f"grid(count);\nauto at = {address(shape)};\nauto x = load(in + at);\n{body}",
            [{"count": 1}],
            warps=(1, 3, 4, 5, 8),
        )
    for m in (48, 80, 112):
        table.add(
            f"own_of_product_{m}",
            f"const float16* in = small({m} * 16)\nfloat* rows = out(16)\nfloat* columns = out({m})\nfloat* line = out(1)\nint count",
            f"""
            grid(count);
            auto a = load(in + arange<{m}>()[all, none] * 16 + arange<16>());
            auto c = dot(a, trans(a[slice<0, 16>, all]));
            store(rows + arange<16>(), reduce<0>(c, {own}));
            store(columns + arange<{m}>(), reduce<1>(c, {own}));
            store(line, reduce<0>(ravel(reshape<2, {m // 2}, 16>(c)), {own}));
            """,
            [{"count": 1}],
            warps=(1, 3, 4, 5, 8),
        )
    table.add(
        "reduce_welford",
        "const float* in = small(rows * 128)\nfloat* mean = out(rows, 1e-5, 1e-5)\nfloat* m2 = out(rows, 1e-4, 1e-4)\nfloat* weight = out(rows)\nint rows",
        """
        auto row = grid(rows);
        auto x = load(in + row * 128 + arange<128>());
        auto [m, s, w] = reduce<0>(tl::tuple(x, zeros<float, 128>(), full<float, 128>(1)), [](auto a, auto b) {
          auto delta = b.v0 - a.v0;
          auto n = a.v2 + b.v2;
          return tl::tuple(a.v0 + delta * b.v2 / n, a.v1 + b.v1 + delta * delta * a.v2 * b.v2 / n, n);
        });
        store(mean + row, m);
        store(m2 + row, s);
        store(weight + row, w);
        """,
        [{"rows": 3}],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "reduce_converts",
        "const float16* in = small(rows * 64)\nfloat16* out = out(rows)\nint rows",
        """
        auto row = grid(rows);
        auto x = load(in + row * 64 + arange<64>());
        store(out + row, reduce<0>(x, [](auto a, auto b) { return maximum(a, b); }));
        """,
        [{"rows": 3}],
        warps=(1, 2, 4),
    )


def chains():
    """Several reductions that depend on each other, in loops, and their results in other layouts."""
    table.add(
        "variance",
        "const float* in = small(rows * 160)\nfloat* out = out(rows * 160, 1e-4, 1e-4)\nint rows",
        """
        auto row = grid(rows);
        auto at = row * 160 + arange<160>();
        auto x = load(in + at);
        auto centred = x - sum(x) / 160;
        store(out + at, centred * rsqrt(sum(centred * centred) / 160 + 1));
        """,
        [{"rows": 3}],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "sum_both",
        "const float* in = small(64 * 32)\nfloat* rows = out(64)\nfloat* columns = out(32)\nfloat* mixed = out(64 * 32)\nint count",
        """
        grid(count);
        auto r = arange<64>();
        auto c = arange<32>();
        auto at = r[all, none] * 32 + c[none, all];
        auto x = load(in + at);
        auto by_row = sum<1>(x);
        auto by_column = sum<0>(x);
        store(rows + r, by_row);
        store(columns + c, by_column);
        store(mixed + at, x + by_row[all, none] * by_column[none, all]);
        """,
        [{"count": 1}],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "accumulated",
        "const float* in = small(rows * n)\nfloat* total = out(rows)\nfloat* peak = out(rows)\nint rows\nint n",
        """
        auto row = grid(rows);
        auto i = arange<96>();
        auto acc = zeros<float, 96>();
        float high = -inf;
        float running = 0;
        for (int k = 0; k < n; k += 96) {
          auto x = load(in + row * n + k + i, i < n - k);
          acc += x;
          high = maximum(high, max(x - 20));
          running = running * 2 + sum(x);
        }
        store(total + row, sum(acc) + running);
        store(peak + row, high);
        """,
        [{"rows": 3, "n": n} for n in (96 * 3, 200, 96, 1, 0)],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "chained_axes",
        "const int* in = small(2 * 4 * 8 * 4)\nint* out = out(4)\nint count",
        f"grid(count);\nauto x = load(in + ({address((2, 4, 8, 4))}));\nstore(out + arange<4>(), sum<1>(max<0>(min<-1>(sum<0>(x)) + min<-1>(x))));",
        [{"count": 1}],
        warps=(1, 2, 4),
    )


def empty_loops():
    """Accumulations over no iteration: the value from before the loop stays, bit for bit."""
    forms = {
        "max": "acc = max(acc, max(x));",
        "min": "acc = min(min(x), acc);",
        "sum": "acc += sum(x);",
        "max_nan": "acc = maximum(acc, max(x, propagate_nan), propagate_nan);",
    }
    for t in ("float", "float16", "double"):
        for name, form in forms.items():
            if (t, name) == ("float16", "sum"):
                continue  # a float
            table.add(
                f"empty_{name}_{SHORT[t]}",
                f"const {t}* in = small(512)\nconst {t}* start = special(32)\n{t}* out = out(32)\n{t}* zeros = out(2)\nint n",
                f"""
                grid(1);
                auto step = [&]({t} acc) {{
                  for (int k = 0; k < n; ++k) {{
                    auto x = load(in + k * 128 + arange<128>());
                    {form}
                  }}
                  return acc;
                }};
                for (int j = 0; j < 32; ++j) out[j] = step(start[j]);
                zeros[0] = step({t}(-0.0f));
                zeros[1] = step({t}(0.0f));
                """,
                [{"n": n} for n in (0, 1, 3)],
                warps=(1, 4),
            )
    table.add(
        "empty_rows",
        "const float* in = small(4096)\nconst float* start = nans(32)\nfloat* out = out(32)\nint n",
        """
        grid(1);
        auto m = load(start + arange<32>());
        for (int k = 0; k < n; ++k)
          m = maximum(m, max<1>(load(in + k + arange<32>()[all, none] * 64 + arange<64>())));
        store(out + arange<32>(), m);
        """,
        [{"n": n} for n in (0, 1, 3)],
        warps=(1, 4),
    )


for make in (rows, kinds, sparse, planes, nans, lambdas, chains, empty_loops):
    make()
