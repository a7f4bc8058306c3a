"""__device__ functions: of a header, which the emitted file includes, and of the source, which are inlined."""

from case import Table, warps_of

table = Table()
SIZES = [{"n": n} for n in (1, 95, 96, 128, 200)]
INCLUDE = '#include "device_functions.h"\n'


def add(name, parameters, body, runs, **options):
    options.setdefault("warps", warps_of(name, 3))
    options["helpers"] = INCLUDE + options.get("helpers", "")
    table.add(name, parameters, body, runs, **options)


BLOCK = "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\n"


def maps():
    # Padding, which may hold 0, would not end.
    add(
        "device_ends_for_positive",
        "const int* in = below(n + 96, 50)\nint* out = out(n)\nint n",
        BLOCK
        + "auto v = load(in + i, i < n, 0) + 1;\nstore(out + i, map(device_functions::collatz_steps, v), i < n);",
        SIZES,
    )
    add(
        "device_of_two",
        "const float* a = small(n)\nconst float* b = small(n)\nfloat* out = out(n)\nint n\nfloat share",
        BLOCK
        + "auto m = i < n;\nstore(out + i, map(device_functions::blended, load(a + i, m), load(b + i, m), share), m);",
        [{"n": n, "share": 0.25} for n in (1, 95, 200)],
    )
    add(
        "device_in_branches",
        "const float* in = small(n)\nfloat* out = out(n)\nint n",
        BLOCK
        + """
        auto f = [n](float x, int k) {
          float result = x;
          for (int step = 0; step < k % 3; ++step) result = device_functions::blended(result, n, 0.5f);
          return k % 2 == 0 ? result + cubed(x) : device_functions::scaled<float, 3>(result);
        };
        store(out + i, map(f, load(in + i, i < n), cast<int>(i)), i < n);
        """,
        SIZES,
        helpers="__host__ __device__ float cubed(float x) { return x * x * x; }\n",
    )


def halves():
    """16-bit floats, which have CUDA's names in the header."""
    for t in ("float16", "bfloat16"):
        add(
            f"device_{t}",
            f"const {t}* in = small(n)\n{t}* out = out(n)\nint n",
            BLOCK
            + f"""
            auto m = i < n;
            auto v = load(in + i, m);
            auto y = map(device_functions::mixed, cast<float16>(v), cast<bfloat16>(v) + bfloat16(1), cast<int>(i));
            auto z = map([n]({t} e) {{ return n > 95 ? device_functions::negated(e) : e; }}, v);
            store(out + i, cast<{t}>(y) + z + device_functions::negated({t}(n)), m);
            """,
            SIZES,
        )


def overloads():
    """The type of an argument in the emitted text is that of the source."""
    text = " + ".join(
        f"map([](auto e) {{ return device_functions::bytes(e); }}, cast<{t}>(v)) * {k + 1}"
        for k, t in enumerate(
            ("int8_t", "int16_t", "int", "int64_t", "uint32_t", "float", "double", "float16", "bfloat16")
        )
    )
    add(
        "device_overloads",
        "const int* in = below(n, 100)\nint* out = out(n)\nint n",
        BLOCK + f"auto v = load(in + i, i < n);\nstore(out + i, {text}, i < n);",
        SIZES,
    )
    add(
        "device_overloads_of_scalars",
        "int* out = out(8)\nint n\nint64_t wide\nuint32_t bits\nfloat x",
        """
        grid(1);
        out[0] = device_functions::bytes(int8_t(n)) + device_functions::bytes(int8_t(3));
        out[1] = device_functions::bytes(int16_t(n)) + device_functions::bytes(int16_t(n + 1));
        out[2] = device_functions::bytes(n) + device_functions::bytes(7);
        out[3] = device_functions::bytes(wide) + device_functions::bytes(int64_t(n)) + device_functions::bytes(int64_t(5));
        out[4] = device_functions::bytes(bits) + device_functions::bytes(9u) + device_functions::bytes(uint32_t(n));
        out[5] = device_functions::bytes(x) + device_functions::bytes(1.5f) + device_functions::bytes(float(n));
        out[6] = device_functions::bytes(1.5) + device_functions::bytes(double(x));
        out[7] = n > 3 ? device_functions::collatz_steps(n) : device_functions::scaled<int64_t, 2>(wide);
        """,
        [{"n": n, "wide": n, "bits": n, "x": n} for n in (3, 9)],
    )


maps()
halves()
overloads()
