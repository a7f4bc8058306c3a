#!/usr/bin/env python3
"""Whether the time that tile2cu takes grows in proportion to the number of statements, and is short for large kernels.

Usage: growth_time.py [--tile2cu PROGRAM] [kind...]
For each kind of program, the user times of N and of 4 N statements are measured: linear work takes 4 times as long,
quadratic work 16 times. A kind fails when the ratio is above 8.5 in each of three attempts; each attempt compares the
shortest times so far, since other work on the machine only makes a run longer. A large kernel fails when it takes longer
than its bar in each of three attempts. The verifier is off, as in a release build.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = """#include <tile2cu/tile.h>
using namespace tl;
__tile_global__ void k(float* out, const float* in, int n) {{
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
    lines = ["auto j = i + n, d = i + n;", "auto l = cast<long long>(i) + n;", "long a = n, b = 2;"]
    lines += ["j = j + j; l = l + l; d = d / 2 + d % 3; a = a * (a + b); b = b - a;"] * count
    return [*lines, "store(out + j + a, load(in + d + a), l < 1000ll);"]


# All kinds take 4 to 6 times as long: larger kernels fit the caches less well. A compiler whose work was in part quadratic
# (each value's users, or the whole text, once for each statement) took 10 to 12 times as long.
LIMIT = 8.5
# The smaller number of statements of each kind: enough that start-up is a small part of the time.
KINDS = {arithmetic: 400, memory: 2000, addresses: 2000, loops: 1200, branches: 1000, sorts: 2, else_ifs: 250}
# Large kernels: the number of statements, or of sorts, and seconds. 4000 loads and stores take 7.9 billion instructions,
# 1.4 to 1.9 s on two cores that six builds share; the compiler that this test was written against took 4.7 s there.
BARS = {memory: (4000, 2.5), sort_1024: (1, 2.0), chains: (60, 2.0)}
ONE_WARP = {sort_1024, sorts}
# A compiler whose time doubles with each statement does not end.
MOST_SECONDS = 60


def user_seconds(tile2cu, make, count):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.tile.cpp")
        with open(path, "w", encoding="utf-8") as source:
            body = "".join(f"  {line}\n" for line in make(count))
            source.write(SOURCE.format(body=body, warps=1 if make in ONE_WARP else 4))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        command = [tile2cu, "--no-verify", path, "-o", "-"]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            sys.exit(f"{make.__name__} of {count} statements is not translated in {MOST_SECONDS} s")
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if done.returncode or "__global__" not in done.stdout:
            sys.exit(f"{make.__name__} of {count} statements is not translated\n{done.stderr}")
        return seconds


def is_slow(tile2cu, kind):
    count, bar = BARS[kind]
    seconds = float("inf")
    for _ in range(3):
        seconds = min(seconds, user_seconds(tile2cu, kind, count))
        if seconds <= bar:
            break
    slow = seconds > bar
    print(f"{seconds:6.2f} s of {bar:.1f}  {kind.__name__}, {count}{'  TOO SLOW' if slow else ''}", flush=True)
    return slow


def grows_too_fast(tile2cu, kind):
    small = large = float("inf")
    for _ in range(3):
        small = min(small, user_seconds(tile2cu, kind, KINDS[kind]))
        large = min(large, user_seconds(tile2cu, kind, 4 * KINDS[kind]))
        if large <= LIMIT * small:
            break
    late = large > LIMIT * small
    print(
        f"{large / small:6.1f} times as long for 4 times as much  {kind.__name__}: {small:.2f} s, {large:.2f} s"
        f"{'  GROWS TOO FAST' if late else ''}",
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

    results = [grows_too_fast(args.tile2cu, kind) for kind in chosen(KINDS)]
    results += [is_slow(args.tile2cu, kind) for kind in chosen(BARS)]
    failed = sum(results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
