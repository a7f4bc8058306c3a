"""Helpers, templates, lambdas, map with branches, tuples, names, arrays and structs."""

from case import WARPS, Table, warps_of

table = Table()
TRIPS = [{"n": n} for n in (5, 1, 0, 2, 9)]


def add(name, parameters, body, runs, **options):
    options.setdefault("warps", WARPS if len(name) % 3 == 0 else warps_of(name, 3))
    table.add(name, parameters, body, runs, **options)


def functions():
    add(
        "helper_template",
        "const float* in = small(96)\nfloat* out = out(96)\nint n",
        "grid(1);\nauto i = arange<96>();\nstore(out + i, helper_relu(load(in + i)) + helper_scale<3>(i, n));",
        TRIPS,
        helpers="""
template <class T, int... D>
__tile__ auto helper_relu(const tile<T, D...>& x) {
  return maximum(x, 0);
}
template <int FACTOR, class T>
__tile__ auto helper_scale(const T& x, int n) {
  if (n > 1) return x * FACTOR;
  return x * (FACTOR + 1);
}
""",
    )
    add(
        "helper_tuple",
        "const float* in = small(96)\nfloat* mean = out(1)\nfloat* out = out(96)\nint n",
        "grid(1);\nauto i = arange<96>();\nauto [total, centred] = helper_centre(load(in + i), n);\nstore(out + i, centred);\nstore(mean, total);",
        TRIPS,
        helpers="""
template <int N>
__tile__ auto helper_centre(const tile<float, N>& x, int n) {
  auto total = sum(x) * n;
  return tl::tuple(total, x - total);
}
""",
    )
    add(
        "helper_lambda",
        "const float* in = small(96)\nfloat* out = out(96)\nint n",
        """
        grid(1);
        auto i = arange<96>();
        auto twice = [&](auto x) { return x * 2 + n; };
        auto x = helper_apply(load(in + i), twice);
        store(out + i, x);
        """,
        TRIPS,
        helpers="""
template <class T, class F>
__tile__ auto helper_apply(const T& x, F f) {
  return f(f(x));
}
""",
    )
    add(
        "helper_early",
        "const int* in = small(96)\nint* out = out(96)\nint n",
        "grid(1);\nauto i = arange<96>();\nauto x = load(in + i);\nstore(out + i, x + helper_choice(sum(x), n));",
        TRIPS,
        helpers="""
__tile__ int helper_choice(int total, int n) {
  if (total > n) return 7;
  int found = -1;
  for (int k = 0; k < 3; ++k) {
    if (total + k == n) {
      found = k;
      break;
    }
  }
  return found;
}
""",
    )
    add(
        "template_kernel",
        "const float* in = small(n)\nfloat* out = out(n)\nint n",
        """
        auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
        auto x = load(in + i, i < n);
        if constexpr (SQUARE) x = x * x;
        store(out + i, x + FACTOR, i < n);
        """,
        [{"n": n} for n in (200, 1, 0, 64)],
        template="template <int BLOCK, bool SQUARE, int FACTOR>",
        arguments="<64, true, 5>",
    )
    add(
        "map_branches",
        "const int* in = small(96)\nfloat* out = out(96)\nint* other = out(96)\nint n",
        """
        grid(1);
        auto i = arange<96>();
        auto x = load(in + i);
        auto steps = map([=](int a) {
          float result = 0;
          if (a < 0) return -1.0f;
          for (; a > 0; a /= 2) {
            if (a == n) break;
            result += a % 2;
          }
          return result;
        }, x);
        store(out + i, steps);
        store(other + i, map(helper_collatz, x * x + 1, i));
        """,
        TRIPS,
        helpers="""
__tile__ int helper_collatz(int a, int b) {
  int steps = 0;
  while (a > 1 && steps < 50) {
    a = a % 2 == 0 ? a / 2 : 3 * a + 1;
    ++steps;
  }
  return steps + b;
}
""",
        warps=WARPS,
    )
    add(
        "map_switch",
        "const int* in = ties(80)\nint* out = out(80)\nint n",
        """
        grid(1);
        auto i = arange<80>();
        store(out + i, map([](int a, int b) {
          switch (a) {
            case 0:
              return b;
            case 1:
              return b * 2;
            default:
              return a - b;
          }
        }, load(in + i), i + n));
        """,
        TRIPS,
    )


def names():
    """Parameters and variables called what generated code calls its own."""
    for word in (
        "programs",
        "stream",
        "vectors",
        "tid",
        "lane",
        "warp",
        "smem",
        "grid_size",
        "blocks",
        "row",
        "offset",
        "valid",
        "result",
        "out_tile",
        "VEC",
        "NUM_THREADS",
        "INFINITY_",
    ):
        add(
            f"named_{word}",
            f"const float* in = small(64 * {word} + 64)\nfloat* out = out(64 * {word} + 64)\nint {word}",
            f"""
            auto program = grid({word});
            auto x = load(in + program * 64 + arange<64>());
            auto i = sum(x);
            auto v = x + i * {word};
            store(out + program * 64 + arange<64>(), v);
            """,
            [{word: 3}, {word: 0}],
            warps=(2,),
        )
    for word in (
        "float_",
        "dim3_",
        "i",
        "j",
        "v",
        "tile2cu",
        "threadIdx",
        "blockIdx",
        "dynamic_smem",
        "add",
        "max_",
        "warp_reduce",
    ):
        add(
            f"called_{word}",
            f"const float* {word} = small(64)\nfloat* out = out(64)\nint n",
            f"grid(n);\nauto x = load({word} + arange<64>());\nstore(out + arange<64>(), x - max(x));",
            [{"n": 1}],
            warps=(4,),
        )


def arguments():
    """Template arguments called what generated code calls its own numbers, or each other's other names."""
    for words in (
        ("VEC", "VECS"),
        ("NUM_WARPS", "NUM_THREADS"),
        ("PROGRAMS_PER_BLOCK", "CLUSTER"),
        ("RESIDENT_THREADS", "STAGES"),
        ("lane_value", "lane"),
        ("half", "half_value"),
        ("D_1", "...D"),
    ):
        first, second = words
        last, numbers = ("(D + ... + 0)", "70, 3, 88") if second == "...D" else (second, "70, 91")
        add(
            f"argument_{first}",
            "int* out = out(2048)\nint n",
            f"""
            auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
            store(out + i, cast<int>(i) * {first} + {last}, i < n);
            """,
            [{"n": 2048}, {"n": 1001}],
            template=f"template <int BLOCK, int {first}, int {second}>",
            arguments=f"<512, {numbers}>",
            warps=(1, 2),
        )


def arrays():
    """Arrays of tiles and of structs with tiles, which are zeros; networks whose steps use the tile before them twice."""
    add(
        "arrays_of_zeros",
        "const float* x = small(64)\nfloat* out = out(64)\nint n",
        """
        struct two { tile<float, 64> part[2]; int n[2] = {1, 2}; };
        struct one { tile<float, 64> x; float f = 2; };
        grid(1);
        auto i = arange<64>();
        tile<float, 64> acc[2], more[2][2];
        two t;
        one m[3];
        for (int k = 0; k < n; ++k) {
          acc[0] += load(x + i);
          acc[1] += acc[0];
          more[1][0] += acc[1];
          t.part[1] += acc[1] * t.n[1];
          m[2].x += m[2].f + m[0].f;
        }
        store(out + i, acc[0] + acc[1] + more[1][0] + more[0][1] + t.part[0] + t.part[1] + m[2].x + m[1].x);
        """,
        TRIPS,
    )
    add(
        "exchanges",
        "const int* x = small(64)\nint* out = out(64)\nint n",
        """
        grid(1);
        auto i = arange<64>();
        auto k = load(x + i);
        static_for<24>([&](auto s) {
          auto v = reshape<32, 2>(k);
          auto o = flip<1>(v);
          k = reshape<64>(where((v > o) ^ (v * 3 < o + s), v + o, v - o * 2));
        });
        store(out + i, k);
        """,
        [{"n": 1}],
        warps=(1, 2),
    )


def elements():
    """A range-for over an array: its variable has a type of its own, or refers to the element."""
    parameters = "const int* x = small(64)\nint* out = zero(64)\nint n"
    numbers = "grid(1);\nint a[3] = {n, 1, 300};\nfloat f[2] = {2.7f, n + 0.5f};\n"
    bodies = {
        "float": numbers + "float c = 0;\nfor (float v : a) c += v / 2;\nout[0] = int(c * 10);",
        "narrow": numbers + "int c = 0;\nfor (uint8_t v : a) c += v;\nfor (bool v : a) c += v;\nfor (int v : f) c += v;\nout[0] = c;",
        "wide": numbers + "int64_t c = 0;\nfor (int64_t v : a) c += (v << 33) >> 31;\nfor (const double& v : f) c += int64_t(v * 100);\nout[0] = int(c);",
        "changed": numbers + "int c = 0;\nfor (auto v : a) { v += 1; c += v; }\nfor (auto& v : a) v += n;\nfor (const auto& v : a) c += v;\nout[0] = c;",
        "struct": """grid(1);
struct pair { int first, second; };
pair a[2] = {{n, 2}, {3, 4}};
int c = 0;
for (auto [x, y] : a) { x += 1; c += x * 10 + y; }
for (auto& [x, y] : a) x += n;
for (pair p : a) { p.first += 99; c += p.second; }
for (const auto& p : a) c += p.first;
out[0] = c;""",
        "tile": """grid(1);
tile<int, 64> a[2] = {arange<64>(), load(x + arange<64>())};
tile<int, 64> c{};
for (auto v : a) { v += n; c += v; }
for (auto& v : a) v += 1;
for (const auto& v : a) c = c * 2 + v;
store(out + arange<64>(), c);""",
    }
    for name, body in bodies.items():
        add(f"elements_{name}", parameters, body, TRIPS, warps=(1, 2))


def captures():
    """What a function with branches captures may be computed between two steps of the same tile."""
    pick = "[=](float e) {\nif (e > 3) return e;\nreturn %s > 2 ? 2.0f : 1.0f;\n}"
    p = "const float* x = small(64)\nfloat* o = out(64)\nfloat* q = out(64)\nint n"
    lines = "grid(1);\nauto i = arange<64>();\nauto a = load(x + i);\nstore(o + i, a);\n"
    add("capture_changed", p, lines + "++n;\nstore(q + i, map(" + pick % "n" + ", a));", TRIPS, warps=(1, 4))
    add("capture_computed", p, lines + "int t = n + 1;\nstore(q + i, map(" + pick % "t" + ", a));", TRIPS, warps=(1, 4))
    add("capture_reduced", p, lines + "auto z = map(" + pick % "n" + ", a);\nfloat m = max(z);\nstore(q + i, map([=](float e) {\nif (e == m) return 1;\nreturn 0;\n}, z));",
        TRIPS, warps=(1, 4))
    # The call, with two captures in braces, is an argument of another function.
    add("capture_two", p, "grid(1);\nauto i = arange<64>();\nfloat t = n + 0.5f;\n"
        "store(q + i, minimum(maximum(where(map([=](float e) { if (e > 3) return e - t; return e - n; }, load(x + i)) > 0, 3.0f, 0.5f), 1.0f), 2.5f));", TRIPS, warps=(1, 4))


HELPERS_THAT_RETURN = """
__tile__ int return_first(const int* x, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] > 4) return x[i] * 10 + i;
  return -1;
}
__tile__ int return_nested(const int* x, int n, int want) {
  int steps = 0;
  if (n == 2) return 7;
  for (int i = 0; i < n; ++i) {
    int j = i + 1;
    while (j < n) {
      ++steps;
      if (x[i] + x[j] == want) return i * 100 + j;
      if (steps > 30) return -steps;
      ++j;
    }
    if (steps % 7 == 3) continue;
    steps += 2;
  }
  if (steps > 10) return steps;
  for (auto k : range(n, 20)) {
    do {
      if (k * steps > 40) return 1000 + k;
      ++steps;
    } while (steps % 5);
  }
  return -1;
}
__tile__ int return_switch(int n) {
  for (int i = 0; i < 9; ++i) {
    switch ((n + i) % 4) {
      case 0: return i;
      case 1: n += 1; break;
      default: n += 2;
    }
  }
  return n + 50;
}
template <class Tile>
__tile__ Tile return_tile(Tile x, int n) {
  for (int i = 0; i < n; ++i) {
    x = x * 2 + i;
    if (max(x) > 100) return x - i;
  }
  return x + 1;
}
__tile__ void return_nothing(int* o, int n) {
  for (int i = 0; i < n; ++i) {
    if (i == 3) return;
    o[i] = i + 1;
  }
  o[7] = n;
}
"""


def returns():
    """Returns out of the loops of helpers."""
    p = "const int* x = below(64, 9)\nint* o = out(80)\nint n"
    runs = [{"n": n} for n in (5, 1, 0, 2, 9, 16)]
    for name, body in (
        ("first", "o[0] = return_first(x, n);\no[1] = return_first(x + 1, n) + return_first(x + 20, 3);"),
        ("nested", "o[0] = return_nested(x, n, 11);\no[1] = return_nested(x, n, 40);"),
        ("switch", "o[0] = return_switch(n);\no[1] = return_switch(n * 3 + 1);"),
        ("tile", "auto i = arange<64>();\nstore(o + i, return_tile(load(x + i), n));"),
        ("nothing", "return_nothing(o, n);"),
        ("in_a_loop", "int s = 0;\nfor (int k = 0; k < n; ++k) {\ns += return_first(x + k, 4);\nif (s > 300) break;\n}\no[0] = s;"),
        ("map", "auto i = arange<64>();\nstore(o + i, map([=](int a) {\nfor (int k = 2; k < n + 3; ++k) if (a % k == 0) return k;\nreturn a;\n}, load(x + i) + i));"),
        ("map_function", "auto i = arange<64>();\nstore(o + i, map(return_switch, load(x + i)));"),
    ):
        # Each case has helpers of its own: a sample may hold any of the cases alone.
        text, helpers = (t.replace("return_", f"{name}_return_") for t in (body, HELPERS_THAT_RETURN))
        add(f"early_{name}", p, "grid(1);\n" + text, runs, helpers=helpers, warps=(1, 4))


def functors():
    """Two instances of one template, each with lambdas of its own: the second instance is run."""
    # No lambda is a sum or the like, which would need no functor.
    for kind, one, first, second in (
        (
            "reduce",
            "out[0] = reduce<0>(x, [=](int u, int v) { return u + v + n; });",
            "out[0] = reduce<0>(x, [=](int u, int v) { return u + v - n; });",
            "out[1] = reduce<0>(x, [=](int u, int v) { return u ^ v ^ n; });",
        ),
        (
            "map",
            "store(out + i, map([=](int u) { for (int k = 0; k < n; ++k) u = u + k; return u; }, x));",
            "store(out + i, map([=](int u) { for (int k = 0; k < n; ++k) u = u - k; return u; }, x));",
            "store(out + 96 + i, map([=](int u) { for (int k = 0; k < n; ++k) u = u ^ k; return u; }, x));",
        ),
        (
            "scan",
            "store(out + i, associative_scan<0>(x, [=](int u, int v) { return u + v + n; }));",
            "store(out + i, associative_scan<0>(x, [=](int u, int v) { return u + v - n; }));",
            "store(out + 96 + i, associative_scan<0>(y, [=](int u, int v) { return u ^ v ^ n; }));",
        ),
    ):
        name = f"functors_{kind}"
        template = "template <int N, bool TWO>"
        add(
            name,
            "const int* in = small(96)\nint* out = out(192)\nint n",
            f"""
            grid(1);
            auto i = arange<N>();
            auto x = load(in + i);
            auto y = x ^ n;
            if constexpr (TWO) {{
              {first}
              {second}
            }} else {{
              {one}
            }}
            """,
            TRIPS,
            template=template,
            arguments="<96, true>",
            helpers=f"""
{template}
__tile_global__ void {name}(const int* __restrict__ in, int* __restrict__ out, int n);
inline constexpr auto {name}_one = instantiate(::{name}<96, false>, {{.num_warps = 4}});
""",
            warps=(1, 4),
        )


for make in (functions, names, arguments, arrays, elements, captures, returns, functors):
    make()
