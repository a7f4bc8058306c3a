"""What the checks of words and columns share: the files they read, the comments in them, and lists that only get shorter."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("passes", "frontend", "emit", "transpiler", "runtime")
CODE = (".cpp", ".h", ".cuh", ".def")
TOKEN = re.compile(
    r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|'  # strings
    r"'(?:\\.|[^'\\\n])+'|"  # characters
    r"//[^\n]*|/\*(?:.|\n)*?\*/"
)


def files(*suffixes):
    """The files of the compiler and of its runtime that git knows, by their names from the root."""
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split() if name.endswith(suffixes) and (ROOT / name).exists()]


def tokens(text):
    """Each comment and each string of C++ text: (line number, its text, whether it is a comment)."""
    line, last = 1, 0
    for found in TOKEN.finditer(text):
        line, last = line + text.count("\n", last, found.start()), found.start()
        if found[0][0] != "'":
            yield line, found[0], found[0].startswith("/")


class Shrinking:
    """Exceptions `NAME: COUNT` of a list. A name that has more findings fails, and so does one that has fewer."""

    def __init__(self, path, update):
        self.path, self.update = path, update
        self.lines = path.read_text().splitlines()
        self.allowed, self.row = {}, {}
        for number, line in enumerate(self.lines):
            found = re.fullmatch(r"(\w+ .+): (\d+)", line)
            if found:
                self.allowed[found[1]], self.row[found[1]] = int(found[2]), number

    def check(self, findings):
        """Takes {name: [messages]} and prints what is wrong. Returns how many names are wrong."""
        failed = 0
        for name, messages in sorted(findings.items()):
            if len(messages) > self.allowed.get(name, 0):
                print("\n".join(messages))
                print(f"{name}: {len(messages)} findings, and the list allows {self.allowed.get(name, 0)}")
                failed += 1
        for name, allowed in self.allowed.items():
            count = len(findings.get(name, []))
            if count >= allowed:
                continue
            if self.update:
                self.lines[self.row[name]] = f"{name}: {count}" if count else None
            else:
                print(f"{self.path.name}: '{name}' has {count} findings now; run the check with --shrink")
                failed += 1
        if self.update:
            self.path.write_text("\n".join(line for line in self.lines if line is not None) + "\n")
        return failed
