"""device_assert: every condition is true where it is checked, and false where a mask excludes the element and in padding."""

from case import WARPS, Table, warps_of

table = Table()


def elements():
    """`in` is below 40; elements that are masked off or past the end of the tile are 50 and more."""
    for size in (1, 5, 48, 64, 72, 100, 256, 1000):
        body = f"""
            grid(1);
            auto i = arange<{size}>();
            auto a = load(in + i, i < n, 50.0f);
            device_assert(a < 40, "small", i < n);
            device_assert(a > -40 | i >= n);
            device_assert(i < {size}, "no padding");
            device_assert(n >= 0 && n < 5000, "a scalar");
            device_assert(n < 0, "a scalar where no mask is", i < 0);
            store(out + i, a);
        """
        table.add(
            f"assert_{size}",
            f"const float* in = small({size})\nfloat* out = out({size})\nint n",
            body,
            [{"n": n} for n in sorted({0, 1, size // 2, size})],
            warps=WARPS if size in (72, 256) else warps_of(str(size), 2),
        )


def matrices():
    """Conditions are two-dimensional, broadcast from one dimension, made of the results of dots and reductions, or in loops."""
    for rows, columns in ((16, 16), (16, 40), (48, 24)):
        body = f"""
            auto part = grid(2);
            auto i = arange<{rows}>()[all, none];
            auto behind = i + n;
            auto j = arange<{columns}>()[none, all];
            auto a = load(in + i * {columns} + j, (i < n) & (j < m), 50.0f);
            device_assert(a < 40, "small", (i < n) & (j < m));
            device_assert(i < {rows}, "rows", j < m);
            device_assert(behind >= n);
            auto kept = where((i < n) & (j < m), a, zeros<float, {rows}, {columns}>());
            device_assert(max<1>(kept) < 40, "rows");
            device_assert(sum(kept) < {40 * rows * columns}.0f, "all");
            for (int k = 0; k < part; ++k) device_assert(kept < 40.0f + k, "in a loop", k < part);
            if (n > m) device_assert(kept < 40.0f);
            store(out + part * {rows * columns} + i * {columns} + j, kept);
        """
        table.add(
            f"assert_{rows}x{columns}",
            f"const float* in = small({rows * columns})\nfloat* out = out({2 * rows * columns})\nint n\nint m",
            body,
            [{"n": n, "m": m} for n, m in ((0, 0), (rows, columns), (3, 7), (rows, 1))],
            warps=WARPS if rows == 16 else (1, 3, 8),
        )
    table.add(
        "assert_sums",
        "const float16* a = small(n * 1024)\nconst float16* b = small(n * 1024)\nfloat* c = out(1024, 1e-3, 1e-3)\nint n",
        """
        grid(1);
        auto at = arange<32>()[all, none] * 32 + arange<32>()[none, all];
        auto acc = zeros<float, 32, 32>();
        for (int k = 0; k < n; ++k) {
          auto x = load(a + k * 1024 + at);
          device_assert(x < float16(100), "an operand");
          acc = dot(x, load(b + k * 1024 + at), acc);
          device_assert(acc < 1e6f, "sums", at < 1000);
        }
        store(c + at, acc);
        """,
        [{"n": n} for n in (0, 1, 5)],
        warps=(1, 2, 4, 8),
    )


elements()
matrices()
