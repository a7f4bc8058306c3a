"""Loops that count: the ways to write one that takes a variable through 0 to a bound, up or down."""


def heads(variable, bound):
    """(lines before, the head, lines at the start of the body, lines at its end), each for one way to write the loop."""
    k = variable
    up = [
        ([], f"for (int {k} = 0; {k} < {bound}; ++{k}) {{", [], []),
        ([], f"for (int {k} = 0; {bound} > {k}; {k} += 1) {{", [], []),
        ([], f"for (auto {k} : range(0, {bound})) {{", [], []),
        ([f"int {k} = 0;"], f"while ({k} < {bound}) {{", [], [f"++{k};"]),
        ([f"int {k} = 0;"], f"while ({k} + 1 <= {bound}) {{", [], [f"{k} += 1;"]),
        ([f"int {k} = -1;"], f"while (++{k} < {bound}) {{", [], []),
        ([f"int {k} = 0;"], f"while (true) {{", [f"if ({k} >= {bound}) break;"], [f"{k}++;"]),
    ]
    down = [
        ([], f"for (int {k} = {bound}; {k}-- > 0;) {{", [], []),
        ([], f"for (int {k} = {bound} - 1; {k} >= 0; --{k}) {{", [], []),
        ([f"int {k} = {bound};"], f"while ({k}-- > 0) {{", [], []),
        ([f"int {k} = {bound};"], f"while (--{k} >= 0) {{", [], []),
        ([f"int {k} = {bound};"], f"while ({k} > 0) {{", [f"--{k};"], []),
        ([f"int {k} = {bound} - 1;"], f"while ({k} > -1) {{", [], [f"{k} -= 1;"]),
    ]
    return up, down


def counted_loop(scope, rng, variable, bound, body, more=()):
    """Writes a loop with this body, which does not leave it; `more` are other heads."""
    up, down = heads(variable, bound)
    before, head, first, last = rng.choice([([], text, [], []) for text in more] + rng.choice([up, down]))
    scope.lines += before
    scope.write(head)
    scope.lines += ["  " + line for line in [*first, *body, *last]]
    scope.write("}")
