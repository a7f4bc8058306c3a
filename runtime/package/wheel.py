#!/usr/bin/env python3
"""Makes a Python wheel of the .tar.gz that cpack has made: wheel.py ARCHIVE [-o FOLDER]. Prints its path.

The wheel has the files of the archive in the package `tile2cu`, next to the files of python/tile2cu. It needs no network and
no other package, and the same archive gives the same wheel, byte for byte.
"""
import argparse
import base64
import hashlib
import os
import re
import subprocess
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))

METADATA = """\
Metadata-Version: 2.1
Name: tile2cu
Version: {version}
Summary: Transpiler from tile functions in C++ to readable CUDA
Author: The tile2cu authors
License: MIT
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Topic :: Software Development :: Code Generators
Requires-Python: >=3.8
License-File: LICENSE
License-File: copyright
Description-Content-Type: text/markdown

tile2cu turns *tile functions* (ordinary C++ in Triton's block model) into CUDA that reads as if an expert had written it.
This package has the program, its headers, the emulator of emitted files, and the CMake files:

    tile2cu softmax.tile.cpp -o softmax.cu --header
    cmake -Dtile2cu_DIR=$(python -c "import tile2cu; print(tile2cu.cmake_dir())") ...

`tile2cu.torch.load("softmax.tile.cpp")` makes operators of PyTorch of a source. `tile2cu.include_dir()`, `lib_dir()` and `program()` are the other paths. The manual is in `share/doc` there.
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: tile2cu wheel.py
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """\
[console_scripts]
tile2cu = tile2cu:main
"""


def read_archive(path):
    """(name without the archive's top folder, contents, whether it can be executed) of each file."""
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile():
                name = member.name.removeprefix("./").split("/", 1)[1]
                yield name, archive.extractfile(member).read(), bool(member.mode & 0o100)
            elif not member.isdir():
                raise SystemExit(f"{path}: {member.name} is no file, and a wheel has only files")


def platform_tag(program):
    """manylinux_2_36_x86_64: the newest glibc whose symbols the program needs, and its machine.

    Ends the script if the program needs other libraries than glibc's.
    """
    with tempfile.NamedTemporaryFile() as file:
        file.write(program)
        file.flush()
        headers = subprocess.run(["objdump", "-p", file.name], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"NEEDED +(\S+)", headers)
    others = [name for name in needed if not re.match(r"(libc|libm|libdl|librt|libpthread|ld-linux-.*)\.so", name)]
    if others:
        raise SystemExit(f"the program needs {', '.join(others)}: build it with TILE2CU_STATIC_LLVM")
    glibc = max(tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", headers))
    machine = re.search(r"file format elf64-(\S+)", headers)[1].replace("-", "_").replace("littleaarch64", "aarch64")
    return f"manylinux_{glibc[0]}_{glibc[1]}_{machine}"


class Wheel:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.record = []

    def add(self, name, contents, executable=False):
        info = zipfile.ZipInfo(name)  # its time is 1980-01-01
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(info, contents)
        digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(contents)}\n")

    def finish(self, record):
        self.zip.writestr(zipfile.ZipInfo(record), "".join(self.record) + f"{record},,\n")
        self.zip.close()


def make(archive, folder):
    version = re.match(r"tile2cu-([0-9.]+)-", os.path.basename(archive))[1]
    files = sorted(read_archive(archive))
    contents = {name: data for name, data, _ in files}
    tag = "py3-none-" + platform_tag(contents["bin/tile2cu"])
    path = os.path.join(folder, f"tile2cu-{version}-{tag}.whl")
    wheel = Wheel(path)
    for name in sorted(os.listdir(os.path.join(HERE, "python", "tile2cu"))):
        if name.endswith(".py"):
            with open(os.path.join(HERE, "python", "tile2cu", name), "rb") as file:
                wheel.add(f"tile2cu/{name}", file.read())
    for name, data, executable in files:
        wheel.add(f"tile2cu/{name}", data, executable)
    info = f"tile2cu-{version}.dist-info"
    wheel.add(f"{info}/METADATA", METADATA.format(version=version).encode())
    wheel.add(f"{info}/WHEEL", WHEEL.format(tag=tag).encode())
    wheel.add(f"{info}/entry_points.txt", ENTRY_POINTS.encode())
    for name in ("LICENSE", "copyright"):
        wheel.add(f"{info}/licenses/{name}", contents[f"share/doc/tile2cu/{name}"])
    wheel.finish(f"{info}/RECORD")
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("archive")
    parser.add_argument("-o", dest="folder", default=".", help="where to write it; by default the current directory")
    arguments = parser.parse_args()
    print(make(arguments.archive, arguments.folder))
