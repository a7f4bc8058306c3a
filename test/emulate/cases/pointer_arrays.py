"""Arrays of pointers in global memory: a pointer is loaded, and then what it points to."""

from case import Table, ragged, warps_of

VECTOR = "const float* x = small(n + 1)\nconst float* w = small(n + 1)\nfloat* y = out(n + 1)\nfloat* z = out(n + 1)\nint n"
INS = "emulate_test::PointerArray<const float>{{{0}}}.data()"
OUTS = "emulate_test::PointerArray<float>{{{0}}}.data()"
BOTH = f"{INS.format('x, w')}, {OUTS.format('y, z')}, n"
SIGNATURE = "const float* const* in, float* const* out, int n"
RESTRICT = "const float* const* __restrict__ in, float* const* __restrict__ out, int n"
HEAD = "auto [b, k] = grid(cdiv(n, 256), 2);\nauto i = b * 256 + arange<256>();\nauto m = i < n;\n"

BODIES = {
    "copy": "store(out[k] + i, load(in[k] + i, m) * 2, m);",
    "named": "const float* p = in[k];\nfloat* q = out[k];\nstore(q + i, load(p + i, m) - load(in[1 - k] + i, m), m);",
    "loop": "auto v = zeros<float, 256>();\nfor (int s = 0; s < 2; ++s) v += load(in[s] + i, m) * (s + 1);\nstore(out[k] + i, v, m);",
    "unrolled": "auto v = zeros<float, 256>();\nfor (auto s : static_range<2>()) v += load(in[s] + i, m) * (s + 1);\nstore(out[k] + i, v, m);",
    "moved": "const float* const* p = in;\np += k;\nauto q = out + 1;\nstore(*(q - k) + i, load(*p + i, m), m);",
    "scalar": "if (n > 0) store(out[k] + i, full<float, 256>(in[0][n / 2] + *in[1]), m);",
    "null": "auto v = zeros<float, 256>();\nfor (int s = 0; s < 3; ++s) {\n  if (in[s]) v += load(in[s] + i, m);\n}\nstore(out[k] + i, v, m);",
    "choice": "const float* p = n > 300 ? in[0] : in[1];\nstore(out[k] + i, load(p + i, m), m);",
    "swap": "const float* p = in[0];\nconst float* q = in[1];\nauto v = zeros<float, 256>();\nfor (int s = 0; s < 3; ++s) {\n  v = v * 2 + load(p + i, m);\n  auto t = p;\n  p = q;\n  q = t;\n}\nstore(out[k] + i, v, m);",
    "in_branch": "if (k == 0) {\n  float* q = out[0];\n  store(q + i, load(in[1] + i, m), m);\n} else {\n  store(out[1] + i, load(in[0] + i, m) * 3, m);\n}",
    "lambda": "auto at = [&](int s) { return load(in[s] + i, m); };\nstore(out[k] + i, at(0) - at(1), m);",
    "helper": "store(out[k] + i, total_@(in, 2, i, m), m);",
    "reduced": "auto v = load(in[k] + i, m);\nstore(out[k] + i, v - max(v), m);",
}
HELPER = """template <class I, class M>
__tile__ auto total_@(const float* const* p, int count, I i, M m) {
  auto v = zeros<float, 256>();
  for (int s = 0; s < count; ++s) v += load(p[s] + i, m);
  return v;
}
"""


def vectors(table, prefix=""):
    for name, body in BODIES.items():
        for restrict in (False, True):
            whole = f"{prefix}pointers_{name}" + "_restrict" * restrict
            arrays = BOTH.replace("{x, w}", "{x, w, nullptr}") if name == "null" else BOTH
            table.add(whole, VECTOR, (HEAD + body).replace("@", whole), ragged(256), warps=warps_of(whole),
                      helpers=HELPER.replace("@", whole) if name == "helper" else "",
                      signature=RESTRICT if restrict else SIGNATURE, call=arrays)
    table.add(f"{prefix}pointers_aligned", VECTOR,
              HEAD + "auto p = assume_aligned<16>(in[k]);\nauto q = assume_aligned<16>(out[k]);\nstore(q + i, load(p + i, m) + 1, m);",
              [{**run, "shift": 0} for run in ragged(256)], signature=SIGNATURE, call=BOTH)
    # What is stored through one pointer is read through another.
    for name, body in {
        "tile": "store(out[0] + i, load(in[0] + i, i < n), i < n);\nauto j = n - 1 - i;\nstore(out[2] + i, load(in[2] + j, i < n) * 2, i < n);",
        "scalar": "store(out[0] + i, load(in[0] + i, i < n) + 1, i < n);\nif (n > 3) out[1][3] = in[2][2] + in[2][0];",
        "loop": "store(out[0] + i, load(in[0] + i, i < n), i < n);\nfor (int s = 0; s < 3; ++s) {\n  auto v = load(in[2] + n - 1 - i, i < n);\n  store(out[0] + i, v + s, i < n);\n}",
    }.items():
        table.add(f"{prefix}pointers_again_{name}", "const float* x = small(n + 1)\nfloat* y = out(n + 1)\nfloat* z = out(n + 1)\nint n",
                  "grid(1);\nauto i = arange<128>();\n" + body, [{"n": n} for n in (128, 100, 7, 1, 0)], warps=warps_of(name, 2),
                  signature="const float* const* in, float* const* out, int n",
                  call=f"{INS.format('x, x, y')}, {OUTS.format('y, z, z')}, n")
    table.add(f"{prefix}pointers_atomic", "const int* x = small(n + 1)\nint* y = zero(1)\nint* z = zero(1)\nint n",
              "auto [b, k] = grid(cdiv(n, 64), 2);\nauto i = b * 64 + arange<64>();\natomic_add(out[k], sum(load(in[k] + i, i < n)));",
              ragged(64), signature="const int* const* in, int* const* out, int n",
              call="emulate_test::PointerArray<const int>{x, x}.data(), emulate_test::PointerArray<int>{y, z}.data(), n")
    for t in ("int8_t", "double", "float16", "int64_t"):
        table.add(f"{prefix}pointers_of_{t}", f"const {t}* x = small(n + 1)\n{t}* y = out(n + 1)\nint n",
                  "auto i = grid(cdiv(n, 64)) * 64 + arange<64>();\nstore(out[0] + i, load(in[0] + i, i < n), i < n);", ragged(64),
                  signature=f"const {t}* const* in, {t}** out, int n", warps=warps_of(t),
                  call=f"emulate_test::PointerArray<const {t}>{{x}}.data(), const_cast<{t}**>(emulate_test::PointerArray<{t}>{{y}}.data()), n")


A = "load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0)"
B = "load(b + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0)"


def grouped(table, name, align=""):
    """A product for each pair of matrices, of one size."""
    pointer = (lambda p: f"assume_aligned<16>({p})") if align else (lambda p: p)
    table.add(name, "const float16* x = small(M * K + 1)\nconst float16* v = small(K * N + 1)\nconst float16* w = small(K * N + 1)\n"
              "float* y = out(M * N + 1)\nfloat* z = out(M * N + 1)\nint M\nint N\nint K", f"""
              auto [pm, pn, g] = grid(cdiv(M, 64), cdiv(N, 64), 2);
              const float16* a = {pointer('as[g]')};
              const float16* b = {pointer('bs[g]')};
              auto i = pm * 64 + arange<64>();
              auto j = pn * 64 + arange<64>();
              auto acc = zeros<float, 64, 64>();
              for (int k0 = 0; k0 < K; k0 += 32) {{
                auto k = k0 + arange<32>();
                acc = dot({A}, {B}, acc);
              }}
              store(ys[g] + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
              """, [{"M": m, "N": n, "K": k, **({"shift": 0} if align else {})} for m, n, k in ((64, 64, 128), (72, 40, 72), (37, 50, 41), (1, 1, 8))],
              warps=(4,), signature="const float16* const* as, const float16* const* bs, float* const* ys, int M, int N, int K",
              call="emulate_test::PointerArray<const float16>{x, x}.data(), emulate_test::PointerArray<const float16>{v, w}.data(), "
              f"{OUTS.format('y, z')}, M, N, K")


def make(*flags, prefix=""):
    table = Table(*flags, checks_overflow=True)
    vectors(table, prefix)
    grouped(table, f"{prefix}pointers_grouped")
    grouped(table, f"{prefix}pointers_grouped_aligned", align="16")
    return table


table = make()
