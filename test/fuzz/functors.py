"""Functions that the program defines for map, reduce and associative_scan: a part of Expressions (expressions.py)."""

import values as v
from names import LOCALS
from values import F32, I32, U32, Value

# Functions of an int {a}, with a captured {s} and another, from -1000 to 1000; and the bounds of the result.
BODIES = [
    ("if ({a} < 0) return -{a}; return {a} * 2;", 0, 300),
    ("int {r} = 0; for (; {a} > 0; {a} /= 2) {r} += {a} % 3; return {r};", -1000, 1000),
    ("int {r} = {a}; while ({r} > 10) {r} -= 7; return {r};", -200, 200),
    ("return {a} % 2 == 0 ? {a} / 2 : 3 * {a} + 1;", -400, 400),
    ("switch ({a} & 3) {{ case 0: return 5; case 1: return {a}; default: return -{a}; }}", -200, 200),
    ("return {a} > {s} ? {a} - {s} : {a};", -1200, 1200),
    ("for (int {r} = 0; {r} < ({s} & 7); ++{r}) {a} = {a} - {r}; return {a};", -200, 200),
    ("if ({a} < {s}) return {t}; return {a} - {s};", -1200, 1200),
    ("int {r} = {s}; do {{ {r} /= 2; {a} += {r} & 1; }} while ({r} > 0); return {a} + {t};", -2000, 2000),
    ("switch ({a} & 3) {{ case 0: return {s}; case 1: return {t} - {a}; default: return {a}; }}", -1200, 1200),
]
# Associative functions of a and b with a captured {s}; those of a sum or a product only for unsigned numbers.
COMBINES = [
    "{a} > {b} ? {a} : {b}", "minimum({a}, {b})", "{a} ^ {b}", "{a} | {b}", "{a} ^ {b} ^ {s}", "({a} & {b}) | {s}",
    "maximum(maximum({a}, {b}), {s})",
]
WRAPPING = ["{a} * {b}", "{a} + {b}", "{a} + {b} + {s}", "{a} + {b} - {s}", "{a} * {b} * {s}"]


class Functors:
    """Makes values by functions of the program: map, reduce and associative_scan."""

    def captured(self, scope, type_):
        """A scalar that a lambda names: a parameter, a template argument, a variable or a constant; small if it is signed."""
        rng = self.rng
        known = [x.value for x in scope.variables if not x.value.shape and x.value.type.kind in "iub" and x.value.exact]
        constants = [x for x in known if x.text in scope.kernel.constants]
        x = rng.choice(constants or known) if known and rng.random() < 0.5 else rng.choice(known) if known else v.literal(3)
        x = v.smaller(x, 1000) if type_ is I32 else x
        return x if x.type is type_ else v.cast(x, type_)

    def local_names(self, scope):
        """Names of a lambda's own variables: often those that the text itself uses."""
        rng = self.rng
        taken = {*scope.kernel.constants, *scope.kernel.scalars}
        if rng.random() < 0.4:
            return rng.sample([name for name in LOCALS if name not in taken], 2)
        return ["a", "c"]

    def make_map(self, scope, shape, depth):
        """map with a small function: branches and loops of each element."""
        rng = self.rng
        x = v.cast(v.smaller(v.whole(self.tile(scope, shape, depth))), I32)
        body, lo, hi = rng.choice(BODIES)
        a, r = self.local_names(scope)
        s, t = (self.captured(scope, I32).text for _ in range(2))
        text = body.format(a=a, r=r, s=s, t=t)
        function = f"[{rng.choice('==&')}](int {a}) {{ {text} }}"
        if rng.random() < 0.2:
            # The second of two tiles is added, as a float.
            y = v.cast(v.smaller(v.whole(self.tile(scope, shape, 0))), F32)
            function = f"[=](int {a}, float {r}_too) {{ if ({a} > {s}) return {a} - {r}_too; return {r}_too; }}"
            return Value(f"map({function}, {x.text}, {y.text})", F32, shape, -200, 200)
        if rng.random() < 0.3:
            # One function for two tiles.
            name = scope.kernel.name("f")
            y = v.cast(v.smaller(v.whole(self.tile(scope, shape, 0))), I32)
            scope.write(f"auto {name} = {function};")
            return v.arithmetic("-", Value(f"map({name}, {x.text})", I32, shape, lo, hi),
                                Value(f"map({name}, {y.text})", I32, shape, lo, hi))
        return Value(f"map({function}, {x.text})", I32, shape, lo, hi)

    def combine(self, scope, type_):
        """A function for reduce or associative_scan, and the numbers that may come into the result."""
        rng = self.rng
        text = rng.choice(COMBINES + WRAPPING * 2 if type_ is U32 else COMBINES)
        a, b = self.local_names(scope)
        s = self.captured(scope, type_)
        more = s if "{s}" in text else None
        return f"[=](auto {a}, auto {b}) {{ return {text.format(a=a, b=b, s=s.text)}; }}", more, text in WRAPPING

    def make_combine(self, scope, shape, depth):
        """A reduction or a scan with a combine of its own."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        x = v.cast(v.whole(self.tile(scope, shape, depth)), U32 if rng.random() < 0.5 else I32)
        if x.type is I32:
            x = v.smaller(x, 1000)
        function, more, wraps = self.combine(scope, x.type)
        lo, hi = (min(x.lo, more.lo), max(x.hi, more.hi)) if more else (x.lo, x.hi)
        lo, hi = x.type.range() if wraps else v.bit_range(lo, hi)
        lo, hi = max(lo, x.type.range()[0]), min(hi, x.type.range()[1])
        if rng.random() < 0.5:
            return Value(f"associative_scan<{axis}>({x.text}, {function})", x.type, shape, lo, hi)
        odd = shape[axis]
        while odd % 2 == 0:
            odd //= 2
        if odd > 9:
            return None
        if len(shape) == 1:
            total = Value(f"reduce<0>({x.text}, {function})", x.type, (), lo, hi)
            return v.bits("^", x, total)
        part = Value(f"reduce<{axis}>({x.text}, {function}, keep_dims)", x.type, shape[:axis] + (1,) + shape[axis + 1 :], lo, hi)
        return v.bits("^", x, part)
