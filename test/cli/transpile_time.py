#!/usr/bin/env python3
"""How long tile2cu takes: the median user time of 20 warm runs for each example.

Usage: transpile_time.py [--tile2cu PROGRAM] [--runs N] [--limit MS] [--instructions MILLIONS] [FILE...]
Without files: every examples/*/*.tile.cpp. With --limit it fails when a median is above it; sources that include
<cmath> themselves are shown, and exempt. With --instructions it has valgrind count them instead, one run a file, which
other work on the machine does not change: it fails when a count is above the limit (0: none).
"""
import argparse
import glob
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def user_ms(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return 1000 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def instructions(command, folder):
    counted = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(counted, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{' '.join(counted)}\n{done.stderr}")
    return int(found[1]) / 1e6


def strip(program):
    """A folder with bin/tile2cu, stripped, and the precompiled header where that looks for it."""
    built = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    copy = tempfile.mkdtemp()
    for path in glob.glob(os.path.join(built, "lib*/**/tile2cu/tile.h.pch"), recursive=True):
        place = os.path.join(copy, os.path.relpath(path, built))
        os.makedirs(os.path.dirname(place))
        shutil.copy2(path, place)
    os.mkdir(os.path.join(copy, "bin"))
    subprocess.run(["strip", "-o", os.path.join(copy, "bin/tile2cu"), program], check=True)
    return copy


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tile2cu", default=os.path.join(ROOT, "build/dev/bin/tile2cu"))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--limit", type=float)
    parser.add_argument("--instructions", type=float)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    files = args.files or sorted(glob.glob(os.path.join(ROOT, "examples/*/*.tile.cpp")))
    if args.instructions is not None:  # valgrind stumbles over debug information of Clang's
        copy = strip(args.tile2cu)
        args.tile2cu = os.path.join(copy, "bin/tile2cu")
    over = 0
    for path in files:
        folder, name = os.path.split(os.path.abspath(path))
        flags = ["@flags"] if os.path.exists(os.path.join(folder, "flags")) else []
        command = [os.path.abspath(args.tile2cu), name, *flags, "-o", "-"]
        if args.instructions is not None:
            count = instructions(command, folder)
            late = 0 < args.instructions < count
            over += late
            print(f"{count:8.1f} million instructions  {name}{'  TOO MANY' if late else ''}")
            continue
        user_ms(command, folder)
        times = [user_ms(command, folder) for _ in range(args.runs)]
        median = statistics.median(times)
        exempt = re.search(r"#include <(cmath|math\.h)>", open(path).read())
        late = args.limit is not None and median > args.limit and not exempt
        over += late
        print(f"{median:8.1f} ms  (min {min(times):.1f}, max {max(times):.1f})  {name}{'  TOO SLOW' if late else ''}")
    if args.limit is not None or args.instructions:
        print(f"{len(files) - over} passed, {over} failed")
    if args.instructions is not None:
        shutil.rmtree(copy)
    return over > 0


sys.exit(main())
