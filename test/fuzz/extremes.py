"""Integers near the ends of their types: a part of Expressions (expressions.py).

A sum here may have terms that are very large, as long as no step of the sum leaves its type: `base + i - end`, of which
the compiler may not make `i + (base - end)` unless that fits too. The values of scalars are known here, for each run:
a `Term` has one interval for each.
"""

import dataclasses

import values as v
from moves import list_of
from values import I32, I64, U32, U64, Value


@dataclasses.dataclass
class Term:
    """A sum as text, with its bounds in each run."""

    text: str
    type: v.Type
    bounds: tuple  # (least, largest) for each run

    def least(self):
        return min(lo for lo, _ in self.bounds)

    def most(self):
        return max(hi for _, hi in self.bounds)


def constant(number):
    """A number as a Term."""
    return Term(str(number), I32, ((number, number),) * 2)


def plus(a, b, minus):
    """a + b or a - b; None where it may leave its type. Unsigned numbers wrap around: their bounds are those of the sum."""
    type_ = v.promoted(v.promoted(a.type, b.type), I32)
    for x in (a, b):
        if x.type.kind == "u" and x.type is not type_ and not v.fits(x.type, x.least(), x.most()):
            return None  # it has wrapped around, and would be widened now
    bounds = tuple((p - s, q - r) if minus else (p + r, q + s) for (p, q), (r, s) in zip(a.bounds, b.bounds))
    made = Term(f"({a.text} {'-' if minus else '+'} {b.text})", type_, bounds)
    return made if type_.kind == "u" or v.fits(type_, made.least(), made.most()) else None


class Extremes:
    """Makes offsets, masks and values of sums whose terms are near the ends of their types."""

    def end_of(self, scope, type_, above=True):
        """A parameter near an end of the type, as a Term."""
        kernel, rng = scope.kernel, self.rng
        name = f"{'top' if above else 'low'}{type_.bits}{'u' if type_.kind == 'u' else ''}_{rng.randrange(2)}"
        if name not in kernel.scalars:
            low, high = type_.range()
            least = [rng.choice([0, 0, 1, 2, 7, 40]), rng.choice([0, 3, 8, 100, 900])]
            numbers = [high - d % 100 if above else low + d % 100 for d in least] if type_.bits == 8 else [
                high - d if above else low + d for d in least]
            kernel.scalars[name] = (type_.name, numbers)
        return Term(name, type_, tuple((n, n) for n in kernel.scalars[name][1]))

    def small_term(self, scope, type_):
        """A scalar that is small, in one of the ways that programs get one: id, loop variable, loaded, argument, difference."""
        rng, kernel = self.rng, scope.kernel
        kind = rng.randrange(5)
        if kind == 0 and kernel.program:
            return Term(kernel.program, I64, ((0, 3), (0, 3)))
        if kind == 1:
            known = [
                x.value for x in scope.variables
                if not x.value.shape and x.value.type in (I32, I64) and x.value.exact and x.value.hi - x.value.lo < 20
            ]
            if known:
                x = rng.choice(known)
                return Term(x.text, x.type, ((x.lo, x.hi),) * 2)
        if kind == 2:
            # A loaded number: nothing is known of it.
            at = rng.choice([kernel.program_text(), str(rng.randrange(8))])
            return Term(f"{kernel.few()}[{at}]", I32, ((0, 3), (0, 3)))
        if kind == 3:
            a, b = (self.end_of(scope, type_, rng.random() < 0.5) for _ in range(2))
            difference = plus(a, b, True)
            if difference and a.text != b.text and all(-1000 <= lo and hi <= 1000 for lo, hi in difference.bounds):
                return difference
        number = rng.choice([1, 2, 3, 8, 31, 64])
        return constant(number)

    def summed(self, terms):
        """A random order of additions and subtractions of (sign, Term) that stays defined; None if none was found."""
        rng = self.rng
        for _ in range(12):
            left = [(sign, term) for sign, term in terms]
            rng.shuffle(left)
            while len(left) > 1:
                i = rng.randrange(len(left) - 1)
                (s, a), (t, b) = left[i : i + 2]
                if s < 0 < t:
                    (s, a), (t, b) = (t, b), (s, a)
                made = plus(a, b, s != t)
                if not made:
                    break
                left[i : i + 2] = [(s, made)]
            if len(left) == 1 and left[0][0] > 0:
                return left[0][1]
        return None

    def tile_term(self, shape, axis):
        """The index along an axis, as a Term."""
        index = self.along(shape, axis)
        return Term(index.text, I32, ((0, shape[axis] - 1),) * 2)

    def far_sum(self, scope, index, small):
        """index plus one or two pairs of large terms that nearly cancel out, plus small ones; None if it is not defined."""
        rng = self.rng
        terms = [(1, index)]
        for _ in range(rng.choice([1, 1, 2])):
            type_ = rng.choice([I32, I32, I64, U32])
            above = rng.random() < 0.6
            a, b = self.end_of(scope, type_, above), self.end_of(scope, type_, above)
            terms += [(1, a), (-1, b)] if rng.random() < 0.5 else [(-1, a), (1, b)]
        for _ in range(rng.randrange(small + 1)):
            terms.append((rng.choice([1, 1, -1]), self.small_term(scope, I32)))
        return self.summed(terms)

    def extreme_offset(self, scope, index, largest, small=1):
        """index plus a number that is the same for all elements, from 0 to `largest`: the text, or None."""
        term = self.far_sum(scope, index, small)
        if not term:
            return None
        if term.least() < 0:
            term = plus(term, constant(-term.least()), False)
        if not term or term.most() > largest + index.most():
            return None
        return term.text

    def extreme_mask(self, scope, shape):
        """A comparison of sums with terms near the ends of their types, neither of which overflows."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        index = self.tile_term(shape, axis)
        sides = []
        for terms in ([(1, index)], []):
            type_ = rng.choice([I32, I64, I64])
            terms = list(terms)
            if not terms or rng.random() < 0.3:
                terms.append((rng.choice([1, 1, -1]), self.end_of(scope, type_, rng.random() < 0.6)))
            for _ in range(rng.choice([0, 1, 1, 2])):
                terms.append((rng.choice([1, -1]), self.small_term(scope, type_)))
            side = self.summed(terms)
            if not side:
                return None
            sides.append(side)
        if rng.random() < 0.3:
            sides.reverse()
        op = rng.choice(["<", "<", "<=", ">", ">=", "!=", "=="])
        part = tuple(e if k == axis else 1 for k, e in enumerate(shape))
        return Value(f"({sides[0].text} {op} {sides[1].text})", v.BOOL, part if len(shape) > 1 else shape, 0, 1)

    def make_extreme(self, scope, shape, depth):
        """A sum of large terms, brought into a small range; or a comparison of such."""
        rng = self.rng
        axis = rng.randrange(len(shape))
        type_ = rng.choice([I32, I64, U32, U64])
        index = self.tile_term(shape, axis)
        if type_.kind == "u":
            index = Term(f"cast<{type_.name}>({index.text})", type_, index.bounds)
        if type_.kind == "i" and rng.random() < 0.5:
            mask = self.extreme_mask(scope, shape)
            if mask:
                return dataclasses.replace(mask, text=f"broadcast_to<{list_of(shape)}>({mask.text})", shape=shape)
        terms = [(1, index), (1, self.end_of(scope, type_, rng.random() < 0.6))]
        if rng.random() < 0.5:
            terms.append((-1, self.end_of(scope, type_, rng.random() < 0.6)))
        if type_.kind == "i":
            terms.append((rng.choice([1, -1]), self.small_term(scope, type_)))
        made = self.summed(terms)
        if not made:
            return None
        low, high = made.type.range()
        text = f"broadcast_to<{list_of(shape)}>({made.text})"
        lo, hi = (low, high) if made.type.kind == "u" else (made.least(), made.most())
        return Value(text, made.type, shape, lo, hi)

    def extreme_rows(self, scope, shape):
        """Row-major offsets whose rows are a difference of a large or unknown number; the stride is one too. Or None."""
        rng = self.rng
        rows = self.far_sum(scope, self.tile_term(shape, 0), 0)
        if not rows or rows.least() < 0 or rows.most() > 40:
            return None
        columns = self.along(shape, 1).text
        stride = self.small_term(scope, I32)
        if stride.least() < 0 or stride.most() > 40:
            return None
        return f"({rows.text} * {stride.text} + {columns})"
