"""Files for sm_80 and sm_90a: each case runs on a device of either kind, and takes the form that is for it.

The examples with dots choose among forms in every way (`instantiate`, `select`, `tune`); the other cases vary which forms there
are. Runs whose sizes or pointers TMA cannot take use the general form on Hopper, too.
"""

import dataclasses

from case import Table
from cases import kernels, strides
from products import add_matmul

table = Table("--arch=sm_80,sm_90a")
DEVICES = (80, 90)
PRODUCTS = ("matmul", "batched_matmul", "int8_matmul", "flash_attention", "split_k", "grouped_gemm_64")
SIZES = ((128, 64, 128), (70, 48, 40), (37, 50, 41), (64, 8, 0), (8, 72, 16))

for case in kernels.table.cases:
    if case.name.startswith(PRODUCTS):
        folder = case.folder or case.name
        table.cases.append(
            dataclasses.replace(case, name=f"mixed_{case.name}", folder=folder, flags=table.flags, devices=DEVICES)
        )


def matmul(name, types, tiles, **more):
    runs = [{"M": m, "N": n, "K": k} for m, n, k in SIZES]
    add_matmul(table, f"mixed_{name}", types, tiles, runs, devices=DEVICES, **more)


f16 = ("float16", "float", "float")
matmul("f16", f16, (64, 64, 32), warps=(4, 8))
matmul("f16_trans", f16, (64, 64, 32), warps=(4,), order="tt")
# Kernels of their own for strides of 1, each in both forms.
of_strides = Table(*table.flags)
strides.matmuls(of_strides, "mixed_strides_", (4,))
table.cases += [dataclasses.replace(case, devices=DEVICES) for case in of_strides.cases]
# No assumptions that a launcher could check: without __restrict__ nothing is prefetched.
matmul("aliased", f16, (64, 64, 32), warps=(4,), restrict=False)
# On Hopper alone there are products of 8-bit floats.
matmul("e4m3", ("float8_e4m3", "float", "float"), (64, 32, 64), warps=(4,), order="nt")
# No form for Hopper: too few warps, too few rows, other products.
matmul("two_warps", f16, (64, 64, 32), warps=(2,))
matmul("few_rows", f16, (16, 64, 32), warps=(4,))
matmul("f64", ("double", "double", "double"), (64, 16, 16), warps=(4,))
