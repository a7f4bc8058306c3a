"""The gradients of attention in Triton, as the loops of its tutorial on fused attention go: whole blocks alone."""

import triton
import triton.language as tl


@triton.jit
def step_of_queries(
    acc, queries, gradients, lse, delta, rows, k, v, start, scale_log2,
    BLOCK_N: tl.constexpr, D: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    keys = start + tl.arange(0, BLOCK_N)
    dims = tl.arange(0, D)
    k_tile = tl.load(k + keys[None, :] * D + dims[:, None])
    v_tile = tl.load(v + keys[None, :] * D + dims[:, None])
    p = tl.exp2(tl.dot(queries, k_tile) * scale_log2 - lse[:, None])
    if MASKED:
        p = tl.where(keys[None, :] <= rows[:, None], p, 0.0)
    ds = p * (tl.dot(gradients, v_tile) - delta[:, None])
    return tl.dot(ds.to(tl.float16), tl.trans(k_tile), acc)


@triton.jit
def gradient_of_queries(
    q, k, v, d_out, lse, delta, dq, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    block = tl.program_id(0)
    if CAUSAL:
        block = tl.num_programs(0) - 1 - block
    head = tl.program_id(1).to(tl.int64)
    base = head * length * D
    rows = block * BLOCK_M + tl.arange(0, BLOCK_M)
    at = base + rows[:, None] * D + tl.arange(0, D)[None, :]
    queries = tl.load(q + at)
    gradients = tl.load(d_out + at)
    row_lse = tl.load(lse + head * length + rows)
    row_delta = tl.load(delta + head * length + rows)
    acc = tl.zeros((BLOCK_M, D), tl.float32)
    scale_log2 = scale * 1.44269504
    whole = block * BLOCK_M if CAUSAL else length
    for start in range(0, whole, BLOCK_N):
        acc = step_of_queries(acc, queries, gradients, row_lse, row_delta, rows, k + base, v + base,
                              start, scale_log2, BLOCK_N, D, False)  # fmt: skip
    if CAUSAL:
        for start in range(whole, whole + BLOCK_M, BLOCK_N):
            acc = step_of_queries(acc, queries, gradients, row_lse, row_delta, rows, k + base,
                                  v + base, start, scale_log2, BLOCK_N, D, True)  # fmt: skip
    tl.store(dq + at, (acc * scale).to(tl.float16))


@triton.jit
def step_of_keys(
    dk, dv, k_tile, v_tile, keys, q, d_out, lse, delta, start, scale_log2,
    BLOCK_M: tl.constexpr, D: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    rows = start + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, D)
    queries = tl.load(q + rows[None, :] * D + dims[:, None])
    row_lse = tl.load(lse + rows)
    p = tl.exp2(tl.dot(k_tile, queries) * scale_log2 - row_lse[None, :])
    if MASKED:
        p = tl.where(keys[:, None] <= rows[None, :], p, 0.0)
    gradients = tl.load(d_out + rows[:, None] * D + dims[None, :])
    dv = tl.dot(p.to(tl.float16), gradients, dv)
    row_delta = tl.load(delta + rows)
    ds = p * (tl.dot(v_tile, tl.trans(gradients)) - row_delta[None, :])
    dk = tl.dot(ds.to(tl.float16), tl.trans(queries), dk)
    return dk, dv


@triton.jit
def gradients_of_keys(
    q, k, v, d_out, lse, delta, dk_out, dv_out, length, scale,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    base = head * length * D
    first = tl.program_id(0) * BLOCK_N
    keys = first + tl.arange(0, BLOCK_N)
    at = base + keys[:, None] * D + tl.arange(0, D)[None, :]
    k_tile = tl.load(k + at)
    v_tile = tl.load(v + at)
    dk = tl.zeros((BLOCK_N, D), tl.float32)
    dv = tl.zeros((BLOCK_N, D), tl.float32)
    scale_log2 = scale * 1.44269504
    lse += head * length
    delta += head * length
    whole = 0
    if CAUSAL:
        whole = first + BLOCK_N
        for start in range(first, whole, BLOCK_M):
            dk, dv = step_of_keys(dk, dv, k_tile, v_tile, keys, q + base, d_out + base, lse, delta,
                                  start, scale_log2, BLOCK_M, D, True)  # fmt: skip
    for start in range(whole, length, BLOCK_M):
        dk, dv = step_of_keys(dk, dv, k_tile, v_tile, keys, q + base, d_out + base, lse, delta,
                              start, scale_log2, BLOCK_M, D, False)  # fmt: skip
    tl.store(dv_out + at, dv.to(tl.float16))
    tl.store(dk_out + at, (dk * scale).to(tl.float16))
