"""The loops of counted_dots.py for sm_90a."""

from cases.counted_dots import make

table = make("--arch=sm_90a", prefix="sm90_")
