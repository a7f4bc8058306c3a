"""A matmul with a loop over k, which several groups of cases vary."""

MASKED = {
    "x": {
        "n": "load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0)",
        "t": "trans(load(a + k[all, none] * M + i[none, all], (k[all, none] < K) & (i[none, all] < M), 0))",
        "c": "load(a + k[none, all] * M + i[all, none], (k[none, all] < K) & (i[all, none] < M), 0)",
    },
    "y": {
        "n": "load(b + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0)",
        "t": "trans(load(b + j[all, none] * K + k[none, all], (j[all, none] < N) & (k[none, all] < K), 0))",
        "c": "load(b + j[none, all] * K + k[all, none], (j[none, all] < N) & (k[all, none] < K), 0)",
    },
}


def add_matmul(table, name, types, tiles, runs, order="nn", loop="", head="", body="", store="acc", **options):
    """C = A B with ragged edges, by tiles of (m, n, k). `types`: of the operands, the accumulator and C.

    `order` says which operand is stored transposed (t), or column by column, which is the same without trans (c). `head` stands before the loop over k, `loop` replaces that loop's
    head, `body` stands behind the product, `store` is what is stored.
    """
    t, s, out = types
    m, n, k = tiles
    lines = f"""
        auto [pm, pn] = grid(cdiv(M, {m}), cdiv(N, {n}));
        auto i = pm * {m} + arange<{m}>();
        auto j = pn * {n} + arange<{n}>();
        auto acc = zeros<{s}, {m}, {n}>();
        {head}
        {loop or f"for (int k0 = 0; k0 < K; k0 += {k})"} {{
          auto k = k0 + arange<{k}>();
          auto x = {MASKED["x"][order[0]]};
          auto y = {MASKED["y"][order[1]]};
          acc = dot(x, y, acc);
          {body}
        }}
        store(c + i[all, none] * N + j[none, all], {store}, (i[all, none] < M) & (j[none, all] < N));
        """.split("\n")
    table.add(
        name,
        f"const {t}* a = small(M * K + 1)\nconst {t}* b = small(K * N + 1)\n{out}* c = out(M * N + 1)\nint M\nint N\nint K",
        "\n".join(line for line in lines if line.strip()),
        runs,
        **options,
    )
