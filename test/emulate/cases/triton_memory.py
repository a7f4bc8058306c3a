"""Loads and stores as Triton's tests have them, with results that Python computes."""

from case import FLOATS, INTEGERS, SHORT, Table
from computed import wrap

table = Table(rarely=True)
ALL = ["bool", *INTEGERS, *FLOATS]


def masked():
    """A load whose last elements are masked off: their value is 0 without `other`."""
    for size in (128, 512):
        for t in ALL:
            zero, one = ("false", "true") if t == "bool" else ("0", "1")

            def expected(given, size=size):
                x, n = given["in"], given["n"]
                return {name: x[:n] + [v] * (size - n) for name, v in (("none", 0), ("zeros", 0), ("ones", 1))}

            table.add(
                f"triton_masked_{size}_{SHORT[t]}",
                f"const {t}* in = small(n)\n{t}* none = out({size})\n{t}* zeros = out({size})\n{t}* ones = out({size})\nint n",
                f"""
                grid(1);
                auto i = arange<{size}>();
                store(none + i, load(in + i, i < n));
                store(zeros + i, load(in + i, i < n, {zero}));
                store(ones + i, load(in + i, i < n, {one}));
                """,
                [{"n": size - missing} for missing in range(5)],
                warps=(1, 4),
                expected=expected,
            )
    table.add(
        "triton_masked_by_scalar",
        "const float* in = small(128)\nfloat* out = out(128)\nint n",
        "grid(1);\nauto i = arange<128>();\nstore(out + i, load(in + i, n > 1, 5.0f), n < 3);",
        [{"n": n} for n in (1, 2, 3)],
        warps=(1, 4),
        expected=lambda given: {
            "out": [None] * 128 if given["n"] == 3 else given["in"] if given["n"] == 2 else [5] * 128
        },
    )


def offsets():
    """Offsets of every integer type, on both sides of the pointer."""
    for t in INTEGERS:
        table.add(
            f"triton_offset_{SHORT[t]}",
            "const float* in = small(127)\nfloat* out = out(127)\nfloat* other = out(127)\nint n",
            f"grid(n);\nauto i = arange<127>();\nauto o = cast<{t}>(i);\nstore(out + o, load(in + o));\nstore(o + other, load(o + in));",
            [{"n": 1}],
            warps=(1, 4),
            expected=lambda given: {"out": given["in"], "other": given["in"]},
        )


def integers():
    """Scalar arguments at the ends of 32 and 64 bits, and what is next to them."""
    ends = {
        "int": [0, 1, -1, 2**31 - 1, -(2**31), 16, -16],
        "uint32_t": [0, 1, 2**31 - 1, 2**31, 2**32 - 1],
        "int64_t": [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, -(2**63), -(2**31) - 1],
        "uint64_t": [0, 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1],
    }
    for t, values in ends.items():
        u = "uint64_t" if "64" in t else "uint32_t"

        def expected(given, u=u):
            s = given["s"]
            return {
                "same": [s] * 128,
                "next": [wrap(wrap(s, u) + i, u) for i in range(128)],
                "halves": [wrap(s, u) >> 1] * 128,
                "large": [int(s > 2**31 - 1)],
            }

        table.add(
            f"triton_argument_{SHORT[t]}",
            f"{t}* same = out(128)\n{u}* next = out(128)\n{u}* halves = out(128)\nint* large = out(1)\n{t} s",
            f"""
            grid(1);
            auto i = arange<128>();
            store(same + i, full<{t}, 128>(s));
            store(next + i, {u}(s) + cast<{u}>(i));
            store(halves + i, full<{u}, 128>({u}(s) >> 1));
            *large = s > 2147483647;
            """,
            [{"s": s} for s in values],
            warps=(4,),
            expected=expected,
        )


def strided():
    """Strides that are arguments, 0 among them; indirect loads and stores; a load and a store through one pointer."""
    table.add(
        "triton_strided",
        "const float* in = small(128 * 8)\nfloat* out = out(128 * 8)\nint s",
        "grid(1);\nauto i = arange<128>();\nstore(out + i * s, load(in + i * s), (i == 0) | (s != 0));",
        [{"s": s} for s in (1, 2, 8)],
        warps=(1, 4),
        expected=lambda given: {"out": [x if i % given["s"] == 0 and i < 128 * given["s"] else None for i, x in enumerate(given["in"])]},
    )
    table.add(
        "triton_stride_zero",
        "const float* in = small(32)\nfloat* out = out(32 * 16)\nint s",
        "grid(1);\nauto r = arange<16>()[all, none];\nauto c = arange<32>()[none, all];\nstore(out + r * 32 + c, load(in + r * s + c));",
        [{"s": 0}],
        warps=(1, 4),
        expected=lambda given: {"out": given["in"] * 16},
    )
    for t in ("int", "int64_t"):
        table.add(
            f"triton_indirect_{SHORT[t]}",
            f"const float* in = small(128)\nconst {t}* index = below(128, 128)\nconst {t}* place = distinct(128)\nfloat* out = out(128)\nfloat* spread = out(128)\nint n",
            """
            grid(n);
            auto i = arange<128>();
            store(out + i, load(in + load(index + i)));
            store(spread + load(place + i), load(in + i));
            """,
            [{"n": 1}],
            warps=(1, 4),
            expected=lambda given: {
                "out": [given["in"][k] for k in given["index"]],
                "spread": [x for _, x in sorted(zip(given["place"], given["in"]))],
            },
        )
    for t in ("float", "float16", "int8_t"):
        table.add(
            f"triton_in_place_{SHORT[t]}",
            f"{t}* x = below(n, 4)\nint n",
            f"auto i = grid(cdiv(n, 128)) * 128 + arange<128>();\nauto m = i < n;\n"
            f"store(x + i, cast<{t}>(load(x + i, m) + 1), m);\nstore(x + i, cast<{t}>(load(x + i, m) * 2), m);",
            [{"n": 300}, {"n": 1}],
            warps=(1, 4),
            expected=lambda given: {"x": [2 * (x + 1) for x in given["x"]]},
        )


def constants():
    for t in ALL:
        value = "true" if t == "bool" else "4"
        number = 1 if t == "bool" else 4
        table.add(
            f"triton_constant_{SHORT[t]}",
            f"{t}* out = out(n)\nint n",
            f"auto i = grid(cdiv(n, 128)) * 128 + arange<128>();\nstore(out + i, {value}, i < n);",
            [{"n": 128}, {"n": 130}, {"n": 1}],
            warps=(4,),
            expected=lambda given, number=number: {"out": [number] * given["n"]},
        )


def products():
    """Masked loads that feed a dot."""
    for k in (16, 32):

        def expected(given, k=k):
            a, b, m, n = given["a"], given["b"], given["m"], given["n"]
            out = []
            for i in range(32):
                for j in range(32):
                    valid = i < m and j < n
                    out.append(sum(a[i * k + p] * b[p * 32 + j] for p in range(k)) if valid else 0)
            return {"out": out}

        table.add(
            f"triton_masked_dot_{k}",
            f"const float16* a = small({32 * k})\nconst float16* b = small({32 * k})\nfloat* out = out(1024)\nint m\nint n",
            f"""
            grid(1);
            auto r = arange<32>();
            auto p = arange<{k}>();
            auto x = load(a + r[all, none] * {k} + p, (r < m)[all, none]);
            auto y = load(b + p[all, none] * 32 + r, (r < n)[none, all]);
            store(out + r[all, none] * 32 + r, dot(x, y));
            """,
            [{"m": 32, "n": 32}, {"m": 17, "n": 5}, {"m": 0, "n": 32}],
            warps=(1, 4),
            expected=expected,
        )


for make in (masked, offsets, integers, strided, constants, products):
    make()
