"""The checks of the kernels for Hopper alone (examples, test/bench/kernels/hopper and sm_90): one function a library, as in check.py."""

import math

import torch

from check_products import PRODUCTS, attended, candidates, matmul, matmul_bias_gelu, products, split_k
from guarded import F16, HALF, ON_GPU, Guarded, call, normal, run
from launchers import DEVICE

# Rows that TMA can load (whole 16 bytes), with tiles that end outside, and fewer iterations than stages.
HOPPER = PRODUCTS + (((264, 520, 72), (1000, 1000, 1000), (4100, 4096, 1032), (136, 104, 8)) if ON_GPU else ())
BF16 = 8e-3


def strided(a, b, c, m, n, k, strides):
    return (a, b, c, m, n, k, *strides)


def hopper_nn(check):
    products(check, "hopper_nn", HALF, F16, strided, HOPPER)
    products(check, "hopper_nn_bf16", torch.bfloat16, BF16, strided, HOPPER)


def hopper_nt(check):
    products(check, "hopper_nt", HALF, F16, strided, HOPPER, transposed=True)
    products(check, "hopper_nt_bf16", torch.bfloat16, BF16, strided, HOPPER, transposed=True)


def hopper_split_k(check):
    split_k(check, "hopper_split_k", HOPPER)
    split_k(check, "hopper_split_k_128", HOPPER)


def sm_90_split_k(check):
    split_k(check, "sm_90_split_k", HOPPER)


def hopper_fp8(check):
    # Tensor cores accumulate 8-bit floats with fewer bits than float has.
    if not ON_GPU and not hasattr(torch, "float8_e4m3fn"):
        return print("hopper_fp8: not checked, as this torch has no 8-bit floats")
    name, type_ = "hopper_fp8", torch.float8_e4m3fn
    for m, n, k in HOPPER:
        for shift in (0, 1):
            what = f"M={m} N={n} K={k} shift={shift}"
            a = Guarded([m, k], type_, shift, data=normal(m, k))
            b = Guarded([n, k], type_, shift, data=normal(n, k))
            c = Guarded([m, n], HALF, shift)
            run(check, what, name, a, b, c, m, n, k, k, k, n)
            # Hopper's tensor cores add about 14 bits of a product: the more of them, the more is lost.
            check.close(what, c, a.view.double() @ b.view.double().T, 5e-3 if k <= 1024 else 8e-3)


def weights_of_4_bits(check):
    for m, n, k in HOPPER:
        k = (k + 127) // 128 * 128  # whole groups
        for shift in (0, 1):
            what = f"M={m} N={n} K={k} shift={shift}"
            a = Guarded([m, k], HALF, shift, data=normal(m, k))
            bytes_ = (normal(n, k // 2) * 100).abs() % 256
            w = Guarded([n, k // 2], torch.uint8, shift, data=bytes_.floor())
            scale = Guarded([n, k // 128], HALF, shift, data=normal(n, k // 128) / 8)
            c = Guarded([m, n], HALF, shift)
            run(check, what, "hopper_weights4", a, w, scale, c, m, n, k)
            packed = w.view.int()
            b = torch.stack((packed & 15, packed >> 4), -1).reshape(n, k).double() - 8
            b *= scale.view.double().repeat_interleave(128, 1)
            # Weights times scales are rounded to 16 bits.
            check.close(what, c, a.view.double() @ b.half().double().T, F16)


def hopper_weights(check):
    for m, n, k in HOPPER:
        for shift in (0, 1):
            what = f"M={m} N={n} K={k} shift={shift}"
            a = Guarded([m, k], HALF, shift, data=normal(m, k))
            w = Guarded([n, k], torch.int8, shift, data=(normal(n, k) * 40).clamp(-128, 127))
            scale = Guarded([n], torch.float32, shift, data=normal(n) / 40)
            c = Guarded([m, n], HALF, shift)
            run(check, what, "hopper_weights", a, w, scale, c, m, n, k)
            check.close(what, c, a.view.double() @ (w.view.double() * scale.view.double()[:, None]).T, F16)
    weights_of_4_bits(check)


def hopper_matmul(check):
    matmul(check, "hopper_matmul")


def hopper_bias_gelu(check):
    matmul_bias_gelu(check, "hopper_bias_gelu")


# ---- attention

LENGTHS = (1, 64, 129, 200) + ((1000, 1024, 2049) if ON_GPU else ())


def each_attention(check, name, dims, kinds, arguments, reference, group=1, more=lambda kind: 0):
    """kinds: what is checked of the variant; arguments(kind) and reference(q, k, v, scale, kind); more(kind): of
    tolerance."""
    for dim in dims:
        for length in LENGTHS:
            for kind in kinds:
                for shift in (0, 1):
                    what = f"dim={dim} length={length} {kind} shift={shift}"
                    heads = 2 * group
                    q, k, v = (
                        Guarded((h, length, dim), HALF, shift, data=normal(h, length, dim))
                        for h in (heads, heads // group, heads // group)
                    )
                    out = Guarded((heads, length, dim), HALF, shift)
                    scale = 1.5 * dim**-0.5
                    run(check, what, name, *arguments(q, k, v, out, heads, length, dim, scale, kind))
                    expected = reference(q.view, k.view, v.view, scale, kind)
                    check.close(what, out, expected, 2e-3 + more(kind))


def plain(q, k, v, out, heads, length, dim, scale, causal):
    return (q, k, v, out, heads, length, dim, scale, causal)


def hopper_attention(check):
    each_attention(check, "hopper_attention", (64, 128), (False, True), plain, attended)
    out = Guarded([4, 64], HALF)
    empty = call("hopper_attention", out, out, out, out, 2, 0, 64, 1.0, False)
    check.empty("length=0", empty, out)


def hopper_attention_tuned(check):
    for _ in candidates("hopper_attention_tuned"):
        each_attention(check, "hopper_attention_tuned", (64, 128), (False, True), plain, attended)


def hopper_attention_dims(check):
    each_attention(check, "hopper_attention_dims", (80, 96, 256), (False, True), plain, attended)


def gradients_of(q, k, v, d_out, scale, causal):
    """The logarithms to base 2 of rows' sums, delta, and the gradients of q, k and v, in double precision."""
    q, k, v, d_out = (x.double() for x in (q, k, v, d_out))
    scores = q @ k.transpose(1, 2) * scale
    if causal:
        scores = scores.masked_fill(distances(q.shape[1]) < 0, -math.inf)
    p = torch.softmax(scores, -1)
    delta = (p @ v * d_out).sum(-1)
    ds = p * (d_out @ v.transpose(1, 2) - delta[..., None]) * scale
    lse = torch.logsumexp(scores, -1) / math.log(2)
    return lse, delta, ds @ k, ds.transpose(1, 2) @ q, p.transpose(1, 2) @ d_out


def gradients(check, dim, length, causal, shift):
    what = f"dim={dim} length={length} {causal} shift={shift}"
    heads, scale = 2, dim**-0.5
    shape = (heads, length, dim)
    q, k, v, d_out = (Guarded(shape, HALF, shift, data=normal(*shape)) for _ in range(4))
    lse, delta, *expected = gradients_of(q.view, k.view, v.view, d_out.view, scale, causal)
    lse, delta = (Guarded((heads, length), torch.float32, shift, data=x) for x in (lse, delta))
    dq, dk, dv = (Guarded(shape, HALF, shift) for _ in range(3))
    inputs, sizes = (q, k, v, d_out, lse, delta), (heads, length, dim, scale, causal)
    run(check, what, "hopper_gradient_of_queries", *inputs, dq, *sizes)
    run(check, what, "hopper_gradients_of_keys", *inputs, dk, dv, *sizes)
    # Weights and their gradients are rounded to 16 bits.
    for name, got, right in zip(("dq", "dk", "dv"), (dq, dk, dv), expected):
        check.close(f"{name} {what}", got, right, 4e-3)


def hopper_attention_gradients(check):
    for _ in zip(candidates("hopper_gradient_of_queries"), candidates("hopper_gradients_of_keys")):
        for dim in (64, 128):
            for length in LENGTHS:
                for causal in (False, True):
                    for shift in (0, 1):
                        gradients(check, dim, length, causal, shift)


def distances(length):
    """How far the key of a column is before the query of a row."""
    at = torch.arange(length, device=DEVICE)
    return at[:, None] - at


def softmax_of(scores, visible, v):
    return torch.softmax(scores.masked_fill(~visible, -math.inf), -1) @ v.double()


def products_of(q, k, scale):
    return q.double() @ k.double().transpose(1, 2) * scale


def windowed(q, k, v, scale, window):
    distance = distances(q.shape[1])
    return softmax_of(products_of(q, k, scale), (distance >= 0) & (distance < window), v)


def with_alibi(q, k, v, scale, slopes):
    distance = distances(q.shape[1])
    scores = products_of(q, k, scale) - slopes.double()[:, None, None] * distance
    return softmax_of(scores, distance >= 0, v)


# The kernel's tanh has a relative error of 2^-11. A score s becomes cap tanh(s / cap), which is below cap and below s,
# and s below 10 with these data: 1.5 times a normal number. So scores are off by d = 2^-11 min(cap, 10) at most, their
# exponentials by factors of exp(-d) to exp(d). Of weights, which add up to 1, the differences then add up to
# 2 tanh(d / 2) < d at most, and so an output differs by less than d times the largest number of v.
def error_of_cap(cap):
    return 2**-11 * min(cap, 10)


def capped(q, k, v, scale, cap):
    scores = cap * (products_of(q, k, scale) / cap).tanh()
    return softmax_of(scores, distances(q.shape[1]) >= 0, v)


def grouped(q, k, v, scale, group):
    k, v = (x.repeat_interleave(group, 0) for x in (k, v))
    return attended(q, k, v, scale, True)


def hopper_attention_variants(check):
    dims = (64, 128)
    each_attention(
        check, "hopper_attention_window", dims, (1, 100, 128, 700, 10000),
        lambda q, k, v, out, heads, length, dim, scale, window: (
            q, k, v, out, heads, length, dim, scale, window
        ),
        windowed,
    )  # fmt: skip
    slopes = torch.tensor([0.5, 0.0625], device=DEVICE)
    each_attention(
        check, "hopper_attention_alibi", dims, ("",),
        lambda q, k, v, out, heads, length, dim, scale, _: (
            q, k, v, slopes, out, heads, length, dim, scale
        ),
        lambda q, k, v, scale, _: with_alibi(q, k, v, scale, slopes),
    )  # fmt: skip
    each_attention(
        check, "hopper_attention_softcap", dims, (1.0, 4.0, 30.0),
        lambda q, k, v, out, heads, length, dim, scale, cap: (
            q, k, v, out, heads, length, dim, scale, cap
        ),
        capped, more=error_of_cap,
    )  # fmt: skip
    for group in (1, 3, 8):
        each_attention(
            check, "hopper_attention_grouped", dims, (group,),
            lambda q, k, v, out, heads, length, dim, scale, group: (
                q, k, v, out, heads, group, length, dim, scale
            ),
            grouped, group,
        )  # fmt: skip
