"""Single elements and parts of tiles, from indices on that are known when the kernel runs: of every shape and type, in loops and branches."""

from case import FLOAT8, FLOATS, INTEGERS, SHORT, Table, warps_of
from cases.indexes import flat, listed

table = Table()
RUNS = [{"n": 1, "first": 0}, {"n": 3, "first": 5}, {"n": 0, "first": 1}]
SHAPES = [(1,), (2,), (8,), (64,), (100,), (1024,), (4, 4), (16, 64), (5, 12), (32, 1), (1, 32), (2, 4, 8), (3, 5, 7)]
# The shape of the tile, and of the part.
PARTS = [
    ((1,), (1,)), ((8,), (8,)), ((8,), (1,)), ((64,), (16,)), ((100,), (7,)), ((1024,), (256,)), ((2048,), (1000,)), ((256,), (255,)),
    ((4, 4), (1, 4)), ((4, 4), (4, 1)), ((16, 64), (1, 64)), ((16, 64), (16, 1)), ((16, 64), (4, 16)), ((64, 64), (64, 32)),
    ((64, 64), (32, 64)), ((5, 12), (2, 12)), ((5, 12), (3, 5)), ((32, 1), (8, 1)), ((1, 32), (1, 4)),
    ((2, 4, 8), (1, 4, 8)), ((2, 4, 8), (2, 2, 2)), ((4, 16, 16), (4, 16, 1)), ((3, 5, 7), (2, 5, 3)),
]


def named(shape):
    return "x".join(map(str, shape))


def indices(shape, part):
    """Indices of a part, which differ from program to program."""
    return ", ".join(f"(first + {3 * d + 1} * p) % {extent - taken + 1}" for d, (extent, taken) in enumerate(zip(shape, part)))


def elements():
    for shape in SHAPES:
        at, size = flat(shape)
        one = tuple(1 for _ in shape)
        where = indices(shape, one)
        last = listed(extent - 1 for extent in shape)
        name = f"element_{named(shape)}"
        table.add(
            name,
            f"const float* in = bits(n * {size})\nfloat* out = out(n * {size})\nfloat* some = out(n * 4)\nint n\nint first",
            f"""
            auto p = grid(n);
            auto x = load(in + p * {size} + {at});
            store(some + p * 4, extract(x, {where}));
            store(some + p * 4 + 1, extract(x, {listed(0 for _ in shape)}));
            store(some + p * 4 + 2, extract(x, {last}));
            auto y = insert(x, extract(x, {last}), {where});
            store(some + p * 4 + 3, extract(y, {where}));
            store(out + p * {size} + {at}, y);
            """,
            RUNS,
            warps=warps_of(name, 2),
        )


def parts():
    for shape, part in PARTS:
        at, size = flat(shape)
        to, count = flat(part)
        where = indices(shape, part)
        name = f"part_{named(shape)}_{named(part)}"
        table.add(
            name,
            f"const float* in = bits(n * {size})\nconst float* with_ = bits(n * {count})\nfloat* out = out(n * {count})\n"
            f"float* all = out(n * {size})\nfloat* back = out(n * {size})\nint n\nint first",
            f"""
            auto p = grid(n);
            auto x = load(in + p * {size} + {at});
            auto part = extract<{listed(part)}>(x, {where});
            store(out + p * {count} + {to}, part);
            auto y = insert(x, load(with_ + p * {count} + {to}), {where});
            store(all + p * {size} + {at}, y);
            store(back + p * {size} + {at}, insert(y, part, {listed(0 for _ in shape)}));
            """,
            RUNS,
            warps=warps_of(name, 2),
        )


def types():
    for t in INTEGERS + FLOATS + FLOAT8 + ["bool"]:
        name = f"part_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* in = bits(n * 96)\n{t}* out = out(n * 96)\n{t}* part = out(n * 24)\nint n\nint first",
            """
            auto p = grid(n);
            auto i = reshape<12, 8>(arange<96>());
            auto x = load(in + p * 96 + i);
            auto some = extract<3, 8>(x, first % 9, 0);
            store(part + p * 24 + reshape<3, 8>(arange<24>()), some);
            auto y = insert(insert(x, some, first % 10, 0), extract(x, 7, first % 8), 11, first % 5);
            store(out + p * 96 + i, y);
            """,
            RUNS,
            warps=warps_of(name, 2),
        )
    for t in INTEGERS:
        name = f"part_from_{SHORT[t]}"
        table.add(
            name,
            "const float* in = bits(n * 256)\nfloat* out = out(n * 256)\nfloat* part = out(n * 64)\nint n\nint first",
            f"""
            auto p = grid(n);
            auto i = p * 256 + arange<256>();
            auto x = load(in + i);
            auto k = cast<{t}>(first * 25);
            auto some = extract<64>(x, k);
            store(part + p * 64 + arange<64>(), some);
            store(out + i, insert(insert(x, some, cast<{t}>(first)), 2.5, k));
            """,
            RUNS,
            warps=warps_of(name, 2),
        )


def control():
    """Parts that begin at variables of loops; indices that hold only where the program uses them."""
    table.add(
        "parts_in_loop",
        "const float* in = bits(64 * 64)\nfloat* out = out(64)\nfloat* turned = out(64 * 64)\nfloat* quarter = out(16 * 64)\nint n",
        """
        auto p = grid(1);
        auto r = arange<64>();
        auto at = r[all, none] * 64 + r[none, all];
        auto x = load(in + p * 4096 + at);
        auto column = zeros<float, 64>();
        auto y = zeros_like(x);
        for (auto k : range(0, n)) {
          auto row = extract<1, 64>(x, 63 - k, 0);
          column = insert(column, extract(row, 0, k), k);
          y = insert(y, row, k, 0);
        }
        auto q = zeros<float, 16, 64>();
        for (auto k : static_range<4>()) q = q + extract<16, 64>(y, 16 * k, 0);
        for (auto k : range(0, n / 16)) q = q - extract<16, 64>(x, 16 * k, 0);
        store(out + r, column);
        store(turned + at, y);
        store(quarter + arange<16>()[all, none] * 64 + r[none, all], q);
        """,
        [{"n": 0}, {"n": 1}, {"n": 37}, {"n": 64}],
        warps=(1, 3, 4, 8),
    )
    table.add(
        "parts_in_branch",
        "const int* in = bits(256)\nint* out = out(256)\nint n\nint outside",
        """
        auto p = grid(1);
        auto i = arange<256>();
        auto x = load(in + i);
        for (auto k : range(0, n)) x = x + extract(x, outside) + k;
        if (n > 2) x = insert(x, extract<64>(x, outside + 3), outside + 99);
        if (n == 1) x = insert(x, 7, outside + 17);
        store(out + i, x);
        """,
        [{"n": 0, "outside": 1000000000}, {"n": 0, "outside": -5}, {"n": 1, "outside": 0}, {"n": 5, "outside": 64}],
        warps=(1, 2, 4, 8),
    )
    table.add(
        "parts_of_products",
        "const float16* a = small(64 * 64)\nfloat* out = out(64 * 64, 1e-5, 1e-5)\nfloat* some = out(16 * 16, 1e-5, 1e-5)\nint n\nint first",
        """
        auto p = grid(n);
        auto r = arange<64>();
        auto at = r[all, none] * 64 + r[none, all];
        auto x = load(a + at);
        auto acc = dot(x, trans(x));
        auto part = extract<16, 16>(acc, first, 48 - first);
        auto product = dot(extract<16, 64>(x, first, 0), extract<64, 16>(x, 0, 16));
        store(some + arange<16>()[all, none] * 16 + arange<16>()[none, all], part + product);
        acc = insert(acc, part, 2 * first, first);
        store(out + at, acc + extract(acc, first, 3));
        """,
        [{"n": 1, "first": 0}, {"n": 1, "first": 11}, {"n": 0, "first": 0}],
        warps=(1, 4, 8),
    )
    table.add(
        "parts_of_masked",
        "const float* in = small(n)\nfloat* out = out(n, 1e-6, 1e-6)\nint n",
        """
        auto pid = grid(cdiv(n, 128));
        auto i = pid * 128 + arange<128>();
        auto x = load(in + i, i < n);
        auto s = cumsum(x);
        auto total = extract(s, 127), half = extract(s, (n - 1) % 128 / 2);
        auto rows = reshape<8, 16>(x);
        auto sums = insert(sum<1>(rows), total, n % 8);
        store(out + i, x + total * half + extract(sums, n % 5), i < n);
        """,
        [{"n": 1}, {"n": 130}, {"n": 300}, {"n": 0}],
        warps=(1, 2, 4),
    )
    table.add(
        "elements_of_one",
        "const float* in = bits(n * 4)\nfloat* out = out(n * 4)\nint n",
        """
        auto p = grid(n);
        auto i = p * 4 + arange<4>();
        auto x = load(in + i);
        auto a = extract(x, 0), b = extract(x, 1);
        if (a > b) x = insert(insert(x, b, 0), a, 1);
        auto largest = extract(sort(x), 3);
        auto one = full<float, 1, 1>(largest);
        store(out + i, insert(x, extract(insert(one, extract(x, 2), 0, 0), 0, 0), 3));
        """,
        [{"n": 1}, {"n": 7}, {"n": 0}],
        warps=(1, 2, 4),
    )


elements()
parts()
types()
control()
