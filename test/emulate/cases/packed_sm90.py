"""Packed sequences of unequal lengths on Hopper: where each begins is loaded from memory, and only the array bounds the copies."""

from case import Table

table = Table("--arch=sm_90a")
RUNS = [{"rows": r, "sequences": s} for r, s in ((200, 3), (278, 5), (64, 1), (70, 2), (1, 3), (8, 0), (0, 2))]


def attention(name, d, dv, rows, columns, first, bound, warps):
    """`bound`: of the rows that loads see."""
    table.add(
        f"packed_{name}_{d}_{dv}_{rows}",
        f"const float16* q = small(rows * 2 * {d} + 1)\nconst float16* k = small(rows * 2 * {d} + 1)\n"
        f"const float16* v = small(rows * 2 * {dv} + 1)\nfloat* out = out(rows * 2 * {dv} + 1, 2e-3, 1e-2)\n"
        "const int* starts = starts(sequences + 1, rows)\nint rows\nint sequences",
        f"""
        auto [block, sequence, head] = grid(cdiv(rows, {rows}), sequences, 2);
        int first = {first.format("load(starts + sequence)")};
        int length = load(starts + sequence + 1) - first;
        if (block * {rows} >= length) return;
        auto i = int(block) * {rows} + arange<{rows}>();
        auto row = (first + i)[all, none] * 2 + int(head);
        auto queries = load(q + row * {d} + arange<{d}>()[none, all], ({bound.format("i")})[all, none], 0);
        auto top = full<float, {rows}>(-1e30f);
        auto total = zeros<float, {rows}>();
        auto acc = zeros<float, {rows}, {dv}>();
        for (int start = 0; start < minimum(length, int(block + 1) * {rows}); start += {columns}) {{
          auto j = start + arange<{columns}>();
          auto key_row = (first + j)[all, none] * 2 + int(head);
          auto inside = ({bound.format("j")})[all, none];
          auto keys = load(k + key_row * {d} + arange<{d}>()[none, all], inside, 0);
          auto scores = dot(queries, trans(keys)) * 0.125f;
          scores = where((j < length)[none, all] & (j[none, all] <= i[all, none]), scores, -inf);
          auto next = maximum(top, max<1>(scores));
          auto weights = exp2(scores - next[all, none]);
          auto factor = exp2(top - next);
          auto values = load(v + key_row * {dv} + arange<{dv}>()[none, all], inside, 0);
          total = total * factor + sum<1>(weights);
          acc = dot(cast<float16>(weights), values, acc * factor[all, none]);
          top = next;
        }}
        store(out + row * {dv} + arange<{dv}>()[none, all], acc / total[all, none], (i < length)[all, none]);
        """,
        RUNS,
        warps=warps,
        options=", .num_stages = 2",
    )


ARRAY, OWN = "first + {} < rows", "{} < length"
attention("array", 64, 64, 64, 64, "maximum({}, 0)", ARRAY, (4,))
attention("array", 64, 128, 128, 64, "maximum({}, 0)", ARRAY, (8,))
attention("array", 96, 32, 64, 32, "maximum({}, 0)", ARRAY, (4,))
# No boxes: a bound in memory, a beginning that may be negative for all that is known.
attention("own", 64, 64, 64, 64, "maximum({}, 0)", OWN, (4,))
attention("unknown", 64, 64, 64, 64, "{}", ARRAY, (4,))
