"""Calls the launchers of the built libraries: ours (emitted by tile2cu) and the targets (by hand).

BUILD/ours/<name>.so and BUILD/targets/<name>.so come from run.sh. Every launcher takes the kernel's
arguments and a stream, and returns a cudaError_t.
"""

import ctypes
import os

import torch

BUILD = os.environ.get(
    "BUILD", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build")
)

# One letter per parameter: p pointer, i int, l int64, u uint64, f float, b bool; then the library, if
# it has another name.
OURS = {
    "vector_add": ("vector_add_f32", "pppl"),  # a, b, c, n
    "gelu": ("gelu_f16", "ppl"),  # in, out, n
    "swiglu": ("swiglu_f16", "pppl"),  # gate, up, out, n
    "softmax": ("softmax_f32", "ppiii"),  # in, out, n_rows, n_cols, stride
    "softmax_online": ("softmax_online_f32", "ppiii"),
    "rms_norm": ("rms_norm_f16", "pppiiif"),  # x, weight, y, n_rows, n_cols, stride, eps
    "layer_norm": ("layer_norm_f16", "ppppiiif"),  # x, weight, bias, y, n_rows, n_cols, stride, eps
    "residual_layernorm_dropout": (
        "residual_layernorm_dropout_f16",
        "pppppiiffu",  # x, residual, weight, bias, y, n_rows, n_cols, eps, p, seed
    ),
    "rope": ("rope_f16", "ppppiii"),  # x, cosines, sines, out, n_tokens, n_heads, head_dim
    "cross_entropy": (
        "cross_entropy_f32",
        "pppiiil",
    ),  # logits, targets, loss, rows, cols, stride, ignore
    "column_sum": ("column_sum_f32", "ppii"),  # x, out, n_rows, n_cols; adds to out
    "cumsum": ("row_cumsum_f32", "ppii"),
    "row_argmax": ("row_argmax_f32", "ppii"),
    "matmul": ("matmul_f16", "pppiiiiii"),  # a, b, c, M, N, K, strides of the rows of a, b, c
    "matmul_descriptor": ("matmul_descriptor_f16", "pppiiiiii"),  # as matmul
    "matmul_bias_gelu": ("matmul_bias_gelu_f16", "ppppiii"),  # x, w, bias, out, M, N, K
    "batched_matmul": ("batched_matmul_f16", "pppiiii"),  # a, b, c, batch, M, N, K
    "split_k": ("split_k_f16", "pppiiii"),  # a, b, c, M, N, K, splits; adds to c
    "grouped_gemm": ("grouped_gemm_f16", "ppppiiii"),  # a, b, c, starts, rows, groups, N, K
    "int8_matmul": ("int8_matmul_i8", "pppiii"),  # a, b, c, M, N, K
    "tf32_matmul": ("tf32_matmul_f32", "pppiii"),
    # q, k, v, out, heads, length, head_dim, scale, causal
    "flash_attention": ("flash_attention_f16", "ppppiiifb"),
    # q, k, v, parts, maxima, sums, heads, group, length, head_dim, splits, scale
    "flash_decode": ("flash_decode_f16", "ppppppiiiiif"),
    # parts, maxima, sums, out, queries, head_dim, splits
    "flash_decode_combine": ("flash_decode_combine_f16", "ppppiii", "flash_decode"),
}
for stages in range(1, 6):
    OURS[f"dot_stages_{stages}"] = (f"dot_stages_{stages}", "pppiii", "dot_stages")
    OURS[f"chain_stages_{stages}"] = (f"chain_stages_{stages}", "ppppii", "dot_stages")
# Of Hopper alone: examples, and test/bench/kernels/hopper and sm_90. Products as matmul, attention as
# flash_attention and with one number more.
for name in ("nn", "nt"):
    for suffix, type_ in (("", "f16"), ("_bf16", "bf16")):
        OURS[f"hopper_{name}{suffix}"] = (f"hopper_{name}_{type_}", "pppiiiiii", f"hopper_{name}")
OURS |= {
    "hopper_fp8": ("hopper_fp8", "pppiiiiii"),
    "hopper_weights": ("hopper_weights", "ppppiii"),  # a, w, scale, c, M, N, K
    "hopper_weights4": ("hopper_weights4", "ppppiii", "hopper_weights"),
    "hopper_split_k": ("hopper_split_k", "pppiiii"),  # as split_k
    "hopper_split_k_128": ("hopper_split_k_128", "pppiiii", "hopper_split_k"),
    "sm_90_split_k": ("sm_90_split_k", "pppiiii"),
    "hopper_matmul": ("hopper_matmul_f16", "pppiiiiii"),  # through descriptors
    "hopper_bias_gelu": ("hopper_bias_gelu_f16", "ppppiii"),
    "hopper_attention": ("hopper_attention_f16", "ppppiiifb"),
    "hopper_attention_tuned": ("hopper_attention_tuned_f16", "ppppiiifb"),
    "hopper_attention_dims": ("hopper_attention_dims_f16", "ppppiiifb"),
}
for name, letters in (
    ("window", "ppppiiifi"),  # window
    ("alibi", "pppppiiif"),  # slopes before out
    ("softcap", "ppppiiiff"),  # cap
    ("grouped", "ppppiiiif"),  # group after heads
):
    launcher = (f"hopper_attention_{name}_f16", letters, "hopper_attention_variants")
    OURS[f"hopper_attention_{name}"] = launcher
# q, k, v, d_out, lse, delta, the gradients, heads, length, head_dim, scale, causal
for name, letters in (("gradient_of_queries", "pppppppiiifb"), ("gradients_of_keys", "ppppppppiiifb")):
    OURS[f"hopper_{name}"] = (f"hopper_{name}", letters, "hopper_attention_gradients")
# Launchers that time their candidates: how many there are.
TUNED = {"matmul": 3, "matmul_descriptor": 2, "matmul_bias_gelu": 2, "batched_matmul": 2, "int8_matmul": 2}
for name in ("nn", "nt", "nn_bf16", "nt_bf16", "matmul", "bias_gelu"):
    TUNED["hopper_" + name] = 3
TUNED["hopper_fp8"] = 2
TUNED["hopper_weights"] = 7
TUNED["hopper_weights4"] = 4
TUNED["hopper_attention_tuned"] = 4
TUNED["hopper_gradient_of_queries"] = TUNED["hopper_gradients_of_keys"] = 3
# library, function, parameters
TARGETS = {
    "vector_add": ("vector_add", "vector_add_f32", "pppl"),
    "gelu": ("gelu", "gelu_f16", "ppl"),
    "softmax": ("softmax", "softmax_f32", "ppiiii"),  # x, y, rows, cols, x_stride, y_stride
    "layer_norm": ("layernorm", "layernorm_f16", "ppppiif"),
    "residual_layernorm_dropout": (
        "residual_layernorm_dropout",
        "residual_layernorm_dropout_f16",
        "pppppiiffu",
    ),
    "column_sum": ("reduce_scan", "column_sum_f32", "ppii"),  # zeroes its output itself
    "cumsum": ("reduce_scan", "row_cumsum_f32", "ppii"),
    "row_argmax": ("reduce_scan", "row_argmax_f32", "ppii"),
    "matmul": ("matmul_sm80", "matmul_sm80_f16", "pppiiiiii"),
    "hopper_nn": ("matmul_sm90", "matmul_nn_f16", "pppiii"),  # rows without gaps
    "hopper_nt": ("matmul_sm90", "matmul_nt_f16", "pppiii"),
    # q, k, v, out, heads, length, head_dim, causal, scale, ticket
    "hopper_attention": ("attention_sm90", "attention_f16", "ppppiiibfp"),
}
CTYPES = {
    "p": ctypes.c_void_p,
    "i": ctypes.c_int,
    "l": ctypes.c_int64,
    "u": ctypes.c_uint64,
    "f": ctypes.c_float,
    "b": ctypes.c_bool,
}
_functions = {}
# "cpu" for libraries that were built from the emulator's form of the emitted files.
DEVICE = os.environ.get("T2C_DEVICE", "cuda")


def stream():
    return torch.cuda.current_stream().cuda_stream if DEVICE == "cuda" else None


def synchronize():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def library(kind, name):
    return os.path.join(BUILD, kind, name + ".so")


def libraries():
    """The names of all libraries of ours: of the files that tile2cu wrote."""
    return list(dict.fromkeys(library_of(name) for name in OURS))


def library_of(name):
    return (*OURS[name], name)[2]


def built(kind, name):
    return os.path.exists(library(kind, name))


def _function(kind, name):
    if (kind, name) not in _functions:
        if kind == "ours":
            symbol, letters, file = (*OURS[name], name)[:3]
        else:
            file, symbol, letters = TARGETS[name]
        function = getattr(ctypes.CDLL(library(kind, file)), symbol)
        function.restype = ctypes.c_int
        function.argtypes = [CTYPES[c] for c in letters] + [ctypes.c_void_p]
        _functions[kind, name] = function
    return _functions[kind, name]


def call(kind, name, *arguments):
    """Launches on the current stream; gives the launcher's cudaError_t."""
    plain = [a.data_ptr() if torch.is_tensor(a) else a for a in arguments]
    return _function(kind, name)(*plain, stream())


def ours(name, *arguments):
    error = call("ours", name, *arguments)
    if error:
        raise RuntimeError(f"{name}: cudaError {error}")


def pin(name, candidate):
    """Makes a candidate of a tuned launcher its choice; -1 lets it choose again."""
    symbol = OURS[name][0] + "_pin"
    error = getattr(ctypes.CDLL(library("ours", library_of(name))), symbol)(candidate)
    if error:
        raise RuntimeError(f"{symbol}: cudaError {error}")


def target(name, *arguments):
    error = call("targets", name, *arguments)
    if error:
        raise RuntimeError(f"target {name}: cudaError {error}")


_zero = None


def zero(tensor):
    """cudaMemsetAsync on the current stream, from the library built with the kernels."""
    global _zero
    if _zero is None:
        _zero = ctypes.CDLL(library("helpers", "memset")).memset_async
        _zero.restype = ctypes.c_int
        _zero.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
    bytes_ = tensor.numel() * tensor.element_size()
    error = _zero(tensor.data_ptr(), bytes_, stream())
    if error:
        raise RuntimeError(f"cudaMemsetAsync: cudaError {error}")
