"""The C++ blocks of a page of the manual, and the files that they become.

A block that defines functions or launchers is a file of its own. Any other block is a fragment: the
body of the kernel FRAGMENT, which runtime/doc/kernels.md shows to the reader. Comments in the code
say what else is checked:

  // tile2cu FLAGS           first line: more arguments of tile2cu
  // continued               first line: the code follows that of the block above
  // file: NAME              first line: other blocks include it by this name; a host program, which
                             has a `main`, is compiled as C++ and has to return 0; a header is only
                             included
  ...  // error: TEXT        tile2cu reports this error at this line; likewise warning and remark
  auto a = ...;  // a is 0 1 | 2 3      the elements, row by row, when the fragment runs on the CPU
"""
import re

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

FRAGMENT = """__tile_global__ void fragment(
    const float* __restrict__ x, const float* __restrict__ y, float* out,
    const float16* __restrict__ h, const int* __restrict__ words, int* counts, int n, int stride,
    double* sink) {
  auto pid = grid(cdiv(n, 128));
  auto i = pid * 128 + arange<128>();
"""
FRAGMENT_END = "}\ninline constexpr auto fragment_launcher = instantiate(fragment);\n"

DEFINITION = re.compile(
    r"__tile|^(template|inline|namespace|#include|struct|using)\b|^(int|void|float) \w+\(.*\{", re.M
)
EXPECTED = re.compile(r"// (error|warning|remark): (.*)$")
NUMBER = r"(?:-?[\d.][\w.+-]*|-?inf|nan|true|false|\|)"
VALUE = re.compile(rf"(?:// |, )(\w+) is ((?:{NUMBER}(?: |$|(?=,)))+)")
DECLARED = re.compile(r"^(?:const )?auto (?:(\w+)|\[([\w, ]+)\]) =")
WORDS = {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN", "true": "1", "false": "0"}


def declared(lines):
    """The names that a fragment declares at its top level."""
    matches = filter(None, map(DECLARED.match, lines))
    return [name.strip() for match in matches for name in (match[1] or match[2]).split(",")]


class Block:
    def __init__(self, page, line, lines):
        self.page, self.line, self.lines = page, line, lines
        first = lines[0] if lines else ""
        self.flags = first.split()[2:] if first.startswith("// tile2cu ") else []
        self.continued = first.startswith("// continued")
        self.file = first.split()[2] if first.startswith("// file: ") else None
        self.is_header = (self.file or "").endswith(".h")
        self.is_program = any(text.startswith("int main(") for text in lines)
        self.fragment = not DEFINITION.search("\n".join(lines))
        self.expected = [
            (line + k, match[1], match[2].strip())
            for k, text in enumerate(lines)
            if (match := EXPECTED.search(text))
        ]

    def fails(self):
        return any(kind == "error" for _, kind, _ in self.expected)

    def values(self):
        """(line, name, elements as C++) of the comments 'a is 0 1 2'."""
        for k, text in enumerate(self.lines):
            comment = text[text.find("//") :] if "//" in text else ""
            for match in VALUE.finditer(comment):
                elements = [WORDS.get(word, word) for word in match[2].replace("|", " ").split()]
                yield self.line + k, match[1], elements

    def text(self, checked):
        """The block as C++ at namespace scope; `checked`: a fragment compares its values, and goes
        without the lines that are errors."""
        lines = ["" if checked and "// error: " in text else text for text in self.lines]
        located = f'#line {self.line} "{self.page}"\n' + "\n".join(lines) + "\n"
        if not self.fragment:
            return located
        end = "".join(f"  manual::keep(sink, {name});\n" for name in declared(lines))
        for line, name, elements in self.values() if checked else ():
            where = f'"{self.page}", {line}, "{name}"'
            end += f"  manual::check({where}, {name}, {{{', '.join(elements)}}});\n"
        return FRAGMENT + located + end + FRAGMENT_END


def blocks_of(path, page, languages):
    """The C++ blocks of a page, and what is wrong with its lines."""
    blocks, failures, language, start, lines = [], [], None, 0, []
    for number, text in enumerate(open(path).read().split("\n"), 1):
        if len(text) > 100 and (language is not None or not text.startswith("|")):
            failures.append(f"{page}:{number}: {len(text)} columns, at most 100")
        if not text.startswith("```"):
            lines.append(text)
        elif language is None:
            language, start, lines = text[3:].strip(), number + 1, []
            if language not in languages:
                failures.append(f"{page}:{number}: a block in '{language}'; known are {languages}")
        else:
            if language == "cpp":
                blocks.append(Block(page, start, lines))
            language, lines = None, []
    return blocks, failures


def source(blocks, k, checked=False):
    """Block k, after those that it continues, without the beginning that all files share."""
    first = k
    while blocks[first].continued:
        first -= 1
    return "".join(block.text(checked) for block in blocks[first : k + 1])


def file_text(blocks, k):
    """Block k as a file."""
    text = source(blocks, k)
    needs_none = "tile2cu/tile.h" in text or blocks[k].is_program or blocks[k].is_header
    prelude = "" if needs_none else PRELUDE
    return prelude + (KEEP if "manual::keep" in text else "") + text
