"""Movement of elements: subscripts, expand_dims, broadcast, reshape, trans, permute, join, split, interleave, cat, flip."""

from case import SHORT, Table, warps_of

table = Table()
TYPES = ["float", "int8_t", "float16", "int64_t", "bool", "double"]


def shape_text(shape):
    return "x".join(map(str, shape))


def product(shape):
    result = 1
    for n in shape:
        result *= n
    return result


def address(shape):
    """The row-major index of each element, as a tile."""
    terms, stride = [], 1
    for axis in reversed(range(len(shape))):
        subscript = ", ".join("all" if k == axis else "none" for k in range(len(shape)))
        text = f"arange<{shape[axis]}>()" + (f"[{subscript}]" if len(shape) > 1 else "")
        terms.append(text + (f" * {stride}" if stride > 1 else ""))
        stride *= shape[axis]
    return " + ".join(reversed(terms))


def move(name, shape, expression, result, *, types=("float",), inputs=1, warps=None):
    """out = expression of x (and y), tiles of the shape; the result has another."""
    for t in types:
        full = f"{name}_{shape_text(shape)}_{SHORT[t]}"
        parameters = "".join(f"const {t}* in{k} = bits({product(shape)})\n" for k in range(inputs))
        body = f"grid(count);\nauto at = {address(shape)};\n"
        body += "".join(f"auto {'xy'[k]} = load(in{k} + at);\n" for k in range(inputs))
        body += f"store(out + ({address(result)}), {expression});"
        table.add(
            full,
            f"{parameters}{t}* out = out({product(result)})\nint count",
            body,
            [{"count": 1}, {"count": 0}],
            warps=warps or warps_of(full, 2),
        )


def reshapes():
    pairs = [
        ((64,), (8, 8)),
        ((8, 8), (64,)),
        ((16, 32), (32, 16)),
        ((64, 64), (16, 256)),
        ((96,), (3, 32)),
        ((3, 32), (96,)),
        ((80, 16), (16, 80)),
        ((1000,), (8, 125)),
        ((2, 4, 8), (8, 8)),
        ((16, 32), (4, 4, 32)),
        ((128,), (128, 1)),
        ((1, 128), (128,)),
        ((5, 7), (7, 5)),
        ((1024,), (2, 512)),
        ((12, 20), (240,)),
        ((1,), (1, 1)),
        ((4, 2, 2, 8), (16, 8)),
    ]
    for shape, result in pairs:
        move(
            f"reshape_{shape_text(result)}_from",
            shape,
            f"reshape<{', '.join(map(str, result))}>(x)",
            result,
            types=("float", "int8_t"),
        )
    for shape in ((16, 32), (3, 1000), (4, 8, 16)):
        move("ravel", shape, "ravel(x)", (product(shape),))


def transposes():
    for shape in (
        (16, 32),
        (32, 16),
        (64, 64),
        (8, 128),
        (80, 16),
        (3, 1000),
        (1, 64),
        (64, 1),
        (2, 2),
        (5, 7),
        (128, 96),
    ):
        types = TYPES if shape in ((16, 32), (64, 64)) else ("float", "float16")
        move(
            "trans",
            shape,
            "trans(x)",
            shape[::-1],
            types=types,
            warps=(1, 2, 3, 4, 5, 8) if shape == (64, 64) else None,
        )
        move("trans_sum", shape, "trans(x) + trans(y)", shape[::-1], types=("float",), inputs=2)
    for shape in ((4, 8, 16), (2, 3, 32), (16, 2, 8)):
        for p in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            result = tuple(shape[k] for k in p)
            move(
                f"permute_{''.join(map(str, p))}",
                shape,
                f"permute<{', '.join(map(str, p))}>(x)",
                result,
                types=("float", "int8_t") if p == (2, 0, 1) else ("float",),
            )
    for p in ((3, 2, 1, 0), (1, 0, 3, 2), (0, 3, 1, 2), (2, 3, 0, 1)):
        shape = (2, 4, 4, 8)
        move(
            f"permute_{''.join(map(str, p))}",
            shape,
            f"permute<{', '.join(map(str, p))}>(x)",
            tuple(shape[k] for k in p),
        )
    move("trans_twice", (16, 64), "trans(trans(x) * 2)", (16, 64))
    move("trans_square", (32, 32), "x + trans(x)", (32, 32), warps=(1, 2, 3, 4, 5, 8))


def dimensions():
    move("expand0", (128,), "expand_dims<0>(x)", (1, 128))
    move("expand1", (128,), "expand_dims<1>(x)", (128, 1))
    move("expand_negative", (8, 16), "expand_dims<-1>(x)", (8, 16, 1))
    move("subscript", (8, 16), "x[all, none, all]", (8, 1, 16))
    move("broadcast_rows", (1, 64), "broadcast_to<16, 64>(x)", (16, 64), types=TYPES)
    move(
        "broadcast_columns", (64, 1), "broadcast_to<64, 16>(x)", (64, 16), types=("float", "int8_t")
    )
    move("broadcast_new", (64,), "broadcast_to<4, 64>(x)", (4, 64))
    move("broadcast_middle", (4, 1, 8), "broadcast_to<4, 6, 8>(x)", (4, 6, 8))
    move(
        "outer",
        (32,),
        "x[all, none] * 2 + y[none, all]",
        (32, 32),
        inputs=2,
        warps=(1, 2, 3, 4, 5, 8),
    )
    move("outer_96", (96,), "x[all, none] - y[none, all]", (96, 96), inputs=2)
    move("outer_80", (80,), "x[none, all] - y[all, none]", (80, 80), inputs=2)


def joins():
    for n in (1, 2, 32, 80, 96, 128, 1000):
        move(
            "join",
            (n,),
            "join(x, y)",
            (n, 2),
            inputs=2,
            types=("float", "int8_t") if n == 128 else ("float",),
        )
        move(
            "interleave",
            (n,),
            "interleave(x, y)",
            (2 * n,),
            inputs=2,
            types=TYPES if n == 128 else ("float",),
        )
        move("cat", (n,), "cat(x, y)", (2 * n,), inputs=2, types=TYPES if n == 128 else ("float",))
        move("flip", (n,), "flip(x)", (n,), types=TYPES if n == 128 else ("float",))
    move("join", (8, 16), "join(x, y)", (8, 16, 2), inputs=2)
    move("interleave", (8, 16), "interleave(x, y)", (8, 32), inputs=2)
    move("cat0", (8, 16), "cat<0>(x, y)", (16, 16), inputs=2)
    move("cat1", (8, 16), "cat<1>(x, y)", (8, 32), inputs=2)
    move("cat1", (16, 3), "cat<1>(x, y)", (16, 6), inputs=2)
    # Each thread has the elements of both, whatever their layout is: vectors, rows of several threads, padding.
    for shape in ((4, 16), (64, 16), (32, 64), (5, 48), (3, 3), (2, 8, 32)):
        last = len(shape) - 1
        wide = (*shape[:-1], 2 * shape[-1])
        for t in TYPES if shape == (64, 16) else ("float16", "int8_t"):
            move("interleave", shape, "interleave(x, y)", wide, inputs=2, types=(t,))
            move("interleave_twice", shape, "interleave(interleave(x, y), interleave(y, x))", (*shape[:-1], 4 * shape[-1]), inputs=2, types=(t,))
            move(f"cat{last}", shape, f"cat<{last}>(x, y)", wide, inputs=2, types=(t,))
            move(f"cat{last}_of_both", shape, f"cat<{last}>(interleave(x, y), cat<{last}>(y, x))", (*shape[:-1], 4 * shape[-1]), inputs=2, types=(t,))
            move("cat0", shape, "cat<0>(y, x)", (2 * shape[0], *shape[1:]), inputs=2, types=(t,))
            move("join", shape, "join(x, y)", (*shape, 2), inputs=2, types=(t,))
    move("interleave_trans", (16, 32), "trans(interleave(x, y))", (64, 16), inputs=2)
    move("interleave_of_trans", (16, 32), "interleave(trans(x), trans(y))", (32, 32), inputs=2)
    move("cat0_of_trans", (16, 32), "cat<0>(trans(x), trans(y))", (64, 16), inputs=2)
    move("interleave_sums", (32, 32), "sum<1>(interleave(x, y) / 128, keep_dims) - x / 4", (32, 32), inputs=2, types=("int",))
    move("cat_scans", (8, 64), "cumsum<1>(cat<1>(x, y) / 256)", (8, 128), inputs=2, types=("int",))
    for axis in (0, 1):
        move(f"flip{axis}", (16, 32), f"flip<{axis}>(x)", (16, 32), types=("float", "float16"))
        move(f"flip{axis}", (5, 80), f"flip<{axis}>(x)", (5, 80))
    move("flip1", (4, 8, 16), "flip<1>(x)", (4, 8, 16))


def splits():
    for shape in ((64, 2), (1, 2), (96, 2), (16, 8, 2), (1000, 2)):
        half = shape[:-1]
        for t in ("float", "int8_t"):
            name = f"split_{shape_text(shape)}_{SHORT[t]}"
            table.add(
                name,
                f"const {t}* in = bits({product(shape)})\n{t}* a = out({product(half)})\n{t}* b = out({product(half)})\nint count",
                f"grid(count);\nauto [x, y] = split(load(in + ({address(shape)})));\n"
                f"store(a + ({address(half)}), x);\nstore(b + ({address(half)}), y);",
                [{"count": 1}, {"count": 0}],
                warps=warps_of(name, 2),
            )
    # Every other element, one part or both, what is made of them put together again.
    for shape in ((2,), (64,), (1000,), (4, 16), (64, 32), (5, 96), (3, 6), (2, 8, 64)):
        half = (*shape[:-1], shape[-1] // 2)
        pairs = f"split(reshape<{', '.join(map(str, (*half, 2)))}>(x))"
        for t in TYPES if shape == (64, 32) else ("float16", "int8_t"):
            label = f"{shape_text(shape)}_{SHORT[t]}"
            arguments = f"const {t}* in = bits({product(shape)})\n{t}* a = out({product(half)})\n{t}* b = out({product(half)})\n{t}* both = out({product(shape)})\nint count"
            start = f"grid(count);\nauto x = load(in + ({address(shape)}));\nauto [p, q] = {pairs};\n"
            ends = {
                "parts": f"store(a + ({address(half)}), p);\nstore(b + ({address(half)}), q);",
                "second": f"store(b + ({address(half)}), q);",
                "swapped": f"store(both + ({address(shape)}), interleave(q, p));",
                "halves": f"store(both + ({address(shape)}), cat<{len(shape) - 1}>(q, p));",
                "and_all": f"store(both + ({address(shape)}), x);\nstore(a + ({address(half)}), p);\nstore(b + ({address(half)}), flip(q));",
            }
            for name, end in ends.items():
                table.add(f"every_other_{name}_{label}", arguments, start + end, [{"count": 1}, {"count": 0}], warps=warps_of(name + label, 2))


def slices():
    for shape, text, result in (
        ((128,), "slice<0, 64>", (64,)),
        ((128,), "slice<64, 128>", (64,)),
        ((128,), "slice<1, 127>", (126,)),
        ((128,), "slice<5, 6>", (1,)),
        ((16, 32), "slice<0, 8>, all", (8, 32)),
        ((16, 32), "slice<8, 16>, all", (8, 32)),
        ((16, 32), "all, slice<16, 32>", (16, 16)),
        ((16, 32), "slice<3, 7>, slice<5, 21>", (4, 16)),
        ((16, 32), "slice<2, 3>, all", (1, 32)),
        ((80, 16), "slice<16, 80>, all", (64, 16)),
        ((4, 8, 16), "all, slice<4, 8>", (4, 4, 16)),
        ((1000,), "slice<100, 900>", (800,)),
        ((96,), "slice<32, 64>", (32,)),
    ):
        label = "".join(c if c.isalnum() else "_" for c in text).replace("__", "_")
        move(f"slice_{label}", shape, f"x[{text}]", result, types=("float", "int8_t"))


def created():
    for name, expression, shape in (
        ("arange", "arange<80>() * 3", (80,)),
        ("arange_from", "arange<7, 23>()", (16,)),
        ("full", "full<int, 5, 16>(scale)", (5, 16)),
        ("zeros", "zeros<int, 96>()", (96,)),
        ("iota0", "iota<0, 16, 8>()", (16, 8)),
        ("iota1", "iota<1, 16, 8>()", (16, 8)),
        ("iota_middle", "iota<1, 4, 6, 8>()", (4, 6, 8)),
        ("zeros_like", "zeros_like(arange<32>()) + scale", (32,)),
    ):
        table.add(
            f"create_{name}",
            f"int* out = out({product(shape)})\nint scale",
            f"grid(1);\nstore(out + ({address(shape)}), {expression});",
            [{"scale": 3}, {"scale": -1}],
            warps=warps_of(name, 2),
        )


for make in (reshapes, transposes, dimensions, joins, splits, slices, created):
    make()
