#!/usr/bin/env python3
"""Checks sizes: test/columns.py [--shrink]

A line with a comment has at most 100 columns, a file 600 lines, a function 80. test/columns.txt has the exceptions.
--shrink lowers them to what is left. The last line says "N passed, N failed"; N counts files.
"""

import collections
import re
import sys

from prose import CODE, ROOT, Shrinking, files, tokens

COLUMNS, LINES, FUNCTION = 100, 600, 80
NOT_FUNCTION = re.compile(r"(extern|namespace|struct|class|enum|union)\b|#|//|\}|(public|private|protected):")


def functions(lines):
    """Each function that starts in column 0, or as a member in column 2: (name, line number, number of lines)."""
    for indent in ("", "  "):
        start, in_class = None, False
        for number, line in enumerate(lines, 1):
            if line.startswith("#") and start is not None:
                continue
            if not line.startswith((" ", "}")) and line.strip():
                in_class = re.match(r"(template <.*> )?(struct|class|union)\b.*\{$", line) is not None
            if indent and not in_class:
                start = None
                continue
            if not line.startswith(indent) or line[len(indent) :].startswith((" ", "\n")) or not line.strip():
                continue
            body = line[len(indent) :]
            if body.rstrip(";") in ("}", "})") and start is not None:
                yield name_of(lines[start - 1]), start, number - start + 1
                start = None
            elif body.startswith((")", "}")):  # the end of parameters, or `} else {` of a function's body
                continue
            elif NOT_FUNCTION.match(body) or body.endswith((";", "}")):
                start = None
            elif start is None or not line_continues(lines[number - 2]):
                start = number


def line_continues(line):
    """Whether the next line belongs to the same declaration: template<...>, or a result type on a line of its own."""
    return not line.rstrip().endswith((";", "{", "}", ":")) and line.strip() != ""


def name_of(line):
    found = re.search(r"([\w~:]+|operator\S+)\s*\(", line) or re.search(r"(\w+) =", line)
    return found[1] if found else line.strip().split("(")[0]


def main():
    findings, names = collections.defaultdict(list), files(*CODE)
    for name in names:
        text = (ROOT / name).read_text()
        lines = text.splitlines()
        if len(lines) > LINES:
            findings[f"lines {name}"].append(f"{name}: {len(lines)} lines, at most {LINES}")
        for number, token, is_comment in tokens(text):
            for at in range(number, number + token.count("\n") + 1) if is_comment else ():
                if len(lines[at - 1]) > COLUMNS:
                    message = f"{name}:{at}: {len(lines[at - 1])} columns with a comment, at most {COLUMNS}"
                    findings[f"columns {name}"].append(message)
        for function, number, count in functions(lines):
            if count > FUNCTION:
                message = f"{name}:{number}: '{function}' has {count} lines, at most {FUNCTION}"
                findings[f"function {name} {function}"].append(message)
    failed = Shrinking(ROOT / "test/columns.txt", "--shrink" in sys.argv[1:]).check(findings)
    print(f"{len(names) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
