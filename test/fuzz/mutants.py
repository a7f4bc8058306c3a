"""Mutants: the kernels of test/emulate's cases with one or two edits that mostly keep them well-typed.

An edit works on the text of a body. One that breaks the program is no harm: tile2cu refuses it, or the reference's own
checks (bounds, traps on undefined arithmetic, another order of programs) tell it apart.
"""

import collections
import copy
import dataclasses
import functools
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "emulate"))

import generate  # noqa: E402
import sources as tile_sources  # noqa: E402
from case import Case  # noqa: E402
from names import CONSTANTS, LOCALS, WHOLE, declared_in, derived_names, renamed  # noqa: E402

LOOSE = 1e-3  # the tolerance of floats: a mutant adds up in another order, and may use fast functions


@dataclasses.dataclass
class Statement:
    start: int
    end: int  # after the semicolon
    text: str

    def declares(self):
        return re.match(r"(const |constexpr )?(auto|tile<[^;]*>|\w+(_t)?) \[?\w+.*[=;]", self.text) is not None

    def variable(self):
        """The name that `auto x = ...` defines."""
        found = re.match(r"(?:const )?auto (\w+) = ", self.text)
        return found[1] if found else None

    def value(self):
        return self.text[self.text.index(" = ") + 3 : -1]


def statements_of(text):
    """Simple statements at any depth of braces: text that ends with a semicolon, outside of parentheses."""
    result, parens, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "([":
            parens += 1
        elif c in ")]":
            parens -= 1
        elif parens == 0 and c in "{}":
            start = i + 1
        elif parens == 0 and c == ";":
            piece = text[start : i + 1]
            stripped = piece.strip()
            if stripped.count("(") == stripped.count(")") and "//" not in stripped and len(stripped) > 1:
                begin = start + len(piece) - len(piece.lstrip())
                result.append(Statement(begin, i + 1, stripped))
            start = i + 1
    return [s for s in result if not re.match(r"(for|while|if|else|do|case|default|using|require|grid)\b", s.text)]


def replace(text, start, end, new):
    return text[:start] + new + text[end:]


def calls_of(text, pattern=r"\b[a-z_]\w*(?:<[^<>;]*>)?\("):
    """(start, end) of calls with balanced parentheses."""
    result = []
    for found in re.finditer(pattern, text):
        depth = 0
        for i in range(found.end() - 1, len(text)):
            depth += (text[i] in "([{") - (text[i] in ")]}")
            if depth == 0:
                result.append((found.start(), i + 1))
                break
    return result


class Mutator:
    def __init__(self, rng):
        self.rng = rng

    def mutant(self, case, name):
        """The case with one or two edits, under another name; None where no edit fits."""
        rng = self.rng
        case = copy.deepcopy(case)
        case.helpers = re.sub(rf"\b{case.name}\b", name, case.helpers)
        case.name = name
        tile_sources.with_own_helpers(case)
        case.warps = (rng.choice(case.warps),)
        case.alone = False
        # Programs, or elements of one store, may write one value to one address now: different values are found by
        # the reference, in another order.
        case.races_between_blocks = case.races_of_one_store = False
        # `null` names parameters.
        small = lambda run: all(abs(v) < 3000 for k, v in run.items() if k != "null")
        runs = [run for run in case.runs if small(run)] or case.runs
        case.runs = rng.sample(runs, min(2, len(runs)))
        self.loosen(case)
        before = (case.body, case.warps, case.options, str(case.parameters), case.restrict, str(case.runs))
        for _ in range(rng.choice([1, 1, 2])):
            for _ in range(5):
                if self.edit(case):
                    break
        if (case.body, case.warps, case.options, str(case.parameters), case.restrict, str(case.runs)) == before:
            return None
        if "cumprod" in case.body and "cumprod" not in before[0] and "dot(" in case.body:
            return None  # dots drop bits of their operands: the order of multiplications shows
        if rng.random() < 0.4:
            self.rename(case)
        return case

    def rename(self, case):
        """Gives variables, parameters and the kernel names that the emitted text may use itself."""
        rng = self.rng
        rest = [case.helpers, case.template, case.arguments]
        outside = set(re.findall(r"\w+", " ".join(rest)))
        owned = [p.name for p in case.parameters if p.name not in outside]
        mine = [name for name in declared_in(case.body) if name not in owned and name not in outside]
        old = rng.sample(owned, rng.randrange(min(len(owned), 3) + 1)) + rng.sample(mine, rng.randrange(min(len(mine), 6) + 1))
        used = {*re.findall(r"\w+", case.body), *outside, *(p.name for p in case.parameters)}
        derived = derived_names(rng, case.name, [*mine[-4:], *owned[:2], *old[:3]])
        new = [name for name in dict.fromkeys(rng.sample(LOCALS, 20) + WHOLE + rng.sample(CONSTANTS, 5) + derived) if name not in used]
        names = dict(zip(old, rng.sample(new, min(len(new), len(old)))))
        case.body = renamed(case.body, names)
        for p in case.parameters:
            p.name, p.rest = names.get(p.name, p.name), tuple(renamed(part, names) for part in p.rest)
        case.runs = [{names.get(name, name): number for name, number in run.items()} for run in case.runs]
        if rng.random() < 0.4:
            case.kernel = rng.choice(["{}_kernel", "launch_{}", "{}_w" + str(case.warps[0]) + "_kernel", "compute_{}", "{}_k1", "{}_epilogue"]).format(case.name)

    @staticmethod
    def loosen(case):
        for p in case.parameters:
            if p.type in ("float", "double", "float16", "bfloat16"):
                Mutator.tolerate(p, LOOSE if p.type in ("float", "double") else 16 * LOOSE)

    @staticmethod
    def tolerate(p, loose):
        """Gives what a kernel writes at least this tolerance. What its case asks for stays: a dot of tf32 needs more."""
        if p.is_pointer() and not p.const and p.domain != "at":
            sizes = Mutator.sizes_of(p)
            given = [float(eval(x, {})) for x in p.rest[sizes:]] + [0.0, 0.0]
            p.rest = (*p.rest[:sizes], repr(max(loose, given[0])), repr(max(loose, given[1])))

    @staticmethod
    def sizes_of(p):
        """How many of the arguments behind the domain are sizes; the others are its tolerance."""
        return 2 if p.domain in ("below", "starts") else 1

    def edit(self, case):
        edits = [
            (5, self.constant), (5, self.operator), (3, self.duplicate), (4, self.guard), (3, self.repeat),
            (3, self.into_lambda), (5, self.insert), (3, self.type), (2, self.parameter_type), (3, self.warps),
            (1, self.no_restrict), (3, self.function), (5, self.wrap_call), (2, self.stages), (1, self.persistent),
            (2, self.scalar), (2, self.swap),
        ]
        edit = self.rng.choices([e for _, e in edits], [w for w, _ in edits])[0]
        old = case.body
        try:
            done = edit(case)
        except (IndexError, ValueError):
            done = False
        if done is False:
            case.body = old
        return done is not False

    # ---- Edits: they change the case, or return False.

    def constant(self, case):
        found = self.rng.choice(list(re.finditer(r"(?<![\w.])\d+(?![\w.])", case.body)))
        number = int(found[0])
        new = self.rng.choice([number + 1, number - 1, 2 * number, number // 2, 0, 1, 3, 32, number + 8])
        if new < 0 or new == number or new > 4096:
            return False
        case.body = replace(case.body, *found.span(), str(new))

    def operator(self, case):
        same = {
            " + ": [" - ", " * "], " - ": [" + ", " * "], " * ": [" + ", " - "], " < ": [" <= ", " > ", " != "],
            " <= ": [" < ", " >= "], " > ": [" >= ", " < "], " >= ": [" > "], " == ": [" != ", " <= "],
            " & ": [" | ", " ^ "], " | ": [" & "], " && ": [" || "], " || ": [" && "], " += ": [" -= "],
            " / ": [" % ", " * "], " % ": [" / "], " >> ": [" << "], " << ": [" >> "],
        }
        pattern = "|".join(re.escape(op) for op in sorted(same, key=len, reverse=True))
        found = self.rng.choice(list(re.finditer(pattern, case.body)))
        case.body = replace(case.body, *found.span(), self.rng.choice(same[found[0]]))

    def some(self, case, declares):
        return self.rng.choice([s for s in statements_of(case.body) if s.declares() == declares])

    def duplicate(self, case):
        s = self.some(case, False)
        case.body = replace(case.body, s.start, s.end, f"{s.text} {s.text}" if self.braced(case.body, s) else f"{{ {s.text} {s.text} }}")

    @staticmethod
    def braced(text, s):
        """Whether the statement stands in a list of statements, not under an if or for without braces."""
        return text[: s.start].rstrip()[-1:] in ("", ";", "{", "}")

    def condition(self, case):
        scalars = [p.name for p in case.parameters if not p.is_pointer()]
        rng = self.rng
        if scalars and rng.random() < 0.8:
            return f"{rng.choice(scalars)} {rng.choice(['>', '<', '!=', '>='])} {rng.choice([0, 1, 2, 5, 40])}"
        numbers = [] if self.launcher_divides_work(case) else ["program_id(0) > 0", "program_id(0) < 1"]
        return rng.choice(["true", *numbers])

    @staticmethod
    def launcher_divides_work(case):
        """Whether the launcher decides which program does what: then no result may depend on a program's number (m30002_134_28)."""
        text = case.body + case.helpers
        items = "persistent_range" in text and not re.search(r"\bgrid\(", text)
        return items or re.search(r"\b(dynamic_range|num_sms)\b", text) is not None

    def guard(self, case):
        s = self.some(case, False)
        condition = self.condition(case)
        form = self.rng.randrange(4)
        if form == 0:
            new = f"{{ if ({condition}) {s.text} }}"
        elif form == 1:
            other = re.sub(r"(?<![\w.])(\d+)(?![\w.])", lambda m: str(int(m[1]) + 1), s.text, count=1)
            new = f"{{ if ({condition}) {{ {s.text} }} else {{ {other} }} }}"
        elif form == 2:
            new = f"{{ switch (int({condition})) {{ case 0: {{ {s.text} break; }} default: break; }} }}"
        else:
            new = f"{{ if ({condition}) {{ {s.text} }} }}"
        case.body = replace(case.body, s.start, s.end, new)

    def repeat(self, case):
        s = self.some(case, False)
        head = self.rng.choice([
            "for (int again = 0; again < 2; ++again)", "for (auto again : range(3))", "for (int again = 2; again > 0; --again)",
            "for (auto again : static_range<2>())", "for (int again = 0; again < 1; ++again)", "for (unsigned again = 3; again > 1; again -= 2)",
        ])
        if re.search(r"\b(break|continue|return)\b", s.text):
            return False
        case.body = replace(case.body, s.start, s.end, f"{{ {head} {{ {s.text} }} }}")

    def into_lambda(self, case):
        s = self.some(case, True)
        if not s.variable():
            return False
        value = s.value()
        new = self.rng.choice([
            f"auto {s.variable()} = [&] {{ return {value}; }}();",
            f"auto {s.variable()} = [&](auto given) {{ return given; }}({value});",
            f"auto {s.variable()}_first = {value}; auto {s.variable()} = {s.variable()}_first;",
        ])
        case.body = replace(case.body, s.start, s.end, new)

    def insert(self, case):
        s = self.some(case, True)
        x = s.variable()
        if not x:
            return False
        line = self.rng.choice([
            f"{x} = {x} + {x};", f"{x} = flip({x});", f"{x} = {x} * 2;", f"{x} = minimum({x}, {x} + 1);", f"{x} = trans({x});",
            f"{x} = where({x} > 1, {x}, {x} + 1);", f"for (int more = 0; more < 2; ++more) {x} = {x} + 1;",
            f"if ({self.condition(case)}) {x} = {x} + 1;", f"if ({self.condition(case)}) {{ {x} = {x} * 3; }} else {{ {x} += 1; }}",
            f"{x} += 1;", f"{x} = -{x};", f"{x} = {x} - sum({x});", f"{x} = {x} + max({x});", f"{x} = where({self.condition(case)}, {x}, {x} + 2);",
            f"{x} = cumsum({x});", f"auto {x}_kept = {x}; {x} = {x} + 1; {x} = {x}_kept - {x};",
        ])
        case.body = replace(case.body, s.start, s.end, f"{s.text} {line}")

    def type(self, case):
        types = ["float", "int", "double", "float16", "bfloat16", "int64_t", "int8_t", "uint32_t", "int16_t", "uint8_t", "bool"]
        found = self.rng.choice(list(re.finditer(r"\b(" + "|".join(types) + r")\b", case.body)))
        case.body = replace(case.body, *found.span(), self.rng.choice(types))

    def parameter_type(self, case):
        buffers = [p for p in case.parameters if p.is_pointer() and p.domain not in ("at", "starts")]
        p = self.rng.choice(buffers)
        floats, integers = ["float", "float16", "bfloat16", "double"], ["int", "int64_t", "int8_t", "int16_t", "uint32_t", "uint8_t"]
        if p.type not in floats + integers or any(q.domain == "at" and q.rest[0] == p.name for q in case.parameters):
            return False
        kinds = floats if p.type in floats else integers
        if p.domain == "small":
            kinds = floats + integers
        p.type = self.rng.choice(kinds)
        if p.type in floats:
            self.tolerate(p, 16 * LOOSE)
        else:
            p.rest = p.rest[: self.sizes_of(p)]

    def warps(self, case):
        if any("90" in flag for flag in case.flags):
            return False
        case.warps = (self.rng.choice([w for w in range(1, 9) if w != case.warps[0]]),)

    def stages(self, case):
        if "num_stages" in case.options:
            case.options = re.sub(r"\.num_stages = \d+", f".num_stages = {self.rng.randrange(1, 5)}", case.options)
        else:
            case.options = f", .num_stages = {self.rng.randrange(1, 5)}" + case.options

    def persistent(self, case):
        if "persistent" in case.options or "grid(" not in case.body:
            return False
        case.options += ", .persistent = true"

    def no_restrict(self, case):
        case.restrict = not case.restrict
        if case.restrict and any(p.domain == "at" for p in case.parameters):
            return False

    def function(self, case):
        groups = [["sum", "max", "min", "argmax", "argmin"], ["cumsum", "cumprod"], ["minimum", "maximum"], ["floor", "ceil", "rint"], ["any", "all_of"]]
        names = [name for group in groups for name in group]
        found = self.rng.choice(list(re.finditer(r"\b(" + "|".join(names) + r")(?=[<(])", case.body)))
        group = next(group for group in groups if found[1] in group)
        case.body = replace(case.body, *found.span(), self.rng.choice([name for name in group if name != found[1]]))

    def wrap_call(self, case):
        start, end = self.rng.choice(calls_of(case.body))
        call = case.body[start:end]
        if re.match(r"(store|grid|for|while|if|switch|range|static_range|atomic_\w+|persistent_range|static_for|require|swizzle2d)\b", call):
            return False
        new = self.rng.choice([
            f"({call} + 1)", f"(-{call})", f"abs({call})", f"({call} * 2)", f"where({call} > 0, {call}, 0)", f"({call} + {call})",
            f"flip({call})", f"cast<float>({call})", f"maximum({call}, 0)", f"({call} == 0)", f"cast<int>({call})", f"(0 - {call})",
            f"cumsum({call})", f"trans({call})", f"trans(trans({call}))", f"({call} - max({call}))",
        ])
        case.body = replace(case.body, start, end, new)

    def scalar(self, case):
        scalars = [p.name for p in case.parameters if not p.is_pointer() and p.type in ("int", "int64_t")]
        name = self.rng.choice(scalars)
        run = self.rng.choice(case.runs)
        run[name] = max(0, run[name] + self.rng.choice([-1, 1, 2, 7, 16, -8, 0, 33]))

    def swap(self, case):
        """Swaps two consecutive statements."""
        statements = statements_of(case.body)
        pairs = [(a, b) for a, b in zip(statements, statements[1:]) if not case.body[a.end : b.start].strip()]
        a, b = self.rng.choice(pairs)
        gap = case.body[a.end : b.start]
        case.body = replace(case.body, a.start, b.end, b.text + gap + a.text)


OTHERS = 0.25  # of the mutants: those of sources.py


@functools.cache
def sources():
    """The cases to mutate, by their arguments of tile2cu: flags -> (those of test/emulate, those of sources.py)."""
    result = collections.defaultdict(lambda: ([], []))
    for group in generate.GROUPS:
        for case in generate.cases_of(group, True):
            # After an edit, the result may depend on the number of multiprocessors, which is not the reference's. A launcher that
            # refuses its arguments may take them: 2 + n * m has no two negative factors (m42001_11_27).
            easy = type(case) is Case and case.status == 0 and not case.launcher_refuses and len(case.source()) < 6000
            if easy and "num_sms" not in case.body and not has_constant_table(case):
                result[case.flags][0].append(case)
    for case in tile_sources.cases():
        result[case.flags][1].append(case)
    return dict(result)


def has_constant_table(case):
    """Whether it reads a constant table: such a table has no margin, so an index that an edit moves outside is not found."""
    return re.search(r"\bconstexpr\b[^;(={]*\[", case.body + case.helpers) is not None


def has_targets(case):
    """Whether the text for Hopper may differ: kernels with dots and tensors."""
    return re.search(r"\bdot\(|make_tensor_descriptor", case.body + case.helpers) is not None


def mutants(rng, tables, others, prefix, count):
    """`count` mutants of the cases of tables, and of other sources."""
    made = []
    mutator = Mutator(rng)
    for _ in range(count * 3):
        if len(made) == count:
            break
        case = mutator.mutant(rng.choice(others if others and (not tables or rng.random() < OTHERS) else tables), f"{prefix}_{len(made)}")
        if case:
            made.append(case)
    return made
