"""The cases of `optional_pointers` on Hopper: TMA has no map of an array that is not there."""

from case import Table
from cases.optional_pointers import items, norms, outputs, products

table = Table("--arch=sm_90a")
products(table, "h_", (4, 8))
items(table, "h_")
norms(table, "h_")
outputs(table, "h_")
