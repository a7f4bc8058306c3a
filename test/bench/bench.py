"""Times the emitted kernels next to the hand-written targets, Triton, torch and a plain copy.

  python3 bench.py [group...]           all groups with bars, without those of Hopper (hopper_...)
                                        by default; `extra` has the examples without bars;
                                        a case that misses a bar is timed again, which decides
  python3 bench.py warm [group...]      only compiles the Triton kernels, into Triton's cache

BUILD names the folder of the built libraries, OUT one for results.json, RESULTS.md and table.txt
(and where check.json is, if check.py ran). A group runs in a process of its own: a fault costs one
case.
"""

import json
import os
import signal
import sys
import tempfile
import time
import traceback

import torch

import cases
import cases_hopper  # noqa: F401: adds its cases to the suite's
import cases_products  # noqa: F401: as well
import launchers
import measure
import report
import suite

GROUP_SECONDS = 150
WARM_SECONDS = 240
WARM_AT_ONCE = 12
OUT = os.environ.get("OUT", ".")


def blank(case):
    return dict(
        group=case.group,
        name=case.name,
        kernel=case.kernel,
        bars=case.bars,
        us=None,
        unit=case.unit,
        rates={},
        ratios={},
        problems=[],
        wrong=None,
    )


def disagreement(variants, output):
    """None where ours and the target leave the same result in `output`, else what is wrong."""

    def result(calls):
        output.fill_(float("nan") if output.is_floating_point() else -1)
        calls[0]()
        torch.cuda.synchronize()
        return output.clone()

    # The first call of each list writes to `output`, the first buffer set's.
    reference = result(variants["target"][0]).double()
    error = ((result(variants["ours"][0]).double() - reference).norm() / reference.norm()).item()
    return None if error <= 1e-3 else f"differs from the target by {error:.1e}"


def run_case(case):
    variants, output = case.build()
    result = blank(case)
    if "target" in variants:
        try:
            result["wrong"] = disagreement(variants, output)
        except Exception as error:
            result["wrong"] = f"{type(error).__name__}: {str(error)[:120]}"
    time_variants(case, variants, result)
    if result["ratios"] and report.verdict(result).startswith("NO") and not result["wrong"]:
        result["first"] = result["ratios"]  # a bar was missed: a second run decides
        time_variants(case, variants, result)
    return result


def time_variants(case, variants, result):
    best, result["problems"] = measure.measure(variants)
    result["rates"] = {name: case.rate(name, v.median()) for name, v in best.items()}
    mine = best.get("ours")
    result["us"] = mine.median() * 1e3 if mine else None
    peers = {name: v for name, v in best.items() if name != "ours"}
    result["ratios"] = {
        name: measure.speedup(mine, v) * case.work / case.work_of(name)
        for name, v in peers.items()
        if mine
    }


def print_progress(result):
    rates = "  ".join(f"{name} {value:.0f}" for name, value in result["rates"].items())
    ratios = "  ".join(f"/{name} {value:.3f}" for name, value in result["ratios"].items())
    print(f"{result['name']:36s} {rates}   {ratios}", flush=True)
    for problem in [result.get("wrong"), *result["problems"]]:
        if problem:
            print(f"    {problem}", flush=True)


def child(pending, log):
    """Runs the cases; one line of JSON a case. Ends early once the GPU no longer answers."""
    signal.alarm(GROUP_SECONDS)
    with open(log, "a") as file:
        for case in pending:
            try:
                result = run_case(case)
            except Exception as error:
                result = blank(case) | dict(wrong=f"{type(error).__name__}: {str(error)[:200]}")
            print_progress(result)
            file.write(json.dumps(result) + "\n")
            file.flush()
            try:
                torch.cuda.synchronize()
                torch.cuda.empty_cache()
            except Exception:
                break
    sys.stdout.flush()
    os._exit(0)


def fork(function, *arguments):
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            function(*arguments)
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    return pid


def run_group(group):
    """The results of one group; a case whose process dies counts as failed, the others go on."""
    pending = [c for c in suite.CASES if c.group == group]
    results = []
    while pending:
        log = tempfile.mktemp()
        pid = fork(child, pending, log)
        _, status = os.waitpid(pid, 0)
        done = [json.loads(line) for line in open(log)] if os.path.exists(log) else []
        results += done
        pending = pending[len(done) :]
        if status != 0 and pending:
            dead = pending.pop(0)
            results.append(blank(dead) | dict(wrong=f"process ended with status {status}"))
            print_progress(results[-1])
    return results


def warm_case(case):
    signal.alarm(WARM_SECONDS)
    suite.compile_only = True
    variants, _ = case.build()
    for name, lists in variants.items():
        if name.startswith(("triton", "copy")):
            for calls in lists:
                try:
                    calls[0]()
                except Exception as error:
                    print(
                        f"warm {case.name}: {type(error).__name__}: {str(error)[:160]}", flush=True
                    )
    torch.cuda.synchronize()
    os._exit(0)


def warm(groups):
    start = time.time()
    # The slow compilations first.
    waiting = [c for c in reversed(suite.CASES) if c.group in groups]
    running = 0
    while waiting or running:
        if waiting and running < WARM_AT_ONCE:
            fork(warm_case, waiting.pop(0))
            running += 1
        else:
            os.wait()
            running -= 1
    print(f"warm: Triton kernels compiled in {time.time() - start:.0f} s", flush=True)


def main(arguments):
    only_warm = arguments[:1] == ["warm"]
    # Those of Hopper by name alone: their kernels are not built for other GPUs.
    asked = [g for g in suite.groups() if g != "extra" and not g.startswith("hopper_")]
    groups = arguments[only_warm:] or asked
    for group in groups:
        if group not in suite.groups():
            sys.exit(f"no group {group}; there are {' '.join(suite.groups())}")
    if only_warm:
        return warm(groups)
    print(f"bench: {report.machine()}", flush=True)
    start = time.time()
    results = []
    for group in groups:
        results += run_group(group)
    checks = {}
    if os.path.exists(os.path.join(OUT, "check.json")):
        checks = json.load(open(os.path.join(OUT, "check.json")))
    for result in results:
        library = launchers.library_of(result["kernel"])
        if library in checks:
            result["check"] = "check failed" if checks[library]["failures"] else "ok"
    results += report.mean_rows(results, cases.MEANS)
    text = report.markdown(results, measure.ROUNDS, os.environ.get("COMMIT", "commit unknown"))
    with open(os.path.join(OUT, "results.json"), "w") as file:
        json.dump(dict(machine=report.machine(), results=results), file, indent=1)
    with open(os.path.join(OUT, "RESULTS.md"), "w") as file:
        file.write(text)
    with open(os.path.join(OUT, "table.txt"), "w") as file:
        file.write(report.tables(results) + "\n")
    print(f"bench: {report.summary(results)}, {time.time() - start:.0f} s")
    return 0 if report.all_met(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
