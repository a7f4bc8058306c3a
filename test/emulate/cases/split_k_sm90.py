"""Split-K on Hopper: each program computes how many whole k-steps its part has, which may be none. Accumulators are added through shared
memory, or, where the stages leave no room, after an exchange between lanes."""

from case import SHORT, Table
from cases.pipelines_sm90 import ARGUMENTS, RUNS

table = Table("--arch=sm_90a")

# A part with at least one element, if there is any, is not a tensor box: its mask tests the bound of k too.
for least, inside in ((0, "ks < part - k"), (1, "(ks < part - k) & (first + k + ks < K)")):
    table.add(
        f"hp_split_clamped_{least}",
        ARGUMENTS.replace("out(M", "zero(M") + "\nint splits",
        f"""
        auto [pm, pn, split] = grid(cdiv(M, 64), cdiv(N, 64), splits);
        auto i = pm * 64 + arange<64>();
        auto j = pn * 64 + arange<64>();
        auto ks = arange<32>();
        auto depth = cdiv(cdiv(K, 32), splits) * 32;
        auto first = split * depth;
        int part = clamp(K - first, {least}, depth);
        auto p = a + i[all, none] * K + (first + ks[none, all]);
        auto q = b + first * N + ks[all, none] * N + j[none, all];
        auto acc = zeros<float, 64, 64>();
        for (int k = 0; k < part; k += 32) {{
          auto inside = {inside};
          auto x = load(p, (i < M)[all, none] & inside[none, all]);
          auto y = load(q, inside[all, none] & (j < N)[none, all]);
          acc = dot(x, y, acc);
          p += 32;
          q += 32 * N;
        }}
        atomic_add(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N), memory_order::relaxed);
        """,
        [{**run, "splits": 1 + 2 * at % 7} for at, run in enumerate(RUNS)],
        warps=(4, 8),
    )


def crowded(name, t, body, warps=(4, 8)):
    """Nine stages of 24 KiB leave no room for an accumulator of 64 x 128."""
    table.add(
        f"hp_crowded_{name}_{SHORT[t]}",
        ARGUMENTS.replace("out(M", "zero(M").replace("float* c", f"{t}* c"),
        f"""
        auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 128));
        auto i = (pm * 64 + arange<64>())[all, none];
        auto j = (pn * 128 + arange<128>())[none, all];
        auto acc = zeros<float, 64, 128>();
        for (int k = 0; k < K; k += 64) {{
          auto ks = k + arange<64>();
          auto x = load(a + i * K + ks[none, all], (i < M) & (ks < K)[none, all]);
          auto y = load(b + ks[all, none] * N + j, (ks < K)[all, none] & (j < N));
          acc = dot(x, y, acc);
        }}
        auto mask = (i < M) & (j < N);
        {body.replace("T", t)}
        """,
        RUNS,
        warps=warps,
        options=", .num_stages = 9",
    )


for t in ("float", "float16", "bfloat16"):
    crowded("adds", t, "atomic_add(c + i * N + j, cast<T>(acc), mask, memory_order::relaxed);")
    crowded("some", t, "atomic_add(c + i * N + j, cast<T>(acc), mask & (i % 3 != 1), memory_order::relaxed);", warps=(4,))
    # Rows that are chosen in memory.
    crowded("seen", t, "auto seen = load(a + (i * 7) % (M * K + 1)) > cast<float16>(0.0f);\natomic_add(c + i * N + j, cast<T>(acc), mask & seen, memory_order::relaxed);", warps=(4,))
crowded("twice", "float", "for (int s = 0; s < 3; ++s) atomic_add(c + i * N + j, acc * (s + 1.0f), mask, memory_order::relaxed);")
crowded("turned", "float", "atomic_add(c + j * M + i, acc, mask, memory_order::relaxed);")
