"""The kernels of combined.py with --checks: none of them fails, and the results stay."""

from cases.combined import make

table = make("--checks", prefix="checked_", rarely=True)
