"""Random loops: their kinds, the types of variable, start, bound and step, and what they carry."""

import values as v
from counting import counted_loop
from expressions import list_of
from values import BOOL, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Value, literal

MOST = 12  # iterations


def accumulators(statements, scope, trips):
    """Variables that every iteration adds to: (the variable, a function that writes the addition)."""
    rng = statements.rng
    made = []
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        shape = statements.shape() if rng.random() < 0.8 else ()
        type_ = rng.choice([F32, F32, I32, I64, U32])
        limit = (2**22 if type_ is F32 else 2**30) // max(1, trips)
        name = statements.kernel.name("acc")
        if shape:
            scope.write(f"auto {name} = zeros<{type_.name}, {list_of(shape)}>();")
        else:
            scope.write(f"{type_.name} {name} = 0;")
        lo, hi = type_.range() if type_ is U32 else (-limit * trips, limit * trips)
        value = scope.add(Value(name, type_, shape, lo, hi), limit=hi, accumulator=True)
        made.append((value, limit))
    return made


def add_up(statements, inner, made):
    """Adds a value to each accumulator, within the limit of one iteration."""
    for value, limit in made:
        x = statements.expressions.tile(inner, value.shape, 2)
        x = v.to_range(x, value.type, 100 if limit > 100 else limit)
        inner.write(f"{value.text} += {x.text};")


def bound_of(statements, scope, type_):
    """A small bound of a loop that counts up, 0 or more: text and the largest value."""
    rng = statements.rng
    if rng.random() < 0.35:
        number = rng.randrange(0, 7)
        return literal(number, type_ if type_.kind != "b" else I32)
    x = statements.expressions.index(scope, 8)
    if x.hi > 8:
        x = literal(5)
    if type_.kind == "b":
        return v.compare(">", x, literal(2))
    return v.cast(x, type_) if x.type is not type_ else x


def types_of_loop(rng):
    """The types of the variable and of the bound."""
    if rng.random() < 0.4:
        return I32, I32
    variable = rng.choice([I32, I32, I64, U32, I8, U8, I16, U16, U64, F32, F64])
    bound = rng.choice([I32, I32, I64, U32, U32, U64, I8, U16, F32, F64, BOOL])
    return variable, bound


def head(statements, scope):
    """(lines before, head, variable as a Value, most trips, kind)."""
    rng = statements.rng
    k = statements.kernel.name("k")
    kind = rng.choices(
        ["up", "down", "range", "falling_range", "static", "while", "do", "end", "falling_step", "range_end", "left", "in_condition"],
        [8, 4, 6, 2, 3, 4, 1, 4, 2, 3, 2, 4],
    )[0]
    variable, bound_type = types_of_loop(rng)
    if kind == "up":
        bound = bound_of(statements, scope, bound_type)
        step = rng.choice([1, 1, 1, 2, 3])
        start = rng.choice([0, 0, 0, 1, 2])
        if variable.kind != "u" and rng.random() < (0.5 if bound.type.kind == "u" else 0.15):
            start = -rng.randrange(1, 4)
        op = rng.choice(["<", "<", "<", "<="])
        if step == 1 and start == 0 and variable is I32 and bound.type is I32 and rng.random() < 0.2:
            op = "!="
        more = f"++{k}" if step == 1 else f"{k} += {step}"
        if rng.random() < 0.15:
            more = f"{k} += {statements.kernel.number(rng.choice([I32, I32, I64, U32, U8]), [rng.randrange(1, 4), step])}"
            step = 3
        fraction = " * 0.5f" if rng.random() < 0.1 else ""
        text = f"for ({variable.name} {k} = {start}; {k} {op} {bound.text}{fraction}; {more}) {{"
        # An unsigned bound makes a negative start large.
        return [], text, Value(k, variable, (), min(0, start), 9 + step), MOST, "for"
    if kind == "down":
        start = bound_of(statements, scope, I32)
        last = rng.choice([0, 0, 1]) if variable.kind == "u" else rng.choice([0, 0, 1, -1, -3])
        step = 1 if variable.kind == "u" else rng.choice([1, 1, 2])
        op = ">" if variable.kind == "u" else rng.choice([">", ">="])
        more = f"--{k}" if step == 1 else f"{k} -= {step}"
        text = f"for ({variable.name} {k} = {start.text}; {k} {op} {last}; {more}) {{"
        return [], text, Value(k, variable, (), min(0, last - 1), 9), MOST, "for"
    if kind == "falling_step":
        # The step is known at run time only.
        step = statements.kernel.negative()
        start = bound_of(statements, scope, I32)
        last = rng.choice([0, -2, -5])
        text = f"for (int {k} = {start.text}; {k} > {last}; {k} += {step}) {{"
        return [], text, Value(k, I32, (), last, 9), MOST, "for"
    if kind == "in_condition":
        return step_in_condition(statements, scope, k, variable)
    if kind == "left":
        # By a break alone: its condition says nothing of a variable that falls.
        step = statements.kernel.negative()
        last = rng.choice([-6, -2, 0])
        text = f"for (int {k} = 8; {k} < 10; {k} += {step}) {{"
        return [], text, Value(k, I32, (), last - 1, 8), MOST, ("left", f"if ({k} <= {last}) break;")
    if kind in ("range", "falling_range"):
        return range_head(statements, scope, k, kind)
    if kind == "static":
        first, last, step = rng.choice([(0, 3, 1), (0, 2, 1), (1, 6, 2), (0, 4, 1), (3, 0, -1), (-2, 2, 1)])
        arguments = f"{first}, {last}, {step}" if step != 1 else f"{first}, {last}" if first else f"{last}"
        return [], f"for (auto {k} : static_range<{arguments}>()) {{", Value(k, I32, (), min(first, 0), 6), 4, "static"
    if kind in ("end", "range_end"):
        made = (loop_to_end if kind == "end" else range_to_end)(statements, scope, k)
        if made:
            return made
    bound = bound_of(statements, scope, bound_type)
    before = [f"{variable.name} {k} = 0;"]
    condition = f"{k} < {bound.text}"
    if rng.random() < 0.3:
        condition += f" && {statements.expressions.condition(scope, 1).text}"
    if kind == "do":
        return before, "do {", Value(k, variable, (), 0, 9), MOST, ("do", condition)
    return before, f"while ({condition}) {{", Value(k, variable, (), 0, 9), MOST, "while"


def step_in_condition(statements, scope, k, type_):
    """A loop whose condition changes its variable: as `head` returns it. The code after it may read the variable."""
    rng = statements.rng
    type_ = type_ if type_.kind in "iu" else I32
    bound = v.cast(bound_of(statements, scope, I32), type_)
    least = 0 if type_.kind == "u" else -1
    rising = rng.random() < 0.3
    if rising:
        before, condition = f"{type_.name} {k} = 0;", rng.choice([f"{k}++ < {bound.text}", f"{bound.text} > {k}++"])
    elif type_.kind == "i" and rng.random() < 0.3:
        before, condition = f"{type_.name} {k} = {bound.text};", f"--{k} >= 0"
    else:
        before, condition = f"{type_.name} {k} = {bound.text};", rng.choice([f"{k}-- > 0", f"0 < {k}--", f"{k}-- != 0"])
    value = Value(k, type_, (), 1 if rising else 0, 10)
    if rng.random() < 0.4:
        return [], f"for ({before} {condition};) {{", value, MOST, "for"
    if rng.random() < 0.3 and type_.kind == "i":
        # As its last test leaves it.
        scope.add(Value(k, type_, (), least, 11))
    return [before], f"while ({condition}) {{", value, MOST, "for"


def end_bound(statements, type_, wider, above, room):
    """A number near an end of a type, `room` at least away from it: text and its values in the runs."""
    rng = statements.rng
    low, high = type_.range()
    most = 40 if type_.bits == 8 else 300
    away = [rng.choice([0, 0, 1, 2, 9]) + room, rng.choice([0, 3, 8, most]) + room]
    if rng.random() < 0.3:
        away[1] = away[0]
    numbers = [high - d if above else low + d for d in away]
    if away[0] == away[1] and type_.bits < 64 and numbers[0] > -(2**31) and rng.random() < 0.7:
        return literal(numbers[0], wider).text if wider is not I32 or numbers[0] < 2**31 else f"{numbers[0]}u", numbers
    return statements.kernel.number(wider, numbers), numbers


def wider_of(rng, type_, above):
    """A type that holds the numbers near this end of the type, mostly the same."""
    if rng.random() < 0.5:
        return type_
    low, high = type_.range()
    end = high if above else low
    return rng.choice([t for t in v.INTEGERS if v.fits(t, end, end) and (above or t.kind == type_.kind)])


def loop_to_end(statements, scope, k):
    """A `for` that ends near an end of its variable's type, without passing it; None where a helper has no parameters."""
    rng = statements.rng
    type_ = rng.choice([I32, *v.INTEGERS])
    rising = rng.random() < 0.65
    above = rng.random() < (0.85 if rising else 0.2)
    step = rng.choice([1, 1, 2, 3])
    distance = step * rng.randrange(1, 6)
    closed = rng.random() < 0.25
    # The variable starts `distance` from the bound; `<=` and `>=` go one step further.
    room = distance if rising != above else step if closed else 0
    bound, numbers = end_bound(statements, type_, wider_of(rng, type_, above), above, room)
    sign = "-" if rising else "+"
    op = rng.choice(["<", "<", "!="] if rising else [">", ">", "!="])
    op = ("<=" if rising else ">=") if closed else op
    start = f"{type_.name}({bound} {sign} {distance})"
    more = f"{'++' if rising else '--'}{k}" if step == 1 else f"{k} {'+=' if rising else '-='} {step}"
    text = f"for ({type_.name} {k} = {start}; {k} {op} {bound}; {more}) {{"
    first = [n - distance if rising else n + distance for n in numbers]
    return [], text, Value(k, type_, (), min(*numbers, *first), max(*numbers, *first)), MOST, "for"


def range_to_end(statements, scope, k):
    """A `range` whose last step would pass the end of its type."""
    rng = statements.rng
    type_ = rng.choice([I32, I32, I64, U32, U64, I8, U16])
    rising = type_.kind == "u" or rng.random() < 0.7
    distance = rng.randrange(1, 12)
    room = 0 if rng.random() < 0.7 else distance
    bound, numbers = end_bound(statements, type_, type_, rising, room)
    step = rng.choice([2, 3, 4, 7]) * (1 if rising else -1)
    first = [n - distance if rising else n + distance for n in numbers]
    start = statements.kernel.number(type_, first) if rng.random() < 0.5 else f"{type_.name}({bound} {'-' if rising else '+'} {distance})"
    options = f", {{.unroll = {rng.choice([2, 4])}}}" if rng.random() < 0.2 else ""
    text = f"for (auto {k} : range({start}, {bound}, {step}{options})) {{"
    return [], text, Value(k, v.promoted(type_, I32), (), min(*numbers, *first), max(*numbers, *first)), MOST, "range"


def range_head(statements, scope, k, kind):
    """The head of a loop over `range`, with options: as `head` returns it."""
    rng = statements.rng
    types = [rng.choice([I32, I32, I32, I64, U32, I16]) for _ in range(2)]
    options = []
    if rng.random() < 0.4:
        options.append(f".num_stages = {rng.randrange(1, 5)}")
    if rng.random() < 0.4:
        options.append(f".unroll = {rng.choice([1, 2, 3, 4])}")
    if rng.random() < 0.15:
        options.append(f".flatten = {rng.choice(['true', 'false'])}")
    if rng.random() < 0.1:
        options.append(f".warp_specialize = {rng.choice(['true', 'false'])}")
    more = f", {{{', '.join(options)}}}" if options else ""
    if kind == "falling_range":
        start = bound_of(statements, scope, I32)
        last, step = rng.choice([(0, -1), (-1, -1), (-1, -2), (1, -3)])
        text = f"for (auto {k} : range({start.text}, {last}, {step}{more})) {{"
        return [], text, Value(k, v.promoted(start.type, I32), (), -3, 9), MOST, "range"
    bound = bound_of(statements, scope, types[0])
    type_ = v.promoted(bound.type, I32)
    if rng.random() < 0.5:
        text = f"range({bound.text}{more})"
        type_ = bound.type
    else:
        start = literal(rng.choice([0, 1, 2]), types[1])
        type_ = v.promoted(bound.type, start.type)
        step = rng.choice(["", "", ", 2", ", 3"])
        if not step and more:
            step = ", 1"
        text = f"range({start.text}, {bound.text}{step}{more})"
    return [], f"for (auto {k} : {text}) {{", Value(k, type_, (), 0, 12), MOST, "range"


def loop(statements, scope, budget):
    """A loop of any kind that adds up what its block makes."""
    rng = statements.rng
    if rng.random() < 0.08:
        return static_for(statements, scope, budget)
    before, text, variable, trips, kind = head(statements, scope)
    made = accumulators(statements, scope, trips if not scope.in_loop else trips * trips * trips)
    part = max(1, min(5, budget - 2))
    scope.lines += before
    inner = scope.child()
    inner.in_loop = kind if kind in ("while", "for", "range", "static") else "while"
    inner.unrolled = False
    inner.add(variable)
    if rng.random() < 0.5:
        add_up(statements, inner, made)
        statements.block(inner, part)
    else:
        statements.block(inner, part)
        add_up(statements, inner, made)
    left = kind[0] == "left"
    if left:
        inner.write(kind[1])
    elif kind == "while" or isinstance(kind, tuple):
        inner.write(f"{variable.text} += 1;" if rng.random() < 0.5 else f"++{variable.text};")
    scope.write(text)
    scope.lines += ["  " + line for line in inner.lines]
    scope.write(f"}} while ({kind[1]});" if kind[0] == "do" else "}")
    return part + 1


def static_for(statements, scope, budget):
    """static_for over a lambda with a block."""
    k = statements.kernel.name("k")
    count = statements.rng.randrange(1, 4)
    inner = scope.child()
    inner.in_loop = False
    inner.unrolled = True
    inner.add(Value(k, I32, (), 0, count - 1))
    statements.block(inner, min(3, budget))
    scope.write(f"static_for<{count}>([&](auto {k}) {{")
    scope.lines += ["  " + line for line in inner.lines]
    scope.write("});")
    return 3


def handed_on(statements, scope, budget):
    """A loop that stores what it carries, and replaces it: the old value, the next one, or two that change places."""
    rng, kernel = statements.rng, statements.kernel
    if kernel.is_helper or scope.depth > 1:
        return 1
    shape = statements.shape()
    type_ = rng.choice([t for t in statements.palette.types if t.kind != "b"])
    low = 0 if type_.kind == "u" else -100
    size, trips = Value("", I32, shape).size(), rng.choice([1, 2, 3])
    x, y, k = kernel.name("x"), kernel.name("y"), kernel.name("k")
    for name in (x, y):
        scope.write(f"auto {name} = {v.to_range(statements.expressions.tile(scope, shape, 1), type_, 100).text};")
    inner = scope.child()
    inner.in_loop, inner.unrolled = False, True
    old = inner.add(Value(x, type_, shape, low, 100))
    other = inner.add(Value(y, type_, shape, low, 100))
    inner.add(Value(k, I32, (), 0, trips))
    output = kernel.output(type_, exactly=True)
    at = statements.expressions.flat(shape)

    def kept(value):
        """A store of the value to elements of this iteration."""
        start = output.reserve(size * trips)
        mask = f", {statements.expressions.along(shape, len(shape) - 1).text} < {kernel.count}" if rng.random() < 0.2 else ""
        return f"store({output.name} + ({kernel.program_text()} * {output.region()} + {start} + {k} * {size} + {at}), {value}{mask});"

    new = statements.expressions.binary(inner, old, rng.choice([other, statements.expressions.near(inner, shape, 1)]))
    new = v.to_range(new if new.shape == shape else old, type_, 100).text
    t = kernel.name("t")
    lines = rng.choice([
        [kept(x), f"{x} = {new};"], [f"{x} = {new};", kept(x)], [f"auto {t} = {new};", kept(x), f"{x} = {t};"],
        [f"auto {t} = {new};", f"{y} = {x};", f"{x} = {t};", kept(y)], [kept(x), f"auto {t} = {x};", f"{x} = {y};", f"{y} = {t};", kept(x)],
        [f"auto {t} = {new};", kept(x), f"if ({k} == 1) {x} = {t}; else {y} = {t};", kept(y)],
    ])
    bound = rng.choice([str(trips), f"minimum({kernel.count}, {trips})"])
    counted_loop(scope, rng, k, bound, [*inner.lines, *lines], [f"for (int {k} = 0; {k} < {bound}; ++{k}) {{"] * 5)
    scope.add(old, limit=100)
    scope.add(other, limit=100)
    return 3
