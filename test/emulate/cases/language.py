"""The C++ around tiles: what is evaluated how often and in which order, switches, tuple-like types, references, initial values."""

from case import Table, warps_of

table = Table(checks_overflow=True)
SIGNATURE = "const int* in = small(256)\nint* out = zero(64)\nint n"
FLOATS = "const float* in = small(256)\nfloat* out = zero(256)\nint n"
RUNS = [{"n": n} for n in (0, 1, 2, 3, 7)]
INCLUDES = "#include <algorithm>\n#include <array>\n#include <tuple>\n#include <utility>\n"


def add(name, body, helpers="", signature=SIGNATURE, runs=RUNS, grid="grid(1);\n"):
    using = f"using namespace of_{name};\n" if helpers else ""
    if helpers:
        helpers = f"{INCLUDES}namespace of_{name} {{\n{helpers}\n}}"
    table.add(f"language_{name}", signature, using + grid + body, runs, warps=warps_of(name, 2), helpers=helpers)


def operands_once():
    """The left side of an assignment, and the operand of ++ and --, are evaluated once."""
    add("once_postfix", "int i = 0;\nout[i++]++;\nout[40] = i;\nout[i++]--;\nout[41] = i;\nout[i += 2]++;\nout[42] = i;")
    add("once_reference", """int k = n, calls = 0;
auto f = [&]() -> int& { calls += 1; return k; };
f()++;
int before = f()--;
out[0] = calls + 10 * k + 100 * before;""")
    add("once_tiles", """tile<float, 64> p[4];
auto i = arange<64>();
int k = 0;
p[k++] = load(in + i);
p[k++] = load(in + i + n);
p[k++] = p[0] * 2;
p[k++] = p[1];
k = 2;
p[k++] += 1.0f;
p[k++] *= 3.0f;
out[200] = k;
store(out + i, p[0] + p[1]);
store(out + 64 + i, p[2] - p[3]);""", signature=FLOATS)
    add("once_tile_reference", """tile<float, 64> p = load(in + arange<64>());
int k = n;
auto f = [&]() -> tile<float, 64>& { k += 1; return p; };
f() += 1.0f;
f() = p * 2.0f;
tile<float, 64> q = (f() += 2.0f);
out[200] = k;
store(out + arange<64>(), p);
store(out + 64 + arange<64>(), q);""", signature=FLOATS)
    add("once_unused_object", "int i = n;\nout[0] = at(i).of(3) + i * 10;\nout[1] = at(i).k + i * 10;",
        "struct S { static constexpr int k = 5; __tile__ static int of(int a) { return a; } };\n__tile__ S at(int& i) { i += 1; return {}; }")

    add("nothing", """int s = n;
add_all<>(s);
add_all<1, 2>(s);
void();
n > 2 ? void(s += 10) : void();
out[0] = s;""", "template <int... N> __tile__ void add_all(int& s) { ((s += N), ...); }")


def operators_of_classes():
    """In a = b and a += b of classes, too, the right side is evaluated first."""
    add("right_first", """int i = 0;
W w{0};
w.at(i, 1) = w.at(i, 2).v;
out[0] = i;
w.at(i, 3) += w.at(i, 4).v;
out[1] = i;
(w = w.at(i, 5).v) = w.at(i, 6).v;
out[2] = i;
operator+=(w.at(i, 6), w.v);
w.at(i, 3).operator=(7);
out[3] = i;
out[4] = w.v;""", """struct W { int v; __tile__ W& at(int& i, int k) { i = (i * 10 + k) % 1000; return *this; } __tile__ W& operator=(int x) { v = x + 1; return *this; } };
__tile__ W& operator+=(W& w, int x) { w.v += x; return w; }""")


def switches():
    add("switch_behind_break", """int x = 0;
switch (n) {
  case 1: { { x = 1; break; } x = 2; break; }
  case 2: { break; x = 5; break; }
  case 3: break; { x = 70; }
  default: x = 9;
}
out[0] = x;""")
    add("switch_without_braces", "int x = 0;\nswitch (n) case 1: x = 5;\nout[0] = x;\nswitch (n) default: x += 9;\nout[1] = x;")
    add("switch_attributes", "int x = 0;\nswitch (n) { [[likely]] case 1: x = 5; break; case 2: [[unlikely]] x = 7; break; default:; }\nout[0] = x;")
    add("switch_shared", """switch (n) {
  P p;
  case 0: int x; x = 3; p.v = 3; out[0] = x + p.v; break;
  case 1: { int y = 5; x = 7; int z = 6; out[0] = y + z + x * 100; break; }
  default: x = 8; p.v = 4; out[1] = p.v + x;
}""", "struct P { int v; };")


def tuple_likes():
    add("own_get", """Swapped s{n, 50};
auto [a, b] = s;
out[0] = a;
out[1] = b;
auto& [c, d] = s;
c = 9;
out[2] = s.x;
out[3] = s.y + d;""", """struct Swapped { int x, y;
template <int I> __tile__ int& get() { if constexpr (I == 0) return y; else return x; }
template <int I> __tile__ const int& get() const { if constexpr (I == 0) return y; return x; } };
}
template <> struct std::tuple_size<of_own_get::Swapped> { static constexpr std::size_t value = 2; };
template <std::size_t I> struct std::tuple_element<I, of_own_get::Swapped> { using type = int; };
namespace of_own_get {""")
    add("std_pair", """std::pair<int, int> p(n, 50);
auto [a, b] = p;
auto& [c, d] = p;
d += 1;
std::get<0>(p) += 2;
out[0] = a;
out[1] = b;
out[2] = c;
out[3] = std::get<1>(p);
out[4] = p.first;
out[5] = std::get<1>(std::pair<int, int>(n, 4));""", "// std::pair")
    add("std_array", """std::array<int, 3> p{n, 50, 60};
auto [a, b, c] = p;
std::get<1>(p) += a;
out[0] = a + 10 * b + 100 * c;
out[1] = std::get<1>(p) + std::get<2>(p);""", "// std::array")


def references():
    """A reference to one of several objects is right if they have not changed when it is read."""
    add("max_of_changed", """int acc = n;
for (int i = 0; i < 4; ++i) raise(acc, std::max(acc, in[i]));
out[0] = acc;
raise(acc, n > 2 ? acc : in[3]);
out[1] = acc;
out[2] = n;
store_both(out, std::max(out[2], 2));""",
        "__tile__ void raise(int& to, const int& by) { int v = by; to += v * 2; }\n__tile__ void store_both(int* p, const int& v) { int w = v; p[3] = w; p[4] = w + 1; }")

    add("max_in_loop", """int a = n, b = 2;
out[0] = repeat(std::max(a, b), 3);
for (int i = 0; i < 3; ++i) {
  out[1] += repeat(n > i ? a : b, i) + repeat(std::min(a, in[i]), 2);
  b += 1;
}""", "__tile__ int repeat(const int& v, int times) { int s = 0; for (int i = 0; i < times; ++i) s += v * i + [&] { return v + 1; }(); return s; }")


def initial_values():
    """T() makes the members zero that have no initial value; an initial value may change other members."""
    structs = """struct S { int a; int b = 2; };
struct T { S s; int c; };
class C { int a; int b = 2; public: __tile__ int get() const { return a + b; } };
struct D : S { int d; };
struct E { int a = 1; int b = (a += 4); int c = a; };"""
    add("value_initialized", """S s = S();
T t = T();
out[0] = s.a + s.b;
out[1] = t.s.a + t.s.b + t.c;
out[2] = C().get();
out[3] = D().d + D().a + D().b;
C c{};
out[4] = c.get();""", structs)
    add("changing_initializer", "E e{};\nout[0] = e.a + 10 * e.b + 100 * e.c;\nE f{n};\nout[1] = f.a + 10 * f.b + 100 * f.c;\nE g;\nout[2] = g.a + 10 * g.b + 100 * g.c;", structs)
    add("lambda_variables", """auto f = [] { return 5; };
decltype(f) g, h;
int s = 0;
for (int i = 0; i < n; ++i) { g = f; s += i; }
if (n > 1) h = f;
out[0] = s + g() + h();""")

    add("set_by_condition", """int x, s = 0;
while ((x = n * 3 - s) > 0) s += x / 2 + 1;
out[0] = s;
int y;
for (int i = 0; (y = in[i] + i) < n && i < 200; ++i) s += y + 1;
out[1] = s;
s = 0;
S q;
auto next = [&] { q.a = s + 1; q.b = q.a * 2; return q.a < 100; };
while (next()) s += q.b;
out[2] = s;
out[3] = first(in, n);""", """struct S { int a, b; };
__tile__ int first(const int* p, int n) { int x, i = 0; while ((x = p[i]) != 100) { if (x > n) return x; if (++i > 5) break; } return -i; }""")
    add("tile_set_by_condition", """tile<float, 64> t;
int k = 0;
while (sum(t = load(in + k * 32 + arange<64>())) < n * 20.0f && k < 4) { out[128 + k] = max(t); ++k; }
out[140] = k;""", signature=FLOATS)


def own_functions():
    """Functions of the program that have the name of a C function."""
    add("own_pow", "out[0] = pow(n, 3);\nout[1] = rsqrt(n);\nout[2] = abs(n, 2);",
        "__tile__ int pow(int a, int b) { int r = 1; for (int i = 0; i < b; ++i) r *= a + 1; return r; }\n__tile__ int rsqrt(int a) { return a + 5; }\n__tile__ int abs(int a, int b) { return a + b; }")


def launchers():
    """A shift to the left drops bits in the grid and in requirements, too."""
    runs = [{"n": n} for n in (1, 3, 7, 18)]
    add("shifted_grid", "out[pid] = int(pid) + 1;", runs=runs, grid="auto pid = grid(int64_t((n << 28) >> 28) + 8 - (n & 7));\n")
    add("shifted_requirement", "out[0] = 1;", runs=[{"n": n} for n in (9, 15)], grid="require((n << 28) >> 28 < 0);\ngrid(1);\n")


for group in (operands_once, operators_of_classes, switches, tuple_likes, references, initial_values, own_functions, launchers):
    group()
