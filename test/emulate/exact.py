"""Conversions between element types in exact arithmetic: what tables of expected values are made of.

A value is a Fraction, or one of NAN, INF, NEGATIVE_INF and NEGATIVE_ZERO. Nothing here is shared with the reference of
tile.h: a rounded value is one of the two neighbours in the format, taken by comparing distances.
"""

import functools
import struct
from fractions import Fraction

NAN, INF, NEGATIVE_INF, NEGATIVE_ZERO = "nan", "inf", "-inf", "-0"
SPECIAL = (NAN, INF, NEGATIVE_INF, NEGATIVE_ZERO)


class Integer:
    def __init__(self, bits, signed):
        self.bytes = max(1, bits // 8)
        self.least = -(1 << (bits - 1)) if signed else 0
        self.most = (1 << (bits - signed)) - 1

    def has(self, value):
        return value not in SPECIAL and value.denominator == 1 and self.least <= value <= self.most

    def encode(self, value):
        return int(value) % (1 << (8 * self.bytes))


class Float:
    """`digits` significant bits; normal numbers begin at 2^least and end below 2^(most + 1)."""

    def __init__(self, size, digits, least, most, saturates=False, largest=None):
        self.bytes, self.digits, self.least, self.most = size, digits, least, most
        self.saturates = saturates
        self.largest = largest or (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** most

    def unit(self, magnitude):
        """The distance of neighbours around a magnitude."""
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        if Fraction(2) ** exponent > magnitude:
            exponent -= 1
        return Fraction(2) ** (max(exponent, self.least) - self.digits + 1)

    def has(self, value):
        if value in SPECIAL:
            return not (self.saturates and value in (INF, NEGATIVE_INF))
        return abs(value) <= self.largest and value % self.unit(abs(value) or Fraction(1, 2**2000)) == 0

    def round(self, value, toward_zero):
        if value in (INF, NEGATIVE_INF) and self.saturates:
            return self.largest if value == INF else -self.largest
        if value in SPECIAL or value == 0:
            return value
        magnitude, negative = abs(value), value < 0
        unit = self.unit(magnitude)
        below = magnitude // unit * unit
        above = below + unit
        if toward_zero or magnitude - below < above - magnitude:
            result = below
        elif magnitude - below > above - magnitude:
            result = above
        else:
            result = below if below / unit % 2 == 0 else above
        if result > self.largest:
            finite = toward_zero or self.saturates
            result = self.largest if finite else INF
        if result == INF:
            return NEGATIVE_INF if negative else INF
        if negative:
            return -result if result else NEGATIVE_ZERO
        return result

    def decode(self, bits):
        """The value of a pattern of 8 or 16 bits, by the definition of the format."""
        sign = bits >> (8 * self.bytes - 1)
        fraction = bits % (1 << (self.digits - 1))
        exponent = bits >> (self.digits - 1) & ((1 << (8 * self.bytes - self.digits)) - 1)
        if exponent == 0:
            value = fraction * Fraction(2) ** (self.least - self.digits + 1)
        else:
            value = (1 + Fraction(fraction, 1 << (self.digits - 1))) * Fraction(2) ** (exponent - 1 + self.least)
        if value == 0:
            return NEGATIVE_ZERO if sign else Fraction(0)
        return -value if sign else value

    @functools.cached_property
    def patterns(self):
        """value -> its pattern, of the finite ones."""
        values = ((self.decode(bits), bits) for bits in range(1 << (8 * self.bytes)))
        return {v: bits for v, bits in values if v == NEGATIVE_ZERO or abs(v) <= self.largest}

    def encode(self, value):
        if self.bytes > 2:
            number = float("-0.0" if value == NEGATIVE_ZERO else value) if value in SPECIAL else value
            code = "f" if self.bytes == 4 else "d"
            return int.from_bytes(struct.pack("<" + code, float(number)), "little")
        if value == NAN:
            return 0x7F if self.bytes == 1 else 0x7FFF
        if value in (INF, NEGATIVE_INF):
            infinity = ((1 << (8 * self.bytes - self.digits)) - 1) << (self.digits - 1)
            return infinity | (value == NEGATIVE_INF) << (8 * self.bytes - 1)
        return self.patterns[value]


TYPES = {
    "bool": Integer(1, False),
    "int8_t": Integer(8, True),
    "uint8_t": Integer(8, False),
    "int16_t": Integer(16, True),
    "uint16_t": Integer(16, False),
    "int": Integer(32, True),
    "uint32_t": Integer(32, False),
    "int64_t": Integer(64, True),
    "uint64_t": Integer(64, False),
    "float16": Float(2, 11, -14, 15),
    "bfloat16": Float(2, 8, -126, 127),
    "float": Float(4, 24, -126, 127),
    "double": Float(8, 53, -1022, 1023),
    "float8_e4m3": Float(1, 4, -6, 8, True, Fraction(448)),
    "float8_e5m2": Float(1, 3, -14, 15, True, Fraction(57344)),
}
FLOATS = [t for t, f in TYPES.items() if isinstance(f, Float)]
INTEGERS = [t for t in TYPES if t not in FLOATS and t != "bool"]


def convert(value, source, target, toward_zero=False):
    """The value of type `source` as one of type `target`; None if that is undefined."""
    form = TYPES[target]
    if target == "bool":
        return Fraction(value not in (0, NEGATIVE_ZERO))
    if target in FLOATS:
        return form.round(value, toward_zero)
    if source in FLOATS:
        if value in (NAN, INF, NEGATIVE_INF):
            return None
        whole = Fraction(0) if value == NEGATIVE_ZERO else Fraction(int(value))  # int() truncates
        return whole if form.has(whole) else None
    cut = int(value) % (1 << (8 * form.bytes))
    return Fraction(cut if cut <= form.most else cut - (1 << (8 * form.bytes)))


def candidates():
    """Numbers at which a conversion of some pair of types may go wrong."""
    numbers = {Fraction(n) for n in (0, 1, 2, 3, 5, 7, 100, 10**6)}
    numbers |= {Fraction(1, 2), Fraction(3, 2), Fraction(5, 2), Fraction(1, 3).limit_denominator(2**20)}
    for form in TYPES.values():
        if isinstance(form, Integer):
            numbers |= {Fraction(form.most + d) for d in (-1, 0, 1)} | {Fraction(-form.least)}
            numbers |= {form.most - Fraction(1, 2), form.most + Fraction(1, 2)}
            continue
        tie = (Fraction(2) ** form.digits + 1) / 2  # with one bit too many
        for shift in (0, 1, 4, 7, 12, 20, 29, 38, 50, 62):
            if form.digits + shift > 64:
                continue
            for odd in (tie, tie + 1):
                middle = odd * Fraction(2) ** shift
                numbers |= {middle, middle + 1, middle - 1}
        for magnitude in (tie, tie + 1):  # fractions, and next to them
            middle = magnitude / Fraction(2) ** form.digits
            for nearby in (Fraction(2) ** -52, Fraction(2) ** -23, Fraction(2) ** -10):
                numbers |= {middle, middle + nearby, middle - nearby}
        unit = Fraction(2) ** (form.least - form.digits + 1)  # subnormal numbers
        for steps in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(3, 2), Fraction(5, 2)):
            numbers |= {steps * unit, steps * unit * (1 + Fraction(2) ** -20)}
        numbers |= {Fraction(2) ** form.least, Fraction(2) ** form.least - unit / 2}
        last = form.unit(form.largest)  # where numbers end
        for steps in (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(4)):
            numbers |= {form.largest + steps * last}
        numbers |= {form.largest + last / 2 * (1 + Fraction(2) ** -20), form.largest + last / 2 - 1}
    return sorted(numbers)


def values_of(source):
    """Those of a type, of both signs, and values that are not numbers."""
    form = TYPES[source]
    numbers = [v for n in candidates() for v in ((n, -n) if n else (n,)) if form.has(v)]
    if source in FLOATS:
        numbers += [v for v in SPECIAL if form.has(v)]
    return numbers


def literal(value, source):
    """A constant of the language."""
    if source == "bool":
        return "true" if value else "false"
    if source in INTEGERS:
        if value == -(2**63):
            return "(-9223372036854775807 - 1)"
        return f"{source}({value.numerator}{'u' if value > 2**63 - 1 else ''})"
    if value in (INF, NEGATIVE_INF):
        return f"{source}({'-' if value == NEGATIVE_INF else ''}inf)"
    number = -0.0 if value == NEGATIVE_ZERO else float(value)
    return f"{source}({number.hex()}{'' if source == 'double' else 'f'})"
