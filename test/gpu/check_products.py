"""The checks of products of matrices and of attention: one function a kernel, as in check.py."""

import math

import torch
import torch.nn.functional as F

import launchers
from guarded import F16, HALF, ON_GPU, Guarded, call, normal, run
from launchers import DEVICE

def candidates(name):
    """Makes each candidate of a tuned launcher its choice, in turn."""
    count = launchers.TUNED.get(name, 0)
    for candidate in range(count):
        launchers.pin(name, candidate)
        yield f"candidate {candidate}"
    if count:
        launchers.pin(name, -1)
    yield ""


# M, N, K: whole tiles, ragged in whole vectors, ragged, tiny.
PRODUCTS = ((128, 256, 192), (200, 264, 136), (65, 33, 70), (1, 1, 1), (1, 300, 8), (130, 8, 1))
PRODUCTS += ((1000, 1000, 1000), (513, 129, 4097), (2048, 1024, 512)) if ON_GPU else ()


def products(check, name, dtype, tolerance, arguments, shapes=PRODUCTS, transposed=False):
    """c = a b for a and b of `dtype`; arguments(a, b, c, M, N, K, padding) are the launcher's."""
    for m, n, k in shapes:
        for padding, shift in ((0, 0), (8, 0), (3, 0), (0, 1)):
            for which in candidates(name):
                what = f"M={m} N={n} K={k} padding={padding} shift={shift} {which}"
                strides = [x + padding for x in (k, k if transposed else n, n)]
                a = Guarded([m, k], dtype, shift, strides[0], data=normal(m, k))
                b_shape = [n, k] if transposed else [k, n]
                b = Guarded(b_shape, dtype, shift, strides[1], data=normal(*b_shape))
                c = Guarded([m, n], dtype, shift, strides[2])
                run(check, what, name, *arguments(a, b, c, m, n, k, strides))
                right = b.view.double().T if transposed else b.view.double()
                check.close(what, c, a.view.double() @ right, tolerance)


def matmul(check, name="matmul"):
    products(check, name, HALF, F16, lambda a, b, c, m, n, k, s: (a, b, c, m, n, k, *s))
    a, b, c = Guarded([4, 4], HALF), Guarded([4, 4], HALF), Guarded([4, 4], HALF)
    check.empty("M=0", call(name, a, b, c, 0, 4, 4, 4, 4, 4), c)
    check.empty("N=0", call(name, a, b, c, 4, 0, 4, 4, 4, 4), c)
    c = Guarded([4, 4], HALF)
    run(check, "K=0", name, a, b, c, 4, 4, 0, 4, 4, 4)
    check.same("K=0", c, torch.zeros_like(c.view))


def matmul_descriptor(check):
    matmul(check, "matmul_descriptor")


def matmul_bias_gelu(check, name="matmul_bias_gelu"):
    for m, n, k in PRODUCTS:
        for shift in (0, 1):
            for which in candidates(name):
                what = f"M={m} N={n} K={k} shift={shift} {which}"
                x = Guarded([m, k], HALF, shift, data=normal(m, k))
                w = Guarded([k, n], HALF, shift, data=normal(k, n, scale=k**-0.5))
                bias = Guarded([n], HALF, shift, data=normal(n))
                out = Guarded([m, n], HALF, shift)
                run(check, what, name, x, w, bias, out, m, n, k)
                y = x.view.double() @ w.view.double() + bias.view.double()
                gelu = F.gelu(y, approximate="tanh")
                # fast_tanh_approx is off by up to |y| 2^-12, which is much of a single small result.
                off = (y.abs().max() * 2**-12 / gelu.abs().max().clamp_min(1e-3)).item()
                check.close(what, out, gelu, F16 + off)
    out = Guarded([4, 4], HALF)
    check.empty("M=0", call(name, out, out, out, out, 0, 4, 4), out)


def batched_matmul(check):
    name = "batched_matmul"
    for batch, shapes in ((1, PRODUCTS[:3]), (3, PRODUCTS[1:5]), (7, ((64, 72, 136), (33, 65, 7)))):
        for m, n, k in shapes:
            for shift in (0, 1):
                for which in candidates(name):
                    what = f"batch={batch} M={m} N={n} K={k} shift={shift} {which}"
                    a = Guarded([batch, m, k], HALF, shift, data=normal(batch, m, k))
                    b = Guarded([batch, k, n], HALF, shift, data=normal(batch, k, n))
                    c = Guarded([batch, m, n], HALF, shift)
                    run(check, what, name, a, b, c, batch, m, n, k)
                    check.close(what, c, a.view.double() @ b.view.double(), F16)
    c = Guarded([4, 4], HALF)
    check.empty("batch=0", call(name, c, c, c, 0, 4, 4, 4), c)


def split_k(check, name="split_k", shapes=PRODUCTS):
    for m, n, k in shapes + ((40, 72, 3000),):
        for splits in (1, 2, 7):
            for shift in (0, 1):
                what = f"M={m} N={n} K={k} splits={splits} shift={shift}"
                a = Guarded([m, k], HALF, shift, data=normal(m, k))
                b = Guarded([k, n], HALF, shift, data=normal(k, n))
                before = normal(m, n)
                c = Guarded([m, n], shift=shift, data=before)
                run(check, what, name, a, b, c, m, n, k, splits)
                check.close(what, c, a.view.double() @ b.view.double() + before, 1e-4)
    c = Guarded([4, 4])
    check.empty("M=0", call(name, c, c, c, 0, 4, 4, 1), c)
    check.refused("splits=0", call(name, c, c, c, 4, 4, 4, 0), c)


GROUPS = ([0, 1], [0, 128, 128, 130, 258], [0, 0, 5, 70], [0, 3, 9, 9], [0, 127, 256, 400])


def grouped_gemm(check):
    for starts in GROUPS:
        for n, k in ((264, 64), (40, 136), (33, 70), (1, 1)):
            for shift in (0, 1):
                what = f"starts={starts} N={n} K={k} shift={shift}"
                rows, groups = starts[-1], len(starts) - 1
                a = Guarded([rows, k], HALF, shift, data=normal(rows, k))
                b = Guarded([groups, k, n], HALF, shift, data=normal(groups, k, n))
                c = Guarded([rows, n], HALF, shift)
                at = torch.tensor(starts, dtype=torch.int32, device=DEVICE)
                run(check, what, "grouped_gemm", a, b, c, at, rows, groups, n, k)
                parts = zip(starts, starts[1:], b.view.double())
                product = [a.view[i:j].double() @ matrix for i, j, matrix in parts]
                check.close(what, c, torch.cat(product), F16)
    c, at = Guarded([4, 4], HALF), torch.zeros(1, dtype=torch.int32, device=DEVICE)
    check.empty("no groups", call("grouped_gemm", c, c, c, at, 0, 0, 4, 4), c)


def int8_matmul(check):
    name = "int8_matmul"
    for m, n, k in PRODUCTS:
        for shift in (0, 1):
            for which in candidates(name):
                what = f"M={m} N={n} K={k} shift={shift} {which}"
                bytes_ = lambda *shape: torch.randint(-128, 128, shape, device=DEVICE)
                a = Guarded([m, k], torch.int8, shift, data=bytes_(m, k))
                b = Guarded([n, k], torch.int8, shift, data=bytes_(n, k))
                c = Guarded([m, n], torch.int32, shift)
                run(check, what, name, a, b, c, m, n, k)
                product = a.view.double() @ b.view.double().T
                check.same(what, c, product.to(torch.int32))
    c = Guarded([4, 4], torch.int32)
    check.empty("M=0", call(name, c, c, c, 0, 4, 4), c)


def tf32_matmul(check):
    # Operands lose the bits past the tenth, which tensor cores cut off.
    arguments = lambda a, b, c, m, n, k, s: (a, b, c, m, n, k)
    for m, n, k in PRODUCTS:
        for shift in (0, 1):
            what = f"M={m} N={n} K={k} shift={shift}"
            a = Guarded([m, k], shift=shift, data=normal(m, k))
            b = Guarded([k, n], shift=shift, data=normal(k, n))
            c = Guarded([m, n], shift=shift)
            run(check, what, "tf32_matmul", *arguments(a, b, c, m, n, k, None))
            check.close(what, c, a.view.double() @ b.view.double(), 2e-3)


def dot_stages(check):
    """Loops of 1 to 5 stages; loops of fewer steps than stages."""
    for stages in range(1, 6):
        name = f"dot_stages_{stages}"
        for m, n, k in ((64, 128, 512), (65, 136, 8), (70, 33, 31), (130, 264, 104), (3, 5, 200)):
            for shift in (0, 1):
                what = f"{name} M={m} N={n} K={k} shift={shift}"
                a = Guarded([m, k], HALF, shift, data=normal(m, k))
                b = Guarded([k, n], HALF, shift, data=normal(k, n))
                c = Guarded([m, n], HALF, shift)
                run(check, what, name, a, b, c, m, n, k)
                check.close(what, c, a.view.double() @ b.view.double(), F16)
        name = f"chain_stages_{stages}"
        for m, n in ((64, 320), (65, 31), (1, 1), (130, 97)):
            for shift in (0, 1):
                what = f"{name} M={m} N={n} shift={shift}"
                q, k, v = (
                    Guarded([r, 64], HALF, shift, data=normal(r, 64, scale=0.4)) for r in (m, n, n)
                )
                out = Guarded([m, 64], HALF, shift)
                run(check, what, name, q, k, v, out, m, n)
                reference = (q.view.double() @ k.view.double().T).tanh() @ v.view.double()
                check.close(what, out, reference, 2e-3)


# ---- attention


def attended(q, k, v, scale, causal):
    """softmax(q k^T scale) v in double precision; q, k, v: [heads, length, dim]."""
    scores = q.double() @ k.double().transpose(1, 2) * scale
    if causal:
        hidden = torch.ones(scores.shape[1:], dtype=torch.bool, device=DEVICE).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.softmax(scores, -1) @ v.double()


def flash_attention(check):
    name = "flash_attention"
    lengths = (1, 31, 64, 127, 128, 129, 200) + ((1000, 1024, 2049) if ON_GPU else ())
    for dim in (64, 128):
        for length in lengths:
            for causal in (False, True):
                for shift, scale, spread in ((0, dim**-0.5, 1), (1, 0.3, 3)):
                    what = f"dim={dim} length={length} causal={causal} shift={shift}"
                    shape = (3, length, dim)
                    q, k, v = (
                        Guarded(shape, HALF, shift, data=normal(*shape, scale=s))
                        for s in (spread, spread, 1)
                    )
                    out = Guarded(shape, HALF, shift)
                    run(check, what, name, q, k, v, out, 3, length, dim, scale, causal)
                    reference = attended(q.view, k.view, v.view, scale, causal)
                    check.close(what, out, reference, 2e-3)
    out = Guarded([4, 64], HALF)
    check.empty("length=0", call(name, out, out, out, out, 2, 0, 64, 1.0, False), out)
    check.empty("heads=0", call(name, out, out, out, out, 0, 4, 64, 1.0, True), out)
    check.refused("dim=96", call(name, out, out, out, out, 1, 1, 96, 1.0, False), out)


def flash_decode(check):
    for dim in (64, 128):
        for length, splits in ((1, 1), (1, 5), (100, 3), (1000, 1), (1000, 7), (4099, 32)):
            for group, shift in ((1, 0), (1, 1), (4, 0), (16, 1)):
                what = f"dim={dim} group={group} length={length} splits={splits} shift={shift}"
                q = Guarded([3, group, dim], HALF, shift, data=normal(3, group, dim))
                k, v = (
                    Guarded([3, length, dim], HALF, shift, data=normal(3, length, dim))
                    for _ in range(2)
                )
                parts = Guarded([3 * group, splits, dim], shift=shift)
                maxima, sums = (Guarded([3 * group, splits], shift=shift) for _ in range(2))
                out = Guarded([3, group, dim], HALF, shift)
                sizes = (3, group, length, dim, splits, 0.3)
                run(check, what, "flash_decode", q, k, v, parts, maxima, sums, *sizes)
                sizes = (3 * group, dim, splits)
                run(check, what, "flash_decode_combine", parts, maxima, sums, out, *sizes)
                check.close(what, out, attended(q.view, k.view, v.view, 0.3, False), 2e-3)
                for scratch in (parts, maxima, sums):
                    check.expect(what, scratch.intact(), "wrote outside its output")
    out, p = Guarded([4, 64], HALF), Guarded([4, 64])
    decode = lambda *sizes: call("flash_decode", out, out, out, p, p, p, *sizes, 1.0)
    check.refused("splits=0", decode(1, 1, 1, 64, 0), p)
    check.refused("group=17", decode(1, 17, 1, 64, 1), p)
    check.refused("splits=33", call("flash_decode_combine", p, p, p, out, 1, 64, 33), out)
