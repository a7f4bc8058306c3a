"""The examples with matmuls, for Hopper: with wgmma and TMA where their tiles allow it."""

import dataclasses

from case import Table
from cases import kernels

table = Table("--arch=sm_90a")
PRODUCTS = ("matmul", "batched_matmul", "int8_matmul", "flash_attention", "split_k", "grouped_gemm", "flash_decode", "hopper_attention")

for case in kernels.table.cases:
    if case.name.startswith(PRODUCTS) and not case.name.startswith("flash_decode_combine"):
        folder = case.folder or case.name
        name = f"h_{case.name}"
        table.cases.append(dataclasses.replace(case, name=name, folder=folder, flags=table.flags))
