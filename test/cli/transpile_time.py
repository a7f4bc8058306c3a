#!/usr/bin/env python3
"""How long tile2cu takes: the median user time of 20 warm runs for each example.

Usage: transpile_time.py [--tile2cu PROGRAM] [--runs N] [--limit MS] [--instructions MILLIONS] [FILE...]
Without files: every examples/NAME/NAME.tile.cpp, an example of one source. With --limit it fails when a median is above it; sources that include
<cmath> themselves are shown, and exempt. With --instructions it has valgrind count them instead, one run a file, which
other work on the machine does not change: it fails when a count is above the limit (0: none).
"""
import argparse
import glob
import os
import re
import resource
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True

import instructions  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def user_ms(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return 1000 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def takes_too_many(tile2cu, path, limit):
    folder, command = command_for(tile2cu, path)
    count = instructions.millions(command, folder)
    late = 0 < limit < count
    print(f"{count:8.1f} million instructions  {os.path.basename(path)}{'  TOO MANY' if late else ''}")
    return late


def takes_too_long(tile2cu, path, limit, runs):
    folder, command = command_for(tile2cu, path)
    user_ms(command, folder)
    times = [user_ms(command, folder) for _ in range(runs)]
    median = statistics.median(times)
    exempt = re.search(r"#include <(cmath|math\.h)>", open(path).read())
    late = limit is not None and median > limit and not exempt
    spread = f"(min {min(times):.1f}, max {max(times):.1f})"
    print(f"{median:8.1f} ms  {spread}  {os.path.basename(path)}{'  TOO SLOW' if late else ''}")
    return late


def command_for(tile2cu, path):
    folder, name = os.path.split(os.path.abspath(path))
    flags = ["@flags"] if os.path.exists(os.path.join(folder, "flags")) else []
    return folder, [os.path.abspath(tile2cu), name, *flags, "-o", "-"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tile2cu", default=os.path.join(ROOT, "build/dev/bin/tile2cu"))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--limit", type=float)
    parser.add_argument("--instructions", type=float)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    sources = sorted(glob.glob(os.path.join(ROOT, "examples/*/*.tile.cpp")))
    of_one_source = [path for path in sources if os.path.basename(path) == os.path.basename(os.path.dirname(path)) + ".tile.cpp"]
    files = args.files or of_one_source
    if args.instructions is not None:
        with instructions.stripped(args.tile2cu) as program:
            over = sum(takes_too_many(program, path, args.instructions) for path in files)
    else:
        over = sum(takes_too_long(args.tile2cu, path, args.limit, args.runs) for path in files)
    if args.limit is not None or args.instructions:
        print(f"{len(files) - over} passed, {over} failed")
    return over > 0


sys.exit(main())
