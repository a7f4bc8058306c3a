"""Products on Hopper over half of the steps and the like: bounds that the launcher computes."""

from case import Table
from cases.pipelines_sm90 import ARGUMENTS, RUNS, X, Y

table = Table("--arch=sm_90a")

for half, name in (("cdiv(K, 2)", "cdiv"), ("(K + 1) / 2", "rounded"), ("K / 3", "third")):
    table.add(
        f"hp_half_{name}",
        ARGUMENTS,
        f"""
        auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 64));
        auto i = pm * 64 + arange<64>();
        auto j = pn * 64 + arange<64>();
        const int half = {half};
        auto acc = zeros<float, 64, 64>();
        for (int k0 = 0; k0 < half; k0 += 32) acc = dot({X.replace("< K)", "< half)")}, {Y.replace("< K)", "< half)")}, acc);
        store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
        """,
        [*RUNS, {"M": 64, "N": 64, "K": 129}],
        warps=(4, 8),
    )

# A launcher's check after the first load: the tensor maps of all loads come before both.
table.add(
    "hp_check_after_load",
    ARGUMENTS,
    f"""
    auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 64));
    auto i = pm * 64 + arange<64>();
    auto j = pn * 64 + arange<64>();
    const int k0 = 0;
    auto acc = dot({X}, {Y});
    require(K >= 0);
    for (int k0 = 32; k0 < K; k0 += 32) acc = dot({X}, {Y}, acc);
    store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
    """,
    RUNS,
    warps=(4,),
)
