"""Programs that share a long k on Hopper, where each counts what there is of its part, in whole steps: nothing of some."""

from case import Table
from cases.pipelines_sm90 import ARGUMENTS, RUNS

table = Table("--arch=sm_90a")

# A part of at least one element, be there any, is no box: its mask asks for the bound of k too.
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
        ci=True,
    )
