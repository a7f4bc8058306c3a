"""Typed values of generated programs: element types, shapes, and bounds that keep every operation defined.

A value is text with its element type, its shape (empty: a scalar) and an interval. `exact` values are whole numbers in
the interval, which any order of additions leaves exact; a float that is not exact may be any number, also infinite or
NaN. The functions here give the text of an operation with the type and the bounds of its result. Where an operation
would overflow, they first bring its operands into smaller ranges.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Type:
    """An element type."""

    name: str
    kind: str  # b: bool, i: signed, u: unsigned, f: float
    bits: int
    whole: int = 0  # of floats: whole numbers up to it are exact

    def range(self):
        """The least and the largest whole number that the type holds exactly."""
        if self.kind == "b":
            return 0, 1
        if self.kind == "u":
            return 0, 2**self.bits - 1
        if self.kind == "i":
            return -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1
        return -self.whole, self.whole


BOOL = Type("bool", "b", 8)
I8, I16, I32, I64 = (Type(f"int{b}_t", "i", b) for b in (8, 16, 32, 64))
I32 = Type("int", "i", 32)
U8, U16, U32, U64 = (Type(f"uint{b}_t", "u", b) for b in (8, 16, 32, 64))
F16 = Type("float16", "f", 16, 2048)
BF16 = Type("bfloat16", "f", 16, 256)
F32 = Type("float", "f", 32, 2**24)
F64 = Type("double", "f", 64, 2**53)
INTEGERS = [I8, I16, I32, I64, U8, U16, U32, U64]
FLOATS = [F16, BF16, F32, F64]
TYPES = {t.name: t for t in [BOOL, *INTEGERS, *FLOATS]}


@dataclasses.dataclass(frozen=True)
class Value:
    """The text of a value, with its type, shape and bounds."""

    text: str
    type: Type
    shape: tuple = ()
    lo: int = 0
    hi: int = 0
    exact: bool = True

    def named(self, name):
        """The same value as a variable of this name."""
        return dataclasses.replace(self, text=name)

    def size(self):
        """How many elements it has."""
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    def within(self, lo, hi):
        """Whether it is exact and within the bounds."""
        return self.exact and lo <= self.lo and self.hi <= hi


def fits(type_, lo, hi):
    """Whether the type holds both numbers exactly."""
    low, high = type_.range()
    return low <= lo and hi <= high


def literal(number, type_=I32):
    """A number of the type."""
    if type_.kind == "b":
        text = "true" if number else "false"
    elif type_ is F32:
        text = f"{number}.0f"
    elif type_.kind == "f":
        text = f"{type_.name}({number}.0f)"
    elif type_ is I32:
        text = str(number)
    else:
        text = f"{type_.name}({number})"
    if number < 0 and type_ in (I32, F32):
        text = f"({text})"
    return Value(text, type_, (), int(number), int(number))


def promoted(a, b):
    """The common type of two operands: C++'s usual conversions, and the language's for 16-bit floats."""
    halves = [t for t in (a, b) if t in (F16, BF16)]
    if len(halves) == 2:
        return a if a is b else F32
    if halves:
        other = b if a in (F16, BF16) else a
        return other if other.kind == "f" else halves[0]
    if "f" in (a.kind, b.kind):
        return F64 if F64 in (a, b) else F32
    a, b = (I32 if t.bits < 32 or t.kind == "b" else t for t in (a, b))
    if a.kind == b.kind:
        return a if a.bits >= b.bits else b
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    return unsigned if unsigned.bits >= signed.bits else signed


def common_type(a, b):
    """The common type of two values: a double scalar takes the type of a floating-point tile."""
    for tile, scalar in ((a, b), (b, a)):
        if tile.shape and not scalar.shape and scalar.type is F64:
            return tile.type if tile.type.kind == "f" else F32
    return promoted(a.type, b.type)


def chosen_type(a, b):
    """The type of where, minimum, maximum: equal types stay."""
    return a.type if a.type is b.type else common_type(a, b)


def converted(v, type_):
    """The bounds of v after a conversion to type_, which must be defined; None where it is not."""
    low, high = type_.range()
    if type_.kind == "b":
        return dataclasses.replace(v, type=type_, lo=0, hi=1, exact=True)
    if type_.kind == "f":
        if v.exact and low <= v.lo and v.hi <= high:
            return dataclasses.replace(v, type=type_)
        return dataclasses.replace(v, type=type_, exact=False)
    if v.exact and low <= v.lo and v.hi <= high:
        return dataclasses.replace(v, type=type_)
    if v.type.kind == "f":
        return None
    return dataclasses.replace(v, type=type_, lo=low, hi=high)


def broadcast(a, b):
    """The common shape of two shapes, or None."""
    length = max(len(a), len(b))
    result = []
    for x, y in zip((1,) * (length - len(a)) + a, (1,) * (length - len(b)) + b):
        if x != y and 1 not in (x, y):
            return None
        result.append(max(x, y))
    return tuple(result)


def bit_range(lo, hi):
    """An interval that any bits of numbers between lo and hi stay in."""
    bits = max(lo.bit_length(), hi.bit_length())
    return (0 if lo >= 0 else -(2**bits)), 2**bits - 1


def smaller(v, limit=100):
    """v brought into -limit .. limit (or 0 .. limit)."""
    if v.type.kind == "f":
        limit = min(limit, v.type.whole)
    if v.within(-limit, limit):
        return v
    if v.type.kind == "f":
        text = f"clamp({v.text}, {-limit}, {limit})"
        if not v.exact:
            text = f"rint({text})"
        return Value(text, v.type, v.shape, -limit, limit)
    mask = 2 ** (limit.bit_length() - 1) - 1
    type_ = promoted(v.type, I32)
    if v.type.kind == "b":
        return v
    if limit % 3 == 0 and v.type.kind == "i":
        return Value(f"({v.text} % {limit})", type_, v.shape, -limit + 1, limit - 1)
    return Value(f"({v.text} & {mask})", type_, v.shape, 0, mask)


def whole(v, limit=100):
    """v as an exact value of an integer type, small."""
    if v.type.kind != "f":
        return v
    v = smaller(v, limit)
    return Value(f"cast<int>({v.text})", I32, v.shape, v.lo, v.hi)


def unary(op, a):
    """-, ~ or ! of a value."""
    if op == "!":
        if a.type.kind != "b":
            a = compare("!=", a, literal(0))
        return Value(f"!{a.text}", BOOL, a.shape, 0, 1)
    if op == "~":
        a = whole(a)
        if a.type.kind == "b":
            return Value(f"!{a.text}", BOOL, a.shape, 0, 1)
        type_ = promoted(a.type, I32)
        a = converted(a, type_)
        lo, hi = (~a.hi, ~a.lo) if type_.kind == "i" else type_.range()
        return Value(f"(~{a.text})", type_, a.shape, lo, hi)
    type_ = a.type if a.type in (F16, BF16) else promoted(a.type, a.type)
    if not a.exact:
        return Value(f"(-{a.text})", type_, a.shape, exact=False)
    if type_.kind == "u":
        lo, hi = type_.range()
    else:
        lo, hi = -a.hi, -a.lo
        if not fits(type_, lo, hi):
            return unary(op, smaller(a))
    return Value(f"(-{a.text})", type_, a.shape, lo, hi)


def ends_of(op, a, b):
    """The least and the largest result of +, - or *."""
    if op == "+":
        return a.lo + b.lo, a.hi + b.hi
    if op == "-":
        return a.lo - b.hi, a.hi - b.lo
    products = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return min(products), max(products)


def arithmetic(op, a, b):
    """+, - or *."""
    shape = broadcast(a.shape, b.shape)
    type_ = common_type(a, b)
    for limit in (None, 1000, 100, 12, 3):
        x, y = (a, b) if limit is None else (smaller(a, limit), smaller(b, limit))
        p, q = converted(x, type_), converted(y, type_)
        text = f"({x.text} {op} {y.text})"
        if type_.kind == "f" and not (p.exact and q.exact):
            return Value(text, type_, shape, exact=False)
        lo, hi = ends_of(op, p, q)
        if fits(type_, lo, hi):
            return Value(text, type_, shape, lo, hi)
        if type_.kind == "u":
            return Value(text, type_, shape, *type_.range())
        if type_.kind == "f" and limit is None:
            return Value(text, type_, shape, exact=False)
    return smaller(a)


def nonzero(v):
    """v as a divisor: never zero, and not -1 where the dividend could be the least number."""
    if v.exact and (v.lo > 0 or v.hi < -1):
        return v
    if v.type.kind == "f":
        v = smaller(v)
        return Value(f"(abs({v.text}) + 1)", v.type, v.shape, 1, max(-v.lo, v.hi) + 1)
    type_ = promoted(v.type, I32)
    lo, hi = bit_range(v.lo, v.hi)
    return Value(f"({v.text} | 1)", type_, v.shape, lo, hi)


def division(op, a, b):
    """/ or %; % is of integers."""
    if op == "%":
        a, b = whole(a), whole(b)
    b = nonzero(b)
    type_ = common_type(a, b)
    if type_.kind == "f":
        return Value(f"({a.text} / {b.text})", type_, broadcast(a.shape, b.shape), exact=False)
    p, q = converted(a, type_), converted(b, type_)
    low, _ = type_.range()
    if type_.kind == "i" and p.lo == low and q.lo <= -1:
        a = smaller(a)
        return division(op, a, b)
    most = max(abs(p.lo), abs(p.hi))
    if op == "%":
        most = min(most, max(abs(q.lo), abs(q.hi)))
    text = f"({a.text} {op} {b.text})"
    lo = 0 if p.lo >= 0 and (op == "%" or q.lo > 0) else -most
    return Value(text, type_, broadcast(a.shape, b.shape), lo, most)


def bits(op, a, b):
    """&, | or ^ of integers, or of bools."""
    a, b = whole(a), whole(b)
    shape = broadcast(a.shape, b.shape)
    text = f"({a.text} {op} {b.text})"
    if a.type.kind == "b" and b.type.kind == "b" and (a.shape or b.shape):
        return Value(text, BOOL, shape, 0, 1)
    type_ = promoted(a.type, b.type)
    p, q = converted(a, type_), converted(b, type_)
    if op == "&" and (p.lo >= 0 or q.lo >= 0):
        hi = min(v.hi for v in (p, q) if v.lo >= 0)
        return Value(text, type_, shape, 0, hi)
    lo, hi = bit_range(min(p.lo, q.lo), max(p.hi, q.hi))
    return Value(text, type_, shape, max(lo, type_.range()[0]), min(hi, type_.range()[1]))


def shift(op, a, b):
    """The count is brought into 0 .. 7."""
    a, b = whole(a), whole(b)
    if not b.within(0, 7):
        b = Value(f"({b.text} & 7)", promoted(b.type, I32), b.shape, 0, 7)
    type_ = promoted(a.type, I32)
    a_ = converted(a, type_)
    shape = broadcast(a.shape, b.shape)
    if op == ">>":
        lo, hi = min(a_.lo, a_.lo >> b.hi), max(a_.hi, a_.hi >> b.lo)
        return Value(f"({a.text} >> {b.text})", type_, shape, lo, hi)
    lo, hi = min(a_.lo, a_.lo << b.hi), max(a_.hi, a_.hi << b.hi)
    if not fits(type_, lo, hi):
        if type_.kind == "i":
            return shift(op, smaller(a), b)
        lo, hi = type_.range()
    return Value(f"({a.text} << {b.text})", type_, shape, lo, hi)


def compare(op, a, b):
    """A comparison; bools are compared as integers."""
    if a.type.kind == "b" and (a.shape or b.shape):
        a = Value(f"cast<int>({a.text})", I32, a.shape, 0, 1)
    if b.type.kind == "b" and (a.shape or b.shape):
        b = Value(f"cast<int>({b.text})", I32, b.shape, 0, 1)
    return Value(f"({a.text} {op} {b.text})", BOOL, broadcast(a.shape, b.shape), 0, 1)


def truth(v):
    """A value as a bool: whether it is not 0."""
    return v if v.type.kind == "b" else compare("!=", v, literal(0))


def logic(op, a, b):
    """&& or ||."""
    a, b = truth(a), truth(b)
    return Value(f"({a.text} {op} {b.text})", BOOL, broadcast(a.shape, b.shape), 0, 1)


def unified(a, b):
    """Bounds of a value that is one of a and b, in their common type."""
    type_ = chosen_type(a, b)
    p, q = converted(a, type_), converted(b, type_)
    if not (p.exact and q.exact):
        return type_, 0, 0, False
    return type_, min(p.lo, q.lo), max(p.hi, q.hi), True


def choice(name, a, b):
    """minimum(a, b), maximum(a, b)."""
    type_, lo, hi, exact = unified(a, b)
    return Value(f"{name}({a.text}, {b.text})", type_, broadcast(a.shape, b.shape), lo, hi, exact)


def where(c, a, b):
    """where(c, a, b)."""
    c = truth(c)
    type_, lo, hi, exact = unified(a, b)
    shape = broadcast(broadcast(a.shape, b.shape), c.shape)
    return Value(f"where({c.text}, {a.text}, {b.text})", type_, shape, lo, hi, exact)


def ternary(c, a, b):
    """c ? a : b of scalars."""
    c = truth(c)
    if a.type is not b.type:
        b = cast(b, a.type)
    if a.type.kind == "b" or not (a.exact and b.exact):
        return Value(f"({c.text} ? {a.text} : {b.text})", a.type, (), 0, int(a.type.kind == "b"), a.type.kind == "b")
    return Value(f"({c.text} ? {a.text} : {b.text})", a.type, (), min(a.lo, b.lo), max(a.hi, b.hi))


def absolute(v):
    """abs(v), of a value whose abs fits its type."""
    if not v.exact:
        return dataclasses.replace(v, text=f"abs({v.text})")
    if v.type.kind == "i" and v.lo == v.type.range()[0]:
        v = smaller(v)
    if v.type.kind == "b":
        return v
    return dataclasses.replace(v, text=f"abs({v.text})", lo=0, hi=max(abs(v.lo), abs(v.hi)))


def cast(v, type_, rounding=""):
    """cast<T>(v), on a scalar too; the rounding only where it is allowed."""
    result = converted(v, type_)
    if result is None:
        v = smaller(v)
        result = converted(v, type_)
        if result is None:
            v = absolute(v)
            result = converted(v, type_)
    narrower = type_.kind == "f" and (v.type.kind != "f" or v.type.bits > type_.bits)
    more = f", rounding::{rounding}" if rounding and narrower else ""
    if more and not v.exact:
        result = dataclasses.replace(result, exact=False)
    return dataclasses.replace(result, text=f"cast<{type_.name}>({v.text}{more})")


def to_range(v, type_, limit):
    """v as `type_`, exact, inside -limit .. limit: what a variable of such bounds may be assigned."""
    low, high = type_.range()
    if v.type is not type_:
        v = cast(v, type_)
    if v.within(-limit, limit):
        return v
    v = smaller(v, limit)
    return v if v.type is type_ else cast(v, type_)
