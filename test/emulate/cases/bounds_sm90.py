"""Dots on Hopper that run, for example, over half of the k-steps: the launcher computes the bounds."""

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

# A promise behind an early return: the product before that is not one of whole lines.
LATE = """
auto acc = zeros<float, 64, 64>();
for (int k0 = 0; k0 < K; k0 += 32) {{
  auto k = k0 + arange<32>();
  acc = dot(load(a + i[all, none] * K + k[none, all], (k < K)[none, all]), load(b + k[all, none] * 64 + i[none, all], (k < K)[all, none]), acc);
}}
store(c + i[all, none] * 64 + i[none, all], acc{m});
"""
for name, promise in (("assume", "assume(K % 16 == 0);"), ("hint", "auto known = assume_divisible<16>(K);\nif (known > 9000) return;")):
    table.add(
        f"hp_late_{name}",
        "const float16* a = small(64 * K + 64)\nconst float16* b = small(64 * K + 64)\nfloat* c = out(64 * 64)\nint K",
        "grid(1);\nauto i = arange<64>();\nif (K == 35) {" + LATE.format(m="") + "return;\n}\n" + promise + LATE.format(m=" * 2"),
        [{"K": k, "shift": 0} for k in (35, 64, 96)],
        warps=(4,),
    )
