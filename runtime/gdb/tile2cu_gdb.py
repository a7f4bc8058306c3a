"""Shows the values of tile functions in gdb: (gdb) source tile2cu_gdb.py

A tile prints as an array of its shape, so that gdb's own settings and formats apply to its elements; 16- and 8-bit floats print as
numbers:

    (gdb) print v
    $1 = tile<float, 2, 4> = {{0, 1, 2, 3}, {4, 5, 6, 7}}
    (gdb) print $tile(v)[1][2]
    $2 = 6
    (gdb) print/x flags
    $3 = tile<int, 4> = {0x1, 0x2, 0x3, 0x4}

$tile(v) is the tile as an array of C++, for expressions, `x/8fw` and `dump`.
"""

import math
import re

import gdb
import gdb.printing

# Bits of the mantissa, bias of the exponent, and whether the largest exponent holds infinities (else only the last code is a NaN).
SMALL_FLOATS = {"float16": (10, 15, True), "bfloat16": (7, 127, True), "float8_e4m3": (3, 7, False), "float8_e5m2": (2, 15, True)}


def decode(bits, width, mantissa_bits, bias, has_infinities):
    """The number that the bits of a small float mean (IEEE 754; float8 as in "FP8 Formats for Deep Learning", 2022)."""
    sign = -1.0 if bits >> (width - 1) else 1.0
    mantissa = bits & ((1 << mantissa_bits) - 1)
    last = (1 << (width - 1 - mantissa_bits)) - 1
    exponent = bits >> mantissa_bits & last
    if exponent == last and has_infinities:
        return math.copysign(math.nan if mantissa else math.inf, sign)
    if exponent == last and mantissa == (1 << mantissa_bits) - 1:
        return math.copysign(math.nan, sign)
    if exponent == 0:
        return sign * math.ldexp(mantissa, 1 - bias - mantissa_bits)
    return sign * math.ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits)


def as_array(tile):
    """The elements of a tile as an array of its shape, in the memory of the program."""
    kind = tile.type.strip_typedefs().unqualified()
    # Debug information has the type argument, but not those of the parameter pack of dimensions.
    dims = [int(size) for size in re.search(r"((?:, *\d+)+) *>$", str(kind))[1].split(",")[1:]]
    array = kind.template_argument(0)
    for size in reversed(dims):
        array = array.array(size - 1)
    # HeapArray::elements_ is a std::unique_ptr<T[]>, whose first word is the pointer.
    owner = tile["elements_"]["elements_"]
    first = gdb.parse_and_eval(f"*(void**){int(owner.address)}")
    if int(first) == 0:
        raise gdb.error("the tile has been moved from")
    return first.cast(array.pointer()).dereference()


class TilePrinter:
    """tl::tile<T, D...>"""

    def __init__(self, value):
        self.value = value

    def name(self):
        return re.sub(r"\btl::", "", str(self.value.type.strip_typedefs().unqualified()))

    def to_string(self):
        try:
            as_array(self.value)
        except gdb.error as error:
            return f"{self.name()} ({error})"
        return self.name()

    def children(self):
        try:
            array = as_array(self.value)
        except gdb.error:
            return
        low, high = array.type.range()
        for index in range(low, high + 1):
            yield f"[{index}]", array[index]

    def display_hint(self):
        return "array"


class SmallFloatPrinter:
    """tl::float16, bfloat16, float8_e4m3, float8_e5m2"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs().unqualified()
        return "%g" % decode(int(self.value["bits"]), 8 * kind.sizeof, *SMALL_FLOATS[str(kind).split("::")[-1]])


class Tile(gdb.Function):
    """$tile(v): the elements of the tile v as an array of its shape."""

    def __init__(self):
        super().__init__("tile")

    def invoke(self, value):
        return as_array(value)


def printers():
    found = gdb.printing.RegexpCollectionPrettyPrinter("tile2cu")
    found.add_printer("tile", r"^tl::tile<.*>$", TilePrinter)
    found.add_printer("small float", rf"^tl::({'|'.join(SMALL_FLOATS)})$", SmallFloatPrinter)
    return found


Tile()
gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
