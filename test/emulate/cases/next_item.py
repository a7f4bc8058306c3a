"""Loops over items with `flatten`: the copies of the next item's first steps start before the item is done."""

from case import Table

table = Table()
ARGUMENTS = (
    "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\n"
    "float* c = out(M * N + 1)\nint M\nint N\nint K"
)
# Several items a program, one, none; K of no step, part of one, less than the stages have, many.
RUNS = [
    {"M": m, "N": n, "K": k}
    for m, n, k in ((200, 136, 96), (512, 64, 8), (130, 70, 200), (64, 64, 0), (1, 1, 33), (0, 64, 64), (300, 300, 40))
]
X = "load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0)"
Y = "load(b + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0)"
PLACE = "c + i[all, none] * N + j[none, all]"
INSIDE = "(i[all, none] < M) & (j[none, all] < N)"
HEADS = {
    "range": "auto program = grid(3);\nfor (auto tile : range(program, tiles, 3, {.flatten = true})) {",
    "int": "int program = grid(2);\nfor (int tile : range(program, int(tiles), 2, {.flatten = true})) {",
    "all": "grid(1);\nfor (int tile : range(int(tiles), {.flatten = true})) {",
    "persistent": "for (auto tile : persistent_range(tiles, {.flatten = true})) {",
}


def body(head="range", before="", start="", end="K", step="", behind="", store="acc", x=X, y=Y, carried="acc"):
    """Items with accumulators of 64 x 64: `before` all items, at the start of one, in an iteration, `behind` the loop."""
    return f"""
        int64_t tiles = cdiv(M, 64) * cdiv(N, 64);
        {before}
        {HEADS[head]}
          auto i = tile / cdiv(N, 64) * 64 + arange<64>();
          auto j = tile % cdiv(N, 64) * 64 + arange<64>();
          {start}
          auto acc = zeros<float, 64, 64>();
          for (int k0 = 0; k0 < {end}; k0 += 32) {{
            auto k = k0 + arange<32>();
            auto x = {x};
            auto y = {y};
            acc = dot(x, y, {carried});
            {step}
          }}
          {behind}
          store({PLACE}, {store}, {INSIDE});
        }}"""


def add(name, text, stages=3, runs=RUNS, arguments=ARGUMENTS, warps=(2, 4), **options):
    table.add(name, arguments, "\n".join(line for line in text.split("\n") if line.strip()), runs,
              warps=warps, options=f", .num_stages = {stages}", **options)


def products():
    for head in HEADS:
        for stages in (2, 3, 5):
            add(f"items_{head}_{stages}", body(head), stages, warps=(1, 2, 4, 8) if stages == 3 else (4,))
    # Addresses that advance by themselves, and tiles of indices that all steps of an item share.
    pointers = body(
        start="auto k = arange<32>();\nauto a_at = a + i[all, none] * K + k[none, all];\nauto b_at = b + k[all, none] * N + j[none, all];",
        step="a_at += 32;\nb_at += 32 * N;",
        x="load(a_at, (i[all, none] < M) & (k0 + k[none, all] < K), 0)",
        y="load(b_at, (k0 + k[all, none] < K) & (j[none, all] < N), 0)",
    ).replace("auto k = k0 + arange<32>();", "")
    for stages in (2, 4):
        add(f"items_pointers_{stages}", pointers, stages)
    # Parts of the tiles that no copy fills: zeros from before all items.
    padded = body().replace("k0 += 32", "k0 += 24").replace("arange<32>", "arange<24>")
    add("items_padded", padded)
    # A loop around all items.
    repeated = body(head="int").replace("for (int tile", "for (int turn = 0; turn < 2; ++turn) for (int tile")
    add("items_repeated", repeated)
    # Code after the loop in parallel with the next item's copies: reductions over threads, in shared memory, other operands, memory.
    add("items_row_max", body(store="acc - max<1>(acc, keep_dims)"))
    add("items_sum", body(store="acc + sum(acc)"))
    add("items_transposed", body(behind="auto turned = trans(cast<float16>(acc * 0.125f));", store="acc + sum<0>(cast<float>(turned))[all, none]"))
    add("items_second_product", body(behind="auto h = cast<float16>(acc * 0.015625f);\nauto more = dot(h, h);", store="more"))
    add(
        "items_two_loops",
        body(behind=f"for (int k0 = 0; k0 < K; k0 += 32) {{\nauto k = k0 + arange<32>();\nauto x = {X};\nauto y = {Y};\nacc = dot(x, y + y, acc);\n}}"),
    )
    # Bounds, indices and addresses of the item's own, from memory as well.
    ends = ARGUMENTS + "\nconst int* ends = below(64, 9)"
    runs = [{"M": 300, "N": 300, "K": 320}, {"M": 64, "N": 64, "K": 320}]
    add("items_ends", body(start="int end = load(ends + tile) * 16;", end="minimum(end, K)"), runs=runs, arguments=ends)
    add(
        "items_search",
        body(start="int end = 0;\nfor (int g = 0; g < 9; ++g) {\nif (g <= tile) end += load(ends + g);\n}", end="minimum(end * 8, K)"),
        runs=runs,
        arguments=ends,
    )
    add("items_from", body(start="int first = tile % 3 * 32;", end="K").replace("int k0 = 0;", "int k0 = first;"), runs=runs)
    add("items_branch", body(start="int end = K;\nif (tile % 2 == 1) {\nend = K / 2;\n}", end="end"), runs=runs)
    # Operands that threads compute, and loads that cannot be asynchronous copies.
    add("items_computed", body(step="", x=f"cast<float16>(cast<float>({X}) * 2)"))
    # The copies stay where they are: a loop that is left, numbers that go from item to item, indices from memory, branches.
    add("items_left", body(start="if (tile == 2) continue;"))
    # The second loop of an item that may be left stays as well.
    add("items_two_loops_left", body(start="if (tile == 1) continue;", behind=f"for (int k0 = 0; k0 < K; k0 += 32) {{\nauto k = k0 + arange<32>();\nauto x = {X};\nauto y = {Y};\nacc = dot(x, y + y, acc);\n}}"))
    add("items_carried", body(before="int64_t turn = 0;", start="auto shift = turn % 2;\nturn = turn + shift + 1;",
                              x=X.replace("k[none, all] < K)", "k[none, all] + shift < K)")))
    gathered = ARGUMENTS + "\nconst int* rows = below(M + 64, M)"
    add("items_gathered", body(start="auto row = load(rows + i);", x=X.replace("i[all, none] *", "row[all, none] *")),
        runs=[run for run in RUNS if run["M"]], arguments=gathered)
    add("items_in_branch", body().replace("for (int k0", "if (tile != 1) for (int k0"))


def attention():
    """A tile of queries for all keys that it sees, item after item."""
    for d, stages in ((64, 2), (32, 3)):
        table.add(
            f"items_attention_{d}",
            f"const float16* q = small(rows * {d} + 1)\nconst float16* k = small(keys * {d} + 1)\nconst float16* v = small(keys * {d} + 1)\n"
            f"float* out = out(rows * {d} + 1, 2e-3, 1e-2)\nint rows\nint keys",
            f"""
            auto dims = arange<{d}>();
            auto program = grid(2);
            for (auto block : range(program, cdiv(rows, 64), 2, {{.flatten = true}})) {{
              auto i = block * 64 + arange<64>();
              auto last = minimum(keys, block * 64 + 80);
              auto queries = load(q + i[all, none] * {d} + dims[none, all], i[all, none] < rows, 0);
              auto top = full<float, 64>(-inf);
              auto total = zeros<float, 64>();
              auto acc = zeros<float, 64, {d}>();
              for (int64_t first = 0; first < last; first += 32) {{
                auto j = first + arange<32>();
                auto block_k = load(k + j[all, none] * {d} + dims[none, all], j[all, none] < keys, 0);
                auto scores = dot(queries, trans(block_k)) * 0.125f;
                scores = where(j[none, all] < keys, scores, -inf);
                auto highest = maximum(top, max<1>(scores));
                auto weights = exp(scores - highest[all, none]);
                auto scale = exp(top - highest);
                total = total * scale + sum<1>(weights);
                auto block_v = load(v + j[all, none] * {d} + dims[none, all], j[all, none] < keys, 0);
                acc = dot(cast<float16>(weights), block_v, acc * scale[all, none]);
                top = highest;
              }}
              store(out + i[all, none] * {d} + dims[none, all], acc / total[all, none], i[all, none] < rows);
            }}
            """,
            [{"rows": r, "keys": k} for r, k in ((300, 300), (64, 7), (500, 64), (1, 100))],
            warps=(2, 4),
            options=f", .num_stages = {stages}",
        )


products()
attention()
