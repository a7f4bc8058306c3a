"""Tiles that change their shape as Triton's tests have them, with results that Python computes."""

import itertools
import math

from case import SHORT, Table
from cases.shapes import address, product, shape_text
from computed import permuted

table = Table(rarely=True)


def move(name, shape, expression, result, function, types=("float",), domain="bits", inputs=1, warps=(1, 4)):
    """out = expression of x (and y); function(x, y) is the list of the result's elements."""
    for t in types:
        parameters = "".join(f"const {t}* in{k} = {domain}({product(shape)})\n" for k in range(inputs))
        body = f"grid(count);\nauto at = {address(shape)};\n"
        body += "".join(f"auto {'xy'[k]} = load(in{k} + at);\n" for k in range(inputs))

        def expected(given, inputs=inputs):
            return {"out": function(*(given[f"in{k}"] for k in range(inputs)))}

        table.add(
            f"triton_{name}_{shape_text(shape)}_{SHORT[t]}",
            f"{parameters}{t}* out = out({product(result)})\nint count",
            body + f"store(out + ({address(result)}), {expression});",
            [{"count": 1}],
            warps=warps,
            expected=expected,
        )


def same(x):
    return x


def permutes():
    for n in (64, 128):
        turn = lambda x, n=n: permuted(x, (n, n), (1, 0))  # noqa: E731
        types = ("float8_e4m3", "float8_e5m2", "float16", "float")
        move("permute", (n, n), "permute<1, 0>(x)", (n, n), turn, types, warps=(4,))
        move("trans", (n, n), "trans(x)", (n, n), turn, types, warps=(4,))
    for shape in ((2, 2, 8, 64), (4, 4, 4, 16)):
        for order in itertools.permutations(range(4)):
            move(
                f"permute_{''.join(map(str, order))}",
                shape,
                f"permute<{', '.join(map(str, order))}>(x)",
                tuple(shape[k] for k in order),
                lambda x, shape=shape, order=order: permuted(x, shape, order),
                ("int8_t", "int"),
                warps=(4,),
            )


def subscripts():
    move("rows", (64,), "x[all, none]", (64, 1), same)
    move("columns", (64,), "x[none, all]", (1, 64), same)
    move("middle", (8, 16), "x[all, none, all]", (8, 1, 16), same)
    move("outer", (32,), "x[all, none] ^ y[none, all]", (32, 32), outer, ("int",), inputs=2)
    for axis in (0, 1, 2, -1, -2, -3):
        at = axis if axis >= 0 else axis + 3
        result = (8, 16)[:at] + (1,) + (8, 16)[at:]
        move(f"expand_dims_{'m' if axis < 0 else ''}{abs(axis)}", (8, 16), f"expand_dims<{axis}>(x)", result, same)
    move("squeeze", (8, 1, 16), "reshape<8, 16>(x)", (8, 16), same)


def outer(x, y):
    return [a ^ b for a in x for b in y]


def reshapes():
    for shape in ((64, 32), (2, 32, 32), (2048,)):
        for result in ((2048,), (32, 64), (2, 4, 256), (8, 8, 4, 8), (2048, 1)):
            if result != shape:
                move(
                    f"reshape_to_{shape_text(result)}",
                    shape,
                    f"reshape<{', '.join(map(str, result))}>(x)",
                    result,
                    same,
                    ("int", "int8_t"),
                    warps=(4,),
                )
    move("ravel", (4, 8, 16), "ravel(x)", (512,), same)


def joined(x, y):
    return [v for pair in zip(x, y) for v in pair]


def concatenated(shape, axis):
    """cat<axis> of two tiles of a shape."""
    size = math.prod(shape[axis:])

    def function(x, y):
        parts = range(0, len(x), size)
        return [v for p in parts for v in [*x[p : p + size], *y[p : p + size]]]

    return function


def joins():
    for shape in ((1,), (32,), (128,), (16, 8), (4, 2, 16), (2, 2, 2, 8)):
        types = ("int", "float16", "int8_t")
        wide = (*shape[:-1], 2 * shape[-1])
        move("join", shape, "join(x, y)", (*shape, 2), joined, types, inputs=2)
        move("interleave", shape, "interleave(x, y)", wide, joined, types, inputs=2)
        for axis in range(len(shape)):
            result = (*shape[:axis], 2 * shape[axis], *shape[axis + 1 :])
            move(f"cat{axis}", shape, f"cat<{axis}>(x, y)", result, concatenated(shape, axis), types, inputs=2)
    for shape in ((2,), (64, 2), (8, 16, 2), (2, 4, 8, 2)):
        half = shape[:-1]
        for t in ("int", "float16", "int8_t"):
            n = product(half)
            to = f" + ({address(half)})" if half else ""
            table.add(
                f"triton_split_{shape_text(shape)}_{SHORT[t]}",
                f"const {t}* in = bits({2 * n})\n{t}* low = out({n})\n{t}* high = out({n})\nint count",
                f"grid(count);\nauto [a, b] = split(load(in + ({address(shape)})));\nstore(low{to}, a);\nstore(high{to}, b);",
                [{"count": 1}],
                warps=(1, 4),
                expected=lambda given: {"low": given["in"][::2], "high": given["in"][1::2]},
            )
    table.add(
        "triton_join_in_dot",
        "const float16* in = small(512)\nconst float16* other = small(512)\nconst float16* right = small(1024)\nfloat* out = out(1024)\nint count",
        f"""
        grid(count);
        auto at = {address((32, 16))};
        auto a = reshape<32, 32>(join(load(in + at), load(other + at)));
        auto whole = {address((32, 32))};
        store(out + whole, dot(a, load(right + whole)));
        """,
        [{"count": 1}],
        warps=(1, 4),
        expected=lambda given: {
            "out": multiplied(joined(given["in"], given["other"]), given["right"], 32, 32, 32),
        },
    )


def multiplied(a, b, m, n, k):
    return [sum(a[i * k + p] * b[p * n + j] for p in range(k)) for i in range(m) for j in range(n)]


def flipped(shape, axis):
    def function(x):
        strides = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
        ranges = [reversed(range(n)) if k == axis else range(n) for k, n in enumerate(shape)]
        return [x[sum(c * s for c, s in zip(at, strides))] for at in itertools.product(*map(list, ranges))]

    return function


def flips():
    for shape in ((1,), (64,), (512,), (16, 32), (4, 8, 16)):
        for axis in range(len(shape)):
            move(f"flip{axis}", shape, f"flip<{axis}>(x)", shape, flipped(shape, axis), ("int", "float16"))
    move("flip_special", (64,), "flip(x)", (64,), flipped((64,), 0), ("float",), "special")


def created():
    for start in (0, 1, 7, 16):
        table.add(
            f"triton_arange_{start}",
            "int* out = out(128)\nint count",
            f"grid(count);\nstore(out + arange<128>(), arange<{start}, {start + 128}>());",
            [{"count": 1}],
            warps=(1, 4),
            expected=lambda given, start=start: {"out": list(range(start, start + 128))},
        )
    for t in SHORT:
        if t in ("int32_t", "unsigned"):
            continue
        value = "true" if t == "bool" else "2.0f" if "float" in t or t == "double" else "2"
        number = 1 if t == "bool" else 2
        table.add(
            f"triton_full_{SHORT[t]}",
            f"{t}* line = out(128)\n{t}* plane = out(128)\n{t}* empty = out(128)\nint count",
            f"""
            grid(count);
            auto i = arange<128>();
            auto at = {address((8, 16))};
            store(line + i, full<{t}, 128>({value}));
            store(plane + at, full<{t}, 8, 16>({value}));
            store(empty + at, zeros<{t}, 8, 16>());
            """,
            [{"count": 1}],
            warps=(4,),
            expected=lambda given, number=number: {"line": [number] * 128, "plane": [number] * 128, "empty": [0] * 128},
        )
    table.add(
        "triton_item",
        "const int* in = small(8)\nint* out = out(8)\nint count",
        "auto p = grid(count);\nauto x = load(in + p + arange<1>());\nout[p] = sum(x) + sum(reshape<1, 1>(x));",
        [{"count": 8}],
        warps=(1, 4),
        expected=lambda given: {"out": [2 * x for x in given["in"]]},
    )


def swizzled(given):
    m, n, g = given["m"], given["n"], given["g"]
    result = [0] * (m * n)
    for p in range(m * n):
        group, r = divmod(p, g * n)
        rows = min(m - group * g, g)
        result[(group * g + r % rows) * n + r // rows] = p
    return {"out": result}


def swizzles():
    table.add(
        "triton_swizzle2d",
        "int* out = out(m * n)\nint m\nint n\nint g",
        """
        auto p = grid(m * n);
        auto [i, j] = swizzle2d(p, m, n, g);
        out[i * n + j] = int(p);
        """,
        [{"m": 5, "n": 7, "g": 3}, {"m": 8, "n": 4, "g": 4}, {"m": 1, "n": 9, "g": 3}, {"m": 9, "n": 1, "g": 2}],
        warps=(1, 4),
        expected=swizzled,
    )


for make in (permutes, subscripts, reshapes, joins, flips, created, swizzles):
    make()
