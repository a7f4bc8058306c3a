"""--checks where everything holds: promises, 32-bit arithmetic at its ends, indices under masks, operands that C++ does not evaluate.

checks.py next to `cases` has those that fail."""

from case import WARPS, Table, warps_of

table = Table("--checks")


def promises():
    """Tiles of every size, runs along each axis of tiles of rank 1 to 3, hints of parameters, in loops and branches."""
    for size in (1, 3, 24, 64, 100, 1000):
        run = next(r for r in (8, 4, 3, 1) if size % r == 0)
        table.add(
            f"checked_promises_{size}",
            f"const int* at = starts({size}, 1)\nfloat* out = out({2 * size + 128})\nint n\nint m",
            f"""
            assume(n >= 0);
            auto part = grid(2);
            assume(n < 2000 && part < 2);
            m = assume_divisible<4>(m);
            out += part * {size + 64};
            auto i = multiple_of<{run}>(arange<{size}>() + n / {run} * {run});
            auto j = max_contiguous<{run}>(multiple_of<1>(arange<{size}>() / {run} * {run} + arange<{size}>() % {run}));
            for (int k = 0; k < n; k += 8) {{
              auto p = assume_aligned<4>(out + multiple_of<8>(k));
              assume(k % 8 == 0 && m % 2 == 0);
              if (k > 8) assume(n > 8);
              if (k + {size} <= {size + 64} && k < 64) store(p + j, k + m, j < n);
            }}
            store(out + arange<{size}>(), i + m, arange<{size}>() < n);
            """,
            [{"n": n, "m": m} for n, m in ((0, 4), (1, -8), (size // 2, 0), (size, 400))],
            warps=WARPS if size in (24, 100) else warps_of(str(size), 2),
        )
    for rows, columns in ((2, 8), (5, 24), (16, 64)):
        table.add(
            f"checked_runs_{rows}x{columns}",
            f"int* out = out({2 * rows * columns})\nint n",
            f"""
            grid(1);
            auto row = arange<{rows}>()[all, none];
            auto column = arange<{columns}>()[none, all];
            auto along = max_contiguous<1, {columns}>(multiple_of<1, 8>(row * {columns} + column));
            auto across = max_contiguous<{rows}, 1>(multiple_of<{rows}, 1>(column * {rows} + row));
            store(out + along, row * 100 + column, row < n);
            store(out + {rows * columns} + across, row * 100 + column, row < n);
            auto deep = arange<2>()[all, none, none] * {columns} + arange<{columns}>()[none, none, all];
            auto same = max_contiguous<1, 1, {columns}>(multiple_of<1, 1, 8>(deep));
            store(out + same, same, same < n);
            """,
            [{"n": n} for n in (0, 1, rows)],
            warps=warps_of(f"runs{rows}", 3),
        )


def ends():
    """The largest and smallest sums, products and conversions that fit, and what is not evaluated."""
    table.add(
        "checked_ends",
        "int* out = out(64)\nint n\nint64_t wide",
        """
        auto part = grid(1);
        auto i = arange<64>() + (n - 63);
        store(out + (i & 63), i, i > n - 32);
        int product = 46340 * (n / 46341);
        store(out + (product & 7), product);
        auto k = -(1 - n) - 1;
        store(out + 8 + (k & 7), k);
        int narrow = wide;
        store(out + 16 + (narrow & 7), narrow);
        auto large = n > 1000000 ? 0 : n * 2000;
        if (n < 1000000 && n * 2000 >= 0) large += n * 100;
        store(out + 24 + (large & 7), large, n > 1000000 || n * 2000 >= 0);
        uint32_t wraps = uint32_t(n) * 4000000000u + uint32_t(part);
        store(out + 32 + (wraps & 7), 1);
        """,
        [{"n": n, "wide": w} for n, w in ((2**31 - 1, 2**31 - 1), (0, -(2**31)), (999999, 0), (1000, 12345))],
        warps=(1, 4),
        races_of_one_store=False,
    )


def indices():
    """Gathers, scatters, parts and tables whose indices are inside, or are outside where the mask is false."""
    for size in (1, 5, 32, 100):
        table.add(
            f"checked_indices_{size}",
            f"const int* x = small({size})\nint* out = out({4 * size})\nint n",
            f"""
            grid(1);
            auto i = arange<{size}>();
            auto v = load(x + i);
            store(out + i, gather(v, {size - 1} - i));
            store(out + {size} + i, gather(v, cast<uint8_t>(i % {size})));
            store(out + {2 * size} + i, scatter(v, i * 2 - n, i, (i * 2 >= n) & (i * 2 - n < {size})));
            store(out + {3 * size} + i, scatter_add(v, i / 2, i) + histogram<{size}>(v + 3));
            """,
            [{"n": n} for n in (0, 1, size)],
            warps=warps_of(f"indices{size}", 3),
        )
        table.add(
            f"checked_parts_{size}",
            f"const int* x = small({size})\nint* out = out({2 * size})\nint n\nint64_t last",
            f"""
            grid(1);
            auto i = arange<{size}>();
            auto v = load(x + i);
            store(out + i, insert(v, extract(v, last), n));
            auto part = extract<{(size + 1) // 2}>(v, last - {(size + 1) // 2 - 1});
            store(out + {size} + i, insert(v, part, n));
            """,
            [{"n": 0, "last": size - 1}, {"n": size // 2, "last": size - 1}],
            warps=warps_of(f"parts{size}", 3),
        )
    table.add(
        "checked_tables",
        "int* out = out(96)\nint n",
        """
        auto part = grid(4);
        auto i = arange<24>();
        auto v = load(kTable + i - n, (i >= n) & (i < n + 6), -1);
        store(out + part * 24 + i, v + kTable[part] + kRows[part % 2][n % 3]);
        if (n < 6) store(out + part * 24, kTable[n]);
        """,
        [{"n": n} for n in (0, 1, 5, 30)],
        warps=(1, 2, 4),
        helpers="constexpr int kTable[6] = {3, 1, 4, 1, 5, 9};\nconstexpr int kRows[2][3] = {{1, 2, 3}, {4, 5, 6}};",
    )


promises()
ends()
indices()
