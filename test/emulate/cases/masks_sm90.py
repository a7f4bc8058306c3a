"""The cases of `masks` on Hopper, with wgmma and TMA."""

from case import Table
from cases.masks import add

table = Table("--arch=sm_90a")
add(table, "h_mask_", (4,))
