"""The cases of `steps` on Hopper's warpgroups."""

from case import Table
from cases.steps import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "h_")
