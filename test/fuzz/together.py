"""Programs that work together: the last one adds up, programs take items from a queue, and old values of atomics are summed.

What a statement leaves in memory does not depend on the order of the programs.
"""

import dataclasses

import values as v
from expressions import Scope
from moves import list_of
from values import BF16, F16, F32, F64, I16, I32, I64, U16, U32, U64, Value

TICKETS = 64
SUMS = 1024


def statement(statements, scope, budget):
    """A statement by which programs share memory."""
    kernel = statements.kernel
    if kernel.is_helper or scope.depth > 0:
        return 1
    kinds = [last_program, last_program, queue, old_values, neighbours, neighbours, updates, updates]
    return statements.rng.choice(kinds)(statements, scope) or 2


def ticket(kernel):
    """The place of a counter of its own."""
    place = kernel.tickets
    kernel.tickets += 1
    if place >= TICKETS:
        return None
    kernel.shared_buffers["tickets"] = f"int* tickets = zero({TICKETS})"
    return f"tickets + {place}"


def order(rng, weak=True):
    """A memory order and a scope; with `weak`, also relaxed."""
    text = rng.choice(["", "", ", memory_order::acq_rel", ", scope::gpu", ", memory_order::acq_rel, scope::system"])
    return rng.choice([text, ", memory_order::relaxed"]) if weak else text


def last_program(statements, scope):
    """All store a part; who comes last reads the parts of all."""
    rng, kernel = statements.rng, statements.kernel
    counter = ticket(kernel)
    if not counter:
        return 1
    if not kernel.parts:
        kernel.parts = kernel.new_output("parts", rng.choice([I32, F32, I64, F64, F16]))
        kernel.lasts = kernel.new_output("lasts", I32)
    parts, lasts = kernel.parts, kernel.lasts
    shape = statements.shape() if rng.random() < 0.7 else ()
    x = v.to_range(statements.expressions.tile(scope, shape, 2), parts.type, 100)
    start, at = parts.reserve(x.size()), statements.expressions.flat(shape) if shape else "0"
    scope.write(f"store({parts.name} + ({kernel.program_text()} * {parts.region()} + {start} + {at}), {x.text});")
    ticket_name, q, acc = kernel.name("n"), kernel.name("q"), kernel.name("acc")
    n = kernel.programs_text
    scope.write(f"int {ticket_name} = atomic_add({counter}, 1{order(rng, weak=False)});")
    scope.write(f"if ({ticket_name} == {n} - 1) {{")
    scope.write(f"  auto {acc} = zeros<int, {list_of(shape)}>();" if shape else f"  int {acc} = 0;")
    scope.write(f"  for (int {q} = 0; {q} < {n}; ++{q}) {{")
    flipped = f"{x.size() - 1} - {at}" if shape and rng.random() < 0.3 else at
    hint = rng.choice(["", "", "", ", cache::cg", ", cache::cv"])
    read = f"load({parts.name} + ({q} * {parts.region()} + {start} + ({flipped})){hint})"
    read = f"cast<int>({read})" if parts.type is not I32 else read
    scope.write(f"    {acc} += {read}" + rng.choice([";", f" * ({q} + 1);", f" - {q};"]))
    scope.write("  }")
    start = lasts.reserve(x.size())
    total = rng.choice([acc, acc, f"{acc} - sum({acc})", f"maximum({acc}, max({acc}))"]) if shape else acc
    scope.write(f"  store({lasts.name} + ({start} + {at}), {total});")
    if rng.random() < 0.3:
        scope.write(f"  store({counter}, 0);")
    scope.write("}")
    return 2


def queue(statements, scope):
    """Programs take items until none is left. What an item stores follows from its number alone."""
    rng, kernel = statements.rng, statements.kernel
    counter = ticket(kernel)
    if not counter:
        return 1
    item, items = kernel.name("q"), rng.choice([1, 2, 3, 4])
    bound = rng.choice([str(items), f"minimum({kernel.count}, {items})"])
    inner = Scope(kernel)
    inner.in_loop, inner.depth = False, 2
    inner.variables = [x for x in scope.variables if x.value.text in kernel.scalars]
    inner.add(Value(item, I32, (), 0, 3))
    own = (kernel.program, kernel.persistent)
    kernel.program, kernel.persistent = item, True  # its parts of the outputs are those of the program of this number
    for _ in range(rng.choice([1, 1, 2])):
        x = inner.let(statements.expressions.tile(inner, statements.shape(), 2))
        statements.keep(inner, x)
    if rng.random() < 0.4:
        statements.keep(inner, inner.let(statements.expressions.whole_reduction(inner, 1)))
    kernel.program, kernel.persistent = own
    take = f"atomic_add({counter}, 1{order(rng)})"
    lines = ["  " + line for line in inner.lines]
    form = rng.randrange(3)
    if form == 0:
        scope.lines += [f"for (int {item} = {take}; {item} < {bound}; {item} = {take}) {{", *lines, "}"]
    elif form == 1:
        scope.lines += [f"int {item} = {take};", f"while ({item} < {bound}) {{", *lines, f"  {item} = {take};", "}"]
    else:
        scope.lines += ["while (true) {", f"  int {item} = {take};", f"  if ({item} >= {bound}) break;", *lines, "}"]
    return 3


def old_values(statements, scope):
    """The sum of all old values of one counter, or of some."""
    rng, kernel = statements.rng, statements.kernel
    counter, total = ticket(kernel), ticket(kernel)
    if not total:
        return 1
    if rng.random() < 0.5:
        scope.write(f"atomic_add({total}, atomic_add({counter}, 1{order(rng)}){order(rng)});")
        return 1
    shape = rng.choice([s for s in statements.palette.shapes if Value("", I32, s).size() <= 128] or [(16,)])
    kernel.shared_buffers["bins"] = f"int* bins = zero({SUMS})"
    kernel.bins += 8
    index = v.whole(statements.expressions.tile(scope, shape, 1))
    name = kernel.name("t")
    mask = f", {statements.expressions.mask(scope, shape, 1).text}" if rng.random() < 0.4 else ""
    scope.write(f"auto {name} = atomic_add(bins + ({kernel.bins % SUMS} + ({index.text} & 7)), 1{mask}{order(rng)});")
    scope.write(f"atomic_add({total}, sum({name}){order(rng)});")
    return 2


def neighbours(statements, scope):
    """Sums of neighbouring elements, which one instruction may add: to what all programs share."""
    rng, kernel = statements.rng, statements.kernel
    if not kernel.sums_type:
        kernel.sums_type = rng.choice([F32, F32, F16, BF16, I32, U32, F64])
        relative = ", 0, 0" if kernel.sums_type.kind == "f" else ""
        kernel.shared_buffers["all_sums"] = f"{kernel.sums_type.name}* all_sums = small({SUMS}{relative})"
    type_ = kernel.sums_type
    shape = statements.shape()
    if Value("", I32, shape).size() > 512:
        return 1
    x = v.to_range(statements.expressions.tile(scope, shape, 2), type_, 2 if type_ is BF16 else 8)
    at = statements.permuted_offsets(shape, Value("", I32, shape).size())
    start = rng.choice([0, 0, 8, 64, 3, statements.expressions.index(scope, 64).text])
    stores = [f"{start} + {at}"]
    if rng.random() < 0.3 and type_ is not BF16:
        stores.append(f"{rng.choice([0, 1, 256])} + {at}")
    mask = f", {statements.expressions.mask(scope, shape, 1).text}" if rng.random() < 0.4 else ""
    more = rng.choice([", memory_order::relaxed", ", memory_order::relaxed", "", ", memory_order::release"])
    if type_.bits >= 32 and rng.random() < 0.2:
        more += ", scope::system"
    for place in stores:
        scope.write(f"atomic_add(all_sums + ({place}), {x.text}{mask}{more});")
    return 1


UPDATED = 64


def updates(statements, scope):
    """Atomics whose order does not matter: each kind has elements of its own, which all programs share."""
    rng, kernel = statements.rng, statements.kernel
    if not kernel.updates_type:
        kernel.updates_type = rng.choice([I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64])
        relative = ", 0, 0" if kernel.updates_type.kind == "f" else ""
        kernel.shared_buffers["updated"] = f"{kernel.updates_type.name}* updated = small({5 * UPDATED}{relative})"
    type_ = kernel.updates_type
    kinds = ["min", "max"] + ["and", "or", "xor"] * (type_.kind != "f")
    kind = rng.choice(kinds)
    shape = rng.choice([s for s in statements.palette.shapes if Value("", I32, s).size() <= 128] or [(16,)])
    if rng.random() < 0.2:
        shape = ()
    x = v.to_range(statements.expressions.tile(scope, shape, 2), type_, 100)
    index = v.whole(statements.expressions.tile(scope, shape, 1))
    at = f"({index.text} & {UPDATED - 1})"
    if shape and rng.random() < 0.4:
        at = f"({statements.expressions.flat(shape)} % {UPDATED})"
    mask = f", {statements.expressions.mask(scope, shape, 1).text}" if shape and rng.random() < 0.4 else ""
    more = rng.choice([", memory_order::relaxed", ", memory_order::relaxed", "", ", memory_order::release"])
    if type_.bits >= 32 and rng.random() < 0.2:
        more += ", scope::system"
    scope.write(f"atomic_{kind}(updated + ({kinds.index(kind) * UPDATED} + {at}), {x.text}{mask}{more});")
    return 1
