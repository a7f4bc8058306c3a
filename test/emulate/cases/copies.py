"""Copies and assignments by the program's own code, references to what functions return, temporaries, std::tuple."""

from case import Table

table = Table()
RUNS = [{"n": n} for n in (0, 1, 3)]


def add(name, body, helpers="", **options):
    parameters = "const int* in = small(1024)\nint* out = zero(64)\nint n"
    options.setdefault("warps", (1,))
    # Each case has a namespace of its own for its structs.
    helpers = f"#include <algorithm>\n#include <tuple>\nnamespace copies_of_{name} {{\n{helpers.strip()}\n}}"
    table.add(f"copies_{name}", parameters, f"using namespace copies_of_{name};\ngrid(1);\n{body}", RUNS, helpers=helpers, **options)


COUNTS = """
struct Counts {
  int copies;
  __tile__ Counts(int n) : copies(n) {}
  __tile__ Counts(const Counts& other) : copies(other.copies + 10) {}
};
"""


def copies():
    add(
        "copy",
        """
        Counts a(n);
        Counts b = a;
        Counts c(b);
        out[0] = b.copies;
        out[1] = c.copies;
        take(c, out + 2);
        auto d = give(c);
        out[3] = d.copies;
        Counts both[2] = {a, b};
        out[4] = both[1].copies;
        auto captured = [c] { return c.copies; };
        out[5] = captured();
        """,
        COUNTS
        + "__tile__ void take(Counts c, int* out) { *out = c.copies; }\n"
        + "__tile__ Counts give(const Counts& c) { return c; }\n",
    )
    add(
        "copy_of_part",
        """
        Holds h{Counts(n), 2};
        Holds k = h;
        out[0] = k.counts.copies;
        Holds both[2] = {h, k};
        out[1] = both[1].counts.copies;
        auto t = tuple(h.counts, 1);
        out[2] = t.v0.copies;
        auto captured = [h] { return h.counts.copies + h.rest; };
        out[3] = captured();
        Counts named(n);  // a copy into a base: compilers differ about copies of a temporary
        out[4] = cut(Derived{named, 3});
        """,
        COUNTS
        + "struct Holds { Counts counts; int rest; };\n"
        + "struct Derived : Counts { int rest; };\n"
        + "__tile__ int cut(const Derived& d) { Counts c = d; return c.copies + d.rest; }\n",
    )
    add(
        "named_result",
        "out[0] = make(n).copies;\nout[1] = pass(Counts(n)).copies;",
        COUNTS
        + "__tile__ Counts make(int n) { Counts c(n); c.copies += 1; return c; }\n"
        + "__tile__ Counts pass(Counts c) { return c; }\n",
    )
    add(
        "move",
        """
        Moves a(n);
        Moves b = static_cast<Moves&&>(a);
        Moves c = b;
        out[0] = a.value;
        out[1] = b.value;
        out[2] = c.value;
        """,
        """
struct Moves {
  int value;
  __tile__ Moves(int n) : value(n) {}
  __tile__ Moves(const Moves&) = default;
  __tile__ Moves(Moves&& other) : value(other.value) { other.value = -1; }
};
""",
    )
    add(
        "assignment",
        """
        Holds h{{n}, 2}, k{{7}, 3};
        h = k;
        out[0] = h.part.value;
        out[1] = h.rest;
        Assigns x{1};
        (x = Assigns{n}).value += 5;
        out[2] = x.value;
        for (int i = 0; i < n; ++i) k = h;
        out[3] = k.part.value;
        Trivial t{n}, u{n + 1};
        t = u;
        t = static_cast<Trivial&&>(u);
        out[4] = t.value;
        """,
        """
struct Trivial {
  int value;
  __tile__ Trivial& operator=(const Trivial&) = default;
  __tile__ Trivial& operator=(Trivial&& other) {
    value += other.value;
    return *this;
  }
};
struct Assigns {
  int value;
  __tile__ Assigns& operator=(const Assigns& other) {
    value = other.value + 100;
    return *this;
  }
};
struct Holds { Assigns part; int rest; };
""",
    )


def references():
    add(
        "returned_reference",
        """
        int k = n;
        const int& same = pass(k);
        k = 50;
        out[0] = same;
        change(k) += 3;
        out[1] = k;
        Pair pair{n, 2};
        const int& first = pair.get();
        pair.set() = 7;
        out[2] = first;
        pair.set() *= 2;
        out[3] = pair.a;
        (pair += 1) += n;
        out[4] = pair.a * 10 + pair.b;
        element(out, 5) = n;
        element(out, 5) += 4;
        auto& memory = element(out, 6);
        memory = 2;
        auto alias = [&]() -> int& { return k; };
        alias() = 6;
        out[7] = k + alias();
        out[8] = add(pair, std::max(k, n)) + pair.a;
        """,
        """
__tile__ const int& pass(const int& x) { return x; }
__tile__ int& change(int& x) { return x; }
__tile__ int& element(int* p, int i) { return p[i]; }
struct Pair {
  int a, b;
  __tile__ const int& get() const { return a; }
  __tile__ int& set() { return a; }
  __tile__ Pair& operator+=(int x) {
    a += x;
    b -= x;
    return *this;
  }
};
__tile__ int add(Pair& pair, const int& x) { pair.a += x; return x; }
""",
    )
    add(
        "reference_member",
        """
        int a = n;
        Refers r(a);
        r.value += 5;
        out[0] = a;
        Refers m(out[1]);
        m.value = 5;
        Reads c(a);
        a = 9;
        out[2] = c.value;
        Both b(a, r.value);
        b.first += 1;
        b.second += 1;
        out[3] = a;
        """,
        """
struct Refers { int& value; __tile__ Refers(int& v) : value(v) {} };
struct Reads { const int& value; __tile__ Reads(const int& v) : value(v) {} };
struct Both {
  int& first;
  int& second = first;
  __tile__ Both(int& a, int& b) : first(a), second(b) {}
};
""",
    )
    add(
        "temporary",
        """
        int&& five = n + 5;
        five += 1;
        out[0] = five;
        auto&& pair = make(n);
        pair.a += 2;
        out[1] = pair.a + make(3).add(n);
        """,
        """
struct Pair { int a; __tile__ int add(int n) { a += n; return a; } };
__tile__ Pair make(int n) { return {n}; }
""",
    )


def members():
    # The initializers of an aggregate see its own members, not those of the object around it.
    add(
        "default_member",
        """
        Outer o(n);
        out[0] = o.inner.b;
        out[1] = o.get();
        Inner x{}, y{.a = n}, z[2] = {{n + 1}};
        out[2] = x.b + y.b * 10;
        out[3] = z[0].b + z[1].b * 100;
        out[4] = Inner(n).b;
        """,
        """
struct Inner { int a = 3; int b = a * 2; };
struct Outer {
  int a;
  Inner inner;
  __tile__ Outer(int n) : a(n + 7), inner{} {}
  __tile__ int get() {
    Inner local{};
    return local.b;
  }
};
""",
    )
    add(
        "captured_this",
        """
        Counter c{n, 2};
        out[0] = c.run(n);
        out[1] = c.x;
        out[2] = c.copy(4);
        out[3] = c.nest();
        out[4] = c.loop(n);
        out[5] = c.x;
        auto sum = c.summing();
        c.x = 9;
        out[6] = sum();
        """,
        """
struct Counter {
  int x, y;
  __tile__ int run(int k) {
    auto add = [&](int v) { x += v; return this->y + x; };
    return add(k) + add(1);
  }
  __tile__ int copy(int k) {
    auto times = [*this](int v) { return x * v; };
    x += 1;
    return times(k);
  }
  __tile__ int nest() {
    auto outer = [this] {
      auto inner = [=, this] { y += 1; return x; };
      return inner() + inner();
    };
    return outer() * y;
  }
  __tile__ int loop(int n) {
    auto grow = [&] { x += 1; };
    int c = 0;
    for (int i = 0; i < x; ++i) {
      c += i;
      if (x < 6 && n > 0) grow();
    }
    static_for<2>([&](auto q) { x += q + 1; });
    return c;
  }
  __tile__ auto summing() const { return [this] { return x + y; }; }
};
""",
    )
    add(
        "array",
        """
        int a[2] = {n, 2};
        auto count = [a]() mutable { a[0] += 1; return a[0] * 10 + a[1]; };
        out[0] = count();
        out[1] = count();
        auto [p, q] = a;
        p += 1;
        out[2] = p * 10 + q + a[0] * 100;
        Holds u{{1, n}}, v = u;
        v.e[1] = 4;
        auto both = [=] { return u.e[1] + a[0]; };
        a[0] = 77;
        out[3] = both();
        out[4] = v.e[1] * 10 + u.e[1];
        """,
        "struct Holds { int e[2]; };",
    )

    add(
        "inherited_constructor",
        """
        Derived d(n);
        out[0] = d.x * 10 + d.y;
        Third t(n, 2);
        out[1] = t.x * 100 + t.y * 10 + t.z;
        int k = n;
        RefersToo r(k);
        r.first += 5;
        r.second += 1;
        out[2] = k;
        """,
        """
struct Base { int x; __tile__ Base(int v) : x(v + 1) {} };
struct Derived : Base { using Base::Base; int y = x * 2; };
struct Third : Derived { int z; __tile__ Third(int a, int b) : Derived(a), z(b) {} };
struct Refers { int& first; int& second = first; __tile__ Refers(int& v) : first(v) {} };
struct RefersToo : Refers { using Refers::Refers; };
""",
    )
    add(
        "anonymous_struct",
        """
        Point p(n);
        p.x += 4;
        out[0] = p.x * 100 + p.y * 10 + p.z;
        """,
        """
struct Point {
  int z;
  struct { int x, y; };
  __tile__ Point(int n) : z(3), x(n), y(2) { y += z; }
};
""",
    )
    add(
        "constant",
        """
        out[0] = argument<Config{{1, 2}, 3}>(n);
        out[1] = argument<Config{{7}, 1}>(n);
        constexpr Config c{{4, 5}, 6};
        Config d = c, e = global;
        d.t[1] += n;
        e.t[0] = n;
        out[2] = d.t[0] * 100 + d.t[1] * 10 + d.k;
        out[3] = e.t[0] + e.t[1];
        """,
        """
struct Config {
  int t[2];
  int k;
  __tile__ int sum() const { return t[0] + t[1] + k; }
};
constexpr Config global{{8, 9}, 1};
template <Config CONFIG>
__tile__ int argument(int n) {
  Config copy = CONFIG;
  copy.t[0] += n;
  const auto& same = CONFIG;
  return copy.t[0] * 100 + copy.t[1] * 10 + CONFIG.sum() + same.t[1];
}
""",
    )


def tuples():
    add(
        "std_tuple",
        """
        out[0] = std::get<2>(convert(n));
        std::tuple<int, int> t;
        std::get<0>(t) = n;
        out[1] = std::get<0>(t) * 10 + std::get<1>(t);
        std::tuple<int64_t, float> u(std::make_tuple(n, n * 2));
        out[2] = int(std::get<0>(u) * 100 + std::get<1>(u) / 4 * 10);
        int a = n, b = 2, c = 0;
        std::tuple<int&, int> refers(a, b);
        std::get<0>(refers) = 40 + n;
        out[3] = a;
        a = 7;
        std::tuple<int, int> values = refers;
        out[4] = std::get<0>(values);
        std::tuple<std::tuple<int, int>, uint8_t> inner{};
        out[5] = std::get<1>(std::get<0>(inner)) + std::get<1>(inner);
        std::tie(a, b) = std::make_tuple(b, a);
        out[7] = a * 100 + b;
        std::tie(b, std::ignore, c) = convert(n);
        out[8] = b * 100 + c;
        std::tie(a, b) = std::tie(b, a);
        out[9] = a * 100 + b;
        values = std::make_tuple(n, n + 1);
        for (int i = 0; i < n; ++i) values = std::tuple<int, int>(std::get<1>(values), std::get<0>(values) + i);
        out[10] = std::get<0>(values) * 10 + std::get<1>(values);
        t = values = refers;
        out[11] = std::get<0>(t) + std::get<1>(values);
        refers = values;
        auto [x, y] = std::tuple<uint8_t, int>(n + 255, 3);
        out[6] = x * 10 + y;
        """,
        """
__tile__ std::tuple<int, int, uint8_t> convert(int n) {
  if (n > 2) return {1, 2, uint8_t(n + 254)};
  return std::make_tuple(3, 4, n + 255);
}
""",
    )


copies()
references()
members()
tuples()
