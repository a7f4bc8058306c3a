"""TMA loads blocks that are counted from the end, as in causal attention, where the longest rows are computed first."""

from case import Table

table = Table("--arch=sm_90a")
SIZES = ((64, 64, 128), (130, 64, 200), (200, 72, 40), (37, 50, 41), (1, 8, 16), (64, 8, 0), (0, 8, 8), (193, 136, 64))
RUNS = [{"M": m, "N": n, "K": k} for m, n, k in SIZES]
# The number of a block of rows, and one of columns.
PLACES = {
    "rows": "auto [p, pn] = grid(cdiv(M, 64), cdiv(N, 64));\nauto pm = cdiv(M, 64) - 1 - int(p);",
    "long": "auto [p, pn] = grid(cdiv(M, 64), cdiv(N, 64));\nauto pm = cdiv(M, 64) - 1 - p;",
    "both": "auto [p, r] = grid(cdiv(M, 64), cdiv(N, 64));\nint pm = cdiv(M, 64) - int(p) - 1, pn = cdiv(N, 64) - 1 - int(r);",
    "one_number": "int blocks = cdiv(M, 64);\nint pid = grid(blocks * cdiv(N, 64));\nint pm = blocks - 1 - pid % blocks, pn = pid / blocks;",
    "quotient": "int columns = cdiv(N, 64);\nauto id = grid(cdiv(M, 64) * columns);\nauto pm = cdiv(M, 64) - 1 - id / columns, pn = id % columns;",
    "int_quotient": "int columns = cdiv(N, 64), blocks = cdiv(M, 64);\nint id = grid(columns * blocks);\nint pm = blocks - 1 - id / columns, pn = id % columns;",
    "narrowed": "auto [p, pn] = grid(cdiv(M, 64), cdiv(N, 64));\nint pm = cdiv(M, 64) - 1 - p;",
    "first_row": "auto [p, pn] = grid(cdiv(M, 64), cdiv(N, 64));\nint first = (cdiv(M, 64) - 1 - p) * 64;\nauto pm = first / 64;",
    "swizzled": "int rows = cdiv(M, 64), columns = cdiv(N, 64);\nint id = grid(rows * columns);\nauto [p, pn] = swizzle2d(id, rows, columns, 3);\nint first = (rows - 1 - p) * 64;\nauto pm = first / 64;",
    "swizzled_long": "auto rows = cdiv(M, 64), columns = cdiv(N, 64);\nauto id = grid(rows * columns);\nauto [q, p] = swizzle2d(id, columns, rows, 2);\nauto pn = columns - 1 - q, pm = rows - 1 - p;",
    "swizzled_one": "int rows = cdiv(M, 64), columns = cdiv(N, 64);\nint id = grid(rows * columns);\nauto [p, q] = swizzle2d(id, rows, columns, 1);\nint pm = rows - 1 - p, pn = columns - 1 - q;",
    # Not known to be 0 or more, or too far: no TMA loads, or zeros.
    "one_more": "auto [p, pn] = grid(cdiv(M, 64) + 1, cdiv(N, 64));\nauto pm = cdiv(M, 64) - int(p);",
    "other_quotient": "int columns = cdiv(N, 64);\nauto id = grid(cdiv(M, 64) * columns);\nauto pm = cdiv(M, 64) - 1 - id / columns, pn = cdiv(N, 64) - 1 - id % columns;",
    "at_least_0": "auto [p, pn] = grid(cdiv(M, 64), cdiv(N, 64));\nauto pm = maximum(cdiv(M, 64) - 1 - int(p), 0);",
}
POINTERS = """
auto x = load(a + i[all, none] * K + ks[none, all], (i[all, none] < M) & (ks[none, all] < K));
auto y = load(b + ks[all, none] * N + j[none, all], (ks[all, none] < K) & (j[none, all] < N));"""
DESCRIPTORS = "auto x = A.load({pm * 64, k});\nauto y = B.load({k, pn * 64});"
FORMS = {
    "pointers": ("", POINTERS, "store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));"),
    "descriptors": (
        "auto A = make_tensor_descriptor<64, 32>(a, {M, K}, {K, 1});\nauto B = make_tensor_descriptor<32, 64>(b, {K, N}, {N, 1});\nauto C = make_tensor_descriptor<64, 64>(c, {M, N}, {N, 1});",
        DESCRIPTORS, "C.store({pm * 64, pn * 64}, acc);"),
}


def add():
    for place, head in PLACES.items():
        for form, (declared, loads, store) in FORMS.items():
            table.add(
                f"back_{place}_{form}",
                "const float16* a = small(M * K + 1)\nconst float16* b = small(K * N + 1)\nfloat* c = out(M * N + 1)\nint M\nint N\nint K",
                f"""
                {head}
                auto i = {"first" if place in ("first_row", "swizzled") else "pm * 64"} + arange<64>();
                auto j = pn * 64 + arange<64>();
                {declared}
                auto acc = zeros<float, 64, 64>();
                for (int k = 0; k < K; k += 32) {{
                  auto ks = k + arange<32>();
                  {loads}
                  acc = dot(x, y, acc);
                }}
                {store}
                """,
                RUNS,
                warps=(4,),
            )


add()
