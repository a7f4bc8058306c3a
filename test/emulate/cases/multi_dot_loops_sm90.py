"""The cases of `multi_dot_loops` on Hopper's warpgroups."""

from case import Table
from cases.multi_dot_loops import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "h_")
