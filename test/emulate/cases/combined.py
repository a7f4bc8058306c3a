"""Newer features together: loops that count down or in their condition, extract and insert, sorts, atomics, structs, tables, null pointers."""

from case import Table, warps_of


def sized(table, prefix, name, sizes, parameters, body, runs, helpers="", **options):
    """A case for each size N of its tiles; `@` is the case's name."""
    for size in sizes:
        whole = f"{prefix}combined_{name}_{size}"
        fill = lambda text: text.replace("@", whole).replace("$N", str(size))  # noqa: E731
        given = {key: fill(text) if isinstance(text, str) else text for key, text in options.items()}
        table.add(whole, fill(parameters), fill(body), runs, helpers=fill(helpers), warps=given.pop("warps", None) or warps_of(whole, 2), **given)


def parts(table, prefix):
    """extract and insert with indices of loops."""
    runs = [{"n": n} for n in (0, 1, 2, 5, 9)]
    sized(table, prefix, "ring", (1, 3, 32, 100), "const float* x = small(9 * $N)\nfloat* y = out($N)\nfloat* z = out(4 * $N)\nint n", """
        grid(1);
        auto j = arange<$N>();
        auto ring = zeros<float, 4, $N>();
        auto total = zeros<float, $N>();
        int k = n;
        while (k-- > 0) {
          ring = insert(ring, load(x + k * $N + j)[none, all], k % 4, 0);
          total = total * 2 + reshape<$N>(extract<1, $N>(ring, (k + 1) & 3, 0));
        }
        store(y + j, total);
        store(z + arange<4>()[all, none] * $N + j[none, all], ring);
        """, runs)
    sized(table, prefix, "insertion_sort", (1, 2, 7, 64), "const int* x = small($N)\nint* y = out($N)\nint* z = out($N)\nint n", """
        grid(1);
        auto i = arange<$N>();
        auto v = full<int, $N>(1000);
        for (int k = 0; k < n && k < $N; ++k) {
          const int now = x[k];
          int at = k;
          while (at > 0 && extract(v, at - 1) > now) {
            v = insert(v, extract(v, at - 1), at);
            --at;
          }
          v = insert(v, now, at);
        }
        store(y + i, v);
        store(z + i, sort(load(x + i, i < n, 1000)));
        """, [{"n": n} for n in (0, 1, 6, 64)])
    sized(table, prefix, "convolution", (1, 5, 16, 96), "const float16* x = small($N + 7)\nconst float* w = small(7)\nfloat* y = out($N)\nint n", """
        grid(1);
        auto v = load(x + arange<$N + 7>());
        auto taps = load(w + arange<7>());
        auto total = zeros<float, $N>();
        for (int k = n; k-- > 0;) total += cast<float>(extract<$N>(v, k)) * extract(taps, 6 - k);
        store(y + arange<$N>(), total);
        """, [{"n": n} for n in (0, 1, 4, 7)])
    sized(table, prefix, "columns", (16, 8, 24), "const float16* x = small(16 * $N)\nfloat16* y = out(16 * $N)\nfloat* z = out(256)\nint n", """
        grid(1);
        auto m = zeros<float16, 16, $N>();
        int k = n - 1;
        while (k >= 0) {
          m = insert(m, load(x + k * 16 + arange<16>())[all, none], 0, k);
          k -= 1;
        }
        store(y + arange<16>()[all, none] * $N + arange<$N>()[none, all], m);
        store(z + arange<16>()[all, none] * 16 + arange<16>()[none, all], dot(m, trans(m)));
        """, [{"n": n} for n in (0, 1, 8)])
    for type_ in ("int8_t", "uint8_t", "bfloat16", "double", "bool"):
        sized(table, prefix, f"corner_{type_}", (1, 5), f"const {type_}* x = small(210)\n{type_}* y = out(210)\n{type_}* z = out(10)\nint n", """
        grid(1);
        auto at = iota<0, 5, 6, 7>() * 42 + iota<1, 5, 6, 7>() * 7 + iota<2, 5, 6, 7>();
        auto v = load(x + at);
        int a = 0;
        do {
          v = insert(v, extract<2, $N, 1>(v, a, n % (7 - $N), n), 3 - a, (n + a) % (7 - $N), 6 - n);
          v = insert(v, extract(v, a, n, n + 1), 4, 5 - n, n);
        } while (++a < 3);
        store(y + at, v);
        store(z + arange<2>()[all, none] * 5 + arange<$N>()[none, all], reshape<2, $N>(extract<2, $N, 1>(v, n % 3, n % (7 - $N), 3)));
        """, [{"n": n} for n in (0, 2, 5)])


SEARCH = """
        auto i = grid(cdiv(n, $N)) * $N + arange<$N>();
        auto keys = sort(load(x + arange<32>()));
        auto wanted = load(q + i, i < n);
        auto low = zeros<int, $N>();
        auto high = full<int, $N>(32);
        int steps = 6;
        while (steps-- > 0) {
          auto middle = minimum((low + high) / 2, 31);
          auto less = gather(keys, middle) < wanted;
          auto open = low < high;
          low = where(open & less, middle + 1, low);
          high = where(open & !less, middle, high);
        }
        store(y + i, low, i < n);
"""
RADIX = """
        grid(1);
        auto i = arange<$N>();
        auto v = load(x + i, i < n, 255) & 255;
        for (int b = 0; b < 8; ++b) {
          auto zero = cast<int>((v >> b & 1) == 0);
          auto before = cumsum(zero) - zero;
          auto at = where(zero == 1, before, sum(zero) + i - before);
          v = scatter<0>(v, at, v);
        }
        store(y + i, v);
        store(z + i, v - sort(load(x + i, i < n, 255) & 255));
"""
COMPACT = """
        auto pid = grid(2);
        auto i = arange<$N>();
        auto v = load(x + pid * $N + i, i < n, -1);
        auto kept = v > 0;
        auto at = cumsum(cast<int>(kept)) - 1;
        auto packed = scatter<0>(zeros<int, $N>(), maximum(at, 0), v, kept);
        const int count = sum(cast<int>(kept));
        const int start = atomic_add(starts + pid, count);
        int k = count;
        while (--k >= 0) y[pid * $N + start + count - 1 - k] = extract(packed, k);
        atomic_max(most, count);
        atomic_add(bins + sort(packed & 7), 1, i < count, memory_order::relaxed);
"""
LAST = """
        auto pid = grid(programs);
        auto i = arange<$N>();
        auto v = sort(load(x + pid * $N + i, i < n, 100), descending);
        store(rows + pid * $N + i, v);
        if (atomic_add(count, 1) == programs - 1) {
          auto best = full<int, $N>(-1000);
          for (int k = programs; k-- > 0;) {
            auto [both, from] = topk<$N>(cat(best, load(rows + k * $N + i)));
            best = both;
          }
          store(y + i, best);
          *count = 0;
        }
"""


def orders(table, prefix):
    """Sorts, searches and compaction, with atomics."""
    sized(table, prefix, "search", (1, 6, 64), "const int* x = small(32)\nconst int* q = small(n + 1)\nint* y = out(n + 1)\nint n", SEARCH,
          [{"n": n} for n in (130, 64, 5, 0)])
    sized(table, prefix, "radix", (1, 4, 64, 256), "const int* x = below($N, 1000)\nint* y = out($N)\nint* z = out($N)\nint n", RADIX,
          [{"n": n} for n in (256, 63, 3, 0)])
    sized(table, prefix, "compact", (1, 16, 37, 128), "const int* x = small(2 * $N)\nint* y = zero(2 * $N)\nint* starts = zero(2)\nint* most = zero(1)\nint* bins = zero(8)\nint n",
          COMPACT, [{"n": n} for n in (128, 20, 1, 0)])
    sized(table, prefix, "last", (1, 2, 8, 64), "const int* x = small(4 * $N)\nint* rows = out(4 * $N)\nint* count = zero(1)\nint* y = out($N)\nint programs\nint n",
          LAST, [{"programs": p, "n": n} for p, n in ((4, 64), (3, 5), (1, 1), (0, 1))])
    sized(table, prefix, "locked", (1, 24, 32), "const int* x = small(5 * $N)\nint* y = zero($N)\nint* lock = zero(1)\nint n", """
        auto pid = grid(n);
        auto i = arange<$N>();
        auto v = load(x + pid * $N + i);
        while (atomic_cas(lock, 0, 1, memory_order::acquire) != 0) {
        }
        auto row = load(y + i);
        row = insert(row, extract(row, int(pid) * 7 % $N) + extract(v, $N - 1), int(pid) * 7 % $N);
        store(y + i, row + v);
        atomic_store(lock, 0);
        """, [{"n": n} for n in (5, 1, 0)])
    sized(table, prefix, "queue", (1, 16, 40), "const int* x = small(9 * $N)\nint* y = out(9 * $N)\nint* next = zero(1)\nint* sums = zero(3)\nint n", """
        grid(3);
        int item;
        while ((item = atomic_add(next, 1, memory_order::relaxed)) < n) {
          auto p = item * $N + arange<$N>();
          auto v = argsort(load(x + p), descending);
          store(y + p, v);
          atomic_add(sums + item % 3, extract(v, item % $N), memory_order::relaxed);
        }
        """, [{"n": n} for n in (9, 4, 0)])


STRUCTS = """struct @_size { int rows, columns; int64_t strides[2]; };
struct @_all {
  const float* const* ins;
  const float* __restrict__ bias = nullptr;
  float* out;
  float* __restrict__ total = nullptr;
  @_size size = {};
  __tile__ auto at(int64_t row) const { return row * size.strides[0] + arange<$N>() * size.strides[1]; }
  __tile__ auto inside() const { return arange<$N>() < size.columns; }
};
"""
ALL = "@_all{emulate_test::PointerArray<const float>{a, nullptr, b}.data(), bias, out, total, @_size{rows, columns, {$N, 1}}}"
STEPS = """struct @_step { int first, count; float by; };
constexpr @_step @_steps[4] = {{0, 3, 1}, {3, 0, 2}, {1, 5, -1}, {2, 1, 4}};
constexpr int @_order[2][4] = {{3, 0, 2, 1}, {0, 1, 2, 3}};
"""


def structs(table, prefix):
    """Structs with arrays of pointers that may be null, and loops over tables."""
    sized(table, prefix, "arrays", (1, 12, 64), "const float* a = small(4 * $N)\nconst float* b = small(4 * $N)\nconst float* bias = small($N)\n"
          "float* out = out(4 * $N)\nfloat* total = zero(1)\nint rows\nint columns", """
        auto row = grid(p.size.rows);
        auto m = p.inside();
        auto v = zeros<float, $N>();
        int k = 3;
        while (k-- > 0) {
          const float* in = p.ins[k];
          if (in) v = v * 2 + load(in + p.at(row), m);
        }
        if (p.bias) v = insert(sort(v + load(p.bias + arange<$N>(), m)), p.bias[0], int(row) % $N);
        store(p.out + p.at(row), v, m);
        if (p.total != nullptr) atomic_add(p.total, sum(where(m, v, 0)));
        """, [{"rows": r, "columns": c, "null": null} for r, c in ((4, 64), (3, 11), (1, 1), (0, 5)) for null in ((), ("bias",), ("bias", "total"), ("a",))],
        STRUCTS, signature="@_all p", call=ALL)
    sized(table, prefix, "steps", (1, 20, 64), "const float* x = small(8 * $N)\nfloat* y = out(2 * $N)\nint n", """
        auto pid = grid(2);
        auto i = arange<$N>();
        auto v = zeros<float, $N>();
        int s = n;
        while (s > 0) {
          --s;
          const int which = @_order[pid][s];
          auto step = @_steps[which];
          for (int k = step.first + step.count; k-- > step.first;) v += load(x + k * $N + i) * step.by;
          if (@_steps[load(@_order[1] + s)].count == 0) v = insert(v, step.by, which % $N);
        }
        store(y + pid * $N + i, flip(v));
        """, [{"n": n} for n in (0, 1, 3, 4)], STEPS)
    sized(table, prefix, "routes", (4, 8, 32), "const float* x = below(5 * $N, 9)\nconst float* bias = small($N)\nint* chosen = out(5 * 2)\nfloat* weights = out(5 * 2)\nint* counts = zero($N)\nint n", """
        auto row = grid(p.rows);
        auto i = arange<$N>();
        auto v = load(p.logits + row * $N + i);
        if (p.bias) v += load(p.bias + i);
        auto [best, experts] = topk<2>(v);
        store(p.chosen + row * 2 + arange<2>(), experts);
        store(p.weights + row * 2 + arange<2>(), best - extract(best, 1));
        auto used = scatter_add<0>(zeros<int, $N>(), experts, full<int, 2>(1));
        atomic_add(p.counts + i, used, used > 0, memory_order::relaxed);
        """, [{"n": n, "null": null} for n in (5, 1, 0) for null in ((), ("bias",))],
        "struct @_p { const float* __restrict__ logits; const float* bias; int* chosen; float* weights; int* counts; int rows; };\n",
        signature="const @_p p", call="@_p{x, bias, chosen, weights, counts, n}")


PRODUCT = """
        auto [pm, g] = grid(cdiv(p.M, 64), 2);
        auto i = pm * 64 + arange<64>();
        auto j = arange<$N>();
        const float16* b = p.bs[g];
        auto acc = zeros<float, 64, $N>();
        HEAD
          auto k = s * 32 + arange<32>();
          auto left = load(p.a + i[all, none] * p.K + k[none, all], (i[all, none] < p.M) & (k[none, all] < p.K));
          acc = dot(left, load(b + k[all, none] * $N + j[none, all], k[all, none] < p.K), acc);
        TAIL
        if (p.scale) acc *= load(p.scale + i, i < p.M)[all, none];
        auto corner = extract<16, 8>(acc, int(g) * 16, 0);
        acc = insert(acc, corner * 2, 48 - int(g) * 16, $N - 8);
        store(p.out + g * p.M * $N + i[all, none] * $N + j[none, all], acc, i[all, none] < p.M);
        atomic_max(p.best + g, max(where(i[all, none] < p.M, acc, -1000.0f)));
"""
LOOPS = {
    "down": ("for (int s = cdiv(p.K, 32); s-- > 0;) {", "}"),
    "while": ("int s = cdiv(p.K, 32) - 1;\nwhile (s >= 0) {", "--s;\n}"),
    "condition": ("int s = cdiv(p.K, 32);\nwhile (s-- > 0) {", "}"),
    "ahead": ("int s = -1;\nwhile (++s < cdiv(p.K, 32)) {", "}"),
}
CHAIN = """
        auto pid = grid(cdiv(n, 64));
        auto i = pid * 64 + arange<64>();
        auto d = arange<32>();
        auto q = load(x + i[all, none] * 32 + d[none, all], i[all, none] < n);
        auto acc = zeros<float, 64, 32>();
        auto most = full<float, 64>(-1000);
        int s = cdiv(n, $N);
        while (s-- > 0) {
          auto j = s * $N + arange<$N>();
          auto kv = load(x + j[all, none] * 32 + d[none, all], j[all, none] < n);
          auto scores = where(j[none, all] <= i[all, none], dot(q, trans(kv)), -1000);
          most = maximum(most, max<1>(scores));
          auto near = where(scores >= most[all, none] - 2, 1.0f, 0.0f);
          acc = dot(cast<float16>(near), kv, acc);
        }
        store(y + i[all, none] * 32 + d[none, all], acc + most[all, none], i[all, none] < n);
"""


def products(table, prefix):
    """Dots in loops that count down or in their condition, with structs and parts of the accumulators."""
    for name, (head, tail) in LOOPS.items():
        sized(table, prefix, f"product_{name}", (16, 64), "const float16* a = small(M * K + 1)\nconst float16* b = small(K * $N + 1)\nconst float16* c = small(K * $N + 1)\n"
              "const float* scale = small(M + 1)\nfloat* out = out(2 * M * $N + 1)\nfloat* best = zero(2)\nint M\nint K", PRODUCT.replace("HEAD", head).replace("TAIL", tail),
              [{"M": m, "K": k, "null": null} for m, k in ((128, 128), (70, 72), (1, 8), (64, 0)) for null in ((), ("scale",))],
              "struct @_p { const float16* __restrict__ a; const float16* const* bs; const float* __restrict__ scale; float* __restrict__ out; float* best; int M, K; };\n",
              signature="@_p p", call="@_p{a, emulate_test::PointerArray<const float16>{b, c}.data(), scale, out, best, M, K}", warps=(4,))
    sized(table, prefix, "chain", (16, 64), "const float16* x = small(n * 32 + 1)\nfloat* y = out(n * 32 + 1)\nint n", CHAIN, [{"n": n} for n in (128, 100, 17, 0)], warps=(4,))


def make(*flags, prefix="", **defaults):
    table = Table(*flags, checks_overflow=True, **defaults)
    if "--arch=sm_90a" not in flags:
        parts(table, prefix)
        orders(table, prefix)
        structs(table, prefix)
    products(table, prefix)
    return table


table = make()
