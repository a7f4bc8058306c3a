"""Reductions as Triton's tests have them: kinds x types x shapes x axes, with results that Python computes."""

import math

from case import FLOATS, INTEGERS, SHORT, Table
from cases.reductions import sum_type
from cases.shapes import address, product, shape_text
from computed import first_of, reduced, wrap

table = Table(rarely=True)
ALL = [*INTEGERS, *FLOATS]
PLANES = [(2, 32), (4, 32), (4, 128), (16, 32)]
CUBES = [(2, 32, 16), (32, 2, 16), (32, 16, 2)]


def total(t):
    """The sum of a line, in the type that `sum` gives it."""
    s = sum_type(t)
    return lambda line: wrap(sum(line), s) if s not in FLOATS else sum(line)


def kinds(t, shape, axis):
    """What `expected` gives for the outputs below."""

    def expected(given):
        along = lambda f: reduced(given["in"], shape, axis, f)  # noqa: E731
        return {
            "total": along(total(t)),
            "high": along(max),
            "low": along(min),
            "at_high": along(first_of(max)),
            "at_low": along(first_of(min)),
        }

    return expected


def add_kinds(name, t, shape, axis, warps, spelled=None):
    """sum, max, min, argmax and argmin along one axis; `spelled` is how the kernel writes the axis."""
    rest = shape[:axis] + shape[axis + 1 :]
    n, s = product(rest), sum_type(t)
    to = f" + ({address(rest)})" if rest else ""
    a = axis if spelled is None else spelled
    table.add(
        name,
        f"const {t}* in = ties({product(shape)})\n{s}* total = out({n})\n{t}* high = out({n})\n{t}* low = out({n})\n"
        f"int* at_high = out({n})\nint* at_low = out({n})\nint count",
        f"""
        grid(count);
        auto x = load(in + ({address(shape)}));
        store(total{to}, sum<{a}>(x));
        store(high{to}, max<{a}>(x));
        store(low{to}, min<{a}>(x));
        store(at_high{to}, argmax<{a}>(x));
        store(at_low{to}, argmin<{a}>(x));
        """,
        [{"count": 1}],
        warps=warps,
        expected=kinds(t, shape, axis),
    )


def lines():
    for t in ALL:
        for n in (32, 64, 128, 512):
            add_kinds(f"triton_reduce_{n}_{SHORT[t]}", t, (n,), 0, (1, 4))


def planes():
    for t in ALL:
        add_kinds(f"triton_reduce_1x1024_1_{SHORT[t]}", t, (1, 1024), 1, (4,))
    for shape in [*PLANES, *CUBES]:
        for axis in range(len(shape)):
            name = f"{shape_text(shape)}_{axis}"
            add_kinds(f"triton_reduce_{name}_f32", "float", shape, axis, (1, 2, 4, 8))
            add_kinds(f"triton_reduce_negative_{name}_i32", "int", shape, axis, (4,), axis - len(shape))


def keep_dims():
    for shape in [(32, 16), *CUBES]:
        for axis in [*range(len(shape)), None]:
            kept = tuple(1 if axis in (k, None) else n for k, n in enumerate(shape))
            of = "" if axis is None else f"<{axis}>"

            def expected(given, shape=shape, axis=axis):
                values = given["in"]
                along = lambda f: [f(values)] if axis is None else reduced(values, shape, axis, f)  # noqa: E731
                return {"high": along(max), "at": along(first_of(max)), "total": along(sum)}

            table.add(
                f"triton_keep_dims_{shape_text(shape)}_{'all' if axis is None else axis}",
                f"const float* in = ties({product(shape)})\nfloat* high = out({product(kept)})\n"
                f"int* at = out({product(kept)})\nfloat* total = out({product(kept)})\nint count",
                f"""
                grid(count);
                auto x = load(in + ({address(shape)}));
                auto to = {address(kept)};
                store(high + to, max{of}(x, keep_dims));
                store(at + to, argmax{of}(x, keep_dims));
                store(total + to, sum{of}(x, keep_dims));
                """,
                [{"count": 1}],
                warps=(1, 4),
                expected=expected,
            )


def all_axes():
    for t in ("float", "int", "float16"):
        table.add(
            f"triton_reduce_all_{SHORT[t]}",
            f"const {t}* in = ties(512)\n{sum_type(t)}* total = out(1)\n{t}* high = out(1)\nint* at = out(1)\nint count",
            f"grid(count);\nauto x = load(in + ({address((16, 32))}));\n"
            "store(total, sum(x));\nstore(high, max(x));\nstore(at, argmax(x));",
            [{"count": 1}],
            warps=(1, 4),
            expected=lambda given: {
                "total": [sum(given["in"])],
                "high": [max(given["in"])],
                "at": [given["in"].index(max(given["in"]))],
            },
        )


def with_indices():
    """max and min with return_indices."""
    for t in ALL:
        for n in (32, 64, 128, 512):
            table.add(
                f"triton_with_indices_{n}_{SHORT[t]}",
                f"const {t}* in = ties({n})\n{t}* value = out(1)\nint* index = out(1)\nint count",
                f"""
                grid(count);
                auto i = arange<{n}>();
                auto [v, at] = reduce<0>(tl::tuple(load(in + i), i), [](auto a, auto b) {{
                  return a.v0 > b.v0 || (a.v0 == b.v0 && a.v1 < b.v1) ? a : b;
                }});
                store(value, v);
                store(index, at);
                """,
                [{"count": 1}],
                warps=(4,),
                expected=lambda given: {
                    "value": [max(given["in"])],
                    "index": [given["in"].index(max(given["in"]))],
                },
            )


def extreme(choose, line):
    """max or min of the numbers of a line that are not NaN."""
    numbers = [x for x in line if x == x]
    return choose(numbers, default=-math.inf if choose is max else math.inf)


def ignores_nan():
    """NaN is ignored by max, min, argmax and argmin, and kept with propagate_nan."""
    for t in ("float16", "bfloat16", "float", "double"):

        def expected(given):
            x = given["in"]
            high, low = extreme(max, x), extreme(min, x)
            has = any(v != v for v in x)
            return {
                "high": [high],
                "low": [low],
                "at": [x.index(high), x.index(low)],
                "with_nan": [math.nan if has else high, math.nan if has else low],
            }

        table.add(
            f"triton_reduce_nan_{SHORT[t]}",
            f"const {t}* in = nans(128)\n{t}* high = out(1)\n{t}* low = out(1)\nint* at = out(2)\n{t}* with_nan = out(2)\nint count",
            """
            grid(count);
            auto x = load(in + arange<128>());
            store(high, max(x));
            store(low, min(x));
            store(at, argmax(x));
            store(at + 1, argmin(x));
            store(with_nan, max(x, propagate_nan));
            store(with_nan + 1, min(x, propagate_nan));
            """,
            [{"count": 1}],
            warps=(1, 4),
            expected=expected,
        )


def parity():
    """xor_sum, of bool too."""
    for t in ("bool", *INTEGERS):
        for shape, axis in (((128,), 0), ((8, 32), 1)):

            def expected(given, shape=shape, axis=axis):
                def parity(line):
                    total = 0
                    for x in line:
                        total ^= x
                    return total

                return {"out": reduced(given["in"], shape, axis, parity)}

            rest = product(shape[:axis] + shape[axis + 1 :])
            table.add(
                f"triton_xor_sum_{shape_text(shape)}_{SHORT[t]}",
                f"const {t}* in = bits({product(shape)})\n{t}* out = out({rest})\nint count",
                f"grid(count);\nauto x = load(in + ({address(shape)}));\n"
                f"store(out{' + arange<8>()' if len(shape) > 1 else ''}, xor_sum<{axis}>(x));",
                [{"count": 1}],
                warps=(1, 4),
                expected=expected,
            )


def any_of():
    """reduce_or."""
    for t in ("bool", "int"):
        table.add(
            f"triton_reduce_or_{SHORT[t]}",
            f"const {t}* in = sparse(16 * 32)\nbool* some = out(16)\nbool* every = out(16)\nint count",
            f"grid(count);\nauto x = load(in + ({address((16, 32))}));\n"
            "store(some + arange<16>(), any<1>(x));\nstore(every + arange<16>(), all_of<1>(x));",
            [{"count": 1}],
            warps=(1, 4),
            expected=lambda given: {
                "some": reduced(given["in"], (16, 32), 1, any),
                "every": reduced(given["in"], (16, 32), 1, all),
            },
        )


def chained():
    """Reductions of a tile of five dimensions, one after the other."""

    def expected(given):
        x = reduced(given["in"], (2, 4, 8, 4, 2), 4, sum)
        x = reduced(x, (2, 4, 8, 4), 1, max)
        x = reduced(x, (2, 8, 4), 2, sum)
        x = reduced(x, (2, 8), 0, sum)
        return {"out": x, "line": [max(x)]}

    table.add(
        "triton_reduce_chained",
        "const float* in = small(512)\nfloat* out = out(8)\nfloat* line = out(1)\nint count",
        f"""
        grid(count);
        auto x = load(in + ({address((2, 4, 8, 4, 2))}));
        auto y = sum<0>(sum<2>(max<1>(sum<4>(x))));
        store(out + arange<8>(), y);
        store(line, max(y));
        """,
        [{"count": 1}],
        warps=(1, 2, 4, 8),
        expected=expected,
    )


def combined():
    """A combine function with a side that is a branch: 1-D and 2-D."""
    for shape, axis in (((128,), 0), ((16, 32), 1), ((32, 16), 0)):

        def expected(given, shape=shape, axis=axis):
            def magnitude(line):
                return min((x for x in line if abs(x) == max(map(abs, line))))

            return {"out": reduced(given["in"], shape, axis, magnitude)}

        rest = shape[:axis] + shape[axis + 1 :]
        to = f" + {address(rest)}" if rest else ""
        table.add(
            f"triton_reduce_branch_{shape_text(shape)}",
            f"const int* in = small({product(shape)})\nint* out = out({product(rest)})\nint count",
            f"""
            grid(count);
            auto x = load(in + ({address(shape)}));
            store(out{to}, reduce<{axis}>(x, [](int a, int b) {{
              if (abs(a) == abs(b)) return a < b ? a : b;
              return abs(a) > abs(b) ? a : b;
            }}));
            """,
            [{"count": 1}],
            warps=(1, 4),
            expected=expected,
        )


def carried():
    """Sums that loops carry, whose part across threads may be moved out of the loop; other readers of the rows remain."""
    for shape in ((32, 32), (128, 16), (16, 128)):
        for axis in (0, 1):
            rest = shape[1 - axis]

            def expected(given, shape=shape, axis=axis):
                size = math.prod(shape)
                parts = [given["in"][k * size : (k + 1) * size] for k in range(given["n"])]
                sums = [reduced(part, shape, axis, sum) for part in parts]
                highs = [reduced(part, shape, axis, max) for part in parts]
                count = len(reduced([0] * size, shape, axis, sum))
                return {
                    "total": [sum(s[i] for s in sums) for i in range(count)],
                    "high": [max([-100, *(h[i] for h in highs)]) for i in range(count)],
                    "each": [x for s in sums for x in s],
                }

            table.add(
                f"triton_reduce_in_loop_{shape_text(shape)}_{axis}",
                f"const float* in = small(n * {product(shape)})\nfloat* total = out({rest})\nfloat* high = out({rest})\n"
                f"float* each = out(n * {rest})\nint n",
                f"""
                grid(1);
                auto total_of = zeros<float, {rest}>();
                auto high_of = full<float, {rest}>(-100);
                for (int k = 0; k < n; ++k) {{
                  auto x = load(in + k * {product(shape)} + ({address(shape)}));
                  auto row = sum<{axis}>(x);
                  total_of += row;
                  high_of = maximum(high_of, max<{axis}>(x));
                  store(each + k * {rest} + arange<{rest}>(), row);
                }}
                store(total + arange<{rest}>(), total_of);
                store(high + arange<{rest}>(), high_of);
                """,
                [{"n": 3}, {"n": 1}, {"n": 0}],
                warps=(1, 4),
                expected=expected,
            )


for make in (lines, planes, keep_dims, all_axes, with_indices, ignores_nan, parity, any_of, chained, combined, carried):
    make()
