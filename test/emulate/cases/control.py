"""Control flow on scalars with tiles inside."""

from case import WARPS, Table, warps_of

table = Table()
TRIPS = [{"n": n} for n in (5, 1, 0, 2, 9)]


def add(name, parameters, body, runs, **options):
    options.setdefault("warps", WARPS if len(name) % 3 == 0 else warps_of(name, 3))
    table.add(name, parameters, body, runs, **options)


HEAD = "const float* in = small(96 * n + 104)\nfloat* out = out(96)\n"


def loops():
    add(
        "loop_up",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nfor (int k = 0; k < n; ++k) acc += load(in + k * 96 + i);\nstore(out + i, acc);",
        TRIPS,
    )
    add(
        "loop_down",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nfor (int k = n - 1; k >= 0; --k) acc = acc * 2 + load(in + k * 96 + i) % 5;\nstore(out + i, acc);".replace(
            " % 5", ""
        ),
        TRIPS,
    )
    add(
        "loop_step",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nfor (int k = 0; k < n; k += 3) acc += load(in + k * 96 + i) * k;\nstore(out + i, acc);",
        TRIPS,
    )
    add(
        "range_up",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nfor (auto k : range(1, n, 2)) acc += load(in + k * 96 + i) + k;\nstore(out + i, acc);",
        TRIPS,
    )
    add(
        "range_down",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nfor (auto k : range(n - 1, -1, -2, {.num_stages = 3})) acc = acc * 2 + load(in + k * 96 + i);\nstore(out + i, acc);",
        TRIPS,
    )
    add(
        "range_unroll",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nfor (auto k : range(0, n, 1, {.num_stages = 2, .unroll = 4})) acc += load(in + k * 96 + i);\nstore(out + i, acc);",
        TRIPS,
    )
    add(
        "range_static",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nfor (auto k : static_range<0, 6, 2>()) acc += load(in + i + k) * (k + n);\nstore(out + i, acc);",
        TRIPS,
    )
    add(
        "for_static",
        HEAD + "int n",
        "grid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\nstatic_for<3>([&](auto j) { acc += load(in + i) * (j + n); });\nstore(out + i, acc);",
        TRIPS,
    )
    add(
        "loop_nested",
        "const float* in = small(96 * 9 * 4)\nfloat* out = out(96)\nint* count = out(1)\nint n",
        """
        grid(1);
        auto i = arange<96>();
        auto acc = zeros<float, 96>();
        int steps = 0;
        for (int k = 0; k < n; ++k) {
          auto part = zeros<float, 96>();
          for (int j = k; j < 4; ++j) {
            part += load(in + (k * 4 + j) * 96 + i);
            ++steps;
          }
          acc = acc + part * (k + 1);
        }
        store(out + i, acc);
        store(count, steps);
        """,
        TRIPS,
    )
    add(
        "loop_swap",
        "const float* a = small(64)\nconst float* b = small(64)\nfloat* x_out = out(64)\nfloat* y_out = out(64)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto x = load(a + i);
        auto y = load(b + i);
        float s = 0, t = 1;
        for (int k = 0; k < n; ++k) {
          auto z = x;
          x = y;
          y = z + s;
          float u = s;
          s = t;
          t = u + t;
        }
        store(x_out + i, x + s);
        store(y_out + i, y * t);
        """,
        TRIPS,
        warps=WARPS,
    )
    add(
        "while_data",
        "const float* in = positive(64 * 32)\nfloat* out = out(64)\nint* steps = out(1)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto acc = zeros<float, 64>();
        int k = 0;
        while (sum(acc) < 500.0f * n && k < 32) {
          acc += load(in + k * 64 + i);
          ++k;
        }
        store(out + i, acc);
        store(steps, k);
        """,
        TRIPS,
        warps=WARPS,
    )
    add(
        "do_while",
        "const float* in = small(64 * 16)\nfloat* out = out(64)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto acc = zeros<float, 64>();
        int k = 0;
        do {
          acc += load(in + k * 64 + i);
          ++k;
        } while (k < n);
        store(out + i, acc);
        """,
        TRIPS,
    )
    add(
        "break_continue",
        "const float* in = small(64 * 16)\nfloat* out = out(64)\nint* last = out(1)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto acc = zeros<float, 64>();
        int k = 0;
        for (; k < 16; ++k) {
          if (k == n) break;
          if (k % 2 == 1) continue;
          acc += load(in + k * 64 + i);
        }
        store(out + i, acc);
        store(last, k);
        """,
        TRIPS,
    )
    add(
        "break_on_tile",
        "const float* in = small(64 * 16)\nfloat* out = out(64)\nint* last = out(1)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto acc = zeros<float, 64>();
        int at = -1;
        for (int k = 0; k < 16; ++k) {
          acc += load(in + k * 64 + i);
          if (max(acc) > 2.0f * n) {
            at = k;
            break;
          }
        }
        store(out + i, acc);
        store(last, at);
        """,
        TRIPS,
        warps=WARPS,
    )
    add(
        "loop_layouts",
        "const float* in = small(32 * 32)\nfloat* out = out(32 * 32)\nint n",
        """
        grid(1);
        auto at = arange<32>()[all, none] * 32 + arange<32>()[none, all];
        auto x = load(in + at);
        for (int k = 0; k < n; ++k) x = trans(x) + k;
        store(out + at, x);
        """,
        TRIPS,
        warps=WARPS,
    )


def branches():
    add(
        "if_tiles",
        "const float* in = small(96)\nfloat* out = out(96)\nint n",
        """
        grid(1);
        auto i = arange<96>();
        auto x = load(in + i);
        auto y = x;
        if (n > 1) {
          y = x * 2;
        } else if (n == 1) {
          y = x - max(x);
        } else {
          y = zeros_like(x) + n;
        }
        store(out + i, y);
        """,
        TRIPS,
        warps=WARPS,
    )
    add(
        "if_reduction",
        "const float* in = small(96 * 4)\nfloat* out = out(96 * 4)\nint n",
        """
        auto row = grid(4);
        auto i = arange<96>();
        auto x = load(in + row * 96 + i);
        if (sum(x) > n) {
          store(out + row * 96 + i, cumsum(x));
        } else {
          store(out + row * 96 + i, x + argmax(x));
        }
        """,
        TRIPS,
        warps=WARPS,
    )
    add(
        "early_return",
        "const float* in = small(96 * 4)\nfloat* out = out(96 * 4)\nint n",
        """
        auto row = grid(4);
        auto i = arange<96>();
        if (row >= n) return;
        auto x = load(in + row * 96 + i);
        if (max(x) < 5) {
          store(out + row * 96 + i, x);
          return;
        }
        store(out + row * 96 + i, x / 2);
        """,
        TRIPS,
    )
    add(
        "switch_case",
        "const float* in = small(64)\nfloat* out = out(64)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto x = load(in + i);
        switch (n) {
          case 0:
            x = x + 1;
            break;
          case 1:
          case 2:
            x = x * 3;
            break;
          case 5:
            x = x - max(x);
            break;
          default:
            x = zeros_like(x);
        }
        store(out + i, x);
        """,
        TRIPS,
    )
    add(
        "switch_case_left",  # a case that a brace or both sides of an `if` leave
        "const float* in = small(64)\nfloat* out = out(64)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto x = load(in + i);
        for (int k = 0; k < n + 1; ++k) {
          switch (k) {
            case 0: {
              x = x + 1;
              { continue; }
            }
            case 1:
              if (n > 4) {
                store(out + i, x);
                return;
              } else {
                x = x * 2;
                continue;
              }
            default:
              x = x - 1;
          }
          x = x * 3;
        }
        store(out + i, x);
        """,
        TRIPS,
    )
    add(
        "if_pointer",
        "const float* a = small(64)\nconst float* b = small(64)\nfloat* out = out(64)\nint n",
        """
        grid(1);
        auto p = a;
        if (n % 2 == 1) p = b;
        auto i = arange<64>();
        store(out + i, load(p + i) + load((n > 1 ? a : b) + i));
        """,
        TRIPS,
    )
    add(
        "where_pointers",
        "const float* a = small(64)\nconst float* b = small(64)\nfloat* out = out(64)\nint n",
        "grid(1);\nauto i = arange<64>();\nstore(out + i, load(where(i % 2 == n % 2, a + i, b + i)));",
        TRIPS,
    )
    add(
        "short_circuit",
        "const int* table = small(n + 1)\nint* out = out(8)\nint n",
        """
        auto row = grid(8);
        int k = int(row);
        bool good = k < n && table[k] > 0;
        bool any_way = k >= n || table[k] % 2 == 0;
        out[row] = (good ? 1 : 0) + (any_way ? 2 : 0) + (!good && k != 3 ? 4 : 0);
        """,
        TRIPS,
    )
    add(
        "grids_3d",
        "int* out = out(n * 2 * 3)\nint n",
        "auto [x, y, z] = grid(n, 2, 3);\nstore(out + (z * 2 + y) * n + x, cast<int>(x * 100 + y * 10 + z));",
        TRIPS,
    )
    add(
        "swizzled",
        "int* out = out(n * 5)\nint n",
        "auto id = grid(n * 5);\nauto [r, c] = swizzle2d(id, n, 5, 2);\nstore(out + id, cast<int>(r * 10 + c));",
        TRIPS,
    )
    add(
        "scalar_helpers",
        "int* out = out(6)\nint n",
        "grid(1);\nout[0] = cast<int>(cdiv(n, 4));\nout[1] = next_power_of_2(n);\nout[2] = minimum(n, 3);\nout[3] = abs(-n);\nout[4] = clamp(n, 1, 4);\nstore(out + 5, max(n, 2));",
        TRIPS,
    )


def steps_left():
    """Reductions across warps in steps that end early: the next one's must not overtake the last readers of this one's."""
    reduce = "grid(1);\nauto i = arange<256>();\nfloat total = 0;\n"
    at = "auto x = load(in + k * 256 + i);\n"
    head = "const float* in = small(256 * n + 256)\nfloat* out = out(256)\nint n"
    # The largest of a row is 8: each second step is left.
    skip = "if (max(x) + {} > 8.5f) {};\n"
    add_sums = "total += sum(x * x);\n"
    put = "store(out + i, full<float, 256>(total));"
    for name, body in (
        ("continue", "for (int k = 0; k < n; ++k) {\n" + at + skip.format("k % 2", "continue") + add_sums + "}\n"),
        ("continue_twice", "for (int k = 0; k < n; ++k) {\n" + at + skip.format("k % 2", "continue") + add_sums + skip.format("k % 3", "continue") + "total += min(x);\n}\n"),
        ("break", "for (int k = 0; k < n; ++k) {\n" + at + skip.format("k / 4", "break") + add_sums + "if (total > 60000.0f) break;\ntotal += max(x);\n}\ntotal += sum(load(in + i));\n"),
        ("while", "int k = 0;\nwhile (k < n) {\n" + at + "++k;\n" + skip.format("k % 2", "continue") + add_sums + "}\n"),
        ("while_test", "int k = 0;\nwhile (k < n && max(load(in + k * 256 + i)) > -5.0f) {\n" + at + "++k;\n" + add_sums + "}\ntotal += min(load(in + i));\n"),
        ("while_test_continue", "int k = 0;\nwhile (k < n && max(load(in + k * 256 + i)) > -5.0f) {\n" + at + "++k;\n" + skip.format("k % 2", "continue") + add_sums + "}\ntotal += min(load(in + i));\n"),
        ("nested", "for (int j = 0; j < 2; ++j) {\nfor (int k = 0; k < n; ++k) {\n" + at + skip.format("k / 2", "break") + add_sums + "}\ntotal += max(load(in + i));\n}\n"),
    ):
        add(f"left_{name}", head, reduce + body + put, TRIPS, warps=(2, 4, 5, 8))


def starts_again():
    """Inner loops that begin each time with what was made before the outer one."""
    p = "const float* in = small(96 * 4 * n + 96)\nconst float* first = small(96)\nfloat* out = out(96 * n + 96)\nint n"
    head = "grid(1);\nauto i = arange<96>();\nauto s = load(first + i);\n"
    inner = "for (int k = 0; k < 4; ++k) acc = acc + load(in + (c * 4 + k) * 96 + i);\n"
    put = "store(out + c * 96 + i, acc);\n"
    outer = "for (int c = 0; c < n; ++c) {\nauto acc = s;\n"
    for name, body in (
        ("for", outer + inner + put + "}"),
        ("while", outer + "int k = 0;\nwhile (k < 4) {\nacc = acc + load(in + (c * 4 + k) * 96 + i);\n++k;\n}\n" + put + "}"),
        ("branch", outer + "if (c != 1) {\n" + inner + "}\n" + put + "}"),
        ("made_inside", "for (int c = 0; c < n; ++c) {\nauto acc = where(i % 3 == 1, 2.0f, 1.0f);\n" + inner + put + "}"),
        ("twice", "for (int c = 0; c < n; ++c) {\nfor (int d = 0; d < 2; ++d) {\nauto acc = s;\n" + inner + put + "}\n}"),
        ("scalar", "int steps = 0;\nfor (int k = 0; k < n; ++k) steps += k;\nfor (int c = 0; c < n; ++c) {\nint at = steps;\nauto acc = s;\nfor (int k = 0; k < 4; ++k) {\nacc = acc + load(in + (c * 4 + k) * 96 + i) * at;\n++at;\n}\n" + put + "}"),
    ):
        add(f"starts_{name}", p, head + body, TRIPS)



def exchanged():
    """Pointers that change places from step to step."""
    add("exchanged_pointers", "const float* x = small(64)\nconst float* y = small(64)\nfloat* o = out(64 * n)\nint n",
        "grid(1);\nauto e = arange<64>();\nauto a = x;\nauto b = y;\nfor (int s = 0; s < n; ++s) {\n"
        "store(o + s * 64 + e, load(a + e) - load(b + e) * 2.0f);\nauto c = a;\na = b;\nb = c;\n}", TRIPS)
    add("exchanged_outputs", "int* w = zero(64 * n + 512)\nint n",
        "grid(1);\nauto e = arange<32>();\nint* a = w;\nint* b = w + 256;\nfor (int k = 0; k < n; ++k) {\nstore(a + e, k);\nint* c = a;\na = b + 32;\nb = c;\n}", TRIPS)


def left_while():
    """Values that are read after a `while`: computed by its condition, passed on by `break`, or unused."""
    runs = [{"n": n} for n in (5, 1, 0, -3, 9)]
    p = "const int* x = below(64, 7)\nint* o = out(8)\nint n"
    loops = {
        "counted_down": "int w = n;\nwhile (w-- > 0) {}\no[0] = w;",
        "counted_down_break": "int w = n;\nwhile (w-- > 0) {\nif (x[w] == 3) break;\n}\no[0] = w;",
        "condition_and": "int w = n, s = 0;\nwhile (w-- > 0 && s < 9) { s += x[w + 1]; }\no[0] = w;\no[1] = s;",
        "for_without_step": "int i = 0, q = 0;\nfor (; i++ < n;) { q += i; }\no[0] = i;\no[1] = q;",
        "only_in_condition": "int t = 0, s = 0;\nwhile (t < 6) {\nt = x[s];\ns += 1 + t;\nif (s > 20 + n) {\ns = 100;\nbreak;\n}\n}\no[0] = s;",
        "both_change": "int a = 1, b = n;\nwhile ((a += b) < 20) {\nif (a == b * 3) {\nb = a;\na = 50;\nbreak;\n}\nb += 2;\n}\no[0] = a;\no[1] = b;",
        "exchanged": "int a = 1, b = n, k = 0;\nwhile (k++ < 6) {\nint c = a;\na = b;\nb = c + b;\nif (b > 30) break;\nif (a % 3 == 1) continue;\na += 1;\n}\no[0] = a;\no[1] = b;\no[2] = k;",
        "in_a_loop": "int s = 0;\nfor (int r = 0; r < 4; ++r) {\nint w = n + r;\nwhile (w-- > 0) {\nif (x[w] > 4) break;\ns += w;\n}\ns += 100 * w;\n}\no[0] = s;",
        "do_while": "int w = n, s = 0;\ndo {\ns += w;\nif (s > 30) break;\n} while (--w > 0);\no[0] = w + 100 * s;",
    }
    for name, body in loops.items():
        add(f"left_while_{name}", p, "grid(1);\n" + body, runs, warps=(1, 4))
    add("left_while_tile", "const float* x = positive(64)\nfloat* y = out(64)\nfloat* z = out(64)\nint n",
        "grid(1);\nauto i = arange<64>();\nauto v = load(x + i);\ntile<float, 64> u = v;\nint k = 0;\n"
        "while (any((u = v * 2) < 1000)) {\nv = u + 1;\nif (++k > n) {\nu = v - 3;\nbreak;\n}\n}\nstore(y + i, u);\nstore(z + i, v);", runs, warps=(1, 2, 4))


def bounds_of_loops():
    """Bounds with operators that bind looser than a comparison."""
    p = "const int* y = small(64)\nint* o = out(64)\nint n\nint t"
    runs = [{"n": n, "t": t} for n, t in ((0, 1), (1, 2), (2, 9), (7, 3), (5, 5))]
    for name, bound in (("and", "n & 3"), ("or", "n | 4"), ("xor", "n ^ t"), ("choice", "n > t ? n : t"), ("shift", "n << 1"), ("either", "int(n > 2 || t > 4)")):
        add(f"bound_{name}", p, f"grid(1);\nauto i = arange<64>();\nauto acc = load(y + i);\nfor (int k = 0; k < ({bound}); ++k) acc = acc * 2 + k;\n"
            f"for (int k = ({bound}); k >= (t & 1); --k) acc = acc + max(acc) * k;\nfor (auto k : range({bound})) acc = acc + sum(acc) * k;\n"
            f"int s = 0;\nfor (int k = 0; k != ({bound}); ++k) s += k;\nstore(o + i, acc + s);", runs, warps=(1, 4))
        add(f"bound_grid_{name}", "int* o = zero(64)\nint n\nint t", f"auto b = grid({bound});\nstore(o + b, cast<int>(b) + 1);", runs, warps=(1, 4))
    add("bound_divisor", "int* o = zero(64)\nint n\nint t", "require(40 / (t & 3) > n);\nauto b = grid(12 / (t & 3));\nstore(o + b, cast<int>(b) + 1);",
        [{"n": 1, "t": t} for t in (1, 2, 3, 5)], warps=(1, 4))


# What changes the variable, the bound or the step of a loop, by every way that C++ has: code in front of the kernel, and its body.
CHANGED_HEADS = {
    "constructor": ("struct adds { int a; __tile__ adds(int& v) : a(v) { v += 1; } };",
        "for (int i = 0; i < k; ++i) { if (i < 3) { adds x(k); c += x.a; } }\nfor (int i = 0; i < k; ++i) { c += i; if (i < 3) adds{k}; }"),
    "generic": ("template <class T> __tile__ void bump(int& v, T q) { v += q; }",
        "for (int i = 0; i < 10; ++i) { c += i; static_for<2>([&](auto q) { bump(i, q); }); }\nint s = 1;\n"
        "for (int i = 0; i < 10; i += s) { c += i; static_for<2>([&](auto q) { bump(s, q); }); }\n"
        "for (int i = 0; i < k; ++i) { c += i; static_for<2>([&](auto q) { if (k < 6) bump(k, q); }); }"),
    "lambda": ("", "auto f = [&](auto g, auto q) { g(q); };\nfor (int i = 0; i < k; ++i) { c += 1; if (i < 2) f([&](auto q) { k += q; }, 1); }\n"
        "auto h = [&](auto& v) { v += 1; };\nfor (int i = 0; i < 10; ++i) { c += i; h(i); }"),
    "member": ("struct walk { int n, s, c;\n__tile__ void bump() { n += 1; }\n__tile__ static void up(int& v) { v += 1; }\n__tile__ int count() const { return n; }\n"
        "__tile__ walk& operator+=(int v) { n += v; return *this; }\n__tile__ void run() {\nfor (int i = 0; i < n; ++i) { c += i; if (i < 3) n += 1; }\n"
        "for (int i = 0; i < n; ++i) { c += i; if (i < 3) bump(); }\nfor (int i = 0; i < this->n; i += s) { c += i; this->n -= 1; s += 1; }\n"
        "for (int i = 0; i < n; ++i) { c += i; if (i < 2) up(n); }\nfor (int i = 0; i < count(); ++i) { c += i; if (i < 3) n += 1; }\n"
        "for (int i = 0; i < n; ++i) { c += i; if (i < 3) *this += 1; }\n} };",
        "walk w{k, 1, 0};\nw.run();\nc = w.c * 100 + w.n;"),
    "bases": ("struct counter { int n; __tile__ void inc() { n += 1; } };\n__tile__ void raise(counter& b) { b.n += 1; }\n"
        "struct tally : counter { int c; __tile__ void run() { for (int i = 0; i < n; ++i) { c += i; if (i < 3) inc(); } } };",
        "tally w;\nw.n = k;\nw.c = 0;\nw.run();\nfor (int i = 0; i < w.n; ++i) { w.c += 1; if (i < 3) raise(w); }\nc = w.c * 100 + w.n;"),
    "head": ("struct near { int s; __tile__ int next() { s -= 1; return s; } __tile__ int later() { s += 1; return s > 0 ? s : 1; } };\n"
        "__tile__ int advance(int& s) { s += 1; return s; }",
        "int s = 0;\nauto g = [&] { s += 1; return s; };\nfor (int i = 0; i < 10; i += g()) c += i + 1;\nfor (int i = 0; i < 20 - g(); ++i) c += 1;\n"
        "for (int i = 0; i < 30; i += advance(s)) c += i;\nnear m{k + 4};\nfor (int i = 0; i < m.next(); ++i) c += i + 1;\nfor (int i = 0; i < 20; i += m.later()) c += i;"),
    "memory": ("__tile__ int put(int* p, int i) { p[0] += 5; p[i + 1] = i; return p[0] > 12 ? 2 : 1; }",
        "auto p = out + 32;\nfor (int i = 0; i < 4; i += put(p, i)) c += i;\nfor (int i = 0; i < p[0]; ++i) { if (i < 3) p[0] += 1; c += i; }"),
    "assigned": ("", "for (int i = 0; i < k + 5; ++i) { c += i; if (i == 2) i = i + 2; }\nint s = 1;\nfor (int i = 0; i < 40; i += s) { c += i; s = i > 5 ? 7 : 2; if (i == 9) continue; c += 1; }\n"
        "for (int i = 0; i < k; ++i) { k = n > 2 ? 2 : n; c += 1; }\nint a[2] = {n, 1};\nfor (int i = 0; i < a[0]; i += a[1]) { c += i; if (i < 2) { for (auto& v : a) v += 1; } }"),
    # These count: the step is what the body sets it to, and a break leaves the loop whatever it has changed.
    "counts": ("struct fixed_pair { int first, second; };", "int s = 1;\nfor (int i = 0; i < 40; i += s) { s = n + 2; c += i; if (i == 9) continue; c += 1; }\n"
        "for (int i = 0; i < k + 9; i = i + 2) { c += i; if (i == 6) { i = 50; break; } }\n"
        "fixed_pair p{n, 4};\nfor (int i = 0; i < p.second; ++i, c += 3) p.first += i;\nc += p.first;"),
}


def changed_heads():
    for name, (helpers, body) in CHANGED_HEADS.items():
        add(f"changed_head_{name}", "int* out = zero(64)\nint n", f"grid(1);\nint k = n, c = 0;\n{body}\nout[0] = c;\nout[1] = k;",
            [{"n": n} for n in (0, 1, 3)], helpers=helpers, warps=(1, 2))


# Bodies that add to `c`, from integers `n` and `k` that only the run knows. (helpers, body)
LEFT_COPIES = {
    "break": ("", "for (auto i : static_range<6>()) { if (i == k) break; c += 10 + i; if (c > n * 7) break; c += 1; }\nc = c * 3;"),
    "continue": ("", "for (auto i : static_range<6>()) { if (i % 2 == k % 2) continue; c += 10 + i; if (c > n * 9) continue; c += 1; }"),
    "both": ("", "for (auto i : static_range<8>()) { if (k > i) { c += 1; if (n == i) continue; c += 2; } else if (n > 1) { c += 5; if (c > 30) break; } c += 100; }"),
    "nested": ("", "for (auto i : static_range<3>()) { for (auto j : static_range<4>()) { if (j == k) break; if (j == n) continue; c += 10 * i + j; }\n"
        "if (c > 20 * n) break; c += 1; }"),
    "in_loop": ("", "for (int t = 0; t < n + 2; ++t) { for (auto j : static_range<4>()) { if (j + t == k) break; c += j; } if (c > 9 * k) break; c += 1; if (t == k) continue; c += 3; }"),
    "of_loop": ("", "for (auto j : static_range<3>()) { for (int t = 0; t < n + j; ++t) { if (t == k) break; if (t == 1) continue; c += t + j; } if (c > 4 * k) continue; c += 100; }"),
    "switch": ("", "for (auto i : static_range<5>()) { switch (k + i) { case 1: c += 1; break; case 3: c += 7; continue; default: c += 2; }\nif (c > 5 + n) break; c += 20; }"),
    "in_switch": ("", "switch (k) { case 1: for (auto i : static_range<4>()) { if (i == n) break; c += i + 1; } c += 50; break; default: for (auto i : static_range<4>()) { if (i < n) continue; c += 9; } }"),
    "array": ("", "const int three[] = {4, 1, 3};\nint mine[3] = {n, k, 2};\nfor (int v : three) { if (v == k) break; c += v; }\nfor (int& v : mine) { if (v > 2) continue; v += 5; if (c > 3) break; c += v; }\nc += mine[0] * 100 + mine[1] * 10 + mine[2];"),
    "first": ("", "for (auto i : static_range<4>()) { c += 1; break; c += n; }\nfor (auto i : static_range<4>()) { if (n < 0) { continue; } else { c += k; continue; } c += 1000; }"),
    "carried": ("", "auto t = full<int, 64>(1);\nfor (auto i : static_range<5>()) { t += arange<64>() * i; if (sum(t) > n * 3000) break; if (k == i) continue; t = t * 2; }\nc += sum(t);\nstore(out + 64 + arange<64>(), t);"),
    "return": ("__tile__ int first(const int* p, int n) { for (auto i : static_range<5>()) { if (p[i] > n) return i * 10; if (p[i] == 0) continue; if (p[i] < -4) break; } return -1; }",
        "int* p = out + 8;\np[0] = n; p[1] = k; p[2] = n + k; p[3] = 4; p[4] = 5;\nc += first(p, k) * 7 + first(p, 2) + 100 * first(p, 4);"),
    "return_nested": ("__tile__ int second(int n, int k) { int c = 0; for (auto i : static_range<3>()) { for (int t = 0; t < k; ++t) { if (t * i == n) return 1000 + c; c += 1; }\n"
        "for (auto j : static_range<3>()) { if (i + j == k) return 2000 + c; if (j == n) break; c += 10; } c += 100; } return c; }\n"
        "__tile__ int third(int n, int k) { for (int t = 0; t < 4; ++t) { for (auto j : static_range<3>()) if (j + t == k + n) return t * 10 + j; if (t > n) break; } return -5; }",
        "c = second(n, k) + 3 * second(k, n) + 7 * third(n, k) + 11 * third(k, k);"),
    "return_tile": ("__tile__ tile<int, 64> grown(tile<int, 64> x, int n) { for (auto i : static_range<4>()) { x = x + i; if (i == n) return x * 2; } return x; }",
        "auto t = grown(arange<64>(), n) + grown(arange<64>(), k);\nstore(out + 64 + arange<64>(), t);"),
    "return_void": ("__tile__ void count(int& c, int n) { for (auto i : static_range<4>()) { if (i == n) return; c += 5; } c += 100; }", "count(c, n);\ncount(c, k);\nauto f = [&] { for (int v : {1, 2, 3}) { if (v == k) return; c += v; } c *= 2; };\nf();".replace("for (int v : {1, 2, 3})", "for (auto v : static_range<1, 4>())")),
    "return_kernel": ("", "for (auto i : static_range<4>()) { if (i == k) { out[2] = 5; return; } c += i; if (c > n) break; }"),
}


def left_copies():
    """break, continue and return in copies of the bodies of unrolled loops."""
    for name, (helpers, body) in LEFT_COPIES.items():
        add(f"left_copy_{name}", "int* out = zero(128)\nint n\nint k", f"grid(1);\nint c = 0;\n{body}\nout[0] = c;\nout[1] = k;",
            [{"n": n, "k": k} for n in (0, 1, 3) for k in (0, 1, 2, 5)], helpers=helpers, warps=(1, 2))


def rows_of_loops():
    """A row for each step, kept inside by a mask, or not quite."""
    p = "const float* x = small(64 * 9 + 80)\nfloat* o = zero(700)\nint rows\nint n\nint s"
    runs = [{"rows": rows, "n": n, "s": s} for rows, n, s in ((9, 64, 64), (9, 40, 40), (5, 40, 17), (3, 40, 41), (1, 7, 7), (0, 9, 9), (7, 3, 3))]
    begin = "auto j = grid(2);\nauto d = j * 32 + arange<32>();\n"
    one = "grid(1);\nauto d = arange<64>();\n"
    value = "load(x + t * n + d, d < n) + float(t)"
    steps = {
        "apart": one + f"for (int t = 0; t < rows; ++t) store(o + t * n + d, {value}, d < n);",
        "parts": begin + f"for (int t = 0; t < rows; ++t) store(o + t * n + d, {value}, d < n);",
        "overlap": one + f"for (int t = 0; t < rows; ++t) store(o + t * s + d, {value}, d < n);",
        "one_more": one + f"for (int t = 0; t < rows; ++t) store(o + t * n + d, {value}, d < n + 1);",
        "one_less": one + f"for (int t = 0; t < rows; ++t) store(o + t * n + d, {value}, d < n - 1);",
        "shifted": one + f"for (int t = 0; t < rows; ++t) store(o + 8 + t * n + (d - 3), {value}, d - 3 < n);",
        "shifted_inside": one + f"for (int t = 0; t < rows; ++t) store(o + t * n + (d - 3), {value}, d - 3 < n & d >= 3);",
        "backwards": one + f"for (int t = rows - 1; t >= 0; --t) store(o + t * n + d, {value}, d < n);",
        "by_two": one + f"for (int t = 0; t < rows; t += 2) store(o + t * n + d, {value}, d < n * 2);",
        "walking": one + f"auto q = o;\nfor (int t = 0; t < rows; ++t) {{\nstore(q + d, {value}, d < n);\nq += n;\n}}",
        "in_place": one + "for (int t = 0; t < rows; ++t) {\nauto q = o + t * n + d;\nstore(q, load(q, d < n) + load(x + d) * 2.0f, d < n);\n}",
        "read_other": one + "for (int t = 1; t < rows; ++t) {\nstore(o + t * n + d, load(o + (t - 1) * n + d, d < n) + 1.0f, d < n);\n}",
        "turned": one + f"for (int t = 0; t < rows; ++t) store(o + t * n + (63 - d), {value}, 63 - d < n);",
        "items": f"auto d = arange<64>();\nfor (auto t : persistent_range(rows)) store(o + t * n + d, {value}, d < n);",
    }
    for name, body in steps.items():
        add(f"rows_of_loop_{name}", p, body, runs, warps=(1, 2, 4))


def own_conditions():
    """Tiles whose rows are of equal elements, changed where a condition of themselves holds: all elements ask the old one."""
    p = "const uint32_t* a = bits(200)\nuint32_t* out = out(96)\nint n"
    at = "arange<16>()[all, none] * 6 + arange<6>()[none, all]"
    rows = "grid(1);\nauto v = broadcast_to<16, 6>(load(a + arange<16>()[all, none]));\n"
    columns = "grid(1);\nauto v = broadcast_to<16, 6>(load(a + arange<6>()[none, all]));\n"
    halve = "v = where(v % 2u == 0u, v / 2u, v * 3u + 1u);"
    spoil = f"if (n == 2) v = load(a + {at});\n"
    steps = {
        "loop": rows + f"for (int k = 0; k < n; ++k) {halve}",
        "columns": columns + f"for (int k = 0; k < n; ++k) {halve}",
        "uniform": f"grid(1);\nauto v = full<uint32_t, 16, 6>(a[n]);\nfor (int k = 0; k < n; ++k) {halve}",
        "while": rows + f"int k = 0;\nwhile (any(v > 100u) && k < n) {{\n{halve}\n++k;\n}}",
        "branch": rows + f"for (int k = 0; k < n; ++k) {{\nif (k % 2 == 0) {halve}\n}}",
        "cast": rows + "for (int k = 0; k < n; ++k) v = v * 5u + cast<uint32_t>(v % 3u == 1u);",
        "added": rows + "for (int k = 0; k < n; ++k) v += where(v > 1000u, v, 7u);",
        "vote": rows + "for (int k = 0; k < n; ++k) {\nauto f = v;\nfor (auto q : static_range<12>()) f = f * 3u + 7u;\nv = where(v % 7u == 1u, f, v);\n}",
    }
    for name, body in steps.items():
        end = f"store(out + {at}, v + load(a + {at}));"
        add(f"own_condition_{name}", p, f"{body}\n{spoil}{end}", [{"n": n} for n in (1, 2, 7)], warps=(1, 2))


def required_steps():
    """Steps that are known to count up only because the launcher checks it; of products, copied ahead."""
    adds = "const float* in = small(96 * 30)\nfloat* out = out(96, 1e-5, 1e-5)\nint n\nint step"
    head = "require({0});\ngrid(1);\nauto i = arange<96>();\nauto acc = zeros<float, 96>();\n"
    runs = [{"n": n, "step": step} for n in (0, 1, 7, 30) for step in (1, 3, 40)]
    for name, asked, step in (("above", "step > 0 && n >= 0", "step"), ("least", "1 <= step", "step * 2"), ("wide", "step >= 1", "int64_t(step)")):
        loop = f"for (auto k : range({'int64_t(0)' if name == 'wide' else '0'}, n, {step})) acc = acc * 0.5f + load(in + k * 96 + i);\n"
        add(f"step_required_{name}", adds, head.format(asked) + loop + "store(out + i, acc);", runs, warps=(1, 3))
    products = "const float16* a = small(32 * 32 * 9)\nconst float16* b = small(32 * 32 * 9)\nfloat* c = out(1024, 1e-3, 1e-3)\nint n\nint step"
    body = """require(step > 0);
        grid(1);
        auto at = arange<32>()[all, none] * 32 + arange<32>()[none, all];
        auto acc = zeros<float, 32, 32>();
        for (auto k : range(0, n, step)) acc = dot(load(a + k * 1024 + at), load(b + k * 1024 + at), acc);
        store(c + at, acc);"""
    add("step_required_dot", products, body, [{"n": n, "step": step} for n in (0, 1, 9) for step in (1, 2, 4, 20)], warps=(1, 2, 4))


for make in (required_steps, own_conditions, rows_of_loops, loops, branches, steps_left, starts_again, exchanged, left_while, bounds_of_loops, changed_heads,
             left_copies):
    make()
