#!/usr/bin/env python3
"""Checks that tile2cu with its precompiled tile.h does what it does without: precompiled.py --tile2cu PROGRAM --runtime
DIR --work DIR ROOT. Ends with "N passed, N failed"."""
import argparse
import concurrent.futures
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys

WITHOUT = "--no-precompiled-header"
KERNEL = """using namespace tl;
#ifndef FACTOR
#define FACTOR 2.0f
#endif
__tile_global__ void scale(const float* in, float* out, int n) {
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  store(out + i, load(in + i, i < n) * FACTOR, i < n);
}
template <int N>
__tile_global__ void extra(float* out) {
  store(out + grid(1) + arange<N>(), 1.0f);
}
"""
SOURCE = "#include <tile2cu/tile.h>\n" + KERNEL
failures = []
passed = 0


def check(what, good, details=""):
    global passed
    if good:
        passed += 1
    else:
        failures.append(what)
        print(f"FAILED: {what}\n{details}")


class Program:
    """tile2cu as installed: in a folder with bin, include and lib."""

    def __init__(self, program, runtime, folder):
        self.prefix = os.path.join(folder, "prefix")
        for name in ("bin", "lib/tile2cu", "include"):
            os.makedirs(os.path.join(self.prefix, name))
        self.program = os.path.join(self.prefix, "bin/tile2cu")
        try:
            os.link(program, self.program)
        except OSError:
            shutil.copy2(program, self.program)
        self.headers = os.path.join(self.prefix, "include/tile2cu")
        shutil.copytree(os.path.join(runtime, "tile2cu"), self.headers)
        built = glob.glob(os.path.join(os.path.dirname(program), "../lib*/**/tile2cu/tile.h.pch"), recursive=True)
        self.library = os.path.dirname(os.path.realpath(built[0]))
        self.prefix_library = os.path.join(self.prefix, os.path.relpath(self.library, os.path.join(
            os.path.dirname(program), "..")), "tile.h.pch")
        os.makedirs(os.path.dirname(self.prefix_library), exist_ok=True)
        self.restore()

    def restore(self):
        shutil.copy2(os.path.join(self.library, "tile.h.pch"), self.prefix_library)

    def run(self, source, flags=(), text=None):
        folder = os.path.dirname(source) or os.path.dirname(self.prefix)
        rule = os.path.join(os.path.dirname(self.prefix), f"{os.getpid()}.d")
        command = [self.program, source, "-o", "-", "-MD", "-MF", rule, "-MP", *flags]
        done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True)
        files = ""
        if os.path.exists(rule):
            files = open(rule).read()
            os.remove(rule)
        return done.returncode, done.stdout, done.stderr, files

    def uses(self, source, flags=(), text=None):
        done = subprocess.run([self.program, source, "-o", "-", "--time-passes", *flags], input=text,
                              cwd=os.path.dirname(self.prefix), capture_output=True, text=True)
        if done.returncode:
            return None
        return "tile.h precompiled" in done.stderr

    def compare(self, what, source, flags=(), text=None):
        """The result, checked to be the same without the file."""
        flags = list(flags)
        with_it, without = (self.run(source, how, text=text) for how in (flags, [WITHOUT, *flags]))
        difference = [line for a, b in zip(map(str, without), map(str, with_it))
                      for line in difflib.unified_diff(a.splitlines(), b.splitlines(), "without", "with", lineterm="")]
        check(f"{what}: same result", with_it == without, "\n".join(difference))
        return with_it


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)
    return path


def same_for_sources(tile2cu, root):
    sources = [path for folder in ("test/errors", "test/frontend", "test/cli", "examples")
               for path in sorted(glob.glob(os.path.join(root, folder, "**/*.cpp"), recursive=True))]
    used = 0
    for path in sources:
        flags = ["@flags"] if os.path.exists(os.path.join(os.path.dirname(path), "flags")) else []
        for more in (["-Rtile"], ["-Wall", "-Wextra", "-Werror"]):
            tile2cu.compare(f"{os.path.relpath(path, root)} {' '.join(more)}", path, flags + more)
        first = re.search(r"^\s*#.*", open(path).read(), re.M)
        used += first is not None and "tile2cu/tile.h" in first[0]
    check("sources that begin with tile.h", used >= 40, used)


def flags_and_sources(tile2cu, work):
    plain = write(f"{work}/plain.tile.cpp", SOURCE)
    write(f"{work}/include/other.h", "#pragma once\n#include <tile2cu/tile.h>\n#define FACTOR 3.0f\n")
    write(f"{work}/shadow/tile2cu/tile.h", "#include_next <tile2cu/tile.h>\n#define FACTOR 5.0f\n")
    write(f"{work}/stdint/stdint.h", "#include_next <stdint.h>\n")
    os.symlink(os.path.join(tile2cu.prefix, "include"), f"{work}/link")
    os.symlink(os.path.join(tile2cu.headers, "tile.h"), f"{work}/tile_link.h")
    runtime = os.path.join(tile2cu.prefix, "include")

    for used, flags in [
            (True, []), (True, ["-Wall", "-Wextra", "-Werror", "-Wno-unused-kernel"]), (True, ["-Rtile"]),
            (True, [f"-I{work}/include"]), (True, ["-isystem", f"{work}/include"]), (True, [f"-I{runtime}"]),
            (True, [f"-I{work}/link"]), (True, ["--instantiate", "extra<64>"]), (True, ["--arch=sm_75,sm_90a"]),
            (True, ["--math=precise"]), (True, ["--", f"-I{work}/include", "-Wall"]),
            (False, ["-DFACTOR=7.0f"]), (False, ["-D", "load=load"]), (False, ["-UFACTOR"]), (False, ["-std=c++20"]),
            (False, ["-std=gnu++23"]), (False, ["-include", f"{work}/include/other.h"]),
            (False, [f"-I{work}/shadow"]), (False, [f"-I{work}/stdint"]), (False, ["-isystem", f"{work}/link"]),
            (False, ["--", "-nostdinc++"]), (False, ["--", "-fno-exceptions"]), (False, ["-Wsystem-headers"]),
            (False, ["-Weverything"]), (False, [WITHOUT])]:
        what = " ".join(flags)
        tile2cu.compare(f"flags {what}", plain, flags)
        check(f"flags {what}: {'used' if used else 'not used'}", tile2cu.uses(plain, flags) is used)
    check("-D has its effect", "7.0f" in tile2cu.run(plain, ["-DFACTOR=7.0f"])[1])

    for what, used, text in [
            ("comments first", True, "// one\n\n/* #define load\n two */ " + SOURCE),
            ("a comment on the line", True, SOURCE.replace("tile.h>", "tile.h>  // the language")),
            ("spaces", True, SOURCE.replace("#include", "  #  include")),
            ("a byte order mark", True, "\ufeff" + SOURCE),
            ("Windows' ends of lines", True, SOURCE.replace("\n", "\r\n")),
            ("quotes", True, SOURCE.replace("<tile2cu/tile.h>", '"tile2cu/tile.h"')),
            ("twice", True, "#include <tile2cu/tile.h>\n" + SOURCE),
            ("through another header", True, "#include <tile2cu/tile.h>\n#include \"include/other.h\"\n" + KERNEL),
            ("another header first", False, "#include \"include/other.h\"\n" + SOURCE),
            ("by a link to the folder", True, SOURCE.replace("\n", "\n#include \"link/tile2cu/tile.h\"\n", 1)),
            ("by a link to the file", True, SOURCE.replace("\n", "\n#include \"tile_link.h\"\n", 1)),
            ("by an absolute path", True, SOURCE.replace("\n", f"\n#include \"{runtime}/tile2cu/../tile2cu/tile.h\"\n", 1)),
            ("a link only", False, SOURCE.replace("<tile2cu/tile.h>", '"link/tile2cu/tile.h"')),
            ("a macro first", False, "#define FACTOR 4.0f\n" + SOURCE),
            ("a declaration first", False, "struct S;\n" + SOURCE),
            ("a condition", False, "#if 1\n" + SOURCE + "#endif\n"),
            ("tokens on the line", False, SOURCE.replace("tile.h>", "tile.h> /* */")),
            ("an unfinished line", False, SOURCE.replace("tile.h>\n", "tile.h>\\\n\n"))]:
        path = write(f"{work}/source.tile.cpp", text)
        result = tile2cu.compare(what, path, ["-Rtile", "-Wall"])
        check(f"{what}: exit code", result[0] == 0, result[2])
        check(f"{what}: {'used' if used else 'not used'}", tile2cu.uses(path) is used)
        result = tile2cu.compare(f"{what}, standard input", "-", ["-Rtile"], text=text)

    own = write(f"{work}/own/source.tile.cpp", SOURCE.replace("<tile2cu/tile.h>", '"tile2cu/tile.h"'))
    write(f"{work}/own/tile2cu/tile.h", "#include <tile2cu/tile.h>\n#define FACTOR 6.0f\n")
    check("quotes find a header beside the source", "6.0f" in tile2cu.compare("own header", own)[1])

    for what, text in [
            ("an error in the language's header", "  auto t = arange<1000>();\n"),
            ("no such function", "  auto t = lod(out);\n"),
            ("a wrong call", "  store(out, out, out, out, out, out);\n"),
            ("a macro of the header", "  __tile_global__ int x;\n"),
            ("redefinitions", "}\nnamespace tl { struct options { int a; }; struct tile {}; \n"),
            ("ambiguity", "  auto t = cdiv(1, 2, 3) + max(arange<4>(), out);\n")]:
        path = write(f"{work}/wrong.tile.cpp", SOURCE + "__tile_global__ void wrong(float* out) {\n" + text + "}\n")
        result = tile2cu.compare(what, path, ["-Rtile", "-Wall"])


def files(tile2cu, work):
    plain = write(f"{work}/plain.tile.cpp", SOURCE)
    expected = tile2cu.run(plain, [WITHOUT])

    def falls_back(what):
        check(f"{what}: same result", tile2cu.run(plain) == expected)
        check(f"{what}: not used", tile2cu.uses(plain) is False)
        tile2cu.restore()
        check(f"after {what}: used", tile2cu.uses(plain) is True)

    path = tile2cu.prefix_library
    content = open(path, "rb").read()
    os.remove(path)
    falls_back("an absent file")
    os.remove(path)
    os.mkdir(path)
    check("a folder in its place", tile2cu.run(plain) == expected)
    os.rmdir(path)
    for size in (0, 1, 100, 2000, len(content) // 2, len(content) - 1):
        open(path, "wb").write(content[:size])
        falls_back(f"a file cut to {size} bytes")
    for place in (0, 50, 75, 200, 5000, len(content) // 2, len(content) - 5):
        changed = bytearray(content)
        changed[place] ^= 64
        open(path, "wb").write(changed)
        falls_back(f"a file changed at {place}")
    open(path, "wb").write(content + b"more")
    falls_back("a longer file")
    open(path, "wb").write(re.sub(rb"version \d+", b"version 18", content, count=1))
    falls_back("another version of Clang")

    header = os.path.join(tile2cu.headers, "tile/hints.h")
    text = open(header).read()
    os.utime(header, (1, 1))
    check("a header with another time", tile2cu.uses(plain) is True and tile2cu.run(plain) == expected)
    write(header, text.replace("// ", "//  ", 1))
    check("a header of another size", tile2cu.uses(plain) is False and tile2cu.run(plain) == expected)
    write(header, text.replace("// ", "/// "[:3], 1).replace("e", "a", 1))
    check("a header of other text", tile2cu.uses(plain) is False)
    write(header, text)
    check("a header as it was", tile2cu.uses(plain) is True)
    os.remove(header)
    check("a missing header is an error",
          tile2cu.run(plain)[0] == 1 and tile2cu.run(plain) == tile2cu.run(plain, [WITHOUT]))
    write(header, text)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: subprocess.run([tile2cu.program, plain, "-o", "-"], capture_output=True,
                                                         text=True).stdout, range(24)))
    check("24 runs at once", all(result == expected[1] for result in results))
    check("the file is never written", open(path, "rb").read() == content)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--tile2cu", "--runtime", "--work", "root"):
        parser.add_argument(name)
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    os.makedirs(args.work)
    tile2cu = Program(os.path.realpath(args.tile2cu), args.runtime, args.work)
    same_for_sources(tile2cu, args.root)
    flags_and_sources(tile2cu, args.work)
    files(tile2cu, args.work)
    print(f"{passed} passed, {len(failures)} failed")
    return bool(failures)


sys.exit(main())
