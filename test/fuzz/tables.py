"""Constant arrays that are indexed at run time: of the file, of a function, of a class, computed ones, rows, structs."""

import dataclasses

import values as v
from moves import list_of
from values import F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Value, literal

TYPES = [I32, I32, F32, F32, I8, U8, I16, U16, U32, I64, U64, F64]


@dataclasses.dataclass
class Table:
    """A table: the text of a pointer to its first number, and what its numbers are."""

    base: str
    indexed: str  # with {i}: one number
    count: int
    value: Value


def numbers(rng, type_, count):
    """So many small numbers of the type: as text, and the least and the largest."""
    low = 0 if type_.kind == "u" else -100
    chosen = [rng.choice([0, 1, 100, low, rng.randrange(low, 101)]) for _ in range(count)]
    return list_of(chosen), min(chosen), max(chosen)


def declared(expressions, scope):
    """A new table, or one that the kernel has."""
    rng, kernel = expressions.rng, scope.kernel
    if kernel.tables and rng.random() < 0.5:
        return rng.choice(kernel.tables)
    type_, count = rng.choice(TYPES), rng.choice([1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 100])
    text, low, high = numbers(rng, type_, count)
    value = Value("", type_, (), low, high)
    if kernel.is_helper or rng.random() < 0.2:
        name = kernel.name("tab")
        scope.write(f"{rng.choice(['constexpr', 'static constexpr', 'const'])} {type_.name} {name}[{count}] = {{{text}}};")
        return Table(name, f"{name}[{{i}}]", count, value)
    name = f"{kernel.title}_t{kernel.counter}"
    kernel.counter += 1
    of = type_.name
    form = rng.choice(["plain", "plain", "array", "computed", "member", "rows", "structs"])
    table = Table(name, f"{name}[{{i}}]", count, value)
    if form == "plain":
        lines = f"constexpr {of} {name}[{count}] = {{{text}}};\n"
    elif form == "array":
        lines = f"constexpr std::array<{of}, {count}> {name}{{{text}}};\n"
        table.base = f"{name}.data()"
    elif form == "computed":
        lines = (f"constexpr auto {name}_made() {{\n  std::array<{of}, {count}> all{{}};\n  for (int i = 0; i < {count}; ++i) all[i] = {of}(i * 7 % 11);\n"
                 f"  return all;\n}}\nconstexpr auto {name} = {name}_made();\n")
        table.base, table.value = f"{name}.data()", Value("", type_, (), 0, 10)
    elif form == "member":
        lines = f"struct {name}_of {{\n  static constexpr {of} all[{count}] = {{{text}}};\n}};\n"
        table.base, table.indexed = f"{name}_of::all", f"{name}_of::all[{{i}}]"
    elif form == "rows":
        rows = rng.choice([1, 2, 3])
        more = [numbers(rng, type_, count) for _ in range(rows)]
        lines = f"constexpr {of} {name}[{rows}][{count}] = {{{', '.join('{' + x[0] + '}' for x in more)}}};\n"
        row = rng.randrange(rows)
        table.base, table.indexed = f"{name}[{row}]", f"{name}[({{i}} + {row}) % {rows}][{{i}}]"
        table.value = Value("", type_, (), min(x[1] for x in more), max(x[2] for x in more))
    else:
        count = table.count = min(count, 8)
        rows = ", ".join(f"{{{k % 3}, {{{numbers(rng, type_, 2)[0]}}}, {k}}}" for k in range(count))
        lines = f"struct {name}_row {{\n  int kind;\n  {of} all[2];\n  int64_t place;\n}};\nconstexpr {name}_row {name}[{count}] = {{{rows}}};\n"
        table.base = ""
        table.indexed = f"{name}[{{i}}].all[{rng.randrange(2)}]"
        table.value = Value("", type_, (), 0 if type_.kind == "u" else -100, 100)
    kernel.functions.append(lines)
    kernel.tables.append(table)
    return table


def scalar(expressions, scope, table=None):
    """A number of a table, of this one if it is given."""
    table = table or declared(expressions, scope)
    at = expressions.index_below(scope, (), table.count, 0)
    if "{i}][{i}]" in table.indexed or expressions.rng.random() < 0.4:
        name = scope.kernel.name("i")
        scope.write(f"{expressions.rng.choice(['auto', 'const int', 'int64_t'])} {name} = {at};")
        at = name
    return dataclasses.replace(table.value, text=table.indexed.format(i=at))


def tile(expressions, scope, shape):
    """Numbers of a table, for a tile of indices, some of which may be outside where the mask is false."""
    rng = expressions.rng
    table = declared(expressions, scope)
    if not table.base:
        return v.arithmetic("+", expressions.tile(scope, shape, 0), scalar(expressions, scope, table))
    if rng.random() < 0.65:
        return dataclasses.replace(table.value, text=f"load({table.base} + {expressions.index_below(scope, shape, table.count, 1)})", shape=shape)
    name = scope.kernel.name("i")
    far = rng.choice([1, 5, 1000])
    scope.write(f"auto {name} = {expressions.index_below(scope, shape, table.count + far, 1)};")
    other, low, high = "", min(0, table.value.lo), max(0, table.value.hi)
    if rng.random() < 0.6:
        other = f", {literal(rng.randrange(3), table.value.type if rng.random() < 0.5 else I32).text}"
        high = max(high, 2)
    text = f"load({table.base} + {name}, {name} < {table.count}{other})"
    return dataclasses.replace(table.value, text=text, shape=shape, lo=low, hi=high)
