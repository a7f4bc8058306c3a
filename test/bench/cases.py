"""What is timed of the memory-bound kernels: shapes, the calls of each side, and the bars that the ratios have to reach."""

import torch
import torch.nn.functional as F
import triton

import triton_kernels as tk
from suite import DEVICE, HALF, case, launchers, normal, ours, over, sets, target


def copy(bytes_):
    """A plain copy that moves the same bytes."""
    n = bytes_ // 8
    buffers = [(normal(n), torch.empty(n, device=DEVICE)) for _ in range(sets(bytes_))]

    def run(block, warps):
        grid = (triton.cdiv(n, block),)
        return over(buffers, lambda x, y: tk.copy[grid](x, y, n, BLOCK=block, num_warps=warps))

    return [run(1024, 4), run(2048, 8)]


# ---- element-wise


def build_add(n, shift):
    def build():
        a, b = normal(n + 1)[shift : n + shift], normal(n + 1)[shift : n + shift]
        c = torch.empty(n + 1, device=DEVICE)[shift : n + shift]
        buffers = [(a, b, c)]

        def run(block, warps):
            grid = (triton.cdiv(n, block),)
            return over(
                buffers,
                lambda a, b, c: tk.vector_add[grid](a, b, c, n, BLOCK=block, num_warps=warps),
            )

        return (
            dict(
                ours=ours("vector_add", buffers, lambda a, b, c: (a, b, c, n)),
                target=target("vector_add", buffers, lambda a, b, c: (a, b, c, n)),
                triton=[run(1024, 4), run(2048, 8)],
                torch=[over(buffers, lambda a, b, c: torch.add(a, b, out=c))],
                copy=copy(12 * n),
            ),
            c,
        )

    return build


for n, shift, name in (
    (1 << 28, 0, "2^28"),
    ((1 << 28) - 5, 0, "2^28 - 5"),
    ((1 << 28) - 5, 1, "2^28 - 5, unaligned"),
):
    case(
        "add", f"add f32 {name}", "vector_add", 12 * n, build_add(n, shift), triton=0.99, copy=0.97
    )


def build_gelu(n):
    def build():
        x, y = normal(n, dtype=HALF), torch.empty(n, device=DEVICE, dtype=HALF)
        buffers = [(x, y)]

        def run(block, warps):
            grid = (triton.cdiv(n, block),)
            return over(buffers, lambda x, y: tk.gelu[grid](x, y, n, BLOCK=block, num_warps=warps))

        gelu_out = torch.ops.aten.gelu.out
        return (
            dict(
                ours=ours("gelu", buffers, lambda x, y: (x, y, n)),
                target=target("gelu", buffers, lambda x, y: (x, y, n)),
                triton=[run(1024, 4), run(2048, 4), run(4096, 8)],
                torch=[over(buffers, lambda x, y: gelu_out(x, approximate="tanh", out=y))],
                copy=copy(4 * n),
            ),
            y,
        )

    return build


case("gelu", "gelu f16 2^28", "gelu", 4 << 28, build_gelu(1 << 28), triton=0.99, copy=0.97)
odd = (1 << 28) - 5
case("gelu", "gelu f16 2^28 - 5", "gelu", 4 * odd, build_gelu(odd), triton=2.8, copy=0.97)

# ---- rows


def rows(count, n_rows, n_cols, dtype, inputs=1):
    """Buffer sets of `inputs` matrices of data and one for the result."""
    return [
        tuple(normal(n_rows, n_cols, dtype=dtype) for _ in range(inputs))
        + (torch.empty(n_rows, n_cols, device=DEVICE, dtype=dtype),)
        for _ in range(count)
    ]


def warps(block, least, most):
    """The num_warps that leave a thread `least` to `most` elements."""
    return [w for w in (1, 2, 4, 8, 16) if least <= block // (32 * w) <= most]


def build_softmax(n_rows, n_cols):
    def build():
        bytes_ = 8 * n_rows * n_cols
        buffers = rows(sets(bytes_), n_rows, n_cols, torch.float32)
        block = triton.next_power_of_2(n_cols)

        def run(w):
            kernel = tk.softmax[(n_rows,)]
            return over(
                buffers, lambda x, y: kernel(x, y, n_cols, n_cols, BLOCK=block, num_warps=w)
            )

        return (
            dict(
                ours=ours("softmax", buffers, lambda x, y: (x, y, n_rows, n_cols, n_cols)),
                target=target(
                    "softmax", buffers, lambda x, y: (x, y, n_rows, n_cols, n_cols, n_cols)
                ),
                triton=[run(w) for w in warps(block, 8, 64)],
                torch=[over(buffers, lambda x, y: torch.softmax(x, -1, out=y))],
                copy=copy(bytes_),
            ),
            buffers[0][-1],
        )

    return build


SOFTMAX = [(4096, n) for n in (256, 1000, 1024, 4096, 6000, 8192, 16384)] + [(32768, 8192)]
for n_rows, n_cols in SOFTMAX:
    case(
        "softmax",
        f"softmax f32 {n_rows} x {n_cols}",
        "softmax",
        8 * n_rows * n_cols,
        build_softmax(n_rows, n_cols),
        triton=0.99,
        torch=1.0,
    )


def build_softmax_online(n_rows, n_cols):
    def build():
        bytes_ = 8 * n_rows * n_cols
        buffers = rows(sets(bytes_), n_rows, n_cols, torch.float32)

        def run(block, w):
            kernel = tk.softmax_online[(n_rows,)]
            return over(
                buffers, lambda x, y: kernel(x, y, n_cols, n_cols, BLOCK=block, num_warps=w)
            )

        wide = lambda x, y: (x, y, n_rows, n_cols, n_cols, n_cols)  # more than 16384 columns
        return (
            dict(
                ours=ours("softmax_online", buffers, lambda x, y: (x, y, n_rows, n_cols, n_cols)),
                target=target("softmax", buffers, wide),
                triton=[run(16384, 32), run(8192, 16), run(4096, 8)],
                torch=[over(buffers, lambda x, y: torch.softmax(x, -1, out=y))],
                copy=copy(bytes_),
            ),
            buffers[0][-1],
        )

    return build


case(
    "softmax_online",
    "softmax f32 4096 x 131072",
    "softmax_online",
    8 * 4096 * 131072,
    build_softmax_online(4096, 131072),
    target=0.98,
    triton=1.1,
)


def build_layer_norm(n_rows, n_cols):
    def build():
        bytes_ = 4 * n_rows * n_cols
        buffers = rows(sets(bytes_), n_rows, n_cols, HALF)
        w, b = normal(n_cols, dtype=HALF), normal(n_cols, dtype=HALF)
        mean, rstd = (torch.empty(n_rows, 1, device=DEVICE) for _ in range(2))
        block = triton.next_power_of_2(n_cols)
        torch_out = torch.ops.aten.native_layer_norm.out

        def run(v):
            kernel = tk.layer_norm[(n_rows,)]
            return over(
                buffers, lambda x, y: kernel(x, w, b, y, n_cols, 1e-5, BLOCK=block, num_warps=v)
            )

        return (
            dict(
                ours=ours(
                    "layer_norm", buffers, lambda x, y: (x, w, b, y, n_rows, n_cols, n_cols, 1e-5)
                ),
                target=target(
                    "layer_norm", buffers, lambda x, y: (x, w, b, y, n_rows, n_cols, 1e-5)
                ),
                triton=[run(v) for v in warps(block, 16, 64)],
                torch=[
                    over(
                        buffers,
                        lambda x, y: torch_out(
                            x, [n_cols], w, b, 1e-5, out0=y, out1=mean, out2=rstd
                        ),
                    )
                ],
                copy=copy(bytes_),
            ),
            buffers[0][-1],
        )

    return build


def build_dropout(n_rows, n_cols):
    def build():
        bytes_ = 6 * n_rows * n_cols
        buffers = rows(sets(bytes_), n_rows, n_cols, HALF, inputs=2)
        w, b = normal(n_cols, dtype=HALF), normal(n_cols, dtype=HALF)
        block = triton.next_power_of_2(n_cols)
        kernel = tk.residual_layernorm_dropout[(n_rows,)]
        arguments = lambda x, r, y: (x, r, w, b, y, n_rows, n_cols, 1e-5, 0.1, 123)

        def run(v):
            return over(
                buffers,
                lambda x, r, y: kernel(
                    x, r, w, b, y, n_cols, 1e-5, 0.1, 123, BLOCK=block, num_warps=v
                ),
            )

        unfused = lambda x, r, y: F.dropout(F.layer_norm(x + r, (n_cols,), w, b), 0.1)
        return (
            dict(
                ours=ours("residual_layernorm_dropout", buffers, arguments),
                target=target("residual_layernorm_dropout", buffers, arguments),
                triton=[run(v) for v in warps(block, 16, 64)],
                torch=[over(buffers, unfused)],
                copy=copy(bytes_),
            ),
            buffers[0][-1],
        )

    return build


for n_cols in (1024, 4096, 5000, 8192, 16384):
    case(
        "layer_norm",
        f"layer norm f16 16384 x {n_cols}",
        "layer_norm",
        4 * 16384 * n_cols,
        build_layer_norm(16384, n_cols),
        triton=3.0 if n_cols == 5000 else 0.99,
    )
for n_cols in (1024, 4096, 5000, 8192, 16384):
    case(
        "dropout",
        f"res + ln + dropout f16 16384 x {n_cols}",
        "residual_layernorm_dropout",
        6 * 16384 * n_cols,
        build_dropout(16384, n_cols),
        triton=2.2 if n_cols == 1024 else 2.8,
    )

# ---- reductions and scans


def build_column_sum(n_rows, n_cols):
    def build():
        bytes_ = 4 * n_rows * n_cols
        buffers = [(normal(n_rows, n_cols),) for _ in range(sets(bytes_))]
        y = torch.empty(n_cols, device=DEVICE)

        def run(depth, width, part, w, clear):
            grid = (n_cols // width, triton.cdiv(n_rows, part))

            def call(x):
                clear(y)
                tk.column_sum[grid](
                    x, y, n_rows, n_cols, ROWS=part, DEPTH=depth, WIDTH=width, num_warps=w
                )

            return over(buffers, call)

        def mine(x):
            launchers.zero(y)
            launchers.ours("column_sum", x, y, n_rows, n_cols)

        fill = lambda t: t.zero_()  # torch's own: a kernel, where the others use a memset
        return (
            dict(
                ours=[over(buffers, mine)],
                target=target("column_sum", buffers, lambda x: (x, y, n_rows, n_cols)),
                triton=[run(32, 256, 128, 8, launchers.zero), run(32, 128, 128, 4, launchers.zero)],
                triton_fill=[run(32, 256, 128, 8, fill), run(32, 128, 128, 4, fill)],
                torch=[over(buffers, lambda x: torch.sum(x, 0, out=y))],
            ),
            y,
        )

    return build


def build_argmax(n_rows, n_cols):
    def build():
        buffers = [(normal(n_rows, n_cols),) for _ in range(sets(4 * n_rows * n_cols))]
        i = torch.empty(n_rows, device=DEVICE, dtype=torch.int32)
        j = torch.empty(n_rows, device=DEVICE, dtype=torch.int64)
        kernel = tk.row_argmax[(n_rows,)]

        def run(w):
            return over(buffers, lambda x: kernel(x, i, n_cols, BLOCK=n_cols, num_warps=w))

        return (
            dict(
                ours=ours("row_argmax", buffers, lambda x: (x, i, n_rows, n_cols)),
                target=target("row_argmax", buffers, lambda x: (x, i, n_rows, n_cols)),
                triton=[run(4), run(8)],
                torch=[over(buffers, lambda x: torch.argmax(x, 1, out=j))],
            ),
            i,
        )

    return build


def build_cumsum(n_rows, n_cols):
    def build():
        bytes_ = 8 * n_rows * n_cols
        buffers = rows(sets(bytes_), n_rows, n_cols, torch.float32)
        kernel = tk.cumsum[(n_rows,)]

        def run(w):
            return over(buffers, lambda x, y: kernel(x, y, n_cols, BLOCK=n_cols, num_warps=w))

        return (
            dict(
                ours=ours("cumsum", buffers, lambda x, y: (x, y, n_rows, n_cols)),
                target=target("cumsum", buffers, lambda x, y: (x, y, n_rows, n_cols)),
                triton=[run(4), run(8)],
                torch=[over(buffers, lambda x, y: torch.cumsum(x, 1, out=y))],
                copy=copy(bytes_),
            ),
            buffers[0][-1],
        )

    return build


for n_rows in (4096, 16384):
    case(
        "reduce",
        f"column sum f32 {n_rows} x 4096",
        "column_sum",
        4 * n_rows * 4096,
        build_column_sum(n_rows, 4096),
        triton=1.08,
    )
case(
    "reduce",
    "row argmax f32 4096 x 4096",
    "row_argmax",
    4 << 24,
    build_argmax(4096, 4096),
    triton=0.99,
)
case("reduce", "cumsum f32 4096 x 4096", "cumsum", 8 << 24, build_cumsum(4096, 4096), triton=0.99)

# ---- examples without a bar: torch and a plain copy for comparison


def build_swiglu(n):
    def build():
        g, u, y = (
            normal(n, dtype=HALF),
            normal(n, dtype=HALF),
            torch.empty(n, device=DEVICE, dtype=HALF),
        )
        return (
            dict(
                ours=ours("swiglu", [(g, u, y)], lambda g, u, y: (g, u, y, n)),
                torch=[[lambda: torch.mul(F.silu(g), u, out=y)]],
                copy=copy(6 * n),
            ),
            y,
        )

    return build


def build_rms_norm(n_rows, n_cols):
    def build():
        bytes_ = 4 * n_rows * n_cols
        buffers = rows(sets(bytes_), n_rows, n_cols, HALF)
        w = normal(n_cols, dtype=HALF)
        return (
            dict(
                ours=ours(
                    "rms_norm", buffers, lambda x, y: (x, w, y, n_rows, n_cols, n_cols, 1e-5)
                ),
                torch=[over(buffers, lambda x, y: F.rms_norm(x, (n_cols,), w, 1e-5))],
                copy=copy(bytes_),
            ),
            buffers[0][-1],
        )

    return build


def build_rope(tokens, heads, dim):
    def build():
        bytes_ = 4 * tokens * heads * dim
        buffers = rows(sets(bytes_), tokens, heads * dim, HALF)
        c, s = normal(tokens, dim // 2), normal(tokens, dim // 2)
        return (
            dict(
                ours=ours("rope", buffers, lambda x, y: (x, c, s, y, tokens, heads, dim)),
                copy=copy(bytes_),
            ),
            buffers[0][-1],
        )

    return build


def build_cross_entropy(n_rows, n_cols):
    def build():
        buffers = [(normal(n_rows, n_cols),)]
        t = torch.randint(0, n_cols, (n_rows,), device=DEVICE)
        loss = torch.empty(n_rows, device=DEVICE)
        return (
            dict(
                ours=ours(
                    "cross_entropy", buffers, lambda x: (x, t, loss, n_rows, n_cols, n_cols, -100)
                ),
                torch=[over(buffers, lambda x: F.cross_entropy(x, t, reduction="none"))],
            ),
            loss,
        )

    return build


case("extra", "swiglu f16 2^27", "swiglu", 6 << 27, build_swiglu(1 << 27))
case("extra", "rms norm f16 16384 x 4096", "rms_norm", 4 << 26, build_rms_norm(16384, 4096))
case("extra", "rope f16 8192 x 32 x 128", "rope", 4 << 25, build_rope(8192, 32, 128))
case(
    "extra",
    "cross entropy f32 4096 x 128256",
    "cross_entropy",
    4 * 4096 * 128256,
    build_cross_entropy(4096, 128256),
)

# Bars on the geometric mean of a group's ratios.
MEANS = {"softmax": {"triton": 1.0}, "hopper_half": {"best": 1.0}}
