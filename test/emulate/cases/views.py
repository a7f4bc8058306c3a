"""Tiles with dimensions of one element between memory and dots of matrices: descriptors' blocks with a head or a batch, pointer tiles with
such dimensions, and reshapes after loads and before stores. `cases_for` returns them for one kind of tensor cores."""

from case import Table

table = Table()
SIZES = ((64, 64, 64), (72, 40, 72), (130, 64, 33), (1, 8, 16), (64, 8, 0))
# A matrix of `rows` and `columns` of the head h of array p: of heads behind each other, of heads beside each other in a row (with a
# batch around them), and with dimensions of one element in every place. Array, block, offsets.
ARRAYS = {
    "heads": ("{{H, {r}, {c}}}, {{int64_t({r}) * {c}, {c}, 1}}", "1, {R}, {C}", "{{h, {i}, {j}}}"),
    "rows": ("{{{r}, H, {c}}}, {{H * {c}, {c}, 1}}", "{R}, 1, {C}", "{{{i}, h, {j}}}"),
    "batch": ("{{1, {r}, H, {c}}}, {{int64_t(H) * {r} * {c}, H * {c}, {c}, 1}}", "1, {R}, 1, {C}", "{{0, {i}, h, {j}}}"),
    "ones": ("{{H, 1, {r}, 1, {c}}}, {{int64_t({r}) * {c}, {c}, {c}, {c}, 1}}", "1, 1, {R}, 1, {C}", "{{h, 0, {i}, 0, {j}}}"),
}


def cases_for(table, prefix):
    for name, (shape, block, offset) in ARRAYS.items():

        def made(at, r, c, R, C):
            return f"auto {at} = make_tensor_descriptor<{block.format(R=R, C=C)}>({at.lower()}, {shape.format(r=r, c=c)});\n"

        def load(at, i, j, R, C):
            return f"reshape<{R}, {C}>({at}.load({offset.format(i=i, j=j)}))"

        def put(value):
            return f"C.store({offset.format(i='pm * 64', j='pn * 64')}, reshape<{block.format(R=64, C=64)}>({value}));"

        arguments = "const float16* a = small(H * M * K + 1)\nconst float16* b = small(H * K * N + 1)\nfloat* c = out(H * M * N + 1)\nint H\nint M\nint N\nint K\nint s"
        start = "auto [pm, pn, pid] = grid(cdiv(M, 64), cdiv(N, 64), H);\nauto h = pid - s;\n" + made("A", "M", "K", 64, 32) + made("C", "M", "N", 64, 64)
        runs = [{"H": 1 + at % 3, "M": m, "N": n, "K": k, "s": at % 3 - 1} for at, (m, n, k) in enumerate(SIZES)]
        for order, b, y in (
            ("nn", made("B", "K", "N", 32, 64), load("B", "k", "pn * 64", 32, 64)),
            ("nt", made("B", "N", "K", 64, 32), f"trans({load('B', 'pn * 64', 'k', 64, 32)})"),
        ):
            table.add(
                f"{prefix}{name}_{order}",
                arguments,
                start + b + f"auto acc = zeros<float, 64, 64>();\nfor (int k = 0; k < K; k += 32) acc = dot({load('A', 'pm * 64', 'k', 64, 32)}, {y}, acc);\n" + put("acc"),
                runs,
                warps=(4, 8),
            )
        table.add(
            f"{prefix}{name}_copy",
            arguments,
            start + f"for (int k = 0; k < K; k += 32) {{\nauto x = {load('A', 'pm * 64', 'k', 64, 32)};\nC.store({offset.format(i='pm * 64', j='k')}, reshape<{block.format(R=64, C=64)}>(cat<1>(cast<float>(x), cast<float>(x * 2))));\n}}",
            [run for run in runs if run["K"] <= run["N"]],
            warps=(1, 4),
        )

    # Pointers.
    whole = "const float16* a = small(4096)\nconst float16* b = small(4096)\nfloat* c = {}\nint n"
    start = "grid(1);\nauto i = arange<32>();\nauto three = i[none, all, none] * 32 + i[none, none, all];\nauto two = i[all, none] * 32 + i[none, all];\nauto x = load(a + three, three < n * 32, 3);\nauto y = load(b + three);\n"
    for name, body in {
        "pointers": "store(c + two, dot(reshape<32, 32>(x), reshape<32, 32>(y)));",
        "both_ways": "store(c + three, x * 2);\nstore(c + (two + 1024), dot(reshape<32, 32>(x), reshape<32, 32>(y)));",
        "between": "auto z = reshape<32, 1, 32>(y);\nstore(c + two, reshape<32, 32>(z) + reshape<32, 32>(x));",
        "permuted": "auto z = permute<1, 0, 2>(load(a + three));\nstore(c + two, reshape<32, 32>(z) * 2);",
        "permuted_trans": "auto p = permute<2, 0, 1>(three);\nstore(c + two, reshape<32, 32>(load(a + p)));",
        "stored": "store(c + three, (reshape<32, 32>(x) + 1)[none, all, all], i[none, all, none] < n);",
        "stored_tail": "store(c + (i[none, all, none, none] * 32 + i[none, none, all, none]), (reshape<32, 32>(x) + 1)[none, all, all, none]);",
        "row": "store(c + i, reshape<32>(load(a + i[none, all], i[none, all] < n)) + reshape<32>(load(b + i[all, none])));",
        "one": "store(c + i, reshape<1>(load(a + arange<1>()[none, all])) + i);",
        "sums": "store(c + i[none, all], sum<1>(reshape<32, 32>(x))[none, all]);\nstore(c + (32 + i[none, all]), sum<1>(x));",
        "batch_of_one": "store(c + three, dot(x, y));",
        "loaded_early": "auto z = load(a + three);\nif (n > 1) store(c + three, x);\nstore(c + (two + 1024), reshape<32, 32>(z));",
    }.items():
        table.add(f"{prefix}{name}", whole.format("out(4096)"), start + body, [{"n": n} for n in (32, 7, 0)], warps=(1, 4))
    table.add(f"{prefix}added", whole.format("zero(4096)"), start + "atomic_add(c + three, reshape<32, 32>(x)[none, all, all], i[none, all, none] < n);", [{"n": n} for n in (32, 7, 0)], warps=(1, 4))


cases_for(table, "v_")
