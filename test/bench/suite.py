"""The list of what is timed, and what its cases are made of."""

import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gpu"))
import launchers

DEVICE = "cuda"
HALF = torch.float16
ROTATE_BYTES = 300_000_000  # several times the L2
compile_only = False  # warm-up of Triton's cache: one buffer set is enough


class Case:
    """build() gives {variant: [calls, ...]}, one list of calls for each configuration, one call for
    each buffer set, and the output that ours and the target must agree on. work: the bytes that
    move (unit GB/s), or the operations (unit TFLOP/s); own_work: those of the variant `own`, if it
    does not do as much."""

    def __init__(self, group, name, kernel, work, unit, bars, build, own_work=None):
        self.group, self.name, self.kernel = group, name, kernel
        self.work, self.unit, self.bars, self.build = work, unit, bars, build
        self.own_work = own_work or work

    def work_of(self, variant):
        return self.own_work if variant == "own" else self.work

    def rate(self, variant, ms):
        return self.work_of(variant) / ms * (1e-6 if self.unit == "GB/s" else 1e-9)


CASES = []


def case(group, name, kernel, work, build, unit="GB/s", own_work=None, **bars):
    if launchers.TARGETS.get(kernel) and not kernel.startswith("hopper_"):
        bars = {"target": 0.98, **bars}
    CASES.append(Case(group, name, kernel, work, unit, bars, build, own_work))


def groups():
    return list(dict.fromkeys(c.group for c in CASES))


def sets(bytes_):
    return 1 if compile_only else max(1, min(48, -(-ROTATE_BYTES // bytes_)))


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, device=DEVICE).to(dtype)


def over(buffers, function):
    """One call for each buffer set."""
    return [lambda b=b: function(*b) for b in buffers]


def ours(kernel, buffers, arguments):
    return [over(buffers, lambda *b: launchers.ours(kernel, *arguments(*b)))]


def target(kernel, buffers, arguments):
    return [over(buffers, lambda *b: launchers.target(kernel, *arguments(*b)))]
