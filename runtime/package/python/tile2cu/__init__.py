"""tile2cu, installed as a Python package: where its program, headers and CMake files are.

The command `tile2cu` and `python -m tile2cu` run the program.
"""
import os
import sys

_prefix = os.path.dirname(os.path.abspath(__file__))


def program() -> str:
    """The path of the program tile2cu: $TILE2CU_PROGRAM if it is set."""
    return os.environ.get("TILE2CU_PROGRAM") or os.path.join(_prefix, "bin", "tile2cu")


def include_dir() -> str:
    """The folder for -I: <tile2cu/tile.h> is in it."""
    folder = os.path.join(_prefix, "include")
    # In the repository: runtime/include
    return folder if os.path.isdir(folder) else os.path.join(_prefix, "..", "..", "..", "include")


def lib_dir() -> str:
    """The folder of libtile2cu_emulator.a, which runs emitted files on the CPU."""
    return os.path.join(_prefix, "lib")


def cmake_dir() -> str:
    """The folder for -Dtile2cu_DIR: find_package(tile2cu) then finds the package."""
    return os.path.join(_prefix, "lib", "cmake", "tile2cu")


def main() -> None:
    """Replaces this process by the program, with the same arguments.

    Raises OSError if the program cannot be run.
    """
    os.execv(program(), ["tile2cu", *sys.argv[1:]])


# The module of versions takes longer to load than the program needs to start.
def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'tile2cu' has no attribute {name!r}")
    import importlib.metadata

    return importlib.metadata.version("tile2cu")
