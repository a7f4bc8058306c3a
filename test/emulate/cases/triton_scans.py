"""Scans, sorts, histograms and gathers as Triton's tests have them, with results that Python computes."""

from case import SHORT, Table
from cases.scans import SUM
from cases.shapes import address, product, shape_text
from computed import positions, scanned

table = Table(rarely=True)
SHAPES = [(8, 32), (16, 32), (32, 16), (2, 1024), (1024, 2), (32, 32), (1, 1024)]
TYPES = ["int", "float", "bfloat16"]
WARPS = (4, 16)


def every(name, shape, axis, t, warps):
    """cumsum, cumprod, the first element, a linear recurrence, cummax with its index, and a roll, in both directions."""
    n = product(shape)
    s = SUM.get(t, t)
    index = f"arange<{shape[axis]}>()"
    if len(shape) > 1:
        index += "[all, none]" if axis == 0 else "[none, all]"
    outputs, body = "", ""
    for suffix, option in (("", ""), ("_back", ", reverse")):
        outputs += f"{s}* sums{suffix} = out({n})\n{s}* products{suffix} = out({n})\n"
        outputs += "".join(f"{t}* {o}{suffix} = out({n})\n" for o in ("first", "state", "peak", "rolled"))
        outputs += f"int* place{suffix} = out({n})\n"
        body += f"""
            store(sums{suffix} + at, cumsum<{axis}>(x{option}));
            store(products{suffix} + at, cumprod<{axis}>(where(index % 97 < 9, x, one){option}));
            store(first{suffix} + at, associative_scan<{axis}>(x, [](auto a, auto) {{ return a; }}{option}));
            {{
              auto [p, h] = associative_scan<{axis}>(tl::tuple(keep, x), [](auto a, auto b) {{
                return tl::tuple(a.v0 * b.v0, a.v1 * b.v0 + b.v1);
              }}{option});
              store(state{suffix} + at, h);
              auto [v, i] = associative_scan<{axis}>(tl::tuple(x, index + 0 * at), [](auto a, auto b) {{
                return b.v0 > a.v0 ? b : a;
              }}{option});
              store(peak{suffix} + at, v);
              store(place{suffix} + at, i);
              auto [c, l, r] = associative_scan<{axis}>(tl::tuple(1 + 0 * at, zeros_like(x), x), [](auto a, auto b) {{
                return tl::tuple(a.v0 + b.v0, (b.v0 == 1 ? a.v2 : b.v2 - b.v2) + b.v1, b.v2);
              }}{option});
              store(rolled{suffix} + at, l);
            }}
        """

    def expected(given):
        x, keep = given["in"], given["keep_of"]
        where = [0] * n
        for line in positions(shape, axis):
            for i, p in enumerate(line):
                where[p] = i
        result = {}
        for suffix, back in (("", False), ("_back", True)):
            scan = lambda values, f, back=back: scanned(values, shape, axis, f, back)  # noqa: E731
            result["sums" + suffix] = scan(x, lambda a, b: a + b)
            few = [v if where[p] % 97 < 9 else 1 for p, v in enumerate(x)]
            result["products" + suffix] = scan(few, lambda a, b: a * b)
            result["first" + suffix] = scan(x, lambda a, b: a)
            states = scan(list(zip(keep, x)), lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]))
            result["state" + suffix] = [h for _, h in states]
            peaks = scan(list(zip(x, where)), lambda a, b: b if b[0] > a[0] else a)
            result["peak" + suffix] = [v for v, _ in peaks]
            result["place" + suffix] = [i for _, i in peaks]
            rolled = [0] * n
            for line in positions(shape, axis):
                order = line[::-1] if back else line
                for before, p in zip(order, order[1:]):
                    rolled[p] = x[before]
            result["rolled" + suffix] = rolled
        return result

    table.add(
        name,
        f"const {t}* in = ones({n})\nconst {t}* keep_of = below({n}, 2)\n{outputs}int count",
        f"""
        grid(count);
        auto at = {address(shape)};
        auto index = {index};
        auto x = load(in + at);
        auto keep = load(keep_of + at);
        auto one = cast<{t}>(full<int, 1>(1));
        {body}
        """,
        [{"count": 1}],
        warps=warps,
        expected=expected,
    )


def scans():
    for shape in SHAPES:
        for axis in (0, 1):
            for t in TYPES:
                every(f"triton_scan_{shape_text(shape)}_{axis}_{SHORT[t]}", shape, axis, t, WARPS)
    for n in (32, 128, 1024):
        for t in TYPES:
            every(f"triton_scan_{n}_{SHORT[t]}", (n,), 0, t, (1, 4))


def sorts():
    for shape in ((1, 1), (1, 512), (8, 64), (256, 16), (512, 8)):
        for t in ("int", "float16", "float", "bfloat16"):
            rows, n = shape
            counts = [k for k in (1, 8) if k <= n]
            outputs = f"{t}* up = out({rows * n})\n{t}* down = out({rows * n})\nint* order = out({rows * n})\n"
            body = ""
            for k in counts:
                outputs += f"{t}* top{k} = out({rows * k})\nint* place{k} = out({rows * k})\n"
                to = address((rows, k))
                body += f"{{ auto [v, i] = topk<{k}, 1>(x); store(top{k} + ({to}), v); store(place{k} + ({to}), i); }}\n"

            def expected(given, rows=rows, n=n, counts=counts):
                lines = [given["in"][r * n : (r + 1) * n] for r in range(rows)]
                most = [sorted(range(n), key=lambda i, line=line: (-line[i], i)) for line in lines]
                result = {
                    "up": [x for line in lines for x in sorted(line)],
                    "down": [x for line in lines for x in sorted(line, reverse=True)],
                    "order": [i for line in lines for i in sorted(range(n), key=lambda i, line=line: (line[i], i))],
                }
                for k in counts:
                    result[f"place{k}"] = [i for order in most for i in order[:k]]
                    result[f"top{k}"] = [line[i] for line, order in zip(lines, most) for i in order[:k]]
                return result

            table.add(
                f"triton_sort_{shape_text(shape)}_{SHORT[t]}",
                f"const {t}* in = small({rows * n})\n{outputs}int count",
                f"""
                grid(count);
                auto at = {address(shape)};
                auto x = load(in + at);
                store(up + at, sort<1>(x));
                store(down + at, sort<1>(x, descending));
                store(order + at, argsort<1>(x));
                {body}
                """,
                [{"count": 1}],
                warps=(4, 8),
                expected=expected,
            )


def histograms():
    for m, bins in ((2048, 2), (1024, 8), (1024, 128), (256, 512), (32, 512), (8, 512), (8, 2)):

        def expected(given, m=m, bins=bins):
            counts, masked = [0] * bins, [0] * bins
            for i, x in enumerate(given["in"]):
                if 0 <= x < bins:
                    counts[x] += 1
                    masked[x] += i < m // 2
            return {"out": counts, "half": masked}

        table.add(
            f"triton_histogram_{m}_{bins}",
            f"const int* in = below({m}, {2 * bins})\nint* out = out({bins})\nint* half = out({bins})\nint count",
            f"""
            grid(count);
            auto i = arange<{m}>();
            auto x = load(in + i);
            store(out + arange<{bins}>(), histogram<{bins}>(x));
            store(half + arange<{bins}>(), histogram<{bins}>(x, i < {m // 2}));
            """,
            [{"count": 1}],
            warps=(1, 4),
            expected=expected,
        )


def gathers():
    forms = [
        ((32,), (64,), 0),
        ((4, 4), (8, 4), 0),
        ((4, 4), (4096, 4), 0),
        ((128, 64), (256, 64), 0),
        ((128, 64), (128, 128), 1),
    ]
    for shape, index, axis in forms:

        def expected(given, shape=shape, index=index, axis=axis):
            columns = shape[-1] if len(shape) > 1 else 1
            result = []
            for p, i in enumerate(given["index"]):
                row, column = divmod(p, index[-1]) if len(shape) > 1 else (p, 0)
                at = (i, column) if axis == 0 else (row, i)
                result.append(given["in"][at[0] * columns + at[1]])
            return {"out": result}

        table.add(
            f"triton_gather_{shape_text(index)}_of_{shape_text(shape)}",
            f"const float* in = unit({product(shape)})\nconst int* index = below({product(index)}, {shape[axis]})\n"
            f"float* out = out({product(index)})\nint count",
            f"""
            grid(count);
            auto x = load(in + ({address(shape)}));
            auto at = {address(index)};
            store(out + at, gather<{axis}>(x, load(index + at)));
            """,
            [{"count": 1}],
            warps=(4, 8),
            expected=expected,
        )


for make in (scans, sorts, histograms, gathers):
    make()
