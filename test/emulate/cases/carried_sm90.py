"""Loops of two dots on Hopper whose accumulators, or operands, differ from a plain chain's across iterations."""

from case import Table

table = Table("--arch=sm_90a")
ARGUMENTS = ("const float16* q = small(8192)\nconst float16* d = small(8192)\nconst float16* k = small(keys * 64)\n"
             "const float16* v = small(keys * 64)\nfloat* o = out(8192)\nfloat* m = out(8192)\nint keys")
HEAD = """grid(1);
auto e = arange<64>();
auto at = arange<ROWS>()[all, none] * 64 + e[none, all];
auto Q = load(q + at);
auto D = load(d + at);
auto acc = zeros<float, ROWS, 64>();
auto other = zeros<float, ROWS, 64>();
for (int s : range(0, keys, 64OPTIONS)) {
  auto j = (s + e)[all, none];
  auto K = load(k + j * 64 + e[none, all], j < keys);
  auto V = load(v + j * 64 + e[none, all], j < keys);
"""
END = "}\nstore(o + at, acc);\nstore(m + at, other);"
WEIGHTS = "cast<float16>(floor(dot(Q, trans(K)) * 0.125f))"
STEPS = {
    "plain": f"acc = dot({WEIGHTS}, V, acc);",
    "added": f"acc += dot({WEIGHTS}, V);",
    "first_kept": "auto p = dot(Q, trans(K));\nother = p;\nacc = dot(cast<float16>(floor(p * 0.125f)), V, acc);",
    "sums_kept": f"other = acc;\nacc = dot({WEIGHTS}, V, acc);",
    "sums_read": f"other += acc;\nacc = dot({WEIGHTS}, V, acc);",
    "sums_halved": f"acc = dot({WEIGHTS}, V, floor(acc * 0.5f));",
    "halved_and_kept": f"auto half = floor(acc * 0.5f);\nother += half;\nacc = dot({WEIGHTS}, V, half);",
    "sums_exchanged": f"auto n = dot({WEIGHTS}, V, acc);\nacc = other;\nother = n;",
    "sums_from_others": f"acc = dot({WEIGHTS}, V, floor(other * 0.5f));\nother = acc + 1.0f;",
    "operands_exchanged": f"acc = dot({WEIGHTS}, V, acc);\nauto T = Q;\nQ = D;\nD = T;",
    "last_keys": f"auto p = dot(D, trans(K));\nacc = dot(cast<float16>(floor(p * 0.125f)), V, acc);\nif (keys > 100) D = Q;",
    "sums_as_operand": "acc = dot(cast<float16>(acc - floor(acc * 0.125f) * 8.0f), V, acc);",
    "one_by_one": "other = acc;\nacc = dot(Q, K, acc);\nacc = dot(Q, V, acc);",
    "two_exchanged": "auto n = dot(Q, V, acc);\nacc = dot(Q, K, other);\nother = n;",
}
for name, step in STEPS.items():
    for stages in (1, 2):
        for rows, warps in ((64, (4, 8)), (128, (4, 8))):
            for suffix, options in (("", ""), ("_copied", ", {.warp_specialize = false}")):
                if suffix and (rows == 64 or stages == 1):
                    continue
                table.add(f"carried_{name}_{rows}_{stages}{suffix}", ARGUMENTS,
                          HEAD.replace("OPTIONS", options).replace("ROWS", str(rows)) + step + END,
                          [{"keys": 320}, {"keys": 64}, {"keys": 72}, {"keys": 0}], warps=warps,
                          options=f", .num_stages = {stages}")

# A tile that two products read: one of warpgroups, the other of warps, element by element from swizzled rows.
BOTH = """grid(n);
auto e = arange<64>();
auto at = e[all, none] * 64 + e[none, all];
auto x = load(a + at);
auto y = load(b + at);
store(o + at, dot(x, trans(y)));
store(m + at, dot(%s, %s));"""
for of, sums in (("float", "float"), ("int8_t", "int"), ("float8_e4m3", "float"), ("float16", "float")):
    for name, first, second in (("same", "y", "y"), ("second", "x", "y"), ("first", "trans(x)", "y"), ("both", "trans(x)", "trans(y)")):
        table.add(f"carried_two_ways_{of}_{name}", f"const {of}* a = small(4096)\nconst {of}* b = small(4096)\n{sums}* o = out(4096)\n{sums}* m = out(4096)\nint n",
                  BOTH % (first, second), [{"n": 1}], warps=(4, 8))

# Operands that are loaded, and read, before a loop with TMA loads of its own, for a dot after it.
BEHIND = """
auto i = grid(cdiv(rows, 64));
auto A = make_tensor_descriptor<64, 64>(a, {rows, k}, {k, 1});
auto B = make_tensor_descriptor<64, 64>(b, {k, 64}, {64, 1});
auto C = make_tensor_descriptor<64, 64>(c, {rows, 64}, {64, 1});
auto D = make_tensor_descriptor<64, 64>(d, {64, 64}, {64, 1});
auto O = make_tensor_descriptor<64, 64>(o, {rows, 64}, {64, 1});
auto acc = zeros<float, 64, 64>();
%s
for (int s = 0; s < k; s += 64) acc += dot(A.load({i * 64, s}), B.load({s, 0}));
%s
O.store({i * 64, 0}, acc);
"""
for name, before, behind in (
    ("added", "auto x = C.load({i * 64, 0});\nacc += cast<float>(x);", "acc += dot(x, D.load({0, 0}));"),
    ("doubled", "auto x = C.load({i * 64, 0});\nauto y = D.load({0, 0});", "acc += dot(x, y * float16(2));"),
    ("summed", "auto x = C.load({i * 64, 0});\nauto s1 = sum<1>(cast<float>(x));", "acc += dot(x, D.load({0, 0})) + s1[all, none];"),
    ("both", "auto x = C.load({i * 64, 0});\nauto y = D.load({0, 0});\nacc += cast<float>(x) + cast<float>(y);", "acc += dot(x, y);"),
):
    for persistent in ("true", "false"):
        table.add(f"carried_behind_{name}_{persistent}", "const float16* a = small(rows * k)\nconst float16* b = small(k * 64)\nconst float16* c = small(rows * 64)\n"
                  "const float16* d = small(4096)\nfloat* o = out(rows * 64)\nint rows\nint k", BEHIND % (before, behind),
                  [{"rows": 128, "k": 384}, {"rows": 320, "k": 128}, {"rows": 64, "k": 0}], warps=(4, 8),
                  options=f", .persistent = {persistent}")


def halves():
    """A program reads its half of a row and the other half, whose offset is a difference that is never negative."""
    p = "const float16* q = small(rows * 128)\nconst float16* b = small(8192)\nfloat* o = out(rows * 64)\nint rows"
    for name, mine, other in (("product", "part % 2 * 64", "64 - mine"), ("most", "part % 2 * 64", "maximum(64 - mine, 0)"),
                              ("three", "part % 2 * 32 + 32", "96 - mine")):
        table.add(f"hc_half_{name}", p, f"""
auto [part, block] = grid(2, cdiv(rows, 64));
auto Q = make_tensor_descriptor<64, 64>(q, {{rows, 128}}, {{128, 1}});
auto B = make_tensor_descriptor<64, 32>(b, {{128, 64}}, {{64, 1}});
int64_t mine = {mine};
int64_t other = {other};
auto acc = dot(Q.load({{block * 64, mine}}), B.load({{mine, part * 32}}));
acc = dot(Q.load({{block * 64, other}}), B.load({{other, part * 32}}), acc);
auto r = (block * 64 + arange<64>())[all, none];
store(o + r * 64 + (part * 32 + arange<32>())[none, all], acc, r < rows);
""", [{"rows": n} for n in (64, 130, 1, 0)], warps=(4,))


halves()


def stored_again():
    """Iterations store over all or part of what earlier ones stored: the last store has to win."""
    p = "const float16* a = small(M * K + 1)\nconst float16* b = small(K * 64 + 1)\nfloat* c = out(M * 64)\nint M\nint K\nint step"
    places = {"same": "0", "tiles_twice": "k / 128 * 64", "rows": "k / 8", "two_rows": "k / 4", "by_number": "k / 64 * step", "back": "maximum(M - 64 - k / 4, 0)"}
    for name, place in places.items():
        for warps in ((4,), (8,)):
            table.add(f"carried_again_{name}_{warps[0]}", p, f"""
grid(1);
auto A = make_tensor_descriptor<64, 64>(a, {{64, K}}, {{K, 1}});
auto B = make_tensor_descriptor<64, 64>(b, {{K, 64}}, {{64, 1}});
auto C = make_tensor_descriptor<64, 64>(c, {{M, 64}}, {{64, 1}});
auto acc = zeros<float, 64, 64>();
for (int k = 0; k < K; k += 64) {{
  acc = dot(A.load({{0, k}}), B.load({{k, 0}}), acc);
  C.store({{{place}, 0}}, acc);
}}
""", [{"M": 192, "K": k, "step": step} for k, step in ((448, 16), (128, 8), (64, 0), (0, 64))], warps=warps)


stored_again()
