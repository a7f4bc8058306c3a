"""Values that change between two readers of the same expression: the code after the change reads the new value."""

from random import Random

from case import Table

table = Table()
# One element a thread, so that the tile is one variable and its expressions have no index.
ONE_EACH = (4, 5, 8)
RUNS = [{"n": n, "turns": turns} for n, turns in ((70, 3), (96, 2), (1, 1), (40, 0))]
PARAMETERS = """const int* in = small(192)
int* out = out(192 * 8)
int n
int turns"""
HEAD = """grid(1);
auto i = arange<{size}>();
auto x = load(in + i);
auto write = [&](int slot, auto value) {{
  auto shown = where(i < n, value, 0);
  store(out + slot * 192 + i, shown);
}};
"""


def add(name, body, size=96, **options):
    options.setdefault("warps", ONE_EACH)
    table.add(name, PARAMETERS, HEAD.format(size=size) + body, RUNS, **options)


def branches():
    """A tile that sides of branches assign."""
    change = {
        "if": "if (turns > 1) x = x * 2;",
        "else": "if (turns > 1) x = x * 2;\nelse x = x - 3;",
        "only_else": "if (turns > 1) write(4, x + 1);\nelse x = x - 3;",
        "nested": "if (turns > 0) {\n  write(3, x);\n  if (turns > 2) x = x + 5;\n  write(4, x);\n}",
        "chain": "if (turns > 2) x = x * 2;\nelse if (turns > 1) x = x + 7;\nelse if (turns == 0) x = -x;",
        "two": "auto y = x + 1;\nwrite(3, y);\nif (turns > 1) {\n  auto old = x;\n  x = y;\n  y = old;\n}\nwrite(4, y);",
        "switch": "switch (turns) {\n  case 1: x = x + 1; break;\n  case 2: x = x * 3; break;\n  case 3: x = x - 2; break;\n  default: break;\n}",
        "return": "if (turns == 0) {\n  x = x + 9;\n  write(5, x);\n  return;\n}",
    }
    for name, text in change.items():
        add(f"order_branch_{name}", f"write(0, x);\n{text}\nwrite(1, x);\nif (turns > 2) x = x - 1;\nwrite(2, x);")
    add("order_branch_sum", "store(out + 0, sum(x));\nif (turns > 1) x = x - 1;\nstore(out + 1, sum(x));\nstore(out + 2, max(x));")
    add("order_branch_vectors", "write(0, x);\nif (turns > 1) x = x * 2;\nwrite(1, x);", size=192, warps=(1, 2))


def loops():
    """A tile that a loop carries: its expressions before, in and after the loop."""
    step = {
        "for": "for (int k = 0; k < turns; ++k) {\n  write(1, x);\n  x = x + k + 1;\n  write(2, x);\n}",
        "for_branch": "for (int k = 0; k < turns; ++k) {\n  write(1, x);\n  if (k != 1) x = x * 2;\n  write(2, x);\n}",
        "while": "int k = 0;\nwhile (k < turns) {\n  write(1, x);\n  x = x + 3;\n  ++k;\n}",
        "break": "for (int k = 0; k < 8; ++k) {\n  write(1, x);\n  if (k >= turns) {\n    x = x - 50;\n    break;\n  }\n  x = x + 2;\n  write(2, x);\n}",
        "continue": "for (int k = 0; k < turns; ++k) {\n  write(1, x);\n  if (k == 1) {\n    x = x * 5;\n    continue;\n  }\n  x = x + 2;\n}",
        "nested": "for (int k = 0; k < turns; ++k) {\n  write(1, x);\n  for (int j = 0; j < k; ++j) {\n    write(2, x);\n    x = x + j + 1;\n  }\n  write(3, x);\n}",
        "inner_swap": "auto y = x * 3;\nfor (int k = 0; k < turns; ++k) {\n  for (int j = 0; j < turns; ++j) x = x + j;\n  auto old = x;\n  x = y + k;\n  y = old;\n}\nwrite(4, y);",
        "inner_while_swap": "auto y = x * 3;\nint w = 0;\nwhile (w < turns) {\n  int j = 0;\n  while (j < w + 1) {\n    x = x + j;\n    ++j;\n  }\n  auto old = x;\n  x = y + w;\n  y = old;\n  ++w;\n}\nwrite(4, y);",
        "two": "auto y = x * 2;\nwrite(3, y);\nfor (int k = 0; k < turns; ++k) {\n  auto old = x;\n  x = y;\n  y = old + 1;\n}\nwrite(4, y);",
    }
    for name, text in step.items():
        add(f"order_loop_{name}", f"write(0, x);\n{text}\nwrite(5, x);\nif (turns > 2) x = x - 1;\nwrite(6, x);")
    add("order_loop_vectors", "write(0, x);\nfor (int k = 0; k < turns; ++k) {\n  write(1, x);\n  x = x + k;\n}\nwrite(2, x);", size=192, warps=(1, 2))


def numbers():
    """Scalars that branches and loops assign, in expressions of tiles and by themselves."""
    add("order_number_branch", "int m = n;\nwrite(0, where(i < m - 3, x, 1));\nif (turns > 1) m = m - 5;\nwrite(1, where(i < m - 3, x, 1));\nif (turns > 2) m = m / 2;\nelse m = m + 1;\nwrite(2, where(i < m - 3, x, 1));")
    add("order_number_loop", "int m = n;\nwrite(0, where(i < m - 3, x, 1));\nfor (int k = 0; k < turns; ++k) {\n  write(1, where(i < m - 3, x, 1));\n  m = m - k - 1;\n  write(2, where(i < m - 3, x, 1));\n}\nwrite(3, where(i < m - 3, x, 1));")
    add("order_number_bound", "int m = turns;\nfor (int k = 0; k < m; ++k) m = m - 1;\nwrite(0, x + m);\nint all = m + 2;\nfor (int k = 0; k < all; ++k) {\n  all = all - 1;\n  write(1, x + all);\n}\nwrite(2, x + all);")


def statements(random, depth, in_loop, names):
    """A few statements that change x, y and m, with readers of the same expressions between them."""
    lines = []
    for _ in range(random.randint(2, 4)):
        kinds = ["show", "show", "tile", "number", "swap"] + ["if", "else", "for", "while"] * (depth < 3) + ["leave"] * in_loop
        kind = random.choice(kinds)
        inner = lambda loop: statements(random, depth + 1, loop, names)  # noqa: E731
        if kind == "show":
            names[0] += 1
            slot, tile = names[0] % 8, random.choice("xy")
            lines += [f"auto shown_{names[0]} = where(i < m, {tile}, {random.choice('01')});", f"store(out + {slot * 192} + i, shown_{names[0]});"]
        elif kind == "tile":
            lines.append(random.choice(["x = x + y;", "y = x * 2 - 1;", "x = where(i < m, x, y);", "x = x - m;", "y = y + 1;"]))
        elif kind == "number":
            lines.append(random.choice(["m = m - 3;", "m = m + turns;", "m = n;"]))
        elif kind == "swap":
            lines += ["{", "auto old = x;", "x = y;", "y = old;", "}"]
        elif kind == "if":
            lines += [f"if ({random.choice(['turns > 1', 'm < 60', 'turns != 2'])}) {{", *inner(in_loop), "}"]
        elif kind == "else":
            lines += ["if (m > 50) {", *inner(in_loop), "} else {", *inner(in_loop), "}"]
        elif kind == "for":
            names[0] += 1
            k = f"k{names[0]}"
            lines += [f"for (int {k} = 0; {k} < turns; ++{k}) {{", *inner(True), f"x = x + {k};", "}"]
        elif kind == "while":
            names[0] += 1
            w = f"w{names[0]}"
            lines += [f"int {w} = 0;", f"while ({w} < turns) {{", f"{w} = {w} + 1;", *inner(True), "}"]
        elif kind == "leave":
            lines += [f"if (m < {random.randint(30, 90)}) {{", random.choice(["x = x + 1;", "m = m + 1;"]), random.choice(["break;", "continue;"]), "}"]
    return lines


def mixed():
    """Statements in an order that nobody chose."""
    for seed in range(16):
        size, warps = ((96, (4, 8)), (128, (4,)), (192, (2, 5)))[seed % 3]
        random = Random(seed)
        body = "\n".join(["int m = n;", "auto y = x * 3;", *statements(random, 0, False, [0]), *statements(random, 0, False, [100])])
        add(f"order_mixed_{seed}", body + "\nstore(out + i, x + y + m);", size=size, warps=warps)


# A value that is the same for all elements of a vector, with two readers, one of them after a shuffle.
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
    """Long code after a loop becomes a function of its own: it writes through pointers of the kernel."""
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


for group in (branches, loops, numbers, mixed, uniform, outlined):
    group()
