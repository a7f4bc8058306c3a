"""Tile functions as operators of PyTorch.

    kernels = tile2cu.torch.load("softmax.tile.cpp")
    kernels.softmax_f32(x, out, rows, columns, x.stride(0))

Each launcher of the source is an operator. It takes a tensor for a pointer and a number of Python for a scalar, runs on the
current stream, changes the tensors of pointers that are not const, and returns nothing. torch.compile and torch.export
understand it. `operator` makes a function of launchers an operator with results and gradients.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import torch

from . import _cache, program
from ._compile import Library, tile_source
from ._options import Options, prerequisites, system_files

__all__ = ["Kernels", "Operator", "load", "operator"]


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

    def messages(self, text):
        """Messages of a program, on lines of their own."""
        if text:
            self.end()
            sys.stderr.write(text)

    def end(self, text=""):
        if self.begun:
            sys.stderr.write(f"{text} ({time.monotonic() - self.start:.1f} s)\n")
            sys.stderr.flush()
            self.begun = False


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
    if arch not in (None, "native"):
        return arch.split(",") if isinstance(arch, str) else list(arch)
    if not torch.cuda.is_available():
        return ["sm_80"]
    major, minor = torch.cuda.get_device_capability()
    return ["sm_90a" if (major, minor) == (9, 0) else f"sm_{major}{minor}"]


def _read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def _texts(folder, names):
    """The files of a folder of the cache. Raises Deleted if one has gone."""
    try:
        return {name: _read(os.path.join(folder, name)) for name in names}
    except FileNotFoundError as error:
        raise _cache.Deleted(folder) from error


def _identifier(text):
    """`text` as a name for C++ and Python."""
    name = re.sub(r"\W", "_", text, flags=re.A)
    return name if name and not name[0].isdigit() else "_" + name


def _transpile(source, arch, options, cache, progress):
    """The emitted files, as a dictionary of names and texts, and the files that they are made of, with their digests."""
    tool = program()
    stat = os.stat(tool)
    stem = _identifier(os.path.basename(source).split(".")[0])
    request = _cache.digest(source, arch, options.key(), tool, stat.st_size, stat.st_mtime_ns)
    listing = os.path.join(cache, f"{stem}-{request}.json")  # the files that tile2cu has read the last time
    emitted = [stem + ".cu", stem + ".h", stem + "_torch.cpp"]
    emitted += [stem + ".device.cuh"] if re.search(r"(?m)^--helpers[=\n]header$", "\n".join(options.words)) else []

    def find():
        """The digests of the files, the folder that belongs to these, and whether it is there."""
        inputs = _cache.digests(_cache.read_list(listing) or [source])
        folder = os.path.join(cache, f"{stem}-{_cache.digest(request, inputs)}")
        return inputs, folder, _cache.is_complete(folder, emitted)

    inputs, folder, is_there = find()
    if is_there:
        return _texts(folder, emitted), inputs
    with _cache.locked(listing + ".lock"):
        for attempt in range(_cache.ATTEMPTS):
            inputs, folder, is_there = find()
            if is_there:
                return _texts(folder, emitted), inputs
            if attempt == 0:
                progress.step("transpiling")
            with _cache.temporary(cache) as new:
                files, messages = _run_tile2cu(tool, source, arch, options, os.path.join(new, stem), progress)
                # A file that was not known before may have changed before its digest was taken.
                if _cache.digests(files) == inputs:
                    progress.messages(messages)
                    _cache.publish(new, folder, emitted)
                    return _texts(folder, emitted), inputs
                _cache.write_list(listing, files)
    raise RuntimeError(f"{source}, or a file that it includes, changes while it is transpiled")


def _run_tile2cu(tool, source, arch, options, stem, progress):
    """Writes the files `stem`.cu, ...; returns the absolute paths of the files that tile2cu has read, and its messages."""
    rule = stem + ".d"
    command = [tool, source, "-o", stem + ".cu", "--torch", "-MD", "-MF", rule, "-MT", "rule"]
    command += ["--arch=" + ",".join(arch), *options.words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="surrogateescape", check=False)
    if done.returncode != 0:
        progress.end(" failed")
        raise RuntimeError(f"tile2cu cannot transpile {source}:\n{done.stderr}")
    files = {os.path.abspath(name) for name in [source, *prerequisites(_read(rule)), *options.inputs]}
    return sorted(files.union(system_files(files, options.system_dirs))), done.stderr


_lock = threading.Lock()  # for what follows
_libraries = {}  # the libraries in torch.ops: their names, and the digests of what they are made of


def _choose_name(base, key):
    with _lock:
        # Another source, or an older text of this one, may have the name.
        return base if _libraries.get(base, key) == key else f"{base}_{key[:8]}"


def _build(made_of, files, base, cache, progress, verbose):
    """Compiles the Library `made_of`, unless that has been done. Returns (name in torch.ops, its key, path)."""
    request = _cache.digest(made_of.key(), base)
    listing = os.path.join(cache, f"{base}-{made_of.device}-{request}.json")  # the files that the compilers have read

    def find(files):
        """The digests of the files, and the place of the library that is made of them."""
        inputs = _cache.digests(files)
        key = _cache.digest(request, inputs)
        library = _choose_name(base, key)
        folder = os.path.join(cache, f"{library}-{made_of.device}-{key}")
        name = library + "_ops.so"
        return inputs, (library, key, os.path.join(folder, name)), folder, name, _cache.is_complete(folder, [name])

    known = _cache.read_list(listing)
    if known is not None:
        _, result, _, _, is_there = find(known)
        if is_there:
            return result
    with _cache.locked(listing + ".lock"):
        for _ in range(_cache.ATTEMPTS):
            # Not in the cache: nvcc gives the current directory to a shell, so it has to have a plain name.
            with tempfile.TemporaryDirectory(prefix="tile2cu-") as work:
                made_of.write(work)
                # An edit may have brought other files, so the compilers say again which they read.
                read = sorted({*files, *made_of.files(work, verbose)})
                inputs, result, folder, name, is_there = find(read)
                if not is_there:
                    cuda = made_of.device == "cuda"
                    progress.step(f"compiling for {','.join(made_of.arch) if cuda else 'the CPU'}")
                    made_of.build(work, name, result[0], verbose)
                    if _cache.digests(read) != inputs:
                        continue
                    with _cache.temporary(cache) as new:
                        shutil.copy(os.path.join(work, name), new)
                        _cache.publish(new, folder, [name])
                _cache.write_list(listing, read)
                return result
    raise RuntimeError(f"a file that {base} includes changes while it is compiled")


def _register(library, key, path, names):
    """Loads a library; False if its name has been taken since it was chosen."""
    with _lock:
        if library in _libraries:
            return _libraries[library] == key
        try:
            torch.ops.load_library(path)
        except OSError as error:
            if not os.path.exists(path):
                raise _cache.Deleted(path) from error
            raise RuntimeError(f"the operators that were built cannot be loaded: {error}") from error
        for one in names:  # Those of the extension itself know no symbolic sizes.
            torch.library.register_fake(f"{library}::{one}", lambda *arguments, **keywords: None)
        _libraries[library] = key
        return True


def load(source, *, device=None, arch=None, options=(), name=None, contiguous=False, cache=None, verbose=False):
    """Transpiles and compiles a tile source, and returns its launchers as a `Kernels`.

    source      "softmax.tile.cpp"; or "softmax_torch.cpp", which `tile2cu --torch` has written next to softmax.cu and
                softmax.h. The latter needs no tile2cu.
    device      "cuda", or "cpu" for the reference, which takes tensors of the CPU; by default "cuda" if there is a GPU and nvcc.
    arch        "sm_90a" or "sm_80,sm_90a"; by default that of the current GPU.
    options     further flags of tile2cu, such as "-Ifolder", "-DROWS=4" and "--math=precise".
    name        the operators are torch.ops.NAME; by default the first part of the file's name.
    contiguous  True: refuse tensors that are not contiguous. Otherwise a kernel gets the address of the first element, and
                strides are arguments as the source has them.
    cache       the folder of what is built, by default $TILE2CU_TORCH_CACHE, or tile2cu/torch in the user's cache.
    verbose     show the commands of the build.

    What was built is used again as long as the source, the files that it includes, the options, tile2cu and torch are the same.
    Raises RuntimeError, with the compiler's messages, if the source has an error; FileNotFoundError if there is no source;
    ValueError if there is no such device, or if `name` is no identifier. Threads and processes may load at the same time.
    """
    source = os.path.abspath(os.fspath(source))
    if not os.path.exists(source):
        raise FileNotFoundError(f"there is no tile source {source}")
    if name is not None and not re.fullmatch(r"[A-Za-z_]\w*", name, re.A):
        raise ValueError(f"the operators would be torch.ops.{name}, but {name!r} is no identifier")
    device, cache = _choose_device(device), _cache_dir(cache)
    arch, options = _choose_arch(arch), Options([options] if isinstance(options, str) else options)
    flags = ["-DTILE2CU_TORCH_CONTIGUOUS"] if contiguous else []
    progress = _Progress(os.path.basename(source))
    near = os.path.dirname(source)
    try:
        for _ in range(_cache.ATTEMPTS):
            inputs = {}
            try:
                if source.endswith("_torch.cpp"):
                    texts = _transpiled(source, device)
                else:
                    texts, inputs = _transpile(source, arch, options, cache, progress)
                operators = next(one for one in texts if one.endswith("_torch.cpp"))
                made_of = Library(texts, operators, device, arch, near, options, flags)
                base = name or _identifier(operators[: -len("_torch.cpp")])
                library, key, path = _build(made_of, list(inputs), base, cache, progress, verbose)
                if _cache.digests(inputs) != inputs:  # The operators are those of an older text.
                    continue
                names = re.findall(r'm\.def\(\s*"(\w+)\(', texts[operators])
                if _register(library, key, path, names):
                    return Kernels(library, device, names, path)
            except _cache.Deleted:
                continue
            except RuntimeError:
                if _cache.digests(inputs) == inputs:
                    raise
    finally:
        progress.end()
    raise RuntimeError(f"while {source} is built, it changes, or the cache {cache} is deleted, again and again")


def _transpiled(source, device):
    """The texts of x_torch.cpp and of the files next to it."""
    folder, stem = source[: -len("_torch.cpp")].rsplit(os.sep, 1)
    operators = _read(source)
    if device == "cpu":
        name = tile_source(operators)
        if name is None or not os.path.exists(os.path.join(folder, name)):
            raise FileNotFoundError(f"operators for the CPU need {name} next to {source}")
        return {os.path.basename(source): operators}
    header = re.search(r'#else\n#include "(.*)"\n#endif', operators)
    names = [stem + ".cu"] + ([header[1]] if header else [])
    texts = {name: _read(os.path.join(folder, name)) for name in names}
    return {**texts, os.path.basename(source): operators}


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
