"""What is timed of the kernels for Hopper (examples, test/bench/kernels/hopper), with their bars: products next
to cuBLAS and Triton with tensor descriptors, attention next to cuDNN and the hand-written target."""

import torch
import triton
from torch.nn.attention import SDPBackend
from triton.tools.tensor_descriptor import TensorDescriptor

import launchers
import triton_attention as ta
import triton_kernels as tk
from cases_products import TFLOPS, empty, sdpa
from suite import DEVICE, HALF, case, normal, ours, over, sets, target

NAMES = {HALF: "f16", torch.bfloat16: "bf16", torch.float8_e4m3fn: "fp8"}
# BLOCK_M, BLOCK_N, num_stages, num_warps, stored in halves
TILES = ((128, 256, 3, 8, True), (128, 256, 4, 8, True), (128, 256, 3, 8, False))
SMALL_TILES = tuple((m, n, 4, 4, False) for m in (128, 64) for n in (128, 64))

# ---- products


def matrices(m, n, k, type_=HALF, transposed=False, out=HALF):
    """Buffer sets of a: [m, k], b: [k, n], or [n, k] where transposed, c: [m, n]."""
    bytes_ = type_.itemsize * (m * k + k * n) + out.itemsize * m * n
    b = (n, k) if transposed else (k, n)
    return [
        (normal(m, k, dtype=type_), normal(*b, dtype=type_), empty(m, n, dtype=out))
        for _ in range(sets(bytes_))
    ]


def product(kernel, buffers, m, n, k, transposed=False):
    return ours(kernel, buffers, lambda a, b, c: (a, b, c, m, n, k, k, k if transposed else n, n))


def triton_tma(buffers, m, n, k, transposed):
    """Triton's product through tensor descriptors, in each configuration."""
    block_k = 128 // buffers[0][0].element_size()
    programs = torch.cuda.get_device_properties(0).multi_processor_count

    def run(block_m, block_n, stages, warps, halves):
        grid = (min(programs, triton.cdiv(m, block_m) * triton.cdiv(n, block_n)),)
        b_block = [block_n, block_k] if transposed else [block_k, block_n]
        c_block = [block_m, block_n // 2 if halves else block_n]

        def call(a, b, c):
            blocks = zip((a, b, c), ([block_m, block_k], b_block, c_block))
            tk.matmul_tma[grid](
                *(TensorDescriptor.from_tensor(x, block) for x, block in blocks), m, n, k,
                BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=block_k, GROUP_M=8, PROGRAMS=programs,
                TRANSPOSED=transposed, HALVES=halves, num_warps=warps, num_stages=stages,
            )  # fmt: skip

        return over(buffers, call)

    return [run(*tile) for tile in (SMALL_TILES if m <= 1024 else TILES)]


def build_matmul(kernel, type_, transposed, m, n, k):
    def build():
        buffers = matrices(m, n, k, type_, transposed, type_)
        cublas = lambda a, b, c: torch.mm(a, b.T if transposed else b, out=c)
        variants = dict(
            ours=product(kernel, buffers, m, n, k, transposed),
            triton=triton_tma(buffers, m, n, k, transposed),
            torch=[over(buffers, cublas)],
        )
        if kernel in launchers.TARGETS:
            variants["target"] = target(kernel, buffers, lambda a, b, c: (a, b, c, m, n, k))
        return variants, buffers[0][-1]

    return build


for size in (1024, 2048, 4096, 8192, 16384):
    for type_ in (HALF, torch.bfloat16):
        for order in ("", "_nt"):
            name = "hopper" + (order or "_nn")
            case(
                "hopper_half",
                f"sm_90a {NAMES[type_]} {size} {'NT' if order else 'NN'}",
                name if type_ == HALF else f"{name}_bf16",
                2 * size**3,
                build_matmul(name if type_ == HALF else f"{name}_bf16", type_, bool(order), *3 * [size]),
                TFLOPS,
                best=0.98,
            )  # fmt: skip


def build_fp8(size):
    def build():
        buffers = matrices(size, size, size, torch.float8_e4m3fn, True)
        one = torch.ones((), device=DEVICE)
        cublas = lambda a, b, c: torch._scaled_mm(a, b.T, one, one, out_dtype=HALF, use_fast_accum=True)
        return (
            dict(
                ours=product("hopper_fp8", buffers, size, size, size, True),
                triton=triton_tma(buffers, size, size, size, True),
                torch=[over(buffers, cublas)],
            ),
            buffers[0][-1],
        )

    return build


for size in (4096, 8192):
    case(
        "hopper_products", f"sm_90a fp8 {size} NT", "hopper_fp8", 2 * size**3,
        build_fp8(size), TFLOPS, triton=0.97,
    )  # fmt: skip


# BLOCK_M, BLOCK_N, BLOCK_K, num_warps, num_stages; of weights of 4 bits the last ones too
WEIGHT_TILES = (
    (128, 128, 64, 8, 3), (128, 128, 64, 8, 4), (128, 128, 64, 4, 4), (128, 256, 64, 8, 3),
    (64, 256, 64, 4, 4), (64, 128, 64, 4, 4), (64, 64, 128, 4, 4), (32, 64, 128, 4, 4),
)  # fmt: skip
FEW_ROWS = ((16, 64, 128, 4, 4), (16, 128, 128, 4, 4), (16, 32, 128, 4, 4))


def build_weights(kernel, by_triton, tiles, weights_of, m, n, k):
    """weights_of() gives weights and their scales; torch: the plain product of weights that are f16."""

    def build():
        bytes_ = sum(x.nbytes for x in weights_of())
        buffers = [
            (normal(m, k, dtype=HALF), *weights_of(), empty(m, n, dtype=HALF))
            for _ in range(sets(2 * m * k + bytes_ + 2 * m * n))
        ]
        wide = [(a, normal(n, k, dtype=HALF), c) for a, _, _, c in buffers]

        def run(block_m, block_n, block_k, warps, stages):
            grid = (triton.cdiv(m, block_m) * triton.cdiv(n, block_n),)

            def call(a, w, scale, c):
                by_triton[grid](
                    a, w, scale, c, m, n, k, BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=block_k,
                    GROUP_M=8, num_warps=warps, num_stages=stages,
                )  # fmt: skip

            return over(buffers, call)

        return (
            dict(
                ours=ours(kernel, buffers, lambda a, w, s, c: (a, w, s, c, m, n, k)),
                triton=[run(*tile) for tile in tiles],
                torch=[over(wide, lambda a, w, c: torch.mm(a, w.T, out=c))],
            ),
            buffers[0][-1],
        )

    return build


for m, size in ((64, 4096), (1024, 4096), (4096, 4096), (8192, 8192)):

    def weights8(n=size, k=size):
        w = torch.randint(-128, 128, (n, k), dtype=torch.int8, device=DEVICE)
        return w, torch.rand(n, device=DEVICE) / 64

    case(
        "hopper_products", f"sm_90a int8 weights {m} x {size} x {size}", "hopper_weights",
        2 * m * size**2,
        build_weights("hopper_weights", tk.matmul_weights, WEIGHT_TILES, weights8, m, size, size),
        TFLOPS, triton=1.0,
    )  # fmt: skip
for m, size in ((16, 8192), (64, 4096), (1024, 4096), (4096, 4096)):

    def weights4(n=size, k=size):
        w = torch.randint(0, 256, (n, k // 2), dtype=torch.uint8, device=DEVICE)
        return w, (torch.rand(n, k // 128, device=DEVICE) / 64).half()

    case(
        "hopper_products", f"sm_90a int4 weights {m} x {size} x {size}", "hopper_weights4",
        2 * m * size**2,
        build_weights(
            "hopper_weights4", tk.matmul_weights4, WEIGHT_TILES + FEW_ROWS, weights4, m, size, size
        ),
        TFLOPS, triton=1.0,
    )  # fmt: skip


def build_split_k(m, n, k, splits):
    """c is float32 and cleared first; that of torch is f16."""

    def build():
        buffers = matrices(m, n, k, out=torch.float32)
        halves = [(a, b, empty(m, n)) for a, b, _ in buffers]

        def mine(kernel, parts):
            def call(a, b, c):
                launchers.zero(c)
                launchers.ours(kernel, a, b, c, m, n, k, parts)

            return over(buffers, call)

        def run(block_m, block_n, block_k, warps, stages, parts):
            grid = (triton.cdiv(m, block_m) * triton.cdiv(n, block_n), parts)
            depth = triton.cdiv(triton.cdiv(k, block_k), parts) * block_k

            def call(a, b, c):
                launchers.zero(c)
                tk.split_k[grid](
                    a, b, c, m, n, k, depth, BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=block_k,
                    num_warps=warps, num_stages=stages,
                )  # fmt: skip

            return over(buffers, call)

        tiles = ((128, 256, 64, 8, 3, splits), (128, 256, 64, 8, 4, splits), (128, 128, 64, 4, 4, splits),
                 (128, 128, 64, 8, 4, splits), (128, 128, 64, 4, 3, splits // 2),
                 (128, 128, 64, 8, 4, splits // 2))  # fmt: skip
        return (
            dict(
                ours=[mine("hopper_split_k", splits), mine("hopper_split_k_128", splits // 2)],
                triton=[run(*tile) for tile in tiles],
                torch=[over(halves, lambda a, b, c: torch.mm(a, b, out=c))],
            ),
            buffers[0][-1],
        )

    return build


# 128 programs of one tile: of 128 x 256, or of 128 x 128 and twice as much of k.
for shape, splits in (((512, 512, 65536), 16), ((1024, 1024, 16384), 4), ((256, 1024, 32000), 16)):
    case(
        "hopper_products", f"sm_90a split-K {' x '.join(map(str, shape))}", "hopper_split_k",
        2 * shape[0] * shape[1] * shape[2], build_split_k(*shape, splits), TFLOPS, triton=1.0,
    )  # fmt: skip


def build_against_own(kernel, arguments, shape, own_shape, own_kernel="hopper_nn"):
    """The product in another form, or of another shape, next to the plain one."""

    def build():
        m, n, k = shape
        buffers = matrices(m, n, k)
        own = buffers if own_shape == shape else matrices(*own_shape)
        by_hand = {}
        if kernel in launchers.TARGETS and own_shape != shape:
            by_hand["target"] = target(kernel, buffers, lambda a, b, c: (a, b, c, m, n, k))
        return (
            dict(
                ours=ours(kernel, buffers, lambda a, b, c: arguments(a, b, c, m, n, k)),
                torch=[over(buffers, lambda a, b, c: torch.mm(a, b, out=c))],
                own=product(own_kernel, own, *own_shape),
            )
            | by_hand,
            buffers[0][-1],
        )

    return build


def strided(a, b, c, m, n, k):
    return (a, b, c, m, n, k, k, n, n)


def work(m, n, k):
    return 2 * m * n * k


for size in (1024, 4096, 8192):
    square = (size, size, size)
    against = build_against_own("hopper_nn", strided, square, square, "hopper_matmul")
    name = f"sm_90a pointers next to descriptors {size}"
    case("hopper_products", name, "hopper_nn", 2 * size**3, against, TFLOPS, own=0.98)
for size in (4096, 8192):

    def with_bias(x, w, out, m, n, k):
        return (x, w, w, out, m, n, k)  # the first row of w is as good a bias as any

    case(
        "hopper_products", f"sm_90a bias + gelu (fast tanh) {size}", "hopper_bias_gelu", 2 * size**3,
        build_against_own("hopper_bias_gelu", with_bias, *2 * [(size, size, size)]), TFLOPS,
        own=0.97,
    )  # fmt: skip
for shape, neighbour in (((1000,) * 3, (1024,) * 3), ((4100, 4096, 1032), (4096, 4096, 1024))):
    case(
        "hopper_products", f"sm_90a {' x '.join(map(str, shape))}", "hopper_nn", work(*shape),
        build_against_own("hopper_nn", strided, shape, neighbour), TFLOPS,
        own_work=work(*neighbour), own=0.88,
    )  # fmt: skip

# ---- attention


def heads_of(batch, heads, length, dim, kv_heads=None):
    """Buffer sets of q, k, v, out."""
    bytes_ = 8 * batch * heads * length * dim
    q, kv = (batch, heads, length, dim), (batch, kv_heads or heads, length, dim)
    return [
        (normal(*q, dtype=HALF), normal(*kv, dtype=HALF), normal(*kv, dtype=HALF), empty(*q))
        for _ in range(sets(bytes_))
    ]


def attention(kernel, buffers, causal, *more):
    def arguments(q, k, v, out):
        batch, heads, length, dim = q.shape
        return (q, k, v, out, batch * heads, length, dim, dim**-0.5, causal, *more)

    return ours(kernel, buffers, arguments)


def build_attention(batch, heads, length, dim, causal):
    def build():
        buffers = heads_of(batch, heads, length, dim)
        ticket = torch.zeros(1, device=DEVICE, dtype=torch.int32)
        by_hand = lambda q, k, v, out: (
            (q, k, v, out, batch * heads, length, dim, causal, dim**-0.5, ticket)
        )
        return (
            dict(
                ours=attention("hopper_attention_tuned", buffers, causal),
                target=target("hopper_attention", buffers, by_hand),
                torch=[over(buffers, sdpa(SDPBackend.CUDNN_ATTENTION, causal))],
            ),
            buffers[0][-1],
        )

    return build


def visible(length, causal, window=None):
    """How many pairs of a query and a key count."""
    if not causal:
        return length**2
    window = min(window or length, length)
    return window * (window + 1) // 2 + (length - window) * window


for dim in (64, 128):
    for length in (1024, 4096, 16384):
        for causal in (False, True):
            batch, heads = 16384 // length, 2048 // dim
            case(
                "hopper_attention",
                f"sm_90a attention D {dim}, {length}, {'causal' if causal else 'full'}",
                "hopper_attention_tuned",
                4 * batch * 2048 * length**2 * (0.5 if causal else 1),
                build_attention(batch, heads, length, dim, causal),
                TFLOPS,
                torch=1.0,
                target=0.97,
            )


# BLOCK_M, BLOCK_N, num_warps, num_stages
TILES_OF_QUERIES = (
    (64, 64, 4, 2), (64, 64, 4, 3), (128, 64, 4, 3), (128, 64, 8, 2), (128, 64, 8, 3), (128, 32, 4, 4),
    (128, 32, 8, 4), (128, 128, 8, 2),
)  # fmt: skip
TILES_OF_KEYS = (
    (64, 64, 4, 2), (64, 64, 4, 3), (64, 128, 4, 2), (64, 128, 8, 2), (64, 128, 8, 3), (32, 128, 4, 3),
    (32, 128, 4, 4), (32, 128, 8, 4), (128, 128, 8, 2),
)  # fmt: skip


def build_gradients(kernel, by_triton, tiles, outputs, batch, heads, length, dim, causal):
    """Of queries (one output, programs of BLOCK_M rows) or of keys and values (two, of BLOCK_N); lse and delta
    are some numbers."""

    def build():
        heads_ = batch * heads
        shape = (heads_, length, dim)
        buffers = []
        for _ in range(sets((4 + outputs) * 2 * heads_ * length * dim)):
            inputs = [normal(*shape, dtype=HALF) for _ in range(4)]
            rows = [normal(heads_, length) + 10, normal(heads_, length)]
            buffers.append((*inputs, *rows, *(empty(*shape) for _ in range(outputs))))
        scale = dim**-0.5

        def run(block_m, block_n, warps, stages):
            grid = (triton.cdiv(length, block_n if outputs == 2 else block_m), heads_)

            def call(*tensors):
                by_triton[grid](
                    *tensors, length, scale, BLOCK_M=block_m, BLOCK_N=block_n, D=dim, CAUSAL=causal,
                    num_warps=warps, num_stages=stages,
                )  # fmt: skip

            return over(buffers, call)

        arguments = lambda *tensors: (*tensors, heads_, length, dim, scale, causal)
        return (
            dict(
                ours=ours(kernel, buffers, arguments), triton=[run(*tile) for tile in tiles]
            ),
            buffers[0][-1],
        )

    return build


# What it is called, the kernels, Triton's tiles, how many gradients, operations for each element of a pair of rows
GRADIENTS = (
    ("gradient of queries", "gradient_of_queries", ta.gradient_of_queries, TILES_OF_QUERIES, 1, 6),
    ("gradients of keys", "gradients_of_keys", ta.gradients_of_keys, TILES_OF_KEYS, 2, 8),
)
for dim in (64, 128):
    for causal in (False, True):
        for name, kernel, by_triton, tiles, outputs, operations in GRADIENTS:
            batch, heads, length = 4, 2048 // dim, 4096
            pairs = batch * heads * length**2 * (0.5 if causal else 1)
            case(
                "hopper_variants", f"sm_90a {name} D {dim}, {'causal' if causal else 'full'}",
                f"hopper_{kernel}", operations * dim * pairs,
                build_gradients(
                    f"hopper_{kernel}", by_triton, tiles, outputs, batch, heads, length, dim, causal
                ),
                TFLOPS, triton=1.0,
            )  # fmt: skip


def build_variant(kernel, arguments, buffers_of, own_of, causal):
    """A variant next to the plain kernel; arguments(q, k, v, out) are the launcher's."""

    def build():
        buffers = heads_of(*buffers_of)
        own = heads_of(*own_of)
        return (
            dict(
                ours=ours(kernel, buffers, arguments),
                own=attention("hopper_attention", own, causal),
            ),
            buffers[0][-1],
        )

    return build


def variant(name, kernel, arguments, shape, own_shape, causal, window=None, least=0.8):
    """shape: batch, heads, length, dim; least: of the plain kernel's rate, None where nothing is asked."""

    def work(of, window=None):
        batch, heads, length, dim = of[:4]
        return 4 * batch * heads * dim * visible(length, causal, window)

    case(
        "hopper_variants", f"sm_90a {name}", kernel, work(shape, window),
        build_variant(kernel, arguments, shape, own_shape, causal), TFLOPS,
        own_work=work(own_shape), **({"own": least} if least else {}),
    )  # fmt: skip


def sizes(q):
    batch, heads, length, dim = q.shape
    return batch * heads, length, dim, dim**-0.5


def grouped_sizes(q, k):
    heads, *others = sizes(q)
    return heads, q.shape[1] // k.shape[1], *others


def capped(q, k, v, out, factor=1):
    """Scores are normal, with a deviation of `factor`."""
    heads, length, dim, scale = sizes(q)
    return q, k, v, out, heads, length, dim, factor * scale, 30.0


slopes = None


def alibi(q, k, v, out):
    global slopes
    count = q.shape[0] * q.shape[1]
    if slopes is None or slopes.numel() != count:
        slopes = 2.0 ** -torch.linspace(1, 8, count, device=DEVICE)
    return (q, k, v, slopes, out, *sizes(q))


for dim in (64, 128):
    shape = (4, 2048 // dim, 4096, dim)
    long = (1, 2048 // dim, 16384, dim)
    forms = (
        ("window 4096 of 16384", "window", lambda *x: (*x, *sizes(x[0]), 4096), long, 4096),
        ("ALiBi", "alibi", alibi, shape, None),
        ("soft cap", "softcap", capped, shape, None),
        ("8 query heads a key head", "grouped", lambda *x: (*x, *grouped_sizes(*x[:2])),
         (*shape, shape[1] // 8), None),
    )  # fmt: skip
    for name, kernel, arguments, of, window in forms:
        variant(f"{name}, D {dim}", f"hopper_attention_{kernel}", arguments, of, of[:4], True, window)
    # What the cap bends takes tanh, and moves maxima more often.
    for factor in (3, 20):
        variant(
            f"soft cap, scores x {factor}, D {dim}", "hopper_attention_softcap",
            lambda *x, factor=factor: capped(*x, factor), shape, shape[:4], True, least=None,
        )  # fmt: skip
# Next to the plain kernel of the next smaller head dimension that has one.
for dim, plain, heads in ((80, 64, 24), (96, 64, 24), (256, 128, 8)):
    for causal in (False, True):
        arguments = lambda *x, causal=causal: (*x, *sizes(x[0]), causal)
        variant(
            f"D {dim} next to {plain}, {'causal' if causal else 'full'}", "hopper_attention_dims",
            arguments, (4, heads, 4096, dim), (4, heads, 4096, plain), causal,
        )  # fmt: skip
