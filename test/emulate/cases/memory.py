"""Loads and stores: masks, other, strides, two dimensions, pointer arithmetic, hints, in place and through aliases."""

from case import FLOATS, INTEGERS, SHORT, Table, ragged, warps_of

table = Table()
ALL = [*INTEGERS, *FLOATS, "bool"]
SHAPES = [(16, 32), (32, 16), (64, 64), (8, 128), (80, 16), (3, 1000), (1, 32), (32, 1), (1, 1)]


def bounds():
    """Bounds next to the ends of int: a count of valid elements made by subtraction would wrap."""
    runs = [{"n": n, "s": s} for s in (0, 3, -3) for n in (-(2**31), 2**31 - 1, -(2**31) + 70, 0, 40)]
    table.add(
        "bounds_extreme",
        "const float* in = small(128)\nfloat* out = out(128)\nfloat* moved = out(128)\nint n\nint s",
        """
        grid(1);
        auto i = arange<128>();
        store(out + i, load(in + i, i < n, 7), i < n);
        store(moved + i, load(in + i, i + s * 8 < n, 7), i + s * 8 < n);
        """,
        runs,
        warps=(1, 4),
    )


def masked():
    for t in ALL:
        name = f"masked_{SHORT[t]}"
        n = {1: 96, 2: 192, 0: 128}[len(t) % 3]
        zero, one = ("false", "true") if t == "bool" else ("0", "1")
        table.add(
            name,
            f"const {t}* a = small(n)\nconst bool* flags = small(n)\n{t}* none_given = out(n)\n{t}* zero_given = out(n)\n{t}* one_given = out(n)\n{t}* holes = out(n)\n{t}* tile_given = out(n)\nint n",
            f"""
            auto i = grid(cdiv(n, {n})) * {n} + arange<{n}>();
            auto m = i < n;
            auto f = load(flags + i, m);
            store(none_given + i, load(a + i, f), m);
            store(zero_given + i, load(a + i, f & m, {zero}), m);
            store(one_given + i, load(a + i, m & (i > 3), {one}), m);
            store(holes + i, load(a + i, m), f & m);
            store(tile_given + i, load(a + i, !f & m, cast<{t}>(i % 7)), m);
            """,
            ragged(n),
            warps=warps_of(name, 2),
        )


def forms():
    """Every way to write an address."""
    t = "float"
    forms = {
        "stride": ("a + i * 3", "3 * n"),
        "runtime_stride": ("a + i * s", "3 * n"),
        "reverse": ("a + (n - 1 - i)", "n"),
        "modulo": ("a + i % 7", "7"),
        "shifted": ("a + 1 + i", "n + 1"),
        "back": ("a + (2 * i + 2) - i - 1", "n + 1"),
        "halves": ("a + i / 2", "n"),
        "int64": ("a + cast<int64_t>(i)", "n"),
        "uint8": ("a + cast<uint8_t>(i % 100)", "100"),
        "unsigned": ("a + cast<uint32_t>(i)", "n"),
        "pairs": ("a + (i ^ 1)", "n + 1"),
        "same": ("a + i * 0 + 2", "3"),
        "negative": ("(a + n) + (i - n)", "n"),
        "first": ("a + where(i < 5, i, 0)", "5"),
    }
    for form, (text, size) in forms.items():
        name = f"form_{form}"
        n = 192
        table.add(
            name,
            f"const {t}* a = small({size})\n{t}* out = out(n)\nint n\nint s",
            f"auto i = grid(cdiv(n, {n})) * {n} + arange<{n}>();\nauto m = i < n;\nstore(out + i, load({text}, m, -1), m);",
            [{**run, "s": 3} for run in ragged(n)] + [{"n": 3 * n, "s": 1}, {"n": 3 * n, "s": 0}],
            warps=warps_of(name, 2),
        )
        if form in ("stride", "runtime_stride", "reverse", "shifted", "int64", "negative"):
            table.add(
                f"store_{form}",
                f"{t}* a = out({size})\nconst {t}* in = small(n)\nint n\nint s",
                f"auto i = grid(cdiv(n, {n})) * {n} + arange<{n}>();\nauto m = i < n;\nstore({text}, load(in + i, m), m);",
                [{**run, "s": 3} for run in ragged(n)] + [{"n": 3 * n, "s": 1}],
                warps=warps_of(name + "s"),
            )
    table.add(
        "pointer_carried",
        "const float* a = small(n)\nfloat* out = out(n)\nint n",
        """
        grid(1);
        auto p = a + arange<64>();
        auto q = out + arange<64>();
        for (int k = 0; k < n; k += 64) {
          auto m = arange<64>() < n - k;
          store(q, load(p, m) + 1, m);
          p += 64;
          q += 64;
        }
        """,
        [{"n": n} for n in (256, 200, 64, 1, 0)],
        warps=(1, 2, 3),
    )
    table.add(
        "indirect",
        "const int* index = below(n, n)\nconst int64_t* wide = distinct(n)\nconst float* a = small(n)\nfloat* out = out(n)\nfloat* scattered = out(n)\nint n",
        """
        auto i = grid(cdiv(n, 128)) * 128 + arange<128>();
        auto m = i < n;
        auto x = load(a + load(index + i, m), m);
        store(out + i, x, m);
        store(scattered + load(wide + i, m), x, m);
        """,
        [{"n": n} for n in (300, 384, 1)],
        warps=(1, 2, 4, 5),
    )
    table.add(
        "scalar_access",
        "const float* a = small(n)\nfloat* out = out(n)\nint n",
        """
        auto row = grid(n);
        if (row % 2 == 0) {
          out[row] = a[row] * 2;
        } else {
          store(out + row, load(a + row, row > 1, 9.0f), row != 5);
        }
        """,
        [{"n": n} for n in (3, 8, 1, 0)],
        warps=(1, 2, 4),
    )
    table.add(
        "cached",
        "const float* a = small(n)\nconst float* b = small(n)\nfloat* out = out(n)\nfloat* second = out(n)\nint n",
        """
        auto i = grid(cdiv(n, 128)) * 128 + arange<128>();
        auto m = i < n;
        auto x = load(a + i, m, 0, cache::cg) + load(b + i, m, 0, cache::ca, evict::first);
        store(out + i, x, m, cache::cs);
        store(second + i, load(a + i, m, 0, evict::last) + load(b + i, m, 0, cache::cs), m, cache::wt);
        """,
        ragged(128),
        warps=(1, 4, 5),
    )


def hints():
    table.add(
        "promised",
        "const float* a = small(n)\nfloat* out = out(n)\nint n",
        """
        a = assume_aligned<16>(a);
        out = assume_aligned<16>(out);
        n = assume_divisible<16>(n);
        assume(n < 4096);
        auto i = multiple_of<4>(grid(cdiv(n, 128)) * 128 + arange<128>());
        auto m = i < n;
        store(out + i, load(a + i, m) * 2, m);
        """,
        [
            {"n": n, "shift": s}
            for n, s in ((512, 0), (400, 0), (16, 0), (0, 0), (400, 4), (320, 8))
        ],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "required",
        "const float* a = small(n)\nfloat* out = out(n)\nint n",
        """
        require(n <= 128);
        grid(1);
        auto i = arange<128>();
        store(out + i, load(a + i, i < n) * 2, i < n);
        """,
        [{"n": n} for n in (128, 127, 1, 0)],
        warps=(2, 4),
    )
    table.add(
        "refused",
        "const float* a = small(n)\nfloat* out = out(n)\nint n",
        """
        require(n <= 128);
        grid(1);
        auto i = arange<128>();
        store(out + i, load(a + i, i < n) * 2, i < n);
        """,
        [{"n": n} for n in (129, 1000)],
        warps=(2,),
        status=1,
    )
    table.add(
        "negative_grid",
        "float* out = out(8)\nint n",
        "auto row = grid(n);\nout[row] = 1;",
        [{"n": -1}],
        status=1,
    )
    # Two negative numbers have a positive product. (With a 0 the grid is empty: grid_empty.)
    for name, options in (("axes", ""), ("persistent_axes", ", .persistent = true")):
        table.add(
            f"negative_{name}",
            "float* out = out(8)\nint n\nint m\nint k",
            "auto [x, y, z] = grid(n, m, k);\nout[x + y + z] = 1;",
            [dict(zip("nmk", sizes)) for sizes in ((-1, -1, 1), (2, -2, -1), (-1, 1, 1), (-1, -1, -1))],
            warps=(1, 4),
            options=options,
            status=1,
        )
    for name, extent, kind in (("ints", "n * m", "int"), ("quotients", "cdiv(n, 4) * m", "int"), ("wide", "n * m", "int64_t"), ("three", "2 * n * 3 * m", "int")):
        table.add(
            f"negative_factors_{name}",
            f"float* out = out(64)\n{kind} n\n{kind} m",
            f"auto row = grid({extent});\nout[row] = 1;",
            [{"n": n, "m": m} for n, m in ((-4, -2), (-1, -1))] if name != "quotients" else [{"n": -9, "m": -3}, {"n": -4, "m": -1}],
            warps=(1, 4),
            launcher_refuses=True,
        )
        table.add(
            f"negative_factor_{name}",
            f"float* out = out(64)\n{kind} n\n{kind} m",
            f"auto row = grid({extent});\nout[row] = 1;",
            [{"n": n, "m": m} for n, m in ((-4, 2), (4, -2))],
            warps=(1, 4),
            status=1,
        )
    table.add(
        "hinted_scalars",
        "const float* x = small(8)\nfloat* out = out(8)\nint n",
        """
        grid(1);
        store(out + 1, load(x + 3, n > 3, 2, cache::cg), cache::wt);
        store(out + 2, load(x + n % 8, cache::cv), n > 1, evict::first);
        *out = load(x + 1, evict::last) + load(x + 5, true, 1);
        """,
        [{"n": n} for n in (5, 1, 0, 2, 9)],
        warps=(1, 2, 4),
    )
    table.add(
        "volatile_loads",
        "int* flags = small(16)\nint* out = out(8)\nint n",
        """
        grid(1);
        auto seen = load(flags + arange<16>(), arange<16>() < n + 3, 1, cache::cv);
        int turns = 0;
        while (turns < n && load(flags + turns, cache::cv) > -100) turns += 1;
        store(out, sum(seen) + turns);
        store(out + 1, load(flags + n % 8, n > 1, 7, cache::cv));
        store(out + 2, max(seen));
        """,
        [{"n": n} for n in (5, 1, 0, 2, 9)],
        warps=(1, 2, 4),
    )
    # The program that comes first publishes a tile; the other waits for its flag with volatile loads.
    table.add(
        "volatile_flag",
        "int* state = zero(2)\nfloat* data = out(96)\nfloat* out = out(96)\nint n",
        """
        grid(2);
        auto i = arange<96>();
        if (atomic_add(state, 1, true, memory_order::relaxed) == 0) {
          store(data + i, cast<float>(i) * 2.0f + n);
          atomic_add(state + 1, 1);
        } else {
          int seen = 0;
          while (seen == 0) seen = load(state + 1, cache::cv);
          atomic_add(state + 1, 0);
          store(out + i, load(data + i) + seen);
        }
        """,
        [{"n": 3}],
        warps=(1, 2, 3, 4),
    )


def planes():
    """Two dimensions, in row-major and column-major order and from one to the other."""
    for rows, columns in SHAPES:
        for t in ("float", "float16", "int8_t", "double"):
            name = f"plane_{rows}x{columns}_{SHORT[t]}"
            head = f"""
            auto [p, q] = grid(cdiv(M, {rows}), cdiv(N, {columns}));
            auto r = (p * {rows} + arange<{rows}>())[all, none];
            auto c = (q * {columns} + arange<{columns}>())[none, all];
            auto m = (r < M) & (c < N);
            """
            runs = [
                {"M": rows, "N": columns},
                {"M": 2 * rows - rows // 3 // 4 * 4, "N": 2 * columns - columns // 3 // 4 * 4},
                {"M": 2 * rows - rows // 3, "N": 2 * columns - columns // 3},
                {"M": rows, "N": 2 * columns},
                {"M": 1, "N": 1},
                {"M": 0, "N": 5},
            ]
            bodies = {
                "row": "store(out + r * N + c, load(in + r * N + c, m), m);",
                "column": "store(out + c * M + r, load(in + c * M + r, m), m);",
                "turned": "store(out + c * M + r, load(in + r * N + c, m), m);",
                "back": "store(out + r * N + c, load(in + c * M + r, m), m);",
                "trans": "store(out + trans(c) * M + trans(r), trans(load(in + r * N + c, m)), trans(m));",
            }
            for kind, body in bodies.items():
                table.add(
                    f"{name}_{kind}",
                    f"const {t}* in = small(M * N)\n{t}* out = out(M * N)\nint M\nint N",
                    head + body,
                    runs,
                    warps=warps_of(name + kind, 2),
                )
    for axis in ("r", "c"):
        table.add(
            f"broadcast_{axis}",
            "const float* in = small(16 + 64)\nfloat* out = out(16 * 64)\nint n",
            f"""
            grid(n);
            auto r = arange<16>()[all, none];
            auto c = arange<64>()[none, all];
            store(out + r * 64 + c, load(in + {axis}) + c);
            """,
            [{"n": 1}, {"n": 0}],
            warps=(1, 2, 3, 4, 5, 8),
        )
    table.add(
        "mask_of_rows",
        "const float* in = small(M * 64)\nfloat* out = out(M * 64)\nint M",
        """
        auto r = (grid(cdiv(M, 16)) * 16 + arange<16>())[all, none];
        auto c = arange<64>()[none, all];
        auto x = load(in + r * 64 + c, r < M, -3);
        store(out + r * 64 + c, x * 2, (r < M) & (c != 5));
        """,
        [{"M": m} for m in (48, 41, 1, 0)],
        warps=(1, 2, 3, 4, 5, 8),
    )


def in_place():
    """One pointer loaded and stored, and pointers into one buffer: accesses stay in program order."""
    for shift in (0, 1, 3, 32, 64):
        table.add(
            f"alias_after_{shift}",
            f"float* x = small(n + {shift})\nfloat* y = at(x, {shift})\nint n",
            """
            grid(1);
            auto i = arange<128>();
            auto m = i < n;
            auto v = load(x + i, m);
            store(y + i, v + 1, m);
            auto w = load(x + i, m);
            store(x + i, w * 2, m);
            """,
            [{"n": n} for n in (128, 127, 40, 1, 0)],
            warps=(1, 2, 3, 4, 5, 8) if shift in (1, 32) else (2, 4),
            restrict=False,
        )
    for warps in ((1, 2, 3, 4, 5, 8),):
        table.add(
            "alias_loop",
            "float* x = small(n + 1)\nfloat* y = at(x, 1)\nint n\nint steps",
            """
            grid(1);
            auto i = arange<64>();
            for (int k = 0; k < steps; ++k) {
              store(y + i, load(x + i, i < n) + 1, i < n);
            }
            """,
            [{"n": n, "steps": s} for n, s in ((64, 3), (63, 1), (40, 0), (1, 5))],
            warps=warps,
            restrict=False,
        )
        table.add(
            "alias_reverse",
            "float* x = small(n)\nint n",
            """
            grid(1);
            auto i = arange<128>();
            auto m = i < n;
            store(x + (n - 1 - i), load(x + i, m), m);
            auto v = load(x + i, m);
            store(x + i, v + 1, m);
            store(x + (n - 1 - i), v, m & (i < 7));
            """,
            [{"n": n} for n in (128, 101, 7, 1)],
            warps=warps,
            restrict=False,
        )
        table.add(
            "store_twice",
            "const float* a = small(n)\nfloat* x = out(n)\nint n",
            """
            grid(1);
            auto i = arange<128>();
            auto m = i < n;
            store(x + i, load(a + i, m), m);
            store(x + (n - 1 - i), load(a + i, m) * 3, m & (i % 2 == 0));
            store(x + i, cast<float>(i), m & (i % 3 == 0));
            """,
            [{"n": n} for n in (128, 101, 7, 1)],
            warps=warps,
        )
    for t in ALL[:-1]:
        table.add(
            f"in_place_{SHORT[t]}",
            f"{t}* x = small(n)\nint n",
            f"""
            auto i = grid(cdiv(n, 96)) * 96 + arange<96>();
            auto m = i < n;
            store(x + i, load(x + i, m) + cast<{t}>(full<int, 1>(1)), m);
            """,
            ragged(96),
            warps=warps_of(t, 2),
        )
    table.add(
        "scalar_order",
        "float* x = small(8)\nint n",
        """
        grid(1);
        auto a = x[0];
        store(x + arange<4>(), arange<4>() + a);
        auto b = x[3];
        x[1] = b * 2;
        store(x + 4 + arange<4>(), load(x + arange<4>()) + x[1]);
        """,
        [{"n": 1}],
        warps=(1, 2, 4),
        restrict=False,
    )
    # Replicated elements are loaded by all threads that hold them, after another exchange: the owner stores when all have loaded.
    for n in (1, 5, 32, 64, 300):
        table.add(
            f"in_place_behind_{n}",
            f"float* x = small({n})\nint* count = small({n})\nfloat* r = small({n})\nint n",
            f"""
            grid(1);
            auto i = arange<{n}>();
            auto old = atomic_add(count + i, 1);
            store(x + i, load(x + i) + where(old < -1000, 1000.0f, 2.0f));
            for (int k = 0; k < n; ++k) {{
              auto f = flip(load(r + i));
              store(x + i, load(x + i) + where(f > 100, 7.0f, 1.0f));
              store(r + i, f + 1);
            }}
            """,
            [{"n": 2}],
            warps=(1, 2, 3, 4, 5),
        )


def addressed():
    """Addresses, masks and other values that are not there before their tile has been moved or counted."""
    for n in (16, 32, 64, 256):
        head = f"grid(1);\nauto i = arange<{n}>();\nauto a = load(x + i, i < n);\n"
        place = f"auto place = sum<1>((a[none, all] < a[all, none]) | ((a[none, all] == a[all, none]) & (i[none, all] < i[all, none])));\n" if n <= 64 else f"auto place = {n - 1} - i;\n"
        for name, body in {
            "store": place + "store(out + place, a);",
            "load": place + "store(out + i, load(x + place % n, i < n));",
            "masked": place + "store(out + i, a, (place & 1) == 0);",
            "mask_of_load": place + "store(out + i, load(x + i, (place & 1) == 0, 7), i < n);",
            "other": place + "store(out + i, load(x + i, i < n - 5, cast<float>(place)));",
            "atomic": f"auto old = atomic_add(counts + i, 1);\nstore(out + (old * 0 + ({n - 1} - i)), a);",
            "twice": place + f"auto again = load(x + place % n);\nauto where_ = cast<int>(again * 0) + ({n - 1} - place);\nstore(out + where_, a);",
            "odd_mask": "auto hole = load(x + i, (i & 1) == 0, 0);\nstore(out + (cast<int>(hole * 0) + i), a);",
            "random": "auto r = cast<int>(random_bits(5, i * 3) % 1);\nstore(out + (r + i), a);",
        }.items():
            table.add(
                f"addressed_{name}_{n}",
                f"const float* x = small({n})\nfloat* out = out({n})\nint* counts = zero({n})\nint n",
                head + body,
                [{"n": m} for m in (n, n // 2 + 1)],
                warps=(1, 4),
            )


def uniform():
    """Indices that are the same for a whole tile, and those that nearly are: scales of groups of elements."""
    runs = [{"n": n, "from": f} for n in (200, 256, 64, 5, 0) for f in (0, -2, 1)]
    forms = {
        "div": "cols / 64",
        "shift": "cols >> 6",
        "of_two": "cols / 128",
        "beside": "(cols + 1) / 64",
        "rest": "cols / 64 % 2",
        "product": "cols / 64 * 3 + 1",
    }
    for kind in ("int", "int64_t"):
        body = f"""
          auto pid = grid(4);
          {kind} block = {kind}(pid) + from;
          auto cols = block * 64 + arange<64>();
          auto put = pid * 64 + arange<64>();
          s += 8;
        """
        outputs = ""
        for name, form in forms.items():
            outputs += f"float* {name} = out(256)\n"
            body += f"store({name} + put, load(s + ({form}), cols < n, 7));\n"
        table.add(
            f"uniform_{kind}",
            f"const float* s = small(40)\n{outputs}int n\nint from",
            body,
            runs,
            warps=(1, 2, 4),
        )
    table.add(
        "uniform_masks",
        "const float* s = small(8)\nfloat* a = out(192)\nfloat* b = out(192)\nfloat* c = out(192)\nint n\nint from",
        """
        auto pid = grid(2);
        auto i = 3 + arange<96>();
        auto put = pid * 96 + arange<96>();
        auto p = s + full<int, 96>(int(pid));
        store(a + put, load(p, i < n));
        store(b + put, load(p, (i < n) & (i >= n), 3) + load(p, (from > 0) & (i < n), 2));
        store(c + put, load(p) + load(s + arange<96>() * 0, (put < n) & (from == 0)));
        """,
        runs,
        warps=(1, 3, 4),
    )
    # Casts that change numbers: the first is not the least any more.
    table.add(
        "uniform_casts",
        "const float* s = small(8)\nfloat* a = out(256)\nfloat* b = out(256)\nfloat* c = out(256)\nfloat* d = out(256)\nint n",
        """
        grid(1);
        auto i = arange<256>();
        auto p = s + full<int, 256>(n * 0 + 2);
        store(a + i, load(p, cast<int8_t>(i) < cast<int8_t>(n)));
        store(b + i, load(p, cast<uint32_t>(i - 5) < cast<uint32_t>(n)));
        store(c + i, load(p, cast<float>(i) < n * 0.5f, 3));
        store(d + i, load(p, cast<int64_t>(i) < int64_t(n) * 3));
        """,
        [{"n": n} for n in (-100, -1, 0, 1, 5, 100, 127)],
        warps=(1, 4),
    )



def wrapped():
    """Numbers without a sign that begin at 0 again within a vector: as indices, compared, and in more bits."""
    for name, index in (("minus", "cast<uint32_t>(arange<1024>()) - 5u"), ("minus_n", "cast<uint32_t>(arange<1024>()) - uint32_t(n)"),
                        ("from", "1000u - cast<uint32_t>(arange<1024>())"), ("times", "cast<uint32_t>(arange<1024>()) * 2147483649u"),
                        ("cast", "cast<uint32_t>(arange<1024>() - 6)")):
        p = "const float* x = small(1024)\nfloat* o = zero(1024)\nint* w = out(3072)\nint n"
        table.add(f"wrapped_load_{name}", p, f"grid(1);\nauto e = {index};\nstore(o + arange<1024>(), load(x + e, e < 1000u));", [{"n": 5}, {"n": 0}], warps=(1, 4))
        table.add(f"wrapped_store_{name}", p, f"grid(1);\nauto e = {index};\nstore(o + e, load(x + arange<1024>()), e < 1000u);", [{"n": 5}, {"n": 0}], warps=(1, 4))
        table.add(f"wrapped_numbers_{name}", p, f"grid(1);\nauto e = {index};\nauto i = arange<1024>();\nstore(w + i, cast<int>(cast<int64_t>(e) >> 20));\n"
                  "store(w + 1024 + i, cast<int>(cast<float>(e) * 0.0001f));\nstore(w + 2048 + i, cast<int>((e - 7u) % 3u) + cast<int>(e + 9u < 100u));", [{"n": 5}, {"n": 0}], warps=(1, 4))


def shared_addresses():
    """Several elements of a tile with one address: accesses through it are done one after the other all the same."""
    addresses = {
        "loaded": "x + load(k + i)",
        "modulo": "x + i % 8",
        "rows": "x + reshape<256>(broadcast_to<8, 32>(iota<0, 8, 32>() * 3))",
    }
    for name, pointers in addresses.items():
        def add(what, parameters, body):
            table.add(f"shared_address_{what}_{name}", "const int* k = below(256, 8)\nint* x = positive(64)\n" + parameters + "int s\nint t",
                      f"grid(1);\nauto i = arange<256>();\nauto p = {pointers};\n" + body, [{"s": 3, "t": 5}], warps=(1, 2, 4, 8), races_of_one_store=False)

        add("masks", "", "store(p, s, i < 128);\nstore(p, t, i >= 128);")
        add("update", "", "store(p, load(p) + s);")
        add("read_between", "int* old = out(256)\n", "store(p, s);\nstore(old + i, load(p));\nstore(p, t);")
        add("atomic_after_store", "", "store(p, 100);\natomic_add(p, 1);")
        add("atomic_before_load", "int* old = out(256)\n", "atomic_add(p, 1);\nstore(old + i, load(p));")
        add("atomic_twice", "int* old = out(256)\n", "auto o = atomic_add(p, 0);\nauto q = atomic_add(p, 1000);\nauto r = atomic_add(p, 0);\nstore(old + i, r - o);")
    # One column stores, all read; and the other way round.
    for what, body in (("store", "store(p, rows + s, cols == 2);\nstore(old + rows * 4 + cols, load(p));"),
                       ("load", "auto v = load(p);\nstore(p, rows + s, cols == 2);\nstore(old + rows * 4 + cols, v);")):
        table.add(f"shared_address_column_{what}", "int* x = positive(64)\nint* old = out(256)\nint s",
                  "grid(1);\nauto rows = iota<0, 64, 4>();\nauto cols = iota<1, 64, 4>();\nauto p = x + rows;\n" + body, [{"s": 3}], warps=(1, 2, 4, 8), races_of_one_store=False)
    # Strides of constants under which rows overlap, or do not.
    for stride in (1, 3, 4, 7):
        table.add(f"overlapping_rows_{stride}", "int* x = positive(512)\nint* old = out(256)\nint s",
                  f"grid(1);\nauto rows = iota<0, 64, 4>();\nauto cols = iota<1, 64, 4>();\nauto p = x + rows * {stride} + cols;\n"
                  "store(p, s);\nstore(old + rows * 4 + cols, load(p) + cols);\nstore(p, s + 1);", [{"s": 3}], warps=(1, 4), races_of_one_store=False)


def unsigned_bounds():
    """Bounds without a sign, below the indices too."""
    for t in ("uint32_t", "uint64_t", "uint16_t"):
        top = 2**16 - 1 if t == "uint16_t" else 2**32 - 1
        runs = [{"n": n} for n in (300, 256, 255, 70, 1, 0, top)]
        table.add(f"unsigned_bound_{SHORT[t]}", f"const float* x = small(512)\nfloat* o = zero(512)\n{t} n",
                  "auto i = grid(4) * 128 + arange<128>();\nstore(o + i, load(x + i, i < n, 9) + 1.0f, i < n);", runs, warps=(1, 4))
        table.add(f"unsigned_index_{SHORT[t]}", f"const float* x = small(512)\nfloat* o = zero(512)\n{t} n",
                  f"auto i = grid(4) * 128 + arange<128>();\nauto u = cast<{t}>(i);\nstore(o + i, load(x + i, u < n, 9) + 1.0f, u + {t}(3) < n);", runs, warps=(1, 4))
        table.add(f"unsigned_rows_{SHORT[t]}", f"const float* x = small(512)\nfloat* o = zero(512)\n{t} n\n{t} m",
                  "auto at = grid(2);\nauto r = (at * 16 + iota<0, 16, 16>());\nauto c = iota<1, 16, 16>();\nauto in = (r < n) & (c < m);\n"
                  "store(o + r * 16 + c, load(x + r * 16 + c, in) + 1.0f, in);", [{"n": n, "m": m} for n, m in ((32, 16), (20, 9), (3, 16), (0, 4), (top, 3))], warps=(1, 4))


for make in (bounds, masked, forms, hints, planes, in_place, addressed, uniform, wrapped, shared_addresses, unsigned_bounds):
    make()
