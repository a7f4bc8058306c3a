"""Packed integers: each word is unpacked into a few parts, which a reshape lines up, for dots, reductions and stores."""

from case import Table

RUNS = [{"M": m, "N": n, "K": k} for m, n, k in ((70, 144, 192), (64, 128, 64), (33, 64, 128), (1, 16, 320), (64, 64, 0))]
P = "const float16* x = small(M * K + 1)\nconst {t}* q = bits(K * N + 1)\nconst float16* scales = small(cdiv(K, 64) * N + 8)\nfloat* c = out(M * N + 1)\nint M\nint N\nint K"
# parts of a word, and how many bits each has
WORDS = {"int": (8, 4), "uint8_t": (2, 4), "int64_t": (16, 4), "uint16_t": (4, 4), "unsigned": (16, 2), "int8_t": (8, 1)}
X = "load(x + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0)"
STORE = "store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));"


def product(along, parts, bits, unpack="{b}", scale="", head="", bk=64, bn=64):
    """The words are packed along k, [K / parts, N] or [N, K / parts], or along n, [K, N / parts]."""
    words = {
        "k": ("w", "load(q + (k0 / {p} + arange<{bk} / {p}>())[all, none] * N + j[none, all], ((k0 / {p} + arange<{bk} / {p}>())[all, none] < K / {p}) & (j[none, all] < N), 0)",
              "reshape<{bk}, {bn}>((words[all, none, all] >> (parts * {b})[none, all, none]) & {m})"),
        "nk": ("trans(w)", "load(q + j[all, none] * (K / {p}) + (k0 / {p} + arange<{bk} / {p}>())[none, all], (j[all, none] < N) & ((k0 / {p} + arange<{bk} / {p}>())[none, all] < K / {p}), 0)",
               "reshape<{bn}, {bk}>((words[all, all, none] >> (parts * {b})[none, none, all]) & {m})"),
        "n": ("w", "load(q + k[all, none] * (N / {p}) + (pn * ({bn} / {p}) + arange<{bn} / {p}>())[none, all], (k[all, none] < K) & ((pn * ({bn} / {p}) + arange<{bn} / {p}>())[none, all] < N / {p}), 0)",
              "reshape<{bk}, {bn}>((words[all, all, none] >> (parts * {b})[none, none, all]) & {m})"),
    }[along]
    fill = {"p": parts, "b": bits, "m": (1 << bits) - 1, "bk": bk, "bn": bn}
    operand, load, unpacked = (text.format(**fill) for text in words)
    return f"""
        require(K % {bk} == 0 && N % {parts} == 0);
        auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, {bn}));
        auto i = pm * 64 + arange<64>();
        auto j = pn * {bn} + arange<{bn}>();
        auto parts = arange<{parts}>();
        auto acc = zeros<float, 64, {bn}>();
        {head}
        for (int k0 = 0; k0 < K; k0 += {bk}) {{
          auto k = k0 + arange<{bk}>();
          auto words = {load};
          auto w = cast<float16>({unpacked} - {1 << (bits - 1)}){scale};
          acc = dot({X}, {operand}, acc);
        }}
        {STORE}"""


def cases_for(table, prefix):
    def add(name, body, t="int", runs=RUNS, stages=3, warps=(4,), p=P, **more):
        table.add(f"{prefix}words_{name}", p.format(t=t), "\n".join(line for line in body.split("\n") if line.strip()), runs, warps=warps,
                  options=f", .num_stages = {stages}", **more)

    for t, (parts, bits) in WORDS.items():
        for along in ("k", "nk", "n"):
            add(f"{along}_{t}", product(along, parts, bits), t, warps=(4, 8) if t == "int" else (4,))
    for along in ("k", "nk", "n"):
        for stages in (1, 2, 4):
            add(f"{along}_{stages}", product(along, 8, 4), stages=stages)
        add(f"{along}_warps", product(along, 8, 4), warps=(1, 2, 8, 3))
        # Scales of a row and of a column, from memory in each step.
        row = "reshape<1, 64>(load(scales + k0 / 64 * N + j, j < N))"
        add(f"{along}_scaled", product(along, 8, 4, scale=f" * {row}" if along != "nk" else f" * trans({row})"))
        add(f"{along}_scaled_first", product(along, 8, 4, scale=" * s").replace("auto words", f"auto s = {row if along != 'nk' else f'trans({row})'};\nauto words"))
        add(f"{along}_short", product(along, 8, 4, bk=32, bn=32))
        add(f"{along}_long", product(along, 8, 4, bk=64, bn=128), warps=(4, 8))
        # Left early, and not in every step.
        add(f"{along}_left", product(along, 8, 4).replace("auto words", "if (k0 == 64) break;\nauto words"))
        add(f"{along}_some", product(along, 8, 4).replace("acc = dot", "if (k0 != 64) acc = dot"))
    # By descriptors.
    add("descriptor", product("k", 8, 4).replace("auto parts", "auto Q = make_tensor_descriptor<8, 64>(q, {K / 8, N}, {N, 1});\nauto parts").replace(
        product("k", 8, 4).split("auto words = ")[1].split(";\n")[0], "Q.load({k0 / 8, pn * 64})"), warps=(4, 8))
    # Zero points, packed along n: [K / 64, N / 8].
    zeros = "reshape<1, 64>((load(points + k0 / 64 * (N / 8) + pn * 8 + arange<8>(), pn * 8 + arange<8>() < N / 8)[all, none] >> (parts * 4)[none, all]) & 15)"
    add("zeros", product("k", 8, 4).replace(" - 8)", f" - {zeros})"), p=P.replace("float* c", "const int* points = bits(cdiv(K, 64) * N + 8)\nfloat* c"))
    # No products: stored, summed, of words that are few.
    flat = "const int* q = bits(n * m + 1)\nconst float* x = small(m * 8 + 8)\nint8_t* o = out(n * m * 8 + 1)\nfloat* y = out(n)\nint n\nint m"
    flat_runs = [{"n": n, "m": m} for n, m in ((16, 64), (7, 61), (33, 130), (1, 1), (0, 5))]
    rows = "auto i = grid(cdiv(n, {r}));\nauto r = (i * {r} + arange<{r}>())[all, none];\nauto parts = arange<8>() * 4;\nauto inside = r < n;\n"
    load = "auto c = at + arange<{w}>();\nauto cc = at * 8 + arange<{w} * 8>();\nauto words = load(q + r * m + c[none, all], inside & (c < m)[none, all], 0);\n"
    unpacked = "reshape<{r}, {w} * 8>((words[all, all, none] >> parts[none, none, all]) & 15)"
    for r, w in ((4, 64), (1, 128), (16, 8), (3, 20), (8, 1)):
        fill = {"r": r, "w": w}
        step = f"for (int at = 0; at < m; at += {w}) {{\n" + load.format(**fill) + f"auto w = {unpacked.format(**fill)};\n"
        add(f"stored_{r}_{w}", rows.format(**fill) + step + "store(o + r * (m * 8) + cc[none, all], cast<int8_t>(w), inside & (cc < m * 8)[none, all]);\n}", runs=flat_runs, p=flat, warps=(1, 4))
        add(f"summed_{r}_{w}", rows.format(**fill) + f"auto acc = zeros<float, {r}>();\n" + step + "acc += sum<1>(cast<float>(w) * load(x + cc, cc < m * 8)[none, all]);\n}\n"
            f"store(y + i * {r} + arange<{r}>(), acc, i * {r} + arange<{r}>() < n);", runs=flat_runs, p=flat, warps=(1, 4))
        add(f"both_{r}_{w}", rows.format(**fill) + f"auto acc = zeros<float, {r}>();\n" + step + "acc += sum<1>(cast<float>(w));\nacc -= sum<1>(cast<float>(words & 3));\n"
            "store(o + r * (m * 8) + cc[none, all], cast<int8_t>(w), inside & (cc < m * 8)[none, all]);\n}\n"
            f"store(y + i * {r} + arange<{r}>(), acc, i * {r} + arange<{r}>() < n);", runs=flat_runs, p=flat, warps=(1, 4))
    # Three parts, parts in another order, parts that no reshape lines up, parts of parts.
    for name, text, size in (
        ("three", "reshape<288>((words[all, none] >> (arange<3>() * 10)[none, all]) & 127)", 3),
        ("reversed", "reshape<768>((words[all, none] >> (28 - arange<8>() * 4)[none, all]) & 15)", 8),
        ("before", "reshape<768>((words[none, all] >> (arange<8>() * 4)[all, none]) & 15)", 8),
        ("twice", "reshape<768>((reshape<384>((words[all, none] >> (arange<4>() * 8)[none, all]) & 255)[all, none] >> (arange<2>() * 4)[none, all]) & 15)", 8),
        ("grown", "reshape<768>((reshape<96, 1, 1>(words) >> reshape<1, 2, 4>(arange<8>() * 4)) & 15)", 8),
    ):
        add(name, f"auto b = grid(cdiv(n * m, 96));\nauto i = b * 96 + arange<96>();\nauto words = load(q + i, i < n * m, 0);\nauto w = {text};\n"
            f"auto at = b * {96 * size} + arange<{96 * size}>();\nstore(o + at, cast<int8_t>(w), at < n * m * {size});", runs=flat_runs, p=flat, warps=(1, 2, 4))
    add("not_lined_up", rows.format(r=4) + "for (int at = 0; at < m; at += 32) {\n" + load.format(w=32) + "auto w = (words[all, all, none] >> parts[none, none, all]) & 15;\n"
        "store(o + r[all, all, none] * (m * 8) + c[none, all, none] * 8 + arange<8>()[none, none, all], cast<int8_t>(w), inside[all, all, none] & (c < m)[none, all, none]);\n}",
        runs=flat_runs, p=flat, warps=(1, 4))


table = Table()
cases_for(table, "")
