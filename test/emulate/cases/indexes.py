"""Elements by their index: gather and scatter, along every axis, of every type, in loops and branches."""

from case import FLOAT8, FLOATS, INTEGERS, SHORT, Table, warps_of

table = Table()
RUNS = [{"n": 1}, {"n": 3}, {"n": 0}]
# The shape of the source, the extent of the index along the axis, the axis.
PLACES = [
    ((1,), 1, 0), ((1,), 8, 0), ((8,), 64, 0), ((64,), 4, 0), ((128,), 128, 0), ((100,), 7, 0), ((1024,), 256, 0), ((256,), 2048, 0),
    ((4, 4), 8, 0), ((4, 4), 16, 1), ((16, 64), 64, 1), ((64, 16), 128, 0), ((5, 12), 3, 1), ((32, 1), 4, 1), ((1, 32), 8, 0),
    ((2, 4, 8), 16, 1), ((4, 1, 16), 2, 0), ((3, 5, 7), 9, 2),
]


def listed(numbers):
    return ", ".join(map(str, numbers))


def flat(shape):
    """The tile of the elements' numbers in row-major order."""
    size = 1
    for extent in shape:
        size *= extent
    return f"reshape<{listed(shape)}>(arange<{size}>())", size


def places():
    for shape, extent, axis in PLACES:
        taken = shape[:axis] + (extent,) + shape[axis + 1 :]
        at, size = flat(shape)
        to, count = flat(taken)
        name = f"gather_{'x'.join(map(str, shape))}_{extent}_{axis}"
        table.add(
            name,
            f"const float* in = bits(n * {size})\nconst int* at = below(n * {count}, {shape[axis]})\nfloat* out = out(n * {count})\nint n",
            f"""
            auto p = grid(n);
            auto x = load(in + p * {size} + {at});
            auto index = load(at + p * {count} + {to});
            store(out + p * {count} + {to}, gather<{axis}>(x, index));
            """,
            RUNS,
            warps=warps_of(name, 2),
        )
        # Each index once along the axis: its number times an odd one, modulo the extent.
        if extent > shape[axis]:
            continue
        name = f"scatter_{'x'.join(map(str, shape))}_{extent}_{axis}"
        table.add(
            name,
            f"const float* in = bits(n * {size})\nconst float* with_ = bits(n * {count})\nfloat* out = out(n * {size})\nint n\nint first",
            f"""
            auto p = grid(n);
            auto x = load(in + p * {size} + {at});
            auto values = load(with_ + p * {count} + {to});
            auto index = (iota<{axis}, {listed(taken)}>() + first) % {shape[axis]};
            store(out + p * {size} + {at}, scatter<{axis}>(x, index, values));
            """,
            [{"n": 1, "first": 0}, {"n": 3, "first": 5}, {"n": 0, "first": 1}],
            warps=warps_of(name, 2),
        )


def types():
    for t in INTEGERS + FLOATS + FLOAT8 + ["bool"]:
        name = f"gather_{SHORT[t]}"
        table.add(
            name,
            f"const {t}* in = bits(n * 96)\nconst int* at = below(n * 96, 96)\n{t}* out = out(n * 96)\n{t}* back = out(n * 96)\nint n",
            f"""
            auto i = grid(n) * 96 + arange<96>();
            auto x = load(in + i);
            auto y = gather(x, load(at + i));
            store(out + i, y);
            store(back + i, scatter(x, 95 - arange<96>(), y));
            """,
            RUNS,
            warps=warps_of(name, 2),
        )
    for t in INTEGERS:
        name = f"gather_by_{SHORT[t]}"
        table.add(
            name,
            f"const float* in = bits(n * 256)\nconst int* at = below(n * 256, 100)\nfloat* out = out(n * 256)\nint n",
            f"""
            auto i = grid(n) * 256 + arange<256>();
            store(out + i, gather(load(in + i), cast<{t}>(load(at + i))));
            """,
            RUNS,
            warps=warps_of(name, 2),
        )


def sums():
    """Values that are added at indices, many to one place; histograms, whose elements may be outside of the bins."""
    for t in ("int", "uint32_t", "int64_t", "uint64_t", "float", "double", "float16", "bfloat16"):
        for size, bins in ((64, 4), (100, 128), (512, 512)):
            name = f"added_{SHORT[t]}_{size}_{bins}"
            table.add(
                name,
                f"const {t}* in = small(n * {size})\nconst int* at = below(n * {size}, {bins + 3})\n{t}* out = out(n * {bins}, 1e-2, 1e-1)\nint n"
                if t in ("float16", "bfloat16")
                else f"const {t}* in = small(n * {size})\nconst int* at = below(n * {size}, {bins + 3})\n{t}* out = out(n * {bins}, 1e-5, 1e-4)\nint n",
                f"""
                auto p = grid(n);
                auto i = p * {size} + arange<{size}>();
                auto index = load(at + i);
                auto sums = scatter_add(zeros<{t}, {bins}>(), index, load(in + i), index < {bins});
                store(out + p * {bins} + arange<{bins}>(), sums);
                """,
                RUNS,
                warps=warps_of(name, 2),
            )
    for t in INTEGERS:
        for size, bins in ((1, 1), (33, 7), (256, 100), (2048, 16)):
            name = f"histogram_{SHORT[t]}_{size}_{bins}"
            table.add(
                name,
                f"const int* in = below(n * {size}, {bins + 9})\nint* counts = out(n * {bins})\nint* some = out(n * {bins})\n"
                f"int* weighted = out(n * {bins})\nint n",
                f"""
                auto p = grid(n);
                auto i = p * {size} + arange<{size}>();
                auto x = cast<{t}>(load(in + i) - 3);
                auto to = p * {bins} + arange<{bins}>();
                store(counts + to, histogram<{bins}>(x));
                store(some + to, histogram<{bins}>(x, arange<{size}>() % 3 != 1));
                store(weighted + to, bincount<{bins}>(x, arange<{size}>()));
                """,
                RUNS,
                warps=warps_of(name, 2),
            )
    table.add(
        "added_along_rows",
        "const int* in = bits(n * 512)\nconst int* at = below(n * 512, 16)\nint* out = out(n * 256)\nint* columns = out(n * 128)\nint n",
        """
        auto p = grid(n);
        auto place = reshape<16, 32>(arange<512>());
        auto x = load(in + p * 512 + place) & 255;
        auto index = load(at + p * 512 + place);
        store(out + p * 256 + reshape<16, 16>(arange<256>()), scatter_add<1>(zeros<int, 16, 16>(), index, x));
        store(columns + p * 128 + reshape<4, 32>(arange<128>()), scatter_add<0>(full<int, 4, 32>(5), index, x, index < 4));
        """,
        RUNS,
        warps=(1, 3, 4, 8),
    )


def control():
    """Indices that hold only where the program uses them: in loops that may have no step, in branches, behind masks."""
    table.add(
        "gather_in_loop",
        "const float* in = bits(256)\nconst int* at = below(256, 256)\nfloat* out = out(256)\nint n\nint outside",
        """
        auto p = grid(1);
        auto i = arange<256>();
        auto x = load(in + i);
        auto index = load(at + i) + outside;
        for (auto k : range(0, n)) x = gather(x, index);
        if (n > 2) x = x + gather(load(in + i), index);
        store(out + i, x);
        """,
        [{"n": 0, "outside": 1000000000}, {"n": 1, "outside": 0}, {"n": 5, "outside": 0}],
        warps=(1, 2, 4, 8),
    )
    table.add(
        "gather_rows_of_products",
        "const float16* a = small(64 * 64)\nconst int* at = below(64, 64)\nfloat* out = out(64 * 64, 1e-5, 1e-5)\nint n",
        """
        auto p = grid(n);
        auto r = arange<64>();
        auto x = load(a + r[all, none] * 64 + r[none, all]);
        auto acc = dot(x, trans(x));
        auto index = broadcast_to<64, 64>(load(at + r)[all, none]);
        auto moved = gather<0>(acc, index);
        store(out + r[all, none] * 64 + r[none, all], moved + gather<1>(acc, trans(index)));
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 4, 8),
    )
    table.add(
        "scatter_then_gather",
        "const int* in = bits(n * 512)\nint* out = out(n * 512)\nint* turned = out(n * 512)\nint n",
        """
        auto p = grid(n);
        auto i = arange<512>();
        auto x = load(in + p * 512 + i);
        auto shuffled = (i * 37 + 11) & 511;
        auto y = scatter(zeros_like(x), shuffled, x);
        auto z = gather(y, shuffled);
        for (auto k : range(0, 3)) {
          y = scatter(y, (i + cast<int>(k)) & 511, gather(z, 511 - i));
          z = z + flip(y);
        }
        store(out + p * 512 + i, z);
        store(turned + p * 512 + i, y);
        """,
        RUNS,
        warps=(1, 3, 4, 8),
    )
    table.add(
        "gather_of_masked",
        "const float* in = bits(n)\nconst int* at = below(n, 10)\nfloat* out = out(n)\nint n",
        """
        auto i = grid(cdiv(n, 128)) * 128 + arange<128>();
        auto x = load(in + i, i < n);
        store(out + i, gather(x, load(at + i, i < n)), i < n);
        """,
        [{"n": 1}, {"n": 130}, {"n": 300}, {"n": 0}],
        warps=(1, 2, 4),
    )


places()
types()
sums()
control()
