"""Conversions where rounding shows, 8-bit floats, random numbers: a part of Expressions (expressions.py)."""

import values as v
from extremes import Term
from moves import list_of
from values import BF16, F16, F32, F64, I32, I64, U32, Value

FLOAT8 = ["float8_e4m3", "float8_e5m2"]
# Where halves of the last place are, and the ends of the ranges: powers of two to scale integers of up to 24 bits with.
SCALES = {F16: (-38, -4), BF16: (-60, 60), F32: (-40, 40), "float8_e4m3": (-24, -6), "float8_e5m2": (-30, -2)}


class Narrow:
    """Makes values near ties and the ends of ranges, 8-bit floats and random numbers."""

    def make_narrowed(self, scope, shape, depth):
        """Integers, or doubles, next to the middle between two numbers of a narrower float type."""
        rng = self.rng
        to = rng.choice([F16, BF16, BF16, F32, *FLOAT8])
        wide = to in FLOAT8
        name = to if wide else to.name
        if rng.random() < 0.5:
            x = self.make_edges(scope, shape, depth)
        else:
            axis = rng.randrange(len(shape))
            index = f"cast<int>(iota<{axis}, {list_of(shape)}>())"
            fraction = rng.choice([3, 7, 8, 10, 11, 2])  # bits; one or two below them are a tie, and its neighbours
            # With so many bits that float does not hold them all, too: rounded twice, the neighbours are ties.
            length = ((shape[axis] + 2**fraction) * 4 + 2).bit_length()
            up = rng.choice([3, 9, 30 - length, 30 - length])
            part = f"((({index} + {2**fraction}) * 4 + 2) * {2**up} + {rng.choice([-1, 0, 1])})"
            low, high = SCALES[to]
            scale = f"{2.0 ** (rng.randrange(low, high) - max(0, up - 9))!r}"
            sign = rng.choice(["", "-"])
            from_ = rng.choice([F64, F64, F32])
            x = Value(f"({sign}cast<{from_.name}>({part}) * cast<{from_.name}>({scale}))", from_, shape, exact=False)
        if rng.random() < 0.3:
            x = v.cast(x, rng.choice([F64, F64, F32, I64] if x.type.kind != "f" else [F64, F32]))
        rounding = "" if wide or rng.random() < 0.5 else ", rounding::rz"
        text = f"cast<{name}>({x.text}{rounding})"
        if wide:
            back = rng.choice([F32, F32, F16, BF16, F64])
            return Value(f"cast<{back.name}>({text})", back, shape, exact=False)
        return Value(text, to, shape, exact=False)

    def make_float8(self, scope, shape, depth):
        """An 8-bit float that was moved, and widened."""
        rng = self.rng
        name = rng.choice(FLOAT8)
        x = self.tile(scope, shape, depth)
        if not x.exact or not x.within(-8, 8):
            x = v.smaller(x, 8)
        back = rng.choice([F32, F16, BF16])
        text = f"cast<{name}>({x.text})"
        move = rng.choice(["", "", "flip({})", "where({1}, {0}, {0})", "reshape<{2}>({0})"])
        if move.startswith("flip"):
            text = move.format(text)
        elif move.startswith("where"):
            c = v.truth(self.near(scope, shape, depth))
            y = self.tile(scope, shape, 0)
            y = v.smaller(y, 8)
            text = f"where({c.text}, {text}, cast<{name}>({y.text}))"
        elif move:
            size = Value("", I32, shape).size()
            text = f"reshape<{list_of(shape)}>(reshape<{size}>({text}))"
        return Value(f"cast<{back.name}>({text})", back, shape, -8, 8)

    def make_random(self, scope, shape, depth):
        """Random words, or numbers made of them; the same on both sides."""
        rng = self.rng
        seed = rng.choice(["7", "0", str(2**40 + 5), self.index(scope, 64).text])
        kind = rng.randrange(4)
        if kind < 2:
            at = self.flat(shape)
            if rng.random() < 0.5:
                at = f"({at} {rng.choice(['* 2', '* 4', '+ 1', '+ 3', '/ 2', '* 3'])})"
            if rng.random() < 0.4:
                at = f"({self.index(scope, 64).text} + {at})"
            if rng.random() < 0.3:
                at = self.extreme_offset_of(scope, shape) or at
        else:
            x = self.tile(scope, shape, depth)
            at = (x if x.type.kind in "iu" else v.whole(x)).text
        name = rng.choice(["random_bits", "randint", "rand", "random_bits"])
        call = f"{name}({seed}, {at})"
        if name == "rand":
            return Value(call, F32, shape, exact=False)
        type_ = U32 if name == "random_bits" else I32
        return Value(call, type_, shape, *type_.range())

    def extreme_offset_of(self, scope, shape):
        """Row-major offsets with large terms added; None in a helper."""
        if scope.kernel.is_helper:
            return None
        size = Value("", I32, shape).size()
        return self.extreme_offset(scope, Term(self.flat(shape), I32, ((0, size - 1),) * 2), 200)

    def make_philox(self, scope, shape, depth):
        """One of the four words of a call."""
        names = [scope.kernel.name("w") for _ in range(4)]
        counter = self.tile(scope, shape, depth)
        counter = counter if counter.type.kind in "iu" and counter.type.bits >= 32 else v.cast(v.whole(counter), I32)
        scope.write(f"auto [{', '.join(names)}] = philox({self.rng.choice(['3', '123456789012'])}, {counter.text});")
        words = [Value(name, U32, shape, *U32.range()) for name in names]
        for word in words:
            scope.add(word)
        return self.rng.choice(words)
