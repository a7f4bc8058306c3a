"""From results to one table: ratios, bars, and the text of RESULTS.md."""

import math
import subprocess
import time

TOLERANCE = 0.02  # a bar T is met at T - 0.02: ratios within 2 % are noise
# The columns of a table: our own plain product of matrices stands where a copy does for bytes.
PEERS_OF = {
    "GB/s": ("target", "triton", "torch", "copy"),
    "TFLOP/s": ("target", "triton", "torch", "own"),
}
PEERS = ("target", "triton", "torch", "copy", "own")
BEST_OF = ("triton", "torch")  # a bar of `best` is for the faster of these
TITLES = {"target": "target", "triton": "Triton", "torch": "torch", "copy": "copy", "own": "own f16"}
SHORT = {"target": "tgt", "triton": "Tri", "torch": "torch", "copy": "copy", "own": "own", "best": "best"}


def machine():
    """The GPU's name and driver, and versions, without starting CUDA in this process."""
    import torch
    import triton

    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        gpu = subprocess.run(query, capture_output=True, text=True, timeout=20).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        gpu = ""
    nvcc = ""
    try:
        text = subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout
        nvcc = text.split("release ")[1].split(",")[0]
    except (OSError, IndexError):
        pass
    gpu = gpu.splitlines()[0] if gpu else "unknown GPU"
    return f"{gpu}; nvcc {nvcc}, torch {torch.__version__}, Triton {triton.__version__}"


def met(ratio, bar):
    return ratio is not None and ratio >= bar - TOLERANCE


def ratio_to(result, peer):
    """Ours over the peer; None where it was not measured."""
    if peer != "best" or "best" in result["ratios"]:
        return result["ratios"].get(peer)
    ratios = [result["ratios"][each] for each in BEST_OF if each in result["ratios"]]
    return min(ratios) if len(ratios) == len(BEST_OF) else None


def bar_of(result, peer):
    """A bar; where the hand-written target was timed too, none is above what that reaches."""
    bar, ratios = result["bars"][peer], result["ratios"]
    if peer == "own" and ratios.get("target") and ratios.get("own"):
        bar = min(bar, ratios["own"] / ratios["target"])
    return bar


def verdict(result):
    """'yes', or what is missing."""
    if result.get("check") not in (None, "ok"):
        return f"NO: {result['check']}"
    if result.get("wrong"):
        return f"NO: {result['wrong']}"
    short = [
        peer
        for peer in result["bars"]
        if not met(ratio_to(result, peer), bar_of(result, peer))
    ]
    if short:
        return "NO: " + ", ".join(short)
    return "yes" if result["bars"] else "-"


def decided(result):
    """The verdict, and whether it took a second run."""
    return verdict(result) + (" (2nd run)" if result.get("first") else "")


def mean_rows(results, means):
    """The geometric means that have bars of their own, as further results."""
    rows = []
    for group, bars in means.items():
        of_group = [r for r in results if r["group"] == group]
        ratios = {}
        for peer in (*PEERS, "best"):
            values = [ratio_to(r, peer) for r in of_group]
            if values and all(values):
                ratios[peer] = math.exp(sum(math.log(v) for v in values) / len(values))
        if of_group:
            rows.append(
                dict(
                    group=group,
                    name=f"{group}: geometric mean",
                    unit=of_group[0]["unit"],
                    ratios=ratios,
                    bars=bars,
                    rates={},
                )
            )
    return rows


def header(unit):
    peers = [TITLES[peer] for peer in PEERS_OF[unit]]
    return ["case", "us", unit, *peers, *("/" + peer for peer in peers), "bars", "met"]


def cells(result):
    rates, ratios = result["rates"], result["ratios"]
    peers = PEERS_OF[result["unit"]]
    number = lambda value, form: format(value, form) if value is not None else "-"
    return [
        result["name"],
        number(result.get("us"), ".1f"),
        number(rates.get("ours"), ".0f"),
        *(number(rates.get(peer), ".0f") for peer in peers),
        *(number(ratios.get(peer), ".3f") for peer in peers),
        " ".join(bar_text(result, peer) for peer in result["bars"]) or "-",
        decided(result),
    ]


def bar_text(result, peer):
    """A bar; with what was reached, where no column says it."""
    bar, reached = result["bars"][peer], bar_of(result, peer)
    text = f"{SHORT[peer]} {bar:g}" + (f" (tgt {reached:.3f})" if reached < bar else "")
    ratio = ratio_to(result, peer) if peer == "best" else None
    return text if ratio is None else f"{text} (is {ratio:.3f})"


def tables(results, markdown=False):
    """A table for the memory-bound kernels, one for those that compute."""
    parts = {unit: [r for r in results if r["unit"] == unit] for unit in PEERS_OF}
    return "\n\n".join(table(u, part, markdown) for u, part in parts.items() if part)


def table(unit, results, markdown):
    rows = [header(unit)] + [cells(r) for r in results]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    left = {0, len(rows[0]) - 2, len(rows[0]) - 1}
    lines = []
    for row in rows:
        padded = [
            c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))
        ]
        lines.append("| " + " | ".join(padded) + " |" if markdown else "  ".join(padded).rstrip())
    if markdown:
        rule = ["-" * w if i in left else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
        lines.insert(1, "| " + " | ".join(rule) + " |")
    return "\n".join(lines)


def all_met(results):
    return all(verdict(r) == "yes" for r in results if r["bars"])


def summary(results):
    with_bars = [r for r in results if r["bars"]]
    good = sum(verdict(r) == "yes" for r in with_bars)
    return f"{good} of {len(with_bars)} bars met"


def markdown(results, rounds, commit):
    extra = [
        f"- {r['name']}: {name} {r['rates'][name]:.0f} {r['unit']}"
        for r in results
        for name in r["rates"]
        if name not in ("ours", *PEERS)
    ]
    problems = [f"- {r['name']}: {p}" for r in results for p in r.get("problems", [])]
    parts = [
        "# Speed, measured side by side",
        "",
        f"{time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}, {machine()}, {commit}.",
        "",
        "Compared in one process: the emitted kernel (ours), the hand-written target of the same",
        "kernel, Triton (the fastest of its num_warps), torch, and a plain copy that moves as many",
        "bytes. Each is a CUDA graph over enough buffers to defeat the L2 cache; they are replayed",
        f"in turns, for {rounds} rounds. GB/s count each input and output once, at the median.",
        "Of products and attention TFLOP/s count multiplications and additions, causal attention half;",
        "torch is cuBLAS (for weights of 8 and 4 bits with f16), and FlashAttention-2, in the cases",
        "named sm_90a cuDNN; best is the faster of Triton and torch; own f16 is our own plain kernel (per",
        "operation, where it does not do as many).",
        "A ratio is ours over the peer in speed, the median of the ratios within a round.",
        "No bar is above what the hand-written target of the same variant reaches (tgt).",
        f"A bar T is met at T - {TOLERANCE:g}, and only where the correctness checks passed;",
        "a case that misses one is timed again, and the second run decides.",
        "",
        tables(results, markdown=True),
        "",
        summary(results) + ".",
        "",
    ]
    if extra:
        parts += [
            "Further variants (triton_fill: torch's zero_() in place of a memset):",
            "",
            *extra,
            "",
        ]
    if problems:
        parts += ["Variants that did not run:", "", *problems, ""]
    return "\n".join(parts)
