"""Features of programs, each found by words of the program's text. test/fuzz/run --features counts the programs with each."""

import collections
import re

FEATURES = {
    "last program": r"\blasts \+",
    "queue of items": r"q\d+ = atomic_add\(tickets",
    "sums of old values": r"atomic_add\(tickets \+ \d+, (atomic_add|sum)",
    "sums of neighbours": r"atomic_add\(all_sums",
    "atomics without order": r"atomic_\w+\(updated",
    "compare-and-swap": r"atomic_cas\(",
    "scan": r"associative_scan<",
    "scan of 3 or more tiles": r"associative_scan<\d+>\((?:std::make_)?tuple\((?:[^,]*,){2}",
    "reduce": r"\breduce<",
    "std::tuple of tiles": r"<\d+>\(std::make_tuple",
    "batched dot": r"\bbatch\d+ = dot",
    "dot": r"\bdot\(",
    "float16 accumulators": r"acc\d+ = zeros<float16, \d+, \d+>",
    "dot of 8-bit floats": r"dot\([^;]*\bin8|dot\(cast<float8",
    "no grid": r"auto pid = program_id\(0\)|for \(auto pid = program_id",
    "num_sms": r"num_sms\(\)",
    "persistent_range": r"(persistent|dynamic)_range",
    "descriptors as values": r"auto d\d+ = (d\d+;|.* \? d\d+ : d\d+|\[.*\bd\d+|d\d+\()",
    "tuples": r"auto q\d+ = (std::make_)?tuple|std::tuple<",
    "std::pair": r"std::(make_)?pair",
    "std::array": r"std::array<(?!.*candidate)",
    "std::swap or exchange": r"std::(swap|exchange)",
    "class templates": r"template <class T, int COUNT",
    "casts to a derived class": r"static_cast<(const )?Derived",
    "defaulted comparisons": r"<=>",
    "tiles of 6 to 8 dimensions": r"(reshape|zeros|full|iota|broadcast_to|permute)<(\w+, )?(\d+, ){5,7}\d+>",
    "randn or fast_tanh": r"randn\(|fast_tanh",
    "loads that are never 0": r"load\(positive \+",
    "swizzle2d": r"swizzle2d\(",
    "tables": r"constexpr [^;]*\btab\d+\[|_t\d+(_of::all|\.data\(\))?( \+|\[)",
    "pointers that may be null": r"\bmaybe(_too|_out)?\b",
    "arrays at indices of the run": r"\bd\d+\[\(\(",
    "prints": r"\bdevice_print\(",
    "counting down around dots": r"(-- > 0|--\w+ >= 0|> 0\) \{|> -1\) \{|>= 0; --).*\n(.*\n){1,12}.*= dot\(",
    "a step in the condition": r"while \([^;{]*(--|\+\+)",
}


def of(case):
    """The features of a program."""
    text = case.source()
    return [name for name, pattern in FEATURES.items() if re.search(pattern, text)]


def count(cases, compared):
    """feature -> how many programs have it, and how many of them were compared."""
    made, seen = collections.Counter(), collections.Counter()
    for case in cases:
        for name in of(case):
            made[name] += 1
            seen[name] += case.name in compared
    return made, seen
