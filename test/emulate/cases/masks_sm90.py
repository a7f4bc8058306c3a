"""The cases of `masks` on Hopper, by products of warpgroups and bulk copies."""

from case import Table
from cases.masks import add

table = Table("--arch=sm_90a")
add(table, "h_mask_", (4,))
