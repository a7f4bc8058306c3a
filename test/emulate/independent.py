"""Compares the reference of tile.h with results that Python computes from the same data.

A case with `expected` names a function: expected(given) -> {buffer: values}. `given` holds the elements of each buffer
before the run and the scalars, by name, as numbers of Python. The values are what the buffer holds after the run, before
they are rounded to its type; None for an element that keeps its value. The driver's --record writes the data.
"""

import functools
import math
import struct
from fractions import Fraction

import exact


def elements(form, data):
    """The bytes of a buffer as numbers; `form` is a type of exact.py."""
    size = form.bytes
    if isinstance(form, exact.Integer):
        signed = form.least < 0
        return [int.from_bytes(data[i : i + size], "little", signed=signed) for i in range(0, len(data), size)]
    if size > 2:
        return list(struct.unpack(f"<{len(data) // size}{'f' if size == 4 else 'd'}", data))
    return [number_of(form, int.from_bytes(data[i : i + size], "little")) for i in range(0, len(data), size)]


class Infinity(float):
    """An infinity that was read: written elsewhere it keeps its pattern, where a conversion to 8-bit floats saturates."""

    def __new__(cls, bits, negative):
        self = super().__new__(cls, "-inf" if negative else "inf")
        self.bits = bits
        return self


@functools.cache
def number_of(form, bits):
    """The number that a pattern of 8 or 16 bits stands for."""
    magnitude = bits & ~(1 << (8 * form.bytes - 1))
    if form.patterns.get(form.decode(bits)) == bits:
        value = form.decode(bits)
        return -0.0 if value == exact.NEGATIVE_ZERO else float(value)
    if magnitude == form.encode(exact.INF):
        return Infinity(bits, magnitude != bits)
    return math.nan


@functools.lru_cache(1 << 16)
def rounded(form, value, negative_zero):
    """A number as an element of the type: its bits, or "nan"."""
    if isinstance(form, exact.Integer):
        return value % (1 << (8 * form.bytes))
    if isinstance(value, float) and math.isnan(value):
        return exact.NAN
    if isinstance(value, float) and math.isinf(value):
        return form.encode(form.round(exact.INF if value > 0 else exact.NEGATIVE_INF, False))
    if value == 0:
        return form.encode(exact.NEGATIVE_ZERO if negative_zero else Fraction(0))
    return form.encode(form.round(Fraction(value), False))


def bits_of(form, value):
    if form.bytes == 1 and isinstance(value, Infinity):
        return value.bits
    return rounded(form, value, value == 0 and math.copysign(1, value) < 0)


def is_near(parameter, given, expected, got):
    """Whether the tolerance of the parameter allows the difference."""
    if len(parameter.rest) < 2:
        return False
    relative = float(eval(parameter.rest[1], dict(given)))
    absolute = float(eval(parameter.rest[2], dict(given))) if len(parameter.rest) > 2 else 0
    return abs(got - expected) <= relative * abs(expected) + absolute


def problem_of_buffer(parameter, given, before, after, values):
    """What is wrong with a buffer, or an empty string."""
    form = exact.TYPES[{"int32_t": "int", "unsigned": "uint32_t"}.get(parameter.type, parameter.type)]
    old, new = elements(form, before), elements(form, after)
    if len(values) != len(new):
        return f"{parameter.name}: {len(values)} results for {len(new)} elements"
    size = form.bytes
    for i, value in enumerate(values):
        if value is None:
            if before[i * size : (i + 1) * size] != after[i * size : (i + 1) * size]:
                return f"{parameter.name}[{i}] is {new[i]}, not as before, {old[i]}"
            continue
        bits = bits_of(form, value)
        if bits == int.from_bytes(after[i * size : (i + 1) * size], "little"):
            continue
        if bits == exact.NAN:
            if new[i] != new[i]:
                continue
        elif is_near(parameter, given, value, new[i]):
            continue
        return f"{parameter.name}[{i}] is {new[i]}, not {float(value)!r}"
    return ""


def records_of(path):
    """(kernel, number of the run, {buffer: (before, after)}) of a file that the driver wrote."""
    data = path.read_bytes()
    at = 0

    def line():
        nonlocal at
        end = data.index(b"\n", at)
        words, at = data[at:end].decode().split(), end + 1
        return words

    while at < len(data):
        kernel, number, count = line()
        buffers = {}
        for _ in range(int(count)):
            name, size = line()
            size = int(size)
            buffers[name] = (data[at : at + size], data[at + size : at + 2 * size])
            at += 2 * size
        yield kernel, int(number), buffers


def check_record(case, number_of_instance, number, buffers):
    """What is wrong with a run of a case, or an empty string."""
    run, _ = case.expanded_runs(number_of_instance)[number // len(case.devices)]
    given = {k: v for k, v in run.items() if k not in ("shift", "null")}
    parameters = {p.name: p for p in case.parameters}
    scalars = {**given, "cdiv": lambda a, b: -(-a // b)}
    for name, (before, _) in buffers.items():
        kind = parameters[name].type
        form = exact.TYPES[{"int32_t": "int", "unsigned": "uint32_t"}.get(kind, kind)]
        given[name] = elements(form, before)
    for name, values in case.expected(given).items():
        problem = problem_of_buffer(parameters[name], scalars, *buffers[name], list(values))
        if problem:
            return problem
    return ""


def check(cases, path):
    """The names of the kernels of which runs were compared, and a failure for each run that differs."""
    kernels = {name: (case, i) for case in cases for i, (name, _) in enumerate(case.instances())}
    compared, lines = set(), []
    for kernel, number, buffers in records_of(path):
        case, instance = kernels[kernel]
        if case.expected is None:
            continue
        compared.add(kernel)
        problem = check_record(case, instance, number, buffers)
        if problem:
            lines.append(f"FAIL {kernel}(run {number}): the reference against Python: {problem}")
    return compared, lines
