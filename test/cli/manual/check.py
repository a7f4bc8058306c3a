#!/usr/bin/env python3
"""Checks the manual (runtime/doc): its code, the values and messages in it, its tables, its links.

Usage: check.py --tile2cu PATH --work FOLDER [PAGE...]       blocks.py says how blocks are read
"""
import argparse
import os
import sys

from blocks import blocks_of
from compile import compile_for_gpu, run_on_cpu, transpile
from tables import check_links, check_names, check_options, check_reasons, check_remarks

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
DOC = os.path.join(ROOT, "runtime", "doc")
LANGUAGES = ["cpp", "python", "cuda", "cmake", "text", "sh"]
OTHER_PAGES = ["README.md", "CONTRIBUTING.md", "runtime/README.md", "test/README.md"]


def check_text(arguments, pages):
    """What can be checked without nvcc."""
    failures = []
    for page, blocks in pages:
        failures += check_links(ROOT, os.path.join(DOC, page))
        for k in range(len(blocks)):
            failures += transpile(ROOT, arguments.tile2cu, arguments.work, blocks, k)
    failures += run_on_cpu(ROOT, arguments.work, pages)
    if not arguments.pages:
        for check in (check_remarks, check_reasons, check_options, check_names):
            failures += check(ROOT, DOC)
        for page in OTHER_PAGES:
            failures += check_links(ROOT, os.path.join(ROOT, page))
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile2cu", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True)
    parser.add_argument("--nvcc", help="only: compile what the blocks become with this program")
    parser.add_argument("pages", nargs="*", type=os.path.basename)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)

    failures, pages = [], []
    for page in arguments.pages or sorted(name for name in os.listdir(DOC) if name.endswith(".md")):
        blocks, wrong_lines = blocks_of(os.path.join(DOC, page), page, LANGUAGES)
        pages.append((page, blocks))
        failures += wrong_lines
    if arguments.nvcc:
        failures += compile_for_gpu(arguments.tile2cu, arguments.nvcc, arguments.work, pages)
    else:
        failures += check_text(arguments, pages)

    print(*failures, sep="\n", end="\n" if failures else "")
    count = sum(len(blocks) for _, blocks in pages)
    print(f"{count} blocks of {len(pages)} pages: {len(failures)} failures")
    return failures != []


sys.exit(main())
