"""Compares tables and links of the manual with the sources that they speak of."""
import functools
import os
import re

REFERENCE = """kernels types tiles elementwise memory tensors atomics reductions dot control_flow
random assumptions""".split()


def read(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


def the_file(root, name):
    """The text of the compiler's only file of this name, in whatever room it is."""
    (path,) = [
        os.path.join(folder, name)
        for room in ("frontend", "passes", "emit", "transpiler")
        for folder, _, files in os.walk(os.path.join(root, room))
        if name in files
    ]
    return read(path)


def numbered(text):
    return enumerate(text.split("\n"), 1)


@functools.cache
def overlap(a, b):
    """Whether some text fits both patterns, in which '*' stands for any text."""
    if not a or not b:
        return a.strip("*") == b.strip("*")
    if a[0] == "*":
        return overlap(a[1:], b) or overlap(a, b[1:])
    if b[0] == "*":
        return overlap(a, b[1:]) or overlap(a[1:], b)
    return a[0] == b[0] and overlap(a[1:], b[1:])


def begin_of_longest_part(text):
    return max(text.split("*"), key=len)[:40]


def check_remarks(root, doc):
    """The tables of remarks.md have every remark of diagnostics.def, and no others. A row shows at
    least the first 40 characters of the longest fixed part of the remark."""
    diagnostics = the_file(root, "diagnostics.def")
    rows = re.findall(r'DIAG\((\w+), Remark, "tile", "(.*)"\)', diagnostics)
    known = {name: re.sub(r"\{\d\}", "*", text) for name, text in rows}
    failures, seen = [], set()
    for line, text in numbered(read(doc, "remarks.md").split("## Reasons")[0]):
        if not text.startswith("| T2C"):
            continue
        for quoted in re.findall(r"`([^`]+)`", text.split(" | ")[1]):
            pattern = quoted.replace("...", "*")
            seen |= {name for name in known if begin_of_longest_part(known[name]) in quoted}
            if not any(overlap(pattern, text) for text in known.values()):
                failures.append(f"remarks.md:{line}: diagnostics.def has no remark '{quoted}'")
    missing = [name for name in known if name not in seen]
    return failures + [f"remarks.md: no row for {name}: {known[name]}" for name in missing]


def check_reasons(root, doc):
    """The reasons that remarks.md explains are texts of the passes."""
    folders = [path for path, _, _ in os.walk(os.path.join(root, "passes"))]
    files = [(path, name) for path in folders for name in os.listdir(path) if name.endswith(".cpp")]
    # A text may stand in several literals.
    text = re.sub(r'"\s*\n\s*"', "", "".join(read(*file) for file in files))
    failures, in_reasons = [], False
    for line, row in numbered(read(doc, "remarks.md")):
        in_reasons |= row == "## Reasons"
        if in_reasons and row.startswith("| `"):
            for reason in re.split(r"`, `| \.\.\. ", row.split(" | ")[0].strip("|` ")):
                if reason not in text:
                    failures.append(f"remarks.md:{line}: no pass gives the reason '{reason}'")
    return failures


def check_options(root, doc):
    """command_line.md has every option of options.def and every warning group, and no others."""
    options = the_file(root, "options.def")
    row = r'^OPTION\([\w:]+, \w+, "([^"]+)", (?:"[^"]*"|[^",]*), "([^"]+)"'
    known = {name for names, _ in re.findall(row, options, re.M) for name in names.split(",")}
    diagnostics = the_file(root, "diagnostics.def")
    known |= {"-Wperf"} | {"-W" + name for name in re.findall(r'DIAG\(\w+, Warning, "([\w-]+)"', diagnostics)}
    shown = set()
    for text in read(doc, "command_line.md").split("\n"):
        if text.startswith("| `-"):
            quoted = text.split("|")[1].split("`")[1::2]
            options = [q.replace("GROUP", "") for q in quoted if q.startswith("-")]
            shown |= {re.match(r"--?[\w-]+", option)[0] for option in options}
    return [f"command_line.md: no row for {name}" for name in sorted(known - shown)] + [
        f"command_line.md: tile2cu has no {name}" for name in sorted(shown - known)
    ]


def check_names(root, doc):
    """The operations that are spelled in signatures and in the right columns of coming_from_*.md
    are words of the headers."""
    headers = os.path.join(root, "runtime", "include", "tile2cu", "tile")
    names = [name for name in os.listdir(headers) if name.endswith(".h")]
    words = {w for name in names for w in re.findall(r"\w+", read(headers, name))}
    words |= {"kernel", "p", "f", "x", "A", "desc", "while", "for"}
    failures = []
    for page in sorted(name for name in os.listdir(doc) if name.endswith(".md")):
        is_signature = False
        for line, text in numbered(read(doc, page)):
            if text.startswith("```"):
                is_signature = text == "```text" and page[:-3] in REFERENCE
            spelled = []
            if page.startswith("coming_from") and text.startswith("| "):
                last = re.split(r"(?<!\\)\|", text.strip().strip("|"))[-1]
                for code in last.split("`")[1::2]:
                    spelled += re.findall(r"(?<!\.)\b(\w+)[<(]", code)
            elif is_signature:
                spelled = re.findall(r"(?<![.\w])(\w+)(?:<[^>()]*>)?\((?!\))", text)
            for word in spelled:
                if word not in words:
                    failures.append(f"{page}:{line}: no operation is called {word}")
    return failures


def without_code(text):
    """The text with its code blocks empty; lines keep their numbers."""
    return re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)


@functools.cache
def anchors(path):
    """The anchors that GitHub gives to the headings of a page."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", without_code(read(path)), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        copies = [name for name in found if re.fullmatch(re.escape(anchor) + r"(-\d+)?", name)]
        found.add(f"{anchor}-{len(copies)}" if copies else anchor)
    return found


def check_links(root, path):
    """Each relative link of a page leads to a file and, after '#', to one of its headings."""
    failures, page = [], os.path.relpath(path, root)
    for line, text in numbered(without_code(read(path))):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, name = target.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(there):
                failures.append(f"{page}:{line}: there is no {file}")
            elif name and name not in anchors(there):
                failures.append(f"{page}:{line}: {file or 'this page'} has no heading #{name}")
    return failures
