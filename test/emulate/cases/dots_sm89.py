"""Dots of 8-bit floats on tensor cores, which sm_89 has."""

from case import FLOAT8, Table, warps_of
from cases.dots import ORDERS, names_of, product

table = Table("--arch=sm_89")
SHAPES = [(16, 8, 32), (32, 48, 64), (5, 7, 3), (33, 24, 80), (1, 16, 48), (64, 64, 32)]


def singles():
    for a in FLOAT8:
        for b in FLOAT8:
            for at, (m, n, k) in enumerate(SHAPES):
                order = ORDERS[at % 4]
                name = f"dot_{names_of((a, b))}_{m}x{n}x{k}_{order}"
                product(table, name, (a, b), "float", (m, n, k), order, warps=warps_of(name, 2))


singles()
