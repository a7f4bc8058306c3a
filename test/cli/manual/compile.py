"""Transpiles the blocks of the manual, compiles them as C++, and runs the fragments."""
import os
import re
import subprocess

from blocks import KEEP, file_text, source

MESSAGE = re.compile(r"^(.*?):(\d+):(\d+): (error|warning|remark): (.*)$", re.M)


def build(root, path, *options):
    """The failures of compiling a file with g++; the program has the name of the file without the suffix."""
    include = "-I" + os.path.join(root, "runtime", "include")
    command = ["g++", "-std=c++23", "-w", "-O0", include, *options, path, "-pthread"]
    command += ["-o", path.removesuffix(".cpp")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    errors = [line for line in done.stderr.split("\n") if "error" in line]
    return ["\n".join([f"{path} does not compile:", *errors[:20]])] if done.returncode else []


def run(path):
    """The failures of running what `build` made of the file."""
    one_thread = {**os.environ, "TILE2CU_THREADS": "1"}
    command = [path.removesuffix(".cpp")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=one_thread)
    said = f"{done.stdout}{done.stderr}{path}: exit code {done.returncode}"
    return [said] if done.returncode else []


def run_program(root, path):
    return build(root, path, "-DON_CPU") or run(path)


def transpile(root, tile2cu, work, blocks, k):
    """What is wrong with block k: a message that it does not show, or one that does not come."""
    block = blocks[k]
    path = os.path.join(work, block.file or "block.tile.cpp")
    with open(path, "w") as file:
        file.write(file_text(blocks, k))
    if block.is_program:
        return run_program(root, path)
    if block.is_header:
        return []
    remarks = ["-Rtile"] if any(kind == "remark" for _, kind, _ in block.expected) else []
    command = [tile2cu, path, "-o", os.path.join(work, "block.cu"), *remarks, *block.flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    said = [(m[1], int(m[2]), m[4], m[5]) for m in MESSAGE.finditer(done.stderr)]

    def fits(message, expected):
        page, line, kind, text = message
        return page == block.page and (line, kind) == expected[:2] and expected[2] in text

    failures = [
        f"{block.page}:{line}: tile2cu does not report '{kind}: {text}' here\n{done.stderr}"
        for line, kind, text in block.expected
        if not any(fits(message, (line, kind, text)) for message in said)
    ]
    for message in said:
        if message[2] != "remark" and not any(fits(message, e) for e in block.expected):
            failures.append("{}:{}: {}: {}".format(*message))
    if (done.returncode != 0) != block.fails() and not failures:
        failures.append(f"{block.page}:{block.line}: exit code {done.returncode}\n{done.stderr}")
    return failures


CHECK = r"""
#include <cmath>
#include <cstdio>
#include <vector>
namespace manual {
inline int failures = 0;
inline void fail(const char* page, int line, const char* what, double is, double expected) {
  std::printf("%s:%d: %s is %.9g, not %.9g\n", page, line, what, is, expected);
  ++failures;
}
template <class T>
void check(const char* page, int line, const char* name, const T& value,
           std::vector<double> expected) {
  std::vector<double> is;
  if constexpr (detail::isTile<T>) {
    for (auto element : value) is.push_back(double(float(element)));
  } else {
    is.push_back(double(value));
  }
  if (is.size() != expected.size()) {
    return fail(page, line, "the number of elements", is.size(), expected.size());
  }
  for (std::size_t k = 0; k < is.size(); ++k) {
    const bool same = std::isnan(expected[k])
                          ? std::isnan(is[k])
                          : is[k] == expected[k] ||
                                std::fabs(is[k] - expected[k]) <= 1e-6 * std::fabs(expected[k]);
    if (!same) fail(page, line, name, is[k], expected[k]);
  }
}
}  // namespace manual
static float x[1 << 16], y[1 << 16], out[1 << 16];
static float16 h[1 << 16];
static int words[1 << 16], counts[1 << 16];
static double sink[1 << 16];
"""

ARGUMENTS = "x, y, out, h, words, counts, 128, 128, sink"
MAIN = """int main() {
  for (int k = 0; k < 1 << 16; ++k) {
    x[k] = float(k % 128), y[k] = 1, h[k] = float16(k % 8), words[k] = k % 128;
  }
"""


def in_namespaces(pages, checked):
    """One text of all blocks, each in a namespace, with their includes in front; and the blocks,
    as (page, block, namespace, text). `checked` as in Block.text; without, all have to compile."""
    includes, texts, count = {"#include <tile2cu/tile.h>"}, [], 0
    for page, blocks in pages:
        for k, block in enumerate(blocks):
            is_last = k + 1 == len(blocks) or not blocks[k + 1].continued
            fails = block.fails() and not (checked and block.fragment)
            if block.is_program or block.is_header or fails or not is_last:
                continue
            body = source(blocks, k, checked)
            includes.update(re.findall(r"^#include .*$", body, re.M))
            body = re.sub(r"^(#include .*|using namespace tl;)$", "", body, flags=re.M)
            texts.append((page, block, f"block_{count}", body))
            count += 1
    # The blocks' own headers after the language's.
    order = sorted(includes, key=lambda line: ('"' in line, line))
    return "\n".join(order) + "\nusing namespace tl;\n", texts


def program_text(pages):
    """The blocks as one program; definitions with errors are left out."""
    text, blocks = in_namespaces(pages, checked=True)
    text, calls = text + CHECK + KEEP, ""
    for page, block, name, body in blocks:
        text += f"namespace {name} {{\n{body}\n}}\n"
        if block.fragment:
            calls += f"  {name}::fragment_launcher({ARGUMENTS});\n"
        for function in re.findall(r"^int (\w+)\(\) \{", body, re.M):
            result = f"if (const int result = {name}::{function}(); result != 0)"
            where = f'"{page}", {block.line}, "{function}()"'
            calls += f"  {result} manual::fail({where}, result, 0);\n"
    return text + MAIN + calls + "  return manual::failures != 0;\n}\n"


def run_on_cpu(root, work, pages):
    """Compiles every block as C++, and runs the fragments and the functions `int NAME()`."""
    path = os.path.join(work, "manual.cpp")
    with open(path, "w") as file:
        file.write(program_text(pages))
    return build(root, path) or run(path)


def compile_for_gpu(tile2cu, nvcc, work, pages):
    """Compiles what the blocks become, in one file for each list of flags."""
    start, blocks = in_namespaces(pages, checked=False)
    failures = []
    for _, all_of_page in pages:
        for k, block in enumerate(all_of_page):
            if block.is_header:
                with open(os.path.join(work, block.file), "w") as file:
                    file.write(file_text(all_of_page, k))
    for flags in sorted({tuple(block.flags) for _, block, _, _ in blocks}):
        text = start + KEEP
        for _, block, name, body in blocks:
            if tuple(block.flags) == flags:
                text += f"namespace {name} {{\n{body}\n}}\n"
        path = os.path.join(work, "gpu.tile.cpp")
        with open(path, "w") as file:
            file.write(text)
        emitted, arch = os.path.join(work, "gpu.cu"), re.sub(r".*=sm_", "", (*flags, "=sm_80")[0])
        target = f"-gencode=arch=compute_{arch},code=sm_{arch}"
        options = ["-std=c++17", "-Werror", "all-warnings", target]
        for command in (
            [tile2cu, path, "-Wno-unused-candidate", *flags, "-o", emitted],
            [nvcc, *options, "-c", emitted, "-o", path + ".o"],
        ):
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                failures.append(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
                break
    return failures
