"""Random matmuls: single dots of computed operands, and loops of dots. The data keep sums exact."""

import dataclasses

import values as v
from counting import counted_loop
from rare import E4M3, E5M2
from values import BF16, F16, F32, F64, I8, I32, U8, Value, literal

# Types of the operands and of the accumulator, more arguments.
KINDS = [
    (F16, F16, F32, ""), (F16, F16, F32, ""), (BF16, BF16, F32, ""), (F32, F32, F32, ""), (F32, F32, F32, "precision::ieee"),
    (F32, F32, F32, "precision::tf32x3"), (I8, I8, I32, ""), (U8, I8, I32, ""), (F64, F64, F64, ""),
]
MORE_KINDS = [(F16, F16, F16, ""), (F16, F16, F16, ""), (E4M3, E4M3, F32, ""), (E4M3, E5M2, F32, ""), (E5M2, E5M2, F32, ""), (E5M2, E4M3, F32, "")]
SIZES = [(16, 16, 16), (32, 16, 16), (16, 32, 32), (64, 16, 32), (48, 40, 16), (16, 8, 16), (5, 7, 3), (1, 16, 8), (32, 24, 8), (64, 64, 16)]
HOPPER_SIZES = [(64, 16, 32), (64, 64, 16), (64, 32, 32), (128, 16, 16), (64, 8, 64), (64, 24, 16)]
BATCHES = [(2, 16, 16, 16), (4, 16, 8, 16), (1, 16, 16, 32), (3, 8, 8, 16), (8, 16, 8, 8), (2, 32, 16, 16), (2, 5, 7, 3), (4, 1, 8, 16)]
LIMIT = 8  # of the operands' elements


def limit_of(sum_type):
    """The largest element of the operands for which sums are exact."""
    return 2 if sum_type is F16 else LIMIT


def operand(statements, scope, shape, type_, limit=LIMIT):
    """A tile of small whole numbers of the type."""
    x = statements.expressions.tile(scope, shape, 2)
    if type_.bits == 8 and type_.kind == "f":
        return v.cast(v.smaller(x, limit), type_)
    return v.to_range(x, type_, limit)


def source_of(kernel, rng, type_):
    """(pointer, values) of a buffer of small numbers of the type; None if there is none."""
    if type_.bits == 8 and type_.kind == "f":
        name, _ = kernel.float8(type_.name)
        return name, Value("", type_, (), -8, 8)
    known = [x for x in kernel.inputs if x.domain.startswith("small") and x.value.type is type_]
    source = rng.choice(known) if known else None
    return source and (source.name, source.value)


def loaded(statements, scope, source, shape, trips, k, transposed, limit):
    """The k-th block of an operand in memory; `shape` is rows (or columns) by depth."""
    rng = statements.rng
    pointer, values = source
    outer, depth = shape
    row, column = statements.expressions.along(shape, 0).text, statements.expressions.along(shape, 1).text
    length = depth * trips
    if rng.random() < 0.25:
        name = statements.kernel.name("d")
        scope.write(f"auto {name} = make_tensor_descriptor<{outer}, {depth}>({pointer}, {{{outer}, {length}}}, {{{length}, 1}});")
        text = f"{name}.load({{0, {k} * {depth}}})"
    else:
        mask = ""
        if rng.random() < 0.4:
            bound = rng.choice([str(length - 3), f"minimum({statements.kernel.count}, {length})", str(length)])
            mask = f", {column} < {bound} - {k} * {depth}"
        gap = statements.kernel.gap if length * outer <= statements.kernel.input_size // 3 and rng.random() < 0.6 else None
        at = f"({k} * {depth} + {column})" + (f" * {gap}" if gap else "")
        at = f"{row} * {gap} + ({k} * {depth} + {column}) * {outer}" if gap and rng.random() < 0.3 else f"{row} * {length} + {at}"
        text = f"load({pointer} + ({at}){mask})"
    x = whole = dataclasses.replace(values, text=text, shape=shape, lo=min(0, values.lo))
    if rng.random() < 0.25 and x.type.bits > 8:
        x = v.to_range(statements.expressions.binary(scope, x, statements.expressions.scalar(scope, 1)), x.type, limit)
        x = x if x.shape == shape else whole
    x = x if x.within(-16, 16) and limit == LIMIT else v.to_range(x, x.type, limit)
    return dataclasses.replace(x, text=f"trans({x.text})", shape=(depth, outer)) if transposed else x


def kind_of(kernel, rng):
    """A combination of types; mostly one whose operands may come from memory."""
    all_kinds = KINDS + MORE_KINDS
    known = [kind for kind in all_kinds if all(x.bits == 8 and x.kind == "f" or source_of(kernel, rng, x) for x in kind[:2])]
    return rng.choice(known if rng.random() < 0.7 else all_kinds)


def matmul(statements, scope, budget):
    """A dot, alone, in a loop, or of a batch; returns how much of the budget it took."""
    rng = statements.rng
    kernel = statements.kernel
    if rng.random() < 0.2:
        return batch(statements, scope)
    a_type, b_type, sum_type, precision = kind_of(kernel, rng)
    limit = limit_of(sum_type)
    m, n, k = rng.choice(HOPPER_SIZES if kernel.hopper else SIZES)
    more = f", {precision}" if precision else ""
    source, other = source_of(kernel, rng, a_type), source_of(kernel, rng, b_type)
    if not (source and other) or rng.random() < 0.35 or sum_type is F16 and scope.in_loop:
        single(statements, scope, (m, k), (k, n), (a_type, b_type, sum_type, more))
        return 2
    trips = max(1, min(rng.randrange(1, 5), kernel.input_size // (max(m, n) * k)))
    name, variable = kernel.name("acc"), kernel.name("k")
    scope.write(f"auto {name} = zeros<{sum_type.name}, {m}, {n}>();")
    bound = 2 * limit * limit * k * trips * (8 if scope.in_loop else 1)
    inner = scope.child()
    inner.in_loop = False  # no break: the loop is pipelined
    inner.unrolled = True
    inner.add(Value(variable, I32, (), 0, trips))
    value = inner.add(Value(name, sum_type, (m, n), -bound, bound), limit=bound, accumulator=True)
    if rng.random() < 0.3:
        statements.block(inner, 1)
    x = loaded(statements, inner, source, (m, k), trips, variable, False, limit)
    y = loaded(statements, inner, other, (n, k), trips, variable, True, limit)
    if rng.random() < 0.5:
        x, y = (inner.let(z) for z in (x, y))
    form = rng.randrange(3)
    given = more or sum_type is F16
    if form == 0 and not given:
        inner.write(f"{name} += dot({x.text}, {y.text});")
    elif form == 1 or given:
        inner.write(f"{name} = dot({x.text}, {y.text}, {name}{more});")
    else:
        factor = v.where(statements.expressions.condition(inner, 1), literal(1), literal(0))
        inner.write(f"{name} = dot({x.text}, {y.text}, {name} * {factor.text});")
    if rng.random() < 0.2:
        statements.block(inner, 1)
    last = str(trips) if rng.random() < 0.5 else f"minimum({kernel.count}, {trips})"
    more = [f"for (int {variable} = 0; {variable} < {last}; ++{variable}) {{"] * 3
    more += [f"for (auto {variable} : range(0, {last}, 1, {{.num_stages = {rng.randrange(1, 5)}}})) {{"] * 4
    counted_loop(scope, rng, variable, last, inner.lines, more)
    scope.add(value, limit=bound)
    return 4


def single(statements, scope, left, right, types):
    """A dot of computed operands of these shapes."""
    rng = statements.rng
    a_type, b_type, sum_type, more = types
    shape, k = (*left[:-1], right[-1]), left[-1]
    limit = limit_of(sum_type)
    a, b = operand(statements, scope, left, a_type, limit), operand(statements, scope, right, b_type, limit)
    bound = limit * limit * k
    acc = ""
    if rng.random() < 0.3 or sum_type is F16:
        acc = f", {v.to_range(statements.expressions.tile(scope, shape, 1), sum_type, 100).text}"
        bound += 100
    elif more:
        acc = f", zeros<{sum_type.name}, {', '.join(map(str, shape))}>()"
    value = Value(f"dot({a.text}, {b.text}{acc}{more})", sum_type, shape, -bound, bound)
    return scope.let(value, "batch" if len(shape) == 3 else "")


def batch(statements, scope):
    """Batched dots: of computed operands, or added up by a loop."""
    rng, kernel = statements.rng, statements.kernel
    a_type, b_type, sum_type, precision = rng.choice(KINDS + MORE_KINDS)
    x, m, n, k = rng.choice(BATCHES)
    more = f", {precision}" if precision else ""
    source, other = source_of(kernel, rng, a_type), source_of(kernel, rng, b_type)
    if not (source and other) or rng.random() < 0.5 or sum_type is F16:
        statements.keep(scope, single(statements, scope, (x, m, k), (x, k, n), (a_type, b_type, sum_type, more)))
        return 2
    name, variable = kernel.name("batch"), kernel.name("k")
    trips = rng.choice([1, 2, 3])
    last = rng.choice([str(trips), f"minimum({kernel.count}, {trips})"])
    scope.write(f"auto {name} = zeros<{sum_type.name}, {x}, {m}, {n}>();")
    texts = []
    for (pointer, _), shape in ((source, (x, m, k)), (other, (x, k, n))):
        turned = rng.random() < 0.3
        shape = (shape[0], shape[2], shape[1]) if turned else shape
        size = Value("", I32, shape).size()
        mask = f", {statements.expressions.along(shape, 0).text} < {kernel.count}" if rng.random() < 0.3 else ""
        text = f"load({pointer} + ({variable} * {min(size, 1000)} + {statements.expressions.flat(shape)}){mask})"
        texts.append(f"permute<0, 2, 1>({text})" if turned else text)
    counted_loop(scope, rng, variable, last, [f"{name} = dot({texts[0]}, {texts[1]}, {name}{more});"])
    bound = 16 * 16 * k * trips
    statements.keep(scope, scope.add(Value(name, sum_type, (x, m, n), -bound, bound)))
    return 3
