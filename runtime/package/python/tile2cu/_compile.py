"""Builds the shared library of operators of PyTorch. The compilers are run without a shell, so any path and any value may have
spaces and quotes."""

import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys

from . import include_dir
from ._options import prerequisites, shown, system_files

# The environment that the compilers read.
_ENVIRONMENT = "CPATH CPLUS_INCLUDE_PATH NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS LIBRARY_PATH".split()


class Library:
    """What one library is made of.

    texts     the emitted files: their names and contents
    operators the name of the one with the operators
    device    "cuda" or "cpu"
    arch      ["sm_80"]
    near      the folder of the source, for the headers that it includes
    options   an Options
    flags     further flags for the operators
    """

    def __init__(self, texts, operators, device, arch, near, options, flags):
        self.texts, self.operators, self.device = dict(texts), operators, device
        self.arch, self.near, self.options, self.flags = arch, near, options, flags
        if device == "cpu":
            self._make_cpu()
        else:
            self._make_cuda()

    def _make_cpu(self):
        source = tile_source(self.texts[self.operators])
        # In place of the source stands a file with its macros: they must not change the headers of torch.
        path = os.path.join(self.near, source)
        text = f'{self.options.preprocessor_text()}#include "{path}"\n'
        self.texts = {self.operators: self.texts[self.operators], source: text}
        self.folders = [*self.options.folder_flags(), "-I", os.path.abspath(include_dir())]
        self.macros, self.links = "", {}

    def _make_cuda(self):
        # nvcc gives its arguments to a shell, with quotes that do not hold for all characters. So it sees plain names, here
        # and below, where links have them.
        emitted = operators_stem(self.operators) + ".cu"
        self.cuda = re.sub(r"[^\w.]", "_", emitted, flags=re.A)
        self.texts[self.cuda] = self.texts.pop(emitted)
        own = {name: text for name, text in self.texts.items() if name != self.operators}
        included = {name for text in own.values() for name in re.findall(r'^#include [<"](.+)[>"]', text, re.M)}
        folders = [self.near, *self.options.include_dirs, *self.options.quote_dirs, *self.options.system_dirs]
        folders += [os.path.dirname(file) for file in self.options.forced if os.path.isabs(file)]
        # Headers of the user may depend on macros. Without such headers, macros would only disturb the emitted text.
        has_headers = any(
            os.path.isfile(os.path.join(folder, name)) for name in included - set(own) for folder in folders
        )
        self.macros = "".join(line + "\n" for line in self.options.macros) if has_headers else ""
        self.texts["tile2cu_macros.h"] = self.macros
        self.links = {f"include_{i}": folder for i, folder in enumerate(dict.fromkeys(folders))}
        self.folders = [word for name in self.links for word in ("-I", name)] + ["-I", "tile2cu_include"]
        self.links["tile2cu_include"] = os.path.abspath(include_dir())

    def key(self):
        tools = [_identity(command) for command in (_cxx(), _nvcc() if self.device == "cuda" else [])]
        environment = [os.environ.get(name) for name in _ENVIRONMENT]
        import torch

        return {
            "texts": self.texts,
            "device": self.device,
            "arch": self.arch if self.device == "cuda" else [],
            "folders": [self.folders, self.links],
            "options": self.options.key(),
            "flags": self.flags,
            "tools": tools,
            "environment": environment,
            "versions": [torch.__version__, torch.__file__, sys.platform],
        }

    def write(self, folder):
        for name, text in self.texts.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(text)
        for name, target in self.links.items():
            os.symlink(target, os.path.join(folder, name))

    def _commands(self):
        """Of the compilations: their outputs and commands, without the name of the library."""
        from torch.utils import cpp_extension

        cuda = self.device == "cuda"
        system = [word for path in cpp_extension.include_paths(self.device) for word in ("-isystem", path)]
        macros = ["-include", "tile2cu_macros.h"] if cuda and self.macros else []
        standard = f"-std={self.options.standard or 'c++23'}" if not cuda else "-std=c++20"
        operators = [*_cxx(), "-O2", "-fPIC", standard, *macros, *self.folders, *system, *self.flags]
        operators += ["-DTILE2CU_TORCH_NO_META", *([] if cuda else ["-pthread", "-DTILE2CU_TORCH_CPU"]), self.operators]
        if not cuda:
            return {"operators.o": operators}
        kernels = [*_nvcc(), "-O3", "-std=c++20", "--expt-relaxed-constexpr", "-Xcompiler", "-fPIC"]
        kernels += [*map(_target, self.arch), *macros, *self.folders, self.cuda]
        return {"operators.o": operators, "kernels.o": kernels}

    def files(self, folder, verbose):
        """The files that the compilers read, without those of the cache, of torch and of the system."""
        outside = set()
        for command in self._commands().values():
            rule = _run([*command, "-MM", "-MT", "rule"], folder, verbose)
            for name in prerequisites(rule):
                first, _, rest = name.partition("/")
                if first in self.links:
                    outside.add(os.path.join(self.links[first], rest))
                elif os.path.isabs(name):
                    outside.add(name)
        return sorted(outside | set(system_files(outside, self.options.system_dirs)))

    def build(self, folder, output, library, verbose):
        """Compiles and links in `folder`, which `write` has filled."""
        from torch.utils import cpp_extension

        commands = [[*c, "-c", "-o", object_file] for object_file, c in self._commands().items()]
        commands[0].insert(-3, f"-DTILE2CU_TORCH_LIBRARY={library}")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for _ in pool.map(lambda command: _run(command, folder, verbose), commands):
                pass
        libraries = [f"-L{path}" for path in cpp_extension.library_paths(self.device)]
        libraries += ["-lc10", "-ltorch_cpu", "-ltorch"]
        libraries += ["-lc10_cuda", "-ltorch_cuda", "-lcudart"] if self.device == "cuda" else ["-pthread"]
        _run([*_cxx(), "-shared", *self._commands(), "-o", output, *libraries], folder, verbose)


def operators_stem(name):
    return name[: -len("_torch.cpp")]


def tile_source(operators):
    """The name of the tile source that the text of operators includes; None if it includes none."""
    found = re.search(r'#include "(.*)"\n#else', operators)
    return found[1] if found else None


def _cxx():
    return shlex.split(os.environ.get("CXX") or "c++")


def _nvcc():
    from torch.utils import cpp_extension

    given = os.environ.get("PYTORCH_NVCC")
    command = shlex.split(given) if given else [os.path.join(cpp_extension.CUDA_HOME, "bin", "nvcc")]
    return command + (["-ccbin", os.environ["CC"]] if os.environ.get("CC") else [])


def _identity(command):
    """What changes if the programs of a command are replaced."""
    found = []
    for path in filter(None, map(shutil.which, command)):
        stat = os.stat(path)
        found.append([path, stat.st_size, stat.st_mtime_ns])
    return [command, found]


def _target(arch):
    number = re.sub(r"^(sm|compute)_", "", arch)
    code = arch if arch.startswith("compute_") else f"sm_{number}"
    return f"-gencode=arch=compute_{number},code={code}"


def _run(command, folder, verbose):
    """Runs a compiler in `folder` and returns what it prints. Raises RuntimeError with its messages."""
    if verbose:
        sys.stderr.write(f"\n{shown(command)}\n")
    environment = {**os.environ, "PWD": folder}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
    except OSError as error:
        if not os.path.isdir(folder):
            raise
        raise RuntimeError(
            f"cannot run the compiler {command[0]}: {error.strerror} (CXX and CUDA_HOME choose it)"
        ) from error
    if verbose:
        sys.stderr.write(done.stderr)
    if done.returncode != 0:
        raise RuntimeError(f"the operators cannot be compiled:\n{shown(command)}\n{done.stdout}{done.stderr}")
    return done.stdout
