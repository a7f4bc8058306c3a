"""Dots in loops that count in any way: steps, bounds and counters of all kinds, in buffers without a byte to spare."""

from case import Table

X = "load(x + i[all, none] * K + ({k}) * $D + d[none, all])"
W = "load(w + (({k}) * $D + d[all, none]) * 32 + j[none, all])"
DOT = f"acc = dot({X}, {W}, acc);"
HEAD = """
auto pid = grid(M / 64);
auto i = pid * 64 + arange<64>();
auto j = arange<32>();
auto d = arange<$D>();
auto acc = zeros<float, 64, 32>();
const int steps = K / $D;
"""
PUT = "store(y + i[all, none] * 32 + j[none, all], acc + {more});"

# The loop, and what is added to the sums: what the variables are after it.
LOOPS = {
    "after": ("int k = steps;\nwhile (k-- > 0) " + DOT.format(k="k"), "k"),
    "after_up": ("int k = 0;\nwhile (k < steps) {\n  " + DOT.format(k="k") + "\n  ++k;\n}", "k"),
    "unsigned": ("unsigned k = steps;\nwhile (k-- > 0) {\n  " + DOT.format(k="int(k)") + "\n}", "int(k + 1)"),
    "long": ("int64_t k = steps;\nwhile (--k >= 0) {\n  " + DOT.format(k="k") + "\n}", "int(k)"),
    "small": ("int8_t k = int8_t(steps);\nwhile (k-- > 0) {\n  " + DOT.format(k="k") + "\n}", "k"),
    "by_depth": ("int k = K;\nwhile ((k -= $D) >= 0) {\n  " + DOT.format(k="k / $D") + "\n}", "k"),
    "of_parameter": ("while ((K2 -= $D) >= 0) {\n  " + DOT.format(k="K2 / $D") + "\n}", "K2"),
    "by_two": ("int k = steps;\nwhile (k > 0) {\n  k -= 2;\n  if (k >= -1) " + DOT.format(k="maximum(k, 0)") + "\n}", "k"),
    "two_dots": ("int k = steps;\nwhile (k-- > 0) {\n  " + DOT.format(k="k") + "\n  " + DOT.format(k="steps - 1 - k") + "\n}", "0"),
    "continue": ("int k = steps;\nwhile (k-- > 0) {\n  if (k == 1) continue;\n  " + DOT.format(k="k") + "\n}", "k"),
    "break": ("int k = steps;\nwhile (k-- > 0) {\n  " + DOT.format(k="k") + "\n  if (flags[k] > 4) break;\n}", "k"),
    "data_bound": ("int k = minimum(flags[0], steps);\nwhile (k-- > 0) {\n  " + DOT.format(k="k") + "\n}", "k"),
    "data_index": ("int k = steps;\nwhile (k-- > 0) {\n  const int at = flags[k] % steps;\n  " + DOT.format(k="at") + "\n}", "k"),
    "pointers": ("auto px = x + i[all, none] * K + (steps - 1) * $D + d[none, all];\nauto pw = w + ((steps - 1) * $D + d[all, none]) * 32 + j[none, all];\nint k = steps;\n"
                 "while (k-- > 0) {\n  acc = dot(load(px), load(pw), acc);\n  px -= $D;\n  pw -= $D * 32;\n}", "0"),
    "pointers_first": ("auto px = x + i[all, none] * K + steps * $D + d[none, all];\nauto pw = w + (steps * $D + d[all, none]) * 32 + j[none, all];\nfor (int k = steps; k-- > 0;) {\n"
                       "  px -= $D;\n  pw -= $D * 32;\n  acc = dot(load(px), load(pw), acc);\n}", "0"),
    "bound_changes": ("int k = 0, bound = steps;\nwhile (k < bound) {\n  " + DOT.format(k="k") + "\n  ++k;\n  if (flags[k - 1] > 5) --bound;\n}", "k * 2 + bound"),
    "through_reference": ("int k = steps;\nauto& r = k;\nwhile (k > 0) {\n  --r;\n  " + DOT.format(k="k") + "\n}", "r"),
    "in_lambda": ("int k = steps;\nauto next = [&] { return k-- > 0; };\nwhile (next()) {\n  " + DOT.format(k="k") + "\n}", "k"),
    "nested": ("int k = steps;\nwhile (k-- > 0) {\n  int t = 2;\n  while (t-- > 0) {\n    " + DOT.format(k="k") + "\n  }\n}", "0"),
    "rows": ("int k = steps;\nwhile (k-- > 0) {\n  auto left = " + X.format(k="k") + ";\n  left = insert(left, extract<1, $D>(left, k % 64, 0) + left[slice<0, 1>], 5, 0);\n  acc = dot(left, "
             + W.format(k="k") + ", acc);\n}", "0"),
    "sorted": ("int k = steps;\nwhile (k-- > 0) {\n  acc = dot(sort<1>(" + X.format(k="k") + "), " + W.format(k="k") + ", acc);\n}", "0"),
    "table": ("constexpr int order[4] = {3, 1, 0, 2};\nint k = minimum(steps, 4);\nwhile (k-- > 0) {\n  const int at = order[k] % steps;\n  " + DOT.format(k="at") + "\n}", "k"),
    "stored": ("int k = steps;\nwhile (k-- > 0) {\n  " + DOT.format(k="k") + "\n  store(z + (pid * steps + k) * 32 + j, sum<0>(acc));\n}", "0"),
    "null": ("int k = steps;\nwhile (k-- > 0) {\n  " + DOT.format(k="k") + "\n  if (bias) acc += load(bias + j)[none, all] * k;\n}", "0"),
    "carried": ("auto left = zeros<float16, 64, $D>();\nint k = steps;\nwhile (k-- > 0) {\n  acc = dot(left, " + W.format(k="k") + ", acc);\n  left = " + X.format(k="k") + ";\n}", "sum(left)"),
    "two_loops": ("int k = steps;\nwhile (k-- > 1) {\n  " + DOT.format(k="k") + "\n}\nwhile (k >= 0) {\n  " + DOT.format(k="k") + "\n  --k;\n}", "k"),
    "do": ("int k = steps;\nif (k > 0) do {\n  --k;\n  " + DOT.format(k="k") + "\n} while (k > 0);", "k"),
    "condition_too": ("int k = steps;\nwhile (k > 0 && flags[k - 1] < 6) {\n  --k;\n  " + DOT.format(k="k") + "\n}", "k"),
    "data_step": ("int k = steps;\nwhile (k > 0) {\n  k -= 1 + (flags[k - 1] > 3);\n  if (k >= 0) " + DOT.format(k="k") + "\n}", "k"),
}
PARAMETERS = """const float16* x = small(M * K)
const float16* w = small(K * 32)
const int* flags = below(maximum(K // $D, 1), 8)
const float* bias = small(32)
float* y = out(M * 32)
float* z = out(maximum(M * K // $D, 1))
int M
int K
int K2"""


def make(*flags, prefix="", depths=(16, 64), **defaults):
    table = Table(*flags, checks_overflow=True, **defaults)
    for name, (loop, more) in LOOPS.items():
        for depth in depths:
            text = HEAD + loop + "\n" + PUT.format(more=more)
            runs = [{"M": m, "K": k * depth, "K2": k * depth, "shift": 0, **({"null": ("bias",)} if m == 64 and k == 5 else {})}
                    for m, k in ((128, 4), (64, 5), (64, 1), (64, 2), (64, 0)) if k or name not in ("table", "data_bound")]
            parameters = PARAMETERS.replace("$D", str(depth)).replace("maximum(", "max(")
            table.add(f"{prefix}counted_dot_{name}_{depth}", parameters, text.replace("$D", str(depth)), runs, warps=(4,))
    return table


table = make()
