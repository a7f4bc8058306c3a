"""sm_90 adds accumulators to memory in vectors, without TMA loads and wgmma."""

import dataclasses

from case import Table
from cases import atomics, kernels

table = Table("--arch=sm_90")

for case in atomics.table.cases:
    if case.name.startswith("atomic_product"):
        table.cases.append(dataclasses.replace(case, name=f"l_{case.name}", flags=table.flags))
for case in kernels.table.cases:
    if case.name == "split_k":
        table.cases.append(dataclasses.replace(case, name="l_split_k", folder="split_k", flags=table.flags))
