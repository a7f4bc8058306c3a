"""Carried tiles change under a condition: each warp votes, and skips an update that changes none of its elements."""

from case import WARPS, Table, warps_of

table = Table(checks_overflow=True)

# `step` says how much a row has to grow before it moves: all rows in every step, some, the first time only, none.
STEPS = (-1000.0, 0.0, 2.0, 40.0, 1000.0)
RUNS = [{"n": n, "step": step} for n, step in zip((4, 6, 9, 5, 3), STEPS)] + [{"n": 0, "step": 1.0}, {"n": 1, "step": 0.0}]


def add(name, rows, columns, start, body, end, result=None, **options):
    """A loop over n tiles x of rows x columns."""
    size = rows * columns
    head = f"""
        grid(1);
        auto at = arange<{rows}>()[all, none] * {columns} + arange<{columns}>()[none, all];
        {start}
        for (int k = 0; k < n; ++k) {{
          auto x = load(in + k * {size} + at);
          {body}
        }}
        {end}
    """
    options.setdefault("warps", WARPS if len(name) % 3 == 0 else warps_of(name, 3))
    parameters = f"const float* in = small({size} * n + {size})\nfloat* out = out({size})\n" + (result or "float* rest = out(64)")
    table.add(name, parameters + "\nint n\nfloat step", head, RUNS, **options)


LAZY = "auto top = full<float, {0}>(-50.0f);\nauto acc = zeros<float, {0}, {1}>();"
KEEP = "store(out + at, acc);\nstore(rest + arange<{0}>(), top);"
MOVE = """auto largest = max<1>(x);
          auto moves = largest > top + step;
          auto next = where(moves, largest, top);
          auto factor = (next - top) * 0.125f;"""


def lazy():
    for rows, columns, warps in ((32, 64, WARPS), (64, 32, (1, 2, 8)), (16, 128, (1, 4)), (48, 40, (1, 3, 6)), (8, 256, (4, 8))):
        start, end = LAZY.format(rows, columns), KEEP.format(rows)
        add(
            f"lazy_max_{rows}x{columns}",
            rows,
            columns,
            start,
            MOVE + "acc = where(moves[all, none], acc - factor[all, none], acc) + x;\ntop = next;",
            end,
            warps=warps,
        )
    start, end = LAZY.format(32, 64), KEEP.format(32)
    add(
        "lazy_min",
        32,
        64,
        start.replace("-50", "50"),
        MOVE.replace("max<1>", "min<1>").replace("> top + step", "< top - step")
        + "acc = where(moves[all, none], acc - factor[all, none], acc) + x;\ntop = next;",
        end,
    )
    # Other readers need the reduced maximum too, so the vote follows the reduction across lanes.
    add(
        "lazy_counted",
        32,
        64,
        start + "int count = 0;\nfloat last = 0;",
        MOVE
        + """acc = where(moves[all, none], acc - factor[all, none], acc) + x;
          top = next;
          count += sum(cast<int>(moves));
          last = max(next);""",
        end + "\nstore(total, count);\nstore(total + 1, cast<int>(last));",
        "float* rest = out(64)\nint* total = out(2)",
    )
    # The second update reads what the first has computed, and what is computed between them.
    add(
        "lazy_two_places",
        32,
        64,
        start + "auto other = zeros<float, 32, 64>();",
        MOVE
        + """acc = where(moves[all, none], acc - factor[all, none], acc);
          auto shifted = x - next[all, none];
          acc += shifted;
          other = where(moves[all, none], other * 0.5f + shifted * factor[all, none], other) + shifted;
          top = next;""",
        end + "\nstore(more + at, other);",
        "float* rest = out(64)\nfloat* more = out(2048)",
    )
    add(
        "lazy_leaves",
        32,
        64,
        start,
        MOVE
        + """acc = where(moves[all, none], acc - factor[all, none], acc) + x;
          top = next;
          if (k == 3) continue;
          if (k == 5) break;
          acc += 1;""",
        end,
    )


def kept():
    """The old tile has readers after the update."""
    start, end = LAZY.format(32, 64), KEEP.format(32)
    add(
        "old_value_read",
        32,
        64,
        start + "auto other = zeros<float, 32, 64>();",
        MOVE
        + """auto before = acc;
          acc = where(moves[all, none], acc - factor[all, none], acc) + x;
          other += before;
          top = next;""",
        end + "\nstore(more + at, other);",
        "float* rest = out(64)\nfloat* more = out(2048)",
    )
    add(
        "two_from_one",
        32,
        64,
        start + "auto other = zeros<float, 32, 64>();",
        MOVE
        + """other += where(moves[all, none], acc * 2 + factor[all, none], acc);
          acc = where(moves[all, none], acc - factor[all, none], acc) + x;
          top = next;""",
        end + "\nstore(more + at, other);",
        "float* rest = out(64)\nfloat* more = out(2048)",
    )
    add(
        "swapped",
        32,
        64,
        start + "auto other = zeros<float, 32, 64>();",
        MOVE
        + """auto changed = where(moves[all, none], acc - factor[all, none], acc);
          acc = other + x;
          other = changed;
          top = next;""",
        end + "\nstore(more + at, other);",
        "float* rest = out(64)\nfloat* more = out(2048)",
    )


def elements():
    """Each element has a condition of its own, on floats or integers."""
    add(
        "by_element",
        16,
        64,
        "auto acc = zeros<float, 16, 64>();",
        "acc = where(x > step, ((acc + x) * 0.5f - x) * 0.25f + (x - 3) * 2, acc);",
        "store(out + at, acc);",
    )
    add(
        "by_integer",
        16,
        64,
        "auto acc = zeros<int, 16, 64>();\nauto best = full<int, 16, 64>(-60);",
        """auto v = cast<int>(x);
          auto better = v > best + cast<int>(step);
          acc = where(better, ((acc ^ v) * 3 + (best & 7)) * 5 - (v | 1) + best % 3, acc);
          best = where(better, v, best);""",
        "store(out + at, cast<float>(best));\nstore(sums + at, acc);",
        "int* sums = out(1024)",
    )
    add(
        "by_row_of_integers",
        32,
        64,
        "auto top = full<int, 32>(-50);\nauto acc = zeros<int, 32, 64>();",
        """auto v = cast<int>(x);
          auto largest = max<1>(v);
          auto moves = largest > top + cast<int>(step);
          acc = where(moves[all, none], acc * 3 + (largest - top)[all, none], acc) + v;
          top = where(moves, largest, top);""",
        "store(out + at, cast<float>(acc & 1023));\nstore(sums + arange<32>(), top);",
        "int* sums = out(32)",
    )


lazy()
kept()
elements()
