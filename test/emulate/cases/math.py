"""Float functions within the bounds of runtime/doc/accuracy.md, and those written in the language."""

from case import FLOATS, SHORT, ULP, Table, ragged, warps_of

table = Table()
U = 2.0**-24  # half a unit of float in the last place, relative: 1 ulp <= 2 U
FAST_TANH = 2**12 + 1  # 2^-11
# function, domain, relative bound in ulp of float, absolute bound
ONE = [
    ("exp", "unit", 10, 0),
    ("exp2", "unit", 3, 0),
    ("log", "open", 5, 2**-21),
    ("log2", "open", 5, 2**-21),
    ("sqrt", "open", 3, 0),
    ("sqrt_rn", "open", 1, 0),
    ("rsqrt", "open", 4, 0),
    ("sin", "unit", 4, 2**-23),
    ("cos", "unit", 4, 2**-23),
    ("tan", "sine", 6, 0),
    ("tanh", "unit", 6, 0),
    ("fast_tanh", "unit", FAST_TANH, 0),
    ("erf", "unit", 4, 0),
    ("floor", "unit", 0, 0),
    ("ceil", "unit", 0, 0),
    ("rint", "unit", 0, 0),
    ("trunc", "unit", 0, 0),
    ("round", "unit", 0, 0),
    ("asin", "sine", 4, 0),
    ("acos", "sine", 4, 2**-22),  # of 16-bit types, near 0
    ("atan", "unit", 4, 0),
    ("sinh", "unit", 6, 0),
    ("cosh", "unit", 4, 0),
    ("asinh", "unit", 6, 0),
    ("acosh", "open", 8, 0),
    ("atanh", "sine", 6, 0),
    ("exp10", "unit", 4, 0),
    ("expm1", "unit", 4, 0),
    ("log10", "open", 4, 2**-22),
    ("log1p", "open", 4, 0),
    ("cbrt", "unit", 4, 0),
    ("erfc", "unit", 8, 0),
    ("erfinv", "sine", 6, 0),
    ("lgamma", "open", 12, 2**-20),
    ("tgamma", "open", 12, 0),
]
ABOVE_ONE = {"acosh", "lgamma"}  # their arguments are x + 1
COMPOSED = [("sigmoid", 12), ("silu", 12), ("gelu", 40)]


def bound(t, ulps, absolute=0):
    """Of the type: 16-bit types are computed in float and rounded once."""
    if ulps == 0:
        return ""
    if t == "double":
        return f", {ulps * 2.0**-52}, {2.0**-50 if absolute else 0}"
    relative = ulps * 2.0**-23 + (ULP[t] if t != "float" else 0)
    return f", {relative}, {absolute}"


def block(n):
    return f"auto i = grid(cdiv(n, {n})) * {n} + arange<{n}>();\nauto m = i < n;\n"


def one_argument():
    for t in FLOATS:
        for group, start in enumerate(range(0, len(ONE), 6)):
            part = ONE[start : start + 6]
            name = f"math_{SHORT[t]}_{group}"
            inputs = sorted({d for _, d, _, _ in part})
            parameters = "".join(f"const {t}* {d}_in = {d}(n)\n" for d in inputs)
            parameters += "".join(f"{t}* {f}_out = out(n{bound(t, u, a)})\n" for f, _, u, a in part)
            body = block(96) + "".join(f"auto {d}_x = load({d}_in + i, m, 1);\n" for d in inputs)
            arguments = {f: f"{d}_x + 1" if f in ABOVE_ONE else f"{d}_x" for f, d, _, _ in part}
            body += "".join(f"store({f}_out + i, {f}({x}), m);\n" for f, x in arguments.items())
            table.add(name, parameters + "int n", body, ragged(96), warps=warps_of(name))
        name = f"composed_{SHORT[t]}"
        parameters = f"const {t}* in = unit(n)\n" + "".join(
            f"{t}* {f}_out = out(n{bound(t, u, 1e-6)})\n" for f, u in COMPOSED
        )
        body = (
            block(96)
            + "auto x = load(in + i, m);\n"
            + "".join(f"store({f}_out + i, {f}(x), m);\n" for f, _ in COMPOSED)
        )
        parameters += f"{t}* approx = out(n{bound(t, 40, 1e-6)})\n"
        # Numbers up to 4: off by up to 4 x 2^-12, for doubles by nothing.
        relative = 2.0**-50 if t == "double" else ULP[t] + 2.0**-22
        parameters += (
            f"{t}* fast = out(n, {relative}, {2.0**-48 if t == 'double' else 2.0**-10})\n"
        )
        table.add(
            name,
            parameters + "int n",
            body
            + "store(approx + i, gelu(x, tanh_approx), m);\n"
            + "store(fast + i, gelu(x, fast_tanh_approx), m);",
            ragged(96),
            warps=warps_of(name),
        )


def two_arguments():
    for t in FLOATS:
        name = f"math2_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = open(n)\nconst {t}* b = unit(n)\nconst {t}* c = open(n)\n{t}* power = out(n{bound(t, 8)})\n"
            f"{t}* length = out(n{bound(t, 6)})\n{t}* fast = out(n{bound(t, 3)})\n{t}* exact = out(n)\n{t}* root = out(n)\nint n",
            block(128)
            + "auto x = load(a + i, m, 1);\nauto y = load(b + i, m);\nauto z = load(c + i, m, 1);\nstore(power + i, pow(x, y), m);\n"
            "store(length + i, hypot(x, y), m);\n"
            "store(fast + i, fdiv(y, z), m);\nstore(exact + i, div_rn(y, z), m);\nstore(root + i, sqrt_rn(z), m);",
            ragged(128),
            warps=warps_of(name),
        )


def more_of_two_arguments():
    """atan2, the two remainders, and the functions that move or copy bits."""
    for t in FLOATS:
        name = f"math2_exact_{SHORT[t]}"
        functions = ["fmod", "remainder", "copysign"]
        functions += ["nextafter"] if t in ("float", "double") else []
        parameters = f"const {t}* a = unit(n)\nconst {t}* b = extreme(n)\n{t}* angle = out(n{bound(t, 6)})\n"
        parameters += "".join(f"{t}* {f}_out = out(n)\n" for f in functions) + "int n"
        body = block(96) + "auto x = load(a + i, m);\nauto y = load(b + i, m, 1);\nstore(angle + i, atan2(x, y), m);\n"
        body += "".join(f"store({f}_out + i, {f}(x, y), m);\n" for f in functions)
        table.add(name, parameters, body, ragged(96), warps=warps_of(name))


def classes():
    """Masks of NaNs, infinities and numbers; on scalars and in map as well."""
    for t in FLOATS:
        name = f"classes_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = extreme(n)\nint32_t* masks = out(n)\nint32_t* mapped = out(n)\nint32_t* first = out(1)\nint n",
            block(64)
            + """
            auto x = load(a + i, m);
            store(masks + i, cast<int>(isnan(x)) + 2 * cast<int>(isinf(x)) + 4 * cast<int>(isfinite(x)), m);
            auto wide = cast<float>(x);
            store(mapped + i, map([](float e) { return std::isnan(e) ? 1 : std::isinf(e) ? 2 : std::isfinite(e) ? 4 : 0; }, wide), m);
            if (program_id(0) == 0) {
              auto s = a[0];
              first[0] = (isnan(s) ? 1 : 0) + (isinf(s) ? 2 : 0) + (isfinite(s) ? 4 : 0);
            }
            """,
            [{"n": n} for n in (1, 64, 130)],
            warps=warps_of(name),
            helpers="#include <cmath>",
        )


def edges():
    """NaN, infinities and zeros go through functions as through libm."""
    for t in ("float", "double", "float16"):
        name = f"math_edges_{SHORT[t]}"
        functions = "exp exp2 floor ceil rint abs tanh fast_tanh erf sqrt log".split()
        functions += "trunc round asin acos atan sinh cosh asinh acosh atanh expm1 log10 log1p cbrt erfc erfinv".split()
        ulps = {"fast_tanh": FAST_TANH}
        parameters = "".join(
            f"{t}* {f}_out = out(n{bound(t, ulps.get(f, 170), 1e-6)})\n" for f in functions
        )
        body = (
            block(64)
            + "auto x = load(a + i, m);\n"
            + "".join(f"store({f}_out + i, {f}(x), m);\n" for f in functions)
        )
        table.add(
            name,
            f"const {t}* a = special(n)\n{parameters}int n",
            body,
            ragged(64),
            warps=warps_of(name),
        )


def divisors():
    """Divisors of 1 or more, whose reciprocals are 0 above 2^126: dividends here are up to 128 then. Those that
    are as large as a dividend may be have no reciprocals."""
    far = 2.0**-126
    # expression, relative bound in ulp of float, absolute bound
    quotients = {
        "sigmoid": ("sigmoid(x)", 170, far),
        "silu": ("silu(x)", 170, 128 * far),
        "approx": ("gelu(x, tanh_approx)", 340, 128 * far),
        "exponential": ("u / (1 + exp2(x))", 4, 4 * far),
        "square": ("1 / (1 + x * x)", 4, far),
        "lorentz": ("fdiv(x, x * x + 1)", 4, far),
        "magnitude": ("1 / (1 + abs(z))", 4, far),
        "maximum": ("-0.5 / maximum(x, 1)", 4, far),
        "softsign": ("x / (1 + abs(z))", 4, 2.0**-148),
        "clipped": ("z / maximum(abs(x), 1)", 4, 2.0**-148),
    }
    for t in ("float", "float16", "bfloat16"):
        name = f"divisors_{SHORT[t]}"
        least = 2.0**-24 if t == "float16" else 0  # the step of its subnormal numbers
        parameters = f"const {t}* a = extreme(n)\nconst {t}* b = extreme(n)\nconst {t}* c = unit(n)\n"
        body = block(64) + "auto x = load(a + i, m);\nauto z = load(b + i, m);\nauto u = load(c + i, m);\n"
        for q, (text, ulps, absolute) in quotients.items():
            relative = ulps * 2.0**-23 + (ULP[t] if t != "float" else 0)
            parameters += f"{t}* {q}_out = out(n, {relative}, {max(absolute, least)})\n"
            body += f"store({q}_out + i, {text}, m);\n"
        table.add(name, parameters + "int n", body, ragged(512), warps=warps_of(name))


def scalars():
    for t in FLOATS:
        name = f"scalar_math_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = open(n)\n{t}* roots = out(n{bound(t, 4)})\n{t}* powers = out(n{bound(t, 10)})\n{t}* highs = out(n)\nint n\n{t} s",
            """
            auto row = grid(n);
            auto x = a[row];
            roots[row] = sqrt(x);
            powers[row] = exp2(minimum(x, s));
            highs[row] = maximum(floor(x), s);
            """,
            [{"n": 3, "s": 2}, {"n": 1, "s": 5}],
            warps=warps_of(name),
        )


def softmaxes():
    for t in FLOATS:
        for n in (32, 96, 1000):
            name = f"softmax_{SHORT[t]}_{n}"
            table.add(
                name,
                f"const {t}* in = unit(rows * n)\n{t}* out = out(rows * n{bound(t, 60, 1e-9)})\nint rows\nint n",
                f"""
                auto row = grid(rows);
                auto i = arange<{n}>();
                auto x = load(in + row * n + i, i < n, -inf);
                store(out + row * n + i, softmax(x), i < n);
                """,
                [{"rows": 3, "n": n}, {"rows": 3, "n": n // 2 + 1}, {"rows": 1, "n": 1}],
                warps=warps_of(name, 2),
            )
    for axis, d0, d1 in ((0, 16, 32), (1, 16, 32), (0, 8, 128), (1, 80, 16)):
        name = f"softmax_axis{axis}_{d0}x{d1}"
        table.add(
            name,
            f"const float* in = unit({d0 * d1})\nfloat* out = out({d0 * d1}, 1e-5)\nint count",
            f"""
            grid(count);
            auto at = arange<{d0}>()[all, none] * {d1} + arange<{d1}>()[none, all];
            store(out + at, softmax<{axis}>(load(in + at)));
            """,
            [{"count": 1}, {"count": 0}],
            warps=warps_of(name, 2),
        )


for make in (one_argument, two_arguments, more_of_two_arguments, classes, edges, divisors, scalars, softmaxes):
    make()
