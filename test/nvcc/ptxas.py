"""What ptxas says about kernels: registers, spills, notes. Which kernels may spill: spills.txt."""

import fnmatch
import re
import shutil
import subprocess

ENTRY = re.compile(r"Compiling entry function '(\S+)' for 'sm_(\w+)'")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
# wgmmas one after the other, fences and waits that the emitted file should have had, register counts
# that were ignored.
NOTE = re.compile(r"\(C75(?:0[1-9]|[12]\d|30)\)|Potential Performance Loss|is injected")


def is_information(line):
    """Whether a line is not a reason to fail."""
    if NOTE.search(line):
        return False
    return line.startswith("ptxas info") or bool(re.match(r"\s+\d+ bytes stack frame, ", line))


def resources_of(name, text):
    """Lines `file kernel architecture registers stack spill-stores spill-loads`."""
    found, kernel, arch = {}, None, None
    for line in text.splitlines():
        entry, frame, used = ENTRY.search(line), FRAME.search(line), USED.search(line)
        if entry:
            kernel, arch = entry[1], entry[2]
        elif frame and kernel:
            found[kernel, arch] = [0, *map(int, frame.groups())]
        elif used and kernel and (kernel, arch) in found:
            found[kernel, arch][0] = int(used[1])
            kernel = None
    plain = demangled(sorted({kernel for kernel, _ in found}))
    return sorted(
        f"{name} {plain[kernel]} sm_{arch} {' '.join(map(str, numbers))}"
        for (kernel, arch), numbers in found.items()
    )


def demangled(names):
    if not names:
        return {}
    program = shutil.which("cu++filt") or shutil.which("c++filt")
    text = subprocess.run([program, *names], capture_output=True, text=True).stdout.splitlines()
    result = {}
    for name, plain in zip(names, text):
        head = re.sub(r"\((?:anonymous namespace|unnamed)\)::|^void ", "", plain)
        # The parameters do not matter, nor the name that nvcc gives internal functions.
        head = re.sub(r"^_INTERNAL_\w+::", "", head)
        result[name] = head[: head.index("(")].replace(" ", "") if "(" in head else head
    return result


def permitted(text):
    """[(file, kernel, architecture, most bytes)] of spills.txt; a line without a reason is an error."""
    result = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        file, kernel, arch, most, *reason = line.split()
        if not reason:
            raise ValueError(f"spills.txt: no reason: {line}")
        result.append((file, kernel, arch, int(most)))
    return result


def spill_problems(lines, permits, complete):
    """Kernels that spill more than they may. `complete`: all files were built, so that each permit must be in use."""
    problems, used = [], set()
    for line in lines:
        file, kernel, arch, _, _, stores, loads = line.split()
        bytes_ = max(int(stores), int(loads))
        if bytes_ == 0:
            continue
        # Kernels have [ in no name, so a * of the list is the only pattern.
        mine = [
            p for p in permits if p[0] == file and all(map(fnmatch.fnmatchcase, (kernel, arch), p[1:3]))
        ]
        used.update(mine)
        most = max((p[3] for p in mine), default=0)
        if bytes_ > most:
            problems.append(f"{file} {kernel} {arch} spills {bytes_} bytes; it may spill {most}")
    if complete:
        problems += [f"no longer needed: {' '.join(map(str, p))}" for p in permits if p not in used]
    return problems
