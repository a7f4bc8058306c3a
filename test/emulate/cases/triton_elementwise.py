"""Operators as Triton's tests have them: every pair of types, bits and comparisons, with results that Python computes."""

import math
from fractions import Fraction

from case import FLOATS, INTEGERS, SHORT, ULP, Table
from computed import wrap

table = Table(rarely=True)
ALL = [*INTEGERS, *FLOATS]
N = 128
BLOCK = f"auto i = grid(cdiv(n, {N})) * {N} + arange<{N}>();\nauto m = i < n;\n"
RANK = ["int", "uint32_t", "int64_t", "uint64_t"]


def promoted(t):
    return t if t in RANK or t in FLOATS else "int"


def common(t, u):
    """The type of the result for two tiles."""
    if t in FLOATS and u in FLOATS:
        return t if t == u else "double" if "double" in (t, u) else "float"
    if t in FLOATS or u in FLOATS:
        return t if t in FLOATS else u
    return max(promoted(t), promoted(u), key=RANK.index)


def common_with_scalar(t, s):
    """The same for a tile of t and a scalar of s."""
    if s == "double":
        return t if t in FLOATS else "float"
    return common(t, s)


def computed(sign, a, b, t):
    """a sign b in type t."""
    if t not in FLOATS:
        a, b = wrap(a, t), wrap(b, t)
    if sign == "/":
        if t in FLOATS:
            return -0.0 if a == 0 and b < 0 else Fraction(a) / Fraction(b)
        return wrap(int(Fraction(a, b)), t)
    if sign == "%":
        return wrap(a - b * int(Fraction(a, b)), t)
    value = a + b if sign == "+" else a - b if sign == "-" else a * b
    if t in FLOATS and sign == "*" and value == 0:
        return math.copysign(0.0, math.copysign(1, a) * math.copysign(1, b))
    return value if t in FLOATS else wrap(value, t)


NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem"}


def pairs():
    """tile o tile, tile o scalar, scalar o tile, and a tile of one element."""
    for t in ALL:
        for u in ALL:
            r, left, right = common(t, u), common_with_scalar(u, t), common_with_scalar(t, u)
            integers = t in INTEGERS and u in INTEGERS
            outputs, body, forms = "", "", []
            for sign in "+-*/%" if integers else "+-*/":
                for form, type_, text in (
                    ("tiles", r, f"x {sign} y"),
                    ("right", right, f"x {sign} s"),
                    ("left", left, f"q {sign} y"),
                    ("one", r, f"x {sign} z"),
                ):
                    name = f"{NAMES[sign]}_{form}"
                    exact = sign != "/" or integers
                    outputs += f"{type_}* {name} = out(n{'' if exact else f', {2.1 * ULP[type_]}'})\n"
                    body += f"store({name} + i, {text}, m);\n"
                    forms.append((name, sign, form, type_))

            def expected(given, forms=forms):
                x, y, s, q = given["a"], given["b"], given["s"], given["q"]
                operands = {
                    "tiles": list(zip(x, y)),
                    "right": [(v, s) for v in x],
                    "left": [(q, v) for v in y],
                    "one": [(v, y[0]) for v in x],
                }
                return {
                    name: [computed(sign, a, b, type_) for a, b in operands[form]]
                    for name, sign, form, type_ in forms
                }

            table.add(
                f"triton_binary_{SHORT[t]}_{SHORT[u]}",
                f"const {t}* a = small(n)\nconst {u}* b = nonzero(n)\n{outputs}{u} s\n{t} q\nint n",
                f"{BLOCK}auto x = load(a + i, m);\nauto y = load(b + i, m, 1);\nauto z = load(b + arange<1>());\n{body}",
                [{"n": N, "s": 3, "q": 5}],
                warps=(4,),
                expected=expected,
            )


def bits():
    for t in INTEGERS:
        r = promoted(t)
        outputs = {
            "a_and": "x & y",
            "a_or": "x | y",
            "a_xor": "x ^ y",
            "a_not": "~x",
            "left": "z << k",
            "right": "x >> k",
        }

        def expected(given, r=r):
            x, y, z, k = given["a"], given["b"], given["c"], given["s"]
            return {
                "a_and": [wrap(a & b, r) for a, b in zip(x, y)],
                "a_or": [wrap(a | b, r) for a, b in zip(x, y)],
                "a_xor": [wrap(a ^ b, r) for a, b in zip(x, y)],
                "a_not": [wrap(~a, r) for a in x],
                "left": [wrap(a << b, r) for a, b in zip(z, k)],
                "right": [a >> b for a, b in zip(x, k)],
            }

        table.add(
            f"triton_bits_{SHORT[t]}",
            f"const {t}* a = bits(n)\nconst {t}* b = bits(n)\nconst {t}* c = positive(n)\nconst {t}* s = shift(n)\n"
            + "".join(f"{r}* {o} = out(n)\n" for o in outputs)
            + "int n",
            BLOCK
            + "auto x = load(a + i, m);\nauto y = load(b + i, m);\nauto z = load(c + i, m);\nauto k = load(s + i, m);\n"
            + "".join(f"store({o} + i, {e}, m);\n" for o, e in outputs.items()),
            [{"n": N}, {"n": 77}],
            warps=(1, 4),
            expected=expected,
        )


COMPARISONS = {
    "lt": ("x < y", lambda a, b: a < b),
    "le": ("x <= y", lambda a, b: a <= b),
    "gt": ("x > y", lambda a, b: a > b),
    "ge": ("x >= y", lambda a, b: a >= b),
    "eq": ("x == y", lambda a, b: a == b),
    "ne": ("x != y", lambda a, b: a != b),
}


def comparisons():
    """Six comparisons; of floats with NaN on the left, on the right and on both sides."""
    for t in ALL:
        sides = {"none": ("small", "small")}
        if t in FLOATS:
            sides |= {"left": ("nans", "ties"), "right": ("ties", "nans"), "both": ("nans", "special")}
        for side, (a, b) in sides.items():

            def expected(given):
                pairs = list(zip(given["a"], given["b"]))
                result = {name: [f(*pair) for pair in pairs] for name, (_, f) in COMPARISONS.items()}
                return result | {"chosen": [b if a < b else a for a, b in pairs]}

            table.add(
                f"triton_compare_{SHORT[t]}_nan_{side}",
                f"const {t}* a = {a}(n)\nconst {t}* b = {b}(n)\n"
                + "".join(f"bool* {name} = out(n)\n" for name in COMPARISONS)
                + f"{t}* chosen = out(n)\nint n",
                BLOCK
                + "auto x = load(a + i, m);\nauto y = load(b + i, m);\n"
                + "".join(f"store({name} + i, {text}, m);\n" for name, (text, _) in COMPARISONS.items())
                + "store(chosen + i, where(x < y, y, x), m);",
                [{"n": N}, {"n": 77}],
                warps=(4,),
                expected=expected,
            )


def chosen():
    """where of pointers, of scalars and of tiles that broadcast."""
    for t in ("float", "int8_t", "int64_t"):

        def expected(given):
            flags, x, y = given["flags"], given["a"], given["b"]
            return {
                "through": [a if f else b for f, a, b in zip(flags, x, y)],
                "scalars": [a if f else 7 for f, a in zip(flags, x)],
                "planes": [x[r] if flags[c] else y[c] for r in range(16) for c in range(32)],
            }

        table.add(
            f"triton_where_{SHORT[t]}",
            f"const bool* flags = small({N})\nconst {t}* a = small({N})\nconst {t}* b = small({N})\n"
            f"{t}* through = out({N})\n{t}* scalars = out({N})\n{t}* planes = out(512)\nint count",
            f"""
            grid(count);
            auto i = arange<{N}>();
            auto f = load(flags + i);
            store(through + i, load(where(f, a + i, b + i)));
            store(scalars + i, where(f, load(a + i), cast<{t}>(full<int, 1>(7))));
            auto r = arange<16>()[all, none];
            auto c = arange<32>()[none, all];
            store(planes + r * 32 + c, where(load(flags + c), load(a + r), load(b + c)));
            """,
            [{"count": 1}],
            warps=(1, 4),
            expected=expected,
        )


def signs():
    """-x keeps zeros of both signs apart; abs; clamp between symmetric bounds."""
    for t in FLOATS:

        def expected(given):
            x = given["a"]
            return {
                "negated": [-v for v in x],
                "size": [abs(v) for v in x],
                "held": [v if v != v else max(-2.0, min(2.0, v)) for v in x],
            }

        table.add(
            f"triton_signs_{SHORT[t]}",
            f"const {t}* a = special(n)\n{t}* negated = out(n)\n{t}* size = out(n)\n{t}* held = out(n)\nint n",
            BLOCK
            + f"auto x = load(a + i, m);\nstore(negated + i, -x, m);\nstore(size + i, abs(x), m);\n"
            f"auto held_of = clamp(x, {t}(-2.0f), {t}(2.0f), propagate_nan);\nstore(held + i, held_of, m);",
            [{"n": N}, {"n": 77}],
            warps=(1, 4),
            expected=expected,
        )


def products():
    """The upper half of products, and products of bfloat16, which are rounded to nearest even."""
    for t in ("int", "uint32_t", "int64_t", "uint64_t"):
        bits_of = 64 if "64" in t else 32
        u = t if t.startswith("u") else f"uint{bits_of}_t"

        def expected(given, bits_of=bits_of):
            return {"out": [a * b >> bits_of for a, b in zip(given["a"], given["b"])]}

        table.add(
            f"triton_mulhi_{SHORT[t]}",
            f"const {t}* a = bits(n)\nconst {t}* b = bits(n)\n{t}* out = out(n)\nint n",
            BLOCK + f"store(out + i, {'umulhi' if t == u else 'mulhi'}(load(a + i, m), load(b + i, m)), m);",
            [{"n": N}],
            warps=(4,),
            expected=expected,
        )
    for t in ("bfloat16", "float16"):
        table.add(
            f"triton_rounded_{SHORT[t]}",
            f"const {t}* a = unit(n)\nconst {t}* b = unit(n)\n{t}* product = out(n)\n{t}* sum = out(n)\nint n",
            BLOCK + "auto x = load(a + i, m);\nauto y = load(b + i, m);\nstore(product + i, x * y, m);\nstore(sum + i, x + y, m);",
            [{"n": N}],
            warps=(4,),
            expected=lambda given: {
                "product": [math.copysign(a * b, a * b) for a, b in zip(given["a"], given["b"])],
                "sum": [Fraction(a) + Fraction(b) for a, b in zip(given["a"], given["b"])],
            },
        )


for make in (pairs, bits, comparisons, chosen, signs, products):
    make()
