"""reduce and associative_scan of one to eight tiles, with functions that the program defines.

The function of a call consists of parts, each for some of the tiles. All parts are associative; those of a scan need not
be commutative. Their sums are exact: of unsigned numbers modulo 2^32, or of small numbers.
"""

import dataclasses

import values as v
from moves import list_of
from values import BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Value

SMALL = 20  # of numbers that are added up
MOST = 8  # tiles


@dataclasses.dataclass
class Part:
    """A part of a function, for some of the tiles; {a0} and {b0} are elements of its first tile."""

    types: list
    results: list
    limit: int = 0  # of the operands; 0: the whole range of unsigned numbers
    added: tuple = ()  # which results are sums of as many as there are elements
    swaps: bool = True  # commutative


ORDERED = [I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64]


def parts(rng):
    """One of the parts."""
    type_ = rng.choice(ORDERED)
    limit = min(100, type_.range()[1])
    return rng.choice([
        Part([U32], ["{a0} + {b0}"]), Part([U32], ["{a0} * {b0}"]), Part([U64], ["{a0} ^ {b0}"]), Part([U64], ["{a0} + {b0}"]),
        Part([type_], ["{a0} > {b0} ? {a0} : {b0}"], limit), Part([type_], ["minimum({a0}, {b0})"], limit),
        Part([rng.choice([I32, I64, F32, F64])], ["{a0} + {b0}"], SMALL, (0,)), Part([BOOL], ["{a0} || {b0}"], 1),
        # Parts of two tiles: the larger element with its place, complex numbers, the two largest, how often the largest occurs.
        Part([type_, I32], [f"{{a0}} > {{b0}} || ({{a0}} == {{b0}} && {{a1}} < {{b1}}) ? {{a{k}}} : {{b{k}}}" for k in range(2)], limit),
        Part([U32, U32], ["{a0} * {b0} - {a1} * {b1}", "{a0} * {b1} + {a1} * {b0}"]),
        Part([I32, I32], ["maximum({a0}, {b0})", "maximum(minimum({a0}, {b0}), maximum({a1}, {b1}))"], 100),
        Part([I32, I32], ["maximum({a0}, {b0})", "{a0} == {b0} ? {a1} + {b1} : {a0} > {b0} ? {a1} : {b1}"], SMALL, (1,)),
    ])


def one_way_parts(rng):
    """One of the parts that are not commutative."""
    type_ = rng.choice(ORDERED)
    limit = min(100, type_.range()[1])
    affine = Part([U32, U32], ["{a0} * {b0}", "{a1} * {b0} + {b1}"], swaps=False)
    products = [" + ".join(f"{{a{2 * i + k}}} * {{b{2 * k + j}}}" for k in range(2)) for i in range(2) for j in range(2)]
    applied = " | ".join(f"(({{b0}} >> (2 * (({{a0}} >> {2 * k}) & 3))) & 3) << {2 * k}" for k in range(4))
    return rng.choice([
        affine, affine, Part([U32] * 4, products, swaps=False),
        Part([type_], ["{a0}"], limit, swaps=False), Part([type_], ["{b0}"], limit, swaps=False),
        Part([type_], ["{b0} != 0 ? {b0} : {a0}"], limit, swaps=False),
        Part([I32, I32], ["{a0} | {b0}", "({b0} & 3) == 0 ? {a1} : {b1}"], 100, swaps=False),
        # Sums that begin again at each flag; maps of four states; whether elements are sorted; the largest sum of neighbours.
        Part([BOOL, rng.choice([I32, F32, I64])], ["{a0} || {b0}", "{b0} ? {b1} : {a1} + {b1}"], SMALL, (1,), swaps=False),
        Part([U32], [applied], 255, swaps=False),
        Part([type_, type_, BOOL], ["{a0}", "{b1}", "{a2} && {b2} && {a1} <= {b0}"], limit, swaps=False),
        Part([I32] * 4, ["{a0} + {b0}", "maximum({a1}, {a0} + {b1})", "maximum({b2}, {b0} + {a2})",
                         "maximum(maximum({a3}, {b3}), {a2} + {b1})"], SMALL, (0, 1, 2, 3), swaps=False),
    ])


def bounds_of(part, k, count):
    """The bounds of the k-th result, from `count` elements."""
    type_ = part.types[k]
    low, high = type_.range()
    if type_.kind == "b" or not part.limit:
        return low, high
    most = part.limit * (count if k in part.added else 1)
    if part.types == [I32, I32] and part.results[0] == "{a0} | {b0}":
        return v.bit_range(-most, most)
    return (0 if type_.kind == "u" else -most), min(most, high)


def function_of(rng, kernel, chosen, std):
    """The text of the function of all tiles."""
    types = [t for part in chosen for t in part.types]
    form = rng.choice(["members", "members", "bindings", "changed"])
    if std and form == "members":
        form = "get"
    names = {"members": "{0}.v{1}", "changed": "{0}.v{1}", "bindings": "{0}_{1}", "get": "std::get<{1}>({0})"}[form]
    if std and form == "changed":
        names = "std::get<{1}>({0})"
    if len(types) == 1:
        form, names = "alone", "{0}"
    results, at = [], 0
    for part in chosen:
        words = {f"{x}{k}": names.format(x, at + k) for x in "ab" for k in range(len(part.types))}
        results += [text.format(**words) for text in part.results]
        at += len(part.types)
    made = ("std::make_tuple" if std else "tuple") + f"({', '.join(results)})"
    if form == "alone":
        lines = f"return {results[0]};"
    elif form == "bindings":
        lines = "".join(f"auto [{', '.join(f'{x}_{k}' for k in range(at))}] = {x}; " for x in "ab") + f"return {made};"
    elif form == "changed":
        lines = "auto r = a; " + "".join(f"{names.format('r', k)} = {text}; " for k, text in enumerate(results)) + "return r;"
    else:
        lines = f"return {made};"
    if form != "changed" and rng.random() < 0.2:
        name = f"{kernel.title}_h{300 + kernel.counter}"
        kernel.counter += 1
        kernel.functions.append(f"struct {name} {{\n  template <class T>\n  __tile__ auto operator()(T a, T b) const {{ {lines} }}\n}};\n")
        return f"{name}{{}}"
    return f"[](auto a, auto b) {{ {lines} }}"


def statement(statements, scope, budget):
    """A reduction or a scan of some tiles; each result is kept."""
    rng, kernel = statements.rng, statements.kernel
    shape = statements.shape()
    axis = rng.randrange(len(shape))
    scan = rng.random() < 0.6
    reverse = scan and rng.random() < 0.3
    odd = shape[axis]
    while odd % 2 == 0:
        odd //= 2
    if odd > 9 and (not scan or reverse):
        return 1
    chosen = []
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        part = (one_way_parts if scan and rng.random() < 0.7 else parts)(rng)
        if sum(len(p.types) for p in [*chosen, part]) <= MOST:
            chosen.append(part)
    tiles = []
    for part in chosen:
        for type_ in part.types:
            tiles.append(operand(statements, scope, shape, type_, part.limit))
    texts = [scope.let(x).text if rng.random() < 0.5 else x.text for x in tiles]
    count = shape[axis]
    keep = not scan and rng.random() < 0.3
    rest = shape if scan else shape[:axis] + (1,) * keep + shape[axis + 1 :]
    std = len(tiles) > 1 and not kernel.is_helper and rng.random() < 0.3
    call = "associative_scan" if scan else "reduce"
    more = ", reverse" if reverse else ", keep_dims" if keep else ""
    given = texts[0] if len(texts) == 1 else f"{'std::make_tuple' if std else 'tuple'}({', '.join(texts)})"
    text = f"{call}<{axis}>({given}, {function_of(rng, kernel, chosen, std)}{more})"
    bounds = [bounds_of(part, k, count) for part in chosen for k in range(len(part.types))]
    results = []
    if len(texts) == 1:
        name = kernel.name("r")
        scope.write(f"auto {name} = {text};")
        results = [name]
    elif rng.random() < 0.7:
        results = [kernel.name("r") for _ in texts]
        scope.write(f"auto [{', '.join(results)}] = {text};")
    else:
        name = kernel.name("r")
        scope.write(f"auto {name} = {text};")
        results = [f"std::get<{k}>({name})" if std else f"{name}.v{k}" for k in range(len(texts))]
    for x, result, (lo, hi) in zip(tiles, results, bounds):
        statements.keep(scope, scope.add(Value(result, x.type, rest, lo, hi)))
    return 2


def operand(statements, scope, shape, type_, limit):
    """A tile of the type, within the limit if there is one."""
    x = statements.expressions.tile(scope, shape, 1)
    if type_.kind == "b":
        return v.truth(x)
    if limit:
        x = v.to_range(x, type_, limit)
        return v.absolute(x) if type_.kind == "u" and x.lo < 0 else x
    x = v.whole(x)
    return x if x.type is type_ else v.cast(x, type_)
