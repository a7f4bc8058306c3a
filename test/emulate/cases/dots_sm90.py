"""Dots by wgmma, whose operands a producer warp loads by TMA.

The tiles have at least the 64 rows of a warpgroup. Smaller tiles, and numbers of warps that are not multiples of four, use the
instructions of all GPUs. Runs whose sizes or pointers TMA cannot take launch the variant without it.
"""

from case import SHORT, Table
from cases.dots import HALF, ORDERS, names_of, product
from products import add_matmul

table = Table("--arch=sm_90a")
# Element types of both operands -> of the accumulator.
SUMS = {
    ("float16", "float16"): "float",
    ("bfloat16", "bfloat16"): "float",
    ("float", "float"): "float",
    ("int8_t", "int8_t"): "int",
    ("uint8_t", "int8_t"): "int",
    ("float8_e4m3", "float8_e4m3"): "float",
    ("float8_e5m2", "float8_e4m3"): "float",
    ("double", "double"): "double",
}
SHAPES = [(64, 64, 32), (64, 8, 64), (128, 40, 32), (192, 24, 96), (64, 256, 16), (80, 72, 48), (50, 20, 33), (256, 16, 128)]


def singles():
    """Dots of whole tiles: each type, with both operands in each memory order."""
    at = 0
    for types, s in SUMS.items():
        for order in ORDERS:
            for m, n, k in SHAPES:
                at += 1
                if types[0] == "double" and k == 128:
                    continue  # more than shared memory has
                warps = (4, 8, 12, 2)[at % 4] if m != 192 else 12
                product(table, f"h_dot_{names_of(types)}_{m}x{n}x{k}_{order}", types, s, (m, n, k), order, warps=warps)
        for order in ("cn", "nc", "cc"):
            product(table, f"h_dot_{names_of(types)}_{order}", types, s, (64, 48, 64), order, warps=(4, 8))
    for order in ORDERS:
        m, n, k = 64, 48, 64
        options = f", zeros<float16, {m}, {n}>()"
        product(table, f"h_dot_f16_sums_{order}", ("float16", "float16"), "float16", (m, n, k), order, options, HALF.format(m * n), warps=(4, 8))


SIZES = ((128, 64, 128), (70, 48, 40), (37, 50, 41), (1, 1, 1), (64, 8, 0), (8, 72, 16), (0, 8, 8), (130, 136, 72))


def matmul(name, types, tiles, sizes=SIZES, warps=(4,), **more):
    runs = [{"M": m, "N": n, "K": k} for m, n, k in sizes]
    add_matmul(table, f"h_{name}", types, tiles, runs, warps=warps, **more)


def loops():
    """Dots in a loop over k: numbers of stages, memory orders, types and tile sizes vary."""
    f16 = ("float16", "float", "float")
    for stages in (1, 2, 3, 4, 5):
        matmul(f"matmul_stages_{stages}", f16, (64, 64, 32), warps=(4, 8) if stages != 3 else (4, 12), options=f", .num_stages = {stages}")
    for order in ("cn", "nc", "cc"):
        matmul(f"matmul_{order}", f16, (64, 64, 32), order=order, warps=(4, 8))
        matmul(f"matmul_i8_{order}", ("int8_t", "int", "int"), (64, 32, 64), order=order, warps=(4,))
    for order in ORDERS:
        matmul(f"matmul_{order}", f16, (64, 64, 32), order=order, warps=(4,))
        matmul(f"matmul_bf16_{order}", ("bfloat16", "float", "bfloat16"), (128, 72, 64), order=order, store="cast<bfloat16>(acc)", warps=(8,))
        matmul(f"matmul_f32_{order}", ("float", "float", "float"), (64, 32, 16), order=order, warps=(4,))
        matmul(f"matmul_i8_{order}", ("int8_t", "int", "int"), (64, 32, 64), order=order, warps=(4, 8))
        matmul(f"matmul_e4m3_{order}", ("float8_e4m3", "float", "float"), (64, 64, 64), order=order, warps=(4,))
    tiles = ((64, 8, 16), (64, 24, 64), (128, 96, 48), (192, 64, 32), (64, 200, 32), (128, 256, 32), (80, 40, 32), (32, 32, 16), (16, 64, 32))
    for at, (m, n, k) in enumerate(tiles):
        matmul(f"matmul_{m}x{n}x{k}", f16, (m, n, k), warps=(12,) if m == 192 else (4, 8), options=f", .num_stages = {(3, 2, 4, 3, 2, 2, 3, 4, 5)[at]}")
    for warps in (1, 2, 6, 12, 16):
        matmul(f"matmul_warps_{warps}", f16, (64, 64, 32), warps=(warps,))
    matmul("matmul_f16_sums", ("float16", "float16", "float16"), (64, 32, 32))
    matmul("matmul_f64", ("double", "double", "double"), (64, 16, 16))


for make in (singles, loops):
    make()
