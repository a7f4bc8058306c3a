"""Loops whose copies run ahead: stages x trip counts, operand orders, what advances addresses, loops in loops, chains."""

from case import SHORT, Table, warps_of
from products import add_matmul

table = Table(checks_overflow=True)
STAGES = (1, 2, 3, 4, 5)
# Trip counts around the number of stages, ragged ends, nothing at all.
DEPTHS = (0, 1, 16, 32, 33, 48, 64, 80, 100)


def matmul(name, types=("float16", "float", "float16"), tiles=(32, 32, 16), **more):
    runs = [{"M": 64, "N": 40, "K": d} for d in DEPTHS] + [{"M": 7, "N": 9, "K": 50}, {"M": 40, "N": 64, "K": 64}]
    add_matmul(table, name, types, tiles, runs, store=f"cast<{types[2]}>(acc)", **more)


def stages():
    for s in STAGES:
        option = f", .num_stages = {s}"
        matmul(f"stages_{s}_f16", options=option, warps=(1, 4))
        matmul(f"stages_{s}_f16_two_steps", tiles=(32, 32, 32), options=option, warps=(1, 2, 4))
        matmul(f"stages_{s}_f32", types=("float", "float", "float"), tiles=(16, 16, 16), options=option, warps=(2,))
        matmul(f"stages_{s}_i8", types=("int8_t", "int", "int"), tiles=(16, 16, 32), options=option, warps=(2,))


def orders():
    for order in ("nn", "nt", "tn", "tt", "nc", "cn"):
        for t in ("float16", "float", "int8_t"):
            s = {"float16": "float", "float": "float", "int8_t": "int"}[t]
            name = f"order_{order}_{SHORT[t]}"
            matmul(name, types=(t, s, s if t != "float16" else t), tiles=(32, 64, 32), order=order, warps=warps_of(name, 2))
    for m, n, k in ((80, 96, 48), (64, 80, 16), (48, 24, 80), (16, 8, 64)):
        matmul(f"tiles_{m}x{n}x{k}", tiles=(m, n, k), warps=(1, 3, 4))


def heads():
    """Loops that count in other ways."""
    matmul("loop_le", loop="for (int k0 = 0; k0 <= K - 1; k0 += 16)", warps=(2,))
    matmul("loop_int64", loop="for (int64_t k0 = 0; k0 < K; k0 += 16)", warps=(2,))
    matmul("loop_range", loop="for (int k0 : range(0, K, 16, {.num_stages = 4}))", warps=(2,))
    matmul("loop_range_1", loop="for (int k0 : range(0, K, 16, {.num_stages = 1}))", warps=(2,))
    matmul("loop_by_step", head="int step = 16 + (M & 0);", loop="for (int k0 = 0; k0 < K; k0 += step)", warps=(2,))
    down = {
        "ge": ("", "for (int k0 = (cdiv(K, 16) - 1) * 16; k0 >= 0; k0 -= 16)", ""),
        "gt": ("", "for (int k0 = (cdiv(K, 16) - 1) * 16; k0 > -16; k0 -= 16)", ""),
        "int64": ("", "for (int64_t k0 = (cdiv(K, 16) - 1) * 16; k0 >= 0; k0 += -16)", ""),
        "bound": ("int first = N > 50 ? 16 : 0; first -= first;", "for (int k0 = first + (cdiv(K, 16) - 1) * 16; first <= k0; k0 -= 16)", ""),
        "number": ("int shift = 37;", "for (int n = cdiv(K, 16) - 1 + shift; n >= 37; --n)", "int k0 = (n - 37) * 16;"),
        "by_two": ("", "for (int n = 2 * cdiv(K, 16); n > 0; n -= 2)", "int k0 = n * 8 - 16;"),
        "large": ("", "for (int n = K > 16 ? 2147483647 : -2147483647; n >= -1800000000; n -= 1000000000)", "int k0 = n > 1000000000 ? n > 2000000000 ? 0 : 16 : n > 0 ? 32 : 48;"),
        "after": ("", "for (int n = cdiv(K, 16); n-- > 0;)", "int k0 = n * 16;"),
        "before": ("", "for (int n = cdiv(K, 16); --n >= 0;)", "int k0 = n * 16;"),
        "while": ("int n = cdiv(K, 16);", "while (n > 0)", "--n; int k0 = n * 16;"),
        "while_after": ("int n = cdiv(K, 16);", "while (n-- > 0)", "int k0 = n * 16;"),
        "while_two": ("int n = cdiv(K, 16), next = 0;", "while (n != 0)", "int k0 = next; next += 16; n -= 1;"),
        "while_up": ("int next = 0;", "while (next < K)", "int k0 = next; next += 16;"),
        "while_up_le": ("int next = 16;", "while (next <= 16 * cdiv(K, 16))", "int k0 = next - 16; next += 16;"),
    }  # fmt: skip
    for name, (head, loop, inside) in down.items():
        for types in (("float16", "float", "float16"), ("float", "float", "float")):
            matmul(f"counts_{name}_{SHORT[types[0]]}", types, head=head, loop=f"{loop} {{ {inside}" if inside else loop, body="}" if inside else "", warps=(2,), options=", .num_stages = 3")
    # What the loop leaves in its variable is read.
    for name in ("while", "while_after", "while_two", "while_up", "while_up_le"):
        head, loop, inside = down[name]
        runs = [{"M": 64, "N": 40, "K": d} for d in DEPTHS]
        add_matmul(table, f"counts_{name}_read", ("float16", "float", "float"), (32, 32, 16), runs, head=head, loop=f"{loop} {{ {inside}", body="}",
                   store=f"acc + {'next' if 'next' in head else 'n'}", warps=(2,), options=", .num_stages = 3")  # fmt: skip
    matmul("loop_lower", head="int lower = N > 50 ? 16 : 0;", loop="for (int k0 = lower - lower; k0 < K; k0 += 16)", warps=(2,))


def bodies():
    """Other code in the loop of a dot, and around the loop."""
    a = "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\nfloat* c = out(M * N + 1)\nint M\nint N\nint K"
    head = """
        auto i = arange<32>();
        auto j = arange<32>();
        auto mask = (i[all, none] < M) & (j[none, all] < N);
        """
    x = "load(a + i[all, none] * K + (k0 + arange<16>())[none, all], (i[all, none] < M) & ((k0 + arange<16>())[none, all] < K), 0)"
    y = "load(b + (k0 + arange<16>())[all, none] * N + j[none, all], ((k0 + arange<16>())[all, none] < K) & (j[none, all] < N), 0)"
    put = "store(c + i[all, none] * N + j[none, all], acc, mask);"
    bodies = {
        # The loop runs several times: its stages are filled again.
        "again": f"""
        auto acc = zeros<float, 32, 32>();
        for (int r = 0; r < 3; ++r) {{
          auto part = zeros<float, 32, 32>();
          for (int k0 = 0; k0 < K; k0 += 16) part = dot({x}, {y}, part);
          acc += part * (r + 1.0f);
        }}
        {put}""",
        # Two dots of the same tiles, and a use of one of them that is not a dot.
        "used": f"""
        auto acc = zeros<float, 32, 32>();
        auto sums = zeros<float, 32>();
        for (int k0 = 0; k0 < K; k0 += 16) {{
          auto x = {x};
          auto y = {y};
          sums += sum<1>(x);
          acc = dot(x, y, acc);
        }}
        acc = acc + sums[all, none];
        {put}""",
        "two": f"""
        auto acc = zeros<float, 32, 32>();
        auto other = zeros<float, 32, 32>();
        for (int k0 = 0; k0 < K; k0 += 16) {{
          auto x = {x};
          auto y = {y};
          acc = dot(x, y, acc);
          other = dot(x, y * float16(2), other);
        }}
        acc = acc - other;
        {put}""",
        # Computed operands are copied ahead, but not asynchronously.
        "computed": f"""
        auto acc = zeros<float, 32, 32>();
        for (int k0 = 0; k0 < K; k0 += 16) acc = dot({x} + float16(1), -{y}, acc);
        {put}""",
        "scaled": f"""
        auto acc = zeros<float, 32, 32>();
        for (int k0 = 0; k0 < K; k0 += 16) {{
          acc = acc * 0.5f;
          acc = dot({x}, {y}, acc);
        }}
        {put}""",
        "branch": f"""
        auto acc = zeros<float, 32, 32>();
        if (M > 8) {{
          for (int k0 = 0; k0 < K; k0 += 16) acc = dot({x}, {y}, acc);
        }}
        {put}""",
        "inner_branch": f"""
        auto acc = zeros<float, 32, 32>();
        for (int k0 = 0; k0 < K; k0 += 16) {{
          if (k0 != 16) acc = dot({x}, {y}, acc);
        }}
        {put}""",
        "leaves": f"""
        auto acc = zeros<float, 32, 32>();
        for (int k0 = 0; k0 < K; k0 += 16) {{
          if (k0 == 64) break;
          acc = dot({x}, {y}, acc);
        }}
        {put}""",
        # Pointers and indices that the loop carries as tiles.
        "carried": f"""
        auto acc = zeros<float, 32, 32>();
        auto k = arange<16>();
        auto p = a + i[all, none] * K + k[none, all];
        auto q = b + k[all, none] * N + j[none, all];
        for (int k0 = 0; k0 < K; k0 += 16) {{
          acc = dot(load(p, (i[all, none] < M) & (k[none, all] < K), 0), load(q, (k[all, none] < K) & (j[none, all] < N), 0), acc);
          p += 16;
          q += 16 * N;
          k += 16;
        }}
        {put}""",
        # Addresses that are known only one iteration before, and results that are used after the loop.
        "chased": f"""
        auto acc = zeros<float, 32, 32>();
        int k1 = 0;
        for (int r = 0; r < cdiv(K, 16); ++r) {{
          int k0 = k1;
          acc = dot({x}, {y}, acc);
          k1 = k1 + 16;
        }}
        acc = acc + cast<float>(full<int, 32, 32>(k1));
        {put}""",
        # Both loops load an operand.
        "outer": f"""
        auto acc = zeros<float, 32, 32>();
        for (int r = 0; r < 2; ++r) {{
          int k0 = 16 * r;
          auto x = {x};
          for (int s = 0; s < cdiv(K, 16); ++s) {{
            k0 = 16 * s;
            acc = dot(x, {y}, acc);
          }}
        }}
        {put}""",
        # A product whose first operand is the same in every step, and a chain.
        "chain": f"""
        auto acc = zeros<float, 32, 32>();
        auto w = load(a + i[all, none] * K + arange<16>()[none, all], (i[all, none] < M) & (arange<16>()[none, all] < K), 0);
        for (int k0 = 0; k0 < K; k0 += 16) {{
          auto p = dot(w, {y});
          auto q = cast<float16>(where(p > 2.0f, 1.0f, 0.0f));
          acc = dot(q, trans(q), acc);
        }}
        {put}""",
    }
    for name, body in bodies.items():
        for s in (2, 3):
            table.add(f"body_{name}_{s}", a, "grid(1);" + head + body, [{"M": 32, "N": 24, "K": d} for d in DEPTHS] + [{"M": 8, "N": 32, "K": 64}],
                      warps=(1, 2, 4), options=f", .num_stages = {s}")
    table.add(
        "body_gathered",
        "const float16* a = small(1024)\nconst float16* b = small(1024)\nconst int* order = below(n, 2)\nfloat* c = out(1024)\nint n",
        """
        grid(1);
        auto i = arange<32>();
        auto k = arange<16>();
        auto acc = zeros<float, 32, 32>();
        for (int r = 0; r < n; ++r) {
          int at = load(order + r);
          auto x = load(a + at * 512 + i[all, none] * 16 + k[none, all]);
          auto y = load(b + at * 512 + k[all, none] * 32 + i[none, all]);
          acc = dot(x, y, acc);
        }
        store(c + i[all, none] * 32 + i[none, all], acc);
        """,
        [{"n": n} for n in (0, 1, 2, 3, 7)],
        warps=(1, 2, 4),
    )
    # Persistent: copies of the next program's tiles follow those of the last.
    matmul("persistent_product", options=", .persistent = true", warps=(2, 4))


def attention():
    """softmax(q k^T) v over blocks of keys, one row of blocks a program."""
    for d in (16, 64, 80):
        for s in (2, 3):
            table.add(
                f"attention_{d}_{s}",
                f"const float16* q = small(rows * {d} + 1)\nconst float16* k = small(keys * {d} + 1)\nconst float16* v = small(keys * {d} + 1)\n"
                f"float* out = out(rows * {d} + 1, 2e-3, 1e-2)\nint rows\nint keys",
                f"""
                auto block = grid(cdiv(rows, 64));
                auto i = block * 64 + arange<64>();
                auto dims = arange<{d}>();
                auto queries = load(q + i[all, none] * {d} + dims[none, all], i[all, none] < rows, 0);
                auto top = full<float, 64>(-inf);
                auto total = zeros<float, 64>();
                auto acc = zeros<float, 64, {d}>();
                for (int first = 0; first < keys; first += 32) {{
                  auto j = first + arange<32>();
                  auto block_k = load(k + j[all, none] * {d} + dims[none, all], j[all, none] < keys, 0);
                  auto scores = dot(queries, trans(block_k)) * 0.125f;
                  scores = where(j[none, all] < keys, scores, -inf);
                  auto new_top = maximum(top, max<1>(scores));
                  auto p = exp(scores - new_top[all, none]);
                  auto alpha = exp(top - new_top);
                  total = total * alpha + sum<1>(p);
                  acc = acc * alpha[all, none];
                  auto block_v = load(v + j[all, none] * {d} + dims[none, all], j[all, none] < keys, 0);
                  acc = dot(cast<float16>(p), block_v, acc);
                  top = new_top;
                }}
                store(out + i[all, none] * {d} + dims[none, all], acc / total[all, none], i[all, none] < rows);
                """,
                [{"rows": r, "keys": n} for r, n in ((64, 64), (50, 100), (70, 33), (1, 1))],
                warps=(1, 2, 4),
                options=f", .num_stages = {s}",
            )


def added():
    """A second dot of the first's accumulator and a loaded tile, which is prefetched element by element too."""
    for kind in ("float", "float16"):
        for other in ("float", "int", "float16"):
            for s in (2, 3):
                table.add(
                    f"added_{kind}_{other}_{s}",
                    f"const {kind}* q = small(1024)\nconst {kind}* k = small(keys * 32 + 1)\nconst {other}* bias = small(keys * 32 + 1)\n"
                    "float* out = out(1024)\nint keys",
                    f"""
                    grid(1);
                    auto i = arange<32>();
                    auto queries = load(q + i[all, none] * 32 + i[none, all]);
                    auto acc = zeros<float, 32, 32>();
                    for (int first = 0; first < keys; first += 32) {{
                      auto j = first + i;
                      auto block = load(k + j[all, none] * 32 + i[none, all], j[all, none] < keys, 0);
                      auto scores = floor(dot(queries, trans(block)) * 0.03125f);
                      scores += cast<float>(load(bias + i[all, none] * keys + j[none, all], j[none, all] < keys, 0));
                      acc = dot(cast<{kind}>(scores), block, acc);
                    }}
                    store(out + i[all, none] * 32 + i[none, all], acc);
                    """,
                    [{"keys": n} for n in (96, 65, 128, 3, 0)],
                    warps=(1, 2, 4),
                    options=f", .num_stages = {s}",
                )


def indices():
    """Rows that lists of indices name, where other loads, the mask or a store need the list too: copied ahead all the same."""
    for s in (1, 2, 3):
        table.add(
            f"indices_pages_{s}",
            "const float16* q = small(1024)\nconst float16* k = small(2048)\nconst float16* v = small(2048)\nconst int* pages = below(keys, 64)\nfloat* out = out(1024)\nint keys",
            """
            grid(1);
            auto i = arange<32>();
            auto d = arange<32>();
            auto queries = load(q + i[all, none] * 32 + d[none, all]);
            auto acc = zeros<float, 32, 32>();
            for (int first = 0; first < keys; first += 16) {
              auto j = first + arange<16>();
              auto page = load(pages + j, j < keys);
              auto block_k = load(k + page[all, none] * 32 + d[none, all], (j < keys)[all, none]);
              auto block_v = load(v + page[all, none] * 32 + d[none, all], (j < keys)[all, none] & (page != 5)[all, none]);
              acc = dot(cast<float16>(dot(queries, trans(block_k)) * 0.125f), block_v, acc);
            }
            store(out + i[all, none] * 32 + d[none, all], acc);
            """,
            [{"keys": n} for n in (64, 40, 16, 7, 0)],
            warps=(1, 2, 4),
            options=f", .num_stages = {s}",
        )
        table.add(
            f"indices_scatter_{s}",
            "const float16* x = small(32 * K)\nconst float16* w = small(K * 32)\nconst int* from = distinct(32)\nfloat* y = out(1024)\nint count\nint K",
            """
            grid(1);
            auto i = arange<32>();
            auto row = load(from + i, i < count);
            auto acc = zeros<float, 32, 32>();
            for (int first = 0; first < K; first += 16) {
              auto k = first + arange<16>();
              auto x_tile = load(x + row[all, none] * K + k[none, all], (i < count)[all, none] & (row != 3)[all, none] & (k < K)[none, all]);
              auto w_tile = load(w + k[all, none] * 32 + i[none, all], (k < K)[all, none]);
              acc = dot(x_tile, w_tile, acc);
            }
            store(y + row[all, none] * 32 + i[none, all], acc, (i < count)[all, none]);
            """,
            [{"count": c, "K": k} for c, k in ((32, 64), (20, 40), (1, 16), (32, 0), (0, 8))],
            warps=(1, 2, 4),
            options=f", .num_stages = {s}",
        )


def computed():
    """Operands that are computed in each step, from loads that run ahead as they are, or as a whole."""
    x = "load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0)"
    y = "load(b + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0)"
    columns = "load(b + j[none, all] * K + k[all, none], (j[none, all] < N) & (k[all, none] < K), 0)"
    packed = "load(b + j[all, none] * (K / 2) + h[none, all], (j[all, none] < N) & (h[none, all] < K / 2), 0)"
    nibbles = f"auto bytes = {packed};\nauto low = cast<float16>(cast<int>(bytes & 15) - 8);\nauto high = cast<float16>(cast<unsigned>(bytes >> 4));\n"
    bodies = {
        "bytes": ("int8_t", f"acc = dot({x}, cast<float16>({y}), acc);"),
        "columns": ("int8_t", f"acc = dot({x}, cast<float16>({columns}), acc);"),
        "words": ("int", f"acc = dot({x}, cast<float16>({y} >> 2), acc);"),
        "wide": ("int64_t", f"acc = dot({x}, cast<float16>({y}), acc);"),
        "interleave": ("uint8_t", f"{nibbles}acc = dot({x}, trans(interleave(low, high)), acc);"),
        "cat": ("uint8_t", f"{nibbles}acc = dot({x}, trans(cat<1>(low, high)), acc);"),
        "scaled": ("uint8_t", f"{nibbles}auto s = load(scales + k0 / 64 * N + j, j < N);\nacc = dot({x}, trans(interleave(low, high) * cast<float16>(s)[all, none]), acc);"),
        "used": ("uint8_t", f"{nibbles}sums += sum<1>(cast<float>(bytes));\nacc = dot({x}, trans(interleave(low, high)), acc);"),
        "both": ("int8_t", f"acc = dot({x} * float16(2), cast<float16>({y}), acc);\nacc = dot({x}, cast<float16>(-{y}), acc);"),
        "others": ("int8_t", f"acc = dot({x}, cast<float16>({y.replace(', 0)', ', 3)')}), acc);"),
        "sums": ("int8_t", f"auto w = {y};\nacc = dot({x}, cast<float16>(w + w), acc * 0.5f);"),
        "branch": ("uint8_t", f"{nibbles}if (k0 != 32) acc = dot({x}, trans(interleave(low, high)), acc);"),
    }
    runs = [{"M": 32, "N": 48, "K": d} for d in (0, 32, 48, 96, 160)] + [{"M": 7, "N": 9, "K": 50}, {"M": 40, "N": 64, "K": 128}]
    for name, (element, body) in bodies.items():
        for s in (2, 3, 4):
            table.add(
                f"computed_{name}_{s}",
                f"const float16* a = small(M * K + 1)\nconst {element}* b = small(K * N + 1)\nconst float* scales = small(cdiv(K, 32) * N + 1)\nfloat* c = out(M * N + 1)\nint M\nint N\nint K",
                f"""
                auto [pm, pn] = grid(cdiv(M, 32), cdiv(N, 32));
                auto i = pm * 32 + arange<32>();
                auto j = pn * 32 + arange<32>();
                auto acc = zeros<float, 32, 32>();
                auto sums = zeros<float, 32>();
                for (int k0 = 0; k0 < K; k0 += 32) {{
                  auto k = k0 + arange<32>();
                  auto h = k0 / 2 + arange<16>();
                  {body}
                }}
                store(c + i[all, none] * N + j[none, all], acc + sums[none, all], (i[all, none] < M) & (j[none, all] < N));
                """,
                runs,
                warps=(1, 4, 7) if s == 3 else (2, 8),
                options=f", .num_stages = {s}",
            )


    # Rows whose vectors are not a power of two, or end within one: threads hold padding that no copy may write.
    for columns in (24, 40, 96, 100):
        table.add(
            f"computed_columns_{columns}",
            "const float16* a = small(M * K + 1)\nconst int8_t* b = small(K * 112 + 1)\nfloat* c = out(M * 112 + 1)\nint M\nint N\nint K",
            f"""
            grid(1);
            auto i = arange<32>();
            auto j = arange<{columns}>();
            auto acc = zeros<float, 32, {columns}>();
            for (int k0 = 0; k0 < K; k0 += 32) {{
              auto k = k0 + arange<32>();
              auto x = {x};
              auto y = load(b + k[all, none] * 112 + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0);
              acc = dot(x, cast<float16>(y), acc);
            }}
            store(c + i[all, none] * 112 + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
            """,
            [{"M": 32, "N": 112, "K": 96}, {"M": 20, "N": 50, "K": 40}, {"M": 32, "N": 16, "K": 0}, {"M": 1, "N": 112, "K": 128}],
            warps=(1, 2, 4, 8),
            options=", .num_stages = 3",
        )


def invariants():
    """Operands that are the same in all steps, in a kernel that is long enough to have functions for its parts."""
    table.add(
        "invariant_batches",
        "const float* f = small(16)\nfloat* out = out(256)\nint n",
        """
        grid(1);
        auto i = arange<4>();
        auto at = arange<16>()[all, none, none] * 16 + i[none, all, none] * 4 + i[none, none, all];
        auto turn = broadcast_to<16, 4, 4>(load(f + i[all, none] * 4 + i[none, all]) * 0.5f);
        auto x = full<float, 16, 4, 1>(1);
        auto p = full<float, 16, 4, 4>(1);
        for (int t = 0; t < n; ++t) {
          x = dot(turn, x, precision::ieee);
          p = dot(turn, p, precision::ieee);
          p = dot(p, permute<0, 2, 1>(turn), precision::ieee);
        }
        store(out + at, p + x);
        """,
        [{"n": n} for n in (3, 1, 0)],
        warps=(1, 4),
        options=", .num_stages = 3",
    )


for make in (stages, orders, heads, bodies, computed, indices, attention, added, invariants):
    make()


def negative_zero():
    """Elements outside are -0.0: copies into shared memory leave 0.0 there."""
    for t, bits in (("float", "uint32_t"), ("float16", "uint16_t")):
        sign = f"cast<{t}>(cast<int>(bitcast<{bits}>(x) >> {31 if t == 'float' else 15}) * 2 + 1)"
        table.add(
            f"negative_zero_{t}",
            f"const {t}* in = small(8192)\nfloat* out = out(1024)\nint n",
            f"""
            grid(1);
            auto i = arange<32>();
            auto acc = zeros<float, 32, 32>();
            for (int k = 0; k < n; ++k) {{
              auto x = load(in + k * 1024 + i[all, none] * 32 + i[none, all], (i * 2 < n * 7)[none, all], cast<{t}>(-0.0f));
              auto y = load(in + 128 + k * 1024 + i[all, none] * 32 + i[none, all]);
              acc = dot(where(x == cast<{t}>(0), {sign}, x), y, acc);
            }}
            store(out + i[all, none] * 32 + i[none, all], acc);
            """,
            [{"n": n} for n in (1, 3, 5)],
            warps=(4,),
            options=", .num_stages = 3",
        )


negative_zero()
