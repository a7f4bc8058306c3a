"""The cases of `connected` on Hopper's warpgroups."""

from case import Table
from cases.connected import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "h_", float8=True)
