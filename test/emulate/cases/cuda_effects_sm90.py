"""The texts of cuda_effects.py for Hopper."""

import dataclasses

from case import Table
from cases import cuda_effects

table = Table("--arch=sm_90a")
for case in cuda_effects.table.cases:
    table.cases.append(dataclasses.replace(case, name=f"h_{case.name}", flags=table.flags))
