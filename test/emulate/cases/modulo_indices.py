"""Modulo indices (i % M), which loads of dots use in place of masks: some rows past the bound are never stored, others have to
be read."""

from case import Table

table = Table(checks_overflow=True)

ARGUMENTS = (
    "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\nfloat* c = {c}\nint M\nint N\nint K"
)
SIZES = ((64, 64, 64), (32, 32, 32), (40, 72, 48), (100, 33, 70), (1, 8, 16), (130, 65, 8), (3, 200, 40))
RUNS = [{"M": m, "N": n, "K": k} for m, n, k in SIZES]
HEAD = """
auto [pm, pn] = grid(cdiv(M, 32), cdiv(N, 64));
auto i = pm * 32 + arange<32>();
auto j = pn * 64 + arange<64>();
auto ks = arange<32>();
"""
LOOP = """
auto p = a + (i % M)[all, none] * K + ks[none, all];
auto q = b + ks[all, none] * N + (j % N)[none, all];
auto acc = zeros<float, 32, 64>();
for (int k = 0; k < cdiv(K, 32); ++k) {
  auto x = load(p, ks[none, all] < K - k * 32);
  auto y = load(q, ks[all, none] < K - k * 32);
  acc = dot(x, y, acc);
  p += 32;
  q += 32 * N;
}
"""
# The remainders within the loop: of the same rows in each step, and of others.
WITHIN = """
auto acc = zeros<float, 32, 64>();
for (int k = 0; k < K; k += 32) {{
  auto x = load(a + ((i{0}) % M)[all, none] * K + (k + ks)[none, all], ks[none, all] < K - k);
  auto y = load(b + (k + ks)[all, none] * N + (j % N)[none, all], ks[all, none] < K - k);
  acc = dot(x, y, acc);
}}
"""
INSIDE = "(i[all, none] < M) & (j[none, all] < N)"
ENDS = {
    "matmul": f"store(c + i[all, none] * N + j[none, all], acc, {INSIDE});",
    "epilogue": f"""
        auto w = maximum(acc * 0.5f, 0.0f) + cast<float>(load(b + (j % N))[none, all]);
        store(c + i[all, none] * N + j[none, all], w, {INSIDE});""",
    "transposed": "store(c + j[all, none] * M + i[none, all], trans(acc), (i[none, all] < M) & (j[all, none] < N));",
    "row_sums": "store(c + pn * M + i, sum<1>(where(j[none, all] < N, acc, 0.0f)), i < M);",
    "atomic": f"atomic_add(c + i[all, none] * N + j[none, all], acc, {INSIDE}, memory_order::relaxed);",
    # Of wrapped columns too.
    "all_sums": "store(c + pn * M + i, sum<1>(acc), i < M);",
    "total": "atomic_add(c + pn, sum<0>(sum<1>(acc)), true, memory_order::relaxed);",
    "column_max": "store(c + pm * N + j, max<0>(acc), j < N);",
    "other_bound": "store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M + 1) & (j[none, all] < N) & (i[all, none] * 2 < M));",
    "all_rows": "store(c + (pm * 32 + arange<32>())[all, none] * (cdiv(N, 64) * 64) + j[none, all], acc);",
}


def add(target, prefix, warps=(1, 4)):
    for name, end in ENDS.items():
        adds = "zero" if "atomic" in end else "out"
        target.add(
            f"{prefix}{name}",
            ARGUMENTS.format(c=f"{adds}((M + 32) * (N + 64))"),
            HEAD + LOOP + end,
            RUNS,
            warps=warps,
        )
        for place, step in (("within", ""), ("stepping", " + k")):
            target.add(
                f"{prefix}{place}_{name}",
                ARGUMENTS.format(c=f"{adds}((M + 32) * (N + 64))"),
                HEAD + WITHIN.format(step) + end,
                RUNS,
                warps=warps[:1],
            )
    # The program's number as the tutorials of Triton compute it.
    target.add(
        f"{prefix}grouped",
        ARGUMENTS.format(c="out(M * N)"),
        """
        int program = grid(cdiv(M, 32) * cdiv(N, 64));
        int tall = cdiv(M, 32), wide = cdiv(N, 64);
        int group = program / (3 * wide), first = group * 3;
        int size = minimum(tall - first, 3);
        int pm = first + (program % (3 * wide)) % size, pn = (program % (3 * wide)) / size;
        auto i = pm * 32 + arange<32>();
        auto j = pn * 64 + arange<64>();
        auto ks = arange<32>();
        """
        + LOOP
        + ENDS["matmul"],
        RUNS,
        warps=warps,
    )
    # Other rows in each step, and what an earlier step read is stored by a later one.
    target.add(
        f"{prefix}steps",
        ARGUMENTS.format(c="out(M * N)"),
        f"""
        auto pn = grid(cdiv(N, 64));
        auto j = pn * 64 + arange<64>();
        auto ks = arange<32>();
        auto y = load(b + ks[all, none] * N + j[none, all], (ks[all, none] < K) & (j[none, all] < N));
        auto sums = zeros<float, 32, 64>();
        for (int first = 0; first < M; first += 32) {{
          auto i = first + arange<32>();
          auto x = load(a + (i % M)[all, none] * K + ks[none, all], ks[none, all] < K);
          sums += dot(x, y);
          store(c + i[all, none] * N + j[none, all], sums, {INSIDE});
        }}
        """,
        RUNS,
        warps=warps,
    )
    # Without a product, in a loop over rows: what is carried is asked for rows of its own step.
    target.add(
        f"{prefix}before",
        "const float* a = small(M * 64)\nfloat* c = out(M * 64)\nint M",
        """
        grid(1);
        auto j = arange<64>()[none, all];
        auto last = zeros<float, 32, 64>();
        for (int first = 0; first < M; first += 32) {
          auto i = (first + arange<32>())[all, none];
          auto x = load(a + i % M * 64 + j);
          store(c + i * 64 + j, x + last, i < M);
          last = x;
        }
        """,
        [{"M": m} for m in (1, 32, 40, 100)],
        warps=warps,
    )


add(table, "wrap_")
