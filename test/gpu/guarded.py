"""Tensors inside poisoned memory, calls with them, and comparisons that count and report."""

import math

import torch

import launchers
from launchers import DEVICE, synchronize

BAND = 256  # poisoned elements before and after; a multiple of every vector width
POISON = {1: 0x5A, 2: 0x7E5A, 4: 0x7FC0ABCD, 8: 0x7FF8ABCD12345678}  # NaN in every float type
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class Guarded:
    """A tensor for a kernel, `view`, inside memory that holds a pattern no kernel writes.

    shift: elements by which the data is off its 16-byte alignment. stride: distance of rows.
    """

    def __init__(self, shape, dtype=torch.float32, shift=0, stride=None, data=None):
        self.shape = tuple(shape)
        cols = self.shape[-1]
        rows = math.prod(self.shape[:-1])
        stride = cols if stride is None else stride
        size = torch.empty((), dtype=dtype).element_size()
        self.pattern = POISON[size]
        self.bits = torch.full(
            (BAND + shift + max(rows * stride, cols) + BAND,),
            self.pattern,
            dtype=BITS[size],
            device=DEVICE,
        )
        self.start, self.rows, self.cols, self.stride = BAND + shift, rows, cols, stride
        flat = self.bits.view(dtype)
        steps = [1] * len(self.shape)
        step = stride
        for d in reversed(range(len(self.shape) - 1)):
            steps[d] = step
            step *= self.shape[d]
        self.view = flat.as_strided(self.shape, steps, self.start)
        if data is not None:
            self.view.copy_(data)

    def intact(self):
        """Whether everything around the view still holds the pattern."""
        outside = self.bits.clone()
        outside.as_strided((self.rows, self.cols), (self.stride, 1), self.start).fill_(self.pattern)
        return bool((outside == self.pattern).all())

    def untouched(self):
        return bool((self.bits == self.pattern).all())


class Check:
    """Collects the comparisons of one kernel."""

    def __init__(self, name):
        self.name, self.count, self.worst, self.failures = name, 0, 0.0, []

    def fail(self, what, why):
        self.failures.append(f"{what}: {why}")
        if len(self.failures) <= 8:
            print(f"  WRONG {self.name} {what}: {why}", flush=True)

    def expect(self, what, condition, why):
        self.count += 1
        if not condition:
            self.fail(what, why)

    def close(self, what, out, reference, tolerance):
        """Relative error in the Frobenius norm, and the largest error over the largest value."""
        guard = out if isinstance(out, Guarded) else None
        got = (out.view if guard else out).double()
        ref = reference.double()
        self.count += 1
        # Where cancellation leaves nothing, errors count relative to values of 1e-3.
        floor = 1e-3 * math.sqrt(max(ref.numel(), 1))
        error = ((got - ref).norm() / ref.norm().clamp_min(floor)).item()
        peak = ((got - ref).abs().max() / ref.abs().max().clamp_min(1e-3)).item()
        if not max(error, peak) <= tolerance:
            wrong = ((got - ref).abs() > tolerance * ref.abs().max()) | (got.isnan() != ref.isnan())
            where = wrong.nonzero()
            at = tuple(where[0].tolist()) if len(where) else ()
            self.fail(
                what,
                f"error {error:.2e}, peak {peak:.2e}; {len(where)} of {ref.numel()} wrong"
                + (f", first at {at}: {got[at].item():.6g} for {ref[at].item():.6g}" if at else ""),
            )
        else:
            self.worst = max(self.worst, error)
        if guard:
            self.expect(what, guard.intact(), "wrote outside its output")

    def same(self, what, out, reference):
        guard = out if isinstance(out, Guarded) else None
        got = out.view if guard else out
        self.count += 1
        different = (got != reference).nonzero()
        if len(different):
            at = tuple(different[0].tolist())
            first = f"{got[at].item()} for {reference[at].item()}"
            self.fail(what, f"{len(different)} differ, first at {at}: {first}")
        if guard:
            self.expect(what, guard.intact(), "wrote outside its output")

    def refused(self, what, code, *outputs):
        """The launcher must say cudaErrorInvalidValue and write nothing."""
        self.expect(what, code == 1, f"returned {code} for cudaErrorInvalidValue (1)")
        synchronize()
        self.expect(what, all(o.untouched() for o in outputs), "wrote although it refused")

    def empty(self, what, code, *outputs):
        """Nothing to do: success, and nothing written."""
        self.expect(what, code == 0, f"returned {code} for success")
        synchronize()
        self.expect(
            what, all(o.untouched() for o in outputs), "wrote although there is nothing to do"
        )


# What every check needs.
ON_GPU = DEVICE == "cuda"
HALF = torch.float16
F32, F16 = 1e-5, 1e-3  # relative errors of kernels that end in these types


def call(name, *arguments):
    arguments = [a.view if isinstance(a, Guarded) else a for a in arguments]
    return launchers.call("ours", name, *arguments)


def run(check, what, name, *arguments):
    code = call(name, *arguments)
    check.expect(what, code == 0, f"launcher returned cudaError {code}")


def normal(*shape, scale=1.0, offset=0.0):
    return torch.randn(*shape, device=DEVICE) * scale + offset


def philox(seed, counter):
    """The four outputs of Philox-4x32-10 for int64 counters, in plain torch arithmetic."""
    mask = 0xFFFFFFFF

    def multiply(a, k):  # high and low word of a 32 x 32 bit product, without leaving int64
        high = ((a >> 16) * k + (((a & 0xFFFF) * k) >> 16)) >> 16
        return high & mask, (a * k) & mask

    c = [
        counter & mask,
        (counter >> 32) & mask,
        torch.zeros_like(counter),
        torch.zeros_like(counter),
    ]
    k0, k1 = seed & mask, seed >> 32
    for _ in range(10):
        high0, low0 = multiply(c[0], 0xD2511F53)
        high1, low1 = multiply(c[2], 0xCD9E8D57)
        c = [high1 ^ c[1] ^ k0, low1, high0 ^ c[3] ^ k1, low0]
        k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
    return c


def rand(seed, offsets):
    """The language's rand(seed, offsets) as float64: exact multiples of 2^-24."""
    words = torch.stack(philox(seed, offsets // 4))
    word = words.gather(0, (offsets % 4)[None])[0]
    return (word >> 8).double() * 2.0**-24
