#!/usr/bin/env python3
"""reread.py TILE2CU [--arch=...] SOURCE...: textual IR that tile2cu wrote is accepted again after every pass.

Each source (with the --arch given here, or else that of the flags beside it) runs through all passes, and --print-after=all prints the IR. Each text is read again: with
no passes it has to come out as it was, with the passes that were left it has to become what the first run became. Without --passes,
tile2cu finds the passes that are left by itself: IR and CUDA come out as from the first text. The IR from before all passes has to
become CUDA with the same kernels and launchers as the source. (The rest may differ: the text has neither locations nor comments, and
long functions are divided by their lines.)
"""

import concurrent.futures
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile


@dataclasses.dataclass
class Text:
    name: str  # number and name of the pass after which it was printed
    text: str
    left: list  # names of the passes that follow


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True)


def arguments_of(source, given):
    flags = source.with_name("flags")
    return given or re.findall(r"--(?:arch|math)=\S+", flags.read_text() if flags.exists() else "")


def functions_of(cuda):
    """The names of kernels and launchers."""
    return re.findall(r"^(\w+_kernel)\(|^(?:static )?cudaError_t (\w+)\(", cuda, re.M)


def texts_of(tile2cu, source, arguments):
    """The output of the passes that changed something, and the IR after all passes."""
    done = run(tile2cu, *arguments, "--print-after=all", "--emit=ir", source, "-o", "-")
    if done.returncode != 0:
        raise SystemExit(f"{source.name}: {done.stderr[-600:]}")
    parts = [part.split("\n", 1) for part in done.stderr.split("// ==== after ")[1:]]
    names = [name for name, _ in parts]
    texts = [
        Text(f"{i}.{name}", text, names[i + 1 :])
        for i, (name, text) in enumerate(parts)
        if not text.startswith("// (unchanged)")
    ]
    return texts, done.stdout


def difference(old, new):
    pairs = zip(old.splitlines(), new.splitlines())
    was, is_now = next(((a, b) for a, b in pairs if a != b), ("", "another number of lines"))
    return f"\n  was {was}\n  is  {is_now}"


def nameless(cuda):
    """Emitted CUDA (or IR) without what names the input: the comments at the top and of each kernel, and
    the number of a tuner, which is computed from the text with its comments."""
    code = cuda[max(0, cuda.find("#include")) :]
    return re.sub(r"From \S+:\d+|(?<=_tuner\(\").*?\);", "", code)


def problem_of(tile2cu, path, arguments, text, final, cuda):
    path.write_text(text.text)
    again = run(tile2cu, *arguments, "--passes=none", path)
    if again.returncode != 0 or again.stdout != text.text:
        return "is not read: " + again.stderr[:600] if again.returncode else "comes out otherwise:" + difference(text.text, again.stdout)
    if text.left:
        rest = run(tile2cu, *arguments, f"--passes={','.join(text.left)}", "--verify", path)
        if rest.returncode != 0 or rest.stdout != final:
            return "the passes that are left: " + (rest.stderr[:600] if rest.returncode else difference(final, rest.stdout))
    for emit, expected in (("ir", final), ("cu", cuda)):
        whole = run(tile2cu, *arguments, f"--emit={emit}", path, "-o", "-")
        if whole.returncode != 0 or nameless(whole.stdout) != nameless(expected):
            return f"--emit={emit}: " + (whole.stderr[:600] or difference(nameless(expected), nameless(whole.stdout)))
    return ""


def cuda_of(tile2cu, source, folder, arguments):
    """The CUDA that the IR from before all passes becomes, and what is wrong with it beside the source's."""
    path = folder / "before.t2ir"
    before = run(tile2cu, *arguments, "--passes=none", source, "-o", path)
    direct, again = (run(tile2cu, *arguments, file, "-o", "-") for file in (source, path))
    if any(done.returncode != 0 for done in (before, direct, again)):
        return "", "CUDA: " + before.stderr + direct.stderr + again.stderr
    old, new = functions_of(direct.stdout), functions_of(again.stdout)
    return again.stdout, "" if old and old == new else f"CUDA with other functions: {old} and {new}"


def main():
    tile2cu, *names = sys.argv[1:]
    given = [name for name in names if name.startswith("--")]
    sources = [pathlib.Path(name) for name in names if name not in given]
    read = failed = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        for source in sources:
            arguments = arguments_of(source, given)
            texts, final = texts_of(tile2cu, source, arguments)
            paths = [folder / f"{source.name}.{text.name}.t2ir" for text in texts]
            cuda, problem = cuda_of(tile2cu, source, folder, arguments)
            problems = [problem] if problem else []
            check = lambda path, text: problem_of(tile2cu, path, arguments, text, final, cuda)  # noqa: E731
            problems += [f"after {t.name}: {p}" for t, p in zip(texts, pool.map(check, paths, texts)) if p]
            for problem in problems[:5]:
                print(f"{source.name}: {problem}")
            read, failed = read + len(texts), failed + len(problems)
    print(f"{read} texts read, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
