"""Clusters of two blocks that share operands by TMA multicast: even and odd numbers of tile rows, rows of 128 bytes and others."""

from case import Table
from products import add_matmul

table = Table("--arch=sm_90a")
F16 = ("float16", "float", "float")
BF16 = ("bfloat16", "float", "bfloat16")
# Pairs need an even number of tile rows (64 each) and rows of b (n f16) that cross lines: 1, 2, 3, 4 tile rows, few and many steps.
SIZES = ((128, 72, 200), (70, 40, 72), (256, 136, 64), (200, 72, 32), (130, 72, 96), (128, 64, 96), (64, 72, 40), (128, 8, 8), (256, 24, 0), (250, 200, 33))
RUNS = [{"M": m, "N": n, "K": k} for m, n, k in SIZES]


def matmul(name, tiles=(64, 64, 32), types=F16, runs=RUNS, warps=(4,), **more):
    add_matmul(table, f"pairs_{name}", types, tiles, runs, warps=warps, **more)


def forms():
    for stages in (1, 2, 3, 5):
        matmul(f"stages_{stages}", options=f", .num_stages = {stages}")
    matmul("wide", tiles=(64, 128, 64), types=BF16)
    matmul("tall", tiles=(128, 64, 32), warps=(4, 8), runs=[*RUNS, {"M": 512, "N": 72, "K": 100}])
    matmul("nt", order="nc", runs=[*RUNS, {"M": 128, "N": 128, "K": 72}])
    matmul("tn", order="cn")
    matmul("few_rows", tiles=(64, 64, 16))
    matmul("half_pattern", tiles=(64, 32, 32))
    matmul("persistent", options=", .persistent = true")
    # What the steps or copies of the two blocks would not have in common.
    matmul("own_steps", loop="for (int k0 = 0; k0 < K - pm * 32; k0 += 32)")
    matmul("leaves", body="if (k0 == 32) break;")
    matmul("skips", loop="for (int k0 = 0; k0 < K; k0 += 32) if (pm % 2 == 0 || k0 != 32)")
    matmul("early_return", head="if (pm == 1) return;")
    matmul("same_condition", loop="for (int k0 = 0; k0 < K; k0 += 32) if (pn == 0 || k0 != 32)")


ARGUMENTS = "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\nfloat* c = out(M * N + 1)\nint M\nint N\nint K"
BODY = """
auto A = make_tensor_descriptor<64, 32>(a, {M, K}, {K, 1});
auto B = make_tensor_descriptor<32, 64>(b, {K, N}, {N, 1});
auto acc = zeros<float, 64, 64>();
for (int k0 = 0; k0 < K; k0 += 32) acc = dot(A.load({pm * 64, k0}), B.load({k0, pn * 64}), acc);
auto i = pm * 64 + arange<64>();
auto j = pn * 64 + arange<64>();
store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
"""


def grids():
    """Program numbers from which clusters can be formed, or cannot."""
    def add(name, head, body=BODY, arguments=ARGUMENTS, runs=RUNS):
        table.add(f"pairs_grid_{name}", arguments, head + body, runs, warps=(4,))

    rows, columns = "cdiv(M, 64)", "cdiv(N, 64)"
    for group in (1, 2, 3, 8):
        add(f"swizzled_{group}", f"auto id = grid({rows} * {columns});\nauto [pm, pn] = swizzle2d(id, {rows}, {columns}, {group});\n")
    add("divided", f"int id = grid({rows} * {columns});\nint pm = id % {rows}, pn = id / {rows};\n")
    add("columns_first", f"int id = grid({rows} * {columns});\nint pm = id / {columns}, pn = id % {columns};\n")
    add("shifted", f"int id = (int(grid({rows} * {columns})) + 1) % ({rows} * {columns});\nint pm = id % {rows}, pn = id / {rows};\n")
    add("backwards", f"auto [x, pn] = grid({rows}, {columns});\nauto pm = {rows} - 1 - x;\n")
    add("halved", f"auto [x, pm] = grid(2 * {columns}, {rows});\nauto pn = x / 2;\n", BODY.replace("(i[all", "(x % 2 == 0) & (i[all"))
    add("three", f"auto [pm, pn, z] = grid({rows}, {columns}, 2);\nif (z == 1) return;\n")
    two = BODY.replace("auto acc", "auto B2 = make_tensor_descriptor<32, 64>(b2, {K, N}, {N, 1});\nauto other = zeros<float, 64, 64>();\nauto acc")
    two = two.replace("k0 += 32) acc = ", "k0 += 32) {\nauto x = A.load({pm * 64, k0});\nother = dot(x, B2.load({k0, pn * 64}), other);\nacc = ").replace("A.load({pm * 64, k0}), B", "x, B").replace("acc);\nauto i", "acc);\n}\nauto i")
    two = two.replace("acc, (i", "acc * 2.0f - other, (i")
    add("two_operands", f"auto [pm, pn] = grid({rows}, {columns});\n", two, arguments=ARGUMENTS.replace("float* c", "const float16* b2 = small(K * N + 1)\nfloat* c"))


forms()
grids()
