"""Texts that access memory or return nothing: they run once for each element, or once in a program."""

import math

from case import Table, warps_of

table = Table()
SIZES = [{"n": n} for n in (1, 95, 96, 200)]


def add(name, parameters, body, runs, **options):
    options.setdefault("warps", warps_of(name, 3))
    table.add(name, parameters, body, runs, **options)


ADD = "[](float* p, float v, bool m) { if (m) *p += v; }"
for size in (1, 3, 32, 96, 512):
    add(
        f"cuda_effect_{size}",
        "const float* in = small(n + 1)\nfloat* out = small(n + 1)\nint n",
        f"""
        auto i = grid(cdiv(n, {size})) * {size} + arange<{size}>();
        cuda("if (m) *p += v;", {ADD}, writes(out + i), load(in + i, i < n, 0), i < n);
        """,
        SIZES,
        warps=(1, 4),
    )

add(
    "cuda_effect_order",
    "const float* in = small(256)\nfloat* out = out(256)\nint n",
    """
    grid(1);
    auto i = arange<256>();
    auto set = [](float* p, float v) { *p = v; };
    store(out + i, load(in + i));
    // Each text reads what other threads have stored, and stores where they read.
    auto next = cuda("return *p;", [](const float* p) { return *p; }, reads(out + (i + 77) % 256));
    cuda("*p = v;", set, writes(out + i), next + 1);
    for (int k = 0; k < n % 7; ++k) {
      auto other = load(out + (i ^ 33));
      cuda("*p = v;", set, writes(out + i), other * 0.5f + k);
      if (k % 2) cuda("*q += p[i];", [](const float* p, float* q, int i) { *q += p[i]; }, reads(in), writes(out + 255 - i), i);
    }
    store(out + i, load(out + 255 - i) * 2);
    """,
    [{"n": n} for n in (1, 4, 9)],
    warps=(1, 4, 8),
)

add(
    "cuda_effect_scalars",
    "const int* in = small(4)\nint* out = zero(64)\nint n",
    """
    auto row = grid(3);
    auto total = cuda("int old = *p; *p = old + k; return old;", [](int* p, int k) { int old = *p; *p = old + k; return old; }, writes(out + row), n);
    cuda("q[0] = p[0] + t;", [](const int* p, int* q, int t) { q[0] = p[0] + t; }, reads(in), writes(out + 3 + row), total);
    for (int k = 0; k < n % 5; ++k) {
      total += cuda("return p[k];", [](const int* p, int k) { return p[k]; }, reads(in), k % 4);
      if (total > 3) cuda("*p = k;", [](int* p, int k) { *p = k; }, writes(out + 6 + row), total);
    }
    auto [x, y] = std::pair(total, total * 2);
    cuda("(void)a; (void)b;", [](int a, int8_t b) {}, x, y);
    cuda("(void)a;", [](int a) {}, arange<64>() + x);
    out[9 + row] = total + sum(arange<32>() * total);
    """,
    [{"n": n} for n in (1, 4, 9, 13)],
    warps=(1, 4),
    helpers="#include <utility>\n",
)

add(
    "cuda_effect_shapes",
    "const float* in = small(8 * 24)\nfloat* out = out(8 * 24)\nint n",
    """
    grid(1);
    auto r = arange<8>()[all, none];
    auto c = arange<24>()[none, all];
    auto x = cuda("return p[column] * f;", [](const float* p, int column, float f) { return p[column] * f; }, reads(in + r * 24), c, float(n));
    auto row = cuda("return *p;", [](const float* p) { return *p; }, reads(in + arange<24>()));
    auto bits = cuda("return *p > 0;", [](const float* p) { return *p > 0; }, reads(in + arange<8>() * 24));
    cuda("*p = v;", [](float* p, double v) { *p = float(v); }, writes(out + r * 24 + c), trans(trans(x)) + sum(row) + cumsum<0>(row));
    cuda("if (b) *p += 1;", [](float* p, bool b) { if (b) *p += 1; }, writes(out + arange<8>() * 24 + 3), bits);
    """,
    [{"n": n} for n in (1, 3)],
    warps=(1, 4, 8),
)

# ---- the same with shapes that are smaller than a warp, of each rank, in branches and loops
COUNT = "[](int* p, int k) { *p += k; }"
for shape in ((1,), (1, 1), (7,), (2, 16), (1, 3, 5), (4, 1, 8), (3, 5, 7), (16, 4, 8)):
    size = math.prod(shape)
    views = []
    for axis, extent in enumerate(shape):
        index = ", ".join("all" if d == axis else "none" for d in range(len(shape)))
        stride = math.prod(shape[axis + 1 :])
        views.append(f"arange<{extent}>()[{index}] * {stride}")
    add(
        f"cuda_effect_of_{'x'.join(map(str, shape))}",
        f"int* out = small(4 * {size})\nint* programs = zero(4)\nint n",
        f"""
        auto row = grid(4);
        auto i = {" + ".join(views)};
        auto p = out + row * {size} + i;
        // Each element once, also where several threads have it.
        auto old = cuda("return atomicAdd(p, k);", [](int* p, int k) {{ int was = *p; *p += k; return was; }}, writes(p), i + n);
        for (int step = 0; step < n % 4; ++step) {{
          if (step % 2 == row % 2) cuda("atomicAdd(p, k);", {COUNT}, writes(p), old % 5 + step);
          else cuda("atomicAdd(p, k);", {COUNT}, writes(programs + row), step + 1);
        }}
        cuda("if (m) *p = k;", [](int* p, int k, bool m) {{ if (m) *p = k; }}, writes(p), load(p) * 2, i % 3 == 0);
        store(p, load(p) + old);
        """,
        [{"n": n} for n in (1, 6, 7)],
        warps=(1, 2, 8),
    )

# The masks stay in a branch, the loop ends early, and a scalar result is a bound.
add(
    "cuda_effect_control",
    "const int* in = below(n, 9)\nint* out = zero(n)\nint* count = zero(3)\nint n",
    """
    auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
    auto v = load(in + i, i < n, 0);
    auto take = [](int* p, int k) { int was = *p; *p = was + k; return was; };
    int taken = 0;
    while (taken < 5) {
      auto was = cuda("return atomicAdd(p, k);", take, writes(count + program_id(0) % 3), sum(v) % 3 + 1);
      taken += was + 1;
      if (max(v) == 3) break;
      v = where(v > was, v - 1, v);
    }
    if (any(v > 2)) {
      cuda("if (m) *p = v;", [](int* p, int v, bool m) { if (m) *p = v; }, writes(out + i), v + taken, i < n);
      return;
    }
    store(out + i, v - 1, i < n);
    """,
    [{"n": n} for n in (1, 64)],
    warps=(1, 4),
)

# An operand that a dot computes, and loads of the dot that stay ordered.
add(
    "cuda_effect_dot",
    "const float16* a = small(64 * 64)\nconst float16* b = small(64 * 64)\nfloat* out = small(64 * 64, 1e-3, 1e-3)\nint n",
    """
    grid(1);
    auto r = arange<64>()[all, none];
    auto c = arange<64>()[none, all];
    auto acc = zeros<float, 64, 64>();
    for (int k = 0; k < n; k += 16) {
      auto kk = arange<16>() + k;
      acc = dot(load(a + r * 64 + kk[none, all]), load(b + kk[all, none] * 64 + c), acc);
      if (k == 16) cuda("*p += v;", [](float* p, float v) { *p += v; }, writes(out + r * 64 + c), acc);
    }
    cuda("*p += v;", [](float* p, float v) { *p += v; }, writes(out + r * 64 + c), acc);
    """,
    [{"n": n} for n in (16, 64)],
    warps=(4,),
)

# A bool result and operand, and elements of 1, 2 and 8 bytes.
add(
    "cuda_effect_types",
    "const float16* halves = small(n)\nfloat16* out = out(n)\ndouble* wide = zero(n)\nbool* seen = zero(n)\nint8_t* bytes = zero(n)\nint n",
    """
    auto row = grid(n);
    auto take = [](bool* p, bool q) { bool was = *p; *p = q; return !was; };
    bool first = cuda("bool was = *p; *p = q; return !was;", take, writes(seen + row), row % 2 == 0);
    bool again = cuda("bool was = *p; *p = q; return !was;", take, writes(seen + row), first);
    if (again) cuda("*p = v;", [](float16* p, float16 v) { *p = v; }, writes(out + row), load(halves + row));
    else cuda("*p = k;", [](double* p, int8_t k) { *p = k; }, writes(wide + row), n);
    auto half = cuda("return *p;", [](const float16* p) { return *p; }, reads(halves + row));
    cuda("*p = v;", [](int8_t* p, int8_t v) { *p = v; }, writes(bytes + row), int(half) + again);
    """,
    [{"n": n} for n in (1, 6)],
    warps=(1, 4),
)
