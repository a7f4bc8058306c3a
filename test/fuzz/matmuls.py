"""Random products of matrices: single ones of computed operands, and loops that add them up. Data keep sums exact."""

import dataclasses

import values as v
from values import BF16, F16, F32, F64, I8, I32, U8, Value, literal

# Operands, the sum, more arguments.
KINDS = [
    (F16, F16, F32, ""), (F16, F16, F32, ""), (BF16, BF16, F32, ""), (F32, F32, F32, ""), (F32, F32, F32, "precision::ieee"),
    (F32, F32, F32, "precision::tf32x3"), (I8, I8, I32, ""), (U8, I8, I32, ""), (F64, F64, F64, ""),
]
SIZES = [(16, 16, 16), (32, 16, 16), (16, 32, 32), (64, 16, 32), (48, 40, 16), (16, 8, 16), (5, 7, 3), (1, 16, 8), (32, 24, 8), (64, 64, 16)]
HOPPER_SIZES = [(64, 16, 32), (64, 64, 16), (64, 32, 32), (128, 16, 16), (64, 8, 64), (64, 24, 16)]
LIMIT = 8  # of the operands' elements


def operand(statements, scope, shape, type_):
    """A tile of small whole numbers of the type."""
    x = statements.expressions.tile(scope, shape, 2)
    return v.to_range(x, type_, LIMIT)


def loaded(statements, scope, source, shape, step, trips, k, transposed):
    """The k-th block of an operand in memory; `shape` is rows (or columns) by depth."""
    rng = statements.rng
    outer, depth = shape
    row, column = statements.expressions.along(shape, 0).text, statements.expressions.along(shape, 1).text
    length = depth * trips
    if rng.random() < 0.25:
        name = statements.kernel.name("d")
        scope.write(f"auto {name} = make_tensor_descriptor<{outer}, {depth}>({source.name}, {{{outer}, {length}}}, {{{length}, 1}});")
        text = f"{name}.load({{0, {k} * {depth}}})"
    else:
        mask = ""
        if rng.random() < 0.4:
            bound = rng.choice([str(length - 3), f"minimum({statements.kernel.count}, {length})", str(length)])
            mask = f", {column} < {bound} - {k} * {depth}"
        text = f"load({source.name} + ({row} * {length} + ({k} * {depth} + {column})){mask})"
    x = dataclasses.replace(source.value, text=text, shape=shape, lo=min(0, source.value.lo))
    if rng.random() < 0.25:
        x = v.to_range(statements.expressions.binary(scope, x, statements.expressions.scalar(scope, 1)), x.type, LIMIT)
        if x.shape != shape:
            x = dataclasses.replace(source.value, text=text, shape=shape)
    return dataclasses.replace(x, text=f"trans({x.text})", shape=(depth, outer)) if transposed else x


def matmul(statements, scope, budget):
    rng = statements.rng
    kernel = statements.kernel
    a_type, b_type, sum_type, precision = rng.choice(KINDS)
    m, n, k = rng.choice(HOPPER_SIZES if kernel.hopper else SIZES)
    more = f", {precision}" if precision else ""
    sources = [x for x in kernel.inputs if x.domain.startswith("small") and x.value.type is a_type]
    others = [x for x in kernel.inputs if x.domain.startswith("small") and x.value.type is b_type]
    if not (sources and others) or rng.random() < 0.35:
        a, b = operand(statements, scope, (m, k), a_type), operand(statements, scope, (k, n), b_type)
        bound = LIMIT * LIMIT * k
        acc = ""
        if rng.random() < 0.3:
            acc = f", {v.to_range(statements.expressions.tile(scope, (m, n), 1), sum_type, 100).text}"
            bound += 100
        elif more:
            acc = f", zeros<{sum_type.name}, {m}, {n}>()"
        scope.let(Value(f"dot({a.text}, {b.text}{acc}{more})", sum_type, (m, n), -bound, bound))
        return 2
    source, other = rng.choice(sources), rng.choice(others)
    trips = max(1, min(rng.randrange(1, 5), kernel.input_size // (max(m, n) * k)))
    name, variable = kernel.name("acc"), kernel.name("k")
    scope.write(f"auto {name} = zeros<{sum_type.name}, {m}, {n}>();")
    bound = 2 * LIMIT * LIMIT * k * trips * (8 if scope.in_loop else 1)
    inner = scope.child()
    inner.in_loop = False  # no break: the loop is pipelined
    inner.unrolled = True
    inner.add(Value(variable, I32, (), 0, trips))
    value = inner.add(Value(name, sum_type, (m, n), -bound, bound), limit=bound, accumulator=True)
    if rng.random() < 0.3:
        statements.block(inner, 1)
    x = loaded(statements, inner, source, (m, k), k, trips, variable, False)
    y = loaded(statements, inner, other, (n, k), k, trips, variable, True)
    if rng.random() < 0.5:
        x, y = (inner.let(z) for z in (x, y))
    form = rng.randrange(3)
    if form == 0 and not more:
        inner.write(f"{name} += dot({x.text}, {y.text});")
    elif form == 1 or more:
        inner.write(f"{name} = dot({x.text}, {y.text}, {name}{more});")
    else:
        factor = v.where(statements.expressions.condition(inner, 1), literal(1), literal(0))
        inner.write(f"{name} = dot({x.text}, {y.text}, {name} * {factor.text});")
    if rng.random() < 0.2:
        statements.block(inner, 1)
    last = str(trips) if rng.random() < 0.5 else f"minimum({kernel.count}, {trips})"
    head = rng.choice([
        f"for (int {variable} = 0; {variable} < {last}; ++{variable}) {{",
        f"for (auto {variable} : range(0, {last}, 1, {{.num_stages = {rng.randrange(1, 5)}}})) {{",
    ])
    scope.write(head)
    scope.lines += ["  " + line for line in inner.lines]
    scope.write("}")
    scope.add(value, limit=bound)
    return 4
