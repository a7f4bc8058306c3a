"""Masks on the result of a dot in a loop: most of them are all true in most iterations, which one test finds out."""

from case import Table

table = Table()

# Of rows i and keys j, as the kernel counts them.
MASKS = {
    "causal": "where(keys <= rows, s, -2.0f)",
    "before": "where(keys < rows, s, -2.0f)",
    "turned": "where(rows >= keys, s, -2.0f)",
    "reversed": "where(keys > rows, -2.0f, s)",
    "not": "where(!(keys > rows), s, -2.0f)",
    "end": "where(keys < n, s, -2.0f)",
    "window": "where((keys <= rows) & (keys > rows - window), s, -2.0f)",
    "difference": "where((rows - keys < window) & (rows - keys >= 0), s, -2.0f)",
    "outside": "where((keys > rows) | (keys + window <= rows), -2.0f, s)",
    "flag": "where((keys <= rows) | (window == 3), s, -2.0f)",
    "chosen": "where(keys < where(window == 3, n, rows + 1), s, -2.0f)",
    "two": "where(keys < n, where(keys <= rows, s, -2.0f), -3.0f)",
    "two_kinds": "where(keys >= n, -3.0f, where(keys <= rows, s, -2.0f))",
    "scaled_within": "where(keys <= rows, 0.5f * s + 1.0f, -2.0f)",
    "blocks": "where(keys / 16 <= rows / 16, s, -2.0f)",
    "negative": "where(-keys >= -rows, s, -2.0f)",
    "negative_factor": "where(keys * -3 >= rows * -3, s, -2.0f)",
    "clipped": "where(minimum(keys, window) <= minimum(rows, n), s, -2.0f)",
    "lowest": "where(maximum(keys, 40) <= maximum(rows, window), s, -2.0f)",
    "long": "where(cast<int64_t>(keys) <= cast<int64_t>(rows) + window, s, -2.0f)",
    # The other tile of the select is not uniform: another accumulator, a carried tile.
    "other_sums": "where(keys <= rows, s, acc * 0.5f)",
    "not_known": "where((keys <= rows) & (keys % 3 != 1), s, -2.0f)",
    "one_known": "where((keys <= rows) | (keys % 3 == 1), s, -2.0f)",
    "same_tile": "where(keys + rows % 5 <= rows, s, -2.0f)",
    "unsigned": "where(cast<unsigned>(keys) <= cast<unsigned>(rows), s, -2.0f)",
    "wraps": "where(cast<unsigned>(keys) - 5u <= cast<unsigned>(rows) - 5u, s, -2.0f)",
    # Only rows or none.
    "rows": "where(rows < window * 16, s, -2.0f)",
    "none": "where(n < window, s, -2.0f)",
}
USES = {
    "": "acc += {mask};",
    "_and_max": "auto t = {mask};\nacc += t - max<1>(t)[all, none];",
    "_and_sums": "acc += {mask} + 0.25f * s;",
    "_twice": "auto t = {mask};\nacc += t;\nauto u = t * 2.0f;\nacc += where(keys <= rows, u, 1.0f);",
}
SIZES = ((64, 64, 1), (128, 192, 40), (70, 130, 3), (200, 33, 70), (1, 1, 1), (65, 129, 100), (40, 300, 5), (0, 8, 1))
RUNS = [{"m": m, "n": n, "window": w} for m, n, w in SIZES]


def add(table, prefix, warps):
    for name, mask in MASKS.items():
        for use, text in USES.items():
            if use and name not in ("causal", "two", "reversed", "window"):
                continue
            table.add(
                f"{prefix}{name}{use}",
                "const float16* a = small(m * 32 + 1)\nconst float16* b = small(n * 32 + 1)\nfloat* c = out(m * 64 + 1)\nint m\nint n\nint window",
                f"""
                auto p = grid(cdiv(m, 64));
                auto i = int(p) * 64 + arange<64>();
                auto k = arange<32>();
                auto rows = i[all, none];
                auto x = load(a + rows * 32 + k[none, all], rows < m);
                auto acc = zeros<float, 64, 64>();
                for (int start = 0; start < n; start += 64) {{
                  auto j = start + arange<64>();
                  auto keys = j[none, all];
                  auto y = load(b + j[all, none] * 32 + k[none, all], j[all, none] < n);
                  auto s = dot(x, trans(y));
                  {text.format(mask=mask)}
                }}
                store(c + rows * 64 + arange<64>()[none, all], acc, rows < m);
                """,
                RUNS,
                warps=warps,
            )


add(table, "mask_", (1, 4))
