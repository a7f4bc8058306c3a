"""Accumulators that change in some rows: a warp votes, and skips work that only those rows need."""

from case import Table
from cases.soft_cap_sm90 import attention
from cases.pipelines_sm90 import MOVES, SELDOM_MOVES

table = Table()

INNER = "auto inner = where(seen, dot(queries, trans(block_k)), -inf);"
CAPPED = "auto capped = where(inner > -inf, 4.0f * fast_tanh(inner * 0.03125f), -1e9f);"
BENDS = "auto largest = max<1>(abs(inner));\nauto bends = largest > BOUND;"
# Sums, what the loop carries and numbers of the rows change together, and the maximum of what is changed with them.
ROWS = """
              auto next = where(bends, maximum(top, max<1>(capped)), top);
              auto rescale = exp2(top - next);
              total = where(bends, total * rescale, total);
              auto scores = where(bends[all, none], capped, inner);
              auto slope = where(bends, 1.0f, 0.125f);
              auto cube = where(bends, 0.0f, -0.00001f);
              auto weights = exp2(scores * (slope[all, none] + cube[all, none] * (scores * scores)) - next[all, none]);
              total += sum<1>(weights);
              auto rescaled = where(bends[all, none], acc * rescale[all, none], acc);
              acc = dot(cast<float16>(weights), block_v, rescaled);
              top = next;"""
LAZY = BENDS.replace("BOUND", "minimum((top + 2.0f) * 8.0f, BOUND)")
FORMS = {
    "often": INNER + LAZY.replace("BOUND", "2.0f") + CAPPED + ROWS,
    "some": INNER + LAZY.replace("BOUND", "14.0f") + CAPPED + ROWS,
    "seldom": INNER + LAZY.replace("BOUND", "100.0f") + CAPPED + ROWS,
    # The condition asks an or, an and, a not and a difference of what the lanes have.
    "joined": INNER + BENDS.replace("largest > BOUND", "(largest > 14.0f | largest - 3.0f > top * 8.0f) & !(largest < 0.5f) | top < -1e29f") + CAPPED + ROWS,
    # The rows decide by what is computed in front of the reduction's lanes.
    "counted": INNER + "auto largest = max<1>(abs(inner)) + cast<float>(i - i) * top;\nauto bends = largest > 14.0f | top < -1e29f;" + CAPPED + ROWS,
    # The accumulator is read after the change: it is not updated in place.
    "read": INNER
    + LAZY.replace("BOUND", "14.0f")
    + CAPPED
    + ROWS.replace("cast<float16>(weights)", "cast<float16>(weights + 0.0009765625f * where(seen, inner, 0.0f))"),
    # Only per-row values change together with the carried tile.
    "numbers": INNER
    + LAZY.replace("BOUND", "14.0f")
    + CAPPED
    + ROWS.replace("where(bends[all, none], capped, inner)", "where(seen, inner * 0.125f, -1e9f)").replace("-0.00001f", "-0.0001f").replace("0.125f);\n", "0.5f);\n", 1),
    # The dot adds to what a scan makes of the accumulator: that has registers of its own.
    "scanned": INNER + LAZY.replace("BOUND", "14.0f") + CAPPED + ROWS.replace("acc);\n", "acc);\n rescaled = cumsum(0.015625f * rescaled);\n"),
    # The old accumulator is read after its change.
    "kept": INNER + LAZY.replace("BOUND", "14.0f") + CAPPED + ROWS.replace("acc);\n", "acc);\n total += 0.0078125f * max<1>(abs(acc));\n"),
    # Two conditions.
    "moves": INNER + BENDS.replace("BOUND", "14.0f") + CAPPED.replace("4.0f *", "32.0f *") + "auto scores = where(bends[all, none], capped, inner);scores = scores * 0.125f;" + SELDOM_MOVES,
    # The condition is on columns, which are reduced across warps.
    "columns": INNER
    + "auto largest = max<0>(abs(inner));\nauto bends = largest > 14.0f;"
    + CAPPED.replace("4.0f *", "32.0f *")
    + "auto scores = where(bends[none, all], capped, inner);\nscores = scores * 0.125f;"
    + MOVES,
}


def add(into, prefix, warps):
    for form, step in FORMS.items():
        for causal in (False, True):
            attention(prefix + form, step, 64, 32, 64, causal, 2, into=into, warps=warps)
            attention(prefix + form, step, 128, 64, 32, causal, 2, into=into, warps=(8,))
    attention(prefix + "some", FORMS["some"], 64, 64, 128, True, 3, into=into, warps=(4,))


add(table, "rows_", (1, 2, 4, 8))
