#!/usr/bin/env python3
"""Writes occupied_names.def: emit/cuda/occupied_names.py > emit/cuda/occupied_names.def (nvcc on the path).

All headers that an emitted file may include are preprocessed. Their macros are one list. Every other
identifier in them is declared as a launcher would be, as one with a C name, and as a namespace: nvcc's
errors say which names are taken.
"""

import os
import re
import subprocess
import tempfile

ARCHITECTURES = ("75", "90a")
HEADERS = (
    "cuda_runtime.h cuda_fp16.h cuda_bf16.h cuda_fp8.h cuda.h algorithm array atomic cassert chrono climits cmath cstddef "
    "cstdint cstdio cstdlib cstring filesystem fstream initializer_list limits mutex new sstream string type_traits vector"
)
HEAD = "".join(f"#include <{name}>\n" for name in HEADERS.split())
# Families that grow with each version of CUDA or of the compiler: occupied_names.cpp knows them by their prefix.
PREFIXES = re.compile(r"__|_[A-Z]|CU_|CUDA_|cuda[A-Z]|cu[A-Z]|CU[a-z]")
ALWAYS = {"main", "std", "tile2cu"}
KEYWORDS = set(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl "
    "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do "
    "double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace "
    "new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return "
    "short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef "
    "typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq".split()
)


def nvcc(text, *flags):
    """What nvcc writes for a file of this text, messages included."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "names.cu")
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run(["nvcc", *flags, path], capture_output=True, text=True)
    return done.stdout, done.stderr


def refused(names, declaration):
    """Those of the names that cannot be declared so."""
    head = HEAD + "struct probe;\nusing probe_error = cudaError_t;\n"
    lines = "".join(declaration.format(name=name, i=i) + "\n" for i, name in enumerate(names))
    out, messages = nvcc(
        head + lines, "-arch=sm_90a", "-cuda", "-o", "/dev/null", "-Xcudafe", "--error_limit=1000000"
    )
    numbers = (int(n) for n in re.findall(r"names\.cu\((\d+)\): error", out + messages))
    first = head.count("\n") + 1
    return {names[n - first] for n in numbers if 0 <= n - first < len(names)}


def show(kind, names):
    line = ""
    for name in sorted(names):
        item = f"{kind}({name})"
        if len(line) + len(item) + 1 > 100:
            print(line.rstrip())
            line = ""
        line += item + " "
    print(line.rstrip())


def main():
    macros, words = set(), set()
    for arch in ARCHITECTURES:
        text, _ = nvcc(HEAD, "-E", "-Xcompiler", "-dM", f"-arch=sm_{arch}")
        macros.update(re.findall(r"^#define (\w+)", text, re.M))
        text, _ = nvcc(HEAD, "-E", f"-arch=sm_{arch}")
        words.update(re.findall(r"[A-Za-z_]\w*", text))
    macros = {name for name in macros if not PREFIXES.match(name)}
    names = sorted(n for n in words - macros - KEYWORDS - ALWAYS if not PREFIXES.match(n))
    taken = refused(names, "probe_error {name}(probe*);")
    free = [name for name in names if name not in taken]
    # A function may have the name of a struct, which cannot be used by this name then.
    taken |= set(free) - refused(free, "namespace probe_{i} {{ ::{name}* p; }}")
    free = [name for name in free if name not in taken]
    functions = refused(free, 'extern "C" probe_error {name}(probe*);')
    free = [name for name in free if name not in functions]
    overloads = refused(free, "namespace {name} {{}}")
    print("// Names that an emitted file cannot use freely. Written by occupied_names.py; do not edit.")
    print("// Macros of the headers that emitted files include, and of nvcc.")
    show("MACRO", macros)
    print("// Types, variables, enumerators and namespaces of their global scope.")
    show("GLOBAL", taken | ALWAYS)
    print("// Functions of their global scope with C names.")
    show("C_FUNCTION", functions)
    print("// Other functions of their global scope, which may be overloaded.")
    show("OVERLOAD", overloads)


if __name__ == "__main__":
    main()
