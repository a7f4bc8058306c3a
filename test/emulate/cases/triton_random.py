"""Philox against a generator written in Python, from the publication's definition."""

from case import Table

table = Table(rarely=True)
SEEDS = (0, 42, 124, 54, 0xFFFFFFFF, 0xFCAFEB0BA)
MASK = 2**32 - 1


def philox(seed, counter):
    """The four words of Philox-4x32-10 with a 64-bit seed as its key."""
    key = [seed & MASK, seed >> 32 & MASK]
    c = [counter & MASK, counter >> 32 & MASK, 0, 0]
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ key[0], q & MASK, p >> 32 ^ c[3] ^ key[1], p & MASK]
        key = [(key[0] + 0x9E3779B9) & MASK, (key[1] + 0xBB67AE85) & MASK]
    return c


def word(seed, offset):
    return philox(seed, offset // 4)[offset % 4]


def words():
    for t in ("int", "int64_t"):
        for n, block in ((10, 16), (212, 256), (400, 512)):

            def expected(given):
                numbers = [word(given["seed"], given["first"] + i) for i in range(given["n"])]
                return {
                    "bits": numbers,
                    "integers": [x - 2**32 if x >= 2**31 else x for x in numbers],
                    "uniform": [(x >> 8) / 2**24 for x in numbers],
                }

            table.add(
                f"triton_philox_{n}_{'i32' if t == 'int' else 'i64'}",
                f"uint32_t* bits = out(n)\nint* integers = out(n)\nfloat* uniform = out(n)\nint n\nuint64_t seed\n{t} first",
                f"""
                grid(1);
                auto i = arange<{block}>();
                auto at = first + i;
                store(bits + i, random_bits(seed, at), i < n);
                store(integers + i, randint(seed, at), i < n);
                store(uniform + i, rand(seed, at), i < n);
                """,
                [{"n": n, "seed": s, "first": f} for s in SEEDS for f in (0, 3, 2**31 - 1000 if t == "int" else 2**40 + 1)],
                warps=(1, 4),
                expected=expected,
            )


def uniform():
    """Extreme words as numbers: none is 1."""
    table.add(
        "triton_uniform_bounds",
        "const uint32_t* in = bits(1024)\nbool* inside = out(1)\nfloat* mean = out(1, 0, 0.05)\nuint64_t seed",
        """
        grid(1);
        auto i = arange<1024>();
        auto x = rand(seed, i);
        *inside = all_of((x >= 0.0f) & (x < 1.0f)) && all_of(cast<float>(load(in + i) >> 8) * 5.9604645e-8f < 1.0f);
        *mean = sum(x) / 1024.0f;
        """,
        [{"seed": s} for s in SEEDS],
        warps=(1, 4),
        expected=lambda given: {"inside": [1], "mean": [0.5]},
    )


for make in (words, uniform):
    make()
