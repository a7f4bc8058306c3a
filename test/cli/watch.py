#!/usr/bin/env python3
"""What tile2cu --watch does when files change: watch.py FOLDER. It writes its files there."""
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time

SOURCE = """#include <tile2cu/tile.h>
#include "factor.h"
using namespace tl;
__tile_global__ void scale(float* x, int n) {
  auto i = grid(cdiv(n, 128)) * 128 + arange<128>();
  store(x + i, load(x + i, i < n) * FACTOR, i < n);
}
inline constexpr auto scale_w4 = instantiate(scale);
"""


class Watched:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(["tile2cu", "--watch", *arguments], stderr=subprocess.PIPE)
        self.text = ""

    def wait_for(self, pattern, seconds=60):
        """All that was printed up to a line that matches."""
        end = time.monotonic() + seconds
        while not (found := re.search(rf"^.*{pattern}.*\n", self.text, re.M)):
            ready, _, _ = select.select([self.process.stderr], [], [], max(end - time.monotonic(), 0))
            part = os.read(self.process.stderr.fileno(), 65536).decode() if ready else ""
            assert part, f"no line with '{pattern}' in:\n{self.text}"
            self.text += part
        before, self.text = self.text[: found.end()], self.text[found.end() :]
        return before

    def is_silent(self, seconds):
        return not self.text and not select.select([self.process.stderr], [], [], seconds)[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(timeout=10) == -signal.SIGTERM


def replace(path, text):
    """As most editors do: a new file takes the place of the old one."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def main(folder):
    os.chdir(folder)
    source, header, output = (pathlib.Path(name) for name in ("scale.tile.cpp", "factor.h", "scale.cu"))
    source.write_text(SOURCE)
    header.write_text("constexpr float FACTOR = 2.5f;\n")
    with Watched(source) as watched:
        assert "reading scale.tile.cpp" in watched.wait_for("done; waiting for a change of [0-9]+ files")
        assert "2.5" in output.read_text()
        assert watched.is_silent(0.5)

        # A header, and a file that is replaced.
        header.write_text("constexpr float FACTOR = 3.5f;\n")
        assert "reading again: factor.h has changed" in watched.wait_for("done; waiting")
        assert "3.5" in output.read_text()
        replace(source, SOURCE.replace("* FACTOR", "* FACTOR + 7"))
        assert "reading again: scale.tile.cpp has changed" in watched.wait_for("done; waiting")
        assert "+ 7" in output.read_text()

        # An error writes nothing, and the header is still watched.
        before = output.read_text()
        header.write_text("constexpr float FACTOR = nothing;\n")
        assert "factor.h:1:26: error: " in watched.wait_for("failed; waiting for a change of")
        assert output.read_text() == before
        header.unlink()
        watched.wait_for("failed; waiting")
        header.write_text("constexpr float FACTOR = 4.5f;\n")
        watched.wait_for("done; waiting")
        assert "4.5" in output.read_text()

    # An input that is not there yet; several inputs.
    with Watched(source, "later.tile.cpp", "-o", "out/") as watched:
        os.mkdir("out")
        watched.wait_for("failed; waiting")
        pathlib.Path("later.tile.cpp").write_text(SOURCE.replace("scale", "later"))
        assert "later.tile.cpp has changed" in watched.wait_for("done; waiting")
        assert "later" in pathlib.Path("out/later.cu").read_text()


main(sys.argv[1])
