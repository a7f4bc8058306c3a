"""Launchers of generated kernels: template arguments, several instances, lists of candidates, namespaces.

A `Program` is a Case whose kernel may have template arguments and may not be alone: a launcher chooses among instances of
it, and among other kernels of the same parameters, which have names of their own for them. Each kernel writes to its
own parts of the outputs, so that a wrong choice shows.
"""

import copy
import dataclasses
import re

import generics
import values as v
from case import Case
from names import CONSTANTS, renamed
from values import I32, Value

NUMBERS = {
    "int": [0, 1, 2, 3, 7, 16, -1, -5, 100, 65536, 2**31 - 1, -(2**31)],
    "int8_t": [-128, 127, -3, 5],
    "uint8_t": [255, 200, 0, 7],
    "int16_t": [-32768, 300, -1],
    "uint16_t": [65535, 9, 40000],
    "uint32_t": [4000000000, 2**32 - 1, 3, 0],
    "int64_t": [5000000000, -5000000000, 2**63 - 1, -(2**63), 7, -1, 2**31],
    "uint64_t": [2**64 - 1, 2**63, 5, 3000000000],
    "bool": [0, 1],
}
ENUMS = {"low": -3, "none": 0, "high": 70000, "far": 200}


@dataclasses.dataclass
class Constant:
    """A template argument: its value in each instance."""

    name: str
    type: str  # of a parameter: of NUMBERS, or of an enum
    numbers: list
    default: bool = False  # the first instance's value is the default argument

    def declared(self, rng):
        auto = self.type in NUMBERS and rng.random() < 0.25
        return f"{'auto' if auto else self.type} {self.name}" + (f" = {self.argument(0)}" if self.default else "")

    def argument(self, k):
        number = self.numbers[k]
        if self.type not in NUMBERS:
            return f"{self.type}::{number}"
        if self.type == "bool":
            return "true" if number else "false"
        if self.type == "int" and number > -(2**31):
            return str(number)
        least = number in (-(2**31), -(2**63))
        text = f"{number + 1} - 1" if least else str(number) + "u" * (self.type.startswith("u"))
        return f"{self.type}({text})"

    def value(self):
        numbers = [ENUMS.get(n, n) for n in self.numbers]
        type_ = v.TYPES[self.type] if self.type in NUMBERS else I32
        text = self.name if self.type in NUMBERS else f"int({self.name})"
        return Value(text, type_, (), min(numbers), max(numbers))


@dataclasses.dataclass
class Version:
    """A kernel of the same parameters: what it calls them, and its text."""

    suffix: str
    names: dict  # of parameters: the name of the first kernel -> the own name
    template: str
    body: str
    spelled: dict = dataclasses.field(default_factory=dict)  # type of parameters -> the template parameter that stands for it


@dataclasses.dataclass
class Launcher:
    how: str  # instantiate, select or tune
    candidates: list  # of (number of the kernel, template arguments, options)
    more: str = ""  # key and preserve
    form: str = "direct"  # where the list of candidates comes from: one of FORMS, or a pack

    def declared(self, name, colons):
        """The launcher of this name, and what its value is made of."""
        head = f"inline constexpr auto {name} = "
        how, more, candidates = self.how, self.more, self.candidates
        texts = [f"candidate({colons(k)}{arguments}, {{{options}}})" for k, arguments, options in candidates]
        if how == "instantiate":
            inner = texts[0][len("candidate(") : -1]
            if self.form == "direct":
                return f"{head}instantiate({inner});\n"
            return f"constexpr auto {name}_list() {{ return instantiate({inner}); }}\n{head}{name}_list();\n"
        if self.form == "pack" and (pack := self.of_pack(name, colons)):
            return pack + f"{head}{name}_list<{', '.join(self.first(c)[0] for c in candidates)}>();\n"
        if self.form == "function":
            return f"constexpr auto {name}_list() {{ return {how}({more}{', '.join(texts)}); }}\n{head}{name}_list();\n"
        if self.form in ("array", "tuple"):
            return (f"constexpr std::{self.form} {name}_list{{{', '.join(texts)}}};\n"
                    f"{head}std::apply([](auto... each) {{ return {how}({more}each...); }}, {name}_list);\n")
        if self.form in ("variables", "each"):
            before = ""
            for k, text in enumerate(texts):
                if self.form == "variables":
                    before += f"constexpr auto {name}_c{k} = {text};\n"
                else:
                    text = re.sub(r"(\.num_warps = )\d+", r"\1warps", text)
                    before += f"constexpr auto {name}_c{k}(int warps) {{ return {text}; }}\n"
            calls = [f"{name}_c{k}" + (f"({re.search(r'num_warps = ([0-9]+)', c[2])[1]})" if self.form == "each" else "") for k, c in enumerate(candidates)]
            return before + f"{head}{how}({more}{', '.join(calls)});\n"
        return f"{head}{how}({more}{', '.join(texts)});\n"

    @staticmethod
    def first(candidate):
        """The first template argument, and the others."""
        return re.match(r"<([^,<>]*)(.*)>$", candidate[1]).groups()

    def of_pack(self, name, colons):
        """A function with a pack of the first arguments, if the candidates differ in nothing else."""
        first = self.candidates[0]
        rest = [(c[0], self.first(c)[1], c[2]) for c in self.candidates]
        if any(r != rest[0] for r in rest):
            return None
        text = f"candidate({colons(first[0])}<B{self.first(first)[1]}>, {{{first[2]}}})..."
        return f"template <int... B>\nconstexpr auto {name}_list() {{ return {self.how}({self.more}{text}); }}\n"

    def headers(self):
        return {"array": "#include <array>\n#include <tuple>\n", "tuple": "#include <tuple>\n"}.get(self.form, "")


FORMS = ["direct", "direct", "function", "array", "tuple", "variables", "each"]


def renamed_runs(runs, change):
    """The runs with other names of parameters."""
    return [{change(name): tuple(map(change, x)) if name == "null" else x for name, x in run.items()} for run in runs]


@dataclasses.dataclass
class Program(Case):
    others: list = dataclasses.field(default_factory=list)  # Versions
    launchers: list = dataclasses.field(default_factory=list)
    space: str = ""  # a namespace around the kernels and launchers
    spelled: dict = dataclasses.field(default_factory=dict)  # of the first kernel
    dims: tuple = ()  # how many programs are launched, where kernels have no grid
    groups: list = dataclasses.field(default_factory=list)  # parameters that stand for several: parameters.py

    def instances(self):
        return [(f"{self.name}_w{k}", k) for k in range(len(self.launchers))]

    def kernels(self):
        return [Version("", {}, self.template, self.body, self.spelled), *self.others]

    def kernel_name(self, k):
        """In a namespace, kernels of many programs have the same name."""
        return ("apply" if self.space else self.name) + self.kernels()[k].suffix

    def slots(self):
        """The kernel's parameters: Parameters, and groups of them where their first one stands."""
        result = []
        for p in self.parameters:
            found = [group for group in self.groups if any(q.name == p.name for q in group.parameters())]
            if not found or found[0] not in result:
                result.append(found[0] if found else p)
        return result

    def parameter_list(self, kernel):
        parts = []
        for p in self.slots():
            if p in self.groups:
                parts.append(p.parameter(self.restrict))
                continue
            name, type_ = kernel.names.get(p.name, p.name), kernel.spelled.get(p.type, p.type)
            restrict = " __restrict__ " if self.restrict else " "
            parts.append(f"{'const ' if p.const else ''}{type_}*{restrict}{name}" if p.is_pointer() else f"{type_} {name}")
        return ", ".join(parts)

    def source(self):
        text = "".join(sorted({launcher.headers() for launcher in self.launchers}))
        text += self.helpers.strip("\n") + "\n" if self.helpers else ""
        text += "".join(group.declared(self.restrict) for group in self.groups)
        text += f"namespace {self.space} {{\n" if self.space else ""
        for k, kernel in enumerate(self.kernels()):
            body = "\n".join("  " + line.rstrip() for line in kernel.body.strip("\n").split("\n"))
            text += kernel.template + "\n" if kernel.template else ""
            text += f"__tile_global__ void {self.kernel_name(k)}({self.parameter_list(kernel)}) {{\n{body}\n}}\n"
        for (name, _), launcher in zip(self.instances(), self.launchers):
            text += launcher.declared(name, lambda k: ("" if self.space else "::") + self.kernel_name(k))
        return text + ("}\n" if self.space else "")

    def shim(self, space, launcher):
        self.call = ", ".join(p.argument() if p in self.groups else p.name for p in self.slots()) if self.groups else ""
        text = super().shim(space, launcher)
        if self.dims:
            dims = ", ".join(map(str, self.dims))
            if space == "reference":
                k, arguments, _ = self.launchers[[name for name, _ in self.instances()].index(launcher)].candidates[0]
                kernel = f"{self.space}::{self.kernel_name(k)}{arguments}"
                return text.replace(f"int({launcher}(", f"int(launch_grid({kernel}, {dims}, ")
            text = text.replace("));\n}", f", dim3({dims})));\n}}")
        return text.replace(f"int({launcher}(", f"int({self.space}::{launcher}(") if self.space else text

    # ---- For the reducer

    def rename_all(self, change):
        """Changes the texts around the body."""
        self.space = change(self.space)
        for p in self.parameters:
            p.name, p.rest = change(p.name), tuple(map(change, p.rest))
        self.runs = renamed_runs(self.runs, change)
        for group in self.groups:
            group.rename(change)
        for other in self.others:
            other.names = {change(a): change(b) for a, b in other.names.items()}
            other.template, other.body = change(other.template), change(other.body)
        for launcher in self.launchers:
            launcher.candidates = [(c[0], change(c[1]), c[2]) for c in launcher.candidates]
            launcher.more = change(launcher.more)

    def used_in(self, p):
        return any(q.name == p.name for group in self.groups for q in group.parameters()) or any(re.search(rf"\b{kernel.names.get(p.name, p.name)}\b", kernel.body) for kernel in self.kernels()) or any(
            f'"{p.name}"' in launcher.more for launcher in self.launchers)

    def simpler(self):
        """Programs with less around the body."""
        result = []

        def add():
            result.append(copy.deepcopy(self))
            return result[-1]

        if self.space:
            add().space = ""
        if self.groups:
            add().ungroup()
        for k, launcher in enumerate(self.launchers):
            if len(self.launchers) > 1:
                add().launchers = [self.launchers[k]]
            if launcher.form != "direct":
                add().launchers[k].form = "direct"
            for c, candidate in enumerate(launcher.candidates):
                if len(launcher.candidates) > 1:
                    add().launchers[k].candidates = launcher.candidates[:c] + launcher.candidates[c + 1 :]
                warps = int(re.match(r"\.num_warps = (\d+)", candidate[2])[1])
                if "," in candidate[2]:
                    add().launchers[k].candidates[c] = (*candidate[:2], f".num_warps = {warps}")
                for fewer in (1, 2, 4):
                    if fewer < warps:
                        text = re.sub(r"^\.num_warps = \d+", f".num_warps = {fewer}", candidate[2])
                        add().launchers[k].candidates[c] = (*candidate[:2], text)
                if launcher.how != "instantiate" and len(launcher.candidates) == 1:
                    new = add().launchers[k]
                    new.how, new.more = "instantiate", ""
            if launcher.more and launcher.how == "tune":
                new = add().launchers[k]
                new.how, new.more = "select", ""
        for k in range(len(self.others)):
            if all(c[0] != k + 1 for launcher in self.launchers for c in launcher.candidates):
                new = add()
                del new.others[k]
                for launcher in new.launchers:
                    launcher.candidates = [(c[0] - (c[0] > k + 1), *c[1:]) for c in launcher.candidates]
        return result

    def ungroup(self):
        """Gives each number and buffer a parameter of its own again."""
        for group in self.groups:
            paths = group.paths()
            for launcher in self.launchers:
                for name, path in paths.items():
                    launcher.more = launcher.more.replace(f'"{path}"', f'"{name}"')
            for version in [self, *self.others]:
                for name, path in paths.items():
                    own = name if version is self else version.names.get(name, name)
                    start, _, last = path.rpartition(".")
                    for text in (path, f"{start}.get_{last}()"):
                        version.body = re.sub(rf"(?<![.\w]){re.escape(text)}(?!\w)", own, version.body)
        self.groups = []

    def size(self):
        """The number of elements that can be read."""
        return sum(len(o.body) + len(o.template) for o in self.others) + 20 * bool(self.space) + 40 * len(self.groups) + sum(
            20 + len(launcher.more) + 20 * (launcher.form != 'direct') + sum(len(c[1]) + len(c[2]) + int(c[2].split()[2].strip(',')) for c in launcher.candidates) for launcher in self.launchers)


# ---- How they are made


def constants_of(rng, title, taken, count):
    """Template arguments with the values of `count` instances; and the text of an enum that they need."""
    types, pack = generics.drawn(rng, taken, count) if rng.random() < 0.6 else ([], None)
    taken = {*taken, *(c.name for c in types), pack.name if pack else ""}
    made, enum = [], ""
    least = 0 if types or pack else 1
    for name in rng.sample([name for name in CONSTANTS if name not in taken], rng.choice([least, 1, 2, 2, 3, 4])):
        type_ = rng.choice(["int", "int", "int", "bool", "enum", *NUMBERS])
        if type_ == "enum":
            type_ = f"{title}_mode"
            rows = ", ".join(f"{k} = {n}" for k, n in ENUMS.items())
            enum = f"enum class {type_} : int {{ {rows} }};\n"
        numbers = [rng.choice(NUMBERS.get(type_) or list(ENUMS)) for _ in range(count)]
        made.append(Constant(name, type_, numbers))
    made = rng.sample(made + types, len(made) + len(types)) + ([pack] if pack else [])
    generics.with_defaults(rng, made)
    return made, enum


def template_of(rng, constants):
    return f"template <{', '.join(c.declared(rng) for c in constants)}>" if constants else ""


def arguments_of(constants, k):
    """The arguments of an instance, without those that the defaults give."""
    if not constants:
        return ""
    last = len(constants)
    while last and constants[last - 1].default and constants[last - 1].argument(k) == constants[last - 1].argument(0):
        last -= 1
    return f"<{', '.join(text for c in constants[:last] if (text := c.argument(k)))}>"


def literal_of(number):
    if number == -(2**63):
        return "(-9223372036854775807 - 1)"
    return str(number)


def integer_scalars(kernel):
    return [(name, t, numbers) for name, (t, numbers) in kernel.scalars.items() if t in ("int", "int64_t", "int8_t", "uint32_t")]


def comparison(rng, scalar):
    name, type_, numbers = scalar
    if not type_.startswith("u") and rng.random() < 0.3:
        return f"{name} % {rng.choice([2, 3, 4, 16])} {rng.choice(['==', '!='])} 0"
    low, high = v.TYPES[type_].range()
    number = min(max(rng.choice(numbers) + rng.choice([-1, 0, 0, 1]), low), high)
    return f"{name} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {literal_of(number)}"


def requirement(rng, kernel):
    """A condition of the arguments, which holds for some runs."""
    scalars = integer_scalars(kernel)
    text = comparison(rng, rng.choice(scalars))
    if rng.random() < 0.3:
        text = f"{text} {rng.choice(['&&', '||'])} {comparison(rng, rng.choice(scalars))}"
    more = f"\nrequire({comparison(rng, rng.choice(scalars))});" if rng.random() < 0.35 else ""
    return f"require({text});{more}"


def own_names(rng, parameters, body, template):
    """Another kernel's names of the parameters: some are new, and two of one type may have each other's."""
    used = set(re.findall(r"\w+", body + template)) | {p.name for p in parameters}
    new = [n for n in ("count", "from", "to", "source", "total", "lane", "VEC", "i", "row", "start", "stream", "launch", "programs_x", "size") if n not in used]
    chosen = rng.sample(parameters, min(len(parameters), rng.randrange(0, 4)))
    names = {p.name: name for p, name in zip(chosen, rng.sample(new, min(len(new), len(chosen))))}
    alike = [(p, q) for p in parameters for q in parameters if p.name < q.name and (p.type, p.is_pointer(), p.const) == (q.type, q.is_pointer(), q.const)]
    for p, q in rng.sample(alike, min(len(alike), rng.choice([0, 1, 1, 2]))):
        a, b = names.get(p.name, p.name), names.get(q.name, q.name)
        names[p.name], names[q.name] = b, a
    return names


def key_of(rng, kernel, parameters, buffers):
    """What a tuner looks at, and what it restores: all that the kernel may read and write."""
    integers = [p.name for p in parameters if not p.is_pointer() and p.type in ("int", "int64_t", "uint32_t")]
    keys = rng.sample(integers, min(len(integers), rng.randrange(0, 3)))
    quoted = ", ".join(f'"{k}"' for k in keys)
    text = f"key{{{quoted}}}, "
    for name, size in buffers:
        text += f'preserve("{name}", {size}), '
    return text
