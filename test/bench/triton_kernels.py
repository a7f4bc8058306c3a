"""The Triton side of the comparison: the same kernels as a Triton user writes them."""

import triton
import triton.language as tl


@triton.jit
def copy(x, y, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + offsets, tl.load(x + offsets, mask=offsets < n), mask=offsets < n)


@triton.jit
def vector_add(a, b, c, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(
        c + offsets, tl.load(a + offsets, mask=mask) + tl.load(b + offsets, mask=mask), mask=mask
    )


@triton.jit
def gelu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    u = 0.7978845608 * (x + 0.044715 * x * x * x)
    tl.store(y_ptr + offsets, x * tl.sigmoid(2.0 * u), mask=mask)


@triton.jit
def softmax(x, y, n_cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    v = tl.load(x + row * stride + cols, mask=mask, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * stride + cols, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def softmax_online(x, y, n_cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    m = tl.full((BLOCK,), -float("inf"), tl.float32)
    s = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, n_cols, BLOCK):
        v = tl.load(x + row * stride + k + cols, mask=k + cols < n_cols, other=-float("inf"))
        new_m = tl.maximum(m, v)
        s = s * tl.exp(m - new_m) + tl.exp(v - new_m)
        m = new_m
    row_max = tl.max(m, 0)
    row_sum = tl.sum(s * tl.exp(m - row_max), 0)
    for k in range(0, n_cols, BLOCK):
        mask = k + cols < n_cols
        v = tl.load(x + row * stride + k + cols, mask=mask, other=0.0)
        tl.store(y + row * stride + k + cols, tl.exp(v - row_max) / row_sum, mask=mask)


@triton.jit
def layer_norm(x, weight, bias, y, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * n + cols, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / n
    d = tl.where(mask, v - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    w = tl.load(weight + cols, mask=mask).to(tl.float32)
    b = tl.load(bias + cols, mask=mask).to(tl.float32)
    tl.store(y + row * n + cols, d * rstd * w + b, mask=mask)


@triton.jit
def residual_layernorm_dropout(x, residual, weight, bias, y, n, eps, p, seed, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * n + cols, mask=mask, other=0.0).to(tl.float32)
    v += tl.load(residual + row * n + cols, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / n
    d = tl.where(mask, v - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    w = tl.load(weight + cols, mask=mask).to(tl.float32)
    b = tl.load(bias + cols, mask=mask).to(tl.float32)
    out = d * rstd * w + b
    keep = tl.rand(seed, row * n + cols) > p
    tl.store(y + row * n + cols, tl.where(keep, out / (1 - p), 0.0), mask=mask)


@triton.jit
def column_sum(x, out, rows, cols, ROWS: tl.constexpr, DEPTH: tl.constexpr, WIDTH: tl.constexpr):
    n = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    first = tl.program_id(1) * ROWS
    acc = tl.zeros((DEPTH, WIDTH), tl.float32)
    for k in range(0, ROWS, DEPTH):
        m = first + k + tl.arange(0, DEPTH)
        mask = (m[:, None] < rows) & (n[None, :] < cols)
        acc += tl.load(x + m[:, None] * cols + n[None, :], mask=mask, other=0.0)
    tl.atomic_add(out + n, tl.sum(acc, 0), mask=n < cols, sem="relaxed")


@triton.jit
def row_argmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + cols, mask=cols < n, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, 0))


@triton.jit
def cumsum(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * n + cols, mask=mask, other=0.0)
    tl.store(y + row * n + cols, tl.cumsum(v, 0), mask=mask)


@triton.jit
def tile_of(pid, m, n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    """Which tile of a product is a program's: groups of GROUP_M rows of tiles, column by column."""
    tiles_m = tl.cdiv(m, BLOCK_M)
    tiles_n = tl.cdiv(n, BLOCK_N)
    first_m = pid // (GROUP_M * tiles_n) * GROUP_M
    group_m = tl.minimum(tiles_m - first_m, GROUP_M)
    return first_m + (pid % (GROUP_M * tiles_n)) % group_m, (pid % (GROUP_M * tiles_n)) // group_m


@triton.jit
def matmul(
    a, b, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):  # fmt: skip
    pid_m, pid_n = tile_of(tl.program_id(0), m, n, BLOCK_M, BLOCK_N, GROUP_M)
    rows = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % m
    cols = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % n
    ks = tl.arange(0, BLOCK_K)
    a_ptrs = a + rows[:, None] * k + ks[None, :]
    b_ptrs = b + ks[:, None] * n + cols[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        x = tl.load(a_ptrs, mask=ks[None, :] < k - start, other=0.0)
        y = tl.load(b_ptrs, mask=ks[:, None] < k - start, other=0.0)
        acc = tl.dot(x, y, acc)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * n
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], acc.to(tl.float16), mask=mask)


@triton.jit
def split_k(
    a, b, c, m, n, k, depth, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """c: float32 [m, n], to which the programs of a tile add; depth: of each, a multiple of BLOCK_K."""
    tiles_n = tl.cdiv(n, BLOCK_N)
    rows = (tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)) % m
    cols = (tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)) % n
    first = tl.program_id(1) * depth
    ks = tl.arange(0, BLOCK_K)
    a_ptrs = a + rows[:, None] * k + (first + ks[None, :])
    b_ptrs = b + (first + ks[:, None]) * n + cols[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(first, tl.minimum(first + depth, k), BLOCK_K):
        x = tl.load(a_ptrs, mask=ks[None, :] < k - start, other=0.0)
        y = tl.load(b_ptrs, mask=ks[:, None] < k - start, other=0.0)
        acc = tl.dot(x, y, acc)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * n
    rows = tl.program_id(0) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(0) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.atomic_add(c + rows[:, None] * n + cols[None, :], acc, mask=mask, sem="relaxed")


@triton.jit
def matmul_weights(
    a, w, scale, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):  # fmt: skip
    """w: int8 [n, k], whose rows have a scale each."""
    pid_m, pid_n = tile_of(tl.program_id(0), m, n, BLOCK_M, BLOCK_N, GROUP_M)
    rows = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % m
    cols = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % n
    ks = tl.arange(0, BLOCK_K)
    a_ptrs = a + rows[:, None] * k + ks[None, :]
    w_ptrs = w + cols[None, :] * k + ks[:, None]
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        x = tl.load(a_ptrs, mask=ks[None, :] < k - start, other=0.0)
        y = tl.load(w_ptrs, mask=ks[:, None] < k - start, other=0)
        acc = tl.dot(x, y.to(tl.float16), acc)
        a_ptrs += BLOCK_K
        w_ptrs += BLOCK_K
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    acc *= tl.load(scale + cols, mask=cols < n, other=0.0)[None, :]
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], acc.to(tl.float16), mask=mask)


@triton.jit
def matmul_weights4(
    a, w, scale, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):  # fmt: skip
    """w: two weights of 4 bits in a byte, uint8 [n, k / 2]; scale: [n, k / 128]."""
    pid_m, pid_n = tile_of(tl.program_id(0), m, n, BLOCK_M, BLOCK_N, GROUP_M)
    rows = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % m
    cols = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % n
    ks = tl.arange(0, BLOCK_K)
    pairs = tl.arange(0, BLOCK_K // 2)
    a_ptrs = a + rows[:, None] * k + ks[None, :]
    w_ptrs = w + cols[:, None] * (k // 2) + pairs[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, k, BLOCK_K):
        x = tl.load(a_ptrs, mask=ks[None, :] < k - start, other=0.0)
        y = tl.load(w_ptrs, mask=pairs[None, :] < (k - start) // 2, other=0)
        s = tl.load(scale + cols * (k // 128) + start // 128)
        low = ((y & 15).to(tl.int32) - 8).to(tl.float16)
        high = ((y >> 4).to(tl.int32) - 8).to(tl.float16)
        acc = tl.dot(x, (tl.interleave(low, high) * s[:, None]).T, acc)
        a_ptrs += BLOCK_K
        w_ptrs += BLOCK_K // 2
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], acc.to(tl.float16), mask=mask)


@triton.jit
def matmul_tma(
    a, b, c, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr, PROGRAMS: tl.constexpr, TRANSPOSED: tl.constexpr, HALVES: tl.constexpr,
):  # fmt: skip
    """For Hopper: through tensor descriptors, persistent; b is [n, k] where TRANSPOSED. HALVES: c is
    stored in two blocks, which leaves room for one more stage."""
    tiles_m = tl.cdiv(m, BLOCK_M)
    tiles_n = tl.cdiv(n, BLOCK_N)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=True):
        pid_m, pid_n = tile_of(tile, m, n, BLOCK_M, BLOCK_N, GROUP_M)
        row = pid_m * BLOCK_M
        col = pid_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for step in range(tl.cdiv(k, BLOCK_K)):
            x = a.load([row, step * BLOCK_K])
            if TRANSPOSED:
                y = b.load([col, step * BLOCK_K]).T
            else:
                y = b.load([step * BLOCK_K, col])
            acc = tl.dot(x, y, acc)
        if HALVES:
            halves = tl.permute(tl.reshape(acc, (BLOCK_M, 2, BLOCK_N // 2)), (0, 2, 1))
            left, right = tl.split(halves)
            c.store([row, col], left.to(c.dtype))
            c.store([row, col + BLOCK_N // 2], right.to(c.dtype))
        else:
            c.store([row, col], acc.to(c.dtype))
