"""The dots of combined.py for sm_90a."""

from cases.combined import make

table = make("--arch=sm_90a", prefix="sm90_")
