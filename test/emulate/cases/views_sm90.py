"""The cases of `views` on Hopper's warpgroups."""

from case import Table
from cases.views import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "hv_")
