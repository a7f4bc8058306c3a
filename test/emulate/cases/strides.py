"""Strides that are arguments: each is 1 in some runs, or in all of them where the kernel promises it."""

from case import Table

table = Table(checks_overflow=True)

SHAPES = ((64, 64), (40, 72), (33, 70), (1, 8), (3, 200))
# How a matrix of rows by columns lies in memory: its strides.
LIES = {
    "rows": lambda rows, columns: (columns, 1),
    "columns": lambda rows, columns: (1, rows),
    "wide": lambda rows, columns: (columns + 8, 1),
    "every_other": lambda rows, columns: (2 * columns, 2),
    "vectors": lambda rows, columns: (8 * columns, 8),
}
ROWS = ("rows", "wide")


def size(rows, columns, s, t):
    return f"({rows}) * {s} + ({columns}) * {t} + 1"


def runs(matrices, lies, shapes):
    """Each matrix in each way; `matrices`: the names of its extents and of its strides. All but one lie in rows."""
    every = []
    for number, extents in enumerate(shapes):
        for choice in lies:
            run = dict(extents)
            for (rows, columns, s, t), lie in zip(matrices, choice):
                run[s], run[t] = LIES[lie](run[rows], run[columns])
            # Strides of all shapes in the first runs, then one way for each shape.
            if number < 2 or (number + len(every)) % 3 == 0:
                every.append(run)
    return every


def heads(strides):
    """Promises that these strides are 1: name -> text."""
    yield "", ""
    yield "_require", "".join(f"require({s} == 1);\n" for s in strides)
    yield "_assume", "assume(" + " && ".join(f"{s} == 1" for s in strides) + ");\n"


def copies(target, prefix, warps):
    matrices = (("M", "N", "s0", "s1"), ("M", "N", "t0", "t1"))
    shapes = [{"M": m, "N": n} for m, n in SHAPES]
    every = [("rows", "rows"), ("wide", "rows"), ("columns", "rows"), ("rows", "columns"), ("columns", "columns"),
             ("every_other", "rows"), ("rows", "vectors"), ("vectors", "every_other")]
    for name, value in (("copy", "x"), ("scaled", "x * 2.0f + 1.0f"), ("centered", "x - max<1>(x)[all, none]")):
        for head, text in heads(("s1", "t1")):
            lies = [pair for pair in every if not head or set(pair) <= set(ROWS)]
            target.add(
                f"{prefix}{name}{head}",
                f"const float* in = small({size('M', 'N', 's0', 's1')})\nfloat* out = out({size('M', 'N', 't0', 't1')})\n"
                "int M\nint N\nint s0\nint s1\nint t0\nint t1",
                text
                + f"""
                auto [p, q] = grid(cdiv(M, 16), cdiv(N, 64));
                auto i = (p * 16 + arange<16>())[all, none];
                auto j = (q * 64 + arange<64>())[none, all];
                auto mask = (i < M) & (j < N);
                auto x = load(in + i * s0 + j * s1, mask);
                store(out + i * t0 + j * t1, {value}, mask);
                """,
                runs(matrices, lies, shapes),
                warps=warps,
            )


def rows(target, prefix, warps):
    """Reductions of rows: strides of 64 bits, one range."""
    matrices = (("M", "N", "s0", "s1"), ("M", "N", "t0", "t1"))
    shapes = [{"M": m, "N": n} for m, n in SHAPES]
    every = [("rows", "rows"), ("wide", "rows"), ("columns", "rows"), ("rows", "every_other"), ("vectors", "columns")]
    for head, text in heads(("s1", "t1")):
        lies = [pair for pair in every if not head or set(pair) <= set(ROWS)]
        target.add(
            f"{prefix}row_sums{head}",
            f"const float* in = small({size('M', 'N', 's0', 's1')})\nfloat* out = out({size('M', 'N', 't0', 't1')})\n"
            "int M\nint N\nint64_t s0\nint64_t s1\nint64_t t0\nint64_t t1",
            "require(N <= 256);\n"
            + text
            + """
            auto row = grid(M);
            auto j = arange<256>();
            auto x = load(in + row * s0 + j * s1, j < N);
            store(out + row * t0 + j * t1, x + sum(x), j < N);
            """,
            runs(matrices, lies, shapes),
            warps=warps,
        )


def matmuls(target, prefix, warps):
    """The matmul of Triton's tutorial: six strides, indices that wrap, pointers that the loop carries."""
    matrices = (("M", "K", "am", "ak"), ("K", "N", "bk", "bn"), ("M", "N", "cm", "cn"))
    shapes = [{"M": m, "N": n, "K": k} for m, n, k in ((64, 128, 64), (40, 72, 48), (33, 70, 35), (8, 8, 1), (130, 16, 72))]
    every = [("rows", "rows", "rows"), ("rows", "columns", "rows"), ("columns", "rows", "rows"), ("columns", "columns", "rows"),
             ("rows", "rows", "columns"), ("wide", "wide", "wide"), ("every_other", "columns", "rows"), ("rows", "vectors", "every_other")]
    for kind, ones in (("nn", ("ak", "bn", "cn")), ("nt", ("ak", "bk", "cn"))):
        for head, text in heads(ones):
            if kind == "nt" and not head:
                continue  # the same kernel
            b = ROWS if kind == "nn" else ("columns",)
            lies = [t for t in every if not head or (t[0] in ROWS and t[1] in b and t[2] in ROWS)]
            target.add(
                f"{prefix}matmul_{kind}{head}" if head else f"{prefix}matmul",
                f"const float16* a = small({size('M', 'K', 'am', 'ak')})\nconst float16* b = small({size('K', 'N', 'bk', 'bn')})\n"
                f"float16* c = out({size('M', 'N', 'cm', 'cn')})\n"
                "int M\nint N\nint K\nint am\nint ak\nint bk\nint bn\nint cm\nint cn",
                text
                + """
                auto id = grid(cdiv(M, 64) * cdiv(N, 64));
                auto [pm, pn] = swizzle2d(id, cdiv(M, 64), cdiv(N, 64), 4);
                auto i = pm * 64 + arange<64>();
                auto j = pn * 64 + arange<64>();
                auto ks = arange<32>();
                auto a_ptrs = a + ((i % M)[all, none] * am + ks[none, all] * ak);
                auto b_ptrs = b + (ks[all, none] * bk + (j % N)[none, all] * bn);
                auto acc = zeros<float, 64, 64>();
                for (auto k : range(0, cdiv(K, 32))) {
                  auto x = load(a_ptrs, ks[none, all] < K - k * 32, 0);
                  auto y = load(b_ptrs, ks[all, none] < K - k * 32, 0);
                  acc = dot(x, y, acc);
                  a_ptrs += 32 * ak;
                  b_ptrs += 32 * bk;
                }
                auto at = c + cm * i[all, none] + cn * j[none, all];
                store(at, cast<float16>(acc), (i[all, none] < M) & (j[none, all] < N));
                """,
                runs(matrices, lies, shapes),
                warps=warps,
            )


def mixtures(target, prefix, warps):
    """Kernels with accesses that are wide for any strides, and strides of several types."""
    runs_of = [{"M": m, "N": n, "t0": t0, "t1": t1, "gap": gap}
               for m, n in SHAPES
               for t0, t1, gap in ((n, 1, 1), (1, m, 1), (n + 8, 1, 2), (3 * n, 3, 1))]
    parameters = (f"const float* in = small(M * N * 2 + 1)\nfloat* out = out({size('M', 'N', 't0', 't1')})\n"
                  "float* sums = out(M * 2)\nint M\nint N\nint64_t t0\nint t1\nuint8_t gap")
    body = """
        {head}
        auto p = grid(cdiv(M, 16));
        auto i = p * 16 + arange<16>();
        auto j = arange<64>()[none, all];
        auto rows = i[all, none];
        auto total = zeros<float, 16>();
        for (int start = 0; start < N; start += 64) {{
          auto mask = (rows < M) & (start + j < N);
          auto x = load(in + rows * N + (start + j){gap}, mask);
          store(out + rows * t0 + (start + j) * t1, x * 2.0f, mask);
          total += sum<1>(x);
        }}
        store(sums + i * gap, total, i < M);
        """
    for name, gap in (("one_side", ""), ("shared_stride", " * gap")):
        target.add(f"{prefix}{name}", parameters, body.format(head="", gap=gap), runs_of, warps=warps)
        # A stride that the launcher checks too, and one that a value of the kernel's own has.
        target.add(
            f"{prefix}{name}_checked",
            parameters,
            body.format(head="const int64_t wide = t1;\nrequire(wide > 0 && t0 > 0 && gap < 8);", gap=gap).replace("* t1", "* wide"),
            runs_of,
            warps=warps[:1],
        )


def promises(target, prefix):
    """Promises of other constants, in wider types, and where not every program reaches them."""
    at = "const int* in = small(4096)\nint* out = zero(4096)\nint n\nint s"
    target.add(
        f"{prefix}block",
        at,
        """
        require(n == 64 && int64_t(s) == 2);
        auto p = grid(n / s);
        auto i = arange<32>();
        store(out + p * n + i * s, load(in + i * s + p) + n % s, i < n);
        """,
        [{"n": 64, "s": 2}],
    )
    target.add(
        f"{prefix}after_return",
        at,
        """
        auto p = grid(4);
        auto i = arange<64>();
        store(out + p * 64 + i, s);
        if (p >= n) return;
        assume(s == 1);
        store(out + 1024 + p * 64 + i * s, load(in + i * s));
        """,
        [{"n": 0, "s": 3}, {"n": 0, "s": 1}, {"n": 3, "s": 1}],
    )
    target.add(
        f"{prefix}under_condition",
        at,
        """
        auto p = grid(4);
        auto i = arange<64>();
        auto x = load(in + i * s);
        if (n > 0) {
          assume(s == 1);
          x += load(in + 64 + i * s);
        }
        store(out + p * 256 + i * s, x);
        """,
        [{"n": 0, "s": 3}, {"n": 0, "s": 1}, {"n": 3, "s": 1}],
    )


def add(target, prefix, warps):
    copies(target, prefix, warps)
    rows(target, prefix, warps)
    matmuls(target, prefix, warps)


add(table, "strides_", (1, 4))
mixtures(table, "strides_", (1, 4))
promises(table, "strides_")
