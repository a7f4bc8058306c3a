"""The cases of `chained_dots` on Hopper's warpgroups."""

from case import Table
from cases.chained_dots import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "h_", float8=True)
