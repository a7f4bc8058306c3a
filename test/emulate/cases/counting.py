"""`while` loops that count: where the step is added, what the body and the code after the loop read, how a loop is left.

A kernel has one loop of each form, for one type of variable. Each mixes what it sees of the variable into a number, and stores that
and the variable's last value. The loops of test/emulate/cases/loop_types.py, which have `break`, compare conversions.
"""

from case import Table

table = Table(checks_overflow=True)

TYPES = ["int", "int64_t", "unsigned", "uint64_t", "short", "uint8_t", "int8_t"]

# The condition, and the body; `see` mixes the variable into the number.
LOOPS = [
    ("i < b", "see; i += 1;"),
    ("i < b", "i += 3; see;"),
    ("i < b", "see; i += 2; see; "),
    ("b > i", "if (i == 4) { i += 1; continue; } see; i += 1;"),
    ("i <= b", "see; if (h % 5 == 0) { i += 2; see; continue; } i = i + 2;"),
    ("i < b", "++i; if (h % 7 == 3) continue; see;"),
    ("i++ < b", "see;"),
    ("++i < b", "see;"),
    ("(i += 2) <= b", "see; if (h % 3 == 0) continue; see;"),
    ("i < b", "i += s; see;"),
    ("i < b", "for (int j = 0; j < 2; ++j) { see; } i += 1;"),
    ("i < b", "int j = 0; while (j < 2) { see; ++j; } i += 1;"),
    ("i < b", "auto before = i; i += 1; h += uint64_t(before * 2); see;"),
    ("i < b", "see; if (h % 11 == 0) i += 1; i += 1;"),
    ("i < b", "see; i += 1; if (h % 13 == 0) break;"),
    ("i++ < b", "see; if (h % 13 == 0) break;"),
    ("i < b && h != 77", "see; i += 1;"),
    ("i != b", "if (i > b) break; see; i += 1;"),
]  # fmt: skip

FALLING = [
    ("i > b", "see; i -= 1;"),
    ("i > b", "--i; see;"),
    ("i-- > b", "see;"),
    ("--i > b", "see;"),
    ("(i -= 3) >= b", "see; if (h % 3 == 0) continue; see;"),
    ("b < i", "see; if (h % 2) { i -= 2; continue; } see; i -= 2;"),
    ("i >= b", "i += -2; see;"),
    ("i > b", "i -= s; see;"),
    ("i-- > b", "see; see; if (h % 3 == 1) continue; h += 1;"),
    ("i > b", "see; if (h % 5 == 4) break; --i;"),
]


def loop(kind, condition, body, first, last):
    body = body.replace("see;", "h = h * 31 + uint64_t(int64_t(i));")
    return f"""{{
  uint64_t h = 1;
  {kind} i = {first};
  while ({condition}) {{ {body} }}
  store(out + at, int64_t(h));
  store(out + at + 1, int64_t({last}));
  at += 2;
}}
"""


def types():
    for kind in TYPES:
        low = 0 if kind.startswith("u") else -3
        # `c` counts down to `b`, from far enough above the least value.
        runs = [{"a": a, "b": b, "c": c, "s": 2} for a, b, c in ((0, 7, 9), (3, 3, 9), (5, 4, 4), (4, 9, 20), (1, 100, 120))]
        runs += [{"a": low, "b": 4, "c": 30, "s": 2}]
        # Whether the code after the loop reads the variable decides how the loop is translated.
        for last in ("i", "0"):
            body = "grid(1);\nint at = 0;\n"
            body += "".join(loop(kind, *each, "a", last) for each in LOOPS)
            body += "".join(loop(kind, *each, "c", last) for each in FALLING)
            table.add(
                f"while_{kind.removesuffix('_t')}{'' if last == 'i' else '_alone'}",
                f"int64_t* out = out({2 * len(LOOPS + FALLING)})\n{kind} a\n{kind} b\n{kind} c\n{kind} s",
                body, runs, warps=(1, 2),
            )  # fmt: skip


def forms():
    """Variables that are declared elsewhere, are fields, or are counted by two loops; a `for` without a declaration."""
    put = "store(out + at, int64_t(h)); store(out + at + 1, int64_t(i)); at += 2; h = 1;\n"
    see = "h = h * 31 + uint64_t(int64_t(i));"
    body = "grid(1);\nint at = 0, i = 0;\nuint64_t h = 1;\n"
    body += f"for (; i < b; ++i) {{ {see} }}\n{put}"
    body += f"for (i = 2; i < b; i += 2) {{ {see} if (h % 5 == 0) break; }}\n{put}"
    body += f"for (; i-- > 0;) {{ {see} }}\n{put}"
    body += f"i = b; while (i > 0) {{ {see} --i; }} while (i < 3) {{ {see} ++i; }}\n{put}"
    body += f"i = 0; while (i < b) {{ int j = i; while (j < b) {{ h += j; ++j; }} ++i; {see} }}\n{put}"
    body += f"i = 0; while (i < b) {{ while (i < 4) {{ {see} ++i; }} {see} ++i; }}\n{put}"
    body += f"i = 0; int k = b; while (k > 0) {{ i += k; {see} --k; }} i += k;\n{put}"
    body += f"i = 0; while (i < b) {{ auto next = i + 1; {see} i = next; }}\n{put}"
    body += f"i = 0; while (i < b) {{ {see} int limit = b; limit -= 1; i += 1; h += limit; }}\n{put}"
    body += f"i = 9; do {{ {see} --i; }} while (i > b);\n{put}"
    body += f"i = 0; while (i < b) {{ {see} ++i; b -= 1; }} b += 3;\n{put}"
    body += f"i = 0; if (b > 2) {{ while (i < b) {{ {see} ++i; }} }} else {{ while (i-- > -3) {{ {see} }} }}\n{put}"
    runs = [{"b": b} for b in (0, 1, 2, 5, 12)]
    table.add("while_forms", "int64_t* out = out(40)\nint b", body, runs, warps=(1, 4))
    # Tiles in the loop, and the variable in their addresses.
    body = """
        auto row = grid(3);
        auto i = arange<64>();
        auto acc = zeros<float, 64>();
        int at = 0;
        while (at < n) {
          acc += load(x + row * 256 + at + i, at + i < n, 0);
          at += 64;
        }
        int left = n;
        while (left > 0) {
          left -= 64;
          acc = acc * 2 + load(x + left + 64 + i, i < n, 0);
        }
        store(out + row * 64 + i, acc + at + left);
        """
    lines = "\n".join(line for line in body.split("\n") if line.strip())
    table.add("while_tiles", "const float* x = small(1024)\nfloat* out = out(192)\nint n", lines, [{"n": n} for n in (0, 1, 64, 100, 256)], warps=(1, 2, 4))


types()
forms()
