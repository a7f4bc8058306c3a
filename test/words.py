#!/usr/bin/env python3
"""Checks that we use the terms of the field: test/words.py [--list] [--shrink] [PATH...]

Reads test/words.txt, then the comments and strings of the sources and the text of the manual. Prints each place that
uses a phrase of the list, and what to write instead. A file may have as many places as its row in the list says.

--list prints all places, whatever the list allows (of PATHs only, if there are any). --shrink lowers the counts of the
list to what is left. The last line says "N passed, N failed"; N counts files.
"""

import collections
import re
import sys

from prose import CODE, ROOT, Shrinking, files, tokens

LIST = ROOT / "test/words.txt"


def phrases():
    """The rows `write REGEX = TERM` of the list."""
    for line in LIST.read_text().splitlines():
        found = re.fullmatch(r"write (.+?) = (.+)", line)
        if found:
            yield re.compile(found[1]), found[2]


def prose(name):
    """The lines of text of a file, with their numbers. Code in backquotes is no text."""
    text = (ROOT / name).read_text()
    if name.endswith(".md"):
        fenced = False
        for number, line in enumerate(text.splitlines(), 1):
            fenced ^= line.startswith("```")
            if not fenced:
                yield number, re.sub(r"`[^`]*`", "``", line)
        return
    for number, token, _ in tokens(text):
        if token.endswith('.h"') or token.endswith('.def"'):
            continue
        for offset, line in enumerate(token.splitlines()):
            yield number + offset, re.sub(r"`[^`]*`", "``", line)


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    paths = tuple(argument for argument in sys.argv[1:] if not argument.startswith("--"))
    known, findings = list(phrases()), collections.defaultdict(list)
    names = files(*CODE, ".md") + ["README.md", "CONTRIBUTING.md", "test/README.md"]
    for name in names:
        for number, line in prose(name):
            for pattern, term in known:
                for found in pattern.finditer(line):
                    findings[f"words {name}"].append(f"{name}:{number}: '{found[0].strip()}': write {term}")
    if "--list" in options:
        for name, messages in sorted(findings.items()):
            if not paths or name.split()[1].startswith(paths):
                print("\n".join(messages))
        return 0
    failed = Shrinking(LIST, "--shrink" in options).check(findings)
    print(f"{len(names) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
