"""Tensor descriptors: blocks that are read at any place or written to an output; descriptors as values."""

import dataclasses

import values as v
from moves import list_of
from values import F32, I32, U64, Value


def statement(statements, scope, budget):
    """A block of a tensor, read at any place; or written to a part of an output."""
    rng, kernel = statements.rng, statements.kernel
    if not kernel.inputs:
        return 1
    source = rng.choice(kernel.inputs)
    shape = rng.choice([s for s in statements.palette.shapes if len(s) <= 5] or [(32,)])
    name = described(statements, scope, source, shape)
    if not name:
        return 1
    if rng.random() < 0.4:
        return chosen(statements, scope, source, shape, name)
    x = scope.let(block(source, shape, f"{name}.load({{{offsets(statements, scope, shape)}}})"))
    if rng.random() < 0.5:
        stored(statements, scope, x)
    return 1


def described(statements, scope, source, shape):
    """The name of a descriptor of a part of this buffer; None if it does not fit."""
    rng, kernel = statements.rng, statements.kernel
    sizes, strides, stride = [], [], 1
    for extent in reversed(shape):
        size = rng.choice([extent, extent + 3, extent * 2, max(1, extent - 1)])
        sizes.insert(0, size)
        strides.insert(0, stride)
        stride *= size + rng.choice([0, 0, 1, 8])
    if stride > kernel.input_size:
        return None
    if rng.random() < 0.2:
        k = rng.randrange(len(shape))
        sizes[k], strides[k] = rng.choice([(sizes[k], 0), (0, strides[k]), (-1, strides[k])])
    base = source.name
    if rng.random() < 0.2:
        k = rng.randrange(len(shape))
        if sizes[k] > 0 and strides[k] > 0:
            base = f"({source.name} + {(sizes[k] - 1) * strides[k]})"
            strides[k] = -strides[k]
    nan = source.value.type.kind == "f" and rng.random() < 0.3
    bound = kernel.count
    sizes = [f"minimum({s}, {bound})" if bound and rng.random() < 0.3 else str(s) for s in sizes]
    name = kernel.name("d")
    scope.write(
        f"auto {name} = make_tensor_descriptor<{list_of(shape)}>({base}, "
        f"{{{list_of(sizes)}}}, {{{list_of(strides)}}}{', padding::nan' if nan else ''});"
    )
    return name


def offsets(statements, scope, shape):
    """The coordinates of a block, also outside of the tensor."""
    rng, result = statements.rng, []
    for extent in shape:
        x = v.smaller(v.whole(statements.expressions.scalar(scope, 1)), 60)
        if x.type is U64:
            x = v.cast(x, I32)
        result.append(x.text if rng.random() < 0.6 else str(rng.choice([0, 0, -1, 4, extent])))
    return list_of(result)


def block(source, shape, text):
    """A block that is loaded; the padding of floats may be NaN."""
    value = source.value
    exact = value.exact and value.type.kind != "f"
    return dataclasses.replace(value, text=text, shape=shape, lo=min(0, value.lo), hi=max(0, value.hi), exact=exact)


def chosen(statements, scope, source, shape, one):
    """Descriptors that are copied, chosen, assigned in a loop, and passed to functions."""
    rng, kernel = statements.rng, statements.kernel
    other = described(statements, scope, source, shape)
    if not other:
        return 1
    name, k = kernel.name("d"), kernel.name("k")
    condition = statements.expressions.condition(scope, 1).text
    at = offsets(statements, scope, shape)
    form = rng.randrange(6)
    read = f"{name}.load({{{at}}})"
    if form == 0:
        scope.write(f"auto {name} = {condition} ? {one} : {other};")
    elif form == 1:
        scope.lines += [f"auto {name} = {one};", f"if ({condition}) {name} = {other};"]
    elif form == 2:
        scope.lines += [f"auto {name} = {one};", f"{one} = {other};", f"if ({condition}) {other} = {name};"]
        read = f"{rng.choice([one, other, name])}.load({{{at}}})"
    elif form == 3:
        call = f"[&](int {k}) {{ return {rng.choice([one, other])}.load({{{at}}}); }}"
        scope.write(f"auto {name} = {call};")
        read = f"{name}({rng.randrange(3)})"
    elif form == 4:
        call = f"[](auto {k}, bool c, auto {k}_too) {{ auto e = {k}; if (c) e = {k}_too; return e; }}"
        scope.write(f"auto {name} = {call}({one}, {condition}, {other});")
    else:
        total = kernel.name("acc")
        scope.write(f"auto {name} = {one};")
        scope.write(f"auto {total} = zeros<float, {list_of(shape)}>();")
        part = f"cast<float>({read})" if source.value.type is not F32 else read
        small = part if source.value.exact and source.value.within(-100, 100) else f"clamp({part}, -8, 8)"
        small = f"where({small} == {small}, {small}, 3.0f)"  # the padding may be NaN
        change = rng.choice([f"if ({k} == 1) {name} = {other};", f"{name} = {other};", f"if ({condition}) {name} = {other}; else {name} = {one};"])
        last = rng.choice(["3", f"minimum({kernel.count}, 4)"]) if kernel.count else "3"
        scope.write(f"for (int {k} = 0; {k} < {last}; ++{k}) {{ {total} += {small}; {change} }}")
        exact = source.value.exact
        statements.keep(scope, scope.add(Value(total, F32, shape, -400, 400, exact)))
        return 3
    statements.keep(scope, scope.let(block(source, shape, read)))
    return 2


def stored(statements, scope, x):
    """A store of x by a descriptor of an output, also past its edges."""
    rng, kernel = statements.rng, statements.kernel
    output = kernel.output(x.type, exactly=True)
    strides, stride = [], 1
    for extent in reversed(x.shape):
        strides.insert(0, stride)
        stride *= extent
    start = output.reserve(stride)
    name = kernel.name("d")
    scope.write(
        f"auto {name} = make_tensor_descriptor<{list_of(x.shape)}>({output.name} + "
        f"{kernel.program_text()} * {output.region()} + {start}, "
        f"{{{list_of(x.shape)}}}, {{{list_of(strides)}}});"
    )
    at = [rng.choice(["0", "0", "0", str(rng.randrange(-2, 3))]) for _ in x.shape]
    scope.write(f"{name}.store({{{list_of(at)}}}, {x.text});")
