"""The cases of `mixed_dots` on Hopper, with wgmma and TMA."""

from case import Table
from cases.mixed_dots import add

table = Table("--arch=sm_90a")
add(table, "h_cross_", (4, 8))
