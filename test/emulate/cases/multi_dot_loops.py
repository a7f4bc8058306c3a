"""Loops with several dots in an iteration, as in the gradients of attention. Some accumulators are read in the iteration, of dots whose
operands are loaded or computed in it; others are carried by the loop. `cases_for` returns them for one kind of tensor cores."""

from case import Table

table = Table(checks_overflow=True)
ARGUMENTS = (
    "const float16* q = unit(rows * 64)\nconst float16* k = unit(keys * 64)\nconst float16* v = unit(keys * 64)\n"
    "const float16* d = unit(rows * 64)\nfloat* out = out(rows * 64, 2**-6, 4)\nfloat* more = out(rows * 64, 2**-6, 4)\nint rows\nint keys"
)
HEAD = """
auto i = grid(cdiv(rows, 64)) * 64 + arange<64>();
auto e = arange<64>()[none, all];
auto at = i[all, none] * 64 + e;
auto inside = i[all, none] < rows;
auto q_tile = load(q + at, inside);
auto d_tile = load(d + at, inside);
auto acc = zeros<float, 64, 64>();
auto second = zeros<float, 64, 64>();
auto narrow = zeros<float, 64, 32>();
auto sums = zeros<float, 64>();
"""
LOADS = """
  auto j = start + arange<32>();
  auto k_tile = load(k + j[all, none] * 64 + e, j[all, none] < keys);
  auto v_tile = load(v + j[all, none] * 64 + e, j[all, none] < keys);
"""
TAIL = """
store(out + at, acc + (sums + sum<1>(narrow))[all, none], inside);
store(more + at, second, inside);
"""
WEIGHTS = "auto p = exp2(dot(q_tile, trans(k_tile)) * 0.02f - 1);\n"
GRADIENT = "auto ds = p * (dot(d_tile, trans(v_tile)) * 0.125f - 0.5f);\n"
STEPS = {
    # The gradients of queries, and of both operands of a product.
    "one": WEIGHTS + GRADIENT + "acc = dot(cast<float16>(ds), k_tile, acc);",
    "two": WEIGHTS
    + "acc = dot(cast<float16>(p), v_tile, acc);\n"
    + GRADIENT
    + "second = dot(cast<float16>(ds), k_tile, second);",
    "masked": WEIGHTS
    + "if (start >= 32) p = where(j[none, all] <= i[all, none], p, 0.0f);\n"
    + GRADIENT
    + "acc = dot(cast<float16>(ds), k_tile, acc);",
    # The second product needs the first's sums; the third too.
    "chain": "auto h = cast<float16>(dot(q_tile, trans(k_tile)) * 0.125f);\nauto g = dot(h, v_tile);\nacc = dot(cast<float16>(g * 0.125f), trans(d_first), acc);",
    # Accumulators that are read in a branch only, or after the other dots.
    "branch": "auto s = dot(q_tile, trans(k_tile));\nauto t = dot(d_tile, trans(v_tile));\nif (start != 32) sums += sum<1>(s);\nacc = dot(cast<float16>(t * 0.125f), k_tile, acc);",
    "late": "auto s = dot(q_tile, trans(k_tile));\nauto t = dot(d_tile, trans(v_tile));\nacc = dot(cast<float16>(s * 0.125f), v_tile, acc);\nsecond = dot(cast<float16>(t * 0.125f), k_tile, second);\nsums += sum<1>(t);",
    # An operand of the carried accumulator that depends on loads only; operands that threads compute; a tile that threads read too.
    "apart": WEIGHTS
    + "sums += sum<1>(p);\nacc = dot(q_tile * float16(0.5), trans(d_first), acc);\nsecond = dot(cast<float16>(p), v_tile, second);",
    "computed": "auto s = dot(q_tile, trans(k_tile * float16(2)));\nauto t = dot(d_tile, trans(v_tile + k_tile));\nacc = dot(cast<float16>(s * t * 0.03125f), k_tile, acc);",
    "read": WEIGHTS
    + GRADIENT
    + "acc = dot(cast<float16>(ds), k_tile, acc);\nsecond += sum<0>(cast<float>(v_tile))[none, all];",
    # Sums with which the step does more than add.
    "scaled": WEIGHTS + GRADIENT + "acc = dot(cast<float16>(ds), k_tile, acc * 0.5f);",
    # Loads for the accumulator of an iteration are issued in parallel with the first dot.
    "loaded": "auto bias = cast<float>(load(q + j, j < keys)) * 0.125f;\nauto p = exp2(dot(q_tile, trans(k_tile)) * 0.02f - bias[none, all]);\n"
    + GRADIENT
    + "acc = dot(cast<float16>(ds), k_tile, acc);",
    # The gradient of one operand: the first dot of an iteration starts in parallel with the last one of the previous iteration.
    "rescaled": WEIGHTS + "sums += sum<1>(p);\nacc = dot(cast<float16>(p), v_tile, acc * 0.5f);",
    # Sums that the loop only adds to, of an operand that it does not load.
    "invariant": "narrow = dot(q_tile, trans(k_tile), narrow);\nacc = dot(q_tile * float16(0.5), trans(d_first), acc);",
    "both_invariant": "narrow = dot(q_tile, trans(k_tile), narrow);",
    "none": "auto s = dot(q_tile, trans(k_tile));\nauto t = dot(d_tile, trans(v_tile));\nsums += sum<1>(s * t) * 0.125f;",
}
LOOPS = {
    "": "for (int start = 0; start < keys; start += 32) {",
    "_from_block": "auto first = grid_row / 32 * 32;\nfor (auto start = first; start < rows; start += 32) {",
    "_behind_return": "int limit = keys - int(grid_row) / 2;\nif (limit <= 0) return;\nfor (int start = 0; start < limit; start += 32) {",
    "_maybe": "int end = minimum(keys, int(q[0]) * 64 + 96);\nfor (int start = 0; start < end; start += 32) {",
    "_ends": "for (int start = 0; start < keys; start += 32) {\nif (start == 64 && rows == 130) break;",
}


def body(step, loop):
    head = HEAD + "auto grid_row = program_id(0) * 64;\n"
    if "d_first" in step:
        head += "auto f = arange<64>()[all, none];\nauto d_first = load(d + f * 64 + e, f < rows);\n"
    return head + loop + LOADS + step + "\n}\n" + TAIL


def cases_for(table, prefix):
    runs = [{"rows": r, "keys": k} for r, k in ((64, 96), (130, 70), (1, 1), (70, 32), (100, 200))]
    for name, step in STEPS.items():
        for loop, text in LOOPS.items():
            if loop and name not in ("one", "two", "branch", "rescaled"):
                continue
            for stages in (2, 3) if not loop else (2,):
                table.add(
                    f"{prefix}{name}{loop}_s{stages}",
                    ARGUMENTS,
                    body(step, text),
                    runs if loop != "_from_block" else [{"rows": r, "keys": r} for r in (64, 130, 1, 200)],
                    warps=(4,),
                    options=f", .num_stages = {stages}",
                )


cases_for(table, "")
