#!/usr/bin/env python3
"""tile2cu.torch.load: paths, options, edits, and a cache that is deleted or written by others. Ends with "N passed, N failed".

The builds for CUDA need nvcc and a torch for CUDA, but no GPU: their operators are loaded and not called.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import torch
import torch.utils.cpp_extension  # it may warn that there is no GPU

import tile2cu.torch
from tile2cu._options import Options, prerequisites

work = os.path.realpath(tempfile.mkdtemp())
os.environ["TILE2CU_TORCH_CACHE"] = os.path.join(work, "cache")
compiler = os.environ.get("CXX", "c++")
has_nvcc = torch.version.cuda is not None and torch.utils.cpp_extension.CUDA_HOME is not None
passed = failed = 0

SOURCE = """\
#include <tile2cu/tile.h>
#include HEADER
using namespace tl;
__tile_global__ void scale(const float* __restrict__ x, float* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 32)) * 32 + arange<32>();
  store(out + i, load(x + i, i < n) * FACTOR, i < n);
}
inline constexpr auto scale_f32 = instantiate(scale);
"""


def check(what, good):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}")


def refused(what, pattern, call, error=RuntimeError):
    try:
        call()
    except error as problem:
        check(f"{what}: {problem}", re.search(pattern, str(problem)) is not None)
    else:
        check(f"{what} is refused", False)


def path(*names):
    return os.path.join(work, *names)


def write(name, text):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return path(name)


def source(name, header='"factor.h"', factor="factor"):
    return write(name, SOURCE.replace("HEADER", header).replace("FACTOR", factor))


def factor(name, value):
    return write(name, f"#pragma once\nconstexpr float factor = {value};\n")


def load(file, device="cpu", **options):
    return tile2cu.torch.load(path(file), device=device, **options)


def result(kernels):
    """The factor."""
    out = torch.zeros(1)
    kernels.scale_f32(torch.ones(1), out, 1)
    return out.item()


@contextlib.contextmanager
def with_compiler(script):
    """$CXX is a script that runs these lines, and then the compiler."""
    program = write("compiler", f'#!/bin/sh\n{script}\nexec {compiler} "$@"\n')
    os.chmod(program, 0o755)
    os.environ["CXX"] = program
    try:
        yield
    finally:
        os.environ["CXX"] = compiler


def the_options():
    write("words", f"-DA=1 -D 'B=\"x y\"' -DC=a\\ b @{path('more')}\n")
    write("more", "-U A \"-DD='1'\"")
    options = Options(
        ["--math", "precise", "@" + path("words"), "-std=c++20", "-I", "/i", "-isystem=/s", "--", "-iquote", "/q"]
    )
    check(
        f"macros: {options.macros}",
        options.macros == ["#define A 1", '#define B "x y"', "#define C a b", "#undef A", "#define D '1'"],
    )
    check("folders", options.folder_flags() == ["-I", "/i", "-isystem", "/s", "-iquote", "/q"])
    check("the language", options.standard == "c++20")
    check("other words", options.words[:2] == ["--math", "precise"] and options.words[-3:] == ["--", "-iquote", "/q"])
    check("a response file that is none", Options(["@none"]).words == ["@none"])
    check("a value is missing", Options(["-I"]).words == ["-I"])
    names = prerequisites("rule: a\\ b.h \\\n  c\\#d$$(e).h /x:y\n")
    check(f"a rule: {names}", names == ["a b.h", "c#d$(e).h", "/x:y"])


def includes():
    """Relative folders, in two current directories, and each option that names files."""
    source("includes.tile.cpp", "<factor.h>", "factor * more * TIMES")
    for folder, value in ("one", 2), ("two", 3):
        factor(f"{folder}/include/factor.h", value)
        write(f"{folder}/system/more.h", f"#pragma once\n#include <other.h>\nconstexpr float more = {value};\n")
        write(f"{folder}/system/other.h", "")
        write(f"{folder}/flags", "-I include -isystem system -include more.h")
    loaded = []
    for folder, value in ("one", 2), ("two", 3), ("one", 2):
        os.chdir(path(folder))
        loaded.append(load("includes.tile.cpp", options=["@flags", "-DTIMES=10"]))
        check(f"{folder}: relative folders", result(loaded[-1]) == 10 * value * value)
    check("the first again", loaded[0].path == loaded[2].path != loaded[1].path)
    os.chdir(path("one"))
    one = load(
        "includes.tile.cpp", options=["-Iinclude", "-isystem", "system", "-include", "system/more.h", "-D", "TIMES=1"]
    )
    check("other forms of the options", result(one) == 4)
    write("one/system/more.h", "#pragma once\n#include <other.h>\nconstexpr float more = five;\n")
    write("one/system/other.h", "#pragma once\nconstexpr float five = 5;\n")
    check("an edit of system headers", result(load("includes.tile.cpp", options=["@flags", "-DTIMES=1"])) == 10)
    os.chdir(work)


def odd_paths():
    """Folders with spaces, and with what a shell and ninja would replace."""
    odd = "a b $(touch hit) $x 'c' #d"
    os.chdir(os.path.dirname(write(f"{odd}/here", "")))
    source(f"{odd}/odd.tile.cpp", "<factor.h>")
    factor(f"{odd}/in $(touch hit)/factor.h", 7)
    options = {"options": ["-Iin $(touch hit)", '-DTEXT="$(touch hit) \' "'], "cache": path(odd, "cache")}
    check("an odd path", result(load(f"{odd}/odd.tile.cpp", **options)) == 7)
    factor(f"{odd}/in $(touch hit)/factor.h", 8)
    check("an edit there", result(load(f"{odd}/odd.tile.cpp", **options)) == 8)
    if has_nvcc:
        write(f"{odd}/in $(touch hit)/factor.h", "#pragma once\n__device__ inline float times(float x) { return x; }\n")
        source(f"{odd}/odd.tile.cpp", "<factor.h>", "times(2.0f)")
        check("an odd path for nvcc", load(f"{odd}/odd.tile.cpp", "cuda", **options).device == "cuda")
    check("no shell has run", not any("hit" in files for _, _, files in os.walk(work)))
    os.chdir(work)
    for name in "a-b", "", "1a", "a.b", "a b", "$(touch hit)", "é":
        refused(f"the name {name}", "is no identifier", lambda: load("includes.tile.cpp", name=name), ValueError)
    factor("factor.h", 2)
    source("3-d é.tile.cpp")
    numbered = load("3-d é.tile.cpp")
    check(f"a name from an odd file name: {numbered}", numbered.__name__ == "_3_d__" and result(numbered) == 2)


def failures():
    """A build that fails leaves nothing behind."""
    factor("factor.h", 2)
    source("retry.tile.cpp")
    with with_compiler("echo no space left >&2; exit 1"):
        refused("a compiler that fails", "(?s)cannot be compiled:.*no space left", lambda: load("retry.tile.cpp"))
    os.environ["CXX"] = path("none")
    refused("no compiler", "cannot run the compiler .*none: No such file", lambda: load("retry.tile.cpp"))
    os.environ["CXX"] = compiler
    again = load("retry.tile.cpp")
    check("again, in the same process", result(again) == 2 and again.__name__ == "retry")
    write("file", "")
    refused(
        "a cache that cannot be written",
        "cannot write to the cache",
        lambda: load("retry.tile.cpp", cache=path("file/c")),
    )
    check("nothing is left", not [name for name in os.listdir(path("cache")) if name.startswith("new-")])

    # A process that is killed while it compiles.
    program = (
        f"import tile2cu.torch; tile2cu.torch.load({path('retry.tile.cpp')!r}, device='cpu', cache={path('killed')!r})"
    )
    with with_compiler(f'case "$*" in *" -c "*) touch {work}/started; exec sleep 1000;; esac'):
        running = subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, "TMPDIR": work},
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while running.poll() is None and not os.path.exists(path("started")):
            time.sleep(0.05)
        check("it compiles", running.poll() is None)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    check("after a killed build", result(load("retry.tile.cpp", cache=path("killed"))) == 2)


def deleted():
    factor("factor.h", 2)
    source("deleted.tile.cpp")
    first = load("deleted.tile.cpp")
    shutil.rmtree(path("cache"))
    second = load("deleted.tile.cpp")
    check("a deleted cache", result(second) == 2 and second.path == first.path and os.path.exists(second.path))
    other = load("deleted.tile.cpp", cache=path("other"))
    check("another cache", result(other) == 2 and other.path.startswith(path("other")) and os.path.exists(other.path))
    os.remove(other.path)
    for folder, _, files in os.walk(path("other")):
        for name in files:
            if name.endswith(".cu"):
                os.remove(os.path.join(folder, name))
    other = load("deleted.tile.cpp", cache=path("other"))
    check("single files", result(other) == 2 and os.path.exists(other.path))
    for name in os.listdir(path("other")):
        if name.endswith(".json"):
            write("other/" + name, "[1")
    check("a list that is cut off", result(load("deleted.tile.cpp", cache=path("other"))) == 2)
    factor("factor.h", 3)
    with with_compiler(
        f'case "$*" in *" -c "*) [ -e {work}/once ] || {{ touch {work}/once; rm -rf {work}/other; }};; esac'
    ):
        check("while it compiles", result(load("deleted.tile.cpp", cache=path("other"))) == 3)
    check("that has happened", os.path.exists(path("once")))


def edits():
    factor("factor.h", 2)
    source("edits.tile.cpp")
    new = path("new_factor.h")
    factor("new_factor.h", 4)
    with with_compiler(f'case "$*" in *" -c "*) [ -e {new} ] && mv {new} {work}/factor.h;; esac'):
        kernels = load("edits.tile.cpp")
    check("an edit while it compiles", result(kernels) == 4 and result(load("edits.tile.cpp")) == 4)
    factor("factor.h", 2)
    check("back", result(load("edits.tile.cpp")) == 2)
    old, other = path("edits.tile.cpp"), source("new.tile.cpp")
    with open(other, "a", encoding="utf-8") as file:
        file.write("inline constexpr auto second = instantiate(scale);\n")
    with with_compiler(f'case "$*" in *" -c "*) [ -e {other} ] && mv {other} {old};; esac'):
        kernels = load("edits.tile.cpp", name="renewed")
    check(f"an edit after tile2cu ran: {kernels}", kernels.__all__ == ("scale_f32", "second") and result(kernels) == 2)

    subprocess.run([tile2cu.program(), "edits.tile.cpp", "--torch"], cwd=work, check=True)
    check("a transpiled file", result(load("edits_torch.cpp")) == 2)
    factor("factor.h", 6)
    check("an edit of its header", result(load("edits_torch.cpp")) == 6)
    os.remove(path("edits.tile.cpp"))
    refused("without its source", "need edits.tile.cpp next to", lambda: load("edits_torch.cpp"), FileNotFoundError)
    if not has_nvcc:
        return

    # A header with a __device__ function, which the CUDA file includes.
    header = '#pragma once\n#include "../part.h"\n__device__ inline float times(float x) { return x * part * MANY; }\n'
    write("cuda/sub/times.h", header)
    write("cuda/part.h", "#pragma once\nconstexpr float part = 1;\n")
    source("cuda/device.tile.cpp", '"sub/times.h"', "times(2.0f)")
    first = load("cuda/device.tile.cpp", "cuda", options=["-DMANY=2"])
    check("the same", load("cuda/device.tile.cpp", "cuda", options=["-DMANY=2"]).path == first.path)
    write("cuda/part.h", "#pragma once\nconstexpr float part = 2;\n")
    second = load("cuda/device.tile.cpp", "cuda", options=["-DMANY=2"])
    check("an edit of a header for nvcc", second.path != first.path and second.__name__ != first.__name__)
    subprocess.run([tile2cu.program(), "device.tile.cpp", "--torch", "-DMANY=2"], cwd=path("cuda"), check=True)
    third = load("cuda/device_torch.cpp", "cuda", options=["-DMANY=2"])
    write("cuda/part.h", "#pragma once\nconstexpr float part = 3;\n")
    fourth = load("cuda/device_torch.cpp", "cuda", options=["-DMANY=2"])
    check("an edit of a header of a transpiled file", third.path != fourth.path)


def together():
    """Threads, with sources of the same name and with the same source."""
    for folder, value in ("left", 2), ("right", 3):
        factor(f"{folder}/factor.h", value)
        source(f"{folder}/same.tile.cpp")
    results = {}

    def run(number, folder):
        results[number] = load(f"{folder}/same.tile.cpp")

    threads = [threading.Thread(target=run, args=(i, ("left", "right")[i % 2])) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("threads", [result(results[i]) for i in range(4)] == [2, 3, 2, 3])
    check("one has the name", "same" in {results[i].__name__ for i in range(2)})
    check("the same source", results[0].path == results[2].path and results[1].path == results[3].path)


for test in the_options, includes, odd_paths, failures, deleted, edits, together:
    start = time.monotonic()
    try:
        test()
    except Exception as problem:
        check(f"{test.__name__}: {type(problem).__name__}: {problem}", False)
    if "--times" in sys.argv:
        print(f"{test.__name__}: {time.monotonic() - start:.1f} s")
    os.chdir(work)
shutil.rmtree(work)
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed))
