"""Dots that are connected with each other and with the code around them: the result of one is an operand of another, operands are
in wide vectors, and an inner loop starts with an accumulator from outside. `cases_for` returns them for one kind of tensor cores."""

from case import Table

table = Table()
AT = "auto i = arange<64>();\nauto at = i[all, none] * 64 + i[none, all];\n"
MATRICES = ("a", "b", "d", "e")


def chain(add, name, type_, sums, body, data="ones", **options):
    """Whole 64 x 64 matrices a, b, d and e of one type."""
    parameters = "".join(f"const {type_}* {m} = {data}(4096)\n" for m in MATRICES)
    load = "".join(f"auto {m}_tile = load({m} + at);\n" for m in MATRICES)
    add(name, parameters + f"{sums}* c = out(4096, 2**-7, 4)\nint count", "grid(count);\n" + AT + load + body, [{"count": 1}], **options)


def results(add):
    """The result of a dot is an operand of the next one or of several: unchanged, transposed or converted, on either side."""
    direct = "store(c + at, dot({}));"
    for name, operands in (
        ("left", "dot(a_tile, b_tile), d_tile"),
        ("right", "d_tile, dot(a_tile, b_tile)"),
        ("both", "dot(a_tile, b_tile), dot(d_tile, e_tile)"),
        ("left_trans", "trans(dot(a_tile, b_tile)), d_tile"),
        ("right_trans", "d_tile, trans(dot(a_tile, b_tile))"),
        ("three", "dot(dot(a_tile, b_tile), d_tile), e_tile"),
    ):
        chain(add, f"of_{name}_f32", "float", "float", direct.format(operands))
        chain(add, f"of_{name}_f64", "double", "double", direct.format(operands))
    halves = "auto ab = dot(a_tile, b_tile, zeros<float16, 64, 64>());\nstore(c + at, dot(ab, d_tile));"
    chain(add, "of_f16_sums", "float16", "float", halves)
    cast = "auto ab = cast<float16>(dot(a_tile, b_tile));\nauto abd = cast<float16>(dot(ab, d_tile));\n"
    chain(add, "of_cast", "float16", "float", cast + "store(c + at, dot(abd, e_tile));")
    chain(add, "of_cast_added", "float16", "float", cast + "store(c + at, dot(abd, e_tile, dot(ab, b_tile)));")
    chain(add, "of_two", "float16", "float", "auto x = cast<float16>(dot(a_tile, b_tile));\nauto y = cast<float16>(dot(d_tile, b_tile));\nauto acc = dot(x, e_tile);\nacc = dot(y, e_tile, acc);\nstore(c + at, acc);")


def wide(add, has_float8):
    """Threads hold operands in vectors of more than 16 bytes, because they are widened or beside a tile of narrower elements."""
    for source, operand, sums in (
        ("int8_t", "float16", "float"),
        ("uint8_t", "bfloat16", "float"),
        ("int8_t", "float", "float"),
        ("float16", "float", "float"),
        ("float8_e4m3", "float16", "float"),
    ):
        if source == "float8_e4m3" and not has_float8:
            continue
        for order in ("left", "right", "right_trans"):
            x, y = "load(a + at)", "load(b + at)"
            widened = f"cast<{operand}>(load(s + at))"
            x, y = {"left": (widened, y), "right": (x, widened), "right_trans": (x, f"trans({widened})")}[order]
            p = f"const {operand}* a = small(4096)\nconst {operand}* b = small(4096)\nconst {source}* s = small(4096)\n{sums}* c = out(4096)\nint count"
            add(f"wide_{source}_{operand}_{order}", p, "grid(count);\n" + AT + f"store(c + at, dot({x}, {y}));", [{"count": 1}])
    p = "const float16* a = small(4096)\nconst float16* b = small(4096)\nconst uint8_t* mask = small(4096)\nfloat* c = out(4096)\nint count"
    add("wide_beside_bytes", p, "grid(count);\n" + AT + "auto x = where(load(mask + at) > uint8_t(1), load(a + at), float16(0));\nstore(c + at, dot(x, load(b + at)));", [{"count": 1}])


def starts(add):
    """In each iteration of an outer loop, an inner loop starts with a tile that was computed before both."""
    p = "const float16* a = small(64 * K * rounds)\nconst float16* b = small(64 * K)\nconst float* first = small(64)\nfloat* c = out(4096 * rounds)\nint K\nint rounds"
    body = """
    grid(1);
    auto i = arange<64>();
    auto begin = load(first + i)[none, all] + zeros<float, 64, 1>();
    for (int round = 0; round < rounds; ++round) {
      auto acc = begin;
      for (int k = 0; k < K; k += 32) {
        auto ks = k + arange<32>();
        auto x = load(a + (round * 64 + i)[all, none] * K + ks[none, all], ks[none, all] < K);
        auto y = load(b + ks[all, none] * 64 + i[none, all], ks[all, none] < K);
        acc = dot(x, y, acc);
      }
      store(c + (round * 64 + i)[all, none] * 64 + i[none, all], acc);
    }
    """
    runs = [{"K": k, "rounds": r} for k, r in ((64, 3), (40, 2), (0, 2), (32, 1), (96, 0))]
    for stages in (1, 3):
        add(f"starts_product_{stages}", p, body, runs, stages=stages)


def cases_for(table, prefix, float8=False):
    def add(name, parameters, body, runs, stages=0, **more):
        more = {"warps": (4, 8), **more}
        if stages:
            more["options"] = f", .num_stages = {stages}"
        table.add(prefix + name, parameters, body, runs, **more)

    results(add)
    wide(add, float8)
    starts(add)


cases_for(table, "t_")
