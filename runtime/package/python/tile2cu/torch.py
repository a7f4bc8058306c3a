"""Tile functions as operators of PyTorch.

    kernels = tile2cu.torch.load("softmax.tile.cpp")
    kernels.softmax_f32(x, out, rows, columns, x.stride(0))

Each launcher of the source is an operator. It takes a tensor for a pointer and a number of Python for a scalar, runs on the
current stream, changes the tensors of pointers that are not const, and returns nothing. torch.compile and torch.export
understand it. `operator` makes a function of launchers an operator with results and gradients.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

import torch

from . import include_dir, program

__all__ = ["Kernels", "Operator", "load", "operator"]

# torch's own flags forbid conversions that the emitted text uses.
_NVCC_FLAGS = (
    "-O3 -U__CUDA_NO_HALF_OPERATORS__ -U__CUDA_NO_HALF_CONVERSIONS__ -U__CUDA_NO_HALF2_OPERATORS__ "
    "-U__CUDA_NO_BFLOAT16_CONVERSIONS__"
).split()


class Kernels:
    """The launchers of one source: an attribute for each, of the name that it has there."""

    def __init__(self, library, device, names, path):
        self.__name__ = library
        self.device = device  # "cuda" or "cpu"
        self.path = path  # of the shared library
        for name in names:
            setattr(self, name, getattr(getattr(torch.ops, library), name).default)
        self.__all__ = tuple(names)

    def __getattr__(self, name):
        raise AttributeError(f"{self.__name__} has no launcher {name!r}; it has {', '.join(self.__all__)}")

    def __repr__(self):
        return f"<tile2cu.torch.Kernels {self.__name__} for {self.device}: {', '.join(self.__all__)}>"


class _Progress:
    """One line on standard error, which grows with each step."""

    def __init__(self, what):
        self.what, self.begun, self.start = what, False, time.monotonic()

    def step(self, text):
        sys.stderr.write(("; " if self.begun else f"tile2cu: {self.what}: ") + text)
        sys.stderr.flush()
        self.begun = True

    def end(self, text=""):
        if self.begun:
            sys.stderr.write(f"{text} ({time.monotonic() - self.start:.1f} s)\n")
            sys.stderr.flush()
            self.begun = False


def _digest(*parts):
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def _digest_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _cache_dir(cache):
    if cache is None:
        cache = os.environ.get("TILE2CU_TORCH_CACHE")
    if cache is None:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        cache = os.path.join(home, "tile2cu", "torch")
    return os.path.abspath(cache)


def _choose_device(device):
    from torch.utils import cpp_extension

    if device is None:
        return "cuda" if torch.cuda.is_available() and cpp_extension.CUDA_HOME else "cpu"
    device = torch.device(device).type
    if device not in ("cuda", "cpu"):
        raise ValueError(f"tile2cu has no operators for the device {device!r}; it has cuda and cpu")
    if device == "cuda" and not cpp_extension.CUDA_HOME:
        raise RuntimeError(
            "operators for CUDA need nvcc, and a torch that is built for CUDA; set CUDA_HOME if nvcc is not on PATH"
        )
    return device


def _choose_arch(arch):
    """The architectures as a list: those given, or the one of the current GPU."""
    if arch is not None:
        return arch.split(",") if isinstance(arch, str) else list(arch)
    if not torch.cuda.is_available():
        return ["sm_80"]
    major, minor = torch.cuda.get_device_capability()
    return ["sm_90a" if (major, minor) == (9, 0) else f"sm_{major}{minor}"]


def _dependencies(rule):
    """The files of a make rule."""
    text = _read(rule).replace("\\\n", " ").split(":", 1)[1]
    return [name.replace("\\ ", " ") for name in re.findall(r"(?:\\ |\S)+", text)]


def _transpile(source, arch, options, cache, progress):
    """The folder of the emitted files, and the files that they are made of."""
    tool = program()
    stat = os.stat(tool)
    key = _digest(source, arch, options, tool, stat.st_size, stat.st_mtime_ns)
    stem = os.path.basename(source).split(".")[0]
    folder = os.path.join(cache, f"{stem}-{key}")
    manifest = os.path.join(folder, "files.json")
    try:
        known = json.loads(_read(manifest))
        if all(_digest_of(name) == digest for name, digest in known.items()):
            return folder, stem, list(known)
    except (OSError, ValueError):
        pass
    progress.step("transpiling")
    os.makedirs(folder, exist_ok=True)
    output, rule = os.path.join(folder, stem + ".cu"), os.path.join(folder, stem + ".d")
    command = [tool, source, "-o", output, "--torch", "-MD", "-MF", rule, "--arch=" + ",".join(arch), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        progress.end(" failed")
        raise RuntimeError(f"tile2cu cannot transpile {source}:\n{done.stderr}")
    if done.stderr:
        progress.end()
        sys.stderr.write(done.stderr)
    files = sorted({os.path.abspath(name) for name in [source, *_dependencies(rule)]})
    new = f"{manifest}.{os.getpid()}"
    with open(new, "w", encoding="utf-8") as file:
        json.dump({name: _digest_of(name) for name in files}, file, indent=1)
    os.replace(new, manifest)
    return folder, stem, files


_libraries = {}  # the key of the build that has a name in torch.ops
_loaded = set()  # the paths of the libraries whose operators have meta kernels


def _build(folder, stem, files, flags, device, arch, name, cache, progress, verbose):
    """Compiles the emitted files of `folder`, unless that has been done; returns (library, path)."""
    from torch.utils import cpp_extension

    operators, cuda = os.path.join(folder, stem + "_torch.cpp"), os.path.join(folder, stem + ".cu")
    texts = [operators, cuda, os.path.join(folder, stem + ".h")] if device == "cuda" else [operators]
    contents = [_digest_of(path) for path in texts + (files if device == "cpu" else [])]
    key = _digest(contents, flags, device, arch if device == "cuda" else "", torch.__version__, sys.platform, name)
    library = name or re.sub(r"\W", "_", stem)
    if _libraries.setdefault(library, key) != key:
        library += "_" + key[:8]  # another source, or an older text of this one, has the name
        _libraries[library] = key
    build = os.path.join(cache, f"{library}-{device}-{key}")
    path = os.path.join(build, library + "_ops.so")
    if not os.path.exists(path + ".done"):  # while another process builds it, the library may be there in part
        os.makedirs(build, exist_ok=True)
        for text in texts:  # other processes may read what is there
            copy = os.path.join(build, os.path.basename(text))
            if not os.path.exists(copy):
                shutil.copy(text, f"{copy}.{os.getpid()}")
                os.replace(f"{copy}.{os.getpid()}", copy)
        defines = [f"-DTILE2CU_TORCH_LIBRARY={library}", "-DTILE2CU_TORCH_NO_META", *flags]
        common = {"build_directory": build, "is_python_module": False, "verbose": verbose}
        progress.step(f"compiling for {','.join(arch) if device == 'cuda' else 'the CPU'}")
        if device == "cuda":
            targets = [f"-gencode=arch=compute_{a[3:]},code=sm_{a[3:]}" for a in arch]
            sources = [os.path.join(build, os.path.basename(t)) for t in texts[:2]]
            cpp_extension.load(
                library + "_ops",
                sources,
                extra_cflags=["-O2", *defines],
                extra_cuda_cflags=_NVCC_FLAGS + targets,
                with_cuda=True,
                **common,
            )
        else:
            cpp_extension.load(
                library + "_ops",
                [os.path.join(build, stem + "_torch.cpp")],
                with_cuda=False,
                extra_cflags=["-O2", "-std=c++23", "-pthread", "-DTILE2CU_TORCH_CPU", *defines],
                **common,
            )
        open(path + ".done", "w", encoding="utf-8").close()
        progress.end()
    return library, path


def _register(library, path, names):
    torch.ops.load_library(path)
    if path in _loaded:
        return
    _loaded.add(path)
    for one in names:  # Those of the extension itself know no symbolic sizes.
        torch.library.register_fake(f"{library}::{one}", lambda *arguments, **keywords: None)


def load(source, *, device=None, arch=None, options=(), name=None, contiguous=False, cache=None, verbose=False):
    """Transpiles and compiles a tile source, and returns its launchers as a `Kernels`.

    source      "softmax.tile.cpp"; or "softmax_torch.cpp", which `tile2cu --torch` has written next to softmax.cu and
                softmax.h. The latter needs no tile2cu.
    device      "cuda", or "cpu" for the reference, which takes tensors of the CPU; by default "cuda" if there is a GPU and nvcc.
    arch        "sm_90a" or "sm_80,sm_90a"; by default that of the current GPU.
    options     further flags of tile2cu, such as "-Ifolder", "-DN=4" and "--math=precise".
    name        the operators are torch.ops.NAME; by default the first part of the file's name.
    contiguous  True: refuse tensors that are not contiguous. Otherwise a kernel gets the address of the first element, and
                strides are arguments as the source has them.
    cache       the folder of what is built, by default $TILE2CU_TORCH_CACHE, or tile2cu/torch in the user's cache.
    verbose     show the commands of the build.

    What was built is used again as long as the source, the files that it includes, the options, tile2cu and torch are the same.
    Raises RuntimeError, with the compiler's messages, if the source has an error; FileNotFoundError if there is no source.
    """
    source = os.path.abspath(os.fspath(source))
    if not os.path.exists(source):
        raise FileNotFoundError(f"there is no tile source {source}")
    device, cache = _choose_device(device), _cache_dir(cache)
    arch, options = _choose_arch(arch), list(options)
    progress = _Progress(os.path.basename(source))
    try:
        if source.endswith("_torch.cpp"):
            folder, stem = os.path.dirname(source), os.path.basename(source)[: -len("_torch.cpp")]
            files = [source]
            tile_source = re.search(r'#include "(.*)"\n#else', _read(source))[1]
            if device == "cpu":
                files.append(os.path.join(folder, tile_source))
                if not os.path.exists(files[-1]):
                    raise FileNotFoundError(f"operators for the CPU need {tile_source} next to {source}")
            near = folder
        else:
            folder, stem, files = _transpile(source, arch, options, cache, progress)
            near = os.path.dirname(source)
        flags = [f"-I{near}", f"-I{include_dir()}"] if device == "cpu" else []
        flags += [flag for flag in options if flag.startswith(("-I", "-D", "-U"))] if device == "cpu" else []
        flags += ["-DTILE2CU_TORCH_CONTIGUOUS"] if contiguous else []
        library, path = _build(folder, stem, files, flags, device, arch, name, cache, progress, verbose)
    finally:
        progress.end()
    names = re.findall(r'm\.def\(\s*"(\w+)\(', _read(os.path.join(folder, stem + "_torch.cpp")))
    _register(library, path, names)
    return Kernels(library, device, names, path)


class Operator:
    """An operator of torch with results and, by `backward`, gradients. It is called like the function that it is made of."""

    def __init__(self, name, function):
        self.op = torch.library.custom_op(name, function, mutates_args=())
        self.op.register_fake(function)
        self.__doc__, self.__name__ = function.__doc__, name

    def __call__(self, *arguments, **keywords):
        return self.op(*arguments, **keywords)

    def backward(self, function=None, *, save=None):
        """Registers the gradient: `function(saved, *gradients of the results)` returns one for each argument, or None.

        `saved` is what `save(arguments, result)` returns, a sequence; without `save` it is the arguments.
        """
        if function is None:
            return lambda given: self.backward(given, save=save)

        def setup(ctx, inputs, output):
            kept = inputs if save is None else tuple(save(inputs, output))
            ctx.save_for_backward(*[each for each in kept if isinstance(each, torch.Tensor)])
            ctx.rest = [None if isinstance(each, torch.Tensor) else (each,) for each in kept]

        def gradient(ctx, *gradients):
            tensors = iter(ctx.saved_tensors)
            return function(tuple(next(tensors) if each is None else each[0] for each in ctx.rest), *gradients)

        self.op.register_autograd(gradient, setup_context=setup)
        return function


def operator(name):
    """Makes an operator of torch of a function that allocates its results and calls launchers: a decorator.

        @tile2cu.torch.operator("example::softmax")
        def softmax(x: torch.Tensor) -> torch.Tensor:
            out = torch.empty_like(x)
            kernels.softmax_f32(x, out, x.shape[0], x.shape[1], x.stride(0))
            return out

    The annotations give the schema. The function changes no argument and returns none. It also says which shapes the results
    have: torch.compile and torch.export run it with tensors without data.
    """
    return lambda function: Operator(name, function)
