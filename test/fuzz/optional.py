"""Pointers that are null in some runs: tested by branches, choices and masks, copied, passed on, and stored through."""

import dataclasses

import values as v
from moves import list_of
from values import I32, Value, literal


def statement(statements, scope, budget):
    """A statement that reads or writes through a pointer that may be null."""
    if statements.kernel.is_helper:
        return 1
    makers = [added, added, chosen, masked, scalar, copied, late, stored, helper]
    return statements.rng.choice(makers)(statements, scope) or 1


def test_of(statements, scope, name, negated=False):
    """A condition that holds where the pointer is not null (or where it is), and maybe of more."""
    rng = statements.rng
    tests = [f"!{name}", f"{name} == nullptr", f"nullptr == {name}"] if negated else [name, f"{name} != nullptr", f"nullptr != {name}", f"!!{name}"]
    test = rng.choice(tests)
    roll = rng.random()
    if roll < 0.2 and not negated:
        other = statements.expressions.condition(scope, 1).text
        return f"{test} && {other}" if rng.random() < 0.5 else f"{other} && {test}"
    if roll < 0.35:
        flag = statements.kernel.name("has")
        scope.write(f"const bool {flag} = {'static_cast<bool>(' + name + ')' if test == name else test};")
        return flag
    return test


def read_of(statements, scope, source, shape):
    """A tile that is read through the pointer."""
    text = f"load({source.name} + {statements.expressions.offsets(scope, shape, 0)})"
    return dataclasses.replace(source.value, text=text, shape=shape)


def changed(statements, scope, source, x, test, otherwise=False):
    """Lines that change the variable x by what is read through the pointer, if the test holds."""
    inner = scope.child()
    inner.in_loop, inner.unrolled = False, True
    y = statements.expressions.binary(inner, x, read_of(statements, inner, source, x.shape))
    line = f"{x.text} = {v.to_range(y if y.shape == x.shape else x, x.type, x.hi).text};"
    if not inner.lines and not otherwise:
        return [f"if ({test}) {line}"]
    more = []
    if otherwise:
        z = statements.expressions.binary(scope, x, statements.expressions.near(scope, x.shape, 1))
        more = ["} else {", f"  {x.text} = {v.to_range(z if z.shape == x.shape else x, x.type, x.hi).text};"]
    return [f"if ({test}) {{", *("  " + text for text in inner.lines), f"  {line}", *more, "}"]


def variable(statements, scope):
    """A new tile that may be assigned to."""
    rng, kernel = statements.rng, statements.kernel
    shape = statements.shape()
    type_ = rng.choice([t for t in statements.palette.types if t.kind != "b"])
    limit = min(100, type_.range()[1])
    name = kernel.name("x")
    scope.write(f"auto {name} = {v.to_range(statements.expressions.tile(scope, shape, 1), type_, limit).text};")
    return Value(name, type_, shape, 0 if type_.kind == "u" else -limit, limit)


def kept(statements, scope, x):
    """Stores the variable, which later statements may assign to."""
    statements.keep(scope, scope.add(x, limit=x.hi).named(x.text))


def added(statements, scope):
    """A branch on the pointer, maybe on the opposite test."""
    source, x = statements.kernel.maybe(), variable(statements, scope)
    test = test_of(statements, scope, source.name)
    scope.lines += changed(statements, scope, source, x, test, statements.rng.random() < 0.4)
    kept(statements, scope, x)
    if statements.rng.random() < 0.4:
        test = test_of(statements, scope, source.name, negated=True)
        scope.write(f"if ({test}) {statements.assignment(scope, scope.variables[-1], 1)}")


def chosen(statements, scope):
    """What is read, or a constant tile."""
    rng = statements.rng
    source, shape = statements.kernel.maybe(), statements.shape()
    x = read_of(statements, scope, source, shape)
    number = rng.randrange(0, 4)
    other = f"full<{x.type.name}, {list_of(shape)}>({number})"
    test = test_of(statements, scope, source.name)
    x = dataclasses.replace(x, text=f"({test} ? {x.text} : {other})", lo=min(x.lo, number), hi=max(x.hi, number))
    statements.keep(scope, scope.let(x))


def masked(statements, scope):
    """A mask with the test in it."""
    rng = statements.rng
    source, shape = statements.kernel.maybe(), statements.shape()
    mask = statements.expressions.mask(scope, shape, 1).text
    test = f"({source.name} != nullptr)"
    mask = rng.choice([f"({mask}) & {test}", f"{test} & ({mask})", f"where({test}, {mask}, false)"])
    number = rng.choice([None, 0, 3])
    text = f"load({source.name} + {statements.expressions.offsets(scope, shape, 0)}, {mask}{'' if number is None else f', {number}'})"
    x = dataclasses.replace(source.value, text=text, shape=shape)
    statements.keep(scope, scope.let(dataclasses.replace(x, lo=min(x.lo, 0), hi=max(x.hi, 3))))


def scalar(statements, scope):
    """One element, or a number."""
    rng = statements.rng
    source = statements.kernel.maybe()
    at = statements.expressions.index(scope, 64).text
    type_ = source.value.type
    read = rng.choice([f"{source.name}[{at}]", f"*({source.name} + {at})"])
    other = literal(rng.randrange(4), type_)
    text = f"({test_of(statements, scope, source.name)} ? {read} : {other.text})"
    x = dataclasses.replace(source.value, text=text, lo=min(source.value.lo, 0), hi=max(source.value.hi, 3))
    statements.scalar_store(scope, 1, scope.let(x))


def copied(statements, scope):
    """Another pointer that is this one or null, or this one or another buffer."""
    rng, kernel = statements.rng, statements.kernel
    source, name = kernel.maybe(), kernel.name("p")
    of = f"const {source.value.type.name}*"
    condition = statements.expressions.condition(scope, 1).text
    alike = [x for x in kernel.inputs if x.value.type is source.value.type and x.value.within(-100, 100)]
    if alike and rng.random() < 0.4:
        other = rng.choice(alike)
        scope.write(f"auto {name} = {source.name} ? {source.name} : {other.name};")
        lo, hi = min(source.value.lo, other.value.lo), max(source.value.hi, other.value.hi)
        x = dataclasses.replace(read_of(statements, scope, dataclasses.replace(source, name=name), statements.shape()), lo=lo, hi=hi)
        statements.keep(scope, scope.let(x))
        return
    scope.lines += rng.choice([
        [f"{of} {name} = nullptr;", f"if ({condition}) {name} = {source.name};"],
        [f"{of} {name} = {condition} ? {source.name} : nullptr;"],
        [f"{of} {name} = {source.name};", f"if ({condition}) {name} = nullptr;"],
        [f"{of} {name} = {source.name};", f"if ({name}) {name} += {rng.randrange(1, 65)};"],
    ])
    x = variable(statements, scope)
    scope.lines += changed(statements, scope, dataclasses.replace(source, name=name), x, test_of(statements, scope, name))
    kept(statements, scope, x)


def late(statements, scope):
    """A loop that carries the pointer, which is null in some iterations."""
    rng, kernel = statements.rng, statements.kernel
    source, name, k = kernel.maybe(), kernel.name("p"), kernel.name("k")
    x = variable(statements, scope)
    lines = changed(statements, scope, dataclasses.replace(source, name=name), x, rng.choice([name, f"{name} != nullptr"]))
    start, step = rng.choice([
        (source.name, f"if ({k} == 1) {name} = nullptr;"), ("nullptr", f"{name} = {k} > 0 ? {source.name} : nullptr;"),
        (source.name, f"{name} = {k} == 1 ? nullptr : {source.name};"), (source.name, f"if ({name}) {name} += 16;"),
    ])
    scope.write(f"const {source.value.type.name}* {name} = {start};")
    scope.write(f"for (int {k} = 0; {k} < {rng.choice(['3', f'minimum({kernel.count}, 4)'])}; ++{k}) {{")
    scope.lines += ["  " + line for line in [*lines, step]]
    scope.write("}")
    kept(statements, scope, x)


def stored(statements, scope):
    """A store to a buffer that there may not be."""
    rng, kernel = statements.rng, statements.kernel
    x = scope.let(statements.expressions.tile(scope, statements.shape(), 1))
    output = kernel.maybe_output(x.type)
    if output.type is not x.type:
        x = Value(f"cast<{output.type.name}>({x.text})", output.type, x.shape) if v.converted(x, output.type) else v.to_range(x, output.type, min(100, output.type.range()[1]))
    start = output.reserve(x.size())
    mask = f", {statements.expressions.mask(scope, x.shape, 1).text}" if rng.random() < 0.3 else ""
    line = f"store({output.name} + ({kernel.program_text()} * {output.region()} + {start} + {statements.expressions.flat(x.shape)}), {x.text}{mask});"
    scope.write(f"if ({test_of(statements, scope, output.name)}) {line}")


def helper(statements, scope):
    """A function whose argument may be missing, null, or the pointer."""
    rng, kernel = statements.rng, statements.kernel
    source, shape = kernel.maybe(), statements.shape()
    x = v.to_range(statements.expressions.tile(scope, shape, 1), source.value.type, min(100, source.value.type.range()[1]))
    name = f"{kernel.title}_h{800 + kernel.counter}"
    kernel.counter += 1
    limit = min(100, x.type.range()[1])
    lo = 0 if x.type.kind == "u" else -limit
    given = Value("x", x.type, shape, lo, limit)
    y = v.to_range(v.arithmetic(rng.choice("+-*"), given, dataclasses.replace(source.value, text="load(p + i)", shape=shape)), x.type, limit)
    body = rng.choice([f"if (p) x = {y.text};\n  return x;", f"if (p == nullptr) return x;\n  x = {y.text};\n  return x;", f"return p ? {y.text} : x;"])
    kernel.functions.append(
        f"template <class I>\n__tile__ auto {name}(tile<{x.type.name}, {list_of(shape)}> x, I i, const {x.type.name}* p = nullptr) {{\n  {body}\n}}\n")
    at = statements.expressions.offsets(scope, shape, 0)
    for more in rng.sample(["", ", nullptr", f", {source.name}", f", {source.name}"], 2):
        statements.keep(scope, scope.let(Value(f"{name}({x.text}, {at}{more})", x.type, shape, lo, limit)))
