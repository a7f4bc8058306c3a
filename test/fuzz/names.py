"""Names that the emitted text uses itself, for the parameters, variables and template arguments of generated kernels."""

import re

# Names of constants.
CONSTANTS = [
    "BLOCK", "VEC", "VECS", "VEC_2", "NUM_WARPS", "NUM_WARPS_2", "NUM_THREADS", "CLUSTER", "PROGRAMS_PER_BLOCK",
    "RESIDENT_THREADS", "ROW_STEPS", "STAGES", "HALVES", "STEPS", "CHUNK", "CHUNKS", "LANES", "ROWS", "COLUMNS", "STRIDE", "WIDTH",
    "WORDS", "WARPS", "DEPTH", "BYTES", "PAIR", "PENDING", "INSTRUCTION", "POLICY", "N_TILES", "M_TILES", "GROUP", "SPLITS", "ROUNDS",
    "M", "N", "K", "D", "D_0", "D_1", "B", "half", "half_value", "uint", "warpSize", "Run", "Launch", "To", "Op", "V", "P", "A",
]
# Names of variables and parameters.
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


# In front of a variable's or a kernel's name, or alone: of functions that the emitted text makes of parts of a kernel.
PARTS = ["compute_", "store_", "update_", "load_", "reduce_", "multiply_", "launch_", "next_", "inv_", "new_", "programs_", "program_", "evict_"]
WHOLE = ["compute", "epilogue", "loaded", "load_fragments", "reduce_add_if", "launch", "partial", "part", "multiply", "update", "barrier_0", "mma_0"]
# Variables that a text declares; names in an array of them, or of members, stand elsewhere.
DECLARED = re.compile(r"\b(?:auto&?|int|float|double|bool|unsigned|tile<[^;=(]*>|u?int\d+_t|b?float16) (\w+)(?= ?[=;:\[{])|\bauto&? \[([\w, ]+)\]")


def declared_in(text):
    """The variables that a text declares, in order."""
    found = [name for match in DECLARED.findall(text) for part in match if part for name in re.split(r", *", part)]
    return list(dict.fromkeys(found))


def derived_names(rng, kernel, names):
    """Names that the emitted text may make of those of a kernel and its variables."""
    camel = "".join(part[:1].upper() + part[1:] for part in kernel.split("_"))
    result = [f"{name}{end}" for name in names for end in ("_2", "_tile", "_base", "_smem", "_ring", "_next", "_half", "_row", "_k", "_left")]
    result += [f"{start}{name}" for name in names for start in [*PARTS, "first_", "valid_"]]
    result += [f"{start}{a}_{b}" for a, b in zip(names, names[1:]) for start in PARTS[:4]]
    result += [f"{camel}{end}" for end in ("Map", "Combine", "Smem", "Map2")]
    result += [f"{kernel}_kernel", f"launch_{kernel}", f"{kernel}_w0", kernel, f"{kernel}_part", f"{kernel}_epilogue"]
    result += [f"{kernel}_{start}{name}" for name in names[:3] for start in PARTS[:3]]
    result += [camel, f"{camel}Kernel", "Smem", "run", "run_part", "producer", "consumer", "epilogue", "epilogue_part"]
    return rng.sample(result, min(len(result), 16))


def renamed(text, names):
    """The text with other names: old -> new, all at once."""
    if not names:
        return text
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"(?<![.\w])({words})\b", lambda found: names[found[1]], text)


def odd_names(rng, kernel, texts, owned):
    """New names for some of `owned` and of the generator's own variables in the texts; no word of the texts is among them."""
    used = set(re.findall(r"\w+", " ".join(texts))) | set(owned)
    mine = sorted(set(OWN.findall(" ".join(texts))) - set(owned))
    old = rng.sample(owned, min(len(owned), rng.randrange(0, 4))) + rng.sample(mine, min(len(mine), rng.randrange(0, 5)))
    derived = derived_names(rng, kernel, old[:3] + mine[:3])
    new = rng.sample(LOCALS + CONSTANTS[:20], 24) + WHOLE + derived
    new = [name for name in dict.fromkeys(new) if name not in used]
    return dict(zip(old, rng.sample(new, min(len(new), len(old)))))
