"""Integers near the ends of their ranges: bounds that say "no limit", offsets whose parts do not fit, unsigned numbers that wrap
around, loops with such bounds. The program's own arithmetic does not overflow in any run; what the compiler adds may not either."""

from case import Table

table = Table(checks_overflow=True)

MAX32, MAX64 = 2**31 - 1, 2**63 - 1
ENDS64 = (-(2**63), -(2**63) + 9, -(2**31), -1, 0, 7, 40, MAX32, MAX64 - 9, MAX64)
ENDS32 = (-(2**31), -(2**31) + 9, -1, 0, 7, 40, MAX32 - 9, MAX32)


def add_masks(name, index, limits, starts, prelude="", kind="int64_t"):
    """One kernel compares an index with a limit in every way, writes a row for each comparison, and loads by it."""
    forms = ("{i} < limit", "{i} <= limit", "{i} > limit", "{i} >= limit", "limit > {i}", "limit <= {i}", "!({i} < limit)")
    stores = "\n".join(
        f"store(o + {64 * row} + lane, load(x + lane, {form.format(i=index)}, -99.0f));" for row, form in enumerate(forms)
    )
    table.add(
        f"ends_{name}",
        f"const float* x = small(64)\nfloat* o = out({64 * len(forms)})\n{kind} start\n{kind} limit",
        f"auto lane = grid(1) * 64 + arange<64>();\n{prelude}\n{stores}",
        [{"start": s, "limit": limit} for s in starts for limit in limits],
        warps=(1, 2),
    )


add_masks("lane", "lane", ENDS64, (0,))
add_masks("halo", "(lane - 8)", ENDS64, (0,))
# Sums of the start and 0 .. 63, each of which fits.
STARTS64 = (-(2**63), -(2**63) + 3, -70, -8, 0, 5, MAX64 - 63)
add_masks("start", "(start + lane)", ENDS64, STARTS64)
add_masks("start_within", "i", ENDS64, (-(2**63) + 8, -70, 0, MAX64 - 71), "auto i = start + arange<8, 72>();")
add_masks("start_back", "i", ENDS64, (-(2**63), -70, 0, MAX64 - 71), "auto i = (start + arange<8, 72>()) - 8;")
add_masks("scaled", "(start + lane * 3)", ENDS64, (-(2**63), -70, 0, MAX64 - 189))
add_masks("backward", "(start - lane)", ENDS64, (-(2**63) + 63, -70, 0, MAX64))
add_masks("int", "(start + arange<64>())", ENDS32, (-(2**31), -70, -8, 0, 5, MAX32 - 63), kind="int")
add_masks("int_widened", "cast<int64_t>(start + arange<64>())", ENDS32, (-(2**31), -8, 0, MAX32 - 63), kind="int")
add_masks(
    "unsigned", "(start + arange<64>())", (0, 5, 40, 2**31, 2**32 - 9, 2**32 - 1), (0, 5, 2**31 - 3, 2**32 - 5, 2**32 - 1), kind="unsigned"
)
add_masks(
    "unsigned_long",
    "(start + cast<uint64_t>(lane))",
    (0, 5, 40, 2**63, 2**64 - 9, 2**64 - 1),
    (0, 5, 2**63 - 3, 2**64 - 5, 2**64 - 1),
    kind="uint64_t",
)

# A bound for each row, of any size.
table.add(
    "ends_row_bounds",
    "const float* x = small(16 * 64)\nconst int64_t* bounds = bits(16)\nconst int64_t* near = small(16)\nfloat* o = out(2 * 16 * 64)\nint64_t start",
    """
    grid(1);
    auto rows = arange<16>()[all, none];
    auto columns = arange<64>()[none, all];
    auto at = rows * 64 + columns;
    store(o + at, load(x + at, start + columns < load(bounds + rows), -99.0f));
    store(o + 1024 + at, load(x + at, start + columns < load(near + rows), -99.0f));
    """,
    [{"start": s} for s in (-(2**63), -8, 0, 3, MAX64 - 63)],
    warps=(1, 4),
)

# Masks in loops, with bounds in the middle and at the ends.
table.add(
    "ends_loop_masks",
    "const float* x = small(160)\nfloat* o = out(160)\nint64_t n\nint64_t limit",
    """
    grid(1);
    for (int64_t k = 0; k < n; k += 32) {
      auto i = k + arange<32>();
      store(o + i, load(x + i, i - 8 < limit, -99.0f), i < n);
    }
    """,
    [{"n": n, "limit": limit} for n in (0, 1, 70, 160) for limit in ENDS64],
    warps=(1,),
)
# Index tiles that a loop carries: what is added to them in all does not fit 32 bits. It would wrap
# around to the right elements, so that only the check for overflow tells.
for name, first in (("start", "start + arange<32>()"), ("back", "start - arange<32>()"), ("loaded", "load(begins + arange<32>()) * 0 + start")):
    table.add(
        f"ends_carried_{name}",
        "const int* begins = small(32)\nint* o = out(128)\nint64_t* sums = out(128)\nint start\nint step",
        f"""
        grid(1);
        auto i = {first};
        for (int t = 0; t < 4; ++t) {{
          store(o + t * 32 + arange<32>(), i);
          store(sums + t * 32 + arange<32>(), cast<int64_t>(i) * 2, i < step);
          i += step;
        }}
        """,
        [{"start": s, "step": d} for s, d in ((-(2**31) + 40, 2**30 - 20), (2**31 - 80, -(2**30) + 40), (0, 2**29 - 10), (5, -3))],
        warps=(1, 2),
    )
    table.add(
        f"ends_advanced_{name}",
        "const int* begins = small(32)\nint* o = out(128)\nint start\nint step",
        f"""
        grid(1);
        auto i = {first};
        for (int t = 0; t < 3; ++t) {{
          store(o + t * 32 + arange<32>(), i);
          i += step;
        }}
        store(o + 96 + arange<32>(), i);
        """,
        [{"start": s, "step": d} for s, d in ((-(2**31) + 40, 2**30 + 7), (2**31 - 80, -(2**30)), (0, 2**29), (-(2**31) + 40, 1431655700))],
        warps=(1, 2),
    )

# Offsets of 32 bits, each of which fits: only the last rows of an array are there.
OFFSETS = {
    "before": "(r + arange<-2, 0>())[all, none] * stride + c",
    "minus": "((r - 2) + arange<2>())[all, none] * stride + c",
    "minus_behind": "((r + arange<2>()) - 2)[all, none] * stride + c",
    "turned": "stride * (arange<-2, 0>() + r)[all, none] + c",
    "twice": "((r + arange<-2, 0>()) * (stride / 2))[all, none] * 2 + c",
    "columns_first": "c + (r + arange<-2, 0>())[all, none] * stride",
    "three": "(r + arange<-2, 0>())[all, none] * stride + c * 1 + (c - c)",
}
for name, offset in OFFSETS.items():
    table.add(
        f"ends_offset_{name}",
        "const int8_t* part = small(2 * span)\nconst int8_t* x = at(part, base)\nint8_t* o = out(64)\nint r\nint stride\nint span\nint64_t base",
        f"""
        grid(1);
        auto c = arange<32>();
        store(o + (arange<2>()[all, none] * 32 + c), load(x + ({offset})));
        """,
        [
            {"r": 32768, "stride": 65536, "span": 65536, "base": -(2**31) + 2 * 65536},
            # From -2^31 up, and rows that go down.
            {"r": -32766, "stride": 65536, "span": 65536, "base": 2**31},
            {"r": 32768, "stride": -65536, "span": 65536 + 32, "base": 2**31 - 65536},
            {"r": 2, "stride": 32, "span": 64, "base": 0},
        ],
        warps=(1,),
    )
# Rows 2^24 elements apart, from negative ones up: the tile is longer than 2^31 elements, no offset is.
table.add(
    "ends_offset_across",
    "const int8_t* x = small(8)\nint8_t* o = out(256)\nint* offsets = out(256)\nint r\nint stride",
    """
    grid(1);
    auto rows = arange<256>();
    auto offset = (r + rows) * stride;
    store(offsets + rows, offset);
    store(o + rows, load(x + offset, (offset >= 0) & (offset < 8), -99));
    """,
    [{"r": r, "stride": s} for r, s in ((-128, 2**24), (-127, -(2**24)), (-255, 2**23), (0, 1), (-1, 1))],
    warps=(1, 4),
)
# Loaded indices plus a start.
table.add(
    "ends_offset_loaded",
    "const int* index = small(32)\nconst int8_t* x = small(64)\nint8_t* o = out(32)\nint far\nint start",
    """
    grid(1);
    auto c = arange<32>();
    auto i = load(index + c) + far;
    store(o + c, load(x + (i + (start + c)), (i + (start + c) >= 0) & (i + (start + c) < 64), -99));
    """,
    [{"far": f, "start": s} for f, s in ((MAX32 - 8, -MAX32), (-MAX32 + 8, MAX32 - 40), (0, 5), (MAX32 - 8, -MAX32 + 20))],
    warps=(1,),
)
# Unsigned offsets that wrap around within the tile.
for kind, bits in (("unsigned", 32), ("uint64_t", 64)):
    table.add(
        f"ends_wrapped_{kind}",
        f"const float* x = small(64)\nfloat* o = out(128)\n{kind} start",
        f"""
        grid(1);
        auto c = arange<64>();
        auto i = start + cast<{kind}>(c);
        store(o + c, load(x + i, i < {kind}(64), -99.0f));
        auto j = i - {kind}(5);
        store(o + 64 + c, load(x + j, j < {kind}(60), -99.0f));
        """,
        [{"start": s} for s in (0, 3, 60, 2 ** (bits - 1), 2**bits - 1, 2**bits - 8, 2**bits - 64)],
        warps=(1, 2),
    )
# Products in loops whose bound or step is far off: nothing may be copied ahead where there is no step.
table.add(
    "ends_copies_ahead",
    "const float16* a = small(64 * 96)\nconst float16* b = small(96 * 64)\nfloat* c = out(64 * 64)\nint first\nint last\nint step",
    """
    grid(1);
    auto i = arange<64>()[all, none];
    auto j = arange<64>()[none, all];
    auto k0 = arange<32>();
    auto acc = zeros<float, 64, 64>();
    for (int k = first; k < last; k += step) {
      auto x = load(a + i * 96 + (k + k0)[none, all]);
      auto y = load(b + (k + k0)[all, none] * 64 + j);
      acc = dot(x, y, acc);
    }
    store(c + i * 64 + j, acc);
    """,
    [
        {"first": f, "last": n, "step": s}
        for f, n, s in ((0, 96, 32), (32, 96, 32), (0, 0, -32), (5, 5, -7), (MAX32, -(2**31), 32), (64, -(2**31), 32), (64, 65, MAX32 - 64), (0, 1, MAX32))
    ],
    warps=(4,),
    options=", .num_stages = 4",
)
table.add(
    "ends_copies_ahead_from",
    "const float16* a = small(64 * 96)\nconst float16* b = small(96 * 64)\nfloat* c = out(64 * 64)\nint last",
    """
    grid(1);
    auto i = arange<64>()[all, none];
    auto j = arange<64>()[none, all];
    auto k0 = arange<32>();
    auto acc = zeros<float, 64, 64>();
    for (int k = 32; k < last; k += 32) {
      auto x = load(a + i * 96 + (k + k0)[none, all]);
      auto y = load(b + (k + k0)[all, none] * 64 + j);
      acc = dot(x, y, acc);
    }
    store(c + i * 64 + j, acc);
    """,
    [{"last": n} for n in (96, 33, 32, 0, -(2**31), -(2**31) + 31)],
    warps=(4,),
    options=", .num_stages = 3",
)
# A quotient that is rounded up, but cut to 8 bits before that.
table.add(
    "ends_grid",
    "int* o = out(300)\nint n",
    "auto p = grid(int8_t(n / 4) + (n % 4 > 0));\nstore(o + p, 7);",
    [{"n": n} for n in (5, 400, 1101)],
    warps=(1,),
)
# Offsets that are taken away: unsigned ones, and the lowest integer of a type.
for kind, values in (
    ("unsigned", (0, 5, 60)),
    ("uint8_t", (0, 5, 60)),
    ("uint64_t", (0, 5, 60)),
    ("int", (-3, 0, 60, -(2**31))),
    ("int8_t", (-128, -3, 0, 60)),
    ("int16_t", (-(2**15), -3, 0)),
):
    table.add(
        f"ends_pointer_minus_{kind}",
        f"const float* part = small(68)\nconst float* x = at(part, 60 if u > -4 else u)\nfloat* o = out(6)\n{kind} u",
        f"""
        grid(1);
        store(o, load(x - u));
        auto p = x;
        p -= u;
        store(o + 1, load(p));
        store(o + 2 + arange<2>(), load(x + arange<2>() - u));
        store(o + 4 + arange<2>(), load(x - full<{kind}, 2>(u)));
        """,
        [{"u": u} for u in values],
        warps=(1,),
    )
# Integers that are narrower than int wrap around in ++ and --.
for kind in ("int8_t", "uint8_t", "int16_t", "uint16_t"):
    table.add(
        f"ends_increment_{kind}",
        f"const int* x = small(4)\nint* o = out(6)\n{kind} u",
        f"""
        grid(1);
        {kind} up = u;
        ++up;
        {kind} down = u;
        down--;
        store(o, int(up));
        store(o + 1, int(down));
        store(o + 2, int(up > u));
        store(o + 3, int(down < u));
        {kind} positive = maximum(u, {kind}(1));
        ++positive;
        store(o + 4, int(positive >= 1));
        store(o + 5, positive / 2);
        """,
        [{"u": u} for u in (0, 1, -1, 127, -128, 255, 32767, -32768, 65535)],
        warps=(1,),
    )

# The text may add terms in another order than the program only where no sum then needs more bits than C++ gives it.
table.add(
    "ends_order_of_sums",
    "const float* x = small(64)\nfloat* o = out(8)\nint64_t* n = out(8)\nint a\nint b\nint64_t c\nunsigned u",
    """
    grid(1);
    o[0] = x[31 + ((a - (b + c)) + c)];
    o[1] = *(x + (31 + (b + (c - (b + c)))));
    n[0] = 31 + (a - (b + c));
    n[1] = b + (a + (c - a));
    n[2] = a + (5 + (c - b));
    auto i = arange<8>();
    store(n + 3 + i, a + (c + i), i < 5);
    """,
    [{"a": a, "b": b, "c": c, "u": 0} for a, b in ((MAX32, MAX32), (-(2**31), -(2**31)), (7, 7)) for c in (-(2**63) + 2**33, 0, MAX64 - 2**33)],
    warps=(1, 2),
)
table.add(
    "ends_offsets_of_pointers",
    "const float* x = small(64)\nfloat* o = out(16)\nint a\nunsigned u\nint64_t back",
    """
    grid(1);
    const float* at = x + back;
    o[0] = *(at + a + 1 + u);
    o[1] = at[a + int64_t(1) + u];
    o[2] = load(at + u + 1u + a);
    const float* p = at + u;
    const float* q = p + a;
    o[3] = q[1];
    o[4] = *(q + 1);
    """,
    [{"a": a, "u": u, "back": 5 - (a + 1 + u)} for a in (0, MAX32, -(2**31)) for u in (0, 2**31, 2**32 - 1)],
)

# Names of template arguments are ints in the text, whatever type the program gives them.
table.add(
    "ends_named_constants",
    "int64_t* o = out(8 + 64)\nint k\nbool c",
    """
    grid(1);
    o[0] = int64_t((uint64_t(A) << k) >> 3);
    o[1] = int64_t((unsigned(A) << k) >> 3);
    o[2] = int64_t((c ? uint64_t(A) : uint64_t(B)) << k);
    o[3] = int64_t((c ? unsigned(A) : unsigned(B)) << k >> 3);
    o[4] = 1LL * P * Q * k;
    o[5] = k + 1LL * P * Q;
    o[6] = WIDE * k;
    o[7] = int64_t(HIGH) + k + int64_t(HIGH * unsigned(k) >> 2);
    store(o + 8 + arange<64>(), 1LL * P * Q * arange<64>() + WIDE);
    """,
    [{"k": k, "c": c} for k in (0, 5, 26, 31) for c in (0, 1)],
    warps=(1, 2),
    template="template <int A, int B, int P, int Q, int64_t WIDE, unsigned HIGH>",
    arguments="<128, 512, 65536, 65537, 5000000000LL, 4000000000u>",
)

# A cast to fewer bits wraps around within a vector: past 2^31 - 1 comes -2^31.
for kind, starts in (("int64_t", (MAX32 - 70, MAX32 - 30, MAX32, 0, -(2**31) - 1, 2**33 - 3)), ("uint64_t", (MAX32 - 30, MAX32, 0, 2**32 - 2)), ("unsigned", (MAX32 - 30, MAX32, 0))):
    table.add(
        f"ends_narrowed_{kind}",
        f"int64_t* o = out(3 * 64)\nfloat* f = out(64)\n{kind} r",
        f"""
        grid(1);
        auto i = arange<64>();
        auto t = cast<int>(r + cast<{kind}>(i));
        store(o + i, cast<int64_t>(t) * 3);
        store(o + 64 + i, where(t < 0, 1, 2));
        store(o + 128 + i, cast<int64_t>(cast<unsigned>(t)));
        store(f + i, where(t > 5, 1.0f, 2.0f));
        """,
        [{"r": r} for r in starts],
        warps=(1, 2),
    )

# Programs of an int: blocks whose starts are below n, and ends that are not; rows of a grid of two dimensions; groups of programs.
# `size` is so large that few programs count up to INT_MAX.
SIZES = [{"n": n} for n in (MAX32, MAX32 - 1, 2**31 - 2**26, 2**31 - 2**26 + 1, 2**26 + 1, 2**26, 1, 0)]
table.add(
    "ends_of_blocks",
    "int64_t* o = out(5 * 33)\nint n",
    f"""
    constexpr int size = {2**26};
    auto pid = grid(cdiv(n, size));
    auto start = pid * size;
    auto left = n - start;
    store(o + 5 * pid, start);
    store(o + 5 * pid + 1, left < size ? left : size);
    store(o + 5 * pid + 2, start + size);
    store(o + 5 * pid + 3, start + size < n ? start + size : n);
    store(o + 5 * pid + 4, start * 3 - n);
    """,
    SIZES,
    warps=(1, 4),
)
table.add(
    "ends_of_groups",
    "int64_t* o = out(8 * 33 * 5)\nint m\nint n",
    f"""
    constexpr int rows = {2**26}, columns = {2**29};
    auto pid = grid(cdiv(m, rows) * cdiv(n, columns));
    auto [i, j] = swizzle2d(pid, cdiv(m, rows), cdiv(n, columns), 3);
    auto at = i * 5 + j;
    store(o + 2 * at, m - i * rows);
    store(o + 2 * at + 1, n - (j + 1) * columns);
    """,
    [{"m": m, "n": n} for m in (MAX32, 2**26 + 1, 1) for n in (MAX32, 2**29 + 1, 1)],
    warps=(1, 4),
)
table.add(
    "ends_of_reversed",
    "int64_t* o = out(3 * 33)\nint n\nbool reversed",
    f"""
    constexpr int size = {2**26};
    auto pid = grid(cdiv(n, size));
    auto block = pid;
    if (reversed) block = cdiv(n, size) - 1 - pid;
    auto first = block * size;
    auto end = min(first + size, n);
    store(o + 3 * block, first);
    store(o + 3 * block + 1, end);
    auto last = first;
    for (auto k = first; k < end; k += size / 4) last = k;
    store(o + 3 * block + 2, last);
    """,
    [{**size, "reversed": reversed} for size in SIZES for reversed in (0, 1)],
    warps=(1, 4),
)
