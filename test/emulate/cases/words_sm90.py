"""The cases of `words` on Hopper: words by bulk copies, products by warpgroups."""

from case import Table
from cases.words import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "h_")
