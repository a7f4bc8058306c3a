"""Structs with methods, references, arrays, lambdas that change variables: C++ around tiles.

What can be assigned to is a variable of the scope like any other: `w1.t`, `a2[1]`, `r3`. So all statements change them,
in branches and loops. What changes them by a call (a method, a lambda, a function with a reference) is in `scope.calls`.
"""

import dataclasses

import values as v
from expressions import Scope, list_of
from values import F32, I32, Value


@dataclasses.dataclass
class Struct:
    """A struct of a program, and what may be done with a variable of it."""

    name: str
    fields: list  # Values: names, types, shapes, bounds
    text: str
    changes: list  # of a call that changes it: (text with {w}, parameters)
    reads: list  # Values with {w} in their text, and parameters
    made: str  # with {w} and the fields' values: the variable's declaration


def spelled(x):
    """The type of a value in the source."""
    return f"tile<{x.type.name}, {list_of(x.shape)}>" if x.shape else x.type.name


def parameter(x):
    """The declaration of a parameter: tiles by reference."""
    return f"const {spelled(x)}& {x.text}" if x.shape else f"{x.type.name} {x.text}"


def limited(type_, limit):
    """The bounds of a value of the type that may be assigned."""
    return (0 if type_.kind in "bu" else -limit), min(limit, type_.range()[1])


def struct_of(kernel, rng, palette, name, inner_kernel, statements):
    """A struct with a tile and some scalars."""
    numeric = [t for t in palette.types if t.kind != "b"]
    shape = rng.choice(palette.shapes)
    fields = [Value("t", rng.choice(numeric), shape)]
    if rng.random() < 0.3:
        fields.append(Value("u", rng.choice(numeric), rng.choice([shape, rng.choice(palette.shapes)])))
    fields.append(Value("k", rng.choice([I32, I32, F32, *numeric]), ()))
    fields = [dataclasses.replace(f, lo=limited(f.type, 100)[0], hi=limited(f.type, 100)[1]) for f in fields]

    def scope_with(parameters, changes):
        """The scope of a method: the fields, which it may change or only read, and the parameters."""
        scope = Scope(inner_kernel)
        for f in fields:
            scope.add(f, limit=f.hi if changes else 0)
        for p in parameters:
            scope.add(p)
        return scope

    def parameters_of():
        """One or two parameters of a method; the first is like a field."""
        first = dataclasses.replace(rng.choice(fields), text="a0")
        result = [first]
        if rng.random() < 0.5:
            result.append(Value("a1", I32, (), -100, 100))
        return result

    lines, changes, reads = [], [], []
    base = f"{name}b" if rng.random() < 0.2 else ""
    for k in range(rng.choice([1, 2])):
        parameters = parameters_of()
        scope = scope_with(parameters, True)
        for _ in range(rng.choice([1, 1, 2])):
            target = rng.choice([x for x in scope.variables if x.limit])
            lines_ = statements.change(scope, target)
            scope.lines += lines_
        word = rng.choice(["change", "operator+=", "operator()"]) if k == 0 else "set"
        chained = word == "operator+=" or rng.random() < 0.2
        if word == "operator+=":
            parameters = parameters[:1]
            if any("a1" in line for line in scope.lines):
                scope.lines.insert(0, "int a1 = 3;")
        result = f"{base or name}&" if chained else "void"
        if chained:
            scope.lines.append("return *this;")
        lines += [f"  __tile__ {result} {word}({', '.join(map(parameter, parameters))}) {{", *("    " + line for line in scope.lines), "  }"]
        call = {"operator+=": "{w} += {0}", "operator()": "{w}({0}{1})"}.get(word, "{w}." + word + "({0}{1})")
        changes.append((call, parameters))
    for word in rng.sample(["value", "scaled"], rng.choice([1, 1, 2])):
        parameters = parameters_of() if rng.random() < 0.6 else []
        scope = scope_with(parameters, False)
        result = statements.expressions.binary(scope, statements.expressions.tile(scope, shape, 1), fields[0])
        if result.shape != shape:
            continue
        lines += [f"  __tile__ auto {word}({', '.join(map(parameter, parameters))}) const {{", *("    " + line for line in scope.lines), f"    return {result.text};", "  }"]
        reads.append((dataclasses.replace(result, text="{w}." + word + "({0}{1})"), parameters))
    members = "\n".join(f"  {spelled(f)} {f.text};" for f in fields)
    values = ", ".join("{" + f.text + "}" for f in fields)
    made = rng.choice([f"{name} {{w}}{{{{{values}}}}};", f"auto {{w}} = {name}{{{{{values}}}}};"])
    extra = ""
    if not base and rng.random() < 0.35:
        given = ", ".join(parameter(dataclasses.replace(f, text=f"{f.text}_given")) for f in fields)
        starts = ", ".join(f"{f.text}({f.text}_given)" for f in fields)
        extra = f"  __tile__ {name}({given}) : {starts} {{}}\n"
        made = f"{name} {{w}}({values});"
    if not base and rng.random() < 0.4:
        # Returned by reference: an lvalue.
        lines.append(f"  __tile__ auto& slot() {{ return {fields[-1].text}; }}")
    text = f"struct {base or name} {{\n{members}\n{extra}" + "\n".join(lines) + "\n};\n"
    if base:
        text += f"struct {name} : {base} {{\n  __tile__ void both(int a0) {{\n    k = {v.to_range(v.arithmetic('+', fields[-1], Value('a0', I32, (), -100, 100)), fields[-1].type, 100).text};\n"
        text += "  }\n};\n"
        changes.append(("{w}.both({0})", [Value("a0", I32, (), -100, 100)]))
        made = f"{name} {{w}}{{{{{{{{{values}}}}}}}}};"
    # A function that changes one by reference, and one that takes and returns it.
    target = rng.choice(fields)
    changed = v.to_range(v.arithmetic("-", dataclasses.replace(target, text=f"w.{target.text}"), v.literal(7)), target.type, 100)
    text += f"__tile__ void {name}_lower({name}& w) {{ w.{target.text} = {changed.text}; }}\n"
    changes.append((f"{name}_lower({{w}})", []))
    text += f"__tile__ auto {name}_lowered({name} w) {{ {name}_lower(w); return w; }}\n"
    if rng.random() < 0.5:
        changes.append((f"{{w}} = {name}_lowered({{w}})", []))
    return Struct(name, fields, text, changes, reads, made)


def arguments(statements, scope, parameters):
    """The texts of a first argument and of ", second"; empty where there is none."""
    result = []
    for p in parameters:
        x = v.to_range(statements.expressions.tile(scope, p.shape, 1), p.type, p.hi)
        result.append(x.text)
    first = result[0] if result else ""
    return first, f", {result[1]}" if len(result) > 1 else ""


# ---- Statements


def define(statements, scope, budget):
    """A variable of a struct, or an array, a reference, bindings, a lambda that changes a variable."""
    kernel = statements.kernel
    makers = [array, reference, lambda_that_changes, lambda_that_changes, in_a_block]
    if kernel.structs:
        makers += [struct, struct, struct]
    return statements.rng.choice(makers)(statements, scope) or 1


def struct(statements, scope):
    """A variable of a struct, maybe a copy of it, and what is bound to its fields."""
    rng, kernel = statements.rng, statements.kernel
    s = rng.choice(kernel.structs)
    name = kernel.name("w")
    given = {f.text: v.to_range(statements.expressions.tile(scope, f.shape, 1), f.type, f.hi).text for f in s.fields}
    scope.write(s.made.format(w=name, **given))
    add_struct(statements, scope, s, name)
    if rng.random() < 0.2:
        other = kernel.name("w")
        scope.write(f"auto {other} = {name};")
        add_struct(statements, scope, s, other)
    if rng.random() < 0.2 and ": " not in s.text.split("{")[0] and f"struct {s.name} :" not in s.text:
        names = [kernel.name("e") for _ in s.fields]
        scope.write(f"auto{rng.choice(['', '&'])} [{', '.join(names)}] = {name};")
        for field, text in zip(s.fields, names):
            scope.add(field.named(text), limit=field.hi)


def add_struct(statements, scope, s, name):
    """Adds the fields and methods of a variable to the scope."""
    for f in s.fields:
        scope.add(f.named(f"{name}.{f.text}"), limit=f.hi)
    if "slot()" in s.text and statements.rng.random() < 0.5:
        scope.add(s.fields[-1].named(f"{name}.slot()"), limit=s.fields[-1].hi)
    for text, parameters in s.changes:
        scope.calls.append((text.replace("{w}", name), parameters))
    for value, parameters in s.reads:
        scope.reads.append((dataclasses.replace(value, text=value.text.replace("{w}", name)), parameters))


def call(statements, scope, budget):
    """A call that changes a variable; or a variable with what a method returns."""
    rng = statements.rng
    if scope.reads and rng.random() < 0.35:
        value, parameters = rng.choice(scope.reads)
        first, second = arguments(statements, scope, parameters)
        scope.let(dataclasses.replace(value, text=value.text.format(first, second)))
        return 1
    if not scope.calls:
        return define(statements, scope, budget)
    text, parameters = rng.choice(scope.calls)
    first, second = arguments(statements, scope, parameters)
    line = text.format(first, second) + ";"
    form = rng.randrange(5)
    if form == 0:
        line = f"if ({statements.expressions.condition(scope, 1).text}) {line}"
    elif form == 1:
        k = statements.kernel.name("k")
        line = f"for (int {k} = 0; {k} < {rng.choice([1, 2, 3])}; ++{k}) {line}"
    scope.write(line)
    return 1


def array(statements, scope):
    """An array of tiles or scalars, and maybe a loop over it."""
    rng, kernel = statements.rng, statements.kernel
    shape = statements.shape() if rng.random() < 0.5 else ()
    type_ = rng.choice([t for t in statements.palette.types if t.kind != "b"])
    lo, hi = limited(type_, 100)
    count = rng.choice([1, 2, 2, 3] if shape else [1, 2, 3, 4, 7, 16])
    name = kernel.name("d")
    texts = [v.to_range(statements.expressions.tile(scope, shape, 1), type_, 100).text for _ in range(count)]
    scope.write(f"{spelled(Value('', type_, shape))} {name}[{count}] = {{{', '.join(texts)}}};")
    elements = [Value(f"{name}[{k}]", type_, shape, lo, hi) for k in range(count)]
    for element in elements:
        scope.add(element, limit=hi)
    if not shape:
        read_anywhere(statements, scope, elements)
    if rng.random() < 0.6:
        e = kernel.name("e")
        inner = scope.child()
        inner.in_loop, inner.unrolled = False, True
        how = rng.choice(["auto&", "auto&", "const auto&", "auto", f"{spelled(elements[0])}&"])
        inner.add(elements[0].named(e), limit=0 if "const" in how else hi)
        targets = [x for x in inner.variables if x.limit and not x.accumulator]
        if "const" not in how and rng.random() < 0.7:
            inner.write(statements.assignment(inner, inner.variables[-1], 1))
        if targets:
            inner.write(statements.assignment(inner, rng.choice(targets), 1))
        if rng.random() < 0.3:
            statements.block(inner, 1)
        scope.write(f"for ({how} {e} : {name}) {{")
        scope.lines += ["  " + line for line in inner.lines]
        scope.write("}")


def read_anywhere(statements, scope, elements):
    """Reads an array of scalars at indices that are known at run time only, before and after an assignment."""
    rng = statements.rng
    name = elements[0].text.partition("[")[0]
    for _ in range(2):
        at = statements.expressions.index_below(scope, (), len(elements), 1)
        statements.scalar_store(scope, 1, scope.let(dataclasses.replace(elements[0], text=f"{name}[{at}]")))
        target = rng.choice([x for x in scope.variables if x.value.text in [element.text for element in elements]])
        line = statements.assignment(scope, target, 1)
        scope.write(line if rng.random() < 0.5 else f"if ({statements.expressions.condition(scope, 1).text}) {line}")


def reference(statements, scope):
    """Another name of a variable."""
    rng = statements.rng
    targets = [x for x in scope.variables if x.limit and not x.accumulator]
    if not targets:
        return statements.define_mutable(scope, 1)
    target = rng.choice(targets)
    name = statements.kernel.name("r")
    how = rng.choice(["auto&", "auto&", f"{spelled(target.value)}&", "const auto&", "auto&&"])
    scope.write(f"{how} {name} = {target.value.text};")
    scope.add(target.value.named(name), limit=0 if "const" in how else target.limit)
    return 1


def lambda_that_changes(statements, scope):
    """A lambda that captures variables by reference and assigns to them."""
    rng, kernel = statements.rng, statements.kernel
    targets = [x for x in scope.variables if x.limit and not x.accumulator]
    if not targets:
        return statements.define_mutable(scope, 1)
    name = kernel.name("f")
    inner = Scope(kernel, scope)
    inner.in_loop, inner.unrolled, inner.depth = False, True, 9
    inner.lines = []
    parameters = []
    if rng.random() < 0.6:
        target = rng.choice(targets)
        parameters = [dataclasses.replace(target.value, text="a")]
        inner.add(parameters[0])
    lines = []
    for _ in range(rng.choice([1, 1, 2])):
        lines = statements.change(inner, rng.choice(targets))
        inner.lines += lines
    given = rng.choice([f"{spelled(parameters[0])} a", "auto a", "const auto& a"]) if parameters else ""
    scope.write(f"auto {name} = [&]({given}) {{")
    scope.lines += ["  " + line for line in inner.lines]
    if rng.random() < 0.3:
        result = statements.expressions.tile(inner, statements.shape(), 0)
        # What it needs stands in it.
        scope.lines[-len(inner.lines) :] = ["  " + line for line in inner.lines] if inner.lines else []
        scope.write(f"  return {result.text};")
    scope.write("};")
    scope.calls.append((f"{name}({{0}})", parameters))
    return 1


def in_a_block(statements, scope):
    """A block, or an `if`, with a variable of its own around an assignment."""
    rng, kernel = statements.rng, statements.kernel
    targets = [x for x in scope.variables if x.limit and not x.accumulator]
    if not targets:
        return statements.define_mutable(scope, 1)
    target = rng.choice(targets)
    s = kernel.name("s")
    x = statements.expressions.scalar(scope, 1)
    inner = scope.child()
    inner.add(x.named(s))
    line = statements.assignment(inner, target, 1)
    op = rng.choice(["<", ">", "!="])
    lines = inner.lines
    if lines:
        scope.lines += ["{", f"  auto {s} = {x.text};", *("  " + l for l in lines), f"  {line}", "}"]
    else:
        scope.write(f"if (auto {s} = {x.text}; {s} {op} {rng.randrange(3)}) {line}" if x.type.kind != "b" else f"if (auto {s} = {x.text}) {line}")
    return 1
