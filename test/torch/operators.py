#!/usr/bin/env python3
"""tile2cu.torch and tile2cu.library: types, checks, messages, the cache. Ends with "N passed, N failed".

operators.py            on the CPU
operators.py FOLDER     on a GPU, with files that were transpiled elsewhere (on_gpu.sh writes them): what differs there
"""

import os
import re
import subprocess
import sys
import tempfile
import time

import torch
import torch.utils.cpp_extension  # it may warn that there is no GPU

import tile2cu
import tile2cu.library
import tile2cu.torch

HERE = os.path.dirname(os.path.abspath(__file__))
work = tempfile.mkdtemp()
os.environ["TILE2CU_TORCH_CACHE"] = os.path.join(work, "cache")
passed = failed = 0


def check(what, good):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}")


def refused(what, pattern, call, *arguments, error=RuntimeError):
    try:
        call(*arguments)
    except error as problem:
        check(f"{what}: {problem}", re.search(pattern, str(problem)) is not None)
    else:
        check(f"{what} is refused", False)


def every_type(kernels):
    types = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64".split()
    for name in types:
        dtype = getattr(torch, name)
        short = "bf16" if name == "bfloat16" else re.sub(r"^([a-z])[a-z]*", r"\1", name)
        add = getattr(kernels, f"add_{short}")
        for n in 0, 1, 63, 64, 65:
            x = torch.arange(n + 1).to(dtype)
            add(x, 3, n)
            check(f"add {name} {n}", x.tolist() == [i + 3 if i < n else i for i in range(n + 1)])
        other = torch.zeros(4, dtype=torch.complex64 if name == "int64" else torch.int64)
        refused(f"{name} of another type", f"add_{short}: parameter 'x' takes torch.{name}, not", add, other, 1, 4)
        refused(f"{name} of a device that is none", f"add_{short}", add, x.to("meta"), "1", 4)
        if dtype.is_floating_point:
            continue
        info = torch.iinfo(dtype)
        x = torch.zeros(1, dtype=dtype)
        if info.bits < 64:
            for value in info.min, info.max:
                x.zero_()
                add(x, value, 1)
                check(f"{name} {value}", x.item() == value)
            refused(f"{name} above", f"'value' takes an integer of {info.bits} bits", add, x, info.max + 1, 1)
            refused(f"{name} below", f"'value' takes an integer of {info.bits} bits", add, x, info.min - 1, 1)
    refused(
        "uint64 below", "without a sign, and -1 is none", kernels.add_u64, torch.zeros(1, dtype=torch.uint64), -1, 1
    )

    values = torch.tensor([-2, -0.5, 0, 1, 1.5])
    out, seen = torch.empty(5), torch.empty(5, dtype=torch.bool)
    for short, dtype in ("e4m3", torch.float8_e4m3fn), ("e5m2", torch.float8_e5m2), ("bool", torch.bool):
        x = values.to(dtype)
        getattr(kernels, "widen_" + short)(x, out, seen, True, 5)
        check(f"widen {dtype}", torch.equal(out, 2 * x.float()) and torch.equal(seen, x.float() != 0))
        getattr(kernels, "widen_" + short)(x, out, None, False, 5)
        check(f"widen {dtype}, nothing seen", torch.equal(out, x.float()))
    kernels.widen_bool(values != 0, out, torch.empty(0, dtype=torch.bool), False, 5)
    check("an empty tensor is a null pointer", out.tolist() == [1, 1, 0, 1, 1])
    refused(
        "None for what is not asked",
        "widen_bool: parameter 'in' takes a tensor, not None",
        kernels.widen_bool,
        None,
        out,
        seen,
        True,
        5,
    )

    def ones(x, seen):
        out = torch.empty_like(x, dtype=torch.float32)
        kernels.widen_bool(x, out, seen, False, x.shape[0])
        return out, None if seen is None else ~seen

    compiled = torch.compile(ones, fullgraph=True, dynamic=True)
    for n in 3, 40, 100:
        x = torch.arange(n) % 3 > 0
        check(f"compiled {n}, None", torch.equal(compiled(x, None)[0], x.float()))
        check(f"compiled {n}", torch.equal(compiled(x, torch.empty(n, dtype=torch.bool))[1], ~x))
    refused(
        "another type of the stable ABI",
        "'in' takes torch.float8_e4m3fn, not torch.float8_e5m2",
        kernels.widen_e4m3,
        values.to(torch.float8_e5m2),
        out,
        seen,
        True,
        5,
    )

    out = torch.zeros(6)
    kernels.fill_line_all(out, 10, 0.5, 2, 3)
    check("a struct", out.tolist() == [10, 10.5, 11, 11.5, 12, 12.5])
    check(
        "a struct's schema",
        str(kernels.fill_line_all._schema).endswith(
            "(Tensor(a!) line_out, SymInt line_range_first, float line_range_step, SymInt line_sizes_0, SymInt line_sizes_1) -> ()"
        ),
    )
    out = torch.zeros(6, dtype=torch.int32)
    kernels.number_all(out, 3, 2, 1)
    check("a grid of the caller", out.tolist() == [0, 1, 2, 10, 11, 12])
    for name, value in ("first", 1), ("second", 2):
        getattr(kernels, name + "_set_one")(out)
        check(f"the namespace {name}", out[0].item() == value)
    rows = [torch.randn(40) for _ in range(3)]
    out = torch.zeros(40)
    kernels.add_rows_f32(torch.tensor([row.data_ptr() for row in rows]), out, 3, 40)
    check("a table of addresses", torch.allclose(out, sum(rows)))
    refused("no such launcher", "has no launcher 'add'; it has add_i8", lambda: kernels.add, error=AttributeError)
    for name in "add_i32", "widen_bool", "fill_line_all":
        arguments = {
            "add_i32": (torch.zeros(9, dtype=torch.int32), 1, 9),
            "widen_bool": (values != 0, torch.empty(5), None, True, 5),
            "fill_line_all": (torch.zeros(6), 1, 0.5, 2, 3),
        }[name]
        tests = ("test_schema", "test_autograd_registration", "test_faketensor")
        torch.library.opcheck(getattr(kernels, name), arguments, test_utils=tests)
        check(f"opcheck {name}", True)


SOURCE = """\
#include <tile2cu/tile.h>
#include "factor.h"
using namespace tl;
__tile_global__ void scale(const float* __restrict__ x, float* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 32)) * 32 + arange<32>();
  store(out + i, load(x + i, i < n) * factor, i < n);
}
inline constexpr auto scale_f32 = instantiate(scale);
"""


def the_cache():
    source = os.path.join(work, "scale.tile.cpp")

    def write(name, text):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(text)

    def timed(**options):
        """The module, and what load has said on standard error."""
        with tempfile.TemporaryFile("w+") as log:
            stderr, sys.stderr = sys.stderr, log
            try:
                kernels = tile2cu.torch.load(source, device="cpu", **options)
            finally:
                sys.stderr = stderr
            log.seek(0)
            return kernels, log.read()

    def result(kernels, x=torch.ones(3)):
        out = torch.zeros(3)
        kernels.scale_f32(x, out, 3)
        return out.tolist()

    write("scale.tile.cpp", SOURCE)
    write("factor.h", "constexpr float factor = 2;\n")
    first, said = timed()
    check(
        f"one line of progress: {said}",
        re.fullmatch(r"tile2cu: scale.tile.cpp: transpiling; compiling for the CPU \(\d+\.\d s\)\n", said),
    )
    check("the first source", result(first) == [2, 2, 2])
    again, said = timed()
    check(f"nothing is made again: {said}", said == "" and again.path == first.path)
    write("factor.h", "constexpr float factor = 3;\n")
    second, said = timed()
    check("an edit of a header", result(second) == [3, 3, 3] and result(first) == [2, 2, 2] and "compiling" in said)
    check("the name of the second", second.__name__.startswith("scale_") and first.__name__ == "scale")
    named, _ = timed(name="other")
    check("a given name", named.__name__ == "other" and result(named) == [3, 3, 3])
    strided = torch.ones(6)[::2]
    check("a stride is no error", len(result(second, strided)) == 3)
    strict, _ = timed(contiguous=True)
    refused("contiguous=True", "scale_f32: parameter 'x' takes a contiguous tensor", result, strict, strided)

    # Four processes at once, in an empty cache.
    program = (
        f"import torch, tile2cu.torch; k = tile2cu.torch.load({source!r}, device='cpu'); out = torch.zeros(3); "
        "k.scale_f32(torch.ones(3), out, 3); assert out.tolist() == [3, 3, 3]"
    )
    environment = {**os.environ, "TILE2CU_TORCH_CACHE": os.path.join(work, "empty")}
    command = [sys.executable, "-c", program]
    running = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(4)]
    check("four processes", [process.wait() for process in running] == [0, 0, 0, 0])

    # What was transpiled elsewhere.
    subprocess.run([tile2cu.program(), "scale.tile.cpp", "--torch"], cwd=work, check=True)
    carried = tile2cu.torch.load(os.path.join(work, "scale_torch.cpp"), device="cpu", name="carried")
    check("a transpiled file", result(carried) == [3, 3, 3])

    write("scale.tile.cpp", SOURCE.replace("factor, i", "factory, i"))
    refused(
        "an error of the source",
        r"scale.tile.cpp:6:\d+: error: use of undeclared identifier 'factory'",
        tile2cu.torch.load,
        source,
    )
    refused("no source", "there is no tile source", tile2cu.torch.load, "none.tile.cpp", error=FileNotFoundError)
    refused(
        "another device", "it has cuda and cpu", lambda: tile2cu.torch.load(source, device="meta"), error=ValueError
    )


def the_library():
    """A shared library with the reference in place of launchers, as no GPU is asked for."""
    source, header = os.path.join(HERE, "every_type.tile.cpp"), os.path.join(work, "every.h")
    text = re.sub(r"namespace first.*?namespace second\n", "", open(source, encoding="utf-8").read(), flags=re.S)
    text = re.sub(r"// One name in two.*?}  // namespace second\n", "", text, flags=re.S)
    plain = os.path.join(work, "every.tile.cpp")
    with open(plain, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(
        [tile2cu.program(), plain, "-o", os.path.join(work, "every.cu"), f"--header={header}", "--extern-c"], check=True
    )
    names = {
        "__half": "float16",
        "__nv_bfloat16": "bfloat16",
        "__nv_fp8_e4m3": "float8_e4m3",
        "__nv_fp8_e5m2": "float8_e5m2",
    }
    declarations = open(header, encoding="utf-8").read()
    functions, renames = "", ""
    for name, parameters in re.findall(r'extern "C" cudaError_t (\w+)\(([^)]*)\);', declarations):
        if "dim3" in parameters or "Line" in parameters:
            continue
        for cuda, ours in names.items():
            parameters = parameters.replace(cuda, ours)
        arguments = [f"p{i}" for i in range(parameters.count(","))]
        types = [re.sub(r"\w+$", "", one.split("=")[0].strip()) for one in parameters.split(",")]
        all_of_it = ", ".join(f"{t} {a}" for t, a in zip(types, [*arguments, "stream"]))
        renames += f"#define {name} reference_of_{name}\n"
        functions += f"#undef {name}\nextern \"C\" int {name}({all_of_it}) {{ return call(reference_of_{name}, {', '.join(arguments)}); }}\n"
    program = os.path.join(work, "every.cpp")
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"""#define TILE2CU_CUDA_NAMES
{renames}#include "every.tile.cpp"
struct any_pointer {{ const void* p; template <class T> operator T*() const {{ return (T*)p; }} }};
template <class T> T pass(T value) {{ return value; }}
template <class T> any_pointer pass(T* value) {{ return {{value}}; }}
template <class L, class... A> int call(const L& launcher, A... arguments) {{ return launcher(pass(arguments)...); }}
{functions}""")
    library = os.path.join(work, "libevery.so")
    subprocess.run(
        [
            "g++",
            "-std=c++23",
            "-O1",
            "-fPIC",
            "-shared",
            f"-I{tile2cu.include_dir()}",
            f"-I{work}",
            program,
            "-pthread",
            "-o",
            library,
        ],
        check=True,
    )
    kernels = tile2cu.library.load(library, header, device="cpu")
    check(f"the launchers: {kernels}", len(kernels.functions) == 16)
    for short, dtype in (
        ("i8", torch.int8),
        ("u8", torch.uint8),
        ("i16", torch.int16),
        ("i32", torch.int32),
        ("i64", torch.int64),
        ("f32", torch.float32),
        ("f64", torch.float64),
    ):
        x = torch.arange(5).to(dtype)
        kernels.functions[f"add_{short}"](x, 3, 4)
        check(f"add_{short} by ctypes", x.tolist() == [3, 4, 5, 6, 4])
    x = torch.zeros(4)
    view = x[2:]
    kernels.add_f32(view, 1.5, 1)
    check("the offset of a view", x.tolist() == [0, 0, 1.5, 0])
    out = torch.zeros(5)
    bits = torch.tensor([True, False, True, False, True])
    kernels.widen_bool(bits, out, None, True, 5)
    check("bool, and a null pointer", out.tolist() == [2, 0, 2, 0, 2])
    refused(
        "another type by ctypes",
        "add_f32: parameter 'x' takes elements of type float32, not float64",
        kernels.add_f32,
        x.double(),
        1,
        1,
        error=TypeError,
    )
    refused("a list", "'x' takes an array with __dlpack__, not list", kernels.add_f32, [1.0], 1, 1, error=TypeError)
    refused(
        "an integer out of range",
        "'value' takes an integer of 8 bits, and 128 is none",
        kernels.add_i8,
        torch.zeros(1, dtype=torch.int8),
        128,
        1,
        error=ValueError,
    )
    refused("a float for an integer", "'n' takes an integer, not float", kernels.add_f32, x, 1, 1.0, error=TypeError)
    refused(
        "too few",
        r"takes 3 arguments, not 1: add_f32\(float\* x, float value, int n\)",
        kernels.add_f32,
        x,
        error=TypeError,
    )
    refused(
        "a scalar of CUDA's",
        "'value' is a __half, which ctypes does not pass",
        kernels.add_f16,
        x.half(),
        1,
        1,
        error=TypeError,
    )
    refused(
        "a CPU tensor for CUDA",
        "'x' takes an array of a CUDA device",
        tile2cu.library.load(library, header).add_f32,
        x,
        1,
        1,
        error=ValueError,
    )
    refused("no C names", "was it written with --extern-c", tile2cu.library.load, library, os.devnull, error=ValueError)


def the_gpu(folder, kernels):
    check("the device", kernels.device == "cuda")
    x = torch.zeros(1000)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        y = x + 1
        kernels.add_f32(y, 1.0, 1000)
        total = y.sum()
    stream.synchronize()
    check("the current stream", total.item() == 2000)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kernels.add_f32(x, 1.0, 1000)
    check("nothing runs while a graph is captured", x.sum().item() == 0)
    graph.replay()
    graph.replay()
    check("a graph", x.sum().item() == 2000)
    refused("a tensor of the CPU", "'x' takes a tensor of a CUDA device", kernels.add_f32, x.cpu(), 1.0, 1)
    seen = torch.zeros(5, dtype=torch.bool, device="cpu")
    refused(
        "one tensor of the CPU",
        "'seen' takes a tensor of a CUDA device",
        kernels.widen_bool,
        torch.ones(5).bool(),
        torch.zeros(5),
        seen,
        True,
        5,
    )
    if torch.cuda.device_count() > 1:
        other = torch.zeros(1000, device="cuda:1")
        kernels.add_f32(other, 1.0, 1000)
        check("another device than the current one", other.sum().item() == 1000)
        refused(
            "two devices",
            "'out' is on device 1, and 'in' is on device 0",
            kernels.widen_bool,
            torch.ones(5).bool(),
            torch.zeros(5, device="cuda:1"),
            torch.zeros(5).bool(),
            True,
            5,
        )

    library = os.path.join(work, "libsoftmax.so")
    command = ["nvcc", "-O3", "-arch=native", "-shared", "-Xcompiler", "-fPIC", os.path.join(folder, "softmax_c.cu")]
    subprocess.run([*command, "-o", library], check=True)
    by_ctypes = tile2cu.library.load(library, os.path.join(folder, "softmax_c.h"))
    x, out = torch.randn(64, 781), torch.zeros(64, 781)
    by_ctypes.softmax_f32(x, out, 64, 781, 781)
    check("by ctypes", torch.allclose(out, x.softmax(1), atol=1e-6))
    out.zero_()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        y = x * 2
        by_ctypes.softmax_f32(y, out, 64, 781, 781)
    stream.synchronize()
    check("by ctypes on the current stream", torch.allclose(out, (x * 2).softmax(1), atol=1e-6))
    refused(
        "a CPU tensor by ctypes",
        "'in' takes an array of a CUDA device",
        by_ctypes.softmax_f32,
        x.cpu(),
        out,
        1,
        1,
        1,
        error=ValueError,
    )

    operators = tile2cu.torch.load(os.path.join(folder, "softmax_torch.cpp"))
    for what, call in (
        ("operator", lambda: operators.softmax_f32(x, out, 64, 781, 781)),
        ("ctypes", lambda: by_ctypes.softmax_f32(x, out, 64, 781, 781)),
        ("torch.softmax", lambda: x.softmax(1)),
    ):
        for count in 100, 2000:
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(count):
                call()
            each = (time.perf_counter() - start) / count
        print(f"{what}: {each * 1e6:.1f} us on the host for a call")


if len(sys.argv) > 1:
    folder = sys.argv[1]
    kernels = tile2cu.torch.load(os.path.join(folder, "every_type_torch.cpp"))
    torch.set_default_device(kernels.device)
    every_type(kernels)
    the_gpu(folder, kernels)
else:
    every_type(tile2cu.torch.load(os.path.join(HERE, "every_type.tile.cpp"), device="cpu"))
    the_cache()
    the_library()
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed))
