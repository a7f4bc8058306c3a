"""Accesses of one program overlap in memory, or do not: rows in blocks, planes, halves, steps of nested loops.

Beside each pattern are others that differ by one element, so that a missing barrier is a race or a wrong result.
"""

from case import Table

table = Table()
add = table.add
P = "const float* x = small(2048)\nfloat* o = zero(2048)\nint rows\nint n\nint s"
RUNS = [
    {"rows": rows, "n": n, "s": s}
    for rows, n, s in ((5, 96, 96), (4, 65, 64), (6, 40, 41), (3, 33, 7), (2, 7, 200), (1, 1, 1), (0, 64, 64), (3, 0, 5))
]
I = "grid(1);\nauto i = arange<32>();\n"


def walk(outer, inner, body):
    return I + f"for ({outer})\nfor ({inner}) {{\n{body}\n}}"


def rows_in_blocks():
    r, k = "int r = 0; r < rows; ++r", "int k = 0; k < n; k += 32"
    value = "load(x + (r * 7 + k) + i) + r"
    store = f"store(o + r * n + k + i, {value}, i < n - k);"
    patterns = {
        "plain": (r, k, store),
        "index": (r, k, f"auto j = k + i;\nstore(o + r * n + j, {value}, j < n);"),
        "row": (r, k, f"auto q = o + r * n;\nstore(q + k + i, {value}, k + i < n);"),
        "wide": (r, k, f"store(o + int64_t(r) * n + (k + i), {value}, i + k < n);"),
        "one_more": (r, k, f"store(o + r * n + k + i, {value}, i <= n - k);"),
        "no_mask": (r, k, f"store(o + r * n + k + i, {value});"),
        "other_stride": (r, k, f"store(o + r * s + k + i, {value}, i < n - k);"),
        "other_mask": (r, k, f"store(o + r * n + k + i, {value}, i < s - k);"),
        "close_steps": (r, "int k = 0; k < n; k += 31", store),
        "far_steps": (r, "int k = 0; k < n; k += 40", store),
        "steps_of_rows": (r, "int k = 0; k < n; k += 32 - r % 2", store),
        "from_row": (r, "int k = r; k < n; k += 32", store),
        "from_before": (r, "int k = -r; k < n; k += 32", f"store(o + 64 + r * n + k + i, load(x + r * 7 + i) + k, i < n - k);"),
        "down": (r, "int k = (n - 1) / 32 * 32; k >= 0; k -= 32", store),
        "down_rows": ("int r = rows - 1; r >= 0; --r", k, store),
        "blocks_first": (k, r, store),
        "two_rows": ("int r = 0; r < rows; r += 2", k, store),
        "half_rows": (r, k, f"store(o + r / 2 * n + k + i, {value}, i < n - k);"),
        "folded": (r, k, f"store(o + r % 2 * n + k + i, {value}, i < n - k);"),
        "same_row": (r, k, f"store(o + k + i, {value}, i < n - k);"),
        "turned": (r, k, f"store(o + r * n + k + (31 - i), {value}, 31 - i < n - k);"),
        "in_place": (r, k, "auto q = o + r * n + k + i;\nstore(q, load(q, i < n - k) * 2.0f + load(x + k + i), i < n - k);"),
        "in_place_same": (r, k, "auto q = o + k + i;\nstore(q, load(q, i < n - k) * 2.0f + load(x + k + i), i < n - k);"),
        "before": (r, k, "store(o + r * n + k + i + 1, load(o + r * n + k + i, i < n - k) + 1.0f, i < n - k);"),
        "row_before": (r, k, "store(o + (r + 1) * n + k + i, load(o + r * n + k + i, i < n - k) + 1.0f, i < n - k);"),
        "longer": (r, k, f"store(o + r * n + k + i, {value}, i < n - k);\nif (r > 1) k += 1;".replace("k += 1", "continue")),
        "left": (r, k, f"store(o + r * n + k + i, {value}, i < n - k);\nif (k > r * 32) break;"),
    }
    for name, (outer, inner, body) in patterns.items():
        add(f"blocks_{name}", P, walk(outer, inner, body), RUNS, warps=(1, 2, 4))
    unsigned = walk("unsigned r = 0; r < unsigned(rows); ++r", "unsigned k = 0; k < unsigned(n); k += 32",
                    "store(o + r * n + k + cast<unsigned>(i), load(x + i) + float(r), cast<unsigned>(i) < n - k);")
    add("blocks_unsigned", P, unsigned, RUNS, warps=(1, 4))
    for name, at in (("descriptor", "{r, k}"), ("descriptor_swapped", "{r, k / 2}"), ("descriptor_next", "{r + 1, k - 32}")):
        add(f"blocks_{name}", P, I + "auto X = make_tensor_descriptor<1, 32>(x, {rows, n}, {n, 1});\n"
            "auto O = make_tensor_descriptor<1, 32>(o, {rows, n}, {n, 1});\nfor (int r = 0; r < rows; ++r)\n"
            f"for (int k = 0; k < n; k += 32) O.store({at}, X.load({{r, k}}) + float(r));", RUNS, warps=(1, 2, 4))


def planes():
    p = "const float* x = small(4096)\nfloat* o = zero(4096)\nint D\nint H\nint W\nint s"
    runs = [
        {"D": d, "H": h, "W": w, "s": s}
        for d, h, w, s in ((4, 8, 32, 256), (3, 7, 31, 31), (5, 9, 33, 290), (2, 3, 5, 14), (3, 1, 1, 1), (0, 4, 4, 16), (2, 0, 4, 1))
    ]
    head = "auto [a, b] = grid(cdiv(H, 8), cdiv(W, 32));\nauto r = (a * 8 + arange<8>())[all, none];\nauto c = (b * 32 + arange<32>())[none, all];\n"
    one = "grid(1);\nauto r = arange<8>()[all, none];\nauto c = arange<32>()[none, all];\n"
    inside = "(r < H) & (c < W)"
    loop = "for (int z = 0; z < D; ++z) {\n"
    value = "load(x + r * 32 + c) + float(z)"
    patterns = {
        "plain": head + loop + f"store(o + (int64_t(z) * H + r) * W + c, {value}, {inside});\n}}",
        "size": head + f"auto plane = int64_t(H) * W;\nauto at = r * W + c;\n" + loop + f"store(o + z * plane + at, {value}, {inside});\n}}",
        "walking": head + "auto q = o + (r * W + c);\n" + loop + f"store(q, {value}, {inside});\nq += H * W;\n}}",
        "other_size": one + loop + f"store(o + z * s + r * W + c, {value}, {inside});\n}}",
        "no_rows": one + loop + f"store(o + z * H * W + r * W + c, {value}, c < W);\n}}",
        "in_place": head + loop + f"auto q = o + (z * H + r) * W + c;\nstore(q, load(q, {inside}) + {value}, {inside});\n}}",
        "plane_before": one + loop + f"auto q = o + (z * H + r) * W + c;\nstore(q + H * W, load(q, {inside}) + {value}, {inside});\n}}",
        "row_before": one + loop + f"auto q = o + (z * H + r) * W + c;\nstore(q + W, load(q, {inside}) + {value}, {inside});\n}}",
        "constant": one + loop + f"store(o + z * 256 + r * 32 + c, {value});\n}}",
        "constant_close": one + loop + f"store(o + z * 255 + r * 32 + c, {value});\n}}",
        "constant_rows": one + loop + f"store(o + z * 32 + r * 160 + c, {value});\n}}",
    }
    for name, body in patterns.items():
        add(f"planes_{name}", p, body, runs, warps=(1, 2, 4))
    add("planes_descriptor", p, "auto [a, b] = grid(cdiv(H, 8), cdiv(W, 32));\nauto O = make_tensor_descriptor<1, 8, 32>(o, {D, H, W}, {int64_t(H) * W, W, 1});\n"
        "for (int z = 0; z < D; ++z) O.store({z, a * 8, b * 32}, full<float, 1, 8, 32>(z + 1));", runs, warps=(1, 2, 4))


def halves():
    p = "const float* x = small(2048)\nfloat* o = zero(2048)\nint rows\nint d"
    runs = [{"rows": rows, "d": d} for rows, d in ((8, 64), (5, 62), (8, 34), (3, 33), (2, 2), (1, 1), (3, 0))]
    head = "auto r = grid(cdiv(rows, 8)) * 8 + arange<8>();\nauto i = arange<32>();\n"
    constant = head + "auto at = r[all, none] * 64 + i[none, all];\nauto m = (r < rows)[all, none];\nauto a = load(x + at, m), b = load(x + at + 32, m);\n"
    variable = head + "auto half = d / 2;\nauto at = (r * d)[all, none] + i[none, all];\nauto m = (r < rows)[all, none] & (i < half)[none, all];\n" \
        "auto a = load(x + at, m), b = load(x + at + half, m);\n"
    store = "store(o + at, a - b, m);\nstore(o + at + {by}, a + b, m);"
    for by in (31, 32, 33, 63, 64):
        # Of two stores the second counts.
        add(f"halves_by_{by}", p, constant + store.format(by=by), runs, warps=(1, 2, 4, 8))
    add("halves_of_size", p, variable + store.format(by="half"), runs, warps=(1, 2, 4, 8))
    add("halves_even", p, "require(d % 2 == 0);\n" + variable + store.format(by="half"), [run for run in runs if run["d"] % 2 == 0], warps=(1, 2, 4))
    add("halves_short", p, variable + store.format(by="half - 1"), [run for run in runs if run["d"] > 1], warps=(1, 2, 4))
    add("halves_rounded_up", p, variable + store.format(by="(d + 1) / 2"), runs, warps=(1, 2, 4))
    add("halves_quarter", p, variable + store.format(by="d / 4"), runs, warps=(1, 2, 4))
    add("halves_in_place", p, variable.replace("x + at", "o + at") + "a += load(x + at, m);\n" + store.format(by="half"), runs, warps=(1, 2, 4))
    add("halves_exchanged", p, head + "auto at = (r * 64)[all, none] + i[none, all];\nauto m = (r < rows)[all, none];\nstore(o + at, load(x + at, m), m);\n"
        "store(o + at + 32, load(x + at + 32, m), m);\nauto a = load(o + at, m), b = load(o + at + 32, m);\nstore(o + at, b, m);\nstore(o + at + 32, a, m);", runs, warps=(1, 2, 4))


def two_loops():
    k = "for (int k = 0; k < n; k += 32)"
    sums = I + f"auto acc = zeros<float, 32>();\n{k} acc += load(o + k + i, i < n - k) + load(x + k + i, i < n - k);\nauto total = sum(acc);\n"
    patterns = {
        "same": sums + f"{k} store(o + k + i, total + k, i < n - k);",
        "shifted": sums + f"{k} store(o + k + i + 1, total + k, i < n - k);",
        "twice": I + f"{k} store(o + k + i, load(x + k + i), i < n - k);\n{k} store(o + k + i, load(o + k + i, i < n - k) * 2.0f, i < n - k);",
        "twice_turned": I + f"{k} store(o + k + i, load(x + k + i), i < n - k);\n{k} store(o + k + i, load(o + k + (31 - i), 31 - i < n - k) * 2.0f, i < n - k);",
        "other_blocks": I + f"{k} store(o + k + i, load(x + k + i), i < n - k);\nfor (int k = 0; k < n; k += 16) store(o + k + i, load(o + k + i, i < n - k) * 2.0f, i < n - k);",
        "one_element": I + f"{k} store(o + k + i, load(x + k + i), i < n - k);\nfloat first = o[n / 2];\n{k} store(o + k + i, load(o + k + i, i < n - k) + first, i < n - k);",
        "read_before": I + f"float first = o[0] + x[3];\n{k} store(o + k + i, first + float(k), i < n - k);\nstore(o + 1024 + i, first);",
        "read_in_loop": I + f"{k} {{\nfloat first = o[k / 2];\nstore(o + k + i, first + load(x + k + i), i < n - k);\n}}",
        "read_in_outer": I + f"for (int r = 0; r < rows; ++r) {{\nfloat first = o[r];\n{k} store(o + k + i, first + load(x + k + i) + r, i < n - k);\n}}",
        "store_before": I + f"store(o + i + s % 8, load(x + i), i < n);\nfor (int r = 0; r < rows; ++r) store(o + 64 + r * 32 + i, load(o + i) + r);",
        "stored_in_branch": I + f"{k} {{\nif (k >= s) store(o + i, load(x + k + i));\n}}\nstore(o + 512 + i, load(o + (31 - i)));",
        "read_before_branch": I + f"float first = o[1];\n{k} {{\nif (k >= s) {{\nstore(o + i, load(x + k + i) + first);\nbreak;\n}}\n}}\nstore(o + 512 + i, load(o + (31 - i)));",
        "while": I + "float first = o[2];\nint k = 0;\nwhile (k < n) {\nstore(o + k + i, first + load(x + k + i), i < n - k);\nk += 32;\n}\nstore(o + 512 + i, load(o + (31 - i)));",
        "while_any": I + "auto v = load(x + i);\nfloat first = o[2];\nwhile (any(v > 0.0f)) {\nstore(o + i, v + first);\nv -= 1.0f;\n}\nstore(o + 512 + i, load(o + (31 - i)));",
        "three_deep": I + f"float first = o[2];\nfor (int r = 0; r < rows; ++r)\nfor (int t = 0; t < 2; ++t)\n{k} store(o + (r * 2 + t) * n + k + i, first + load(x + k + i), i < n - k);",
        "three_deep_meet": I + f"float first = o[2];\nfor (int r = 0; r < rows; ++r)\nfor (int t = 0; t < 2; ++t)\n{k} store(o + (r + t) * n + k + i, first + load(x + k + i) + t, i < n - k);",
        "sum_read_before": I + f"auto top = max(load(o + i));\nfor (int r = 0; r < rows; ++r) {{\nstore(o + r * 8 + i, load(x + i) + top);\ntop = max(load(o + i + 8));\n}}",
    }
    for name, body in patterns.items():
        add(f"loops_{name}", P, body, RUNS, warps=(1, 2, 4))
        if name in ("same", "one_element", "read_before", "read_in_outer", "while"):
            add(f"loops_{name}_may_alias", P, body, RUNS, warps=(2, 4), restrict=False)


def steps_at_once():
    head = "auto c = grid(cdiv(n, 32)) * 32 + arange<32>();\n"
    for name, at, by, count in (
        ("plain", "(t + s2) * n + c", 4, 4),
        ("row", "int64_t(t) * n + s2 * n + c", 4, 4),
        ("close", "(t + s2) * n + c", 3, 4),
        ("twice", "(t + s2 * 2) * n + c", 4, 4),
        ("far", "(t + s2) * n + c", 6, 4),
        ("back", "(t + 3 - s2) * n + c", 4, 4),
        ("halved", "(t + s2) / 2 * n + c", 4, 4),
    ):
        add(f"at_once_{name}", P, head + f"for (int t = 0; t < rows; t += {by})\nstatic_for<{count}>([&](auto step) {{\nconstexpr int s2 = step;\n"
            f"store(o + ({at}), load(x + t * 5 + c, c < n) + float(s2), c < n);\n}});", RUNS, warps=(1, 2, 4))
        add(f"at_once_{name}_unroll", P, head + f"for (auto t : range(rows, {{.unroll = 4}}))\n"
            f"for (int s2 = 0; s2 < 2; ++s2) store(o + ({at}), load(x + t * 5 + c, c < n) + float(s2), c < n);", RUNS, warps=(2, 4))


def items():
    for name, at, mask in (
        ("plain", "(r[all, none]) * n + c[none, all]", "(r < rows)[all, none] & (c < n)[none, all]"),
        ("transposed", "c[none, all] * rows + r[all, none]", "(r < rows)[all, none] & (c < n)[none, all]"),
        ("folded", "r[all, none] % 3 * n + c[none, all]", "(r < 3)[all, none] & (c < n)[none, all]"),
    ):
        add(f"items_of_{name}", P, "for (auto t : persistent_range(cdiv(rows, 4) * cdiv(n, 32))) {\nauto r = t / cdiv(n, 32) * 4 + arange<4>();\n"
            f"auto c = t % cdiv(n, 32) * 32 + arange<32>();\nstore(o + ({at}), load(x + t + c[none, all] + r[all, none]), {mask});\n}}",
            [run for run in RUNS if run["n"]], warps=(1, 2, 4))


for make in (rows_in_blocks, planes, halves, two_loops, steps_at_once, items):
    make()
