#!/usr/bin/env python3
"""Whether the work of tile2cu grows in proportion to the number of statements, and is little for large kernels.

Usage: growth_time.py [--tile2cu PROGRAM] [kind...]
For each kind of program, valgrind counts the instructions for N and for 4 N statements, less those of a start: linear
work takes 4 times as many, quadratic work 16 times. A kind fails when the ratio is above its limit, and a large kernel when
it takes more instructions than its bar. The verifier is off, as in a release build.
"""
import argparse
import concurrent.futures
import os
import sys
import tempfile

sys.dont_write_bytecode = True

import instructions  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = """#include <tile2cu/tile.h>
using namespace tl;
__tile_global__ void k(float* out, const float* in, int n, int stride) {{
  grid(1);
  auto i = arange<128>();
{body}}}
inline constexpr auto k1 = instantiate(k, {{.num_warps = {warps}}});
"""


def arithmetic(count):
    lines = ["auto x = load(in + i);"]
    lines += [f"x = x * {number}.0f + 1.0f;" for number in range(2, 2 + count)]
    return [*lines, "store(out + i, x);"]


def memory(count):
    return [f"store(out + {128 * number} + i, load(in + {128 * number} + i));" for number in range(count // 2)]


def addresses(count):
    """Stores whose addresses depend on one number that all of them read."""
    return ["auto x = load(in + i);", *(f"store(out + {number} * n + i, x);" for number in range(count))]


def bitonic_sort(bits):
    return f"""static_for<{bits}>([&](auto level) {{
  constexpr int L = level;
  static_for<L + 1>([&](auto step) {{
    constexpr int SIZE = {1 << bits}, H = 1 << (L - step), LENGTH = step > 0 ? H : 1;
    auto turned = ravel(flip<1>(reshape<SIZE / (2 * H), 2 * H / LENGTH, LENGTH>(key)));
    auto isUpper = (arange<SIZE>() >> (L - step) & 1) == 1;
    key = where(isUpper, max(key, turned), min(key, turned));
  }});
}});"""


def sort_1024(count):
    """Elements that move between the threads of one warp."""
    return ["auto key = load(in + arange<1024>());", *[bitonic_sort(10)] * count, "store(out + arange<1024>(), key);"]


def loops(count):
    """Loops in pairs, one inside the other, with two statements in each."""
    lines = ["auto x = load(in + i);"]
    for number in range(count // 6):
        lines += [f"for (int a = 0; a < n; ++a) {{ x += {number}.0f;", "for (int b = 0; b < a; ++b) {"]
        lines += [f"x = x * {number + 2}.0f;", "x += 1.0f;", "}", "x += 2.0f; }"]
    return [*lines, "store(out + i, x);"]


def branches(count):
    lines = ["auto x = load(in + i);"]
    for number in range(count // 4):
        lines += [f"if (n > {number}) {{", f"x += {number}.0f; }} else {{", f"x = x * {number + 2}.0f; }}"]
    return [*lines, "store(out + i, x);"]


def sorts(count):
    """Long functions, of which many parts become functions of their own."""
    return ["auto key = load(in + i);", *[bitonic_sort(7)] * count, "store(out + i, key);"]


def else_ifs(count):
    """Branches inside of each other, each of them long enough to be a function."""
    lines = ["auto x = load(in + i);", "if (n == 0) {"]
    for number in range(1, count):
        lines += [f"x += {number}.0f;", f"}} else if (n == {number}) {{", f"x = x * {number}.0f;"]
    return [*lines, "}", "store(out + i, x);"]


def chains(count):
    """Values that are read twice by the next of them, so that the last can be reached on 2^count ways."""
    lines = ["auto j = i + n, d = i + n;", "auto l = cast<long long>(i) + n;", "long a = n, b = 2, s = stride;"]
    lines += ["j = j + j; l = l + l; d = d / 2 + d % 3; a = a * (a + b); b = b - a; s = s * s - s;"] * count
    return [*lines, "store(out + j + a, load(in + d + a + i * s), l < 1000ll);"]


def quotients(count):
    """A mask and an address that depend on many quotients, each of all those before it."""
    lines = ["auto x = load(in + i);", "int end = n;"]
    lines += [f"end = end + end / {number};" for number in range(3, 3 + count)]
    lines += ["for (int k = 0; k < end; k += 3) {", "int at = k;"]
    lines += [f"at = at + at / {number};" for number in range(3, 3 + count)]
    return [*lines, "x += 1.0f; store(out + at * i, x, i < at); }"]


# The smaller number of statements of each kind, and the largest ratio, about 2% above what was measured. Work in which 3%
# of the larger count is quadratic fails.
KINDS = {
    arithmetic: (100, 4.1),
    memory: (200, 4.2),
    addresses: (150, 4.2),
    loops: (120, 4.1),
    branches: (100, 4.1),
    sorts: (1, 3.9),
    else_ifs: (50, 4.45),  # Clang looks for names in all the scopes around
}
# Large kernels: the number of statements, or of sorts, and millions of instructions, about 5% above what was measured.
BARS = {memory: (800, 1590), sort_1024: (1, 1440), chains: (60, 960), quotients: (60, 4600)}
ONE_WARP = {sort_1024, sorts}
# A compiler whose time doubles with each statement does not end.
MOST_SECONDS = 300


class Counter:
    """The instructions of the programs, each counted once, several at a time."""

    def __init__(self, tile2cu, folder, pool):
        self.tile2cu, self.folder, self.pool = tile2cu, folder, pool
        self.running = {}

    def start(self, make, count):
        if (make, count) not in self.running:
            self.running[make, count] = self.pool.submit(self.count, make, count)

    def millions(self, make, count):
        return self.running[make, count].result()

    def count(self, make, count):
        name = f"{make.__name__}_{count}.tile.cpp"
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as source:
            body = "".join(f"  {line}\n" for line in make(count))
            source.write(SOURCE.format(body=body, warps=1 if make in ONE_WARP else 4))
        return instructions.millions([self.tile2cu, "--no-verify", name, "-o", "-"], self.folder, MOST_SECONDS)


def is_slow(counter, kind):
    count, bar = BARS[kind]
    found = counter.millions(kind, count)
    slow = found > bar
    print(f"{found:6.0f} million instructions of {bar}  {kind.__name__}, {count}{'  TOO MANY' if slow else ''}", flush=True)
    return slow


def grows_too_fast(counter, kind):
    count, limit = KINDS[kind]
    start = counter.millions(arithmetic, 0)
    small, large = (counter.millions(kind, number) - start for number in (count, 4 * count))
    late = large > limit * small
    print(
        f"{large / small:6.2f} times as many instructions for 4 times as much, at most {limit}  {kind.__name__}: "
        f"{small:.0f}, {large:.0f} million{'  GROWS TOO FAST' if late else ''}",
        flush=True,
    )
    return late


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tile2cu", default=os.path.join(ROOT, "build/dev/bin/tile2cu"))
    parser.add_argument("kinds", nargs="*")
    args = parser.parse_args()

    def chosen(kinds):
        return [kind for kind in kinds if not args.kinds or kind.__name__ in args.kinds]

    with (
        instructions.stripped(args.tile2cu) as program,
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        counter = Counter(program, folder, pool)
        counter.start(arithmetic, 0)
        for kind in chosen(KINDS):
            for factor in (1, 4):
                counter.start(kind, factor * KINDS[kind][0])
        for kind in chosen(BARS):
            counter.start(kind, BARS[kind][0])
        results = [grows_too_fast(counter, kind) for kind in chosen(KINDS)]
        results += [is_slow(counter, kind) for kind in chosen(BARS)]
    failed = sum(results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
