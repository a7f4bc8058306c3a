"""The cases of `crossed` on Hopper, by products of warpgroups and bulk copies."""

from case import Table
from cases.crossed import add

table = Table("--arch=sm_90a")
add(table, "h_cross_", (4, 8))
