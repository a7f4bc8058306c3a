"""The cases of `rows` on Hopper, where wgmmas are in flight during the updates of rows."""

from case import Table
from cases.rows import FORMS, add, attention

table = Table("--arch=sm_90a")
add(table, "h_rows_", (4, 8))
# Rotated, and in blocks that have too few registers for it.
attention("h_rows_wide", FORMS["some"], 128, 96, 128, True, 2, into=table, warps=(8,))
