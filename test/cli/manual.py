#!/usr/bin/env python3
"""Checks the manual (runtime/doc/*.md): its code, its links and its lines.

Every ```cpp block is transpiled. A block that defines functions or launchers is a file of its own; any other block is
the body of the kernel FRAGMENT below, which runtime/doc/kernels.md shows to the reader. Comments in the code say what
else is checked:

  // tile2cu FLAGS           first line: more arguments of tile2cu
  // continued               first line: the code follows that of the block above
  ...  // error: TEXT        tile2cu reports this error at this line; likewise warning and remark
  auto a = ...;  // a is 0 1 2 | 3 4 5     the elements of the value, row by row, when the fragment runs on the CPU

A function `int NAME()` of a block is called on the CPU, and has to return 0.

Errors and warnings that no comment names are failures. All blocks without an expected error are also compiled by a C++
compiler, as one program, which runs the fragments.

Usage: manual.py --tile2cu PATH --work FOLDER [PAGE...]
"""
import argparse
import functools
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOC = os.path.join(ROOT, "runtime", "doc")
DIAGNOSTICS = open(os.path.join(ROOT, "passes", "ir", "diagnostics.def")).read()
OPTIONS = open(os.path.join(ROOT, "transpiler", "options.def")).read()
REFERENCE = {f"{name}.md" for name in ("kernels", "types", "tiles", "elementwise", "memory", "tensors", "atomics",
                                       "reductions", "dot", "control_flow", "random", "assumptions")}
LANGUAGES = {"cpp", "python", "cuda", "cmake", "text", "sh"}

PRELUDE = "#include <tile2cu/tile.h>\nusing namespace tl;\n"
# What a fragment computes is stored, so that no pass removes it as dead code.
KEEP = """
namespace manual {
template <class T, int... D>
__tile__ void keep(double* sink, const tile<T, D...>& value) {
  if constexpr (detail::isNumber<T>) {
    auto numbers = cast<float>(value);
    store(sink + reshape<D...>(arange<(1 * ... * D)>()), cast<double>(numbers));
  }
}
template <class T>
__tile__ void keep(double* sink, const T& value) {
  if constexpr (detail::isNumber<T>) store(sink, double(float(value)));
}
}  // namespace manual
"""
FRAGMENT = (
    "__tile_global__ void fragment(const float* __restrict__ x, const float* __restrict__ y, float* out,\n"
    "                              const float16* __restrict__ h, const int* __restrict__ words, int* counts,\n"
    "                              int n, int stride{0}) {{\n"
    "  auto pid = grid(cdiv(n, 128));\n"
    "  auto i = pid * 128 + arange<128>();\n"
)
EXPECTED = re.compile(r"// (error|warning|remark): (.*)$")
VALUE = re.compile(r"(?:// |, )(\w+) is ((?:(?:-?[\d.][\w.+-]*|-?inf|nan|true|false|\|)(?: |$|(?=,)))+)")
DECLARED = re.compile(r"^(?:const )?auto (?:(\w+)|\[([\w, ]+)\]) =")


class Block:
    def __init__(self, page, line, lines):
        self.page, self.line, self.lines = page, line, lines
        first = lines[0] if lines else ""
        self.flags = first.split()[2:] if first.startswith("// tile2cu ") else []
        self.continued = first.startswith("// continued")
        self.fragment = not re.search(
            r"__tile|^(template|inline|namespace|#include|struct|using)\b|^(int|void|float) \w+\(.*\{", "\n".join(lines), re.M
        )
        self.expected = [
            (line + k, match[1], match[2].strip())
            for k, text in enumerate(lines)
            if (match := EXPECTED.search(text))
        ]

    def where(self):
        return f"{self.page}:{self.line}"

    def fails(self):
        return any(kind == "error" for _, kind, _ in self.expected)

    def names(self):
        """The values that a fragment declares at its top level."""
        found = []
        for text in self.lines:
            if match := DECLARED.match(text):
                found += [name.strip() for name in (match[1] or match[2]).split(",")]
        return found

    def values(self):
        """(line, name, expected elements) of the comments 'a is 0 1 2'."""
        for k, text in enumerate(self.lines):
            comment = text[text.find("//") :] if "//" in text else ""
            for match in VALUE.finditer(comment):
                yield self.line + k, match[1], match[2].replace("|", " ").split()

    def text(self, cpu):
        located = f'#line {self.line} "{self.page}"\n' + "\n".join(self.lines) + "\n"
        if not self.fragment:
            return located
        keeps = "".join(f"  manual::keep(sink, {name});\n" for name in self.names())
        if cpu:
            for line, name, elements in self.values():
                keeps += f'  manual::check("{self.page}", {line}, "{name}", {name}, {{{", ".join(map(number, elements))}}});\n'
        body = FRAGMENT.format(", double* sink") + located + keeps + "}\n"
        return body + "inline constexpr auto fragment_launcher = instantiate(fragment);\n"


def number(text):
    return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN", "true": "1", "false": "0"}.get(text, text)


def blocks_of(page, failures):
    """The code blocks of a page; a continued one takes the lines of the block above."""
    found, language, start, lines = [], None, 0, []
    for number_, text in enumerate(open(os.path.join(DOC, page)).read().split("\n"), 1):
        if text.startswith("```"):
            if language is None:
                language, start, lines = text[3:].strip(), number_ + 1, []
                if language not in LANGUAGES:
                    failures.append(f"{page}:{number_}: a code block in '{language}'; known are {sorted(LANGUAGES)}")
            else:
                if language == "cpp":
                    found.append(Block(page, start, lines))
                language = None
        elif language is not None:
            lines.append(text)
        elif len(text) > 100 and not text.startswith("|"):
            failures.append(f"{page}:{number_}: {len(text)} columns, at most 100")
        if language is not None and len(text) > 100:
            failures.append(f"{page}:{number_}: {len(text)} columns, at most 100")
    return found


def source(blocks, k, cpu):
    """The text of block k as a file of its own, with those that it continues."""
    first = k
    while blocks[first].continued:
        first -= 1
    chain = blocks[first : k + 1]
    text = "".join(block.text(cpu) for block in chain)
    prelude = "" if "tile2cu/tile.h" in text else PRELUDE
    return prelude + (KEEP if any(block.fragment for block in chain) else "") + text


MESSAGE = re.compile(r"^(.*?):(\d+):(\d+): (error|warning|remark): (.*)$", re.M)


def transpile(tile2cu, work, block, text):
    """The failures of one block."""
    path = os.path.join(work, "block.tile.cpp")
    with open(path, "w") as file:
        file.write(text)
    remarks = ["-Rtile"] if any(kind == "remark" for _, kind, _ in block.expected) else []
    command = [tile2cu, path, "-o", os.path.join(work, "block.cu"), *remarks, *block.flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    said = [(m[1], int(m[2]), m[4], m[5]) for m in MESSAGE.finditer(done.stderr)]
    failures = []
    for line, kind, text in block.expected:
        if not any(p == block.page and k == line and s == kind and text in t for p, k, s, t in said):
            failures.append(f"{block.page}:{line}: tile2cu does not report '{kind}: {text}' here\n{done.stderr}")
    for page, line, kind, text in said:
        known = any(line == at and kind == what and words in text for at, what, words in block.expected)
        if kind != "remark" and not (known and page == block.page):
            failures.append(f"{page}:{line}: {kind}: {text}")
    if (done.returncode != 0) != block.fails() and not failures:
        failures.append(f"{block.where()}: tile2cu ended with exit code {done.returncode}\n{done.stderr}")
    return failures


CHECK = r"""
#include <cmath>
#include <cstdio>
#include <vector>
#include <tile2cu/tile.h>
using namespace tl;
namespace manual {
inline int failures = 0;
inline void fail(const char* page, int line, const char* name, int at, double is, double expected) {
  std::printf("%s:%d: %s[%d] is %.9g, not %.9g\n", page, line, name, at, is, expected);
  ++failures;
}
template <class T>
void check(const char* page, int line, const char* name, const T& value, std::vector<double> expected) {
  std::vector<double> is;
  if constexpr (detail::isTile<T>) {
    for (auto element : value) is.push_back(double(float(element)));
  } else {
    is.push_back(double(value));
  }
  if (is.size() != expected.size()) return fail(page, line, name, -1, is.size(), expected.size());
  for (std::size_t k = 0; k < is.size(); ++k) {
    const bool same = std::isnan(expected[k]) ? std::isnan(is[k]) : is[k] == expected[k] ||
                      std::fabs(is[k] - expected[k]) <= 1e-6 * std::fabs(expected[k]);
    if (!same) return fail(page, line, name, int(k), is[k], expected[k]);
  }
}
}  // namespace manual
"""


def run_on_cpu(work, pages):
    """Compiles every block as C++ in one program, runs the fragments, and gives the failures."""
    includes, text, calls, count = set(), "", "", 0
    for page, blocks in pages:
        for k, block in enumerate(blocks):
            last = k + 1 == len(blocks) or not blocks[k + 1].continued
            if block.fails() or not last:
                continue
            body = source(blocks, k, True).replace(PRELUDE, "").replace(KEEP, "")
            includes.update(re.findall(r"^#include .*$", body, re.M))
            body = re.sub(r"^(#include .*|using namespace tl;)$", "", body, flags=re.M)
            text += f"namespace block_{count} {{\n{body}\n}}\n"
            if block.fragment:
                calls += f"  block_{count}::fragment_launcher(x, y, out, h, words, counts, 128, 128, sink);\n"
            for name in re.findall(r"^int (\w+)\(\) \{", body, re.M):
                calls += f'  if (block_{count}::{name}() != 0) manual::fail("{page}", {block.line}, "{name}", 0, 1, 0);\n'
            count += 1
    path = os.path.join(work, "manual.cpp")
    with open(path, "w") as file:
        file.write("\n".join(sorted(includes)) + CHECK + KEEP + text)
        file.write(
            "static float x[1 << 16], y[1 << 16], out[1 << 16];\nstatic float16 h[1 << 16];\n"
            "static int words[1 << 16], counts[1 << 16];\nstatic double sink[1 << 16];\n"
            "int main() {\n"
            "  for (int k = 0; k < 1 << 16; ++k) {\n"
            "    x[k] = float(k % 128), y[k] = 1, h[k] = float16(k % 8), words[k] = k % 128;\n  }\n"
            f"{calls}  return manual::failures != 0;\n}}\n"
        )
    binary = os.path.join(work, "manual")
    command = ["g++", "-std=c++23", "-w", "-O0", "-I" + os.path.join(ROOT, "runtime", "include"), path, "-pthread"]
    built = subprocess.run([*command, "-o", binary], capture_output=True, text=True, timeout=300)
    if built.returncode != 0:
        errors = [line for line in built.stderr.split("\n") if " error: " in line]
        return ["the blocks do not compile as C++:\n" + "\n".join(errors[:20] or [built.stderr[:4000]])]
    done = subprocess.run([binary], capture_output=True, text=True, timeout=60, env={**os.environ, "TILE2CU_THREADS": "1"})
    if done.returncode != 0:
        return [done.stdout + done.stderr + f"the fragments ended with exit code {done.returncode}"]
    return []


def anchor(heading):
    """The anchor that GitHub gives to a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def headings(path):
    text = re.sub(r"^```.*?^```", "", open(path).read(), flags=re.S | re.M)
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        name, k = anchor(heading), 1
        while name in found:
            name, k = f"{anchor(heading)}-{k}", k + 1
        found.add(name)
    return found


def check_links(path):
    """Each relative link of a page leads to a file and, after '#', to one of its headings."""
    failures = []
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), open(path).read(), flags=re.S | re.M)
    for number_, line in enumerate(text.split("\n"), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, name = target.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(there):
                failures.append(f"{os.path.relpath(path, ROOT)}:{number_}: there is no {file}")
            elif name and name not in headings(there):
                failures.append(f"{os.path.relpath(path, ROOT)}:{number_}: {file or 'this page'} has no heading #{name}")
    return failures


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


def check_remarks():
    """The table of remarks.md names every remark of diagnostics.def, and no others."""
    known = {
        match[1]: re.sub(r"\{\d\}", "*", match[2])
        for match in re.finditer(r'DIAG\((\w+), Remark, "tile", "(.*)"\)', DIAGNOSTICS)
    }
    failures, seen = [], set()
    for number_, line in enumerate(open(os.path.join(DOC, "remarks.md")).read().split("\n"), 1):
        for quoted in re.findall(r"`([^`]+)`", line.split(" | ")[0]) if line.startswith("| `") else []:
            fits = {name for name, text in known.items() if overlap(quoted.replace("...", "*"), text)}
            seen |= fits
            if not fits:
                failures.append(f"remarks.md:{number_}: no remark of diagnostics.def reads '{quoted}'")
    return failures + [f"remarks.md: no row for {name}: {known[name]}" for name in known if name not in seen]


def check_options():
    """command_line.md has a row for every option of options.def and for every group of warnings, and for no others."""
    page = open(os.path.join(DOC, "command_line.md")).read()
    rows = re.findall(r'^OPTION\(\w+(?:::\w+)?, \w+, "([^"]+)", [^"]*(?:"[^"]*")?, "([^"]+)"', OPTIONS, re.M)
    known = {name for names, group in rows for name in names.split(",")}
    # --line-directives does nothing yet, so the manual does not promise it.
    known.discard("--line-directives")
    cells = [
        quoted
        for line in page.split("\n")
        if line.startswith("| `-")
        for quoted in line.split("|")[1].split("`")[1::2]
        if quoted.startswith("-")
    ]
    shown = {re.match(r"--?[\w-]+", cell.replace("GROUP", ""))[0] for cell in cells}
    groups = set(re.findall(r'DIAG\(\w+, Warning, "([\w-]+)"', DIAGNOSTICS))
    shown_groups = {name[2:] for name in shown if re.match(r"-W\w", name)}
    shown -= {"-W" + name for name in shown_groups}
    failures = [f"command_line.md: no row for {name}" for name in sorted(known - shown)]
    failures += [f"command_line.md: options.def has no {name}" for name in sorted(shown - known)]
    failures += [f"command_line.md: no row for -W{name}" for name in sorted(groups - shown_groups)]
    return failures + [f"command_line.md: there is no group -W{name}" for name in sorted(shown_groups - groups)]


def check_names():
    """The operations that a page spells exist in the headers: right column of coming_from_*.md, signatures elsewhere."""
    folder = os.path.join(ROOT, "runtime", "include", "tile2cu", "tile")
    words = set()
    for name in os.listdir(folder):
        words |= set(re.findall(r"\w+", open(os.path.join(folder, name)).read()))
    words |= {"kernel", "p", "f", "x", "A", "desc", "while", "for", "rint", "alignas", "sizeof"}
    failures = []
    for page in sorted(os.listdir(DOC)):
        in_text = False
        for number_, line in enumerate(open(os.path.join(DOC, page)).read().split("\n"), 1):
            if line.startswith("```"):
                in_text = line == "```text"
            spelled = []
            if page.startswith("coming_from") and line.startswith("| "):
                last = re.split(r"(?<!\\)\|", line.strip().strip("|"))[-1]
                spelled = [word for code in last.split("`")[1::2] for word in re.findall(r"(?<!\.)\b(\w+)[<(]", code)]
            elif in_text and page in REFERENCE:
                spelled = re.findall(r"(?<![.\w])(\w+)(?:<[^>()]*>)?\((?!\))", line)
            failures += [f"{page}:{number_}: no operation is called {word}" for word in spelled if word not in words]
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile2cu", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    failures, pages, count = [], [], 0
    names = [os.path.basename(name) for name in arguments.pages]
    for page in sorted(os.listdir(DOC)):
        if not page.endswith(".md") or (names and page not in names):
            continue
        blocks = blocks_of(page, failures)
        pages.append((page, blocks))
        for k, block in enumerate(blocks):
            failures += transpile(os.path.abspath(arguments.tile2cu), arguments.work, block, source(blocks, k, False))
            count += 1
        failures += check_links(os.path.join(DOC, page))
    for page in ("README.md", "CONTRIBUTING.md", "runtime/README.md", "test/README.md"):
        failures += check_links(os.path.join(ROOT, page))
    if not names:
        failures += check_remarks() + check_options() + check_names()
    failures += run_on_cpu(arguments.work, pages)
    for failure in failures:
        print(failure)
    print(f"{count} blocks of {len(pages)} pages: {len(failures)} failures")
    return failures != []


sys.exit(main())
