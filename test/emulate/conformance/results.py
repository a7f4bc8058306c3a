"""What running the rows gave: conformance/results.tsv, one line for each row, and CONFORMANCE.md, made from both.

A result belongs to a digest of the row and of the text of its cases. After a change of either the row counts as changed
since its run. Nothing but `table --update` writes results.
"""

import csv
import dataclasses
import hashlib
import pathlib

from conformance.rows import SECTIONS

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results.tsv"
DOCUMENT = HERE.parent / "CONFORMANCE.md"


@dataclasses.dataclass
class Result:
    key: str
    digest: str
    state: str  # passed, failed, not supported, does not apply
    kernels: int = 0
    runs: int = 0
    computed: int = 0  # kernels whose results Python computes
    gpu: str = ""  # "passed" or "failed", on a GPU, with the same digest
    message: str = ""


WORDS = ("key", "claim", "remark", "absent")
FIELDS = [field.name for field in dataclasses.fields(Result)]


# Fields of a case that came after the first results: those of cases without them hold.
LATER = ("signature", "call")


def digest_of_case(case):
    case = dataclasses.replace(case, expected=case.expected is not None)
    values = {f.name: getattr(case, f.name) for f in dataclasses.fields(case)}
    text = f"Case({', '.join(f'{k}={v!r}' for k, v in values.items() if v or k not in LATER)})"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def digest_of(row, cases):
    """Of what a result depends on: not of the words."""
    parts = {f.name: getattr(row, f.name) for f in dataclasses.fields(row) if f.name not in WORDS}
    text = repr({name: part for name, part in parts.items() if part}) + "".join(digest_of_case(case) for _, case in cases)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def read():
    if not RESULTS.exists():
        return {}
    with RESULTS.open() as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    numbers = ("kernels", "runs", "computed")
    return {r["key"]: Result(**{**r, **{k: int(r[k]) for k in numbers}}) for r in rows}


def write(results, rows):
    lines = ["\t".join(FIELDS)]
    for row in rows:
        if row.key in results:
            values = dataclasses.astuple(results[row.key])
            lines.append("\t".join(" ".join(str(value).split()) for value in values))
    RESULTS.write_text("\n".join(lines) + "\n")


HEAD = """# Conformance

What Triton's own tests cover, claim by claim, and what became of it here. `test/emulate/table --update` wrote this page
from the rows in `conformance/` and from the results of its runs; see [the README](README.md#conformance). The sections are
those of Triton's test suite, and one more. What concerns compute capability 10.0 is not in the table.

* *passed*: every kernel gave the results of the C++ reference on the emulator, under its checks of races and accesses.
* *computed*: kernels of which Python computed the results too, from the same data, without `tile.h`.
* *failed*: a kernel gave other results, was refused although it should work, or the cases do not hold all of the claim.
* *not supported*: tile2cu refuses it, with the message that is quoted. That it does was tested.
* *does not apply*: the claim is about Python, or about a machine that is not a target.
* *not run*: not since the row was written.
* *GPU*: the same kernels, compiled by nvcc, on a GPU.

"""


def totals(rows, results):
    counts = {}
    for row in rows:
        state = results[row.key].state if row.key in results else "not run"
        counts[state] = counts.get(state, 0) + 1
    return counts


def text_of(row, result):
    """The last column."""
    parts = [row.remark] if row.remark else []
    if row.absent:
        parts.append(row.absent)
    elif result and result.message:
        parts.append(f"`{result.message}`")
    if row.cases:
        parts.append(" ".join(f"`{pattern}`" for pattern in row.cases))
    parts += [f"`{job}`" for job in row.jobs]
    parts += [f"`{test.split(': ')[0]}`" for test in row.tests]
    return "; ".join(parts).replace("|", "\\|")


def rendered(rows, results):
    counts = totals(rows, results)
    text = HEAD + f"{len(rows)} claims: " + ", ".join(f"{n} {s}" for s, n in sorted(counts.items())) + ".\n"
    for letter, title in SECTIONS.items():
        text += f"\n## {letter}. {title}\n\n"
        text += "| | claim | state | kernels | runs | computed | GPU | cases, remarks |\n|---|---|---|---|---|---|---|---|\n"
        for row in rows:
            if not row.key.startswith(letter):
                continue
            r = results.get(row.key)
            numbers = [r.kernels, r.runs, r.computed] if r else [0, 0, 0]
            cells = [row.key, row.claim.replace("|", "\\|"), r.state if r else "not run"]
            cells += [str(n) if n else "" for n in numbers] + [r.gpu if r else "", text_of(row, r)]
            text += "| " + " | ".join(cells) + " |\n"
    return text
