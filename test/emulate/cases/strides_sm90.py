"""The cases of `strides` on Hopper, where the operands of dots become tensor boxes for TMA."""

from case import Table
from cases.strides import copies, matmuls

table = Table("--arch=sm_90a", checks_overflow=True)
copies(table, "h_strides_", (4,))
matmuls(table, "h_strides_", (4, 8))
