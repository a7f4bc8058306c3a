"""Parameters of generated kernels in structs and in arrays of pointers.

A Program is written with a parameter for each buffer and number. `grouped` puts some of them into a struct, with arrays
and a struct within it, and some pointers into an array in memory; the kernel's text then names `p.size.n`, `p.ins[1]`.
"""

import dataclasses
import re

import launchers

OBJECTS = ["p", "params", "args", "in", "all_of", "problem", "t", "s"]
FIELDS = ["each", "parts", "ins", "list", "data"]
INNERS = ["size", "more", "sub", "rest"]
# A variable, or a parameter of a lambda, in a text: the same name as a parameter of the kernel then means another thing.
DECLARES = (r"(?:\b(?:auto|int|float|double|bool|T|U|E|I|unsigned|\w+_t|b?float16)|[\w>][&*]) {0}\b|\[[^\[\]]*\b{0}\b[^\[\]]*\] ?[({{]"
            r"|\bauto&? \[[^\[\]]*\b{0}\b")


@dataclasses.dataclass
class Group:
    """A parameter that stands for several: a struct, or an array of pointers (`struct` is empty, one member)."""

    struct: str
    name: str  # of the parameter, or of the member
    members: list  # Groups, and (kind, name, parameters): "one", "array" or "pointers"
    getters: list = dataclasses.field(default_factory=list)  # members that a method returns
    default: bool = False  # members have initializers

    def paths(self, prefix=""):
        """parameter -> how the kernel names it."""
        result = {}
        for member in self.members:
            start = prefix if not self.struct else f"{prefix}{self.name}."
            if isinstance(member, Group):
                result.update(member.paths(start))
                continue
            kind, name, parameters = member
            result.update((p.name, f"{start}{name}" + ("" if kind == "one" else f"[{k}]")) for k, p in enumerate(parameters))
        return result

    def declared(self, restrict):
        """The definitions of its structs."""
        text, lines = "", []
        for member in self.members:
            if isinstance(member, Group):
                text += member.declared(restrict)
                lines.append(f"  {member.struct} {member.name}{' = {}' if self.default else ''};")
                continue
            kind, name, parameters = member
            p = parameters[0]
            of = pointer_type(p) if p.is_pointer() else p.type
            word = " __restrict__" if restrict and p.is_pointer() and kind != "pointers" else ""
            if kind == "array" and p.is_pointer():
                word = ""
            star = "* const*" if kind == "pointers" else "*" if p.is_pointer() else ""
            start = f" = {'nullptr' if p.is_pointer() else '0'}" if self.default and kind == "one" else ""
            lines.append(f"  {of}{star}{word} {name}{f'[{len(parameters)}]' if kind == 'array' else ''}{start};")
            if name in self.getters:
                lines.append(f"  __tile__ auto get_{name}() const {{ return {name}; }}")
        return text + (f"struct {self.struct} {{\n" + "\n".join(lines) + "\n};\n" if self.struct else "")

    def argument(self):
        """What a call of the launcher passes."""
        parts = []
        for member in self.members:
            if isinstance(member, Group):
                parts.append(member.argument())
                continue
            kind, _, parameters = member
            names = ", ".join(p.name for p in parameters)
            if kind == "pointers":
                parts.append(f"emulate_test::PointerArray<{pointer_type(parameters[0])}>{{{names}}}.data()")
            else:
                parts.append(names if kind == "one" else f"{{{names}}}")
        return f"{self.struct}{{{', '.join(parts)}}}" if self.struct else parts[0]

    def parameter(self, restrict):
        """Its declaration in the list of the kernel's parameters."""
        if self.struct:
            return f"{self.struct} {self.name}"
        return f"{pointer_type(self.members[0][2][0])}* const*{' __restrict__' if restrict else ''} {self.name}"

    def rename(self, change):
        """Gives its structs and members other names."""
        self.struct, self.name, self.getters = change(self.struct), change(self.name), [change(name) for name in self.getters]
        for k, member in enumerate(self.members):
            if isinstance(member, Group):
                member.rename(change)
            else:
                self.members[k] = (member[0], change(member[1]), member[2])

    def parameters(self):
        """The Parameters that it stands for."""
        return [p for member in self.members for p in (member.parameters() if isinstance(member, Group) else member[2])]


def pointer_type(p):
    """The type that a pointer points to."""
    return f"{'const ' if p.const else ''}{p.type}"


def is_named_otherwise(text, name):
    """Whether the text has a variable of this name, or a text of CUDA in which it may stand."""
    return re.search(DECLARES.format(name), text) is not None


def named_only(program, p):
    """Whether all that the kernels call so is the parameter."""
    for kernel in program.kernels():
        name = kernel.names.get(p.name, p.name)
        if is_named_otherwise(kernel.body, name) or p.type in kernel.spelled or re.search(rf'"[^"]*\b{name}\b[^"]*"', kernel.body):
            return False
    return True


def alike_of(rng, parameters):
    """Two or three parameters of one type, or one."""
    p = rng.choice(parameters)
    alike = [q for q in parameters if q is not p and (q.type, q.const, q.is_pointer()) == (p.type, p.const, p.is_pointer())]
    return [p, *rng.sample(alike, min(len(alike), rng.choice([1, 1, 2])))]


def members_of(rng, parameters, taken, depth):
    """Members that hold these parameters."""
    left, members = list(parameters), []
    while left:
        roll = rng.random()
        alike = alike_of(rng, left)
        free = [name for name in FIELDS if name not in taken]
        if roll < 0.3 and len(alike) > 1 and free:
            name = rng.choice(free)
            # A launcher restores and looks at single pointers only.
            members.append(("pointers" if alike[0].is_pointer() and rng.random() < 0.5 else "array", name, alike))
            taken.add(name)
        elif roll < 0.45 and depth and len(left) > 1 and (inner := [name for name in INNERS if name not in taken]):
            name = rng.choice(inner)
            taken.add(name)
            alike = rng.sample(left, rng.randrange(1, len(left) + 1))
            members.append(("struct", name, alike))
        else:
            alike = alike[:1]
            members.append(("one", alike[0].name, alike))
        left = [p for p in left if p not in alike]
    return members


def group_of(rng, struct, name, parameters, used, depth=2):
    """A struct with these parameters."""
    made = []
    for kind, member, inside in members_of(rng, parameters, set(used) | {p.name for p in parameters}, depth):
        made.append(group_of(rng, f"{struct}_{member}", member, inside, used, depth - 1) if kind == "struct" else (kind, member, inside))
    getters = [m[1] for m in made if isinstance(m, tuple) and m[0] == "one" and rng.random() < 0.2]
    return Group(struct, name, made, getters, rng.random() < 0.3)


def substituted(rng, group, text, names):
    """The kernel's text with the members; the launcher computes some lines, in which nothing is called."""
    paths = {names.get(name, name): path for name, path in group.paths().items()}
    paths = {name: path for name, path in paths.items() if name != path}
    getters = {path for path in paths.values() if "." in path and is_got(group, path)}
    lines = []
    for line in text.split("\n"):
        of_launcher = re.search(r"\b(grid|require|assume\w*|persistent_range|dynamic_range|range|num_sms|for|while)\b", line)
        here = {}
        for name, path in paths.items():
            start, _, last = path.rpartition(".")
            here[name] = f"{start}.get_{last}()" if path in getters and not of_launcher and rng.random() < 0.5 else path
        lines.append(launchers.renamed(line, here))
    return "\n".join(lines)


def is_got(group, path):
    """Whether a method returns the member of this path."""
    _, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    if name == rest:
        return name in group.getters
    inner = [m for m in group.members if isinstance(m, Group) and m.name == name]
    return bool(inner) and is_got(inner[0], rest)


def grouped(rng, program):
    """Puts some of the parameters into a struct, or some pointers into an array; changes the program."""
    used = set(re.findall(r"\w+", " ".join([program.template, program.helpers, *(k.body + k.template for k in program.kernels())])))
    used |= {name for k in program.kernels() for name in k.names.values()} | {p.name for p in program.parameters}
    # The caller has a variable for each parameter, which would hide what has the same name there.
    if {p.name for p in program.parameters} & {"dim3", program.space, *(name for name, _ in program.instances())}:
        return program
    able = [p for p in program.parameters if named_only(program, p)]
    quoted = set(re.findall(r'"([^"]+)"', " ".join(launcher.more for launcher in program.launchers)))
    only = rng.random() < 0.3
    if only:
        able = [p for p in able if p.is_pointer() and p.name not in quoted]
    objects = [name for name in OBJECTS if name not in used]
    if not able or not objects:
        return program
    name = rng.choice(objects)
    if only:
        alike = alike_of(rng, able)
        group = Group("", name, [("pointers", name, alike)])
    else:
        chosen = rng.sample(able, rng.randrange(1, len(able) + 1))
        group = group_of(rng, f"{program.name}_h900", name, chosen, used)
        # A launcher names single members.
        paths = group.paths()
        if any("[" in paths.get(q, "") for q in quoted):
            return program
        for launcher in program.launchers:
            launcher.more = re.sub(r'"(\w+)"', lambda found: f'"{paths.get(found[1], found[1])}"', launcher.more)
    program.body = substituted(rng, group, program.body, {})
    for other in program.others:
        other.body = substituted(rng, group, other.body, other.names)
    program.groups.append(group)
    return program
