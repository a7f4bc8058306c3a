"""Tuples, pairs and arrays of the standard library, exchanges, and class templates with tiles in them.

Their elements are variables like any other: `std::get<1>(q4)`, `q4.second`, `q4[0]`.
"""

import values as v
from moves import list_of
from objects import limited, spelled
from values import I32, Value


def statement(statements, scope, budget):
    """A statement with something of the standard library, or with a class template."""
    kinds = [some_tuple, some_tuple, pair, std_array, returned, exchange, exchange]
    if not statements.kernel.is_helper:
        kinds += [class_template, class_template, crtp, three_way]
    return statements.rng.choice(kinds)(statements, scope) or 1


def members(statements, scope, count):
    """Tiles and scalars within their limits: Values with the texts that make them."""
    rng = statements.rng
    result = []
    for _ in range(count):
        shape = statements.shape() if rng.random() < 0.6 else ()
        type_ = rng.choice([t for t in statements.palette.types if t.kind != "b"])
        lo, hi = limited(type_, 100)
        text = v.to_range(statements.expressions.tile(scope, shape, 1), type_, 100).text
        result.append(Value(text, type_, shape, lo, hi))
    return result


def add_all(scope, values, texts):
    """Adds variables with these texts to the scope."""
    for value, text in zip(values, texts):
        scope.add(value.named(text), limit=value.hi)


def some_tuple(statements, scope):
    """A std::tuple or a tuple of the language, its elements, a copy, and what is bound to it."""
    rng, kernel = statements.rng, statements.kernel
    values = members(statements, scope, rng.choice([1, 2, 2, 3, 4]))
    name = kernel.name("q")
    std = rng.random() < 0.6
    element = (lambda q, k: f"std::get<{k}>({q})") if std else (lambda q, k: f"{q}.v{k}")
    made = list_of(x.text for x in values)
    if std and rng.random() < 0.4:
        scope.write(f"std::tuple<{list_of(map(spelled, values))}> {name}({made});")
    else:
        scope.write(f"auto {name} = {'std::make_tuple' if std else 'tuple'}({made});")
    add_all(scope, values, [element(name, k) for k in range(len(values))])
    if rng.random() < 0.4:
        copy = kernel.name("q")
        scope.write(f"auto {copy} = {name};")
        add_all(scope, values, [element(copy, k) for k in range(len(values))])
        if rng.random() < 0.5:
            line = f"{copy} = {name};" if rng.random() < 0.5 else f"std::swap({copy}, {name});" if std else f"{name} = {copy};"
            k = rng.randrange(len(values))
            scope.write(statements.assignment(scope, scope.variables[-1 - k], 1))
            scope.write(f"if ({statements.expressions.condition(scope, 1).text}) {line}")
    if rng.random() < 0.4:
        names = [kernel.name("e") for _ in values]
        scope.write(f"auto{rng.choice(['', '&'])} [{list_of(names)}] = {name};")
        add_all(scope, values, names)


def returned(statements, scope):
    """A function that returns a tuple, whose elements go to variables by std::tie or bindings."""
    rng, kernel = statements.rng, statements.kernel
    one, two = members(statements, scope, 2)
    name = kernel.name("f")
    first, second = rng.sample(["a", "b"], 2)
    scope.write(f"auto {name} = [&](auto a, auto b) {{ if ({statements.expressions.condition(scope, 1).text}) b = {v.to_range(v.arithmetic('-', two.named('b'), v.literal(1)), two.type, two.hi).text}; return std::make_tuple({first}, {second}); }};")
    back = {"a": one, "b": two}
    values = [back[first], back[second]]
    names = [kernel.name("x"), kernel.name("x")]
    if rng.random() < 0.5:
        scope.write(f"auto [{list_of(names)}] = {name}({one.text}, {two.text});")
    else:
        for x, text in zip(values, names):
            scope.write(f"{spelled(x)} {text} = {x.text};")
        scope.write(f"std::tie({list_of(names)}) = {name}({one.text}, {two.text});")
    add_all(scope, values, names)


def pair(statements, scope):
    """A std::pair, and what is bound to it."""
    rng, kernel = statements.rng, statements.kernel
    values = members(statements, scope, 2)
    name = kernel.name("q")
    made = list_of(x.text for x in values)
    if rng.random() < 0.5:
        scope.write(f"auto {name} = std::make_pair({made});")
    else:
        scope.write(f"std::pair<{list_of(map(spelled, values))}> {name}{{{made}}};")
    add_all(scope, values, [f"{name}.first", f"{name}.second"])
    if rng.random() < 0.3:
        names = [kernel.name("e") for _ in values]
        scope.write(f"auto{rng.choice(['', '&'])} [{list_of(names)}] = {name};")
        add_all(scope, values, names)


def std_array(statements, scope):
    """A std::array, its elements in several spellings, and maybe a loop over it."""
    rng, kernel = statements.rng, statements.kernel
    [x] = members(statements, scope, 1)
    count = rng.choice([1, 2, 3])
    name = kernel.name("q")
    texts = [v.to_range(statements.expressions.tile(scope, x.shape, 0), x.type, 100).text for _ in range(count)]
    scope.write(f"std::array<{spelled(x)}, {count}> {name}{{{list_of(texts)}}};")
    places = [rng.choice([f"{name}[{k}]", f"std::get<{k}>({name})", f"{name}.at({k})"]) for k in range(count)]
    places[0] = rng.choice([places[0], f"{name}.front()"])
    places[-1] = rng.choice([places[-1], f"{name}.back()"])
    add_all(scope, [x] * count, places)
    if rng.random() < 0.5:
        e = kernel.name("e")
        inner = scope.child()
        inner.in_loop, inner.unrolled = False, True
        inner.add(x.named(e), limit=x.hi)
        line = statements.assignment(inner, inner.variables[-1], 1)
        scope.write(f"for (auto& {e} : {name}) {{")
        scope.lines += ["  " + text for text in [*inner.lines, line]]
        scope.write("}")


def exchange(statements, scope):
    """std::swap and std::exchange of variables."""
    rng, kernel = statements.rng, statements.kernel
    targets = [x for x in scope.variables if x.limit and not x.accumulator]
    if not targets:
        return some_tuple(statements, scope)
    a = rng.choice(targets)
    alike = [x for x in targets if x.value.type is a.value.type and x.value.shape == a.value.shape and (x.value.lo, x.limit) == (a.value.lo, a.limit)]
    condition = statements.expressions.condition(scope, 1).text
    if len(alike) > 1 and rng.random() < 0.7:
        line = f"std::swap({a.value.text}, {rng.choice(alike).value.text});"
        k = kernel.name("k")
        scope.write(rng.choice([line, f"if ({condition}) {line}", f"for (int {k} = 0; {k} < 3; ++{k}) if ({condition}) {line}"]))
        return 1
    x = v.to_range(statements.expressions.tile(scope, a.value.shape, 1), a.value.type, a.limit)
    name = kernel.name("x")
    scope.write(f"auto {name} = std::exchange({a.value.text}, {x.text});")
    statements.keep(scope, scope.add(a.value.named(name)))
    return 1


# Members of a class template: {t} a tile of T, {k} a T; what stays within the bounds of both, whatever T is.
BODIES = [
    "maximum(t, a)", "minimum(t, a)", "where(a > t, a, t)", "where(t < k, t, a)", "minimum(maximum(t, k), a)", "where(t == a, flip(t), a)",
    "where(max(t) > k, t, a)",
]
SCALARS = ["a > k ? a : k", "minimum(a, k)", "a == k ? a : k"]


def class_template(statements, scope):
    """A class template over the element type and the shape, with methods and a constant."""
    rng, kernel = statements.rng, statements.kernel
    shape = statements.shape()
    type_ = rng.choice([t for t in statements.palette.types if t.kind != "b"])
    lo, hi = limited(type_, 100)
    title = f"{kernel.title}_h{400 + kernel.counter}"
    kernel.counter += 1
    change, read = rng.choice(BODIES), rng.choice(BODIES)
    scalar = rng.choice(SCALARS)
    text = (
        f"template <class T, int COUNT, int... D>\nstruct {title} {{\n  tile<T, D...> t;\n  T k;\n  static constexpr int count = COUNT;\n"
        f"  __tile__ void change(const tile<T, D...>& a) {{ for (auto q : static_range<COUNT>()) if (q % 2 == 0) t = {change}; }}\n"
        f"  __tile__ auto value(const tile<T, D...>& a) const {{ return {read}; }}\n"
        f"  template <class U>\n  __tile__ {title}& operator()(U a) {{ k = {scalar}; return *this; }}\n}};\n"
    )
    special = rng.random() < 0.3
    if special:
        text += (f"template <class T, int... D>\nstruct {title}<T, 1, D...> {{\n  tile<T, D...> t;\n  T k;\n  static constexpr int count = 7;\n"
                 f"  __tile__ void change(const tile<T, D...>& a) {{ t = a; }}\n  __tile__ auto value(const tile<T, D...>& a) const {{ return maximum(t, a); }}\n"
                 f"  __tile__ {title}& operator()(T a) {{ k = a; return *this; }}\n}};\n")
    kernel.functions.append(text)
    count = rng.choice([1, 1, 2, 3] if special else [1, 2, 3])
    name = kernel.name("w")
    t, k, given = (v.to_range(statements.expressions.tile(scope, s, 1), type_, 100).text for s in (shape, (), shape))
    scope.write(f"{title}<{type_.name}, {count}, {list_of(shape)}> {name}{{{t}, {k}}};")
    scope.add(Value(f"{name}.t", type_, shape, lo, hi), limit=hi)
    scope.add(Value(f"{name}.k", type_, (), lo, hi), limit=hi)
    tile, scalar = Value("", type_, shape, lo, hi), Value("", type_, (), lo, hi)
    scope.calls.append((f"{name}.change({{0}})", [tile]))
    scope.calls.append((f"{name}({{0}})", [scalar]))
    scope.reads.append((Value(f"{name}.value({{0}})", type_, shape, lo, hi), [tile]))
    scope.write(f"{name}.change({given});")
    statements.keep(scope, scope.let(v.arithmetic("+", Value(f"{name}.value({t})", type_, shape, lo, hi), Value(f"{name}.count", I32, (), 1, 7))))
    return 2


def crtp(statements, scope):
    """A base class that calls the class derived from it."""
    rng, kernel = statements.rng, statements.kernel
    shape = statements.shape()
    title = f"{kernel.title}_h{500 + kernel.counter}"
    kernel.counter += 1
    first = rng.random() < 0.5
    bases = f"{title}_first, {title}_base<{title}>" if first else f"{title}_base<{title}>"
    text = (
        f"template <class Derived>\nstruct {title}_base {{\n  int more;\n  __tile__ auto applied(const tile<int, {list_of(shape)}>& a) const {{ return static_cast<const Derived&>(*this).apply(a) + more; }}\n"
        f"  __tile__ Derived& self() {{ return static_cast<Derived&>(*this); }}\n  __tile__ void step(int by) {{ self().factor = (self().factor + by) % 11; more = -more; }}\n}};\n"
    )
    text += f"struct {title}_first {{\n  int shift;\n}};\n" if first else ""
    text += f"struct {title} : {bases} {{\n  int factor;\n  __tile__ auto apply(const tile<int, {list_of(shape)}>& a) const {{ return a * factor{' - shift' if first else ''}; }}\n}};\n"
    kernel.functions.append(text)
    name = kernel.name("w")
    small = [v.smaller(v.whole(statements.expressions.scalar(scope, 1)), 10) for _ in range(3)]
    small = [x.text if x.type is I32 else v.cast(x, I32).text for x in small]
    scope.write(f"{title} {name}{{{f'{{{small[0]}}}, ' if first else ''}{{{small[1]}}}, {small[2]}}};")
    scope.calls.append((f"{name}.step({{0}})", [Value("", I32, (), -100, 100)]))
    tile = Value("", I32, shape, -100, 100)
    scope.reads.append((Value(f"{name}.applied({{0}})", I32, shape, -1200, 1200), [tile]))
    scope.write(f"if ({statements.expressions.condition(scope, 1).text}) {name}.step({small[0]});")
    given = v.to_range(statements.expressions.tile(scope, shape, 1), I32, 100)
    statements.keep(scope, scope.let(Value(f"{name}.applied({given.text})", I32, shape, -1200, 1200)))
    return 2


def three_way(statements, scope):
    """Objects that are compared by default."""
    rng, kernel = statements.rng, statements.kernel
    types = [rng.choice([t for t in statements.palette.types if t.kind in "iu"] or [I32]) for _ in range(2)]
    title = f"{kernel.title}_h{600 + kernel.counter}"
    kernel.counter += 1
    fields = "".join(f"  {t.name} m{k};\n" for k, t in enumerate(types))
    kernel.functions.append(f"struct {title} {{\n{fields}  bool operator==(const {title}&) const = default;\n  auto operator<=>(const {title}&) const = default;\n}};\n")
    names = [kernel.name("w") for _ in range(2)]
    for name in names:
        given = [v.to_range(v.smaller(v.whole(statements.expressions.scalar(scope, 1)), 3), t, 100).text for t in types]
        scope.write(f"{title} {name}{{{list_of(given)}}};")
        for k, t in enumerate(types):
            scope.add(Value(f"{name}.m{k}", t, (), *limited(t, 100)), limit=min(100, t.range()[1]))
    for _ in range(rng.choice([1, 2, 3])):
        op = rng.choice(["==", "!=", "<", "<=", ">", ">="])
        scope.let(Value(f"int({names[0]} {op} {names[1]})", I32, (), 0, 1))
    statements.scalar_store(scope, 1, scope.variables[-1].value)
