"""Matrix products: types, shapes, numbers of warps, loops over k, epilogues, chains, batches. Data are small integers: exact."""

from case import SHORT, Table, warps_of

table = Table()
SUMS = {"float16": "float", "bfloat16": "float", "float": "float", "int8_t": "int", "double": "double"}
SHAPES = [(64, 64, 32), (32, 32, 16), (48, 40, 16), (16, 8, 16), (80, 96, 48), (5, 7, 3), (1, 16, 8), (16, 16, 64), (128, 8, 32)]


def single():
    """One product of whole tiles."""
    for t, s in SUMS.items():
        for m, n, k in SHAPES:
            name = f"dot_{SHORT[t]}_{m}x{n}x{k}"
            table.add(
                name,
                f"const {t}* a = small({m * k})\nconst {t}* b = small({k * n})\n{s}* c = out({m * n})\nint count",
                f"""
                grid(count);
                auto i = arange<{m}>();
                auto j = arange<{n}>();
                auto k = arange<{k}>();
                auto x = load(a + (i[all, none] * {k} + k[none, all]));
                auto y = load(b + (k[all, none] * {n} + j[none, all]));
                store(c + (i[all, none] * {n} + j[none, all]), dot(x, y));
                """,
                [{"count": 1}],
                warps=warps_of(name, 3),
                ci=t in ("float16", "float") or m in (48, 5),
            )


def matmul(name, types, tiles, body="", store="acc", warps=(1, 2, 3, 4, 8), runs=None, **options):
    """A loop over k with ragged edges; `body` stands behind the product, `store` is what is stored."""
    t, s = types
    m, n, k = tiles
    table.add(
        name,
        f"const {t}* a = small(M * K + 1)\nconst {t}* b = small(K * N + 1)\n{s}* c = out(M * N + 1)\nint M\nint N\nint K",
        f"""
        auto [pm, pn] = grid(cdiv(M, {m}), cdiv(N, {n}));
        auto i = pm * {m} + arange<{m}>();
        auto j = pn * {n} + arange<{n}>();
        auto acc = zeros<{s}, {m}, {n}>();
        for (int k0 = 0; k0 < K; k0 += {k}) {{
          auto k = k0 + arange<{k}>();
          auto x = load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0);
          auto y = load(b + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0);
          acc = dot(x, y, acc);
          {body}
        }}
        store(c + i[all, none] * N + j[none, all], {store}, (i[all, none] < M) & (j[none, all] < N));
        """,
        runs
        or [
            {"M": m, "N": n, "K": k}
            for m, n, k in ((64, 48, 64), (37, 50, 41), (1, 1, 1), (16, 8, 0), (3, 70, 8), (0, 8, 8))
        ],
        warps=warps,
        **options,
    )


def loops():
    matmul("matmul_f16", ("float16", "float"), (32, 32, 16))
    matmul("matmul_bf16", ("bfloat16", "float"), (64, 32, 32))
    matmul("matmul_f32", ("float", "float"), (16, 32, 8))
    matmul("matmul_i8", ("int8_t", "int"), (16, 16, 32))
    matmul("matmul_f64", ("double", "double"), (16, 16, 16), ci=False)
    matmul("matmul_relu", ("float16", "float"), (32, 16, 16), store="maximum(acc, 0.0f)", warps=(4, 5))
    matmul("matmul_row", ("float16", "float"), (16, 32, 16), store="acc - max<1>(acc, keep_dims)", warps=(1, 4))
    matmul("matmul_scaled", ("float16", "float"), (16, 16, 16), body="acc = acc * 0.5f;", warps=(1, 4))
    matmul("matmul_break", ("float16", "float"), (16, 16, 16), body="if (k0 >= 32) break;", warps=(1, 2))


def shapes():
    """Operands that are computed, transposed, chained, batched, or used under a condition."""
    load = "load({0} + (i[all, none] * 32 + j[none, all]))"
    square = "const float16* a = small(1024)\nconst float16* b = small(1024)\nfloat* c = out(1024)\nint n"
    head = "grid(1);\nauto i = arange<32>();\nauto j = arange<32>();\n"
    put = "store(c + (i[all, none] * 32 + j[none, all]), {0});"
    for name, body in {
        "dot_trans_b": f"auto x = {load.format('a')};\nauto y = trans({load.format('b')});\n" + put.format("dot(x, y)"),
        "dot_trans_a": f"auto x = trans({load.format('a')});\nauto y = {load.format('b')};\n" + put.format("dot(x, y)"),
        "dot_computed": f"auto x = {load.format('a')} * float16(2);\nauto y = {load.format('b')} + float16(1);\n" + put.format("dot(x, y)"),
        "dot_same": f"auto x = {load.format('a')};\n" + put.format("dot(x, x)"),
        "dot_chain": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\n"
        "auto p = dot(x, y);\nauto q = cast<float16>(where(p > 3.0f, 1.0f, 0.0f));\n" + put.format("dot(q, y)"),
        "dot_twice": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\n"
        "auto p = dot(x, y);\nauto q = dot(y, x, p);\n" + put.format("q + p"),
        "dot_if": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\nauto acc = full<float, 32, 32>(1.0f);\n"
        "if (n > 1) acc = dot(x, y, acc);\n" + put.format("acc"),
        "dot_nested": f"auto x = {load.format('a')};\nauto acc = zeros<float, 32, 32>();\n"
        f"for (int r = 0; r < n; ++r) {{\n  auto part = zeros<float, 32, 32>();\n  for (int s = 0; s <= r; ++s) {{\n"
        f"    auto y = {load.format('b')} + cast<float16>(full<float, 32, 32>(1.0f * s));\n    part = dot(x, y, part);\n  }}\n"
        "  acc += part;\n}\n" + put.format("acc"),
        "dot_sums": f"auto x = {load.format('a')};\nauto y = {load.format('b')};\nauto p = dot(x, y);\n"
        + put.format("p + sum<0>(p)[none, all] - sum<1>(p)[all, none]"),
    }.items():
        table.add(name, square, head + body, [{"n": n} for n in (1, 2, 3)], warps=(1, 2, 3, 4))
    table.add(
        "dot_batched",
        "const float16* a = small(1536)\nconst float16* b = small(768)\nfloat* c = out(2048)\nint n",
        """
        grid(1);
        auto b_ = arange<4>()[all, none, none];
        auto x = load(a + (b_ * 384 + arange<16>()[none, all, none] * 24 + arange<24>()[none, none, all]));
        auto y = load(b + (b_ * 192 + arange<24>()[none, all, none] * 8 + arange<8>()[none, none, all]));
        store(c + (b_ * 128 + arange<16>()[none, all, none] * 8 + arange<8>()[none, none, all]), dot(x, y));
        """,
        [{"n": 1}],
        warps=(1, 3, 4),
    )


for make in (single, loops, shapes):
    make()
