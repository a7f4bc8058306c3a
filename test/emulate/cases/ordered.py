"""sort, argsort and topk: every type, axis and number of warps, rows from one element to several in a block, NaN and zeros."""

from case import FLOATS, INTEGERS, SHORT, Table, warps_of

table = Table()
RUNS = [{"n": 1}, {"n": 3}, {"n": 0}]
SHAPES = [
    ((1,), 0), ((2,), 0), ((16,), 0), ((33,), 0), ((64,), 0), ((100,), 0), ((256,), 0), ((257,), 0), ((512,), 0), ((1000,), 0), ((2048,), 0),
    ((4, 4), 0), ((4, 4), 1), ((1, 64), 1), ((64, 1), 1), ((5, 12), 0), ((5, 12), 1), ((16, 64), 0), ((16, 64), 1), ((3, 300), 1), ((300, 3), 0),
    ((2, 1024), 1), ((2, 4, 8), 1), ((4, 2, 16), 0), ((3, 5, 7), 2), ((128, 8), 1), ((2, 2, 130), 2),
]


def listed(numbers):
    return ", ".join(map(str, numbers))


def body(shape, axis, count):
    """The statements that sort a tile of a shape, and where an element of it is."""
    size = 1
    for extent in shape:
        size *= extent
    kept = shape[:axis] + (count,) + shape[axis + 1 :]
    number = size // shape[axis] * count
    return f"""
            auto p = grid(n);
            auto at = p * {size} + reshape<{listed(shape)}>(arange<{size}>());
            auto x = load(in + at);
            store(up + at, sort<{axis}>(x));
            store(down + at, sort<{axis}>(x, descending));
            store(index + at, argsort<{axis}>(x));
            auto [values, indices] = topk<{count}, {axis}>(x);
            auto to = p * {number} + reshape<{listed(kept)}>(arange<{number}>());
            store(most + to, values);
            store(where_ + to, indices);
            """, size, number


def arguments(t, domain, size, number):
    return (
        f"const {t}* in = {domain}\n{t}* up = out(n * {size})\n{t}* down = out(n * {size})\nint* index = out(n * {size})\n"
        f"{t}* most = out(n * {number})\nint* where_ = out(n * {number})\nint n"
    )


def shapes():
    for shape, axis in SHAPES:
        text, size, number = body(shape, axis, max(shape[axis] // 3, 1))
        name = f"sorted_{'x'.join(map(str, shape))}_{axis}"
        table.add(name, arguments("int", f"below(n * {size}, 50)", size, number), text, RUNS, warps=warps_of(name, 2))


def types():
    for t in INTEGERS + FLOATS + ["bool"]:
        for size in (48, 600):
            text, size, number = body((size,), 0, 5)
            name = f"sorted_{SHORT[t]}_{size}"
            # All bits: NaNs, infinities, both zeros, the ends of integers.
            table.add(name, arguments(t, f"bits(n * {size})", size, number), text, RUNS, warps=warps_of(name, 2))


def zeros():
    table.add(
        "sorted_zeros",
        "const int* in = below(256, 5)\nfloat* up = out(256)\nint* index = out(256)\nfloat* most = out(64)\nint* where_ = out(64)\nint n",
        """
        auto p = grid(n);
        auto i = arange<256>();
        auto k = load(in + i);
        auto x = where(k == 0, -0.0f, where(k == 1, 0.0f, where(k == 2, bitcast<float>(0 * k + 0x7fc00000), where(k == 3, bitcast<float>(0 * k - 0x400000), -inf))));
        store(up + i, sort(x));
        store(index + i, argsort(x, descending));
        auto [values, indices] = topk<64>(x);
        store(most + arange<64>(), values);
        store(where_ + arange<64>(), indices);
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 2, 4, 8),
    )


def control():
    """Sorts in loops and branches, of masked tiles, of what others return."""
    table.add(
        "sorted_in_loop",
        "const float* in = bits(n * 512)\nfloat* out = out(n * 512)\nint* index = out(n * 512)\nint n\nint steps",
        """
        auto p = grid(n);
        auto i = p * 512 + arange<512>();
        auto x = load(in + i);
        auto order = arange<512>();
        for (auto k : range(0, steps)) {
          if (k % 2 == 0) x = sort(x, descending);
          else order = ravel(argsort(reshape<8, 64>(gather(x, order))));
          x = sort<0>(flip(x));
        }
        store(out + i, x);
        store(index + i, order);
        """,
        [{"n": 1, "steps": 0}, {"n": 2, "steps": 1}, {"n": 1, "steps": 4}],
        warps=(1, 3, 4, 8),
    )
    table.add(
        "sorted_rows_of_products",
        "const float16* a = small(64 * 64)\nfloat* out = out(64 * 64, 1e-5, 1e-5)\nint n",
        """
        auto p = grid(n);
        auto r = arange<64>();
        auto x = load(a + r[all, none] * 64 + r[none, all]);
        auto acc = dot(x, trans(x));
        store(out + r[all, none] * 64 + r[none, all], sort<0>(acc) + sort<1>(acc, descending));
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 4, 8),
    )
    table.add(
        "sorted_masked",
        "const float* in = bits(n)\nfloat* out = out(n)\nint* index = out(n)\nint n",
        """
        auto i = grid(cdiv(n, 300)) * 300 + arange<300>();
        auto x = load(in + i, i < n, inf);
        store(out + i, gather(x, argsort(x)), i < n);
        store(index + i, argsort(argsort(x)), i < n);
        """,
        [{"n": 1}, {"n": 130}, {"n": 700}, {"n": 0}],
        warps=(1, 2, 4),
    )


def first():
    """The first few elements of a row: of one lane, of several, of all warps; of sorts whose users read parts of them."""
    for size, kept in ((8, 1), (8, 4), (64, 1), (64, 32), (100, 3), (128, 8), (256, 100), (300, 1), (1024, 8), (1024, 512), (2000, 64), (4096, 1024)):
        for rows in (1, 6) if size < 300 else (1,):
            shape = f"{rows}, {size}"
            name = f"first_{kept}_of_{rows}x{size}"
            at = f"p * {rows * kept} + reshape<{rows}, {kept}>(arange<{rows * kept}>())"
            table.add(
                name,
                f"const float* in = bits(n * {rows * size})\nfloat* most = out(n * {rows * kept})\nint* where_ = out(n * {rows * kept})\n"
                f"float* least = out(n * {rows * kept})\nint* place = out(n * {rows})\nint n",
                f"""
                auto p = grid(n);
                auto x = load(in + p * {rows * size} + reshape<{shape}>(arange<{rows * size}>()));
                auto [values, indices] = topk<{kept}, 1>(x);
                store(most + {at}, values);
                store(where_ + {at}, indices);
                store(least + {at}, sort<1>(x)[all, slice<0, {kept}>]);
                store(place + p * {rows} + reshape<{rows}, 1>(arange<{rows}>()), argsort<1>(x)[all, slice<0, 1>]);
                """,
                RUNS,
                warps=warps_of(name, 2),
            )
    table.add(
        "first_of_columns",
        "const float16* in = bits(n * 640)\nfloat16* most = out(n * 50)\nfloat16* few = out(n * 30)\nint n",
        """
        auto p = grid(n);
        auto x = load(in + p * 640 + reshape<64, 10>(arange<640>()));
        auto sorted = sort<0>(x, descending);
        store(most + p * 50 + reshape<5, 10>(arange<50>()), sorted[slice<0, 5>, all]);
        store(few + p * 30 + reshape<3, 10>(arange<30>()), sorted[slice<0, 3>, all]);
        """,
        RUNS,
        warps=(1, 2, 3, 8),
    )


shapes()
first()
types()
zeros()
control()
