"""The cases of `accumulator_views` on Hopper's warpgroups."""

from case import Table
from cases.accumulator_views import add

table = Table("--arch=sm_90a")
add(table, "h_view_", (4, 8), ((64, 32), (128, 64), (64, 256)))
