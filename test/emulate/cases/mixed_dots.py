"""Dots whose accumulators are combined with transposed ones, or that share operands: each keeps its instruction."""

from case import Table

table = Table()

HALF = {
    # Accumulators and transposed accumulators in one expression.
    "carried": "auto s = dot(x, y);\nacc = dot(cast<float16>(s), y, acc) + trans(s);",
    "carried_before": "auto s = dot(x, y);\nacc = acc + trans(s);\nacc = dot(cast<float16>(s), y, acc);",
    "operand": "auto s = dot(x, y);\nacc = dot(cast<float16>(trans(s)), y, acc);",
    "operand_and_sum": "auto t = trans(dot(x, y));\nacc = dot(cast<float16>(t), y, acc + t);",
    "chosen": "auto s = dot(x, y);\nacc = where(trans(s) > 0.0f, dot(cast<float16>(s), y, acc), acc);",
    "by_itself": "auto s = dot(x, y);\nacc += trans(s) * s;",
    "other": "auto s = dot(x, y);\nauto t = dot(y, x);\nacc += trans(s) + t;",
    "gradient": "auto st = trans(dot(x, trans(y)));\nauto t = dot(y, trans(x));\nacc = dot(cast<float16>((st + t) * 0.125f), y, acc);",
    "reshaped": "auto s = dot(x, y);\nacc = dot(y, cast<float16>(s), acc) + reshape<64, 64>(trans(s));",
    # Few rows next to many, of the same operand.
    "few_rows": "acc = dot(x, y, acc) + sum<0>(dot(y[slice<0, 16>, all], x))[none, all];",
}
FLOAT = {
    "ieee": "acc = dot(x, trans(y), acc);\nacc += dot(x, trans(y), precision::ieee);",
    "tf32x3": "acc = dot(x, trans(y), acc);\nacc += dot(x, trans(y), precision::tf32x3);",
    "turned_ieee": "acc = dot(x, y, acc, precision::ieee);\nacc += trans(dot(y, x, precision::ieee));",
    "turned_apart": "acc = dot(x, y, acc, precision::ieee);\nacc += trans(dot(y, trans(x)));",
}


def add(table, prefix, warps):
    for type_, forms in (("float16", HALF), ("float", FLOAT)):
        for name, step in forms.items():
            table.add(
                f"{prefix}{name}",
                f"const {type_}* a = small(rows * 64 + 1)\nconst {type_}* b = small(steps * rows * 64 + 1)\nfloat* c = out(4096 + 1, 2e-3, 1e-1)\nint rows\nint steps",
                f"""
                grid(1);
                auto i = arange<64>();
                auto at = i[all, none] * 64 + i[none, all];
                auto x = load(a + at, i[all, none] < rows);
                auto acc = zeros<float, 64, 64>();
                for (int k = 0; k < steps; ++k) {{
                  auto y = load(b + k * rows * 64 + at, i[all, none] < rows);
                  {step}
                }}
                store(c + at, acc);
                """,
                [{"rows": r, "steps": n} for r, n in ((64, 1), (33, 2), (8, 3), (1, 1), (64, 0))],
                warps=warps,
                options=", .num_stages = 2",
            )


add(table, "cross_", (1, 4))
