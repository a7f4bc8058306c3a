"""rand, randn, randint, random_bits, philox: the same words as the reference, whatever the layout."""

from case import Table, ragged, warps_of
from cases.shapes import address

table = Table()
SEEDS = [0, 42, 0xFFFFFFFF, 0xFCAFEB0BA]


def lines():
    for block in (1, 2, 32, 80, 96, 128, 1000, 1024):
        name = f"random_{block}"
        table.add(
            name,
            "float* uniform = out(n)\nint* whole = out(n)\nuint32_t* words = out(n)\nfloat* normal = out(n, 1e-4, 1e-4)\nint n\nuint64_t seed",
            f"""
            auto i = grid(cdiv(n, {block})) * {block} + arange<{block}>();
            auto m = i < n;
            store(uniform + i, rand(seed, i), m);
            store(whole + i, randint(seed, i), m);
            store(words + i, random_bits(seed, i), m);
            store(normal + i, randn(seed, i), m);
            """,
            [{**run, "seed": s} for run, s in zip(ragged(block), [*SEEDS, 7])],
            warps=(1, 2, 3, 4, 5, 8) if block in (96, 1024) else warps_of(name, 2),
        )


def offsets():
    for form, text in {
        "stride2": "i * 2",
        "stride4": "i * 4",
        "stride3": "i * 3 + 1",
        "shifted": "i + 1",
        "shifted2": "i + 2",
        "base": "base + i",
        "reverse": "1000 - i",
        "wide": "cast<int64_t>(i) + 4294967290LL",
        "half": "i / 2",
        "negative": "i - 64",
        "unsigned": "cast<uint32_t>(i) + 4294967200u",
    }.items():
        name = f"random_{form}"
        table.add(
            name,
            "float* uniform = out(n)\nfloat* normal = out(n, 1e-4, 1e-4)\nint n\nint base",
            f"auto i = grid(cdiv(n, 128)) * 128 + arange<128>();\nauto m = i < n;\nauto o = {text};\nstore(uniform + i, rand(11, o), m);\nstore(normal + i, randn(11, o), m);",
            [{"n": n, "base": b} for n, b in ((384, 4), (300, 3), (128, 0), (1, 2))],
            warps=warps_of(name, 3),
        )
    for shape in ((16, 32), (80, 16), (4, 8, 16)):
        table.add(
            f"random_{'x'.join(map(str, shape))}",
            "float* uniform = out(2048)\nfloat* across = out(2048)\nint count",
            f"""
            grid(count);
            auto at = {address(shape)};
            store(uniform + at, rand(5, at));
            store(across + at, rand(5, at * 16));
            """,
            [{"count": 1}, {"count": 0}],
            warps=(1, 2, 3, 4, 5, 8),
        )
    # Offsets that come through shared memory, element by element.
    for shape in ((20, 3), (16, 4), (2, 3), (8, 10)):
        size = shape[0] * shape[1]
        table.add(
            f"random_reshaped_{shape[0]}x{shape[1]}",
            f"float* uniform = out({size})\nfloat* more = out({size})\nint n",
            f"""
            grid(1);
            auto at = reshape<{shape[0]}, {shape[1]}>(arange<{size}>());
            store(uniform + ({size - 1} - at), rand(n, at));
            store(more + at, rand(n, at * 4));
            """,
            [{"n": 7}],
            warps=(1, 2, 4),
        )


def words():
    table.add(
        "philox_words",
        "uint32_t* a_out = out(n)\nuint32_t* b_out = out(n)\nuint32_t* c_out = out(n)\nuint32_t* d_out = out(n)\nint n\nuint64_t seed",
        """
        auto i = grid(cdiv(n, 96)) * 96 + arange<96>();
        auto m = i < n;
        auto [a, b, c, d] = philox(seed, i);
        store(a_out + i, a, m);
        store(b_out + i, b, m);
        store(c_out + i, c, m);
        store(d_out + i, d, m);
        """,
        [{"n": n, "seed": s} for n, s in zip((288, 200, 1, 0), SEEDS)],
        warps=(1, 2, 3, 4, 5, 8),
    )
    # Counters are 64 bits: four times one of them is not.
    for type_ in ("int", "int8_t", "int64_t", "uint64_t", "uint32_t"):
        table.add(
            f"philox_counter_{type_}",
            f"uint32_t* out = zero(600)\n{type_} first",
            f"""
            grid(1);
            auto i = arange<128>();
            auto [a, b, c, d] = philox(9, cast<{type_}>(i * 5) + first);
            store(out + i * 4, a);
            store(out + i * 4 + 1, b ^ c);
            store(out + i * 4 + 2, d);
            auto [e, f, g, h] = philox(9, first);
            store(out + 512, e);
            store(out + 513, f ^ g ^ h);
            """,
            [{"first": n} for n in {"int": (-3, 7, -(2**31)), "int8_t": (-1, 3), "uint32_t": (2**32 - 1000, 2**30)}.get(type_, (2**62 - 9, 2**62 + 5, 2**61))],
            warps=warps_of(type_, 2),
        )
    table.add(
        "random_scalar",
        "float* out = out(n)\nint* whole = out(n)\nint n\nuint64_t seed",
        "auto row = grid(n);\nout[row] = rand(seed, row);\nwhole[row] = randint(seed, row * 4 + 1);",
        [{"n": 7, "seed": s} for s in SEEDS],
        warps=(1, 2, 4),
    )
    for t in ("float", "float16", "bfloat16"):
        table.add(
            f"dropout_{t}",
            f"const {t}* x = small(n)\n{t}* out = out(n, {2**-7 if t == 'bfloat16' else 2**-10})\nint n\nfloat p\nuint64_t seed",
            """
            auto i = grid(cdiv(n, 256)) * 256 + arange<256>();
            auto keep = rand(seed, i) >= p;
            auto v = load(x + i, i < n);
            store(out + i, where(keep, v / (1 - p), 0.0f), i < n);
            """,
            [
                {"n": n, "p": p, "seed": s}
                for n, p, s in ((700, 0.5, 1), (512, 0.1, 2), (1, 0.0, 3), (0, 0.5, 4))
            ],
            warps=warps_of(f"dropout_{t}", 3),
        )


for make in (lines, offsets, words):
    make()
