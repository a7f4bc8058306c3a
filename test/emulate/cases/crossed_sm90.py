"""The cases of `crossed` on Hopper, with wgmma and TMA."""

from case import Table
from cases.crossed import add

table = Table("--arch=sm_90a")
add(table, "h_cross_", (4, 8))
