"""The cases of struct_parameters for Hopper: tensor maps of members."""

from cases.struct_parameters import make

table = make("--arch=sm_90a", prefix="hopper_")
