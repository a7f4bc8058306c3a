"""Tiles change their layout between a reduction, a slice or a reversal and its reader: in one thread, one warp, or the block."""

from case import SHORT, WARPS, Table, row_runs, warps_of

table = Table()
TYPES = ["float", "int8_t", "float16", "bool", "int64_t", "double"]
SUM = {"float16": "float", "int8_t": "int", "bool": "int"}
PLANES = [(4, 4), (8, 8), (16, 16), (32, 32), (64, 64), (5, 5), (12, 12), (80, 80), (96, 96)]


def rows():
    """Each row of n elements is reversed, has its halves exchanged, and is cut in half."""
    for block in (2, 8, 32, 48, 64, 96, 128, 160, 256, 1000, 1024):
        half = block // 2
        for t in TYPES:
            name = f"halves_{block}_{SHORT[t]}"
            table.add(
                name,
                f"const {t}* in = bits(rows * n)\n{t}* back = out(rows * {block})\n{t}* turned = out(rows * {block})\n"
                f"{t}* upper = out(rows * {half})\nint rows\nint n",
                f"""
                auto row = grid(rows);
                auto i = arange<{block}>();
                auto x = load(in + row * n + i, i < n);
                store(back + row * {block} + i, flip(x));
                store(turned + row * {block} + i, cat(x[slice<{half}, {2 * half}>], x[slice<0, {block - half}>]));
                store(upper + row * {half} + arange<{half}>(), x[slice<{block - half}, {block}>]);
                """,
                row_runs(block),
                warps=WARPS if t == "float" else warps_of(name, 2),
            )


def planes():
    """The result of a reduction along one axis of a square tile is used along the other."""
    for n, _ in PLANES:
        for t in ("float", "int8_t", "float16", "double"):
            s = SUM.get(t, t)
            name = f"crossed_{n}_{SHORT[t]}"
            table.add(
                name,
                f"const {t}* in = small({n} * {n})\n{s}* out = out({n} * {n})\n{t}* most = out({n} * {n})\n"
                f"{s}* sums = out({n})\nint* where_ = out({n})\nint count",
                f"""
                grid(count);
                auto i = arange<{n}>();
                auto at = i[all, none] * {n} + i[none, all];
                auto x = load(in + at);
                auto down = sum<0>(x);
                auto along = sum<1>(x);
                store(out + at, x + down[all, none] - along[none, all]);
                store(most + at, maximum(x, max<1>(x)[none, all]));
                store(sums + i, along);
                store(where_ + i, argmax<1>(x));
                """,
                [{"count": 1}, {"count": 0}],
                warps=WARPS if t == "float" else warps_of(name, 2),
            )


def vectors():
    """Outer products of vectors that are results of reductions of different shapes."""
    for m, n in ((4, 32), (8, 16), (32, 4), (16, 64), (3, 40), (64, 8), (2, 256)):
        for t in ("float", "bool"):
            name = f"outer_{m}x{n}_{SHORT[t]}"
            s = SUM.get(t, t)
            table.add(
                name,
                f"const {t}* in = small({m} * {n})\n{s}* out = out({m} * {n})\n{s}* back = out({n})\n{s}* first = out({m} * {n})\nint count",
                f"""
                grid(count);
                auto r = arange<{m}>();
                auto c = arange<{n}>();
                auto x = load(in + r[all, none] * {n} + c[none, all]);
                auto down = sum<0>(x);
                auto along = sum<1>(x);
                store(out + r[all, none] * {n} + c[none, all], down[none, all] * along[all, none]);
                store(back + c, flip(down));
                store(first + c[all, none] * {m} + r[none, all], down[all, none] - flip(along)[none, all]);
                """,
                [{"count": 1}, {"count": 0}],
                warps=WARPS if t == "float" else warps_of(name, 2),
            )


def pairs():
    for n in (16, 32, 64, 96, 128, 512):
        for t in ("float", "int8_t", "int64_t"):
            name = f"pairs_{n}_{SHORT[t]}"
            table.add(
                name,
                f"const {t}* in = bits({2 * n})\n{t}* out = out({2 * n})\n{t}* even = out({n})\n{t}* odd = out({n})\nint count",
                f"""
                grid(count);
                auto i = arange<{2 * n}>();
                auto [a, b] = split(reshape<{n}, 2>(load(in + i)));
                store(out + i, interleave(flip(b), a));
                store(even + arange<{n}>(), a);
                store(odd + arange<{n}>(), b);
                """,
                [{"count": 1}, {"count": 0}],
                warps=WARPS if t == "float" else warps_of(name, 2),
            )


def parts():
    """All parts of a tile read one of them: the first, one in the middle, or the last."""
    for n in (4, 32, 64, 128, 96):
        for t in ("float", "bool", "uint8_t", "int16_t"):
            name = f"part_of_{n}_{SHORT[t]}"
            table.add(
                name,
                f"const {t}* in = bits(rows * {n})\n"
                + "".join(f"{t}* {k} = out(rows * {n})\n" for k in ("first", "middle", "last", "half"))
                + "int rows",
                f"""
                auto row = grid(rows);
                auto i = row * {n} + arange<{n}>();
                auto x = load(in + i);
                store(first + i, broadcast_to<{n}>(x[slice<0, 1>]));
                store(middle + i, broadcast_to<{n}>(x[slice<{n // 2}, {n // 2 + 1}>]));
                store(last + i, broadcast_to<{n}>(x[slice<{n - 1}, {n}>]));
                store(half + i, ravel(broadcast_to<2, {n // 2}>(x[slice<0, {n // 2}>][none, all])));
                """,
                [{"rows": 5}, {"rows": 1}, {"rows": 0}],
                warps=WARPS if t == "float" else warps_of(name, 2),
            )


def control():
    """Tiles move in loops and branches, which all threads of a program take together."""
    for block in (32, 64, 128):
        table.add(
            f"moved_in_loop_{block}",
            f"const float* in = small(rows * {block})\nfloat* out = out(rows * {block})\nint rows\nint times",
            f"""
            auto row = grid(rows);
            auto i = arange<{block}>();
            auto x = load(in + row * {block} + i);
            for (int k = 0; k < times; ++k) {{
              if (k % 3 == 1)
                x = flip(x) + cast<float>(i);
              else if (k == 5)
                break;
              x = x - flip(x) * 2;
            }}
            store(out + row * {block} + i, x);
            """,
            [{"rows": 5, "times": 4}, {"rows": 3, "times": 8}, {"rows": 1, "times": 0}],
            warps=WARPS,
        )
        table.add(
            f"moved_while_{block}",
            f"const float* in = small(rows * {block})\nfloat* out = out(rows * {block // 2})\nint rows\nint least",
            f"""
            auto row = grid(rows);
            auto i = arange<{block}>();
            auto x = load(in + row * {block} + i);
            int rounds = 0;
            while (max(x) > least && rounds < 5) {{
              x = minimum(flip(x), x - 1);
              rounds += 1;
            }}
            store(out + row * {block // 2} + arange<{block // 2}>(), x[slice<{block // 2}, {block}>] + x[slice<0, {block // 2}>]);
            """,
            [{"rows": 5, "least": 0}, {"rows": 2, "least": 100}],
            warps=WARPS,
        )


def beside_stores():
    """A tile moves through shared memory, and another store stands between the move and its reader."""
    for n in (5, 64, 200, 512):
        table.add(
            f"flip_store_sum_{n}",
            f"const float* in = small({n})\nfloat* back = out({n})\nfloat* again = out({n})\nfloat* total = out(1)\nfloat* most = out(1)\nint count",
            f"""
            grid(count);
            auto i = arange<{n}>();
            auto x = load(in + i);
            auto y = flip(x);
            store(back + i, x);
            store(total, sum(y));
            store(again + i, y + 1);
            store(most, max(y * x));
            """,
            [{"count": 1}],
            warps=WARPS,
        )
    table.add(
        "split_store_sum",
        "const float* in = small(108)\nfloat* a_out = out(54)\nfloat* b_out = out(54)\nfloat* total = out(1)\nint count",
        """
        grid(count);
        auto [a, b] = split(reshape<54, 2>(load(in + arange<108>())));
        store(b_out + arange<54>(), b);
        auto c = a;
        for (int k = 0; k < count; ++k) c += a * k;
        store(a_out + arange<54>(), c);
        store(total, sum(join(a, flip(b))[all, slice<0, 1>]));
        """,
        [{"count": 1}],
        warps=WARPS,
    )
    # A value computed from the converted tile is used after the store, and computed again there.
    for n in (64, 100, 256):
        table.add(
            f"flip_abs_store_{n}",
            f"const float* in = small({n})\nfloat* ones = out({n})\nfloat* more = out({n})\nint* counts = zero({n})\nint* old = out({n})\nint count",
            f"""
            grid(count);
            auto i = arange<{n}>();
            auto p = abs(flip(load(in + i)));
            store(ones + i, 1.0f);
            store(more + i, p * abs(p + 1));
            auto before = atomic_add(counts + i, 1) + 1;
            store(counts + i, 7);
            store(old + i, before * (before + 1));
            """,
            [{"count": 1}],
            warps=WARPS,
        )
    # A function with branches between what is read and what is written: both places are in use.
    table.add(
        "map_between",
        "const double* in = small(900)\nint* both = out(949)\ndouble* flat = out(900)\nint count",
        """
        grid(count);
        auto x = ravel(load(in + arange<9>()[all, none] * 100 + arange<100>()[none, all]));
        auto y = map([](int a) { int s = 0; for (int i = 0; i < a; ++i) { if (i == 5) break; s += i; } return a > 0 ? s : a - 1; }, cast<int>(x));
        store(both + arange<949>(), cat<0>(y, y[slice<0, 49>]));
        store(flat + arange<900>(), x);
        """,
        [{"count": 1}],
        warps=(1, 2, 4, 6),
    )


for make in (rows, planes, vectors, pairs, parts, control, beside_stores):
    make()
