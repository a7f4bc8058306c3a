"""Grids of programs: grid, no grid at all, items of persistent loops, swizzle2d."""

import values as v
from values import I64, Value

PROGRAMS = 4  # at most


def programs_parameter(kernel, rng):
    """The number of programs, or of items, as a parameter."""
    kernel.scalars.setdefault("programs", ("int", [3, rng.choice([0, 1, 2, 4])]))
    kernel.programs_text = "programs"
    return "programs"


def grid_of(kernel, rng, scope, launcher):
    """(lines at the start, whether the body is in a persistent loop, lines at the end); `launcher`: no grid is possible."""
    kinds = [(1, one), (1, constant), (1.2, persistent), (1, plane), (2, plain), (0.7, swizzled)]
    if launcher:
        kinds.append((0.7, without))
    kernel.program = "pid"
    scope.add(Value("pid", I64, (), 0, PROGRAMS - 1))
    kind = rng.choices([k for _, k in kinds], [w for w, _ in kinds])[0]
    return kind(kernel, rng, scope)


def one(kernel, rng, scope):
    """A single program."""
    kernel.program, kernel.programs_text = None, "1"
    scope.variables.pop()
    return ["grid(1);"], False, []


def constant(kernel, rng, scope):
    """A constant number of programs."""
    kernel.programs_text = str(rng.randrange(1, PROGRAMS))
    return [f"auto pid = grid({kernel.programs_text});"], False, []


def plain(kernel, rng, scope):
    """As many programs as a parameter says."""
    return [f"auto pid = grid({programs_parameter(kernel, rng)});"], False, []


def persistent(kernel, rng, scope):
    """A loop over the items of a program."""
    n = programs_parameter(kernel, rng)
    form = rng.randrange(6)
    if form < 2:
        return [f"for (auto pid : persistent_range({n})) {{"], True, ["}"]
    if form == 2:
        return [f"for (auto pid : dynamic_range({n})) {{"], True, ["}"]
    blocks = rng.choice(["num_sms()", "num_sms() * 2", "cdiv(num_sms(), 3)", "num_sms() + 1", "2"])
    if form == 3:
        return [f"grid({blocks});", f"for (auto pid : persistent_range({n})) {{"], True, ["}"]
    if form == 4:
        return [f"for (auto pid = grid({blocks}); pid < {n}; pid += {blocks}) {{"], True, ["}"]
    return [f"auto first = grid({blocks});", f"for (auto pid = first; pid < {n}; pid += num_programs(0)) {{"], True, ["}"]


def plane(kernel, rng, scope):
    """A grid of several dimensions."""
    kernel.programs_text = "4"
    if rng.random() < 0.4:
        return ["auto [pi, pj, pk] = grid(2, 1, 2);", "auto pid = pi * 2 + pj + pk;"], False, []
    return ["auto [pi, pj] = grid(2, 2);", "auto pid = pi * 2 + pj;"], False, []


def swizzled(kernel, rng, scope):
    """Blocks of a matrix in groups of rows."""
    rows, columns = rng.choice([(2, 2), (4, 1), (1, 4), (3, 1), (1, 3), ("programs", 1), (1, "programs")])
    if "programs" in (rows, columns):
        programs_parameter(kernel, rng)
        count = "programs"
    else:
        count = kernel.programs_text = str(rows * columns)
    group = rng.choice([1, 2, 3, 8])
    after = f"auto pid = pi * {columns} + pj;"
    if rng.random() < 0.4:
        head = [f"for (auto item : persistent_range({count})) {{"]
        return [*head, f"auto [pi, pj] = swizzle2d(item, {rows}, {columns}, {group});", after], True, ["}"]
    id_ = rng.choice(["grid({0})", "int(grid({0}))"]).format(count)
    return [f"auto [pi, pj] = swizzle2d({id_}, {rows}, {columns}, {group});", after], False, []


def without(kernel, rng, scope):
    """The launcher gets the numbers of programs."""
    kernel.dims = rng.choice([(3, 1, 1), (1, 1, 1), (4, 1, 1), (2, 2, 1), (1, 2, 2), (2, 1, 2), (1, 3, 1), (1, 1, 4)])
    kernel.programs_text = str(kernel.dims[0] * kernel.dims[1] * kernel.dims[2])
    if kernel.dims[1:] == (1, 1) and rng.random() < 0.6:
        if rng.random() < 0.3:
            programs_parameter(kernel, rng)
            return ["for (auto pid = program_id(0); pid < programs; pid += num_programs(0)) {"], True, ["}"]
        return ["auto pid = program_id(0);"], False, []
    return ["auto pid = program_id(0) + num_programs(0) * (program_id(1) + num_programs(1) * program_id(2));"], False, []
