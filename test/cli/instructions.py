"""Counts the instructions that tile2cu executes, which other work on the machine does not change, with valgrind."""

import contextlib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile


@contextlib.contextmanager
def stripped(program):
    """tile2cu in a folder of its own, with the precompiled header: valgrind stumbles over debug information of Clang's."""
    built = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    with tempfile.TemporaryDirectory() as copy:
        for path in glob.glob(os.path.join(built, "lib*/**/tile2cu/tile.h.pch"), recursive=True):
            place = os.path.join(copy, os.path.relpath(path, built))
            os.makedirs(os.path.dirname(place))
            shutil.copy2(path, place)
        os.mkdir(os.path.join(copy, "bin"))
        own = os.path.join(copy, "bin/tile2cu")
        subprocess.run(["strip", "-o", own, program], check=True)
        yield own


def millions(command, folder=None, timeout=None):
    """Millions of instructions of a command that has to succeed."""
    counted = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *command]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    try:
        done = subprocess.run(counted, cwd=folder, timeout=timeout, **pipes)
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)}\ndoes not end in {timeout} s")
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{' '.join(counted)}\n{done.stderr}")
    return int(found[1].replace(",", "")) / 1e6
