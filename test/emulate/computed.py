"""What the `expected` of cases are made of: positions along an axis, and C++'s integers, in Python."""

import itertools
import math

import exact


def wrap(value, t):
    """An integer in the range of an integer type, as arithmetic modulo 2^n leaves it."""
    form = exact.TYPES[t]
    value %= 1 << (8 * form.bytes)
    return value if value <= form.most else value - (1 << (8 * form.bytes))


def positions(shape, axis):
    """The row-major positions of each line along an axis, in the order of the other coordinates."""
    strides = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
    rest = [range(n) if k != axis else (0,) for k, n in enumerate(shape)]
    return [
        [sum(c * s for c, s in zip(at, strides)) + i * strides[axis] for i in range(shape[axis])]
        for at in itertools.product(*rest)
    ]


def reduced(values, shape, axis, function):
    """function(list) of each line."""
    return [function([values[p] for p in line]) for line in positions(shape, axis)]


def scanned(values, shape, axis, combine, reverse=False):
    """Each element combined with all before it along the axis."""
    result = [None] * len(values)
    for line in positions(shape, axis):
        total = None
        for p in reversed(line) if reverse else line:
            total = values[p] if total is None else combine(total, values[p])
            result[p] = total
    return result


def permuted(values, shape, order):
    """The elements in the order of the permuted tile."""
    strides = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
    ranges = [range(shape[k]) for k in order]
    return [values[sum(c * strides[k] for c, k in zip(at, order))] for at in itertools.product(*ranges)]


def first_of(choose):
    """argmax or argmin: the first place of the extreme."""
    return lambda line: line.index(choose(line))
