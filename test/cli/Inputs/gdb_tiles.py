"""In gdb, in the kernel of gdb_tiles.cpp: compares what the printer says of every 16- and 8-bit code with the library's conversion."""

import math

import gdb


def printed(value):
    return float(gdb.default_visualizer(value).to_string())


gdb.execute("set print elements 0")
for name in ("half", "brain", "e4m3", "e5m2"):
    codes, numbers = (gdb.parse_and_eval(f"$tile({each})") for each in (name, f"{name}_numbers"))
    count = wrong = 0
    for code in range(codes.type.range()[1] + 1):
        if codes.type.range()[1] > 256 and code % 97 and code % 0x8000 > 40 and code % 0x8000 < 0x7BF0:
            continue  # a sample of the 65536 codes, with both ends
        count += 1
        shown, number = printed(codes[code]), float(numbers[code])
        same = math.isnan(shown) if math.isnan(number) else shown == float("%g" % number)
        wrong += not same
    print(f"{name}: {count} codes, {wrong} wrong")
