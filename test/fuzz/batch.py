"""Builds and runs a file of kernels, and gives a verdict on each: compared, rejected, skipped or failed.

The kernels of a file share one run of tile2cu, one compilation of the reference and one of the emitted text. A kernel
that tile2cu or the reference's compiler refuses is taken out, and the file is built again without it.
"""

import collections
import copy
import dataclasses
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "emulate"))

import generate  # noqa: E402
import toolchain  # noqa: E402

COMPILER = ["clang++-19", f"-I{toolchain.INCLUDE}", f"-I{toolchain.HERE}", f"-I{toolchain.FUNCTIONS}", "-w"]  # in half the time of g++
# What the reference would do with undefined arithmetic stops it: the kernel is skipped.
TRAPS = [
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow",
    "-fsanitize-trap=all",
]
TABLE = [*COMPILER, "-std=c++20", "-O0"]
PARTS = {
    "reference": [*COMPILER, "-std=c++23", "-O0", *TRAPS],
    # Kernels throw nothing, and without exceptions Clang selects instructions faster.
    "emulated": [*COMPILER, *toolchain.FLAGS_OF_EMULATED, "-O0", "-fno-exceptions"],
    "table": TABLE,
}
PRECISE = "--math=precise"


@dataclasses.dataclass
class Result:
    """The verdict on each kernel of a file, by name."""

    compared: set = dataclasses.field(default_factory=set)
    rejected: dict = dataclasses.field(default_factory=dict)
    skipped: dict = dataclasses.field(default_factory=dict)
    failed: dict = dataclasses.field(default_factory=dict)
    targets: dict = dataclasses.field(default_factory=dict)  # of what failed: for which target
    both: int = 0  # compared for two targets

    def merge(self, other, target):
        """Adds the verdicts for another target, which may refuse kernels."""
        self.failed.update(other.failed)
        self.targets.update((name, target) for name in other.failed)
        self.compared -= set(other.failed)
        self.both = len(other.compared)


class Tools(toolchain.Toolchain):
    """The compilers, and what every program is linked with."""

    def __init__(self, build, gpu=False):
        super().__init__(build, PARTS, gpu)

    def run_tile2cu(self, source, output, flags, seconds=60):
        """(exit status, what was said); the status is None after so many seconds of CPU time, which other work on the machine does
        not use up, or twenty times as long on the clock."""
        emit = [] if self.gpu else ["--emit=emulator"]
        command = [self.program, source, *emit, "-I", toolchain.INCLUDE, "-I", toolchain.FUNCTIONS, "-o", output, *flags]
        try:
            done = subprocess.run(
                [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, errors="replace", timeout=20 * seconds,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)),
            )
        except subprocess.TimeoutExpired:
            return None, f"more than {20 * seconds} s"
        if done.returncode == -signal.SIGXCPU:
            return None, f"more than {seconds} s"
        return done.returncode, done.stdout


def compile_with(command, source, output):
    toolchain.call([*command, "-c", source, "-o", output], timeout=600)


def lines_of(text, pattern):
    """(line, name) of the lines that match."""
    return [(n, m[1]) for n, line in enumerate(text.splitlines(), 1) if (m := re.search(pattern, line))]


def texts_of_programs(text, stem, names):
    """The declarations of an emitted text, by the program that they belong to; None: those of no one program.

    The head of the file, headers and the alignment of shared memory, is left out: it fits the program that needs most.
    """
    text = re.sub(rf"\b{stem}\.tile\.cpp(:\d+)?", "", text[text.index("// ---- ") :])
    named = re.compile(rf"(?i)(?<![a-z0-9])({'|'.join(names)})(?!\d)")
    found = collections.defaultdict(list)
    namespace = owner = None  # the programs of the namespace and of the kernel that the text is in
    for part in re.split(r"\n\n(?=\S)", text):
        mentioned = {name.lower() for name in named.findall(part)}
        if re.match(r"namespace \w+ \{", part) and len(mentioned) == 1:
            namespace = min(mentioned)
        if len(mentioned) == 1:
            owner = min(mentioned)
        elif mentioned or re.search(r"\bcudaError_t\b|\btuner\b|^// ---- ", part):
            owner = namespace
        found[owner].append(part)
        if re.search(r"^\}  // namespace", part, re.M):
            namespace = owner = None
    return found


def starts_of(path, cases):
    """Where the text of each case begins in the tile source."""
    text = path.read_text()
    result = []
    at = 0
    for case in cases:
        at = text.index(case.source(), at)
        result.append((text.count("\n", 0, at) + 1, case.name))
    return result


def guilty(message, name, starts):
    """Which kernels a compiler names in its errors: name -> the first error."""
    found = {}
    error = ""
    for line in message.splitlines():
        if re.search(r"\b(fatal )?error: ", line):
            error = line.strip()
        elif re.search(r"\bwarning: ", line):
            error = ""
        if not error:
            continue
        for at in re.findall(re.escape(name) + r":(\d+)", line):
            before = [kernel for number, kernel in starts if number <= int(at)]
            if before:
                found.setdefault(before[-1], error)
    return found


class File:
    def __init__(self, tools, folder, stem, cases, flags):
        self.tools, self.folder, self.stem, self.flags = tools, folder, stem, list(flags)
        if not any(flag.startswith("--math") for flag in self.flags):
            self.flags.append(PRECISE)
        self.cases = list(cases)
        self.result = Result()
        self.reference = None  # the object file of another File with the same kernels
        self.first = None  # a File of the same kernels for another target, which ran them

    def path(self, suffix):
        return self.folder / f"{self.stem}.{suffix}"

    def compile(self, part):
        compile_with(self.tools.command_of(part), self.path(f"{part}.cpp"), self.path(f"{part}.o"))

    def write(self, cases=None):
        generate.write_file(self.folder, self.stem, cases or self.cases)

    def drop(self, verdicts, found):
        """Takes kernels out of the file."""
        verdicts.update(found)
        self.cases = [case for case in self.cases if case.name not in found]

    def run(self):
        while self.cases:
            self.write()
            if not self.transpile() or not self.cases:
                continue
            if self.first and (same := self.same_as_first()):
                self.result.compared |= same
                self.cases = [case for case in self.cases if case.name not in same]
                continue
            if not self.reference and not self.compile_reference():
                continue
            if self.compile_emulated():
                self.execute()
                break
        return self.result

    def transpile(self):
        """Whether tile2cu accepts the file; if not, drops the kernels that it refuses."""
        status, text = self.tools.run_tile2cu(self.path("tile.cpp"), self.path("cuda.cpp"), self.flags)
        if status == 0:
            found = self.without_grid()
            self.drop(self.result.rejected, found)
            return not found
        if status == 1:
            found = guilty(text, f"{self.stem}.tile.cpp", starts_of(self.path("tile.cpp"), self.cases))
            if found:
                self.drop(self.result.rejected, found)
                return False
        self.drop(self.result.failed, self.crashes(self.cases, text))
        return False

    def same_as_first(self):
        """The kernels whose emitted text is that of the first target, which has run."""
        names = [case.name for case in self.cases]
        mine, first = (texts_of_programs(file.path("cuda.cpp").read_text(), file.stem, names) for file in (self, self.first))
        return {name for name in names if mine[name] == first[name]} if mine[None] == first[None] else set()

    def without_grid(self):
        """Kernels whose mutation leaves grid(...) where no program comes: their launchers take a grid, which ours do not give."""
        launchers = set(re.findall(r"cudaError_t (\w+?)(?:_w\d+)?\([^)]*\bdim3 grid\b", self.path("cuda.cpp").read_text()))
        return {case.name: "no program reaches its grid" for case in self.cases if case.name in launchers and "grid(" in case.body}

    def crashes(self, cases, text):
        """The kernels on which tile2cu crashes, hangs or fails without a place: by halving the file."""
        self.write(cases)
        status, text = self.tools.run_tile2cu(self.path("tile.cpp"), self.path("cuda.cpp"), self.flags, 20)
        if status == 0:
            return {}
        if status == 1 and guilty(text, f"{self.stem}.tile.cpp", starts_of(self.path("tile.cpp"), cases)):
            return {}
        if len(cases) == 1:
            return {cases[0].name: self.crash(status, text)}
        middle = len(cases) // 2
        found = {**self.crashes(cases[:middle], text), **self.crashes(cases[middle:], text)}
        return found or {case.name: f"only together: {first_error(text)}" for case in cases}

    @staticmethod
    def crash(status, text):
        return "tile2cu: " + ("takes " + text if status is None else f"exit status {status}: {first_error(text)}")

    def compile_reference(self):
        try:
            self.compile("reference")
            return True
        except toolchain.Failed as failed:
            starts = starts_of(self.path("tile.cpp"), self.cases)
            found = guilty(str(failed), f"{self.stem}.tile.cpp", starts)
            text = self.path("reference.cpp").read_text()
            calls = lines_of(text, r"^int reference_(\w+)_w\d+\(")
            found = {**guilty(str(failed), f"{self.stem}.reference.cpp", calls), **found}
            found = {k: w for k, w in found.items() if k in [case.name for case in self.cases]}
            if not found:
                found = {case.name: first_error(str(failed)) for case in self.cases}
            self.drop(self.result.rejected, {k: f"reference: {w}" for k, w in found.items()})
            return False

    def compile_emulated(self):
        try:
            self.compile("emulated")
            return True
        except toolchain.Failed as failed:
            text = self.path("cuda.cpp").read_text()
            starts = [(at, self.owner(int(line))) for at, line in lines_of(text, r"// From .*:(\d+) `")]
            launchers = lines_of(text, r"^(?:static )?cudaError_t (?:launch_)?(\w+)\(")
            starts += [(at, name) for at, word in launchers for name in self.named_by(word)]
            found = guilty(str(failed), f"{self.stem}.cuda.cpp", sorted(starts))
            found = {k: w for k, w in found.items() if k in [case.name for case in self.cases]}
            if not found:
                found = {case.name: first_error(str(failed)) for case in self.cases}
            self.drop(self.result.failed, {k: f"the emitted text: {w}" for k, w in found.items()})
            return False

    def owner(self, line):
        """The program of a line of the tile source."""
        return [name for at, name in starts_of(self.path("tile.cpp"), self.cases) if at <= line][-1]

    def named_by(self, word):
        """The program whose kernel or launcher has this name."""
        return [case.name for case in self.cases if word == case.name or word.startswith(f"{case.name}_")]

    def execute(self):
        self.compile("table")
        reference = self.reference or self.path("reference.o")
        self.tools.link(self.path("emulated.o"), self.path("table.o"), reference, self.path("run"))
        done = subprocess.run(
            [self.path("run"), "--fuzz"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", env=os.environ | {"TILE2CU_CACHE": ""},  # what a launcher has timed is not kept
        )
        for line in done.stdout.splitlines():
            found = re.match(r"(SAME|SKIP|FAIL) (\w+?)_w\d+(?:(\(.*))?$", line)
            if not found:
                continue
            word, name, more = found.groups()
            if word == "FAIL":
                self.result.failed.setdefault(name, more)
            elif word == "SKIP":
                self.result.skipped.setdefault(name, more)
        self.add_checks(done.stderr)
        odd = odd_lines(done.stdout)
        for case in self.cases:
            if case.name in self.result.failed or case.name in self.result.skipped:
                continue
            if case.name in odd and not any(launcher.how == "tune" for launcher in getattr(case, "launchers", ())):
                self.result.failed[case.name] = f"(print): {odd[case.name]}"
            else:
                self.result.compared.add(case.name)


    def add_checks(self, said):
        """Adds to each failure the check (--checks) that has ended it.

        A program may convert large numbers to int on the way to an address, which C++ defines and a check reports, and a mutant may
        have false hints, which the reference does not look at: these are skipped."""
        for line, words in re.findall(rf"(?:^check: |Assertion `){self.stem}\.tile\.cpp:(\d+): (.*)", said, re.M):
            name = self.owner(int(line))
            ended = re.search(" signal 6|device-side assert", self.result.failed.get(name, ""))
            if ended and ": check: " not in self.result.failed[name]:
                self.result.failed[name] += f": check: {words}"
                false_hint = name.startswith("m") and re.match(r"multiple_of|max_contiguous", words)
                if words.startswith("the conversion does not fit int") or false_hint:
                    self.result.skipped[name] = self.result.failed.pop(name)


def odd_lines(output):
    """What only one of the two executions printed: kernel -> a line of device_print that occurs an odd number of times.

    Each run has both executions print their lines. A tuner runs its candidates several times."""
    lines = collections.Counter(line for line in output.splitlines() if line.startswith("pid ("))
    found = {}
    for line, number in lines.items():
        if number % 2 and (name := re.search(r"idx \([^)]*\) (\w+) ", line)):
            found.setdefault(name[1], line)
    return found


def fault_of_reference(tools, folder, case, check=None):
    """What the reference of a failing kernel does wrong: it leaves its buffers, does what is undefined, or does what `check`
    (TILE2CU_CHECK) forbids; empty if nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    file = File(tools, folder, f"{case.name}_alone", [case], case.flags)
    file.write()
    names = [name for name, _ in case.instances()]
    stub = '#include "driver.h"\n' + "".join(
        f"int emulated_{name}(void* const*, const emulate_test::Scalar*) {{ return 0; }}\n" for name in names)
    file.path("stub.cpp").write_text(stub)
    asan = [*COMPILER, "-std=c++23", "-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    try:
        compile_with(asan, file.path("reference.cpp"), file.path("reference.o"))
        for part in ("table", "stub"):
            compile_with(TABLE, file.path(f"{part}.cpp"), file.path(f"{part}.o"))
        driver = file.path("driver.o")
        compile_with([*TABLE, "-DREFERENCE_ONLY"], toolchain.HERE / "driver.cpp", driver)
        objects = [file.path(f"{part}.o") for part in ("reference", "table", "stub")]
        toolchain.call([COMPILER[0], "-fsanitize=address,undefined", *objects, driver, "-o", file.path("run")])
        toolchain.call([file.path("run")], timeout=120, environment=os.environ | ({"TILE2CU_CHECK": check} if check else {}))
        return ""
    except toolchain.Failed as failed:
        shared = re.search(r"two elements of a store have one address[^(]*", str(failed))
        return shared[0].strip() if shared else "the reference is undefined"
    finally:
        for part in ("reference.o", "table.o", "stub.o", "driver.o", "run"):
            file.path(part).unlink(missing_ok=True)


def programs_race(tools, folder, case):
    """Whether programs of a mutant touch the same memory: each in a block of its own, as the emulator sees it."""
    alone = copy.deepcopy(case)
    alone.races_between_blocks = True
    if alone.warps[0] == 1:
        alone.options = re.sub(r", \.programs_per_block = \d+", "", alone.options)
        position = ", .persistent" if ".persistent" in alone.options else None
        block = ", .programs_per_block = 1"
        alone.options = alone.options.replace(position, block + position) if position else alone.options + block
    result = run_file(tools, folder, f"{case.name}_blocks", [alone], [alone.flags])
    clean(folder, f"{case.name}_blocks")
    return "race between blocks" in result.failed.get(case.name, "")


def first_error(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    at = next((i for i, line in enumerate(lines) if re.search(r"\berror\b|assert", line, re.I)), 0)
    return " | ".join(lines[at : at + 2])[:400]


def clean(folder, stem):
    """Removes the large files of a batch; the sources stay."""
    for suffix in ("reference.o", "emulated.o", "table.o", "run"):
        (folder / f"{stem}.{suffix}").unlink(missing_ok=True)


def run_file(tools, folder, stem, cases, targets=((),)):
    """The verdicts on the kernels. Kernels that pass for the first target also run for the others, with the same reference."""
    folder.mkdir(parents=True, exist_ok=True)
    first = File(tools, folder, stem, cases, targets[0])
    result = first.run()
    result.targets = {name: targets[0] for name in result.failed}
    for number, target in enumerate(targets[1:], 2):
        right = [case for case in cases if case.name in result.compared]
        file = File(tools, folder, f"{stem}_{number}", right, target)
        file.reference, file.first = first.path("reference.o"), first
        result.merge(file.run(), target)
        clean(folder, file.stem)
    return result
