"""Loops over types of variable, start, bound and step: C++'s conversions, the ends of each type, `break`.

A kernel has a dozen loops of one pair of types. Each counts its steps and mixes the variable's values into a number, and is left
by `break` after `limit` steps, so that those which C++ does not end are compared as well.
"""

from case import Table, warps_of

table = Table(checks_overflow=True)

SIGNED = {"int8_t": 8, "int16_t": 16, "int": 32, "int64_t": 64}
UNSIGNED = {"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64}
INTEGERS = [*SIGNED, *UNSIGNED]
FLOATS = ["float", "double"]
BOUNDS = [*INTEGERS, *FLOATS, "bool"]

# A variable that is added to as its own type wants; `s` is a step of a type of its own.
HEADS = [
    "i < b; ++i",
    "i <= b; i += 3",
    "i > b; --i",
    "b <= i; i -= 2",
    "i != b; ++i",
    "i == b; ++i",
    "i <= b; --i",
    "i >= b; i += -1",
    "b > i; i += s",
    "i > b; i -= s",
    "i < b; i += 2u",
    "i < 100; i += s",
]


def ends(kind):
    """The least and the largest number of a type that are asked for."""
    if kind in SIGNED:
        return -(2 ** (SIGNED[kind] - 1)), 2 ** (SIGNED[kind] - 1) - 1
    if kind in UNSIGNED:
        return 0, 2 ** UNSIGNED[kind] - 1
    return (0, 1) if kind == "bool" else (-(2**24), 2**24)


def clamp(value, kind):
    low, high = ends(kind)
    return min(max(value, low), high)


def fits(run):
    """The driver has 64-bit numbers: of uint64_t the upper half is written as negative ones."""
    return {k: v - 2**64 if isinstance(v, int) and v >= 2**63 else v for k, v in run.items()}


def counted(head):
    return f"""{{
  int t = 0;
  uint64_t h = 0;
  for ({head}) {{
    h = h * 31 + uint64_t(int64_t(i));
    if (++t >= limit) break;
  }}
  store(out + at, int64_t(t));
  store(out + at + 1, int64_t(h));
  at += 2;
}}
"""


def pair(variable, bound):
    low, high = ends(variable)
    half = 0.5 if bound in FLOATS else 0
    runs = [(0, 7 + half, 24), (3, 3, 24), (5, 2 - half, 24), (clamp(-4, variable), 6, 24), (7, clamp(-3, bound), 24)]
    # Near the ends numbers that are undefined when they overflow are left before they do: 3 is the largest step.
    wraps = variable not in ("int", "int64_t", *FLOATS)
    runs += [(high - 9, clamp(high, bound), 24 if wraps else 3), (low + 9, clamp(low, bound), 24 if wraps else 3)]
    runs += [(high - 2, clamp(high - 1, bound), 24 if wraps else 1)]
    body = "grid(1);\nint at = 0;\n" + "".join(counted(f"{variable} i = a; {head}") for head in HEADS)
    if variable in FLOATS:
        body = body.replace("int64_t(i)", "int64_t(i * 2)")
    table.add(
        f"for_{variable}_{bound}".removesuffix("_t").replace("_t_", "_"),
        f"int64_t* out = out({2 * len(HEADS)})\n{variable} a\n{bound} b\nint s\nint limit",
        body,
        [fits({"a": a, "b": b if bound in FLOATS else int(clamp(b, bound)), "s": s, "limit": limit, "shift": 0})
         for a, b, limit in runs for s in (2,) if limit != 1 or s == 2],
        warps=(1,),
    )


def pairs():
    for variable in [*INTEGERS, *FLOATS]:
        for bound in BOUNDS:
            pair(variable, bound)


# range(...): the index has the promoted type, the steps are those of the exact numbers.
def ranges():
    heads = ["range(b)", "range(a, b)", "range(a, b, 3)", "range(a, b, -2)", "range(b, a, -1)", "range(a, b, u)", "range(a, b, q)", "range(b, a, -3)",
             "range(0, b, 536870912)", "range(a & 7, b, 536870912)", "range(b, a & 7, -536870912)"]
    kinds = [("int", "int"), ("int64_t", "int64_t"), ("uint32_t", "uint32_t"), ("uint64_t", "uint64_t"), ("int", "uint32_t"),
             ("uint32_t", "int64_t"), ("int64_t", "uint64_t"), ("uint64_t", "int"), ("int8_t", "int8_t"), ("uint16_t", "int"), ("int", "bool")]
    for a, b in kinds:
        low, high = max(ends(a)[0], ends(b)[0]), min(ends(a)[1], ends(b)[1])
        begins = [(0, 7), (3, 3), (9, 2), (high - 10, high), (high, high - 8), (low, low + 9), (low + 10, low), (high - 3, high - 1)]
        begins += [(clamp(-5, a), 4), (4, clamp(-5, b)), (ends(a)[0], ends(b)[1]), (ends(a)[1], ends(b)[0])]
        body = "require(q > 0);\ngrid(1);\nint at = 0;\n"
        for head in heads:
            loop = counted("").replace("for ()", f"for (auto i : {head})")
            body += loop
        for kind in ("int", "int8_t", "float"):  # a variable of another type than the index
            body += counted("").replace("for ()", f"for ({kind} i : range(a, b, 2))").replace("int64_t(i)", "int64_t(i)" if kind != "float" else "int64_t(i / 1024)")
        for step in (0, 1, 3, 200):
            runs = [fits({"a": int(clamp(x, a)), "b": int(clamp(y, b)), "u": step, "q": max(1, step), "limit": 24, "shift": 0}) for x, y in begins]
            if step == 200:
                runs = runs[:1] + runs[3:5]
            if step == 0:
                runs = runs[:3]
            kept = runs if step == 0 else kept + runs
        table.add(
            f"range_{a}_{b}".replace("_t", ""),
            f"int64_t* out = out({2 * len(heads) + 6})\n{a} a\n{b} b\nuint32_t u\nint q\nint limit",
            body, kept, warps=(1,),
        )  # fmt: skip


def others():
    """Ranges of constants, items of programs, `while`."""
    text = "grid(1);\nint at = 0;\nconstexpr int MOST = 2147483647, LEAST = -MOST - 1;\n"
    heads = ["MOST - 7, MOST, 3", "LEAST + 5, LEAST, -2", "3, 3", "5, 2", "2, 3", "-2, 3, 100", "LEAST, MOST, MOST"]
    for head in heads:
        for of in ("static_range<{}>()", "range({})"):
            loop = counted("").replace("for ()", f"for (auto i : {of.format(head)})")
            text += loop.replace("    if (++t >= limit) break;\n", "    ++t;\n")
    for of in ("int i = MOST - 2; i <= MOST; ++i", "unsigned i = 4294967290u; i < 4294967295u; i += 2", "unsigned i = 10; i <= 10; --i",
               "unsigned i = 10; i < 11; i += 4294967295u", "unsigned i = 5; i != 2; ++i", "unsigned i = 5; i != 2; --i", "unsigned i = 5; i > 2; --i",
               "uint8_t i = 250; i <= 255; ++i", "int8_t i = 120; i < 128; ++i", "int i = -1; i < sizeof(int); ++i", "int i = 0; i < sizeof(int); ++i",
               "int i = 0; i < 2.5; ++i", "int64_t i = 5; i >= 0u; --i", "uint64_t i = 3; i >= 0; --i", "unsigned i = 3; i >= 1; i -= 2",
               "int64_t i = 4294967290; i < 4294967300; i = uint32_t(i) + 1", "int64_t i = 4294967290; uint32_t(i) < 4294967295u; ++i",
               "int64_t i = 0; int8_t(i) < 127; i += 2", "int i = 200; uint8_t(i) < 255; i += 3", "int i = 0; int64_t(i) < 9; i = i + 2"):
        text += counted(of).replace(">= limit", ">= 3" if "MOST; ++i" in of else ">= limit")
    table.add("constants", f"int64_t* out = out({4 * len(heads) + 40})\nint limit", text, [{"limit": n} for n in (1, 24)], warps=(1, 2))

    # How many programs there are without a grid is up to the device.
    items = "for (auto i : persistent_range(n)) {{\n  if (i < 300) store(out + i, i * 3 + {0});\n{1}}}"
    for name, kind, before, mixed in (("all", "int64_t", "", "1"), ("narrow", "uint8_t", "", "1"), ("grid", "int64_t", "grid(3);\n", "t")):
        end = "  if (++t >= limit) break;\n" if before else ""
        runs = [{"n": n, "limit": limit} for n, limit in ((0, 9), (1, 9), (255, 300), (255, 1))]
        runs += [{"n": 2**63 - 1, "limit": 2}] if before else []
        table.add(f"persistent_{name}", f"int64_t* out = out(300)\n{kind} n\nint limit",
                  before + "int t = 0;\n" + items.format(mixed, end), runs, warps=(1, 4))  # fmt: skip
    body = "grid(1);\nint at = 0;\n"
    for head in HEADS:
        for kind in ("short", "unsigned"):
            condition, step = head.split("; ")
            step = step.replace("++i", "i += 1").replace("--i", "i -= 1")
            body += f"""{{
  int t = 0;
  {kind} i = a;
  while ({condition}) {{
    {step};
    if (++t >= limit) break;
  }}
  store(out + at, int64_t(t));
  store(out + at + 1, int64_t(i));
  at += 2;
}}
"""
    runs = [{"a": a, "b": b, "s": 2, "limit": 24} for a, b in ((0, 7.5), (5, 1.5), (-4, 6), (32760, 32767), (-32760, -32768))]
    table.add("while_mixed", f"int64_t* out = out({4 * len(HEADS)})\nint a\nfloat b\nint s\nint limit", body, runs, warps=(1,))


# The variable in addresses and masks of a tile that the loop carries: what is said of its sign and range is used there.
def tiles():
    heads = {
        "fall": ("int k = 8; k < n; k += s", "if (k <= -8) break;"),
        "fall_until": ("int k = n; k > -9; k -= 3", ""),
        "unsigned_wraps": ("unsigned k = 6; k <= 6; --k", ""),
        "unsigned_int": ("int k = 0; k < unsigned(n); ++k", ""),
        "float": ("int k = 0; k < n * 0.5f; ++k", ""),
        "narrow": ("int8_t k = 120; k != -120; ++k", ""),
        "wide": ("int k = 0; k < int64_t(n); k += 2", ""),
        "zero": ("int k = 5; k < n; k += s + 8", "if (++turns == 3) break;"),
        "range_up": ("auto k : range(n - 7, n, 4)", ""),
        "range_down": ("auto k : range(n, n - 7, -4)", ""),
        "range_unsigned": ("auto k : range(1u, unsigned(n), 4)", ""),
        "range_unsigned_down": ("auto k : range(unsigned(n), 1u, -4)", ""),
        "range_mixed": ("auto k : range(-3, unsigned(n) / 4)", ""),
        "return": ("int k = 8; k < n; k += s", "if (k <= -8) { store(o + i, acc); return; }"),
    }  # fmt: skip
    for name, (head, end) in heads.items():
        table.add(
            f"tile_{name}",
            "const float* x = small(64)\nfloat* o = out(128)\nint n\nint s",
            f"""
            grid(1);
            auto i = arange<128>();
            auto acc = zeros<float, 128>();
            int turns = 0;
            for ({head}) {{
              acc += load(x + ((4 * k + i) % 16 + 16));
              acc += load(x + (k % 4 + 8) + i % 16, k % 8 + i < 100, 1.0f);
              acc += where(k / 4 * 4 + i % 8 < n, acc * 0.5f, 2.0f);
              {end}
            }}
            store(o + i, acc);
            """,
            [{"n": n, "s": -8} for n in (20, 12, 9)],
            warps=warps_of(name, 2),
        )


for make in (pairs, ranges, others, tiles):
    make()
