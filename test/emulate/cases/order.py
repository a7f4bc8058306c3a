"""What is read where: values that loops of one nest compute and read, and variables that functions of a part of a kernel take."""

from case import Table

table = Table()

# A value that is one for all elements of a vector, with two readers, one of them behind a shuffle.
UNIFORM = """grid(1);
auto i = arange<{size}>();
auto v = load(x + i);
auto pair_max = reshape<{size}>(broadcast_to<{half}, 2>(max<1>(reshape<{half}, 2>(v))[all, none]));
auto pair_sum = reshape<{size}>(broadcast_to<{half}, 2>(sum<1>(reshape<{half}, 2>(i))[all, none]));
auto odd = reshape<{size}>(broadcast_to<{quarter}, 2, 2>(arange<2>()[none, all, none] == 1));
auto c = {condition};
store(a + i, where(c, v, 0.0f));
store(b + i, where(c, pair_sum, 0));
"""


def uniform():
    for size, warps in ((64, (1, 2)), (256, (1, 4))):
        for name, condition in (("xor", "(pair_max > 0.5f) ^ odd"), ("and", "(pair_max > 0.5f) & !odd"), ("plain", "pair_max > 0.5f")):
            body = UNIFORM.format(size=size, half=size // 2, quarter=size // 4, condition=condition)
            table.add(f"order_uniform_{name}_{size}", f"float* a = out({size})\nint* b = out({size})\nconst float* x = small({size})\nint count", body, [{"count": 1}], warps=warps)


def outlined():
    """A long tail behind a loop is a function of its own: it writes through pointers of the kernel."""
    steps = "\n".join(f"auto t{k + 1} = t{k} * a + b;" for k in range(24))
    body = """auto row = grid(rows);
        {pointer}
        auto before = load({place});
        int total = 0;
        for (int i = 0; i < n; i += 256) total += sum(load(x + program_id(0) * n + i + arange<256>(), i + arange<256>() < n));
        auto t0 = total + before;
        {steps}
        store({place}, t24);"""
    for name, pointer, place in (
        ("pointer", "auto p = out + row;", "p"),
        ("pointer_and_offset", "auto p = out + rows;", "p + row"),
    ):
        parameters = "int* out = small(2 * rows)\nconst int* x = small(rows * n)\nint a\nint b\nint rows\nint n"
        runs = [{"a": 3, "b": 1, "rows": 3, "n": 300}, {"a": 1, "b": 2, "rows": 1, "n": 0}]
        table.add(f"order_epilogue_{name}", parameters, body.format(pointer=pointer, place=place, steps=steps), runs, warps=(4,))


for group in (uniform, outlined):
    group()
