"""Objects with methods, constructors and references change variables that the head of a loop or a guarded read sees."""

from case import Table, warps_of

table = Table(checks_overflow=True)
SIGNATURE = "const int* in = small(256)\nint* out = zero(64)\nint n"


def add(name, body, helpers=""):
    runs = [{"n": n} for n in (0, 1, 3, 7)]
    table.add(f"objects_{name}", SIGNATURE, "grid(1);\n" + body, runs, warps=warps_of(name, 2), helpers=helpers)


def loop_heads():
    """The body of a loop changes variables of its head without naming them."""
    struct = "struct {s} {{ int n, step, c;\n{methods}\n__tile__ void run() {{ {loop} }} }};"
    upward = "for (int i = 0; i < n; ++i) { c += i; if (i < 3) {change}; }"
    methods = "__tile__ void bump() {{ n += 1; }} __tile__ int count() const {{ return n; }} __tile__ static void up(int& v) {{ v += 1; }} __tile__ {s}& operator+=(int v) {{ n += v; return *this; }}"
    heads = {
        "assigns": upward.replace("{change}", "n += 1"),
        "by_this": upward.replace("{change}", "this->n += 1"),
        "method": upward.replace("{change}", "bump()"),
        "static": upward.replace("{change}", "up(n)"),
        "operator": upward.replace("{change}", "*this += 1"),
        "bound_by_this": upward.replace("i < n", "i < this->n").replace("{change}", "n += 1"),
        "bound_method": upward.replace("i < n", "i < count()").replace("{change}", "n += 1"),
        "reference": "int& r = n; " + upward.replace("{change}", "r += 1"),
        "step": "for (int i = 0; i < 12; i += step) { c += i; step += 1; }",
        "other_member": "for (int i = 0; i < n; i += step) { c += i; }",
    }
    for name, loop in heads.items():
        s = f"Head_{name}"
        add(f"head_{name}", f"{s} w{{n, 1, 0}};\nw.run();\nout[0] = w.n;\nout[1] = w.c;\nout[2] = w.step;",
            struct.format(s=s, methods=methods.format(s=s), loop=loop))
    add("head_function", "HeadF w{n, 0};\nw.run();\nout[0] = w.n;\nout[1] = w.c;",
        "struct HeadF;\n__tile__ void head_up(HeadF& w);\nstruct HeadF { int n, c; __tile__ void run() { for (int i = 0; i < n; ++i) { c += i; if (i < 3) head_up(*this); } } };\n__tile__ void head_up(HeadF& w) { w.n += 1; }")
    add("head_base", "HeadD w;\nw.n = n;\nw.c = 0;\nw.run();\nout[0] = w.n;\nout[1] = w.c;",
        "struct HeadB { int n; __tile__ void inc() { n += 1; } };\nstruct HeadD : HeadB { int c; __tile__ void run() { for (int i = 0; i < n; ++i) { c += i; if (i < 3) inc(); } } };")
    # Constructors that change their argument, lambdas for static_for, and heads that change something themselves.
    changing = "struct Inc_{0} {{ int a; __tile__ Inc_{0}(int& v) : a(v) {{ v += 1; }} }};"
    generic = "template <class T>\n__tile__ void bump_{0}(int& v, T q) {{ v += q; }}"
    plain = "__tile__ void bump_{0}(int& v, int q) {{ v += q; }}"
    counting = "struct Count_{0} {{ int s; __tile__ int next() {{ s += 1; return s; }} }};"
    for name, body, helpers in (
        ("constructor", "int k = n, c = 0;\nfor (int i = 0; i < k; ++i) {{ if (i < 3) {{ Inc_{0} x(k); c += x.a; }} }}\nout[0] = k;\nout[1] = c;", changing),
        ("temporary", "int k = n, c = 0;\nfor (int i = 0; i < k; ++i) {{ c += i; if (i < 3) Inc_{0}{{k}}; }}\nout[0] = k;\nout[1] = c;", changing),
        ("variable", "int c = 0;\nfor (int i = 0; i < 10; ++i) {{ c += i; Inc_{0} x(i); }}\nout[0] = c;", changing),
        ("static_for", "int k = n, c = 0;\nfor (int i = 0; i < k; ++i) {{ c += i; static_for<2>([&](auto q) {{ if (k < 6) bump_{0}(k, q); }}); }}\nout[0] = k;\nout[1] = c;", plain),
        ("static_for_step", "int s = 1, c = 0;\nfor (int i = 0; i < 10; i += s) {{ c += i; static_for<2>([&](auto q) {{ bump_{0}(s, q); }}); }}\nout[0] = s;\nout[1] = c;", generic),
        ("static_for_variable", "int c = 0;\nfor (int i = 0; i < 10; ++i) {{ c += i; static_for<2>([&](auto q) {{ bump_{0}(i, q); }}); }}\nout[0] = c;", generic),
        ("static_for_outside", "int k = n, c = 0;\nauto f = [&](auto q) {{ if (k < 6) bump_{0}(k, q); }};\nfor (int i = 0; i < k; ++i) {{ c += i; static_for<2>(f); }}\nout[0] = k;\nout[1] = c;", generic),
        ("lambda_step", "int s = 0, c = 0;\nauto g = [&] {{ s += 1; return s; }};\nfor (int i = 0; i < 10; i += g()) c += i + 1;\nout[0] = s;\nout[1] = c;", ""),
        ("lambda_bound", "int s = 0, c = 0;\nauto g = [&] {{ s += 1; return s; }};\nfor (int i = 0; i < 20 - g(); ++i) c += 1;\nout[0] = s;\nout[1] = c;", ""),
        ("method_step", "int c = 0;\nCount_{0} g{{n}};\nfor (int i = 0; i < 20; i += g.next()) c += i + 1;\nout[0] = g.s;\nout[1] = c;", counting),
        ("method_bound", "int c = 0;\nCount_{0} g{{n}};\nfor (int i = 0; i < 20 - g.next(); ++i) c += i + 1;\nout[0] = g.s;\nout[1] = c;", counting),
    ):
        add(f"head_{name}", body.format(name), helpers.format(name))


def references():
    add("mutable", "const Mutable m{n, 2};\nfor (int i = 0; i < 3; ++i) m.bump();\nif (n > 1) m.bump();\nout[0] = m.x;\nconst Mutable two[2] = {{n, 1}, {n, 3}};\nfor (int i = 0; i < n; ++i) { two[0].bump(); two[1].bump(); }\nout[1] = two[0].x;\nout[2] = two[1].x;",
        "struct Mutable { mutable int x; int y; __tile__ void bump() const { x += y; } };")
    add("member_constructor", "int a = n;\nRefers r(a);\nr.x += 5;\nout[0] = a;\na = 30;\nout[1] = r.x;\nRefers stored(out[3]);\nstored.x = 5;\nconst RefersConst c(a);\na = 31;\nout[2] = c.x;",
        "struct Refers { int& x; __tile__ Refers(int& v) : x(v) {} };\nstruct RefersConst { const int& x; __tile__ RefersConst(const int& v) : x(v) {} };")
    # The element stands outside of the buffer unless the condition holds.
    far = "in[n * 100000000]"
    add("guarded_variable", f"auto& r = {far};\nout[0] = n < 1 ? r : 7;\nout[1] = n == 0 && r > -100;\nout[2] = n != 0 || r > 100;")
    add("guarded_member", f"GuardedR s{{{far}}};\nout[0] = n < 1 ? s.r : 9;\nout[1] = n < 1 && s.r > 0;", "struct GuardedR { const int& r; };")
    add("guarded_parameter", f"auto f = [](const int& v, bool c) {{ return c ? v : 3; }};\nout[0] = f({far}, n == 0);\nauto g = [&r = {far}] {{ return r; }};\nout[1] = n < 1 ? g() : 7;")
    add("guarded_binding", "Guarded2 pair{in[n * 100000000], n};\nauto& [r, k] = pair;\nout[0] = k < 1 ? r : 7;", "struct Guarded2 { const int& r; int k; };")


def arrays():
    add("array_conversion", "int a[3] = {n, 1, 300};\nfloat c = 0;\nfor (float v : a) c += v / 2;\nout[0] = int(c * 2);\nint d = 0;\nfor (uint8_t v : a) d += v;\nout[1] = d;\nint64_t w = 0;\nfor (int64_t v : a) w += v << 40;\nout[2] = int(w >> 40);\nint t = 0;\nfor (bool v : a) t += v;\nfor (const int64_t& v : a) t += int(v << 40 >> 40);\nout[3] = t;")
    add("array_copies", "int a[3] = {n, 1, 2};\nint c = 0;\nfor (int v : a) { v += 1; c += v; }\nfor (int& v : a) v *= 2;\nfor (const auto& v : a) c += v;\nout[0] = c;\nArrayP p[2] = {{n, 1}, {2, n}};\nfor (auto q : p) { q.x += 1; out[1] += q.x * q.y; }\nout[2] = p[0].x;", "struct ArrayP { int x, y; };")
    # Elements that an index chooses when the program runs.
    add("array_chosen", """
        int a[5] = {n, 1, 2, n * 2, 9}, c = 0;
        for (int i = 0; i < 5; ++i) { c += a[i]; a[2] += i; }
        out[0] = c;
        const int copy = a[n & 3];
        a[0] = a[1] = 70;
        out[1] = copy * 100 + a[uint8_t(n) & 1];
        int m[2][3] = {{1, n, 3}, {4, 5, n + 1}};
        for (int64_t i = 0; i < 2; ++i) for (unsigned j = 0; j < 3; ++j) out[2] += m[i][j] * int(i * 3 + j + 1);
        Chosen p[3] = {{n, {1, 2}}, {2, {n, 3}}, {in[n], {4, n}}};
        for (int k = 0; k < 3; ++k) { out[3] += p[k].x; out[4] += p[2 - k].y[(n + k) & 1]; p[0].x += k; }
        auto q = p[n % 3];
        q.x += 1;
        out[5] = q.x + chosen_sum(p[(n + 1) % 3]);
        out[6] = a[n > 1];
        auto t = map([&](int v) { return v * a[n & 1]; }, arange<8>());
        out[7] = sum(t);
        const int* sides[2] = {in, in + 5};
        out[8] = sides[n & 1][2] + sum(load(sides[n > 1] + arange<8>()));
        int pair[16] = {};
        pair[15] = n;
        out[9] = pair[n + 8] + pair[15 - n];
        """, "struct Chosen { int x, y[2]; };\n__tile__ int chosen_sum(const Chosen& c) { int s = c.x; for (int k = 0; k < 2; ++k) s += c.y[k]; return s; }")
    add("tuple_conversion", "out[0] = std::get<2>(tuple_of(n));\nout[1] = std::get<0>(tuple_of(n));\nstd::tuple<int, uint8_t> t(n + 300, n + 300);\nout[2] = std::get<0>(t) - std::get<1>(t);\nstd::tuple<int64_t, int> u(t);\nout[3] = int((std::get<0>(u) << 33) >> 33);",
        "#include <tuple>\n__tile__ std::tuple<int, int, uint8_t> tuple_of(int n) { if (n > 2) return {1, 2, uint8_t(n + 254)}; return std::make_tuple(3, 4, n + 255); }")


def standard():
    """Casts to a derived class, std::array, std::pair, std::swap, std::exchange, comparisons by default."""
    crtp = ("template <class D>\nstruct Crtp { int more; __tile__ int scaled(int x) const { return static_cast<const D&>(*this).scale(x) + more; }\n"
            "__tile__ D& self() { return static_cast<D&>(*this); }\n__tile__ void grow(int by) { self().factor += by; more -= 1; static_cast<D*>(this)->bump(); } };\n"
            "struct CrtpFirst { int first; };\nstruct CrtpD : CrtpFirst, Crtp<CrtpD> { int factor; __tile__ int scale(int x) const { return x * factor + first; }\n"
            "__tile__ void bump() { first += 1; } };\nstruct CrtpE : CrtpD { int last; };\n")
    add("crtp", "CrtpD d{{n}, {3}, 2};\nd.grow(n);\nout[0] = d.scaled(n);\nfor (int i = 0; i < d.factor; ++i) { if (i < 9) d.grow(1); out[1] += i; }\nout[2] = d.factor;\n"
        "CrtpE e;\ne.first = 1; e.more = n; e.factor = 5; e.last = 6;\nCrtp<CrtpD>& c = e;\nif (n > 1) c.grow(2); else e.grow(4);\nout[3] = c.scaled(3) + e.last;\n"
        "out[4] = CrtpD{{1}, {2}, 3}.scaled(n);\nauto copy = c.self();\ncopy.factor = 100;\nout[5] = e.factor + copy.first;", crtp)
    headers = "#include <array>\n#include <utility>\n"
    add("std_array", "std::array<int, 4> a{n, 1, 2};\nfor (auto k : static_range<3>()) a[k + 1] += a[k] * 2;\nfor (int& e : a) e += 1;\nint s = 0;\nfor (const auto& e : a) s = s * 3 + e;\nout[0] = s;\n"
        "out[1] = a.front() - a.back() + a.at(1) + int(a.size());\nfor (int i = 0; i < a[0]; ++i) { a[0] -= i > 2; out[2] += i; }\nauto b = a;\nb[1] = 70;\nout[3] = a[1] + std::get<1>(b);\n"
        "StdGrid g{};\nif (n > 1) g.cells[1] = n; else g.cells[0] = 4;\nout[4] = g.total();\nstd::array<std::array<int, 2>, 2> m{{{n, 2}, {3, 4}}};\nstd::swap(m[0], m[1]);\nm[1][0] *= 5;\nout[5] = m[0][1] * 10 + m[1][0];\n"
        "std::array<tile<int, 64>, 2> t{arange<64>(), arange<64>() * n};\nstd::swap(t[0], t[1]);\nfor (auto& e : t) e += 1;\nout[6] = sum(t[0] * t[1]);",
        headers + "struct StdGrid { std::array<int, 2> cells; __tile__ int total() const { return cells[0] + this->cells[1] * 10; } };\n")
    add("std_swap", "int m = 9;\nfor (int i = 0; i < n; ++i) { if (i % 2 == 0) std::swap(n, m); out[0] += i; if (i > 20) break; }\nout[1] = n * 100 + m;\nout[2] = 5; out[3] = n;\nstd::swap(out[2], out[3]);\nstd::swap(out[3], m);\nout[4] = m;\n"
        "auto p = std::make_pair(n, 2.5f);\nauto q = std::make_pair(7, m + 0.0f);\nif (n > 1) std::swap(p, q);\np.first += 1;\nauto [a, b] = q;\nout[5] = p.first * 100 + int(p.second * 2) + a + int(b);\n"
        "int k = 3;\nwhile (std::exchange(k, k - 1) > 0) out[6] += k;\nout[7] = std::exchange(k, 300.75f) + k;\nuint8_t w = 1;\nstd::exchange(w, 300 + n);\nout[8] = w;\nint arr[2] = {n, 4}, brr[2] = {5, 6};\nstd::swap(arr, brr);\nout[9] = arr[0] * 10 + brr[1];\n"
        "tile<int, 64> x = arange<64>(), y = x * n;\nstd::swap(x, y);\nout[10] = sum(x) - sum(y);\nStdPair s{std::make_pair(n, 3)};\ns.both.second += s.both.first;\nout[11] = s.both.second;",
        headers + "struct StdPair { std::pair<int, int> both; };\n")
    compared = ("struct Version { int major; int64_t minor; bool operator==(const Version&) const = default; auto operator<=>(const Version&) const = default; };\n"
                "struct Release : Version { uint8_t patch; auto operator<=>(const Release&) const = default; };\n"
                "struct Real { int k; float x; auto operator<=>(const Real&) const = default; friend bool operator==(const Real&, const Real&) = default; };\n"
                "enum class Level { low = -1, high = 4 };\n")
    add("three_way", "int at = 0;\nfor (int a = 0; a < 3; ++a) for (int b = 0; b < 3; ++b) {\n  Version p{a, n}, q{b, 3};\n  int r = (p == q) + 2 * (p != q) + 4 * (p < q) + 8 * (p <= q) + 16 * (p > q) + 32 * (p >= q);\n"
        "  Release v{{a, 1}, uint8_t(n + 255)}, w{{1, b}, 2};\n  r = r * 64 + (v == w) + 2 * (v != w) + 4 * (v < w) + 8 * (v <= w) + 16 * (v > w) + 32 * (v >= w);\n  out[at++] = r;\n"
        "  float nan = __builtin_nanf(\"\"), x = n == 3 ? nan : n;\n  Real c{a, x}, d{b, 1.0f};\n  r = (c == d) + 2 * (c != d) + 4 * (c < d) + 8 * (c <= d) + 16 * (c > d) + 32 * (c >= d);\n  auto order = x <=> b;\n"
        "  r = r * 64 + (order == 0) + 2 * (order != 0) + 4 * (order < 0) + 8 * (order <= 0) + 16 * (order > 0) + 32 * (0 <= order);\n"
        "  auto levels = Level(a) <=> Level::low;\n  r = r * 4 + (0 > levels) + 2 * ((a <=> b) == (n <=> 1));\n  out[at++] = r;\n}",
        "#include <compare>\n" + compared)


loop_heads()
references()
arrays()
standard()


def hints():
    """A promise after an early return says nothing about the programs that returned."""
    parameters = "const int* in = small(512)\nint* out = zero(512)\nint n\nint al"
    after = "auto j = arange<256>();\nstore(out + j, load(in + j, j < m) * 2, j < m);"
    for name, head, runs in (
        ("aligned", "if (al == 0) { store(out + i, load(in + i)); return; }\nauto p = assume_aligned<16>(in);\nauto q = assume_aligned<16>(out);\nstore(q + i, load(p + i) * 2);", ((64, 0, 1), (64, 1, 0))),
        ("divisible", "if (n == 35) { store(out + i, load(in + i, i < n), i < n); return; }\nauto m = assume_divisible<16>(n);\n" + after, ((35, 0, 0), (64, 0, 0))),
        ("multiple", "if (n == 35) { store(out + i, load(in + i, i < n), i < n); return; }\nauto m = multiple_of<16>(n);\n" + after, ((35, 0, 0), (64, 0, 0))),
        ("rows", "auto r = i / 32 * n + i % 32;\nif (n == 35) { store(out + r, load(in + r)); return; }\nauto m = assume_divisible<16>(n);\n" + after, ((35, 0, 0), (48, 0, 0))),
        ("in_loop", "for (int k = 0; k < al; ++k) { store(out + i, load(in + i, i < n), i < n); if (n < 100) return; }\nauto m = assume_divisible<16>(n);\n" + after, ((35, 1, 0), (64, 0, 0))),
        ("assume", "if (n == 35) { store(out + i, load(in + i, i < n), i < n); return; }\nassume(n % 16 == 0);\nauto m = n;\n" + after, ((35, 0, 0), (64, 0, 0))),
    ):
        table.add(f"hint_{name}", parameters, "grid(1);\nauto i = arange<256>();\n" + head,
                  [{"n": n, "al": al, "shift": shift} for n, al, shift in runs], warps=(1, 4))


hints()
