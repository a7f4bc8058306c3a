"""The cases of pointer_arrays for Hopper."""

from cases.pointer_arrays import make

table = make("--arch=sm_90a", prefix="hopper_")
