"""Tensor descriptors as Triton's tests have them: blocks x types, ranks x inner sizes, with results that Python computes."""

import itertools
import math

from case import FLOATS, INTEGERS, SHORT, Table
from cases.shapes import address

table = Table(rarely=True)


def block_of(x, sizes, offsets, block):
    """The elements of a block; 0 outside of the tensor."""
    strides = [math.prod(sizes[k + 1 :]) for k in range(len(sizes))]
    result = []
    for at in itertools.product(*map(range, block)):
        place = [o + a for o, a in zip(offsets, at)]
        inside = all(0 <= p < n for p, n in zip(place, sizes))
        result.append(x[sum(p * s for p, s in zip(place, strides))] if inside else 0)
    return result


def add(name, t, sizes, offsets, block, warps=(4,), out=None):
    """A block is loaded, written to `whole`, and stored through a descriptor to the same place of `copy`."""
    n, m = math.prod(sizes), math.prod(block)
    strides = [math.prod(sizes[k + 1 :]) for k in range(len(sizes))]
    listed = lambda values: "{" + ", ".join(map(str, values)) + "}"  # noqa: E731
    u = out or t
    line = 1 if len(block) == 1 else 0

    def expected(given):
        loaded = block_of(given["in"], sizes, offsets, block)
        copy = [None] * n
        for p in range(n):
            place, rest = [], p
            for s in strides:
                c, rest = divmod(rest, s)
                place.append(c)
            if all(o <= c < o + b for c, o, b in zip(place, offsets, block)):
                copy[p] = given["in"][p]
        return {"whole": loaded, "copy": copy}

    assert line or len(block) > 1
    table.add(
        name,
        f"const {t}* in = small({n})\n{t}* whole = out({m})\n{u}* copy = out({n})\nint count",
        f"""
        grid(count);
        auto from = make_tensor_descriptor<{', '.join(map(str, block))}>(in, {listed(sizes)}, {listed(strides)});
        auto to = make_tensor_descriptor<{', '.join(map(str, block))}>(copy, {listed(sizes)}, {listed(strides)});
        auto x = from.load({listed(offsets)});
        store(whole + ({address(block)}), x);
        to.store({listed(offsets)}, x);
        """,
        [{"count": 1}],
        warps=warps,
        expected=expected,
    )


def blocks():
    for m, n in ((2, 16), (8, 16), (8, 32), (8, 128), (512, 32), (1, 1024)):
        for t in [*INTEGERS, *FLOATS]:
            sizes = (m + m // 2 + 1, n + 8)
            add(f"triton_block_{m}x{n}_{SHORT[t]}", t, sizes, (m // 2 + 2, 4), (m, n))
    add("triton_block_narrowed", "float", (32, 40), (16, 16), (32, 32), out="float16")


def ranks():
    for rank in (1, 2, 3, 4, 5):
        for inner in (16, 32, 64, 128):
            block = (1, 2, 2, 1)[: rank - 1] + (inner,)
            sizes = (3, 2, 3, 2)[: rank - 1] + (inner + 5,)
            offsets = (1, 1, 2, 0)[: rank - 1] + (8,)
            add(f"triton_rank_{rank}_{inner}", "float", sizes, offsets, block, (1, 4))
    add("triton_rank_3_block", "float16", (5, 12, 40), (2, 4, 16), (4, 8, 32), (1, 4))


def batches():
    """Products of batches, through descriptors of three dimensions whose first block size is 1."""
    for count in (1, 3):

        def expected(given, count=count):
            c = []
            for p in range(count):
                a, b = given["a"][p * 1024 : p * 1024 + 1024], given["b"][p * 1024 : p * 1024 + 1024]
                c += [sum(a[i * 32 + k] * b[k * 32 + j] for k in range(32)) for i in range(32) for j in range(32)]
            return {"c": c}

        table.add(
            f"triton_batched_descriptors_{count}",
            "const float16* a = small(n * 1024)\nconst float16* b = small(n * 1024)\nfloat* c = out(n * 1024)\nint n",
            """
            auto p = grid(n);
            auto A = make_tensor_descriptor<1, 32, 32>(a, {n, 32, 32}, {1024, 32, 1});
            auto B = make_tensor_descriptor<1, 32, 32>(b, {n, 32, 32}, {1024, 32, 1});
            auto C = make_tensor_descriptor<1, 32, 32>(c, {n, 32, 32}, {1024, 32, 1});
            auto x = reshape<32, 32>(A.load({p, 0, 0}));
            auto y = reshape<32, 32>(B.load({p, 0, 0}));
            C.store({p, 0, 0}, reshape<1, 32, 32>(dot(x, y)));
            """,
            [{"n": count}],
            warps=(1, 4),
            expected=expected,
        )


for make in (blocks, ranks, batches):
    make()
