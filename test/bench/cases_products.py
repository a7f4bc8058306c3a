"""What is timed of products of matrices and of attention; see cases.py."""

import os

import torch
import torch.nn.functional as F
import triton
from torch.nn.attention import SDPBackend, sdpa_kernel

import triton_kernels as tk
from cases import copy
from suite import DEVICE, HALF, case, launchers, normal, ours, over, sets, target

TFLOPS = "TFLOP/s"


def empty(*shape, dtype=HALF):
    return torch.empty(*shape, device=DEVICE, dtype=dtype)


def plain(m, n, k):
    """Our own product of f16 matrices: what products of other types and forms are compared with."""
    bytes_ = 2 * (m * k + k * n + m * n)
    buffers = [
        (normal(m, k, dtype=HALF), normal(k, n, dtype=HALF), empty(m, n))
        for _ in range(sets(bytes_))
    ]
    return ours("matmul", buffers, lambda a, b, c: (a, b, c, m, n, k, k, n, n)), buffers


def build_matmul(size):
    def build():
        mine, buffers = plain(size, size, size)

        def run(block_m, block_n, warps, stages):
            grid = (triton.cdiv(size, block_m) * triton.cdiv(size, block_n),)
            constants = dict(BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=64, GROUP_M=8)
            return over(
                buffers,
                lambda a, b, c: tk.matmul[grid](
                    a, b, c, size, size, size, **constants, num_warps=warps, num_stages=stages
                ),
            )

        strided = lambda a, b, c: (a, b, c, size, size, size, size, size, size)
        return (
            dict(
                ours=mine,
                target=target("matmul", buffers, strided),
                triton=[run(128, 256, 8, 3), run(128, 128, 4, 4), run(64, 128, 4, 4)],
                torch=[over(buffers, lambda a, b, c: torch.mm(a, b, out=c))],
            ),
            buffers[0][-1],
        )

    return build


for size in (1024, 2048, 4096, 8192):
    case(
        "products",
        f"matmul f16 {size}",
        "matmul",
        2 * size**3,
        build_matmul(size),
        TFLOPS,
        target=0.97,
    )


def build_int8(size):
    def build():
        integers = lambda: torch.randint(-128, 128, (size, size), device=DEVICE, dtype=torch.int8)
        c = lambda: empty(size, size, dtype=torch.int32)
        buffers = [(integers(), integers(), c()) for _ in range(sets(6 * size * size))]
        return (
            dict(
                ours=ours("int8_matmul", buffers, lambda a, b, c: (a, b, c, size, size, size)),
                torch=[over(buffers, lambda a, b, c: torch._int_mm(a, b.T))],
                own=plain(size, size, size)[0],
            ),
            buffers[0][-1],
        )

    return build


def build_tf32(size):
    def build():
        torch.backends.cuda.matmul.allow_tf32 = True
        c = lambda: empty(size, size, dtype=torch.float32)
        count = sets(12 * size * size)
        buffers = [(normal(size, size), normal(size, size), c()) for _ in range(count)]
        return (
            dict(
                ours=ours("tf32_matmul", buffers, lambda a, b, c: (a, b, c, size, size, size)),
                torch=[over(buffers, lambda a, b, c: torch.mm(a, b, out=c))],
                own=plain(size, size, size)[0],
            ),
            buffers[0][-1],
        )

    return build


def build_bias_gelu(m, n, k):
    def build():
        bytes_ = 2 * (m * k + k * n + m * n)
        bias = normal(n, dtype=HALF)
        buffers = [
            (normal(m, k, dtype=HALF), normal(k, n, dtype=HALF) * k**-0.5, empty(m, n))
            for _ in range(sets(bytes_))
        ]
        unfused = lambda x, w, out: F.gelu(torch.addmm(bias, x, w), approximate="tanh")
        return (
            dict(
                ours=ours(
                    "matmul_bias_gelu", buffers, lambda x, w, out: (x, w, bias, out, m, n, k)
                ),
                torch=[over(buffers, unfused)],
                own=plain(m, n, k)[0],
            ),
            buffers[0][-1],
        )

    return build


def build_batched(batch, m, n, k):
    def build():
        bytes_ = 2 * batch * (m * k + k * n + m * n)
        buffers = [
            (normal(batch, m, k, dtype=HALF), normal(batch, k, n, dtype=HALF), empty(batch, m, n))
            for _ in range(sets(bytes_))
        ]
        return (
            dict(
                ours=ours("batched_matmul", buffers, lambda a, b, c: (a, b, c, batch, m, n, k)),
                torch=[over(buffers, lambda a, b, c: torch.bmm(a, b, out=c))],
                own=plain(batch * m, n, k)[0],
            ),
            buffers[0][-1],
        )

    return build


def build_split_k(kernel, m, n, k, splits, same):
    def build():
        bytes_ = 2 * (m * k + k * n) + 4 * m * n
        buffers = [
            (normal(m, k, dtype=HALF), normal(k, n, dtype=HALF), empty(m, n, dtype=torch.float32))
            for _ in range(sets(bytes_))
        ]

        def mine(a, b, c):
            launchers.zero(c)
            launchers.ours(kernel, a, b, c, m, n, k, splits)

        c16 = empty(m, n)
        return (
            dict(
                ours=[over(buffers, mine)],
                torch=[over(buffers, lambda a, b, c: torch.mm(a, b, out=c16))],
                own=plain(*same)[0],
            ),
            buffers[0][-1],
        )

    return build


def build_grouped(heights, n, k):
    def build():
        rows, groups = sum(heights), len(heights)
        starts = torch.tensor([0, *heights], device=DEVICE).cumsum(0).to(torch.int32)
        bytes_ = 2 * (rows * k + groups * k * n + rows * n)
        buffers = [
            (normal(rows, k, dtype=HALF), normal(groups, k, n, dtype=HALF), empty(rows, n))
            for _ in range(sets(bytes_))
        ]
        arguments = lambda a, b, c: (a, b, c, starts, rows, groups, n, k)
        return (
            dict(ours=ours("grouped_gemm", buffers, arguments), own=plain(rows, n, k)[0]),
            buffers[0][-1],
        )

    return build


case(
    "products", "int8 4096", "int8_matmul", 2 * 4096**3, build_int8(4096), TFLOPS, own=1.6
)  # fmt: skip
case(
    "products", "tf32 4096", "tf32_matmul", 2 * 4096**3, build_tf32(4096), TFLOPS, own=0.45
)  # fmt: skip
case(
    "products",
    "bias + gelu f16 4096",
    "matmul_bias_gelu",
    2 * 4096**3,
    build_bias_gelu(4096, 4096, 4096),
    TFLOPS,
)
case(
    "products",
    "batched f16 8 x 2048",
    "batched_matmul",
    16 * 2048**3,
    build_batched(8, 2048, 2048, 2048),
    TFLOPS,
    own=0.95,
)
# 8 tiles of 128 x 256, 16 programs each; as many operations as 2048 x 2048 x 4096, in as many programs. The text for sm_90 adds
# four floats at a time.
SPLIT_K = {"split-K": "split_k"}
if os.environ.get("ARCH") == "90a":
    SPLIT_K["sm_90 split-K"] = "sm_90_split_k"
for name, kernel in SPLIT_K.items():
    case(
        "products",
        f"{name} f16 512 x 512 x 65536",
        kernel,
        2 * 512 * 512 * 65536,
        build_split_k(kernel, 512, 512, 65536, 16, (2048, 2048, 4096)),
        TFLOPS,
        own=0.95,
    )
HEIGHTS = (1900, 1024, 0, 4096, 3000, 128, 2176, 4060)
case(
    "products",
    f"grouped f16 {sum(HEIGHTS)} rows x 2048 x 2048",
    "grouped_gemm",
    2 * sum(HEIGHTS) * 2048**2,
    build_grouped(HEIGHTS, 2048, 2048),
    TFLOPS,
)

# ---- attention


def sdpa(backend, causal=False):
    def call(q, k, v, out):
        with sdpa_kernel(backend):
            F.scaled_dot_product_attention(q, k, v, is_causal=causal)

    return call


def build_attention(batch, length, dim, causal):
    def build():
        heads = 2048 // dim
        bytes_ = 8 * batch * heads * length * dim
        shape = (batch, heads, length, dim)
        buffers = [
            (*(normal(*shape, dtype=HALF) for _ in range(3)), empty(*shape))
            for _ in range(sets(bytes_))
        ]
        arguments = lambda q, k, v, out: (
            (q, k, v, out, batch * heads, length, dim, dim**-0.5, causal)
        )
        return (
            dict(
                ours=ours("flash_attention", buffers, arguments),
                torch=[over(buffers, sdpa(SDPBackend.FLASH_ATTENTION, causal))],
                cudnn=[over(buffers, sdpa(SDPBackend.CUDNN_ATTENTION, causal))],
            ),
            buffers[0][-1],
        )

    return build


for dim in (64, 128):
    for length in (1024, 4096, 16384):
        for causal in (False, True):
            batch = 16384 // length
            case(
                "attention",
                f"attention D {dim}, {length}, {'causal' if causal else 'full'}",
                "flash_attention",
                4 * batch * 2048 * length**2 * (0.5 if causal else 1),
                build_attention(batch, length, dim, causal),
                TFLOPS,
                torch=0.9,
            )


def build_decode(batch, heads, group, length, dim, splits):
    def build():
        bytes_ = 4 * batch * heads * length * dim
        cache = (batch, heads, length, dim)
        rows = (batch, heads, group, dim)
        q, out = normal(*rows, dtype=HALF), empty(*rows)
        all_heads, queries = batch * heads, batch * heads * group
        parts = empty(queries * splits * dim, dtype=torch.float32)
        maxima, sums = (empty(queries * splits, dtype=torch.float32) for _ in range(2))
        buffers = [
            (q, normal(*cache, dtype=HALF), normal(*cache, dtype=HALF), out)
            for _ in range(sets(bytes_))
        ]

        def mine(q, k, v, out):
            sizes = (all_heads, group, length, dim, splits, dim**-0.5)
            launchers.ours("flash_decode", q, k, v, parts, maxima, sums, *sizes)
            launchers.ours("flash_decode_combine", parts, maxima, sums, out, queries, dim, splits)

        return (
            dict(
                ours=[over(buffers, mine)],
                torch=[over(buffers, sdpa(SDPBackend.FLASH_ATTENTION))],
                copy=copy(bytes_),
            ),
            out,
        )

    return build


for batch, heads, group, length, splits in ((8, 32, 1, 16384, 8), (8, 8, 8, 16384, 32)):
    case(
        "extra",
        f"decode f16 {batch * heads} heads, {group} queries each, {length} x 128",
        "flash_decode",
        4 * batch * heads * length * 128,
        build_decode(batch, heads, group, length, 128, splits),
    )
