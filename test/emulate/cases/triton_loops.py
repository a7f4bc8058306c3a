"""Loops with several stages and control flow as Triton's tests have them, with results that Python computes."""

from case import SHORT, Table
from cases.triton_dots import multiplied

table = Table(rarely=True)
STAGES = (1, 2, 3, 4, 5)


def sums():
    """a + b in a loop, with any number of stages; trip counts below it."""
    for stages in STAGES:
        table.add(
            f"triton_added_in_loop_{stages}",
            "const float* a = small(n)\nconst float* b = small(n)\nfloat* out = out(n)\nint n",
            f"""
            grid(1);
            for (int k : range(0, n, 64, {{.num_stages = {stages}}})) {{
              auto i = k + arange<64>();
              auto m = i < n;
              store(out + i, load(a + i, m) + load(b + i, m), m);
            }}
            """,
            [{"n": n} for n in (0, 1, 64, 128, 192, 300, 640)],
            warps=(1, 4),
            expected=lambda given: {"out": [x + y for x, y in zip(given["a"], given["b"])]},
        )


def products():
    """Trip counts 0 to 3 at 1 to 5 stages; the product may have a scale for each step."""
    for stages in STAGES:
        for scale in ("", "scaled"):

            def expected(given, scale=scale):
                a, b, n = given["a"], given["b"], given["n"]
                c = [0] * 1024
                for s in range(n):
                    part = multiplied(a[s * 512 : s * 512 + 512], b[s * 512 : s * 512 + 512], 32, 32, 16)
                    factor = given["scales"][s] if scale else 1
                    c = [x + y * factor for x, y in zip(c, part)]
                return {"c": c}

            step = "acc += dot(x, y) * scales[k];" if scale else "acc = dot(x, y, acc);"
            table.add(
                f"triton_product_in_loop_{stages}{scale and '_' + scale}",
                "const float16* a = small(n * 512)\nconst float16* b = small(n * 512)\nconst float* scales = ties(n)\nfloat* c = out(1024)\nint n",
                f"""
                grid(1);
                auto r = arange<32>();
                auto p = arange<16>();
                auto acc = zeros<float, 32, 32>();
                for (int k = 0; k < n; ++k) {{
                  auto x = load(a + k * 512 + (r[all, none] * 16 + p));
                  auto y = load(b + k * 512 + (p[all, none] * 32 + r));
                  {step}
                }}
                store(c + (r[all, none] * 32 + r), acc);
                """,
                [{"n": n} for n in (0, 1, 2, 3, 7)],
                warps=(4,),
                options=f", .num_stages = {stages}",
                expected=expected,
            )


def indirect():
    """Rows of an operand are found through indices, which the loop loads as well."""
    for m, n, k, stages in ((128, 128, 64, 1), (128, 128, 64, 3), (128, 64, 128, 1), (128, 64, 128, 3), (128, 128, 128, 1), (32, 32, 32, 5)):

        def expected(given, m=m, n=n, k=k):
            c = [0] * (m * n)
            for s in range(given["n"]):
                rows = [given["rows"][s * k + p] for p in range(k)]
                b = [given["b"][row * n + j] for row in rows for j in range(n)]
                part = multiplied(given["a"][s * m * k : (s + 1) * m * k], b, m, n, k)
                c = [x + y for x, y in zip(c, part)]
            return {"c": c}

        table.add(
            f"triton_indirect_product_{m}x{n}x{k}_{stages}",
            f"const float16* a = ties(n * {m * k})\nconst float16* b = ties({256 * n})\nconst int* rows = below(n * {k}, 256)\nfloat* c = out({m * n})\nint n",
            f"""
            grid(1);
            auto r = arange<{m}>();
            auto j = arange<{n}>();
            auto p = arange<{k}>();
            auto acc = zeros<float, {m}, {n}>();
            for (int s = 0; s < n; ++s) {{
              auto row = load(rows + s * {k} + p);
              auto x = load(a + s * {m * k} + (r[all, none] * {k} + p));
              auto y = load(b + (row[all, none] * {n} + j));
              acc = dot(x, y, acc);
            }}
            store(c + (r[all, none] * {n} + j), acc);
            """,
            [{"n": 2}],
            warps=(4,),
            options=f", .num_stages = {stages}",
            expected=expected,
        )


def stores():
    """Stores in the loop: to rows that indices name, and under a condition."""
    for stages in (1, 3, 5):

        def expected(given):
            spread, some = [None] * 1024, [None] * 1024
            for s in range(given["n"]):
                part = given["in"][s * 64 : s * 64 + 64]
                row = given["rows"][s]
                spread[row * 64 : row * 64 + 64] = part
                if s % 2 == 0:
                    some[s * 64 : s * 64 + 64] = part
            return {"spread": spread, "some": some}

        table.add(
            f"triton_stores_in_loop_{stages}",
            "const float* in = small(1024)\nconst int* rows = distinct(16)\nfloat* spread = out(1024)\nfloat* some = out(1024)\nint n",
            f"""
            grid(1);
            auto i = arange<64>();
            for (int s : range(0, n, 1, {{.num_stages = {stages}}})) {{
              auto x = load(in + s * 64 + i);
              store(spread + rows[s] * 64 + i, x);
              if (s % 2 == 0) store(some + s * 64 + i, x);
            }}
            """,
            [{"n": n} for n in (0, 1, 3, 16)],
            warps=(1, 4),
            expected=expected,
        )


def control():
    """Branches, loops and early returns on scalars."""

    def collatz(given):
        steps = []
        for x in given["in"]:
            count = 0
            while x > 1 and count < 50:
                x = 3 * x + 1 if x % 2 else x // 2
                count += 1
            steps.append(count)
        return {"out": steps}

    table.add(
        "triton_while",
        "const int* in = positive(8)\nint* out = out(8)\nint n",
        """
        auto p = grid(n);
        int x = in[p];
        int count = 0;
        while (x > 1 && count < 50) {
          if (x % 2 != 0) {
            x = 3 * x + 1;
          } else {
            x = x / 2;
          }
          ++count;
        }
        out[p] = count;
        """,
        [{"n": 8}],
        warps=(1, 4),
        expected=collatz,
    )

    def branches(given):
        out = []
        for p in range(8):
            for i in range(32):
                x = given["in"][p * 32 + i]
                out.append(x + 1 if p == 0 else x * 2 if p == 1 else None if p == 2 else -x)
        return {"out": out}

    table.add(
        "triton_branches",
        "const float* in = small(256)\nfloat* out = out(256)\nint n",
        """
        auto p = grid(n);
        auto i = p * 32 + arange<32>();
        auto x = load(in + i);
        if (p == 2) return;
        if (p == 0) {
          x = x + 1.0f;
        } else if (p == 1) {
          x = x * 2.0f;
        } else {
          x = -x;
        }
        store(out + i, x);
        """,
        [{"n": 8}],
        warps=(1, 4),
        expected=branches,
    )

    def nested(given):
        out = []
        for p in range(4):
            x, y = [1] * 32, 0
            for i in range(p + 1):
                for j in range(4, i, -1):
                    x = [v + i * j for v in x]
                    y += j
            out += [v * y for v in x]
        return {"out": out}

    table.add(
        "triton_nested_loops",
        "int* out = out(128)\nint n",
        """
        auto p = grid(n);
        auto x = full<int, 32>(1);
        int y = 0;
        for (int i = 0; i < p + 1; ++i) {
          for (int j = 4; j > i; --j) {
            x += i * j;
            y += j;
          }
        }
        store(out + p * 32 + arange<32>(), x * y);
        """,
        [{"n": 4}],
        warps=(1, 4),
        expected=nested,
    )
    table.add(
        "triton_functions",
        "const float* in = small(128)\nfloat* out = out(128)\nfloat* sums = out(2)\nint n",
        """
        grid(n);
        auto i = arange<128>();
        auto x = load(in + i);
        auto applied = apply(x, [](auto v) { return v * v; });
        auto pair = both(applied, x);
        store(out + i, pair.v0 + pair.v1);
        sums[0] = sum(pair.v0);
        sums[1] = choose<true>(sum(pair.v1), 0.0f);
        """,
        [{"n": 1}],
        warps=(1, 4),
        helpers="""
template <class X, class F>
__tile__ auto apply(X x, F f) {
  return f(x) + 1.0f;
}
template <class X>
__tile__ auto both(X a, X b) {
  return tl::tuple(a + b, a - b);
}
template <bool FIRST>
__tile__ float choose(float a, float b) {
  if constexpr (FIRST) {
    return a;
  } else {
    return b;
  }
}
""",
        expected=lambda given: {
            "out": [2 * (x * x + 1) for x in given["in"]],
            "sums": [sum(x * x + 1 + x for x in given["in"]), sum(x * x + 1 - x for x in given["in"])],
        },
    )


for make in (sums, products, indirect, stores, control):
    make()
