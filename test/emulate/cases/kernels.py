"""Every example, compared with the reference run of its source: each candidate, ragged shapes, unaligned pointers."""

import dataclasses
import pathlib

from case import Case, Parameter, Table

table = Table()
EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
ROWS = [256, 512, 1024, 2048, 3072, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 14336, 16384]
HALF = 2.0**-10  # of float16


@dataclasses.dataclass
class Example(Case):
    """A case whose kernel and launcher are those of a file."""

    launcher: str = ""
    folder: str = ""  # of the file, where the case has another name

    def instances(self):
        return [(self.launcher, 0)]

    def source(self):
        name = self.folder or self.name
        text = (EXAMPLES / name / f"{name}.tile.cpp").read_text()
        skipped = ("#include <tile2cu/tile.h>", "using namespace tl;")
        return "\n".join(line for line in text.splitlines() if line not in skipped) + "\n"


@dataclasses.dataclass
class Variants(Example):
    """Launchers of a file's kernel with other numbers than the file's own."""

    kernel: str = ""  # with its template arguments
    stages: tuple = ()  # one for each of `warps`

    def instances(self):
        return [(f"{self.name}_w{w}_s{s}", w) for w, s in zip(self.warps, self.stages)]

    def source(self):
        text = super().source().partition("inline constexpr auto")[0]
        for (launcher, warps), stages in zip(self.instances(), self.stages):
            options = f"{{.num_warps = {warps}, .num_stages = {stages}}}"
            text += f"inline constexpr auto {launcher} = instantiate({self.kernel}, {options});\n"
        return text


def example(name, launcher, parameters, runs):
    parsed = [Parameter.parse(line.strip()) for line in parameters.strip().split("\n")]
    table.cases.append(Example(name, parsed, "", runs, (1,), alone=True, launcher=launcher))


def variants(folder, kernel, parameters, runs, warps, stages, name):
    parsed = [Parameter.parse(line.strip()) for line in parameters.strip().split("\n")]
    table.cases.append(
        Variants(
            name, parsed, "", runs, warps, alone=True, folder=folder, kernel=kernel, stages=stages
        )
    )


def rows(blocks, stride=True, **more):
    """For each candidate: full rows, ragged in whole vectors, ragged."""
    runs = []
    for block in blocks:
        for n_cols in (block, block - 40, block - 3):
            run = {"n_rows": 3 if n_cols == block - 40 else 2, "n_cols": n_cols, **more}
            if stride:
                run["stride"] = n_cols + (0 if n_cols == block else 8 if n_cols % 8 == 0 else 5)
            runs.append(run)
    small = {"n_rows": 5, "n_cols": 1, **more}
    none = {"n_rows": 0, "n_cols": 7, **more}
    if stride:
        small["stride"], none["stride"] = 1, 7
    return [*runs, small, none]


def lines(block):
    return [{"n": n} for n in (3 * block, 2 * block + 808, block + 5, 1, 0)]


NORM = f"(n_rows - 1) * stride + n_cols if n_rows else 0"
TOLERANCE = f"{2 * HALF}, 2e-3"

example(
    "vector_add",
    "vector_add_f32",
    "const float* a = unit(n)\nconst float* b = unit(n)\nfloat* c = out(n)\nint64_t n",
    lines(1024),
)
example(
    "gelu",
    "gelu_f16",
    f"const float16* in = unit(n)\nfloat16* out = out(n, {TOLERANCE})\nint64_t n",
    lines(4096),
)
example(
    "swiglu",
    "swiglu_f16",
    f"const float16* gate = unit(n)\nconst float16* up = unit(n)\nfloat16* out = out(n, {TOLERANCE})\nint64_t n",
    lines(4096),
)
example(
    "softmax",
    "softmax_f32",
    f"const float* in = unit({NORM})\nfloat* out = out({NORM}, 2e-5)\nint n_rows\nint n_cols\nint stride",
    rows(ROWS),
)
example(
    "softmax_online",
    "softmax_online_f32",
    f"const float* in = unit({NORM})\nfloat* out = out({NORM}, 2e-5)\nint n_rows\nint n_cols\nint stride",
    rows([100, 4096, 16384, 40000]),
)
example(
    "cross_entropy",
    "cross_entropy_f32",
    f"const float* logits = unit({NORM})\nconst int64_t* targets = below(n_rows, n_cols)\nfloat* loss = out(n_rows, 1e-5, 1e-5)\n"
    "int n_rows\nint n_cols\nint stride\nint64_t ignore_index",
    [
        {**run, "ignore_index": k}
        for run in rows([100, 8192, 20000])
        for k in ((-100, 0) if run["n_cols"] == 1 else (-100,))
    ],
)
example(
    "cumsum",
    "row_cumsum_f32",
    "const float* in = small(n_rows * n_cols)\nfloat* out = out(n_rows * n_cols)\nint n_rows\nint n_cols",
    rows([512, 1024, 2048, 4096, 8192, 16384], stride=False),
)
example(
    "layer_norm",
    "layer_norm_f16",
    f"const float16* x = unit({NORM})\nconst float16* weight = unit(n_cols)\nconst float16* bias = unit(n_cols)\nfloat16* y = out({NORM}, {TOLERANCE})\n"
    "int n_rows\nint n_cols\nint stride\nfloat eps",
    rows(ROWS[1:], eps=1e-5),
)
example(
    "rms_norm",
    "rms_norm_f16",
    f"const float16* x = unit({NORM})\nconst float16* weight = unit(n_cols)\nfloat16* y = out({NORM}, {TOLERANCE})\nint n_rows\nint n_cols\nint stride\nfloat eps",
    rows([1024, 2048, 4096, 5120, 6144, 8192, 16384], eps=1e-5),
)
example(
    "residual_layernorm_dropout",
    "residual_layernorm_dropout_f16",
    "const float16* x = unit(n_rows * n_cols)\nconst float16* residual = unit(n_rows * n_cols)\nconst float16* weight = unit(n_cols)\nconst float16* bias = unit(n_cols)\n"
    f"float16* y = out(n_rows * n_cols, {TOLERANCE})\nint n_rows\nint n_cols\nfloat eps\nfloat p\nuint64_t seed",
    rows(ROWS[1:], stride=False, eps=1e-5, p=0.25, seed=0xFCAFEB0BA),
)
example(
    "rope",
    "rope_f16",
    "const float16* x = unit(n_tokens * n_heads * head_dim)\nconst float* cosines = sine(n_tokens * head_dim // 2)\nconst float* sines = sine(n_tokens * head_dim // 2)\n"
    f"float16* out = out(n_tokens * n_heads * head_dim, {TOLERANCE})\nint n_tokens\nint n_heads\nint head_dim",
    [
        {"n_tokens": t, "n_heads": h, "head_dim": d}
        for t, h, d in (
            (3, 33, 48), (2, 5, 112), (2, 17, 208), (2, 32, 64),
            (3, 33, 128),
            (2, 5, 256),
            (1, 16, 112),
            (2, 8, 80),
            (2, 40, 6),
            (1, 1, 2),
            (0, 4, 64),
            (2, 17, 126),
        )
    ],
)
example(
    "column_sum",
    "column_sum_f32",
    "const float* x = small(n_rows * n_cols)\nfloat* out = zero(n_cols)\nint n_rows\nint n_cols",
    [
        {"n_rows": r, "n_cols": c}
        for r, c in ((128, 128), (300, 132), (129, 257), (1, 1), (0, 5), (5, 0), (64, 1000))
    ],
)

# M, N, K: whole tiles, ragged in whole vectors, ragged, one, none.
PRODUCTS = [
    {"M": m, "N": n, "K": k} for m, n, k in ((64, 128, 128), (70, 136, 72), (65, 33, 70), (1, 1, 1), (0, 8, 8))
]
SIZES = "int M\nint N\nint K"
for name in ("matmul", "matmul_descriptor"):
    example(
        name,
        f"{name}_f16",
        f"const float16* a = unit(M * stride_am)\nconst float16* b = unit(K * stride_bk)\nfloat16* c = out(M * stride_cm, {TOLERANCE})\n{SIZES}\n"
        "int stride_am\nint stride_bk\nint stride_cm",
        [
            {**run, "stride_am": run["K"] + pad, "stride_bk": run["N"] + pad, "stride_cm": run["N"] + pad}
            for run, pad in zip(PRODUCTS, (0, 8, 3, 0, 0))
        ],
    )
example(
    "matmul_bias_gelu",
    "matmul_bias_gelu_f16",
    f"const float16* x = unit(M * K)\nconst float16* w = unit(K * N)\nconst float16* bias = unit(N)\nfloat16* out = out(M * N, {TOLERANCE})\n{SIZES}",
    PRODUCTS,
)
example(
    "batched_matmul",
    "batched_matmul_f16",
    f"const float16* a = unit(batch * M * K)\nconst float16* b = unit(batch * K * N)\nfloat16* c = out(batch * M * N, {TOLERANCE})\nint batch\n{SIZES}",
    [{"batch": batch, **run} for run, batch in zip(PRODUCTS, (2, 3, 2, 1, 2))],
)
example(
    "int8_matmul",
    "int8_matmul_i8",
    f"const int8_t* a = small(M * K)\nconst int8_t* b = small(N * K)\nint* c = out(M * N)\n{SIZES}",
    PRODUCTS,
)
example(
    "flash_attention",
    "flash_attention_f16",
    "const float16* q = unit(heads * length * head_dim)\nconst float16* k = unit(heads * length * head_dim)\n"
    f"const float16* v = unit(heads * length * head_dim)\nfloat16* out = out(heads * length * head_dim, {TOLERANCE})\n"
    "int heads\nint length\nint head_dim\nfloat scale\nbool causal",
    [
        # A large scale separates the scores, so that the maximum of some rows changes more than once.
        {"heads": 2, "length": length, "head_dim": dim, "scale": scale, "causal": causal}
        for length, dim, causal, scale in (
            (130, 64, 0, 0.5),
            (130, 64, 1, 0.5),
            (97, 128, 0, 0.5),
            (200, 128, 1, 0.5),
            (330, 64, 1, 6.0),
            (140, 128, 0, 6.0),
            (1, 64, 1, 0.5),
            (0, 64, 0, 0.5),
        )
    ],
)
example(
    "split_k",
    "split_k_f16",
    f"const float16* a = small(M * K)\nconst float16* b = small(K * N)\nfloat* c = zero(M * N)\n{SIZES}\nint splits",
    [{**run, "splits": splits} for run, splits in zip(PRODUCTS, (2, 1, 3, 4, 2))],
)

GROUPED = (
    "const float16* a = small(rows * K)\nconst float16* b = small(groups * K * N)\nfloat16* c = out(rows * N)\n"
    "const int* starts = starts(groups + 1, rows)\nint rows\nint groups\nint N\nint K"
)
# Whole vectors, ragged; more groups than rows, one group, no row, no column, nothing to sum.
GROUPED_RUNS = [
    {"rows": r, "groups": g, "N": n, "K": k}
    for r, g, n, k in ((70, 4, 40, 48), (61, 5, 33, 50), (5, 9, 8, 16), (33, 1, 70, 7), (0, 3, 8, 8), (9, 2, 0, 8), (20, 3, 24, 0))
]
for m, n, k, warps, stages in ((32, 32, 16, (1, 2, 4), (2, 3, 4)), (16, 64, 32, (3, 4), (1, 2)), (64, 16, 16, (2, 8), (5, 3))):
    kernel = f"grouped_gemm<{m}, {n}, {k}>"
    variants("grouped_gemm", kernel, GROUPED, GROUPED_RUNS, warps, stages, f"grouped_gemm_{m}x{n}x{k}")

SPLIT = "heads * group * splits"
DECODE = (
    "const float16* q = unit(heads * group * head_dim)\nconst float16* k = unit(heads * length * head_dim)\n"
    f"const float16* v = unit(heads * length * head_dim)\nfloat* parts = out({SPLIT} * head_dim, 4e-3, 2e-2)\n"
    f"float* maxima = out({SPLIT}, 1e-5, 1e-4)\nfloat* sums = out({SPLIT}, 1e-3, 1e-3)\n"
    "int heads\nint group\nint length\nint head_dim\nint splits\nfloat scale"
)
for dim, block, warps, stages in ((64, 64, (1, 2, 4), (3, 2, 1)), (64, 32, (1, 3), (4, 2)), (128, 32, (1, 4), (2, 3))):
    runs = [
        {"heads": h, "group": g, "length": n, "head_dim": dim, "splits": s, "scale": 0.125}
        for h, g, n, s in ((2, 4, 192, 1), (1, 16, 200, 3), (2, 1, 33, 2), (1, 5, 1, 1), (1, 3, 5, 7), (1, 2, 0, 2), (0, 1, 8, 1))
    ]
    kernel = f"flash_decode<16, {block}, {dim}>"
    variants("flash_decode", kernel, DECODE, runs, warps, stages, f"flash_decode_{block}x{dim}")
COMBINE = (
    "const float* parts = unit(queries * splits * head_dim)\nconst float* maxima = unit(queries * splits)\n"
    "const float* sums = open(queries * splits)\n"
    "float16* out = out(queries * head_dim, TOLERANCE)\nint queries\nint head_dim\nint splits"
).replace("TOLERANCE", TOLERANCE)
for splits, warps in ((32, (1, 2, 4)), (8, (3, 8))):
    runs = [{"queries": q, "head_dim": 64, "splits": s} for q, s in ((3, splits), (2, splits - 3), (1, 1), (0, 2))]
    kernel = f"flash_decode_combine<{splits}, 64>"
    variants("flash_decode", kernel, COMBINE, runs, warps, (1,) * len(warps), f"flash_decode_combine_{splits}")
