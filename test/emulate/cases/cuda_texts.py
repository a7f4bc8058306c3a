"""cuda(text, reference, operands...): the emulator runs the reference where a GPU runs the text."""

from case import Table, warps_of

table = Table()
SIZES = [{"n": n} for n in (1, 95, 96, 200)]
BLOCK = "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\nauto m = i < n;\n"


def add(name, parameters, body, runs, **options):
    options.setdefault("warps", warps_of(name, 3))
    table.add(name, parameters, body, runs, **options)


FLOATS = "const float* in = small(n)\nfloat* out = out(n)\nint n"

add(
    "cuda_text_of_tiles",
    "const float* a = small(n)\nconst float16* b = small(n)\nfloat* out = out(n)\nint n",
    BLOCK
    + """
    auto blend = [](float x, float16 y, int k) { return x * 0.5f + float(y) * k; };
    auto y = cuda("return x * 0.5f + __half2float(y) * k;", blend, load(a + i, m), load(b + i, m), 3);
    // The operands are converted to the parameters' types.
    auto z = cuda("return x + k;", [](double x, int8_t k) { return float(x + k); }, y, cast<int>(i) % 100);
    store(out + i, z + cuda("return -v;", [](float16 v) { return float16(-v); }, cast<float16>(y)), m);
    """,
    SIZES,
)

# Padding, which may hold 0, would not end.
add(
    "cuda_text_ends_for_positive",
    "const int* in = below(n + 96, 50)\nint* out = out(n)\nint n",
    BLOCK
    + """
    auto steps = [](int v) {
      int count = 0;
      for (; v != 1; ++count) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
      return count;
    };
    store(out + i, cuda(R"(
      int count = 0;
      for (; v != 1; ++count) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
      return count;
    )", steps, load(in + i, m, 0) + 1), m);
    """,
    SIZES,
)

add(
    "cuda_text_in_functions",
    FLOATS,
    BLOCK
    + """
    auto f = [](float x, int k) {
      float result = x;
      for (int step = 0; step < k % 3; ++step)
        result = cuda("return __fmaf_rn(x, 0.5f, 1.0f);", [](float x) { return x * 0.5f + 1.0f; }, result);
      return k % 2 == 0 ? squared(result) : result;
    };
    auto x = load(in + i, m, 0);
    auto y = map(f, x, cast<int>(i));
    auto largest = reduce<0>(y, [](float a, float b) {
      return cuda("return fmaxf(a, b);", [](float a, float b) { return a > b ? a : b; }, a, b);
    });
    auto above = associative_scan<0>(y, [](float a, float b) { return squared(1.0f) * clipped(a, b); });
    store(out + i, y + largest + above, m);
    """,
    SIZES,
    helpers="""
    template <class T>
    __tile__ T squared(T x) { return cuda("return x * x;", [](T x) { return x * x; }, x); }
    __tile__ float smaller(float a, float b) { return a < b ? a : b; }
    __tile__ float clipped(float a, float b) { return cuda("return fminf(a, b);", smaller, a, b); }
    """,
)

add(
    "cuda_text_of_scalars",
    "int64_t* out = out(6)\nint n\nint64_t wide\nuint32_t bits\nfloat x",
    """
    grid(1);
    out[0] = cuda("return __popc(v);", [](uint32_t v) { int count = 0; for (; v; v &= v - 1) ++count; return count; }, bits);
    out[1] = cuda("return k + 1;", [](int8_t k) { return int8_t(k + 1); }, n * 100);
    int64_t total = 0;
    for (int k = 0; k < n; ++k) {
      if (k % 2) total += cuda("return a - b;", [](int64_t a, int b) { return a - b; }, wide, k);
      else total = cuda("return a * 2;", [](auto a) { return a * 2; }, total) + k;
    }
    out[2] = total;
    bool positive = cuda("return v > 0;", [](float v) { return v > 0; }, x);
    out[3] = positive ? 7 : 8;
    out[4] = program(1);
    out[5] = sum(where(positive, cuda("return a + b;", [](int a, int b) { return a + b; }, arange<96>(), n), 1));
    """,
    [{"n": n, "wide": n * 5, "bits": n * 77, "x": n - 4} for n in (1, 3, 9)],
    helpers='__tile__ int program(int k) { return cuda("return a;", [](int a) { return a; }, k); }\n',
)

add(
    "cuda_text_of_matrix",
    "const float* in = small(m * 48)\nfloat* out = out(m * 48, 1e-6, 1e-6)\nint m",
    """
    auto row = grid(m);
    auto at = row * 48 + arange<48>();
    auto x = load(in + at);
    auto centered = cuda("return x - mean;", [](float x, float mean) { return x - mean; }, x, sum(x) / 48);
    auto t = reshape<6, 8>(centered);
    auto both = cuda(R"(
      // Not the sum: "twice" the one, less the other.
      return 2 * a - b;)", [](float a, float b) { return 2 * a - b; }, trans(trans(t)), expand_dims<0>(max<0>(t)));
    store(out + row * 48 + arange<6>()[all, none] * 8 + arange<8>(), both);
    """,
    [{"m": m} for m in (1, 5)],
)
