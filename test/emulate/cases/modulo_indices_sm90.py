"""The cases of `modulo_indices` on Hopper, where they become tensor boxes for TMA."""

from case import Table
from cases.modulo_indices import add

table = Table("--arch=sm_90a")
add(table, "h_wrap_", warps=(4, 8))
