"""The cases of `wraps` on Hopper, where they become boxes for bulk copies."""

from case import Table
from cases.wraps import add

table = Table("--arch=sm_90a")
add(table, "h_wrap_", warps=(4, 8))
