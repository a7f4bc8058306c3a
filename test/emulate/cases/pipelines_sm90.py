"""The code around wgmmas: control flow, other uses of operands, epilogues, chains, grids of programs."""

from case import Table
from products import MASKED, add_matmul

table = Table("--arch=sm_90a")
F16 = ("float16", "float", "float")
ARGUMENTS = "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\nfloat* c = out(M * N + 1)\nint M\nint N\nint K"
# Whole tiles, ragged in whole vectors, ragged, few, no step, none.
SIZES = ((64, 64, 128), (72, 40, 72), (130, 64, 200), (37, 50, 41), (1, 8, 16), (64, 8, 0), (0, 8, 8))
RUNS = [{"M": m, "N": n, "K": k} for m, n, k in SIZES]
HEAD = """
auto i = arange<64>();
auto j = arange<64>();
auto mask = (i[all, none] < M) & (j[none, all] < N);
"""
X = "load(a + i[all, none] * K + (k0 + arange<32>())[none, all], (i[all, none] < M) & ((k0 + arange<32>())[none, all] < K), 0)"
Y = "load(b + (k0 + arange<32>())[all, none] * N + j[none, all], ((k0 + arange<32>())[all, none] < K) & (j[none, all] < N), 0)"
PUT = "store(c + i[all, none] * N + j[none, all], acc, mask);"
# One program with the first tile of c.
ONE = [{"M": m, "N": n, "K": k} for m, n, k in ((64, 64, 128), (64, 48, 136), (64, 64, 32), (40, 64, 200), (61, 33, 70), (64, 64, 0))]


def add(name, body, warps=(4, 8), runs=ONE, stages=(3,), arguments=ARGUMENTS, head=HEAD, **more):
    for s in stages:
        table.add(f"hp_{name}_{s}", arguments, "grid(1);" + head + body, runs, warps=warps,
                  options=f", .num_stages = {s}", **more)


def loop(body, head="for (int k0 = 0; k0 < K; k0 += 32)"):
    return f"auto acc = zeros<float, 64, 64>();\n{head} {{\n{body}\n}}\n{PUT}"


def control():
    every = (1, 2, 3)
    dot = f"acc = dot({X}, {Y}, acc);"
    add("plain", loop(dot), stages=every)
    add("leaves", loop(f"if (k0 == 96) break;\n{dot}"), stages=every)
    add("leaves_late", loop(f"{dot}\nif (k0 == 64) break;"), stages=every)
    add("leaves_between", loop(f"auto x = {X};\nauto y = {Y};\nif (k0 == 64) break;\nacc = dot(x, y, acc);"), stages=every)
    add("continues", loop(f"if (k0 == 32) continue;\n{dot}"), stages=every)
    add("continues_between", loop(f"auto x = {X};\nauto y = {Y};\nif (k0 == 32) continue;\nacc = dot(x, y, acc);"), stages=every)
    add("continues_inside", loop(f"auto x = {X};\nif (M > 50) {{\nauto y = {Y};\nif (k0 == 32) continue;\nacc = dot(x, y, acc);\n}}"), stages=every)
    add("leaves_inside", loop(f"auto x = {X};\nif (M > 50) {{\nauto y = {Y};\nif (k0 == 96) break;\nacc = dot(x, y, acc);\n}} else acc += 1.0f;"), stages=every)
    add("returns", loop(f"if (k0 == 128) return;\n{dot}"), stages=every)
    add("returns_between", loop(f"auto x = {X};\nif (N == 48) {{\nif (k0 == 64) return;\nacc = dot(x, {Y}, acc);\n}}"), stages=every)
    add("under_if", loop(f"if (k0 != 32) {dot}"), stages=every)
    add("loop_under_if", "auto acc = zeros<float, 64, 64>();\nif (M > 50) {\nfor (int k0 = 0; k0 < K; k0 += 32) " + dot + "\n}\n" + PUT)
    add("either", "auto acc = zeros<float, 64, 64>();\nif (M > 50) {\nfor (int k0 = 0; k0 < K; k0 += 32) " + dot
        + "\n} else {\nfor (int k0 = 32; k0 < K; k0 += 32) " + dot + "\n}\n" + PUT)
    add("again", "auto acc = zeros<float, 64, 64>();\nfor (int r = 0; r < 3; ++r) {\nauto part = zeros<float, 64, 64>();\n"
        f"for (int k0 = 0; k0 < K; k0 += 32) part = dot({X}, {Y}, part);\nacc += part * (r + 1.0f);\n}}\n" + PUT, stages=every)
    add("again_leaves", "auto acc = zeros<float, 64, 64>();\nfor (int r = 0; r < 3; ++r) {\n"
        f"for (int k0 = 0; k0 < K; k0 += 32) {{\nif (k0 == 32 * r) break;\nacc = dot({X}, {Y}, acc);\n}}\n}}\n" + PUT)
    add("outer", f"auto acc = zeros<float, 64, 64>();\nfor (int r = 0; r < 2; ++r) {{\nint k0 = 32 * r;\nauto x = {X};\n"
        f"for (int s = 0; s < cdiv(K, 32); ++s) {{\nk0 = 32 * s;\nacc = dot(x, {Y}, acc);\n}}\n}}\n" + PUT, stages=every)
    add("outer_returns", f"auto acc = zeros<float, 64, 64>();\nfor (int r = 0; r < 2; ++r) {{\nint k0 = 32 * r;\nauto x = {X};\n"
        f"for (int s = 0; s < cdiv(K, 32); ++s) {{\nk0 = 32 * s;\nif (r == 1 & s == 2 & N == 48) return;\nacc = dot(x, {Y}, acc);\n}}\n}}\n" + PUT, stages=every)
    add("outer_leaves", f"auto acc = zeros<float, 64, 64>();\nfor (int r = 0; r < 2; ++r) {{\nint k0 = 32 * r;\nauto x = {X};\n"
        f"for (int s = 0; s < cdiv(K, 32); ++s) {{\nk0 = 32 * s;\nif (s == 2) break;\nacc = dot(x, {Y}, acc);\n}}\n}}\n" + PUT, stages=every)
    add("outer_alone", f"auto acc = zeros<float, 64, 64>();\nint k0 = 0;\nauto x = {X};\nauto y = {Y};\n"
        "for (int s = 0; s < cdiv(K, 32); ++s) acc = dot(x, y, acc);\n" + PUT)
    add("straight", f"int k0 = 0;\nauto acc = dot({X}, {Y});\nk0 = 32;\nacc = dot({X}, {Y}, acc);\n" + PUT)
    add("backwards", loop(dot, "for (int k0 = (cdiv(K, 32) - 1) * 32; k0 >= 0; k0 -= 32)"))
    add("while", "auto acc = zeros<float, 64, 64>();\nint k0 = 0;\nwhile (k0 < K) {\n" + dot + "\nk0 += 32;\n}\n" + PUT)
    add("while_true", "auto acc = zeros<float, 64, 64>();\nint k0 = 0;\nwhile (true) {\nif (k0 >= K) break;\n" + dot + "\nk0 += 32;\n}\n" + PUT)
    add("int64", loop(dot, "for (int64_t k0 = 0; k0 < K; k0 += 32)"))
    add("le", loop(dot, "for (int k0 = 0; k0 <= K - 1; k0 += 32)"))
    add("range", loop(dot, "for (int k0 : range(0, K, 32, {.num_stages = 4}))"))
    add("no_copiers", loop(dot, "for (int k0 : range(0, K, 32, {.num_stages = 3, .warp_specialize = false}))"))
    add("range_1", loop(dot, "for (int k0 : range(0, K, 32, {.num_stages = 1}))"))
    add("negative", loop(dot, "for (int k0 = -32; k0 < K; k0 += 32)").replace("K), 0)", "K) & ((k0 + arange<32>())[none, all] >= 0), 0)", 1)
        .replace("< K) & (j", "< K) & ((k0 + arange<32>())[all, none] >= 0) & (j", 1))
    add("half_step", loop(f"if (k0 % 64 == 0) {dot}"))


def uses():
    """Operands have other uses, are computed, or are not tensor boxes."""
    add("twice", loop(f"auto x = {X};\nauto y = {Y};\nacc = dot(x, y, acc);\nacc = dot(x, y * float16(2), acc);"))
    add("two", "auto other = zeros<float, 64, 64>();\n" + loop(f"auto x = {X};\nauto y = {Y};\nacc = dot(x, y, acc);\nother = dot(x, y, other);").replace(PUT, "acc = acc * 2.0f - other;\n" + PUT))
    # Blocks that begin before their array: copies bring zeros there too.
    described = """
        auto A = make_tensor_descriptor<64, 32>(a, {M, K}, {K, 1});
        auto B = make_tensor_descriptor<32, 64>(b, {K, N}, {N, 1});
        auto acc = zeros<float, 64, 64>();
        for (int k0 = 0; k0 < K + 64; k0 += 32) acc = dot(A.load({ROW, k0 - 16 * s}), B.load({k0 - 3 * s, COLUMN}), acc);
        """
    shifted = [{**r, "s": s} for r in ONE for s in (0, 1, 2, -1)]
    pm = "auto [pm, pn] = grid(cdiv(M, 64) + 1, cdiv(N, 64) + 1);\n"
    for stages in (2, 3):
        add("before", described.replace("ROW", "-s").replace("COLUMN", "-8 * s") + PUT, stages=(stages,), runs=shifted, arguments=ARGUMENTS + "\nint s")
        table.add(f"hp_before_programs_{stages}", ARGUMENTS.replace("c = out(M * N + 1)", "c = out((cdiv(M, 64) + 1) * (cdiv(N, 64) + 1) * 4096)") + "\nint s",
                  pm + described.replace("ROW", "pm * 64 - 10").replace("COLUMN", "pn * 64 - 24 * s")
                  + "auto i = arange<64>();\nstore(c + (pm * (cdiv(N, 64) + 1) + pn) * 4096 + i[all, none] * 64 + i[none, all], acc);",
                  shifted, warps=(4, 8), options=f", .num_stages = {stages}")
    # Bounds that are clamped to numbers of the tile's coordinates or others, and cut.
    bounds = (("below", "i < clamp(s, -1, 64)"), ("up_to", "i <= clamp(s, 0, 64)"), ("up_to_last", "i <= clamp(s, -1, 63)"), ("from", "i >= clamp(s, 0, 64)"),
              ("behind", "i > clamp(s, 0, 64)"), ("cut", "i < int(clamp(s * 4294967296L + s, 0L, 1099511627776L))"))
    for name, bound in bounds:
        add(f"clamped_{name}", loop(f"acc = dot({X.replace('i[all, none] < M', '(' + bound + ')[all, none]')}, {Y}, acc);"),
            arguments=ARGUMENTS.replace("(M * K + 1)", "(64 * K + 1)") + "\nint64_t s", runs=[{**ONE[1], "s": s} for s in (-7, 0, 5, 63, 64, 100)])
    # Several products in flight, of one operand or of different ones, in one or several rings.
    more = "auto other = zeros<float, 64, 64>();\n"
    put = "acc = acc * 2.0f - other;\n" + PUT
    both = ARGUMENTS.replace("(M * K + 1)", "((M + N) * K + 1)").replace("(K * N + 1)", "((M + N) * K + 1)")
    steps = "for (int s = 0; s < cdiv(K, 32); ++s)"
    for stages in (1, 2, 3):
        add("dual", more + loop(f"auto x = {X};\nacc += dot(x, {Y});\nother = dot(x, {Y.replace('load(b', 'load(a')}, other);").replace(PUT, put), stages=(stages,), arguments=both)
        add("dual_apart", more + loop(f"acc += dot({X}, {Y});\nother += dot({X.replace('load(a', 'load(b')}, {Y.replace('load(b', 'load(a')});").replace(PUT, put), stages=(stages,), arguments=both)
        add("dual_steps", more + loop(f"int k0 = s * 32;\nacc += dot({X}, {Y});\nother += dot(-{X}, {Y});", steps).replace(PUT, put), stages=(stages,))
        add("dual_required", more + loop(f"int k0 = s * 32;\nauto x = {X};\nauto y = {Y};\nacc += dot(x, y);\nother += dot(x, y);", steps).replace(PUT, put), stages=(stages,), head="require(K > 0);\n" + HEAD, runs=[r for r in ONE if r["K"] > 0])
        add("plus", loop(f"acc += dot({X}, {Y});"), stages=(stages,))
        add("plus_scaled", loop(f"acc = acc * 0.5f + dot({X}, {Y});"), stages=(stages,))
        add("plus_twice", loop(f"auto x = {X};\nauto y = {Y};\nacc += dot(x, y) + dot(x, y * float16(2));"), stages=(stages,))
        add("plus_used", more + loop(f"auto part = dot({X}, {Y});\nacc += part;\nother += part * 2.0f;").replace(PUT, put), stages=(stages,))
        add("plus_minus", loop(f"acc = acc - dot({X}, {Y});"), stages=(stages,))
    # Scales of blocks, loaded in parallel with the dot: of rows and iterations, of a block of columns and iterations.
    scales = ARGUMENTS + "\nconst float* rows = small((M + 1) * cdiv(K, 32) + 1)\nconst float* blocks = small(4 * cdiv(K, 32) + 1)"
    block = f"auto part = dot({X}, {Y});\nauto r = load(rows + i * cdiv(K, 32) + k0 / 32, i < M);\nauto s = load(blocks + j / 64 * cdiv(K, 32) + k0 / 32, j < N);\n"
    for stages in (1, 3):
        add("block_scales", loop(block + "acc += part * r[all, none] * s[none, all];"), stages=(stages,), arguments=scales)
        # Iterations that end between a dot and the use of its accumulator still release its stages.
        for name, ends in (("left", "k0 == 64) break;"), ("next", "k0 == 32) continue;"), ("returned", "k0 == 96 & M == 64) return;"), ("left_by_data", "sum(s) > 4) break;")):
            add("block_scales_" + name, loop(f"{block}if ({ends}\nacc += part * r[all, none] * s[none, all];"), stages=(stages,), arguments=scales)
    # Numbers that all threads find together, one element or several of each: the warp that copies does not take part.
    for size in (64, 128, 256, 512):
        line = f"auto line = load(lines + arange<{size}>() + k0 % 64);\n"
        for name, found in (("sum", "sum(line)"), ("any", "float(any(line > 7.0f))"), ("own", "reduce<0>(line, [](auto x, auto y) { return x > y ? x : y; })"),
                            ("index", "float(argmax<0>(line))"), ("scan", "max(cumsum<0>(line))")):
            add(f"together_{name}_{size}", "auto total = 0.0f;\n" + loop(f"{line}acc = dot({X}, {Y}, acc);\ntotal += {found};").replace(PUT, "acc = acc + total;\n" + PUT),
                arguments=ARGUMENTS + "\nconst float* lines = small(640)", runs=ONE[:3])
    add("used", "auto sums = zeros<float, 64>();\n" + loop(f"auto x = {X};\nsums += sum<1>(x);\nacc = dot(x, {Y}, acc);").replace(PUT, "acc = acc + sums[all, none];\n" + PUT))
    add("computed", loop(f"acc = dot({X} + float16(1), -{Y}, acc);"))
    add("one_computed", loop(f"acc = dot({X}, -{Y}, acc);"), stages=(1, 3))
    # Weights of 8 bits, converted in whole vectors on the way.
    for w in ("int8_t", "uint8_t"):
        for f in ("float16", "bfloat16"):
            small = ARGUMENTS.replace("const float16* b", f"const {w}* b").replace("const float16* a", f"const {f}* a")
            add(f"weights_{w}_{f}", loop(f"acc = dot({X}, cast<{f}>({Y}), acc);"), arguments=small)
            add(f"weights_shifted_{w}_{f}", loop(f"acc = dot({X}, (cast<{f}>({Y}) - {f}(3)) * {f}(0.5f), acc);"), arguments=small)
    add("scaled", loop(f"acc = acc * 0.5f;\nacc = dot({X}, {Y}, acc);"))
    add("reduced", loop(f"acc = dot({X}, {Y}, acc);\nacc = acc - max<1>(acc, keep_dims) * 0.5f;"), stages=(1, 3))
    add("reduced_columns", loop(f"acc = dot({X}, {Y}, acc);\nacc = acc - max<0>(acc, keep_dims) * 0.5f;"), stages=(1, 3))
    add("reduced_before", loop(f"auto y = {Y};\nauto t = y * float16(2);\nfloat s = sum(cast<float>(full<int, 64>(k0)) + 0.0f);\nacc = dot({X}, t, acc) + max<0>(acc, keep_dims) * 0.25f + s * 0.0f;"))
    add("not_zero", loop(f"acc = dot({X}, {Y}, acc);").replace("< K), 0)", "< K), 1)", 1))
    add("not_box", loop(f"acc = dot({X}, {Y}, acc);").replace("(i[all, none] < M)", "(i[all, none] < M) & (i[all, none] != 3)"))
    add("diagonal", loop(f"acc = dot({X}, {Y}, acc);").replace("(i[all, none] < M)", "(i[all, none] < M) & (i[all, none] + (k0 + arange<32>())[none, all] < 90)", 1))
    add("gathered", loop(f"acc = dot({X}, {Y}, acc);").replace("a + i[all, none] * K", "a + (63 - i)[all, none] % M * K", 1), runs=ONE[:3])
    add("bounds_above", loop(f"acc = dot({X}, {Y}, acc);").replace("[none, all] < K)", "[none, all] < K - 8)").replace("[all, none] < K)", "[all, none] < K - 8)"))
    add("le_bound", loop(f"acc = dot({X}, {Y}, acc);").replace("[none, all] < K)", "[none, all] <= K - 1)").replace("(i[all, none] < M)", "(M > i[all, none])"))
    add("carried", """
        auto acc = zeros<float, 64, 64>();
        auto k = arange<32>();
        auto p = a + i[all, none] * K + k[none, all];
        auto q = b + k[all, none] * N + j[none, all];
        for (int k0 = 0; k0 < K; k0 += 32) {
          acc = dot(load(p, (i[all, none] < M) & (k[none, all] < K), 0), load(q, (k[all, none] < K) & (j[none, all] < N), 0), acc);
          p += 32;
          q += 32 * N;
          k += 32;
        }
        """ + PUT)
    add("carried_pointers", """
        auto acc = zeros<float, 64, 64>();
        auto k = arange<32>();
        auto p = a + i[all, none] * K + k[none, all];
        auto q = b + k[all, none] * N + j[none, all];
        for (int k0 = 0; k0 < K; k0 += 32) {
          acc = dot(load(p, (i[all, none] < M) & (k[none, all] < K - k0), 0), load(q, (k[all, none] < K - k0) & (j[none, all] < N), 0), acc);
          p += 32;
          q += 32 * N;
        }
        """ + PUT, stages=(1, 2, 3))
    add("chased", f"""
        auto acc = zeros<float, 64, 64>();
        int k1 = 0;
        for (int r = 0; r < cdiv(K, 32); ++r) {{
          int k0 = k1;
          acc = dot({X}, {Y}, acc);
          k1 = k1 + 32;
        }}
        acc = acc + cast<float>(full<int, 64, 64>(k1));
        """ + PUT)
    add("chain", f"""
        auto acc = zeros<float, 64, 64>();
        auto w = load(a + i[all, none] * K + arange<32>()[none, all], (i[all, none] < M) & (arange<32>()[none, all] < K), 0);
        for (int k0 = 0; k0 < K; k0 += 32) {{
          auto p = dot(w, {Y});
          auto q = cast<float16>(where(p > 2.0f, 1.0f, 0.0f));
          acc = dot(q, trans(q), acc);
        }}
        """ + PUT, stages=(1, 3))
    add("registers", f"""
        auto acc = zeros<float, 64, 64>();
        int k0 = 0;
        auto w = cast<float16>(where(dot({X}, {Y}) > 0.0f, 1.0f, 2.0f));
        for (int s = 0; s < cdiv(N, 8); ++s) {{
          auto y = load(b + arange<64>()[all, none] * N + (j + 8 * s)[none, all], (arange<64>()[all, none] < K) & ((j + 8 * s)[none, all] < N), 0);
          acc = dot(w, y, acc);
        }}
        """ + PUT, stages=(1, 2, 3))
    add("in_place_out", f"""
        auto acc = zeros<float, 64, 64>();
        for (int k0 = 0; k0 < K; k0 += 32) {{
          acc = dot({X}, {Y}, acc);
          store(c + i[all, none] * N + j[none, all], acc, mask);
        }}""")
    add("read_back", loop(f"acc = dot({X}, {Y}, acc);") + "\ndebug_barrier();\nauto back = load(c + i[all, none] * N + j[none, all], mask, 0);\nstore(c + i[all, none] * N + j[none, all], back + 1, mask);")
    add("stored_twice", loop(f"acc = dot({X}, {Y}, acc);") + "\nstore(c + i[all, none] * N + j[none, all], acc * 2.0f, mask & (acc > 5.0f));")


def epilogues():
    """Only the consumer warps do block-wide work: reductions, scans, sorts, atomics, checks."""
    dot = loop(f"acc = dot({X}, {Y}, acc);").replace(PUT, "")
    for name, body in {
        "row_max": f"acc = acc - max<1>(acc, keep_dims);\n{PUT}",
        "column_sum": f"acc = acc - sum<0>(acc, keep_dims);\n{PUT}",
        "all_sum": f"acc = acc + sum(acc);\n{PUT}",
        "scanned": f"acc = cumsum<1>(acc);\n{PUT}",
        "scanned_rows": f"acc = cumsum<0>(acc);\n{PUT}",
        "transposed": "store(c + j[all, none] + i[none, all] * N, trans(acc), trans(mask));",
        "barrier": f"debug_barrier();\n{PUT}",
        "asserted": f"device_assert(acc < 100000.0f, \"small\");\n{PUT}",
        "bias": f"acc = acc + load(b + j, j < N & K > 0, 0)[none, all];\n{PUT}",
        "residual": f"acc = acc + load(a + i[all, none] * K + j[none, all], mask & (j[none, all] < K), 0);\n{PUT}",
        "relu": f"acc = maximum(acc, 0.0f);\n{PUT}",
        "atomic_scalar": f"float s = sum(where(mask, acc, 0.0f));\natomic_add(c + M * N, s);\n{PUT}",
        "atomic_tile": "atomic_add(c + i[all, none] * N + j[none, all], acc, mask);",
        "atomic_old": "auto old = atomic_add(c + i[all, none] * N + j[none, all], acc, mask);\n"
        "store(c + i[all, none] * N + j[none, all], acc * 2.0f, mask & (old > 3.0f));",
    }.items():
        arguments = ARGUMENTS.replace("out(M", "zero(M") if "atomic" in name else ARGUMENTS
        add(f"after_{name}", dot + body, arguments=arguments)
        if "atomic" not in name and name not in ("bias", "residual"):
            # Sums stay so small that floats hold them.
            clamp = "acc = minimum(maximum(acc, -64.0f), 64.0f);\n"
            add(f"in_loop_{name}", loop(f"acc = dot({X}, {Y}, acc);\n{clamp}{body.replace(PUT, '')}{clamp}"))


def programs():
    """Grids of programs are persistent or swizzled, or count batches, parts of k, or rows that are loaded from memory."""
    def matmul(name, tiles=(64, 64, 32), runs=RUNS, warps=(4, 8), **more):
        add_matmul(table, f"hp_{name}", F16, tiles, runs, warps=warps, **more)

    matmul("persistent", options=", .persistent = true")
    matmul("persistent_stages_2", options=", .num_stages = 2, .persistent = true", store="acc - max<0>(acc, keep_dims)")
    matmul("persistent_row", options=", .persistent = true", store="acc - max<1>(acc, keep_dims)")
    matmul("persistent_sum", options=", .persistent = true", store="acc + sum(acc)")
    matmul("persistent_return", options=", .persistent = true", head="if (pm == 1) return;")
    matmul("persistent_skip", options=", .persistent = true", body="if (k0 == 64) break;")
    matmul("early_return", head="if (pm == 1) return;")
    table.add(
        "hp_persistent_range",
        ARGUMENTS,
        f"""
        auto i = arange<64>();
        auto j = arange<64>();
        for (auto p : persistent_range(cdiv(M, 64))) {{
          if (p == 1) continue;
          auto rows = p * 64 + i;
          auto acc = zeros<float, 64, 64>();
          for (int k0 = 0; k0 < K; k0 += 32) acc = dot({X.replace("i[all", "rows[all")}, {Y}, acc);
          store(c + rows[all, none] * N + j[none, all], acc, (rows[all, none] < M) & (j[none, all] < N));
        }}""",
        [*RUNS, {"M": 500, "N": 16, "K": 40}],
        warps=(4, 8),
    )
    table.add(
        "hp_swizzled",
        ARGUMENTS,
        f"""
        auto id = grid(cdiv(M, 64) * cdiv(N, 64));
        auto [pm, pn] = swizzle2d(id, cdiv(M, 64), cdiv(N, 64), 2);
        auto i = pm * 64 + arange<64>();
        auto j = pn * 64 + arange<64>();
        auto acc = zeros<float, 64, 64>();
        for (int k0 = 0; k0 < K; k0 += 32) acc = dot({X}, {Y}, acc);
        store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
        """,
        [*RUNS, {"M": 200, "N": 136, "K": 40}],
        warps=(4, 8),
    )
    table.add(
        "hp_batched",
        "const float16* a = small(B * M * K + 1)\nconst float16* b = small(B * K * N + 1)\nfloat* c = out(B * M * N + 1)\nint B\nint M\nint N\nint K",
        f"""
        auto [pm, pn, batch] = grid(cdiv(M, 64), cdiv(N, 64), B);
        auto i = pm * 64 + arange<64>();
        auto j = pn * 64 + arange<64>();
        auto p = a + batch * M * K;
        auto q = b + batch * (int64_t(K) * N);
        auto acc = zeros<float, 64, 64>();
        for (int k0 = 0; k0 < K; k0 += 32) acc = dot({X.replace("a +", "p +")}, {Y.replace("b +", "q +")}, acc);
        store(c + batch * M * N + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
        """,
        [{"B": 1 + at % 3, **run} for at, run in enumerate(RUNS)],
        warps=(4, 8),
    )
    table.add(
        "hp_split_k",
        ARGUMENTS.replace("out(M", "zero(M") + "\nint splits",
        f"""
        auto [pm, pn, part] = grid(cdiv(M, 64), cdiv(N, 64), splits);
        auto i = pm * 64 + arange<64>();
        auto j = pn * 64 + arange<64>();
        auto acc = zeros<float, 64, 64>();
        for (int64_t k0 = part * 32; k0 < K; k0 += 32 * splits) acc = dot({X}, {Y}, acc);
        atomic_add(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
        """,
        [{**run, "splits": 1 + at % 3} for at, run in enumerate(RUNS)],
        warps=(4, 8),
    )
    table.add(
        "hp_grouped",
        "const float16* a = small(rows * K + 1)\nconst float16* b = small(groups * K * N + 1)\nfloat* c = out(rows * N + 1)\n"
        "const int* starts = starts(groups + 1, rows)\nint rows\nint groups\nint N\nint K",
        """
        auto [group, pn] = grid(groups, cdiv(N, 64));
        int first = load(starts + group);
        int last = load(starts + group + 1);
        auto j = pn * 64 + arange<64>();
        for (int row = first; row < last; row += 64) {
          auto i = row + arange<64>();
          auto acc = zeros<float, 64, 64>();
          for (int k0 = 0; k0 < K; k0 += 32) {
            auto k = k0 + arange<32>();
            auto x = load(a + i[all, none] * K + k[none, all], (i[all, none] < last) & (k[none, all] < K), 0);
            auto y = load(b + group * K * N + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0);
            acc = dot(x, y, acc);
          }
          store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < last) & (j[none, all] < N));
        }
        """,
        [{"rows": r, "groups": g, "N": n, "K": k} for r, g, n, k in ((150, 4, 40, 48), (61, 5, 33, 50), (5, 9, 8, 16), (0, 3, 8, 8), (20, 3, 24, 0))],
        warps=(4, 8),
    )


def descriptors():
    for name, order, store in (("nn", "nn", "float"), ("nt", "nt", "float"), ("tn", "tn", "float"), ("half", "nn", "float16"), ("shifted", "nn", "float")):
        s = "s" if name == "shifted" else "0"
        first = "A.load({pm * 64 - S, k})" if order[0] == "n" else "trans(A.load({k, pm * 64 - S}))"
        second = "B.load({k, pn * 64 - S})" if order[1] == "n" else "trans(B.load({pn * 64 - S, k}))"
        shape = {"A": ("64, 32", "M, K") if order[0] == "n" else ("32, 64", "K, M"), "B": ("32, 64", "K, N") if order[1] == "n" else ("64, 32", "N, K")}
        made = "".join(
            f"auto {at} = make_tensor_descriptor<{shape[at][0]}>({at.lower()}, {{{shape[at][1]}}}, {{{shape[at][1].split(', ')[1]} + 8, 1}});\n"
            for at in "AB"
        )
        table.add(
            f"hp_descriptor_{name}",
            f"const float16* a = small((M + K) * (M + K + 8) + 1)\nconst float16* b = small((K + N) * (K + N + 8) + 1)\n{store}* c = out(M * (N + 8) + 1)\nint M\nint N\nint K\nint s",
            f"""
auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 64));
{made}auto C = make_tensor_descriptor<64, 64>(c, {{M, N}}, {{N + 8, 1}});
auto acc = zeros<float, 64, 64>();
for (int k = 0; k < K; k += 32) acc = dot({first}, {second}, acc);
C.store({{pm * 64 - S, pn * 64 - S}}, acc);
""".replace(" - S", " - s" if s == "s" else ""),
            [{**run, "s": at % 3} for at, run in enumerate(RUNS)],
            warps=(4, 8),
        )


def heads_between():
    """Rows hold several heads: a block has one element of that dimension, whose stride is constant; some have no head or part of a row."""
    for name, width, columns in (("whole", 64, 64), ("part", 96, 64), ("two", 128, 128)):
        table.add(
            f"hp_heads_{name}",
            f"const float16* a = small(rows * heads * {width} + 8)\nconst float16* b = small(rows * heads * {width} + 8)\nfloat* c = out(rows * rows * (heads + 1))\nint rows\nint heads",
            f"""
auto [i, head] = grid(cdiv(rows, 64), heads + 1);
auto A = make_tensor_descriptor<64, 1, {columns}>(a, {{rows, heads, {width}}}, {{heads * int64_t({width}), {width}, 1}});
auto B = make_tensor_descriptor<64, 1, {columns}>(b, {{rows, heads, {width}}}, {{heads * int64_t({width}), {width}, 1}});
auto x = reshape<64, {columns}>(A.load({{i * 64, head, {width - columns}}}));
auto r = arange<64>();
for (int j = 0; j < rows; j += 64) {{
  auto product = dot(x, trans(reshape<64, {columns}>(B.load({{j, head, 0}}))));
  auto at = (head * rows + i * 64 + r)[all, none] * rows + (j + r)[none, all];
  store(c + at, product, (i * 64 + r < rows)[all, none] & (j + r < rows)[none, all]);
}}
""",
            [{"rows": n, "heads": h} for n, h in ((64, 1), (100, 3), (136, 2), (8, 5))],
            warps=(4, 8),
        )


def computed():
    """Threads compute operands from tiles loaded by TMA, in parallel with wgmmas in flight."""
    def arguments(a="float16", b="int8_t", more=""):
        return ARGUMENTS.replace("const float16* a", f"const {a}* a").replace("const float16* b", f"const {b}* b") + more

    w = f"cast<float16>({Y})"
    dot = f"acc = dot({X}, {w}, acc);"
    small = arguments()
    for stages in (1, 2, 3, 4):
        options = {"stages": (stages,)}
        add("made_b", loop(dot), arguments=small, runs=[{**r, "N": -(-r["N"] // 16) * 16} for r in ONE], **options)
        add("made_a", loop(f"acc = dot(cast<float16>({X}), {Y}, acc);"), arguments=arguments("int8_t", "float16"), runs=[{**r, "K": -(-r["K"] // 16) * 16} for r in ONE], **options)
        add("made_both", loop(f"acc = dot(cast<float16>({X}), cast<float16>({Y}), acc);"), arguments=arguments("float", "float"), **options)
        add("made_tf32", loop(f"acc = dot(-{X}, {Y} * 0.5f, acc);"), arguments=arguments("float", "float"), **options)
        add("made_shared", "auto other = zeros<float, 64, 64>();\n" + loop(f"auto y = {w};\nacc = dot({X}, y, acc);\nother = dot({X} * float16(2), y, other);").replace(PUT, "acc = other - acc;\n" + PUT), arguments=small, **options)
        add("made_scaled", loop(f"auto s = load(scales + k0 / 32 * N + j, j < N);\nacc = dot({X}, cast<float16>(cast<float>({Y}) * s[none, all]), acc);"), arguments=arguments(more="\nconst float* scales = small(cdiv(K, 32) * N + 1)"), **options)
        add("made_used", "auto sums = zeros<float, 64>();\n" + loop(f"auto y = {Y};\nsums += sum<0>(cast<float>(y));\nacc = dot({X}, cast<float16>(y), acc);").replace(PUT, "acc = acc + sums[none, all];\n" + PUT), arguments=small, **options)
        add("made_and_read", "auto sums = zeros<float, 64>();\n" + loop(f"auto x = {X};\nauto y = {Y};\nacc = dot(x, y, acc);\nacc = dot(-x, y + float16(1), acc);\nsums += sum<1>(cast<float>(x));").replace(PUT, "acc = acc + sums[all, none];\n" + PUT), **options)
        for name, end in (("left", "k0 == 64) break;"), ("next", "k0 == 32) continue;"), ("returned", "k0 == 96 & M == 64) return;")):
            add("made_" + name, loop(f"auto y = {w};\nif ({end}\nacc = dot({X}, y, acc);"), arguments=small, **options)
        add("made_under_if", loop(f"if (k0 != 32) {dot}"), arguments=small, **options)
        add("made_scaled_sums", loop(f"acc += dot({X}, {w}) * 0.5f;"), arguments=small, **options)
        add("made_twice", "auto acc = zeros<float, 64, 64>();\nfor (int r = 0; r < 3; ++r) {\nauto part = zeros<float, 64, 64>();\n"
            f"for (int k0 = 0; k0 < K; k0 += 32) part = dot({X}, {w}, part);\nacc += part * (r + 1.0f);\n}}\n" + PUT, arguments=small, **options)
        for element, value in (("bool", "where({}, float16(1), float16(-1))"), ("int16_t", "cast<float16>({})"), ("uint32_t", "cast<float16>({} % 8u)"), ("int64_t", "cast<float16>({})"), ("double", "cast<float16>({})"), ("bfloat16", "cast<float16>({})"), ("float8_e5m2", "cast<float16>({})")):
            add("made_of_" + element, loop(f"acc = dot({X}, {value.format(Y)}, acc);"), arguments=arguments("float16", element), stages=(stages,))
        # Layout conversions through shared memory in the iteration, in parallel with the wgmmas in flight.
        half = "load(b + (k0 / 2 + arange<16>())[all, none] * N + j[none, all], ((k0 / 2 + arange<16>())[all, none] < K / 2) & (j[none, all] < N), 0)"
        nibbles = f"auto packed = {half};\nauto low = cast<float16>(packed & 15);\nauto high = cast<float16>(packed >> 4);\n"
        joined = "reshape<32, 64>(permute<0, 2, 1>(join(low, high)))"
        for name, unpacked in (("joined", joined), ("cat", "cat<0>(low, high)")):
            add("made_" + name, loop(f"{nibbles}acc = dot({X}, {unpacked}, acc);"), arguments=arguments("float16", "uint8_t"), **options)
        packed = "load(b + j[all, none] * (K / 2) + (k0 / 2 + arange<16>())[none, all], (j[all, none] < N) & ((k0 / 2 + arange<16>())[none, all] < K / 2), 0)"
        add("made_packed", loop(f"auto packed = {packed};\nacc = dot({X}, trans(interleave(cast<float16>(packed & 15), cast<float16>(packed >> 4) - float16(8))), acc);"), arguments=arguments("float16", "uint8_t"),
            runs=[*ONE, *({"M": m, "N": n, "K": k} for m, n, k in ((64, 64, 128), (40, 64, 96), (64, 16, 160), (61, 48, 32)))], **options)
        add("made_joined_and_cat", "auto other = zeros<float, 64, 64>();\n" + loop(f"{nibbles}auto x = {X};\nacc = dot(x, {joined}, acc);\nother += dot(x, cat<0>(low, high));").replace(PUT, "acc = acc + other * 0.5f;\n" + PUT), arguments=arguments("float16", "uint8_t"), **options)
        # A tile with padding in its layout that is an operand as it is.
        table.add(
            f"hp_made_padded_{stages}", ARGUMENTS,
            """
            grid(1);
            auto i = arange<64>();
            auto j = arange<80>();
            auto acc = zeros<float, 64, 80>();
            auto tops = full<float, 80>(-8.0f);
            for (int k0 = 0; k0 < K; k0 += 16) {
              auto k = k0 + arange<16>();
              auto y = load(b + k[all, none] * N + j[none, all], (k < K)[all, none] & (j < N)[none, all], 0);
              tops = maximum(tops, max<0>(cast<float>(y)));
              acc = dot(load(a + i[all, none] * K + k[none, all], (i < M)[all, none] & (k < K)[none, all], 0), y, acc);
            }
            store(c + i[all, none] * N + j[none, all], acc + tops[none, all], (i < M)[all, none] & (j < N)[none, all]);
            """,
            ONE, warps=(4, 8), options=f", .num_stages = {stages}",
        )
        # Every program has several tiles: the ring goes on from one to the next.
        table.add(
            f"hp_made_programs_{stages}", small,
            f"""
            for (auto tile : persistent_range(cdiv(M, 64) * cdiv(N, 64))) {{
              auto i = tile / cdiv(N, 64) * 64 + arange<64>();
              auto j = tile % cdiv(N, 64) * 64 + arange<64>();
              auto acc = zeros<float, 64, 64>();
              for (int k0 = 0; k0 < K; k0 += 32) acc = dot({X}, {w}, acc);
              store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
            }}
            """,
            RUNS, warps=(4, 8, 12), options=f", .num_stages = {stages}",
        )


# A step of keys.
STEPS = """
for (int64_t first = 0; first < last; first += 64) {
  auto j = first + arange<64>();
  auto block_k = load(k + j[all, none] * DIMS + dims[none, all], j[all, none] < keys, 0);
  auto scores = dot(queries, trans(block_k)) * 0.125f;
  scores = where(SEEN, scores, -inf);
  auto new_top = maximum(top, max<1>(scores));
  auto p = exp(scores - new_top[all, none]);
  auto alpha = exp(top - new_top);
  total = total * alpha + sum<1>(p);
  acc = acc * alpha[all, none];
  auto block_v = load(v + j[all, none] * DIMS + dims[none, all], j[all, none] < keys, 0);
  acc = dot(cast<float16>(p), block_v, acc);
  top = new_top;
}
"""
BYTES = "bytes"
CROWDED = "{}\n"  # with too few registers for two steps
EITHER = "if (keys > 50) {\n{}\n} else {\n{}\n}"


def attention():
    """softmax(q k^T) v over blocks of keys; in both branches of a condition, one loop after the other."""
    for d, rows, causal, warps, form in ((64, 64, 0, (4, 8), "{}"), (64, 128, 1, (8,), "{}"), (128, 64, 1, (4,), "{}"), (80, 64, 0, (4,), "{}"), (96, 64, 1, (4, 8), "{}"), (192, 64, 0, (4,), "{}"), (32, 192, 1, (12,), "{}"), (64, 64, 1, (4,), EITHER), (64, 64, 0, (4,), "{}" * 2), (64, 128, 1, (8,), BYTES), (64, 64, 1, (4,), CROWDED)):
        for s in (1, 2, 3)[: 2 if d == 192 else 3]:
            last = f"minimum(keys, (block + 1) * {rows})" if causal else "keys"
            seen = "(j[none, all] < keys) & (j[none, all] <= i[all, none])" if causal else "j[none, all] < keys"
            steps = form.replace("{}", STEPS.replace("DIMS", str(d)).replace("SEEN", seen))
            small = form == BYTES
            if small:
                steps = STEPS.replace("DIMS", str(d)).replace("SEEN", seen).replace("trans(block_k)", "trans(cast<float16>(block_k))").replace(", block_v,", ", cast<float16>(block_v),")
            table.add(
                f"hp_attention_{d}_{rows}_{s}" + {"{}": "", EITHER: "_either", BYTES: "_bytes", CROWDED: "_crowded"}.get(form, "_twice"),
                f"const float16* q = small(rows * {d} + 1)\nconst float16* k = small(keys * {d} + 1)\nconst float16* v = small(keys * {d} + 1)\n".replace("float16* k", "int8_t* k" if small else "float16* k").replace("float16* v", "int8_t* v" if small else "float16* v") +
                f"float* out = out(rows * {d} + 1, 2e-3, 1e-2)\nint rows\nint keys",
                f"""
                auto block = grid(cdiv(rows, {rows}));
                auto i = block * {rows} + arange<{rows}>();
                auto dims = arange<{d}>();
                auto queries = load(q + i[all, none] * {d} + dims[none, all], i[all, none] < rows, 0);
                auto top = full<float, {rows}>(-inf);
                auto total = zeros<float, {rows}>();
                auto acc = zeros<float, {rows}, {d}>();
                auto last = {last};
                {steps}
                store(out + i[all, none] * {d} + dims[none, all], acc / total[all, none], i[all, none] < rows);
                """,
                [{"rows": r, "keys": n} for r, n in ((64, 64), (150, 200), (70, 33), (1, 1), (0, 8))],
                warps=warps,
                options=f", .num_stages = {s}" + ", .min_blocks = 4" * (form == CROWDED),
            )


# The rest of a step of attention, from its scores on: with a maximum that always moves, and with one that seldom does.
MOVES = """
              auto new_top = maximum(top, max<1>(scores));
              auto weights = exp2(scores - new_top[all, none]);
              auto rescale = exp2(top - new_top);
              total = total * rescale + sum<1>(weights);
              acc = dot(cast<float16>(weights), block_v, acc * rescale[all, none]);
              top = new_top;"""
SELDOM_MOVES = """
              auto block_top = max<1>(scores);
              auto moves = block_top > top + 4.0f;
              auto new_top = where(moves, block_top, top);
              auto rescale = exp2(top - new_top);
              total = where(moves, total * rescale, total);
              auto weights = exp2(scores - new_top[all, none]);
              total += sum<1>(weights);
              auto rescaled = where(moves[all, none], acc * rescale[all, none], acc);
              acc = dot(cast<float16>(weights), block_v, rescaled);
              top = new_top;"""


def unknown_lengths():
    """Attention over sequences whose lengths are loaded from memory: a loop may have no iteration."""
    loops = {
        "plain": ("int64_t(0)", "length", MOVES),
        "guarded": ("int64_t(0)", "length", SELDOM_MOVES),
        "window": ("maximum(block * ROWS - 40, int64_t(0)) / 32 * 32", "minimum((block + 1) * ROWS, length)", MOVES),
        "window_guarded": ("maximum(block * ROWS - 40, int64_t(0)) / 32 * 32", "minimum((block + 1) * ROWS, length)", SELDOM_MOVES),
        "twice": ("int64_t(0)", "length - 40", MOVES),
    }
    for name, (first, last, step) in loops.items():
        for warps in ((4,), (8,)):
            rows = 16 * warps[0]
            loop = f"""
            for (int64_t start = FIRST; start < {last.replace("ROWS", str(rows))}; start += 32) {{
              auto j = start + arange<32>();
              auto block_k = K.load({{begin + start, 0}});
              auto block_v = V.load({{begin + start, 0}});
              auto scores = dot(queries, trans(block_k)) * 0.0625f;
              scores = where((j < length)[none, all], scores, -1e30f);{step}
            }}"""
            first_here = first.replace("ROWS", str(rows))
            both = loop.replace("FIRST", first_here)
            if name == "twice":
                both += loop.replace("FIRST", "maximum(length - 40, int64_t(0))").replace(last, "length")
            table.add(
                f"hp_lengths_{name}_{warps[0]}",
                "const float16* q = small(total_rows * 64 + 64)\nconst float16* k = small(total_rows * 64 + 64)\nconst float16* v = small(total_rows * 64 + 64)\n"
                f"const int* starts = starts(sequences + 1, total_rows)\nfloat* out = out(sequences * longest * 64 + 1, 2e-3, 1e-2)\nint sequences\nint longest\nint total_rows",
                f"""
                auto [block, s] = grid(cdiv(longest, {rows}), sequences);
                int64_t begin = starts[s], length = starts[s + 1] - begin;
                auto i = block * {rows} + arange<{rows}>();
                auto dims = arange<64>();
                auto Q = make_tensor_descriptor<{rows}, 64>(q, {{total_rows, 64}}, {{64, 1}});
                auto K = make_tensor_descriptor<32, 64>(k, {{total_rows, 64}}, {{64, 1}});
                auto V = make_tensor_descriptor<32, 64>(v, {{total_rows, 64}}, {{64, 1}});
                auto queries = Q.load({{begin + block * {rows}, 0}});
                auto top = full<float, {rows}>(-1e30f);
                auto total = zeros<float, {rows}>();
                auto acc = zeros<float, {rows}, 64>();
                {both}
                store(out + (s * longest + i)[all, none] * 64 + dims[none, all], where((total > 0.0f)[all, none], acc / total[all, none], 7.0f), ((i < longest) & ((i < length) | (length == 0)))[all, none]);
                """,
                [{"sequences": n, "longest": m, "total_rows": t} for n, m, t in ((5, 100, 300), (3, 130, 90), (2, 64, 0), (1, 200, 200), (6, 40, 30), (1, 1, 1))],
                warps=warps,
                options=", .num_stages = 2",
            )


for make in (control, uses, epilogues, programs, descriptors, heads_between, computed, attention, unknown_lengths):
    make()
