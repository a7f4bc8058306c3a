"""8-bit floats: conversions of every bit pattern and in every rounding case, operations that move elements, descriptors, dots."""

from case import FLOAT8, FLOATS, INTEGERS, SHORT, Table, ragged, row_runs, warps_of

table = Table()


def block(n):
    return f"auto i = grid(cdiv(n, {n})) * {n} + arange<{n}>();\nauto m = i < n;\n"


def widen():
    """All 256 bit patterns are converted to every type, and to integers where they fit."""
    for t in FLOAT8:
        name = f"widen_{SHORT[t]}"
        outputs = [*FLOATS, *FLOAT8, "bool"]
        parameters = "".join(f"{f}* to_{SHORT[f]} = out(n)\n" for f in outputs)
        body = block(256) + f"auto x = bitcast<{t}>(cast<uint8_t>(i & 255));\n"
        body += "".join(f"store(to_{SHORT[f]} + i, cast<{f}>(x), m);\n" for f in outputs)
        table.add(name, f"{parameters}int n", body, ragged(256), warps=warps_of(name, 2))
        name = f"to_integers_{SHORT[t]}"
        parameters = "".join(f"{f}* to_{SHORT[f]} = out(n)\n" for f in INTEGERS)
        body = block(96) + "auto x = load(a + i, m);\n"
        body += "".join(f"store(to_{SHORT[f]} + i, cast<{f}>(x), m);\n" for f in INTEGERS)
        table.add(name, f"const {t}* a = positive(n)\n{parameters}int n", body, ragged(96), warps=warps_of(name, 2))


def narrow():
    """Every float16 and bfloat16 is converted; floats and doubles at, below and above each tie; integers."""
    outputs = "".join(f"{t}* near_{SHORT[t]} = out(n)\n{t}* zero_{SHORT[t]} = out(n)\n" for t in FLOAT8)
    both = "".join(
        f"store(near_{SHORT[t]} + i, cast<{t}>(x), m);\nstore(zero_{SHORT[t]} + i, cast<{t}>(x, rounding::rz), m);\n"
        for t in FLOAT8
    )
    for source in ("float16", "bfloat16"):
        name = f"narrow_to_float8_{SHORT[source]}"
        body = block(1024) + f"auto x = bitcast<{source}>(cast<uint16_t>(i & 65535));\n" + both
        table.add(name, f"{outputs}int n", body, [{"n": 65536}, {"n": 1000}], warps=(4, 8))
    # A float16 has every tie of both formats; the next float and double lie on either side.
    for source, bits in (("float", "uint32_t"), ("double", "uint64_t")):
        for step in (-1, 0, 1):
            name = f"narrow_to_float8_{SHORT[source]}_{step + 1}"
            body = (
                block(1024)
                + f"auto h = cast<{source}>(bitcast<float16>(cast<uint16_t>(i & 65535)));\n"
                # The bits of a NaN are not the same everywhere; its neighbour may be 0.
                + f"auto x = where(h == h, bitcast<{source}>(bitcast<{bits}>(h) + cast<{bits}>({step})), h);\n"
                + both
            )
            table.add(name, f"{outputs}int n", body, [{"n": 65536}], warps=(4,))
        for kind in ("bits", "special", "unit"):
            name = f"narrow_to_float8_{SHORT[source]}_{kind}"
            table.add(
                name,
                f"const {source}* a = {kind}(n)\n{outputs}int n",
                block(128) + "auto x = load(a + i, m);\n" + both,
                ragged(128),
                warps=warps_of(name, 2),
            )
        name = f"narrow_to_float8_{SHORT[source]}_any"
        table.add(
            name,
            f"const {bits}* a = bits(n)\n{outputs}int n",
            block(512) + f"auto x = bitcast<{source}>(load(a + i, m));\n" + both,
            [{"n": 20000}, {"n": 77}],
            warps=warps_of(name),
        )
    for source in ["bool", *INTEGERS]:
        name = f"from_{SHORT[source]}"
        outputs = "".join(f"{t}* to_{SHORT[t]} = out(n)\n{t}* small_{SHORT[t]} = out(n)\n" for t in FLOAT8)
        body = block(160) + f"auto x = load(a + i, m);\nauto y = cast<{source}>(i * 37);\n"
        body += "".join(
            f"store(to_{SHORT[t]} + i, cast<{t}>(x), m);\nstore(small_{SHORT[t]} + i, y, m);\n" for t in FLOAT8
        )
        table.add(name, f"const {source}* a = bits(n)\n{outputs}int n", body, ragged(160), warps=warps_of(name, 2))


def constants():
    """Scalars and folded constants are exact, rounded or saturated."""
    for t in FLOAT8:
        numbers = ["0", "-0.0f", "1", "1.5f", "17", "-1000000", "0.3", "449.0", "1e30f", "0.001f", "2e-5f", "true", "-inf"]
        body = "grid(1);\n" + "".join(f"out[{i}] = {t}({x});\n" for i, x in enumerate(numbers))
        body += "".join(f"store(out + {32 + 8 * i} + arange<8>(), full<{t}, 8>({x}));\n" for i, x in enumerate(numbers))
        body += "out[14] = s;\nout[15] = in[n];\nwide[0] = float(s) + float(in[1]);\nwide[1] = float(out[14]);\n"
        table.add(
            f"constants_{SHORT[t]}",
            f"const {t}* in = bits(n + 2)\n{t}* out = out(160)\nfloat* wide = out(2)\nint n\n{t} s",
            body,
            [{"n": 3, "s": 2}, {"n": 5, "s": -0.3}],
            warps=(1, 4),
        )


def moves():
    """Loads with masks and others, shapes, where, tuples through helpers, conversions by a store."""
    for t in FLOAT8:
        name = f"masked_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = bits(n)\nconst bool* flags = small(n)\n{t}* zero = out(n)\n{t}* one = out(n)\n{t}* tile_ = out(n)\n{t}* chosen = out(n)\nint n",
            block(192)
            + f"""
auto f = load(flags + i, m);
auto x = load(a + i, m);
store(zero + i, load(a + i, f & m), m);
store(one + i, load(a + i, m & (i > 3), 1.5f), m);
store(tile_ + i, load(a + i, !f & m, cast<{t}>(i % 7)), m);
store(chosen + i, where(f, x, full<{t}, 192>(3)), m);
""",
            ragged(192),
            warps=warps_of(name, 3),
        )
        name = f"shapes_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = bits(2048)\n{t}* turned = out(2048)\n{t}* flipped = out(2048)\n{t}* joined = out(4096)\n{t}* sliced = out(1024)\nint n",
            """
            grid(1);
            auto r = arange<32>()[all, none];
            auto c = arange<64>()[none, all];
            auto x = load(a + (r * 64 + c));
            store(turned + (trans(c) * 32 + trans(r)), trans(x));
            store(flipped + (r * 64 + c), flip(x));
            store(joined + arange<4096>(), ravel(join(x, x)));
            store(sliced + arange<1024>(), ravel(x[slice<8, 24>, all]));
            """,
            [{"n": 1}],
            warps=(1, 3, 4, 8),
        )
        name = f"reduced_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = small(rows * n)\n{t}* top = out(rows)\nfloat* total = out(rows)\n{t}* mapped = out(rows * n)\nint rows\nint n",
            f"""
            auto row = grid(rows);
            auto c = arange<128>();
            auto x = load(a + row * n + c, c < n, -8);
            store(top + row, reduce<0>(x, [](auto p, auto q) {{ return float(p) > float(q) ? p : q; }}));
            store(total + row, sum(where(c < n, cast<float>(x), 0.0f)));
            store(mapped + row * n + c, map([](float v) {{ return v * 2; }}, cast<float>(x)), c < n);
            """,
            row_runs(128),
            warps=warps_of(name, 3),
        )
        name = f"descriptor_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = bits(rows * columns + 1)\n{t}* out = out(rows * columns + 1)\n{t}* nans = out(1024)\nint rows\nint columns\nint s",
            """
            grid(1);
            auto A = make_tensor_descriptor<16, 64>(a, {rows, columns}, {columns, 1}, padding::nan);
            auto Out = make_tensor_descriptor<16, 64>(out, {rows, columns}, {columns, 1});
            auto x = A.load({s, s});
            Out.store({s, s}, x);
            store(nans + (arange<16>()[all, none] * 64 + arange<64>()[none, all]), x);
            """,
            [{"rows": r, "columns": c, "s": s} for r, c, s in ((16, 64, 0), (20, 48, 0), (13, 37, -2), (9, 80, 16), (0, 4, 0))],
            warps=warps_of(name, 3),
        )
        name = f"loop_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* a = small(n)\n{t}* out = out(n)\nint n",
            f"""
            grid(1);
            auto carried = zeros<{t}, 128>();
            for (int k = 0; k < n; k += 128) {{
              auto c = k + arange<128>();
              auto x = load(a + c, c < n);
              store(out + c, cast<float>(carried) + cast<float>(x), c < n);
              if (k % 256 == 0) carried = x;
            }}
            """,
            [{"n": n} for n in (512, 333, 1, 0)],
            warps=(1, 2, 4),
        )


def products():
    pairs = [("float8_e4m3", "float8_e4m3"), ("float8_e5m2", "float8_e5m2"), ("float8_e4m3", "float8_e5m2"), ("float8_e5m2", "float8_e4m3")]
    for a, b in pairs:
        for m, n, k in ((32, 32, 32), (16, 24, 8)):
            name = f"matmul_{SHORT[a]}_{SHORT[b]}_{m}x{n}"
            table.add(
                name,
                f"const {a}* a = small(M * K + 1)\nconst {b}* b = small(K * N + 1)\nfloat* c = out(M * N + 1)\n{a}* narrow = out(M * N + 1)\nint M\nint N\nint K",
                f"""
                auto [pm, pn] = grid(cdiv(M, {m}), cdiv(N, {n}));
                auto A = make_tensor_descriptor<{m}, {k}>(a, {{M, K}}, {{K, 1}});
                auto B = make_tensor_descriptor<{k}, {n}>(b, {{K, N}}, {{N, 1}});
                auto acc = zeros<float, {m}, {n}>();
                for (int k = 0; k < K; k += {k}) acc = dot(A.load({{pm * {m}, k}}), B.load({{k, pn * {n}}}), acc);
                make_tensor_descriptor<{m}, {n}>(c, {{M, N}}, {{N, 1}}).store({{pm * {m}, pn * {n}}}, acc);
                make_tensor_descriptor<{m}, {n}>(narrow, {{M, N}}, {{N, 1}}).store({{pm * {m}, pn * {n}}}, acc);
                """,
                [{"M": x, "N": y, "K": z} for x, y, z in ((64, 48, 64), (37, 50, 41), (1, 1, 1), (16, 16, 0), (3, 80, 16))],
                warps=warps_of(name, 3),
            )


def there_and_back():
    """A conversion to a wider type and back saturates: infinities and NaN do not come back as they were."""
    for t in FLOAT8:
        for wide in ("float", "float16"):
            name = f"there_and_back_{SHORT[t]}_{SHORT[wide]}"
            body = block(256) + f"auto x = bitcast<{t}>(cast<uint8_t>(i & 255));\nstore(o + i, cast<{t}>(cast<{wide}>(x)), m);\n"
            table.add(name, f"{t}* o = out(n)\nint n", body, ragged(256), warps=warps_of(name, 2))


for make in (widen, narrow, constants, moves, products, there_and_back):
    make()
