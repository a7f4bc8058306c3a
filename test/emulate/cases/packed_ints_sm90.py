"""The cases of `packed_ints` on Hopper: words loaded by TMA, dots by wgmma."""

from case import Table
from cases.packed_ints import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "h_")
