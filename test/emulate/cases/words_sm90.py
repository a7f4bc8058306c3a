"""The cases of `words` on Hopper: words loaded by TMA, dots by wgmma."""

from case import Table
from cases.words import cases_for

table = Table("--arch=sm_90a")
cases_for(table, "h_")
