"""Structs as parameters: each member is what a parameter of its own would be."""

from case import Table, ragged, row_runs, warps_of

VECTOR = "const float* x = small(n + 1)\nconst float* bias = small(n + 1)\nfloat* y = out(n + 1)\nint n\nfloat scale"
STRUCT = "struct {s} {{ const float* __restrict__ x; const float* __restrict__ bias; float* __restrict__ y; int n; float scale; {more} }};\n"
HEAD = "auto i = grid(cdiv(p.n, 256)) * 256 + arange<256>();\nauto m = i < p.n;\nauto v = load(p.x + i, m);\n"
PUT = "\nstore(p.y + i, v, m);"
SUM = "if (p.bias) v += load(p.bias + i, m);\nv *= p.scale;"
MEMBERS = "{x, bias, y, n, scale}"

# What a kernel does with the object. `@` is the name of its struct.
BODIES = {
    "members": SUM,
    "helper": "v = scaled_@(v, i, m, p);",
    "reference": "const @& q = p;\nif (q.bias) v += load(q.bias + i, m);\nv *= q.scale;",
    "copy": "auto q = p;\nq.scale += 1;\nq.n -= 1;\nv = v * q.scale + load(q.x + i, i < q.n) * p.scale;",
    "written": "if (p.n > 100) p.scale = 3;\nfor (int s = 0; s < 2; ++s) p.scale += s;\nv *= p.scale;",
    "pointer_written": "if (p.n > 100) p.bias = p.x;\nif (p.bias != nullptr) v += load(p.bias + i, m);",
    "method": "v = p.apply(v, i, m);\np.reset();\nv += p.scale;",
    "bound": "auto [a, b, c, k, s] = p;\nif (b) v += load(b + i, i < k) * s;",
    "loop": "for (int s = 0; s < p.n && s < 4; ++s) {\n  if (p.bias) v += load(p.bias + s);\n}",
    "lambda": "auto add = [&](float by) { return p.scale + by; };\nv = v * add(1) + map([=](float e) { return e * p.scale; }, v);",
    "require": "require(p.n >= 0 && p.y != nullptr);\nv *= p.scale;",
}
HELPER = "template <class X, class I, class M>\n__tile__ auto scaled_@(X v, I i, M m, const @& p) { if (p.bias) v += load(p.bias + i, m); return v * p.scale; }\n"
METHODS = """template <class X, class I, class M>
  __tile__ auto apply(X v, I i, M m) const { if (bias) v += load(bias + i, m); return v * scale; }
  __tile__ void reset() { scale = 5; }"""


def nulls(runs):
    return [{**run, "scale": 2 + k % 3, "null": null} for k, run in enumerate(runs) for null in ((), ("bias",))]


def vectors(table, prefix=""):
    for name, body in BODIES.items():
        s = f"Struct_{prefix}{name}"
        table.add(f"{prefix}struct_{name}", VECTOR, (HEAD + body + PUT).replace("@", s), nulls(ragged(256)), warps=warps_of(name),
                  helpers=STRUCT.format(s=s, more=METHODS if name == "method" else "") + HELPER.replace("@", s),
                  signature=f"{s} p", call=s + MEMBERS)
    # Two of one struct, with a parameter between them; one struct in another, and arrays.
    s = f"Struct_{prefix}pair"
    table.add(f"{prefix}struct_pair", "const float* x = small(n + 1)\nconst float* w = small(n + 1)\nfloat* y = out(n + 1)\nint n\nfloat f",
              "auto i = grid(cdiv(a.n, 128)) * 128 + arange<128>();\nstore(y + i, load(a.p + i, i < a.n) * f + load(b.p + i, i < b.n), i < a.n);",
              [{**run, "f": 3} for run in ragged(128)], warps=warps_of("pair"), helpers=f"struct {s} {{ const float* p; int n; }};\n",
              signature=f"{s} a, float f, {s} b, float* y", call=f"{s}{{x, n}}, f, {s}{{w, n}}, y")
    s = f"Struct_{prefix}nested"
    table.add(f"{prefix}struct_nested", "const float* x = small(rows * n + 1)\nconst float* w = small(n + 1)\nconst float* b = small(n + 1)\n"
              "float* y = out(rows * n + 1)\nint rows\nint n", """
              auto row = grid(p.size.rows);
              auto i = arange<128>();
              auto m = i < p.size.columns;
              auto v = load(p.x + row * p.size.strides[0] + i * p.size.strides[1], m);
              for (int k = 0; k < 2; ++k) v += load(p.each[0] + i, m);
              static_for<2>([&](auto k) { v += load(p.each[k] + i, m); });
              store(p.y + row * p.size.columns + i, v, m);
              """, row_runs(128), warps=warps_of("nested", 2),
              helpers=f"struct Size_{s} {{ int rows, columns; int64_t strides[2]; }};\nstruct {s} {{ const float* x; const float* each[2]; float* y; Size_{s} size = {{}}; }};\n",
              signature=f"const {s} p", call=f"{s}{{x, {{w, b}}, y, {{rows, n, {{n, 1}}}}}}")
    s = f"Struct_{prefix}default"
    table.add(f"{prefix}struct_defaults", "const float* x = small(n + 1)\nfloat* y = out(n + 1)\nint n", """
              auto i = grid(cdiv(p.n, 128)) * 128 + arange<128>();
              auto m = i < p.n;
              auto v = load(p.x + i, m) * p.betas[0] + p.betas[1] * p.inner.weights[1][0] - p.inner.weights[0][2];
              if (p.inner.on && !p.all[1].bias) v += p.all[1].shift + p.all[0].shift * p.few[3];
              store(p.y + i, v, m);
              """, ragged(128), warps=warps_of("defaults", 2),
              helpers=f"struct Inner_{s} {{ int weights[2][3] = {{{{1, -2, 3}}, {{4}}}}; bool on = 1; }};\n"
              f"struct Each_{s} {{ const float* bias; int shift; }};\n"
              f"struct {s} {{ const float* x; float* y; int n; float betas[2] = {{0.5f, 1.0 / 4}}; Inner_{s} inner = {{}}; "
              f"Each_{s} all[2] = {{{{nullptr, 3}}, {{nullptr, -2147483647 - 1 + 2147483647}}}}; int few[4] = {{7}}; }};\n",
              signature=f"{s} p", call=f"{s}{{x, y, n}}")
    s = f"Struct_{prefix}indexed"
    table.add(f"{prefix}struct_indexed", "const float* x = small(n + 1)\nconst float* w = small(n + 1)\nfloat* y = out(n + 1)\nint n", """
              auto i = grid(cdiv(p.n, 128)) * 128 + arange<128>();
              auto m = i < p.n;
              auto v = load(p.each[p.n & 1].p + i, m);
              for (int k = 0; k < 5; ++k) v = v * p.scale[k] + p.each[k % 2].shift;
              if (p.each[p.n % 2].shift > 1) v += load(p.each[1 - p.n % 2].p + i, m);
              p.scale[1] = 7;
              store(p.y + i, v + p.scale[p.n % 5], m);
              """, ragged(128), warps=warps_of("indexed", 2),
              helpers=f"struct Side_{s} {{ const float* p; int shift; }};\nstruct {s} {{ Side_{s} each[2]; float* y; int n; float scale[5]; }};\n",
              signature=f"{s} p", call=f"{s}{{{{{{x, 1}}, {{w, 2}}}}, y, n, {{1, 2, 0.5f, 3, 0.25f}}}}")


A = "load(p.a + i[all, none] * p.lda + k[none, all], (i[all, none] < p.M) & (k[none, all] < p.K), 0)"
B = "load(p.b + k[all, none] * p.ldb + j[none, all], (k[all, none] < p.K) & (j[none, all] < p.N), 0)"
SIZES = ((64, 64, 128), (72, 40, 72), (130, 64, 200), (37, 50, 41), (64, 8, 0), (1, 1, 8))


def matmul(table, name):
    s = f"Struct_{name}"
    table.add(name, "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\nconst float* bias = small(N + 1)\n"
              "float* y = out(M * N + 1)\nint M\nint N\nint K", f"""
              auto [pm, pn] = grid(cdiv(p.M, 64), cdiv(p.N, 64));
              auto i = pm * 64 + arange<64>();
              auto j = pn * 64 + arange<64>();
              auto acc = zeros<float, 64, 64>();
              for (int k0 = 0; k0 < p.K; k0 += 32) {{
                auto k = k0 + arange<32>();
                acc = dot({A}, {B}, acc);
              }}
              if (p.bias) acc += load(p.bias + j, j < p.N)[none, all];
              store(p.y + i[all, none] * p.N + j[none, all], acc, (i[all, none] < p.M) & (j[none, all] < p.N));
              """, [{"M": m, "N": n, "K": k, "null": null} for m, n, k in SIZES for null in ((), ("bias",))], warps=warps_of(name),
              helpers=f"struct {s} {{ const float16* __restrict__ a; const float16* __restrict__ b; const float* __restrict__ bias; float* __restrict__ y; int M, N, K; int64_t lda, ldb; }};\n",
              signature=f"{s} p", call=f"{s}{{a, b, bias, y, M, N, K, K, N}}")


def make(*flags, prefix=""):
    table = Table(*flags, checks_overflow=True)
    vectors(table, prefix)
    matmul(table, f"{prefix}struct_matmul")
    return table


table = make()
