"""Pointers that may be null: what is accessed through them stands behind a test of the pointer."""

from case import Table, ragged, row_runs, warps_of


def nulls(runs, *names):
    """Each run with each of the pointers null, with all of them null, and with none."""
    subsets = [(), *[(name,) for name in names], names] if len(names) > 1 else [(), names]
    return [{**run, "null": subset} for run in runs for subset in subsets]


VECTOR = "const float* x = small(n + 1)\nconst float* bias = small(n + 1)\nfloat* y = out(n + 1)\nint n"
HEAD = "auto i = grid(cdiv(n, 256)) * 256 + arange<256>();\nauto m = i < n;\nauto v = load(x + i, m);\n"
PUT = "\nstore(y + i, v, m);"

# How a kernel tests a pointer, and what it does with it.
TESTS = {
    "ne": "if (bias != nullptr) v += load(bias + i, m);",
    "eq": "if (nullptr == bias) v = -v; else v += load(bias + i, m);",
    "bool": "if (bias) v += load(bias + i, m);",
    "not": "if (!bias) v = v * 2; else v += load(bias + i, m);",
    "zero": "if (bias != 0) v += load(bias + i, m);",
    "cast": "if (static_cast<bool>(bias)) v += load(bias + i, m);",
    "flag": "const bool has = bias != nullptr;\nif (has) v += load(bias + i, m);\nif (has && n > 100) v += 1;",
    "and": "if (n > 100 && bias) v += load(bias + i, m);",
    "or": "if (n > 100 || !bias) v += 3; else v += load(bias + i, m);",
    "read_and": "if (bias && bias[0] > 0) v += 1;",
    "choice": "v += bias ? load(bias + i, m) : zeros<float, 256>() + 7.0f;",
    "scalar_choice": "if (n > 0) v += bias ? bias[n / 2] : 5.0f;",
    "read": "if (bias && n > 0) v *= *bias;",
    "mask": "v += load(bias + i, m & (bias != nullptr), 2.0f);",
    "select": "auto p = bias ? bias : x;\nv += load(p + i, m);",
    "none": "const float* p = nullptr;\nif (n > 100) p = bias;\nif (p) v += load(p + i, m);",
    "none_choice": "const float* p = n > 100 ? bias : nullptr;\nif (p != nullptr) v += load(p + i, m);",
    "declared": "if (const float* p = bias) v += load(p + i, m);",
    "tile": "auto p = bias + i;\nif (bias) v += load(p, m);",
    "reset": "const float* p = bias;\nfor (int s = 0; s < 3; ++s) {\n  if (p) v += load(p + i, m);\n  if (s == 1) p = nullptr;\n}",
    "late": "const float* p = nullptr;\nfor (int s = 0; s < 4; ++s) {\n  if (p) v += load(p + i, m);\n  p = s > 1 ? bias : nullptr;\n}",
    "while": "int s = 0;\nwhile (bias != nullptr && s < 3) {\n  v += load(bias + i, m);\n  ++s;\n}",
    "return": "if (!bias) {\n  store(y + i, -v, m);\n  return;\n}\nv += load(bias + i, m);",
    "grid": "v += program_id(0) + float(num_programs(0));\nif (bias) v -= load(bias + i, m);",
}
HELPERS = """
template <class X>
__tile__ auto plus(X v, const float* bias, X other) {
  if (bias == nullptr) return v;
  return v + other * 2;
}
template <class I, class M, class X>
__tile__ auto shifted(X v, I i, M m, const float* bias = nullptr, const float* scale = nullptr) {
  if (scale) v *= load(scale + i, m);
  if (bias) v += load(bias + i, m);
  return v;
}
struct Epilogue {
  const float* bias = nullptr;
  const float* scale = nullptr;
  template <class I, class M, class X>
  __tile__ auto operator()(X v, I i, M m) const { return shifted(v, i, m, bias, scale); }
};
"""
CALLS = {
    "argument": "v = shifted(v, i, m, bias);",
    "default": "v = shifted(v, i, m);\nv = shifted(v, i, m, nullptr, bias);",
    "members": "Epilogue e{.bias = bias};\nv = e(v, i, m);\nv = Epilogue{}(v, i, m);\ne = Epilogue{nullptr, bias};\nv = e(v, i, m);",
    "returned": "v = plus(v, bias, v + 1);\nv = plus(v, nullptr, v);",
    "lambda": "auto add = [&](const float* p) { return p ? load(p + i, m) : zeros<float, 256>(); };\nv += add(bias) + add(nullptr);",
}


def vectors(table, prefix=""):
    for name, body in {**TESTS, **CALLS}.items():
        name = f"{prefix}null_{name}"
        table.add(name, VECTOR, HEAD + body + PUT, nulls(ragged(256), "bias"), helpers=HELPERS.replace("plus", f"plus_{name}")
                  .replace("shifted", f"shifted_{name}").replace("Epilogue", f"Epilogue_{name}"), warps=warps_of(name))
        table.cases[-1].body = body_of(table.cases[-1].body, name)


def heads(table, prefix=""):
    """Choices in the grid and in requirements, which the launcher computes."""
    bodies = {
        "grid": "auto b = grid(bias ? cdiv(n, 64) : 1);\nfor (auto s = b; s * 64 < n; s += num_programs(0)) {",
        "nested": "int per = bias == nullptr ? (n > 100 ? 2 * n + 2 : 128) : n > 50 ? 64 * 2 : 64;\nrequire(bias ? per % 64 == 0 : per % 2 == 0);\n"
                  "auto b = grid(per > 64 ? per / 64 : 2);\nfor (auto s = b; s * 64 < n; s += num_programs(0)) {",
    }
    for name, head in bodies.items():
        table.add(f"{prefix}null_in_{name}", VECTOR, head + """
              auto i = s * 64 + arange<64>();
              auto v = load(x + i, i < n);
              if (bias) v += load(bias + i, i < n);
              store(y + i, v, i < n);
            }""", nulls(ragged(64), "bias"), warps=warps_of(name, 2))


def written_choices(table, prefix=""):
    """Stores through one of two pointers that are __restrict__."""
    table.add(f"{prefix}null_written_choice", "const float* x = small(n + 1)\nfloat* bias = out(n + 1)\nfloat* y = out(n + 1)\nint n", """
              auto i = grid(cdiv(n, 256)) * 256 + arange<256>();
              auto m = i < n;
              float* to = bias ? bias : y;
              store(to + i, load(x + i, m), m);
              for (int s = 0; s < 3; ++s) {
                store(to + i, load(x + i, m) + s, m);
                to = y;
              }
              """, nulls(ragged(256), "bias"), warps=warps_of("written", 2))
    table.add(f"{prefix}null_read_written_choice", "const float* x = small(n + 1)\nfloat* bias = out(n + 1)\nfloat* y = out(n + 1)\nint n", """
              grid(1);
              auto i = arange<128>();
              store(y + i, load(x + i, i < n), i < n);
              float* from = bias && n < 0 ? bias : y;
              auto v = load(from + n - 1 - i, i < n);
              store((bias ? bias : y) + i, v * 2, i < n);
              """, nulls([{"n": n} for n in (128, 100, 5, 0)], "bias"), warps=warps_of("read_written", 2))


def body_of(body, name):
    for word in ("plus", "shifted", "Epilogue"):
        body = body.replace(word + "(", f"{word}_{name}(").replace(word + "{", f"{word}_{name}{{").replace(word + " e", f"{word}_{name} e")
    return body


def outputs(table, prefix=""):
    table.add(f"{prefix}null_outputs", "const float* x = small(rows * n + 1)\nfloat* y = out(rows * n + 1)\nfloat* mean = out(rows, 1e-5, 1e-5)\nint* counts = zero(1)\nint rows\nint n",
              """
              auto row = grid(rows);
              auto i = arange<128>();
              auto v = load(x + row * n + i, i < n);
              auto s = sum(v) / n;
              if (y) store(y + row * n + i, v + 1, i < n);
              if (mean != nullptr) mean[row] = s;
              if (counts != nullptr) atomic_add(counts, 1);
              """, nulls(row_runs(128), "y", "mean", "counts"), warps=warps_of("null_outputs"))


def norms(table, prefix=""):
    """Layer norm with optional weight and bias; the loop form reads them in its second loop."""
    arguments = ("const {t}* x = small(rows * n + 1)\nconst {t}* weight = small(n + 1)\nconst {t}* bias = small(n + 1)\n"
                 "{t}* y = out(rows * n + 1, {tolerance}, {tolerance})\nint rows\nint n")
    for t, tolerance in (("float", 1e-5), ("float16", 4e-3)):
        table.add(f"{prefix}null_norm_{t}", arguments.format(t=t, tolerance=tolerance), f"""
            auto row = grid(rows);
            auto i = arange<512>();
            auto m = i < n;
            auto v = cast<float>(load(x + row * n + i, m));
            auto mean = sum(v) / n;
            auto d = where(m, v - mean, 0);
            auto r = d * rsqrt(sum(d * d) / n + 1e-5f);
            if (weight) r = r * cast<float>(load(weight + i, m));
            if (bias) r = r + cast<float>(load(bias + i, m));
            store(y + row * n + i, cast<{t}>(r), m);
            """, nulls(row_runs(512), "weight", "bias"), warps=warps_of(t, 2))
        table.add(f"{prefix}null_norm_loop_{t}", arguments.format(t=t, tolerance=tolerance), f"""
            auto row = grid(rows);
            auto total = zeros<float, 128>();
            for (int k = 0; k < n; k += 128) total += cast<float>(load(x + row * n + k + arange<128>(), k + arange<128>() < n));
            auto mean = sum(total) / n;
            for (int k = 0; k < n; k += 128) {{
              auto i = k + arange<128>();
              auto r = cast<float>(load(x + row * n + i, i < n)) - mean;
              if (weight != nullptr) r *= cast<float>(load(weight + i, i < n));
              if (bias != nullptr) r += cast<float>(load(bias + i, i < n));
              store(y + row * n + i, cast<{t}>(r), i < n);
            }}
            """, nulls(row_runs(512), "weight", "bias"), warps=warps_of(t))


SIZES = ((64, 64, 128), (72, 40, 72), (130, 64, 200), (37, 50, 41), (64, 8, 0), (1, 1, 8))
RUNS = [{"M": m, "N": n, "K": k} for m, n, k in SIZES]
A = "load({a} + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0)"
B = "load({b} + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0)"
MATRICES = "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\n"
SECOND = "const float16* c = small(M * K + 1)\nconst float16* d = small(K * N + 1)\n"
ADDED = "const float* bias = small(N + 1)\nconst float* residual = small(M * N + 1)\n"
TAIL = "float* y = out(M * N + 1)\nint M\nint N\nint K"
START = """auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 64));
auto i = pm * 64 + arange<64>();
auto j = pn * 64 + arange<64>();
auto acc = zeros<float, 64, 64>();
"""
END = "\nstore(y + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));"


def loop(*dots):
    return "for (int k0 = 0; k0 < K; k0 += 32) {\nauto k = k0 + arange<32>();\n" + "\n".join(dots) + "\n}\n"


def dot(a, b):
    return f"acc = dot({A.format(a=a)}, {B.format(b=b)}, acc);"


EPILOGUE = """if (bias != nullptr) acc += load(bias + j, j < N)[none, all];
if (residual) acc += load(residual + i[all, none] * N + j[none, all], (i[all, none] < M) & (j[none, all] < N), 0);"""


def products(table, prefix="", warps=(4,)):
    def add(name, arguments, body, optional, stages=3, runs=RUNS):
        table.add(f"{prefix}null_{name}_{stages}", MATRICES + arguments + TAIL, START + body + END, nulls(runs, *optional),
                  warps=warps, options=f", .num_stages = {stages}")

    for stages in (1, 2, 3):
        add("bias", ADDED, loop(dot("a", "b")) + EPILOGUE, ("bias", "residual"), stages)
    # A second product that is there only if its matrices are.
    add("second", SECOND, loop(dot("a", "b")) + "if (c && d) {\n" + loop(dot("c", "d")) + "}", ("c", "d"))
    add("second_in_loop", SECOND, loop(dot("a", "b"), "if (c != nullptr && d != nullptr) " + dot("c", "d")), ("c", "d"))
    add("other_b", SECOND, loop("auto p = b;\nif (d) p = d;\n" + dot("a", "p")), ("d",))
    add("either", SECOND, "if (d) {\n" + loop(dot("a", "d")) + "} else {\n" + loop(dot("a", "b")) + "}", ("d",))
    add("early", SECOND, "if (!c) return;\n" + loop(dot("c", "b")), ("c",))
    add("scaled", "const float16* scale = small(K + 1)\n",
        loop(f"auto u = {A.format(a='a')};\nif (scale) u *= load(scale + k, k < K, 0)[none, all];\nacc = dot(u, {B.format(b='b')}, acc);"),
        ("scale",))
    add("bias_in_loop", ADDED, loop(dot("a", "b"), "if (bias) acc += load(bias + j, j < N)[none, all];"), ("bias",))
    add("stored", "float* z = out(M * N + 1)\n",
        loop(dot("a", "b")) + "if (z) store(z + i[all, none] * N + j[none, all], acc * 2, (i[all, none] < M) & (j[none, all] < N));",
        ("z",))


def items(table, prefix=""):
    """A persistent kernel: the first copies of the next item start early, and the tests stand before them."""
    for where, body in (("all", "if (d) {\n" + loop(dot("a", "d")) + "}"), ("both", loop(dot("a", "b")) + "if (d) {\n" + loop(dot("a", "d")) + "}")):
        table.add(f"{prefix}null_items_{where}", MATRICES + SECOND + TAIL, """
            int64_t tiles = cdiv(M, 64) * cdiv(N, 64);
            for (auto tile : persistent_range(tiles, {.flatten = true})) {
            auto i = tile / cdiv(N, 64) * 64 + arange<64>();
            auto j = tile % cdiv(N, 64) * 64 + arange<64>();
            auto acc = zeros<float, 64, 64>();
            """ + body + END + "\n}", nulls([{"M": 200, "N": 136, "K": 96}, {"M": 64, "N": 64, "K": 40}], "d"), warps=(4,))


def launches(table):
    """Pointers in requirements and grids."""
    table.add("null_launch_required", VECTOR, "require(bias != nullptr || n < 100);\n" + HEAD + "if (bias) v += load(bias + i, m);" + PUT,
              [{"n": 64, "null": ("bias",)}, {"n": 640}, {"n": 32}], warps=2)
    table.add("null_launch_refused", VECTOR, "require(bias != nullptr);\n" + HEAD + "v += load(bias + i, m);" + PUT,
              [{"n": 64, "null": ("bias",)}], warps=2, status=1)
    table.add("null_launch_grid", VECTOR, "auto blocks = cdiv(n, 64);\nauto p = grid(bias ? blocks : 1);\nauto i = p * 64 + arange<64>();\nauto v = load(x + i, i < n);\n"
              "if (bias) v += load(bias + i, i < n);\nstore(y + i, v, i < n);", nulls(ragged(64), "bias"), warps=2)


table = Table()
vectors(table)
outputs(table)
norms(table)
products(table)
items(table)
launches(table)
heads(table)
written_choices(table)
