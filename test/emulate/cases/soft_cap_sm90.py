"""Attention with a special function before the softmax: the first dot of the next iteration starts after it."""

from case import Table
from cases.pipelines_sm90 import MOVES, SELDOM_MOVES

table = Table("--arch=sm_90a")
GUARDED = SELDOM_MOVES.replace("top + 4.0f", "top + 2.0f")  # scores are -4 to 4
# How scores come from sums, and where what is not visible is masked.
CAP = "auto scores = 4.0f * fast_tanh(dot(queries, trans(block_k)) * 0.03125f);\nscores = where(seen, scores, -1e30f);"
BRANCH = "auto scores = 4.0f * fast_tanh(dot(queries, trans(block_k)) * 0.03125f);\nif (start + COLUMNS > ALL) scores = where(seen, scores, -1e30f);"
SUMS = "auto sums = dot(queries, trans(block_k));\nif (start + COLUMNS > ALL) sums = where(seen, sums, -inf);\nauto scores = 4.0f * fast_tanh(sums * 0.03125f);\nif (start + COLUMNS > ALL) scores = where(seen, scores, -1e30f);"
LATE = "auto sums = dot(queries, trans(block_k));\nauto scores = 4.0f * fast_tanh(sums * 0.03125f) + 0.0625f * exp2(sums * 0.03125f - 8.0f);\nscores = where(seen, scores, -1e30f);"
# The accumulator is read again after the exponentials of the iteration: nothing starts early.
AGAIN = "auto sums = dot(queries, trans(block_k));\nauto scores = 4.0f * fast_tanh(sums * 0.03125f);\nscores = where(seen, scores, -1e30f);"
FORMS = {
    "cap": CAP + MOVES,
    "guarded": CAP + GUARDED,
    "branch": BRANCH + GUARDED,
    "sums": SUMS + GUARDED,
    "late": LATE + MOVES,
    "again": AGAIN + MOVES.replace("cast<float16>(weights)", "cast<float16>(weights + 0.0009765625f * where(seen, sums, 0.0f))"),
    "first_halved": "acc = acc * 0.5f;\ntotal = total * 0.5f;\n" + CAP + MOVES,
}


def attention(name, step, rows, columns, d, causal, stages, first="0", into=table, prepare="", **more):
    last = f"minimum(keys, int(block + 1) * {rows})" if causal else "keys"
    seen = "(j < keys)[none, all] & (j[none, all] <= i[all, none])" if causal else "(j < keys)[none, all]"
    step = step.replace("COLUMNS", str(columns)).replace("ALL", f"int(block) * {rows}" if causal else "keys")
    into.add(
        f"{name}_{rows}_{columns}_{d}_{stages}" + ("_causal" if causal else ""),
        f"const float16* q = small(rows * {d} + 1)\nconst float16* k = small(keys * {d} + 1)\nconst float16* v = small(keys * {d} + 1)\n"
        f"float* out = out(rows * {d} + 1, 2e-3, 1e-2)\nint rows\nint keys",
        f"""
        auto block = grid(cdiv(rows, {rows}));
        auto i = block * {rows} + arange<{rows}>();
        auto dims = arange<{d}>();
        auto queries = load(q + i[all, none] * {d} + dims[none, all], i[all, none] < rows, 0);{prepare}
        auto top = full<float, {rows}>(-1e30f);
        auto total = zeros<float, {rows}>();
        auto acc = zeros<float, {rows}, {d}>();
        int last = {last};
        for (int start = {first}; start < last; start += {columns}) {{
          auto j = start + arange<{columns}>();
          auto block_k = load(k + j[all, none] * {d} + dims[none, all], j[all, none] < keys, 0);
          auto block_v = load(v + j[all, none] * {d} + dims[none, all], j[all, none] < keys, 0);
          auto seen = {seen};
          {step}
        }}
        store(out + i[all, none] * {d} + dims[none, all], where((total > 0.0f)[all, none], acc / total[all, none], 7.0f), i[all, none] < rows);
        """,
        [{"rows": r, "keys": n} for r, n in ((64, 64), (150, 200), (70, 33), (1, 1), (0, 8), (130, 300))],
        options=f", .num_stages = {stages}",
        **more,
    )


for form, step in FORMS.items():
    for causal in (False, True):
        attention("capped_" + form, step, 64, 32, 64, causal, 2, warps=(4,))
        attention("capped_" + form, step, 128, 64, 32, causal, 2, warps=(8,))
for stages in (1, 3, 5):
    attention("capped_branch", FORMS["branch"], 64, 32, 64, True, stages, warps=(4,))
attention("capped_guarded", FORMS["guarded"], 192, 64, 64, True, 2, warps=(12,))
attention("capped_sums", FORMS["sums"], 128, 32, 128, True, 2, warps=(8,))
# A step takes more than the first product lasts, or less: D of 256 starts late.
attention("capped_cap", FORMS["cap"], 64, 32, 256, False, 2, warps=(4,))
# It is not known whether the loop runs.
attention("capped_unknown", FORMS["branch"], 64, 32, 64, True, 2, first="maximum(int(block) * 64 - 40, 0) / 32 * 32", warps=(4,))
# The threads write an operand of the first dot to shared memory, before a loop that may have no step.
for causal in (False, True):
    attention("capped_flipped", CAP + MOVES, 64, 32, 64, causal, 2, warps=(4,), prepare=" queries = flip(queries);")
