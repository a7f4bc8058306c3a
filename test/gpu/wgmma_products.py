"""The text of every wgmma that the compiler writes, which wgmma_check.cu includes: wgmma_products.py FILE"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def write(path):
    """Writes it to a file, wgmma_products.cuh."""
    with tempfile.TemporaryDirectory() as scratch:
        printer = f"{scratch}/print_wgmma"
        sources = [ROOT / "test/gpu/print_wgmma.cpp", ROOT / "emit/device/wgmma_helpers.cpp"]
        subprocess.run(["g++", "-std=c++20", f"-I{ROOT}", *sources, "-lfmt", "-o", printer], check=True)
        path.write_text(subprocess.run([printer], check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
