"""Loops that read and write one buffer: values carried through memory, loads after stores, two pointers to one address.

All programs have a part of the buffer of their own. Offsets depend on the loop's variable, or do not, so that an
iteration reads what another one wrote; a pass that moves such a load, or loads ahead, would show.
"""

import dataclasses

import loops
import matmuls
import values as v
from counting import counted_loop
from values import I32, Value

ROOM = 1024  # of a program's part: programs.CHANGED_SIZE


class Places:
    """Offsets of tiles of one shape in the program's part, which may depend on a loop's variable."""

    def __init__(self, statements, shape, trips):
        self.statements, self.shape = statements, shape
        self.size = Value("", I32, shape).size()
        self.start = statements.rng.randrange(0, 40)
        self.room = ROOM - self.size - self.start - 16
        self.steps = [s for s in (0, 0, 1, 2, 16, self.size // 2, self.size, self.size) if s * (trips + 2) <= self.room]
        self.step = statements.rng.choice(self.steps)

    def pointer(self, k):
        """A pointer of the buffer: mostly the same place, or that of the next iteration, or one that overlaps."""
        rng, kernel = self.statements.rng, self.statements.kernel
        buffer = kernel.changed()
        step = self.step if rng.random() < 0.7 else rng.choice(self.steps)
        index = f"({k} + 1)" if rng.random() < 0.3 else k
        by_loop = f"{index} * {step} + " if step and k else ""
        more = rng.choice([0, 0, 0, 1, 8])
        flat = self.statements.permuted_offsets(self.shape, self.size)
        name = rng.choice(buffer.names)
        return f"{name} + ({kernel.program_text()} * {buffer.region_size} + {by_loop}{self.start + more} + {flat})"

    def element(self, k):
        """One element of it, as an lvalue."""
        rng, kernel = self.statements.rng, self.statements.kernel
        buffer = kernel.changed()
        by_loop = f"{k} * {self.step} + " if self.step and k else ""
        at = rng.choice([0, 0, self.size - 1, self.size // 2])
        return f"{rng.choice(buffer.names)}[{kernel.program_text()} * {buffer.region_size} + {by_loop}{self.start + at}]"


def loaded(statements, scope, places, k):
    """A variable with elements of the buffer that the loop writes."""
    buffer = statements.kernel.changed()
    pointer = places.pointer(k)
    mask = f", {statements.expressions.mask(scope, places.shape, 1).text}" if statements.rng.random() < 0.2 else ""
    return scope.let(Value(f"load({pointer}{mask})", buffer.type, places.shape, *bounds_of(buffer)))


def bounds_of(buffer):
    """The bounds of its elements: the first ones are small, and all that is stored is within its limit."""
    return (0 if buffer.type.kind == "u" else -buffer.limit), buffer.limit


def step(statements, scope, places, k, tiles):
    """One access, or a change of what was loaded."""
    rng = statements.rng
    buffer = statements.kernel.changed()
    kind = rng.choices(["load", "store", "update", "element", "invariant"], [3, 4, 3, 1, 2])[0]
    if kind == "load" or not tiles:
        tiles.append(loaded(statements, scope, places, k))
        return
    x = rng.choice(tiles)
    if kind == "update":
        x = loaded(statements, scope, places, k)
    if kind == "element":
        y = statements.expressions.scalar(scope, 1)
        if rng.random() < 0.5:
            y = v.arithmetic("+", Value(places.element(k), buffer.type, (), *bounds_of(buffer)), y)
        line = f"{places.element(k)} = {v.to_range(y, buffer.type, buffer.limit).text};"
    elif kind == "invariant":
        # An optimizer might take this out of the loop: nothing in it changes.
        tiles.append(loaded(statements, scope, places, None))
        return
    else:
        y = statements.expressions.binary(scope, x, rng.choice([*tiles, statements.expressions.near(scope, places.shape, 1)]))
        y = v.to_range(y if y.shape == places.shape else x, buffer.type, buffer.limit)
        mask = f", {statements.expressions.mask(scope, places.shape, 1).text}" if rng.random() < 0.25 else ""
        line = f"store({places.pointer(rng.choice([k, k, k, None]))}, {y.text}{mask});"
    if rng.random() < 0.25:
        line = f"if ({statements.expressions.condition(scope, 1).text}) {line}"
    scope.write(line)


def head_of(statements, scope, k):
    """(lines before, head, tail lines) of a loop of at most 8 iterations."""
    rng = statements.rng
    bound = v.cast(loops.bound_of(statements, scope, I32), I32)
    if rng.random() < 0.3:
        bound = v.literal(rng.choice([0, 1, 2, 5]))
    kind = rng.randrange(6)
    if kind < 2:
        return [], f"for (int {k} = 0; {k} < {bound.text}; ++{k}) {{", []
    if kind < 4:
        stages = rng.choice([f".num_stages = {rng.randrange(1, 6)}", f".num_stages = {rng.randrange(2, 5)}", f".unroll = {rng.choice([2, 3, 4])}"])
        return [], f"for (auto {k} : range(0, {bound.text}, 1, {{{stages}}})) {{", []
    if kind == 4:
        return [f"int {k} = 0;"], f"while ({k} < {bound.text}) {{", [f"  ++{k};"]
    return [], f"for (auto {k} : static_range<{rng.choice([1, 2, 3])}>()) {{", []


def loop(statements, scope, budget):
    """A loop whose iterations may depend on each other through the buffer."""
    rng = statements.rng
    if statements.kernel.is_helper:
        return 1
    sizes = [s for s in statements.palette.shapes if Value("", I32, s).size() <= 256]
    if not sizes:
        return 1
    places = Places(statements, rng.choice(sizes), 9)
    k = statements.kernel.name("k")
    tiles = []
    if rng.random() < 0.4:
        step(statements, scope, places, None, tiles)
    before, head, tail = head_of(statements, scope, k)
    inner = scope.child()
    inner.in_loop, inner.unrolled = "while", False  # a `continue` would pass by the step of a while
    inner.add(Value(k, I32, (), 0, 9))
    mine = list(tiles)
    for _ in range(rng.choice([2, 3, 3, 4])):
        step(statements, inner, places, k, mine)
    if rng.random() < 0.3 and scope.depth < 2:
        # A loop within it, over the same places.
        again = inner.child()
        j = statements.kernel.name("k")
        again.add(Value(j, I32, (), 0, 3))
        for _ in range(2):
            step(statements, again, places, rng.choice([j, k, None]), mine)
        inner.write(f"for (int {j} = 0; {j} < {rng.choice([1, 2, 3])}; ++{j}) {{")
        inner.lines += ["  " + line for line in again.lines]
        inner.write("}")
        mine = [x for x in mine if x in [y.value for y in inner.variables]]
    if rng.random() < 0.3:
        inner.write(f"if ({statements.expressions.condition(inner, 1).text}) break;")
        if rng.random() < 0.5:
            step(statements, inner, places, k, mine)
    if rng.random() < 0.3:
        statements.block(inner, 1)
    scope.lines += before
    scope.write(head)
    scope.lines += ["  " + line for line in inner.lines] + tail
    scope.write("}")
    if rng.random() < 0.4:
        step(statements, scope, places, None, tiles)
    return 3


def product(statements, scope, budget):
    """Dots of blocks of the buffer in a loop that also writes to the buffer: no block may be loaded too early."""
    rng, kernel = statements.rng, statements.kernel
    buffer = kernel.changed()
    kinds = [x for x in matmuls.KINDS if x[0] is buffer.type]
    if not kinds or kernel.is_helper:
        return loop(statements, scope, budget)
    a_type, b_type, sum_type, precision = rng.choice(kinds)
    m, n, depth = rng.choice([s for s in (matmuls.HOPPER_SIZES if kernel.hopper else matmuls.SIZES) if s[0] * s[2] <= 512 and s[0] * s[1] <= 512] or [(16, 16, 16)])
    places = Places(statements, (m, depth), 5)
    target = Places(statements, (m, n), 5)
    target.start = places.start
    k, acc = kernel.name("k"), kernel.name("acc")
    scope.write(f"auto {acc} = zeros<{sum_type.name}, {m}, {n}>();")
    bound = 100 * 100 * depth * 6
    inner = scope.child()
    inner.in_loop, inner.unrolled = False, True
    inner.add(Value(k, I32, (), 0, 5))
    x = loaded(statements, inner, places, k)
    others = [source for source in kernel.inputs if source.domain.startswith("small") and source.value.type is b_type]
    if others and rng.random() < 0.7:
        flat = statements.expressions.flat((depth, n))
        y = dataclasses.replace(rng.choice(others).value, shape=(depth, n))
        y = inner.let(dataclasses.replace(y, text=f"load({others[0].name} + ({k} * {rng.choice([0, depth * n, 16])} + {flat}))"))
    else:
        y = matmuls.operand(statements, inner, (depth, n), b_type)
    more = f", {precision}" if precision else ""
    inner.write(f"{acc} = dot({x.text}, {y.text}, {acc}{more});")
    value = Value(acc, sum_type, (m, n), -bound, bound)
    if rng.random() < 0.7:
        text = v.to_range(value, buffer.type, 8).text
        inner.write(f"store({target.pointer(rng.choice([k, None]))}, {text});")
    else:
        step(statements, inner, places, k, [x])
    count = rng.choice(["0", "1", "2", "5", f"minimum({kernel.count}, {rng.choice([1, 2, 5])})", f"minimum({kernel.count}, 4)"])
    stages = f", {{.num_stages = {rng.randrange(1, 6)}}}" if rng.random() < 0.7 else ""
    counted_loop(scope, rng, k, count, inner.lines, [f"for (int {k} = 0; {k} < {count}; ++{k}) {{", f"for (auto {k} : range(0, {count}, 1{stages})) {{"] * 2)
    scope.add(value)
    return 3
