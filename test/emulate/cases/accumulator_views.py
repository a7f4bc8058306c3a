"""Accumulators of dots whose rows and columns become other dimensions: by reshape, trans, permute, and reductions over all of them."""

from case import Table

table = Table()

VIEWS = {
    "flat": "store(c + arange<{n}>(), reshape<{n}>(s));",
    "flat_turned": "store(c + arange<{n}>(), reshape<{n}>(trans(s)));",
    "argmax": "store(c, cast<float>(argmax(s)));\nstore(c + 1, cast<float>(argmax(trans(s))));\nstore(c + 2, cast<float>(argmin(s * 3)));",
    "argmax_flat": "store(c, cast<float>(argmax(reshape<{n}>(s))));\nstore(c + 1, cast<float>(argmin(reshape<{n}>(trans(s)))));",
    "argmax_along": "store(c + arange<{n} / 16>(), cast<float>(argmax<1>(reshape<{n} / 16, 16>(s))));\n"
    "store(c + {n} / 2 + arange<16>(), cast<float>(argmax<0>(reshape<{n} / 16, 16>(trans(s)))));",
    "places": "store(c + arange<{n}>(), where(reshape<{n}>(s) > 3, reshape<{n}>(s), cast<float>(arange<{n}>())));",
    "scan": "store(c + arange<{n}>(), cumsum<0>(reshape<{n}>(s)));",
    "pieces": "store(c + arange<{n}>(), reshape<{n}>(permute<1, 0, 2>(reshape<{rows}, {columns} / 8, 8>(s))));",
    "pieces_turned": "store(c + arange<{n}>(), reshape<{n}>(permute<2, 1, 0>(reshape<{rows} / 16, 16, {columns}>(s))));",
    "joined": "store(c + arange<{n} * 2>(), reshape<{n} * 2>(join(s, s * 2)));",
    "carried": "auto f = reshape<{n}>(s);\nfor (int k = 0; k < steps; ++k) f = f + cast<float>(arange<{n}>() % (k + 2));\nstore(c + arange<{n}>(), f);",
}
SHAPES = ((64, 32), (32, 64), (16, 16), (128, 64), (48, 24))


def add(table, prefix, warps, shapes=SHAPES):
    for rows, columns in shapes:
        n = rows * columns
        for name, view in VIEWS.items():
            table.add(
                f"{prefix}{name}_{rows}x{columns}",
                f"const float16* a = small({n})\nconst float16* b = small({n} + 32 * {columns})\nfloat* c = out({n} * 2)\nint steps",
                f"""
                grid(1);
                auto x = load(a + (arange<{rows}>()[all, none] * 32 + arange<32>()[none, all]) % {n});
                auto y = load(b + arange<{columns}>()[all, none] * 32 + arange<32>()[none, all]);
                auto s = dot(x, trans(y));
                {view.format(n=n, rows=rows, columns=columns)}
                """,
                [{"steps": 2}],
                warps=warps,
            )


add(table, "view_", (1, 2, 4, 8))
