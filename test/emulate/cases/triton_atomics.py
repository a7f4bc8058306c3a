"""Atomics as Triton's tests have them: updates x types x signs x memory orders, with results that Python computes."""

from case import SHORT, Table
from computed import reduced

table = Table(rarely=True)
INTEGERS = ["int", "uint32_t", "int64_t", "uint64_t"]
ADDED = ["float16", "bfloat16", *INTEGERS, "float", "double"]
ORDERED = [*INTEGERS, "float", "double"]
ORDERS = {"default": "", **{o: f", memory_order::{o}" for o in ("relaxed", "acquire", "release", "acq_rel")}}


def added():
    """Every program adds to one place, and tiles to places of their own; predicates; old values."""
    for t in ADDED:
        for order, option in ORDERS.items():

            def expected(given):
                x, n = given["in"], given["n"]
                m = given["memory"]
                return {
                    "memory": [m[0] + sum(x), m[1] + sum(x[::2])] + m[2:],
                    "spread": [a + b for a, b in zip(given["spread"], x)],
                    "old": list(given["spread"][: n * 64]),
                }

            table.add(
                f"triton_add_{SHORT[t]}_{order}",
                f"const {t}* in = below(n * 64, 2)\n{t}* memory = small(4)\n{t}* spread = small(n * 64)\n{t}* old = out(n * 64)\nint n",
                f"""
                auto p = grid(n);
                auto i = p * 64 + arange<64>();
                auto x = load(in + i);
                atomic_add(memory + 0 * i, x{option});
                atomic_add(memory + 1 + 0 * i, x, i % 2 == 0{option});
                store(old + i, atomic_add(spread + i, x{option}));
                """,
                [{"n": 2}, {"n": 0}],
                warps=(1, 4) if not option else (4,),
                expected=expected,
            )


def extremes():
    """atomic_max and atomic_min where all are negative, all positive, one is the least or the greatest."""
    for t in ORDERED:
        signed = not t.startswith("u")
        for order, option in ORDERS.items():

            def expected(given, signed=signed):
                x, m = given["in"], given["memory"]
                positive = [abs(v) + 1 for v in x]
                negative = [-v for v in positive] if signed else positive
                return {
                    "memory": [
                        max([m[0], *positive]),
                        min([m[1], *positive]),
                        max([m[2], *negative]),
                        min([m[3], *negative]),
                        max([m[4], *x]),
                        min([m[5], *x]),
                    ]
                }

            table.add(
                f"triton_extremes_{SHORT[t]}_{order}",
                f"const {t}* in = small(n * 64)\n{t}* memory = small(6)\nint n",
                f"""
                auto i = grid(n) * 64 + arange<64>();
                auto x = load(in + i);
                auto positive = abs(x) + 1;
                auto negative = {"-positive" if signed else "positive"};
                auto m = memory + 0 * i;
                atomic_max(m, positive{option});
                atomic_min(m + 1, positive{option});
                atomic_max(m + 2, negative{option});
                atomic_min(m + 3, negative{option});
                atomic_max(m + 4, x{option});
                atomic_min(m + 5, x{option});
                """,
                [{"n": 2}, {"n": 0}],
                warps=(4,),
                expected=expected,
            )


def planes():
    """Sums along an axis of a tile are added to memory, and the values that were there are returned."""
    for shape in ((2, 2), (2, 8), (8, 2), (8, 8), (32, 32), (64, 64), (128, 128)):
        for axis in (0, 1):
            for t in ("bfloat16", "float16", "float", "uint64_t", "int64_t", "double"):
                rest = shape[1 - axis]

                def expected(given, shape=shape, axis=axis):
                    sums = reduced(given["in"], shape, axis, sum)
                    return {
                        "memory": [a + b for a, b in zip(given["memory"], sums)],
                        "old": list(given["memory"]),
                    }

                table.add(
                    f"triton_add_sums_{shape[0]}x{shape[1]}_{axis}_{SHORT[t]}",
                    f"const {t}* in = sparse({shape[0] * shape[1]})\n{t}* memory = small({rest})\n{t}* old = out({rest})\nint count",
                    f"""
                    grid(count);
                    auto x = load(in + arange<{shape[0]}>()[all, none] * {shape[1]} + arange<{shape[1]}>());
                    auto i = arange<{rest}>();
                    store(old + i, atomic_add(memory + i, sum<{axis}>(x)));
                    """,
                    [{"count": 1}],
                    warps=(4,),
                    expected=expected,
                )


def patterns():
    """Elements of a 2-D tile that share addresses: shifted by one, all in a row or a column, one in four."""
    forms = {"shifted": "r * 16 + c + (r & 1)", "row": "r + 0 * c", "column": "c + 0 * r", "quarter": "(r * 32 + c) / 4"}
    places = {
        "shifted": lambda r, c: r * 16 + c + r % 2,
        "row": lambda r, c: r,
        "column": lambda r, c: c,
        "quarter": lambda r, c: (r * 32 + c) // 4,
    }
    for name, form in forms.items():
        for t in ("float", "int", "float16"):

            def expected(given, name=name):
                memory = list(given["memory"])
                for p, x in enumerate(given["in"]):
                    memory[places[name](*divmod(p, 32))] += x
                return {"memory": memory}

            table.add(
                f"triton_add_{name}_{SHORT[t]}",
                f"const {t}* in = below(512, 2)\n{t}* memory = small(512)\nint count",
                f"""
                grid(count);
                auto r = arange<16>()[all, none];
                auto c = arange<32>()[none, all];
                atomic_add(memory + ({form}), load(in + r * 32 + c));
                """,
                [{"count": 1}],
                warps=(1, 4),
                expected=expected,
            )


def swaps():
    """Compare-and-swap of tiles, and a lock that programs take in turn."""
    for n in (4, 128, 512, 1024):
        for t in ("int", "uint32_t", "int64_t", "uint64_t", "float", "double"):

            def expected(given):
                x, e, v = given["memory"], given["expected"], given["value"]
                return {"old": list(x), "memory": [b if a == c else a for a, b, c in zip(x, v, e)]}

            table.add(
                f"triton_cas_{n}_{SHORT[t]}",
                f"{t}* memory = ties({n})\nconst {t}* expected = ties({n})\nconst {t}* value = small({n})\n{t}* old = out({n})\nint count",
                f"""
                grid(count);
                auto i = arange<{n}>();
                store(old + i, atomic_cas(memory + i, load(expected + i), load(value + i)));
                """,
                [{"count": 1}],
                warps=(4,),
                expected=expected,
            )
    for t in ("int", "int64_t"):
        for order, option in ORDERS.items():
            if order in ("relaxed", "acquire", "release"):
                continue
            table.add(
                f"triton_lock_{SHORT[t]}_{order}",
                f"{t}* lock = zero(1)\nfloat* data = zero(128)\nint n",
                f"""
                auto p = grid(n);
                while (atomic_cas(lock, 0, 1{option}) == 1) {{
                }}
                auto at = data + arange<128>();
                store(at, load(at) + 1.0f);
                atomic_xchg(lock, 0{option});
                """,
                [{"n": 4}, {"n": 1}],
                warps=(4,),
                expected=lambda given: {"data": [given["n"]] * 128, "lock": [0]},
            )


def zeros():
    """-0 is less than +0."""
    for t in ("float", "double"):
        table.add(
            f"triton_extremes_zero_{SHORT[t]}",
            f"{t}* memory = zero(2)\nint n",
            f"grid(n);\natomic_min(memory, {t}(-0.0));\natomic_max(memory + 1, {t}(-0.0));",
            [{"n": 1}],
            warps=(1,),
            expected=lambda given: {"memory": [-0.0, 0.0]},
        )


for make in (added, extremes, planes, patterns, swaps, zeros):
    make()
