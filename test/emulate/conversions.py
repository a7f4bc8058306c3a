#!/usr/bin/env python3
"""Every conversion between element types, against exact arithmetic: reference, emulator, and by hand a GPU.

A kernel for each source type makes all conversions of it: cast, the conversion of a store, cast toward zero, casts of
casts, of scalars, in atomic_add, full, where and mixed arithmetic. Another converts constants, which the passes fold.
exact.py says what each result has to be. Results that the language leaves undefined are not compared.

  test/emulate/run conversions
  test/emulate/conversions.py write DIR      writes conversions.tile.cpp, main.cpp and `in`: test/gpu/run.sh builds them
  test/emulate/conversions.py check DIR/out  compares what a program wrote
"""

import functools
import pathlib
import sys
from fractions import Fraction

sys.dont_write_bytecode = True

import exact  # noqa: E402
import toolchain  # noqa: E402
from exact import FLOATS, NAN, NEGATIVE_ZERO, TYPES, convert  # noqa: E402

BLOCK = 128
MIDDLES = ["bool", "uint8_t", "uint32_t", "int64_t", "bfloat16", "float16", "float", "double"]
ENDS = ["int8_t", "uint64_t", "float16", "bfloat16", "float", "float8_e5m2"]
SUMS = ["int", "uint32_t", "int64_t", "uint64_t", "float16", "bfloat16", "float", "double"]
# What a constant of a type becomes an operand of: the types that it is converted to, without arithmetic on others.
MIXED = ["float16", "bfloat16"]


class Result:
    """What one statement writes: `value(x)` is the exact value for the input x, None where it is undefined."""

    def __init__(self, target, words, statement, value):
        self.target, self.words, self.statement, self.value = target, words, statement, value


def through(source, middle, target, toward_zero, x):
    between = convert(x, source, middle)
    return None if between is None else convert(between, middle, target, toward_zero)


def sum_with_zero(value, target):
    """0 + value in memory. The GPU's 32-bit float atomics take subnormal numbers as zeros, the CPU does not."""
    if target == "float" and isinstance(value, Fraction) and 0 < abs(value) < Fraction(2) ** -126:
        return None
    return 0 if value == NEGATIVE_ZERO else value


def results_of(source):
    """All results of a tile of `source`; {p} is where a statement writes."""
    results = []

    def add(target, words, value, statement="store({p} + i, {words}, m);"):
        results.append(Result(target, words, statement.replace("{words}", words), value))

    for target in TYPES:
        direct = functools.partial(convert, source=source, target=target)
        add(target, f"cast<{target}>(x)", direct)
        add(target, "x", direct)
        if target in FLOATS:
            add(target, f"cast<{target}>(x, rounding::rz)", functools.partial(direct, toward_zero=True))
        if not source.startswith("float8"):
            add(target, f"map([](auto v) {{ return {target}(v); }}, x)", direct)
    for middle in MIDDLES:
        for target in ENDS:
            if middle in (source, target):
                continue
            for mode in (False, True) if target in FLOATS else (False,):
                option = ", rounding::rz" if mode else ""
                add(
                    target,
                    f"cast<{target}>(cast<{middle}>(x){option})",
                    functools.partial(through, source, middle, target, mode),
                )
    is_float8 = source.startswith("float8")
    for target in [] if is_float8 else SUMS:
        # To zeros: the old value is +0.
        add(
            target,
            "x",
            lambda x, t=target: sum_with_zero(convert(x, source, t), t),
            "atomic_add({p} + i, x, m);",
        )
    for target in MIXED if source in exact.INTEGERS else []:
        direct = functools.partial(convert, source=source, target=target)
        add(target, f"zeros<{target}, {BLOCK}>() + x", direct)
        add(target, f"where(m, x, zeros<{target}, {BLOCK}>())", direct)
        add(target, f"maximum(x, full<{target}, {BLOCK}>({target}(-inf)))", direct)
    return results


def scalar_results_of(source):
    """Results of a scalar `s`, the first element of the inputs from `at` on."""
    results = []
    for target in TYPES:
        direct = functools.partial(convert, source=source, target=target)
        for words, where in ((f"cast<{target}>(s)", ""), (f"full<{target}, 1>(s)", " + arange<1>()")):
            results.append(Result(target, words, f"store({{p}} + at{where}, {words});", direct))
        if not source.startswith("float8"):  # these are widened by cast only
            for words in (f"{target}(s)", f"to<{target}>(s)"):
                results.append(Result(target, words, f"store({{p}} + at, {words});", direct))
    return results


def constants_of(source):
    """Some constants that lie between two values of another type, and the last numbers of the type."""
    values = exact.values_of(source)
    chosen = [v for v in values if v != NAN]
    step = max(1, len(chosen) // 5)
    return [NEGATIVE_ZERO] * (source in FLOATS) + chosen[-1:] + chosen[1::step]


def constant_results_of(source):
    results = []
    for target in [*FLOATS, "bool", "uint8_t", "int64_t"]:
        for mode in (False, True) if target in FLOATS else (False,):
            option = ", rounding::rz" if mode else ""
            for value in constants_of(source):
                known = convert(value, source, target, mode)
                if known is not None:
                    words = f"cast<{target}>({exact.literal(value, source)}{option})"
                    results.append(Result(target, words, f"store({{p}}, {words});", lambda x, k=known: k))
    return results


class Kernel:
    """`count` results a statement, one for each input."""

    def __init__(self, name, source, inputs, results):
        self.name, self.source, self.inputs, self.results = name, source, inputs, results
        self.targets = [t for t in TYPES if any(r.target == t for r in results)]

    def of(self, target):
        return [r for r in self.results if r.target == target]

    def arguments(self):
        return [("x", self.source), *((f"to_{exact_name(t)}", t) for t in self.targets)]

    def text(self):
        text = ", ".join(
            f"{'const ' if n == 'x' else ''}{t}* __restrict__ {n}" for n, t in self.arguments()
        ).replace(" x,", " in,", 1)
        text = f"__tile_global__ void {self.name}({text}, int n) {{\n{self.head()}"
        for target in self.targets:
            for k, result in enumerate(self.of(target)):
                where = f"to_{exact_name(target)}" + (f" + {k} * n" if k else "")
                text += "  " + result.statement.replace("{p}", where) + "\n"
        return text + f"}}\ninline constexpr auto run_{self.name} = instantiate({self.name}, {{.num_warps = 1}});\n"

    def head(self):
        if self.name.startswith("from"):
            return (
                f"  auto i = grid(cdiv(n, {BLOCK})) * {BLOCK} + arange<{BLOCK}>();\n"
                "  auto m = i < n;\n  auto x = load(in + i, m);\n"
            )
        if self.name.startswith("scalar"):
            return "  auto at = grid(n);\n  auto s = in[at];\n"
        return "  grid(1);\n"

    def expected(self):
        """target -> rows of (result, input, value)."""
        return {
            t: [(r, x, r.value(x)) for r in self.of(t) for x in self.inputs] for t in self.targets
        }


def exact_name(target):
    return target.removesuffix("_t")


@functools.cache
def kernels():
    all_kernels = []
    for source in TYPES:
        inputs = exact.values_of(source)
        name = exact_name(source)
        all_kernels.append(Kernel(f"from_{name}", source, inputs, results_of(source)))
        all_kernels.append(Kernel(f"scalar_{name}", source, inputs[:: max(1, len(inputs) // 40)], scalar_results_of(source)))
        all_kernels.append(Kernel(f"constant_{name}", source, inputs[:1], constant_results_of(source)))
    return all_kernels


MAIN = """// Generated by test/emulate/conversions.py.
#ifdef TILE2CU_REFERENCE
#define TILE2CU_CUDA_NAMES
#include "conversions.tile.cpp"
using namespace tl;
#else
#include "conversions.h"
using float16 = __half;
using bfloat16 = __nv_bfloat16;
using float8_e4m3 = __nv_fp8_e4m3;
using float8_e5m2 = __nv_fp8_e5m2;
#endif
#include <tile2cu/buffer.h>

#include <cstdio>
#include <vector>

using bytes = std::vector<unsigned char>;

int main(int, char** arguments) {
  std::FILE* in = std::fopen(arguments[1], "rb");
  std::FILE* out = std::fopen(arguments[2], "wb");
  if (!in || !out) return 1;
  int status = 0;
  const auto read = [&](std::size_t size) {
    bytes all(size);
    status |= std::fread(all.data(), 1, size, in) != size;
    return all;
  };
  const auto write = [&](const tl::buffer<unsigned char>& buffer) {
    const bytes all = buffer.to_host();
    std::fwrite(all.data(), 1, all.size(), out);
  };
{calls}  std::fclose(out);
  return status;
}
"""


def write(folder):
    text = "// Generated by test/emulate/conversions.py.\n#include <tile2cu/tile.h>\nusing namespace tl;\n\n"
    text += "template <class T, class S>\n__tile__ T to(S s) {\n  T t = T(0);\n  t = T(s);\n  return t;\n}\n\n"
    calls, data = "", b""
    for kernel in kernels():
        text += kernel.text() + "\n"
        count, size = len(kernel.inputs), TYPES[kernel.source].bytes
        data += b"".join(
            TYPES[kernel.source].encode(x).to_bytes(size, "little") for x in kernel.inputs
        )
        calls += f"  {{\n    tl::buffer<unsigned char> x(read({count * size}));\n"
        for target in kernel.targets:
            bytes_of = len(kernel.of(target)) * count * TYPES[target].bytes
            calls += f"    tl::buffer<unsigned char> to_{exact_name(target)}({bytes_of});\n"
        arguments = ", ".join(
            f"reinterpret_cast<{t}*>({n}.data())" for n, t in kernel.arguments()
        )
        calls += f"    status |= run_{kernel.name}({arguments}, {count}, nullptr) != 0;\n"
        calls += "".join(f"    write(to_{exact_name(t)});\n" for t in kernel.targets) + "  }\n"
    (folder / "conversions.tile.cpp").write_text(text)
    (folder / "main.cpp").write_text(MAIN.replace("{calls}", calls))
    (folder / "in").write_bytes(data)


def is_same(form, bits, value):
    if value == NAN and isinstance(form, exact.Float) and form.bytes > 1:
        exponent = form.encode(exact.INF)
        return bits & ((1 << (8 * form.bytes - 1)) - 1) > exponent
    return bits == form.encode(value)


def check(path):
    """(passed, failed, lines): a test is a statement, with all its inputs."""
    data, at = path.read_bytes(), 0
    passed, failed, lines = 0, 0, []
    for kernel in kernels():
        for target, rows in kernel.expected().items():
            form, count = TYPES[target], len(kernel.inputs)
            for first in range(0, len(rows), count):
                wrong = []
                for result, x, value in rows[first : first + count]:
                    bits = int.from_bytes(data[at : at + form.bytes], "little")
                    at += form.bytes
                    if value is not None and not is_same(form, bits, value):
                        wrong.append((result, x, value, bits))
                if not wrong:
                    passed += 1
                    continue
                failed += 1
                result, x, value, bits = wrong[0]
                given = f", {kernel.source} x = {x}" if not kernel.name.startswith("constant") else ""
                lines.append(
                    f"FAIL {kernel.name}: {result.statement.replace('{p}', target)}{given}: "
                    f"{bits:#x}, not {form.encode(value):#x}; {len(wrong)} of {count} differ"
                )
    if at != len(data):
        failed, lines = failed + 1, [*lines, f"FAIL {path}: {len(data)} bytes, not {at}"]
    return passed, failed, lines


def run(tools, folder):
    """(passed, failed, lines) of the reference and of the emulator."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder)
    passed, failed, lines = 0, 0, []
    include = f"-I{folder}"

    def compare(words, program):
        nonlocal passed, failed
        toolchain.call([program, folder / "in", folder / f"{words}.out"])
        p, f, more = check(folder / f"{words}.out")
        passed, failed = passed + p, failed + f
        lines.extend(f"{line} ({words})" for line in more)

    try:
        main, text = folder / "main.cpp", folder / "conversions.cuda.cpp"
        tools.transpile(folder / "conversions.tile.cpp", text, f"--header={folder}/conversions.h")
        objects = [folder / "emulated.o", folder / "main.o"]
        toolchain.call([*toolchain.EMULATED, include, "-c", text, "-o", objects[0]])
        host = [*toolchain.CXX, "-std=c++20", "-O0", "-DTILE2CU_EMULATE", include]
        toolchain.call([*host, "-c", main, "-o", objects[1]])
        toolchain.call(["g++", *objects, tools.archive, "-pthread", "-o", folder / "emulated"])
        compare("emulator", folder / "emulated")
        reference = [*toolchain.REFERENCE, "-DTILE2CU_REFERENCE", include, "-c", main]
        toolchain.call([*reference, "-o", folder / "reference.o"])
        toolchain.call(["g++", folder / "reference.o", "-pthread", "-o", folder / "reference"])
        compare("reference", folder / "reference")
    except toolchain.Failed as wrong:
        return passed, failed + 1, [*lines, f"FAIL conversions: {str(wrong)[:2000]}"]
    return passed, failed, lines


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "write":
        pathlib.Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
        write(pathlib.Path(sys.argv[2]))
    elif len(sys.argv) == 3 and sys.argv[1] == "check":
        right, bad, messages = check(pathlib.Path(sys.argv[2]))
        print("\n".join([*messages, f"{right} passed, {bad} failed"]))
        sys.exit(bad != 0 or right == 0)
    else:
        sys.exit(__doc__)
