#!/usr/bin/env python3
"""Checks that random programs find faults of the compiler: plants faults, one at a time, and counts the programs that it takes.

  test/fuzz/planted.py                  all faults
  test/fuzz/planted.py --fault 3 --seed 5

It changes one line of a copy of the sources in build/fuzz/planted and builds tile2cu there. Programs whose emitted text
the fault changes then run, batch by batch, until one fails. Not a level of test/run: a fault
takes a minute or two. Where no text changes, a generator is missing; where texts change and no program fails, its data.
"""

import argparse
import concurrent.futures
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import batch  # noqa: E402
import generate  # noqa: E402
import toolchain  # noqa: E402

COPY = toolchain.ROOT / "build/fuzz/planted"
SOURCES = COPY / "sources"

# What is wrong, where, the text as it is, and as it becomes. Where 320 random programs did not find a fault, a comment
# names the test that does.
FAULTS = [
    ("padding of a maximum of integers is 0", "passes/analysis/value/reduction_identity.cpp",
     "isMax ? lowest(scalar) : highest(scalar)", "isMax ? lowest(scalar) % 2 : highest(scalar)"),
    ("no barrier between reads and later writes of shared memory", "passes/memory/insert_barriers.cpp",
     "if (a.buffer >= 0) return sameStorage", "if (a.buffer >= 0) return a.write && sameStorage"),
    ("a scan exchanges the operands of its function", "emit/lower/lower_scan.cpp",
     ": apply(earlier, target));", ": apply(target, earlier));"),
    ("a vector takes a mask that changes within it", "passes/analysis/memory/global_access.cpp",
     "if (analysis.of(part).constancy[dim] % vector == 0) {", "if (analysis.of(part).constancy[dim] > 1) {"),
    # Found by ../emulate/conversions.py.
    ("integers become float16 by way of float", "emit/spelling/casts.cpp",
     '{Source::Int32,  Target::F16, {Via::Typed, "to_$N"}', '{Source::Int32,  Target::F16, {Via::Float, "to_$N"}'),
    # Found by ../emulate/conversions.py.
    ("doubles become bfloat16 by way of float", "emit/spelling/casts.cpp",
     '{Source::F64,    Target::F16, {Via::Typed, "to_$N"}', '{Source::F64,    Target::F16, {Via::Float, "to_$N"}'),
    ("a pipelined loop stops copying one iteration too early", "passes/pipeline/pipeline_copies.cpp",
     "Value *distance = distanceOf(b, ahead(b), compare_);", "Value *distance = distanceOf(b, stages(b), compare_);"),
    ("a wait leaves one copy too many in flight", "emit/lower/lower_async_copy.cpp",
     "ctx.constants.stagesLess2(wait.pending_opt())", "ctx.constants.stagesLess2(wait.pending_opt() + 1)"),
    ("a fragment of a single matrix has wrong rows", "emit/lower/lower_mma_fragments.cpp",
     "pairs ? eightRows() : laneModulo(8)", "pairs ? eightRows() : laneModulo(16)"),
    ("a result is written over what its loop nest still reads", "passes/analysis/value/tile_storage.cpp",
     "return steps && !steps->isVectorAccess(reader) && !steps->isComputedAgain(reader);", "return steps != nullptr;"),
    ("equal loads are merged although a store is between them", "passes/simplify/cse_dce.cpp",
     "op.get(Attr::cache) != CacheOp::Cv && isReadOnly(kernel, &op);", "op.get(Attr::cache) != CacheOp::Cv;"),
    # Found by ../passes/memory/insert_barriers_global.t2ir.
    ("nothing waits behind an atomic that acquires", "passes/memory/insert_barriers.cpp",
     "if (before && a.op->has(Attr::fences) && acquires(kernel, a.op, b.op)) return true;", ""),
    # Found by ../passes/simplify/modulo_to_mask.t2ir.
    ("the remainder of what may be negative is dropped", "passes/simplify/modulo_to_mask.cpp",
     " && Integers(Assume::Launched).isNonNegative(start);", ";"),
    ("a scan takes another group's last lane", "emit/lower/lower_scan.cpp",
     "integer((lane.extent - 1) * lane.stride)", "integer(lane.extent - 1)"),
    ("addresses are taken to be apart by one side of a bound", "passes/analysis/memory/access_overlap.cpp",
     "multiple.isZero() || !given.isNegative(rest - unit) ||", "multiple.isZero() ||"),
    ("dimensions of a view keep the order of their permutation", "passes/simplify/canonicalize_views.cpp",
     "      llvm::sort(inner);\n", ""),
    # Found by ../frontend/loop_types.cpp.
    ("a negative start is compared with an unsigned bound", "frontend/lower/loop_types.cpp",
     "isRising && first && *first >= 0)", "isRising && first)"),
    ("a launcher asks for all but the last requirement", "emit/host/launcher.cpp",
     "    needs.push_back(condition);\n", "    if (needs.empty()) needs.push_back(condition);\n"),
]


def fuzzer():
    """The module of test/fuzz/run."""
    loader = importlib.machinery.SourceFileLoader("fuzz_run", str(HERE / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz_run", loader))
    loader.exec_module(module)
    return module


def build():
    """tile2cu of the copy, in the folder where a checkout has it: so ccache knows its objects."""
    folder = SOURCES / "build/dev"
    if not folder.exists():
        toolchain.call(["cmake", "--preset", "dev", "-S", SOURCES], timeout=600)
    toolchain.call(["ninja", "-C", folder, "-j2", "tile2cu"], timeout=3600)


def copy_sources():
    """Copies the tracked files, with the changes of the working tree; unchanged files keep their times."""
    SOURCES.mkdir(parents=True, exist_ok=True)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=toolchain.ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout
    names = names.split("\0")
    for path in SOURCES.rglob("*"):
        name = path.relative_to(SOURCES).as_posix()
        if path.is_file() and not name.startswith("build/") and name not in names:
            path.unlink()  # of another version
    for name in names:
        source, target = toolchain.ROOT / name, SOURCES / name
        if not name or not source.is_file():
            continue
        content = source.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(source.stat().st_mode)


class Search:
    """Runs the programs that a fault changes. It knows what the right compiler emits."""

    def __init__(self, run, tools, seed):
        self.run, self.tools, self.seed = run, tools, seed
        self.right = SOURCES / "build/dev/bin/tile2cu_right"
        self.batches, self.texts = {}, {}

    def batch_of(self, number):
        if number not in self.batches:
            self.batches[number] = self.run.cases_of(self.seed, number)
        return self.batches[number]

    def emitted(self, program, case, target):
        """The status and the text of a compiler for one program."""
        folder = COPY / "texts"
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / f"{case.name}.tile.cpp"
        source.write_text(generate.TILE + "\n" + case.source())
        command = [program, source, "--emit=emulator", "-I", toolchain.INCLUDE, "-I", toolchain.FUNCTIONS, "-o", "-", *target]
        if not any(flag.startswith("--math") for flag in target):
            command.append(batch.PRECISE)
        try:
            done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
        except subprocess.TimeoutExpired:
            return None, b""
        finally:
            source.unlink()
        return done.returncode, done.stdout

    def is_changed(self, case, target):
        key = (case.name, target)
        if key not in self.texts:
            self.texts[key] = hash(self.emitted(self.right, case, target))
        return self.texts[key] != hash(self.emitted(self.tools.program, case, target))

    def until_found(self, most):
        """(programs so far, those whose text is another one, failures, what the first one says)."""
        count = changed = number = 0
        worker = self.run.Fuzzer(self.tools, argparse.Namespace(seed=self.seed))
        while count < most:
            cases, targets = self.batch_of(number)
            failed = {}
            for target in targets:
                with concurrent.futures.ThreadPoolExecutor(2) as pool:
                    flags = list(pool.map(lambda case, target=target: self.is_changed(case, target), cases))
                others = [case for case, other in zip(cases, flags) if other]
                changed += len(others)
                if not others:
                    continue
                folder, stem = COPY / "batches", f"b{self.seed}_{number}"
                result = batch.run_file(self.tools, folder, stem, others, [target])
                worker.confirm(result, others)
                batch.clean(folder, stem)
                failed.update(result.failed)
            if failed:
                first = next(k for k, case in enumerate(cases) if case.name in failed)
                return count + first + 1, changed, len(failed), failed[cases[first].name]
            count += len(cases)
            number += 1
        return count, changed, 0, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--fault", type=int, action="append", help="only the fault of this number")
    parser.add_argument("--from", type=int, default=0, dest="first", help="only the faults from this number on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=320, help="at most so many for each fault")
    options = parser.parse_args()
    copy_sources()
    build()
    shutil.copy2(SOURCES / "build/dev/bin/tile2cu", SOURCES / "build/dev/bin/tile2cu_right")
    tools = batch.Tools(COPY)
    tools.program = SOURCES / "build/dev/bin/tile2cu"
    search = Search(fuzzer(), tools, options.seed)
    missed = 0
    for number, (words, name, old, new) in enumerate(FAULTS):
        if number < options.first or options.fault and number not in options.fault:
            continue
        path = SOURCES / name
        text = path.read_text()
        if text.count(old) != 1:
            raise SystemExit(f"{name} has no single '{old}': the fault '{words}' has to be written anew")
        start = time.monotonic()
        try:
            path.write_text(text.replace(old, new))
            build()
            if not tools.driver.exists():
                tools.prepare()
            count, changed, failing, first = search.until_found(options.programs)
        finally:
            path.write_text(text)
        missed += failing == 0
        found = f"found by program {count}, {failing} fail" if failing else f"not found by {count} programs"
        says = first.rsplit("): ", 1)[-1][:160]
        print(f"{number} {words}: {found}, {changed} texts change, {time.monotonic() - start:.0f} s: {says}", flush=True)
    print(f"{missed} faults not found")
    return missed != 0


if __name__ == "__main__":
    sys.exit(main())
