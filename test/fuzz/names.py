"""Names that the emitted text uses itself, for the parameters, variables and template arguments of generated kernels."""

import re

# Of the text's numbers.
CONSTANTS = [
    "BLOCK", "VEC", "VECS", "VEC_2", "NUM_WARPS", "NUM_WARPS_2", "NUM_THREADS", "BLOCKS", "PROGRAMS_PER_BLOCK",
    "RESIDENT_THREADS", "ROW_STEPS", "STAGES", "HALVES", "STEPS", "CHUNK", "CHUNKS", "LANES", "ROWS", "COLUMNS", "STRIDE", "WIDTH",
    "WORDS", "WARPS", "DEPTH", "BYTES", "PAIR", "PENDING", "INSTRUCTION", "POLICY", "MMA_COLUMNS", "MMA_ROWS", "GROUP", "SPLITS", "ROUNDS",
    "M", "N", "K", "D", "D_0", "D_1", "B", "half", "half_2", "uint", "warpSize", "Run", "Launch", "To", "Op", "V", "P", "A",
]
# Of its variables and parameters.
LOCALS = [
    "i", "j", "k", "r", "v", "e", "w", "kk", "i_2", "i_3", "lane", "warp", "tid", "smem", "stage", "word", "mask", "vec", "acc", "row", "col",
    "column", "start", "key", "reg", "pred", "valid_rows", "first_row", "program", "programs", "programs_x", "offset", "current", "launch",
    "launch_programs", "count", "free_stage", "blocks", "step", "run", "next_stage", "partial", "scanned", "moved", "index", "length",
    "loop", "base", "carry", "before_lane", "before_warp", "ring", "result", "captured", "x", "y", "a", "b", "tile", "value", "total", "added", "asked",
    "vectors", "word_if", "group", "map_value", "phase", "full", "empty", "status", "stream", "device", "candidates", "bytes", "aligned", "in_range",
    "partial_2", "result_2", "lane_2", "acc_2", "exchange", "exchange_words", "Square", "half", "uint", "dim3", "float4", "threadIdx", "blockIdx",
    "warpSize", "dynamic_smem", "error", "best", "saved", "size", "bits", "other", "shared", "all_lanes", "sum_op", "next", "first", "last",
]
# What the generator calls its own variables; no functions and no types.
OWN = re.compile(r"(?<![.\w])(?!(?:float16|bfloat16|v\d|log2|exp2|log10|exp10|atan2|int\d+|uint\d+|tf32x3)\b)[a-z]+\d+\b(?! ?[<(])")


def renamed(text, names):
    """The text with other names: old -> new, all at once."""
    if not names:
        return text
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"(?<![.\w])({words})\b", lambda found: names[found[1]], text)


def odd_names(rng, kernel, texts, owned):
    """New names for some of `owned` and of the generator's own variables in the texts; no word of the texts is among them."""
    camel = "".join(part[:1].upper() + part[1:] for part in kernel.split("_"))
    used = set(re.findall(r"\w+", " ".join(texts))) | set(owned)
    mine = sorted(set(OWN.findall(" ".join(texts))) - set(owned))
    old = rng.sample(owned, min(len(owned), rng.randrange(0, 4))) + rng.sample(mine, min(len(mine), rng.randrange(0, 5)))
    derived = [f"{name}{end}" for name in old[:3] + mine[:3] for end in ("_2", "_tile", "_base", "_smem", "_ring", "_next", "_half", "_row")]
    derived += [f"{start}{name}" for name in old[:2] for start in ("next_", "first_", "valid_")]
    derived += [f"{camel}{end}" for end in ("Map", "Combine", "Smem", "Map2")]
    derived += [f"{kernel}_kernel", f"launch_{kernel}", f"{kernel}_w0", kernel, f"{kernel}_part", f"{kernel}_epilogue"]
    new = [name for name in dict.fromkeys(LOCALS + CONSTANTS[:20] + rng.sample(derived, min(len(derived), 12))) if name not in used]
    return dict(zip(old, rng.sample(new, min(len(new), len(old)))))
