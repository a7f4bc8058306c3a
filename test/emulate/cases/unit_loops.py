"""Kernels whose sizes are named constants, with many layouts each: a loop over registers that runs once is left out, unless another
instance of the text needs it. Every size is near a power of two or a number of threads."""

from case import SHORT, Table

table = Table()

SIZES = ((6, 7), (5, 72), (72, 5), (10, 3), (7, 100), (48, 20), (36, 5), (8, 16), (1, 65), (33, 2))
TYPES = ("float", "float16", "int8_t", "bool", "double")
AT = "arange<{0}>()[all, none] * ({1}) + arange<{1}>()[none, all]"


def at(rows, columns):
    return AT.format(rows, columns)


MOVES = [
    ("cat", f"store(out + {at('2 * A', 'B')}, cat(x, y)); store(out + 2 * A * B + {at('A', 'B + 1')}, cat<-1>(x, v[all, none]));"),
    ("turn", f"store(out + {at('B', 'A')}, trans(x)); store(out + A * B + arange<A * B>(), ravel(x));"),
    ("pairs", f"store(out + arange<2 * A * B>(), ravel(join(x, y))); store(out + 2 * A * B + {at('A', '2 * B')}, interleave(x, y));"),
    ("spread", f"store(out + arange<A>()[all, none, none] * (3 * B) + arange<3>()[none, all, none] * B + arange<B>(), broadcast_to<A, 3, B>(x[all, none]));\n"
     f"store(out + 3 * A * B + {at('5', 'A')}, broadcast_to<5, A>(expand_dims<0>(v)));"),
    ("again", f"store(out + {at('B', 'A')}, reshape<B, A>(x)); store(out + A * B + {at('A', 'B')}, flip<0>(x));\n"
     f"store(out + 2 * A * B + reshape<A * B>({at('A', 'B')}), reshape<A * B>(permute<1, 0>(reshape<B, A>(x))));"),
    ("parts", f"store(out + {at('A', '1')}, x[all, slice<B - 1, B>]); store(out + A + {at('1', 'B')}, x[slice<0, 1>]);\n"
     f"store(out + A + B + {at('A', 'B')}, where(arange<A>()[all, none] % 2 == 0, x, y)); store(out + A + B + A * B + arange<A>(), flip(v));"),
]  # fmt: skip


def moves():
    for number, (a, b) in enumerate(SIZES):
        for place, (name, body) in enumerate(MOVES):
            kind = TYPES[(number + place) % len(TYPES)]
            table.add(
                f"named_{name}_{a}x{b}_{SHORT[kind]}",
                f"const {kind}* in = small({2 * a * b + 200})\n{kind}* out = out({6 * a * b + 600})",
                f"grid(1);\nauto x = load(in + {at('A', 'B')}), y = load(in + 7 + {at('A', 'B')});\nauto v = load(in + 100 + arange<A>());\n{body}",
                [{}],
                template="template <int A, int B>",
                arguments=f"<{a}, {b}>",
                warps=((1, 2), (2, 4), (1, 3, 8))[(number + place) % 3],
            )


def reductions():
    """Several reductions along each axis, whose results are stored, moved, and used with the tile."""
    for number, (a, b) in enumerate(SIZES):
        kind = ("float", "int")[number % 2]
        body = f"""
            grid(1);
            auto x = load(in + {at('A', 'B')});
            auto rows = sum<1>(x);
            auto columns = sum<0>(x);
            store(out + arange<A>(), rows);
            store(out + 200 + arange<B>(), columns);
            store(out + 400 + reshape<1, A>(arange<A>()), reshape<1, A>(max<1>(x)));
            store(out + 600 + {at('A', 'B')}, x - rows[all, none] + columns[none, all]);
            store(out + 600 + A * B + {at('A', 'B')}, cumsum<1>(x) + cumsum<0>(x));
            store(out + 600 + 2 * A * B + arange<3 * A>(), ravel(cat(cat(rows, rows), min<1>(x))));
            store(out + 600 + 2 * A * B + 3 * A, sum(x));
        """
        table.add(
            f"named_reduce_{a}x{b}_{SHORT[kind]}",
            f"const {kind}* in = small({a * b})\n{kind}* out = out({600 + 2 * a * b + 3 * a + 1})",
            body,
            [{}],
            template="template <int A, int B>",
            arguments=f"<{a}, {b}>",
            warps=((1, 2), (2, 4), (1, 3, 8))[number % 3],
        )
        # Three dimensions, two of one extent.
        body = f"""
            grid(1);
            auto x = load(in + arange<2>()[all, none, none] * (A * B) + arange<A>()[none, all, none] * B + arange<B>());
            store(out + {at('2', 'B')}, sum<1>(x));
            store(out + 2 * B + {at('2', 'A')}, sum<2>(x));
            store(out + 2 * A + 2 * B + {at('A', 'B')}, max<0>(x));
            store(out + 2 * A + 2 * B + A * B + reshape<A * B>({at('A', 'B')}), reshape<A * B>(sum<0>(x)));
        """
        table.add(
            f"named_cube_{a}x{b}_{SHORT[kind]}",
            f"const {kind}* in = small({2 * a * b})\n{kind}* out = out({2 * a + 2 * b + 2 * a * b})",
            body,
            [{}],
            template="template <int A, int B>",
            arguments=f"<{a}, {b}>",
            warps=((2, 4), (1, 3), (2, 8))[number % 3],
        )


moves()
reductions()
