#!/usr/bin/env python3
"""Functions of PyTorch whose kernels are tile functions: softmax, layer norm with its gradient, a fused linear layer, attention.

    examples/pytorch/functions.py            # compare each with PyTorch's own, plain and under torch.compile

It needs torch 2.10 or newer and the Python package of tile2cu; nvcc for a GPU, and otherwise g++. An argument is a folder of
files that `tile2cu --torch` has written, which takes their place: no program tile2cu is needed then.
"""

import os
import sys

import torch
import torch.nn.functional as F

import tile2cu.torch

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = {
    "softmax": "../softmax/softmax.tile.cpp",
    "layer_norm_train": "kernels/layer_norm_train.tile.cpp",
    "matmul_bias_gelu": "../matmul_bias_gelu/matmul_bias_gelu.tile.cpp",
    "flash_attention": "../flash_attention/flash_attention.tile.cpp",
}


def source(name):
    """The tile source, or what has been made of it."""
    if len(sys.argv) > 1:
        return os.path.join(sys.argv[1], f"{name}_torch.cpp")
    return os.path.join(HERE, SOURCES[name])


softmax_kernels = tile2cu.torch.load(source("softmax"))
norm_kernels = tile2cu.torch.load(source("layer_norm_train"))
linear_kernels = tile2cu.torch.load(source("matmul_bias_gelu"))
attention_kernels = tile2cu.torch.load(source("flash_attention"))
device = softmax_kernels.device


@tile2cu.torch.operator("tile2cu_example::softmax")
def softmax(x: torch.Tensor) -> torch.Tensor:
    """The softmax of each row. x: f32 [rows, columns], elements of a row without gaps."""
    out = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device=x.device)
    softmax_kernels.softmax_f32(x, out, x.shape[0], x.shape[1], x.stride(0))
    return out


@softmax.backward(save=lambda arguments, out: [out])
def _(saved, gradient):
    (out,) = saved
    return out * (gradient - (gradient * out).sum(1, keepdim=True))


def of_type(kernels, name, tensor):
    return getattr(kernels, name + {torch.float32: "_f32", torch.float16: "_f16"}[tensor.dtype])


@tile2cu.torch.operator("tile2cu_example::layer_norm")
def layer_norm_with_moments(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """y, mean, rstd. x: f32 or f16 [rows, columns], weight, bias: [columns]."""
    x = x.contiguous()
    rows, columns = x.shape
    y = torch.empty_like(x)
    mean, rstd = x.new_empty(rows, dtype=torch.float32), x.new_empty(rows, dtype=torch.float32)
    of_type(norm_kernels, "forward", x)(x, weight, bias, y, mean, rstd, rows, columns, eps)
    return y, mean, rstd


@tile2cu.torch.operator("tile2cu_example::layer_norm_backward")
def layer_norm_backward(
    dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dy, x = dy.contiguous(), x.contiguous()
    rows, columns = x.shape
    dx, dweight, dbias = torch.empty_like(x), torch.empty_like(weight), torch.empty_like(weight)
    of_type(norm_kernels, "backward_rows", x)(dy, x, weight, mean, rstd, dx, rows, columns)
    of_type(norm_kernels, "backward_columns", x)(dy, x, mean, rstd, dweight, dbias, rows, columns)
    return dx, dweight, dbias


@layer_norm_with_moments.backward(save=lambda arguments, results: (*arguments[:2], *results[1:]))
def _(saved, dy, *_of_moments):
    return (*layer_norm_backward(dy, *saved), None)


def layer_norm(x, weight, bias, eps=1e-5):
    return layer_norm_with_moments(x, weight, bias, eps)[0]


@tile2cu.torch.operator("tile2cu_example::linear_gelu")
def linear_gelu(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """gelu(x weight + bias) of f16. x: [M, K], weight: [K, N], bias: [N], without gaps."""
    out = x.new_empty(x.shape[0], weight.shape[1])
    linear_kernels.matmul_bias_gelu_f16(
        x.contiguous(), weight.contiguous(), bias, out, x.shape[0], weight.shape[1], x.shape[1]
    )
    return out


@tile2cu.torch.operator("tile2cu_example::attention")
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool) -> torch.Tensor:
    """Attention of f16. q, k, v: [heads, length, 64 or 128], without gaps."""
    heads, length, dim = q.shape
    out = torch.empty_like(q)
    attention_kernels.flash_attention_f16(q, k, v, out, heads, length, dim, dim**-0.5, causal)
    return out


# ---- against PyTorch

failures = 0


def check(what, function, reference, *inputs, tolerance, gradients=False):
    """Compares the two functions, plain and compiled, and their gradients."""
    global failures
    wanted = reference(*inputs)
    for how, run in (("plain", function), ("compiled", torch.compile(function, fullgraph=True, dynamic=True))):
        errors = [(run(*inputs).float() - wanted.float()).abs().max().item()]
        if gradients:
            tensors = [each for each in inputs if isinstance(each, torch.Tensor)]
            direction = torch.randn_like(wanted)
            own = torch.autograd.grad(run(*inputs), tensors, direction)
            theirs = torch.autograd.grad(reference(*inputs), tensors, direction)
            errors += [((a - b).abs().max() / (1 + b.abs().max())).item() for a, b in zip(own, theirs)]
        good = all(error <= tolerance for error in errors)
        failures += not good
        print(
            f"{'ok' if good else 'WRONG'}: {what} {'x'.join(map(str, inputs[0].shape))}, {how}: error {max(errors):.2g}"
        )


def main():
    torch.manual_seed(0)

    def random(*shape, dtype=torch.float32, grad=False, scale=1.0):
        return (torch.randn(shape, device=device) * scale).to(dtype).requires_grad_(grad)

    for rows, columns in (1, 1), (5, 33), (64, 781), (16, 2048):
        check(
            "softmax", softmax, lambda x: x.softmax(1), random(rows, columns, grad=True), tolerance=1e-5, gradients=True
        )
        for dtype, tolerance in (torch.float32, 1e-4), (torch.float16, 2e-2):
            check(
                f"layer norm {dtype}",
                layer_norm,
                lambda x, w, b: F.layer_norm(x, x.shape[1:], w, b),
                random(rows, columns, dtype=dtype, grad=True),
                random(columns, dtype=dtype, grad=True),
                random(columns, dtype=dtype, grad=True),
                tolerance=tolerance,
                gradients=columns > 1,
            )
    for m, n, k in (1, 1, 1), (33, 70, 40), (128, 256, 64):
        check(
            "matmul, bias, gelu",
            linear_gelu,
            lambda x, w, b: F.gelu((x.float() @ w.float() + b.float()), approximate="tanh").half(),
            random(m, k, dtype=torch.float16),
            random(k, n, dtype=torch.float16, scale=k**-0.5),
            random(n, dtype=torch.float16),
            tolerance=1e-2,
        )
    for heads, length, dim in (1, 1, 64), (2, 100, 64), (1, 65, 128):
        for causal in False, True:
            check(
                f"attention{' causal' if causal else ''}",
                lambda q, k, v, causal=causal: attention(q, k, v, causal),
                lambda q, k, v, causal=causal: F.scaled_dot_product_attention(
                    q.float(), k.float(), v.float(), is_causal=causal
                ).half(),
                *(random(heads, length, dim, dtype=torch.float16) for _ in range(3)),
                tolerance=1e-2,
            )
    print(f"{failures} wrong" if failures else f"all right on {device}")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
