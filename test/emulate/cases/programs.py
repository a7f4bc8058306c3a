"""Program ids and counts, persistent and dynamic loops over items, and grids that the launcher computes."""

from case import WARPS, Table, warps_of

table = Table()
# Rows of 96 elements.
ROWS = "const float* in = small(96 * n + 96)\nfloat* out = out(96 * n + 96)\nint n"
TRIPS = [{"n": n} for n in (5, 1, 0, 2, 9)]


def add(name, parameters, body, runs, **options):
    options.setdefault("warps", WARPS if len(name) % 3 == 0 else warps_of(name, 3))
    table.add(name, parameters, body, runs, **options)


def programs():
    add(
        "loop_of_programs",
        ROWS,
        """
        auto p = grid(3);
        auto i = arange<96>();
        for (auto k = p; k < n; k += 3) {
          auto x = load(in + k * 96 + i);
          store(out + k * 96 + i, x - max(x));
        }
        """,
        TRIPS,
    )
    for name, head in (("persistent", "grid(2);\n"), ("dynamic", "")):
        add(
            name,
            ROWS,
            f"""{head}auto i = arange<96>();
for (auto k : {name}_range(n)) {{
  auto x = load(in + k * 96 + i);
  store(out + k * 96 + i, x * 2 + sum(x));
}}""",
            TRIPS,
        )
    add(
        "dynamic_continue",
        ROWS,
        """
        auto i = arange<96>();
        for (auto k : dynamic_range(n)) {
          if (k % 3 == 1) continue;
          store(out + k * 96 + i, load(in + k * 96 + i) + k);
        }
        """,
        TRIPS,
    )
    add(
        "persistent_resident",
        ROWS,
        """
        auto i = arange<96>();
        for (auto k : persistent_range(n)) {
          if (k == 3) continue;
          auto x = load(in + k * 96 + i);
          store(out + k * 96 + i, x - max(x));
        }
        """,
        [*TRIPS, {"n": 300}],
        warps=WARPS,
    )
    add(
        "persistent_option",
        ROWS + "\nint last",
        """
        auto row = grid(n);
        if (row == last) return;
        auto i = arange<96>();
        auto x = load(in + row * 96 + i);
        float total = sum(x);
        if (total > 0) {
          if (total > 9) return;
          total = 2 * total;
        }
        store(out + row * 96 + i, x + total);
        """,
        [{"n": n, "last": 2} for n in (5, 1, 0, 2, 300)],
        warps=WARPS,
        options=", .persistent = true",
    )
    add(
        "persistent_option_2d",
        "const float* in = small(96 * n * m + 96)\nfloat* out = out(96 * n * m + 96)\nint n\nint m",
        """
        auto [c, r] = grid(m, n);
        auto i = (r * m + c) * 96 + arange<96>();
        store(out + i, load(in + i) * num_programs(0) + num_programs(1));
        """,
        [{"n": n, "m": m} for n, m in ((5, 3), (1, 1), (0, 4), (4, 0), (20, 11))],
        warps=WARPS,
        options=", .persistent = true",
    )
    add(
        "sms",
        ROWS,
        """
        auto i = arange<96>();
        auto first = grid(num_sms());
        for (auto k = first; k < n; k += num_sms()) {
          auto x = load(in + k * 96 + i);
          store(out + k * 96 + i, x - max(x));
        }
        """,
        [*TRIPS, {"n": 300}],
        warps=WARPS,
    )
    add(
        "program_ids",
        "int* out = out(a * b * c * 8 + 8)\nint a\nint b\nint c",
        """
        auto ids = grid(a, b, c);
        auto at = (program_id(2) * b + program_id(1)) * a + program_id(0);
        auto counts = num_programs(0) + 10 * num_programs(1) + 100 * num_programs(2);
        store(out + at * 8 + arange<8>(), cast<int>(counts + 1000 * ids.x) + arange<8>());
        """,
        [{"a": a, "b": b, "c": c} for a, b, c in ((3, 4, 2), (1, 1, 1), (5, 1, 7), (0, 3, 3))],
        warps=WARPS,
    )
    add(
        "program_ids_1d",
        "int* out = out(a * 8 + 8)\nint a",
        """
        grid(a);
        auto at = program_id(0) + program_id(1) + program_id(2);
        store(out + at * 8 + arange<8>(), cast<int>(num_programs(0) * num_programs(1)) + arange<8>());
        """,
        [{"a": a} for a in (9, 1, 0, 4)],
        warps=WARPS,
    )
    add(
        "grid_divided",
        "int* out = out(8 * a + 8)\nint a\nint b",
        """
        auto at = grid(cdiv(a, b));
        store(out + at * 8 + arange<8>(), cast<int>(at) + arange<8>());
        """,
        [{"a": a, "b": b} for a, b in ((9, 2), (8, 2), (1, 7), (0, 3))],
        warps=WARPS,
    )
    # Numbers that wrap, are cut off or change their sign on the way to the launcher.
    ends = [{"n": n, "u": u} for n, u in ((3, 3), (-3, 0), (0, 4), (300, 2**32 - 1), (65535, 6))]
    for name, extent in (
        ("narrow", "uint8_t(n * 100) % 7 + 1"),
        ("unsigned", "(u - 5u) % 4u + 1"),
        ("mixed", "(n + u) % 5 + 1"),
        ("cut", "int8_t(n) % 3 + 4"),
        ("least", "minimum(u, 7u) + 1"),
        ("shifted", "(u >> 29) + 1"),
        ("wide", "cdiv(int64_t(u), int64_t(1) << 30) + 1"),
        ("quotient", "(u - 1u) / 1000000000u + 1"),
    ):
        add(f"grid_{name}", "int* out = zero(16)\nint n\nuint32_t u", f"auto at = grid({extent});\nstore(out + at, cast<int>(at) + 1);", ends, warps=(4,))
    def store_number(extents, two_dimensions):
        head = "auto [a, b] = grid({0});\nauto at = a * 8 + b;" if two_dimensions else "auto at = grid({0});"
        return head.format(extents) + "\nstore(out + at, cast<int>(at) + 1);"

    # A 0 among the extents and factors is a grid of zero programs, whatever the others are; if there is none, one that is
    # negative is refused. The reference cannot see two negative factors.
    empty, refused, factors = ((0, -2), (-2, 0), (0, 0), (3, 2)), ((-2, 3), (3, -2)), ((-2, -3),)
    for name, extents, numbers, options in (
        ("product", "n * m", "int n\nint m", ""),
        ("product_wide", "n * m", "int64_t n\nint64_t m", ""),
        ("product_persistent", "n * m", "int n\nint m", ", .persistent = true"),
        ("product_first", "n * m, 2", "int n\nint m", ""),
        ("each", "n, m", "int n\nint m", ""),
        ("each_persistent", "n, m", "int n\nint m", ", .persistent = true"),
        ("each_wide", "n, m", "int64_t n\nint64_t m", ", .persistent = true"),
    ):
        is_product = name.startswith("product")
        for kind, numbers_of, status in (("empty", empty, 0), ("refused", refused, 1), ("negative", factors, 1)):
            add(f"grid_{kind}_{name}", f"int* out = zero(64)\n{numbers}", store_number(extents, "," in extents),
                [{"n": n, "m": m} for n, m in numbers_of], warps=(1, 4), options=options, status=status,
                launcher_refuses=is_product and kind == "negative")
    # Extents that are computed from floats, and from 64 unsigned bits; on one warp, programs are packed.
    floats = [{"x": x, "n": n} for x, n in ((2.5, 2), (0.75, 2), (-0.5, 3), (3.0, 1))]
    for name, extents in (
        ("float", "int64_t(x)"),
        ("float_once", "int64_t(x / 1e18f + n)"),
        ("float_product", "int64_t(x) * n"),
        ("float_twice", "int64_t(x) * int64_t(x * 0.5f)"),
        ("float_int", "int(x) * 2"),
        ("float_two", "int64_t(x), n"),
        ("float_last", "n, int64_t(x)"),
        ("float_divisor", "n + 4 / (int64_t(x) + 1)"),
    ):
        add(f"grid_{name}", "int* out = zero(64)\nfloat x\nint n", store_number(extents, name.split("_")[-1] in ("two", "last", "both")), floats, warps=(1, 4))
    add("grid_float_divides", "int* out = zero(32)\nfloat x\nint n", "auto at = grid(n / int64_t(x));\nstore(out + at, 1);",
        [{"x": 0.5, "n": 4}], warps=(1, 4), status=1, launcher_refuses=True)
    longs = [{"w": w, "u": u} for w, u in ((2**64 - 1, 2**32 - 1), (2**63, 2**31), (1, 1), (2**63 - 1, 7))]
    for name, extents in (
        ("long", "int64_t(cdiv(w, uint64_t(1) << 60))"),
        ("long_two", "int64_t(cdiv(w, uint64_t(1) << 61)), 2"),
        ("long_last", "2, int64_t(cdiv(w, uint64_t(1) << 61))"),
        ("long_product", "int64_t(cdiv(w, uint64_t(1) << 60)) * cdiv(u, 1u << 31)"),
        ("word", "cdiv(u, 1u << 30)"),
        ("word_two", "cdiv(u, 1u << 30), 2"),
        ("word_both", "cdiv(u, 1u << 30), cdiv(u, 1u << 31)"),
    ):
        add(f"grid_{name}", "int* out = zero(64)\nuint64_t w\nuint32_t u", store_number(extents, name.split("_")[-1] in ("two", "last", "both")), longs, warps=(1, 4))
    for name, condition, runs in (
        ("range", "unsigned(n - 1) < 1000u", ((1, 0), (1000, 0))),
        ("out_of_range", "unsigned(n - 1) < 1000u", ((0, 0), (-5, 0), (1001, 0))),
        ("sign", "unsigned(n) > 0u || n == 0", ((-3, 0), (0, 0), (5, 0))),
        ("mixed", "n < u", ((3, 4), (2, 2**32 - 1))),
        ("not_mixed", "n < u", ((-1, 4), (-1, 2**32 - 1))),
        ("narrow", "int8_t(n) < 0", ((128, 0), (255, 0), (-1, 0))),
        ("sms", "num_sms() > n", ((0, 0), (-7, 0))),
        ("many_sms", "num_sms() > n", ((1000000, 0),)),
    ):
        add(f"require_{name}", "int* out = zero(16)\nint n\nuint32_t u", f"require({condition});\nauto at = grid(2);\nstore(out + at, n);",
            [{"n": n, "u": u} for n, u in runs], warps=(4,), status=1 if name in ("out_of_range", "not_mixed", "many_sms") else 0)
    # Only the grid reads `blocks`, only the requirement reads `pitch`, and nothing reads `unread`.
    add("unused_parameters", "const float* in = small(96 * blocks + 96)\nconst int* unread = small(4)\nfloat* out = out(96 * blocks + 96)\n"
        "int blocks\nint pitch\nfloat factor",
        """
        require(pitch == 96);
        auto at = grid(blocks) * 96 + arange<96>();
        auto x = load(in + at);
        store(out + at, x - max(x) * factor);
        """,
        [{"blocks": blocks, "pitch": 96, "factor": 1.5} for blocks in (3, 0, 1)])


programs()
