"""--math=precise: the bits of the reference, whose functions are the library's, as the emulator's precise ones are."""

from case import FLOATS, SHORT, Table, ragged, warps_of

table = Table("--math=precise")
FUNCTIONS = "exp exp2 log log2 sqrt rsqrt sin tanh fast_tanh sigmoid silu gelu".split()
BLOCK = "auto i = grid(cdiv(n, 128)) * 128 + arange<128>();\nauto m = i < n;\n"

for t in FLOATS:
    name = f"precise_functions_{SHORT[t]}"
    table.add(
        name,
        f"const {t}* a = open(n)\n"
        + "".join(f"{t}* {f}_out = out(n)\n" for f in FUNCTIONS)
        + "int n",
        BLOCK
        + "auto x = load(a + i, m, 1);\n"
        + "".join(f"store({f}_out + i, {f}(x), m);\n" for f in FUNCTIONS),
        ragged(128),
        warps=warps_of(name),
        host_library=True,
    )
    name = f"precise_arithmetic_{SHORT[t]}"
    table.add(
        name,
        f"const {t}* a = unit(n)\nconst {t}* b = open(n)\n"
        + "".join(f"{t}* {o} = out(n)\n" for o in ("ratio", "scaled", "third", "sum", "difference"))
        + f"int n\n{t} s",
        BLOCK
        + """
        auto x = load(a + i, m);
        auto y = load(b + i, m, 1);
        store(ratio + i, x / y, m);
        store(scaled + i, x / s, m);
        store(third + i, x / 3, m);
        store(sum + i, x * y + x, m);
        store(difference + i, x - y * s, m);
        """,
        [{**run, "s": 7} for run in ragged(128)],
        warps=warps_of(name),
    )
