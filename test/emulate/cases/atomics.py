"""atomic_add: colliding addresses, masks, old values, every type, results used."""

from case import SHORT, Table, warps_of

table = Table()
TYPES = ["int", "int64_t", "uint32_t", "uint64_t", "float", "double", "float16", "bfloat16"]


def simple():
    for t in TYPES:
        name = f"atomic_{SHORT[t]}"
        table.add(
            f"{name}_spread",
            f"{t}* x = small(n)\nconst {t}* a = small(n)\nint n",
            "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\nauto m = i < n;\natomic_add(x + i, load(a + i, m), m);",
            [{"n": n} for n in (288, 200, 1, 0)],
            warps=warps_of(name, 3),
        )
        table.add(
            f"{name}_collide",
            f"{t}* x = zero(5)\nconst {t}* a = ties(n)\nint n",
            "auto i = grid(cdiv(n, 64)) * 64 + arange<64>();\nauto m = (i < n) & (i % 3 != 1);\natomic_add(x + i % 5, load(a + i, m), m);",
            [{"n": n} for n in (150, 64, 1, 0)],
            warps=warps_of(name + "c", 3),
        )
        table.add(
            f"{name}_scalar",
            f"{t}* x = zero(2)\nint n",
            f"auto row = grid(n);\natomic_add(x, {t}(1));\natomic_add(x + 1, cast<{t}>(row), row % 2 == 0);",
            [{"n": n} for n in (5, 1, 0)],
            warps=warps_of(name + "s", 3),
        )


def old_values():
    for t in ("int", "float", "int64_t"):
        table.add(
            f"atomic_old_{SHORT[t]}",
            f"{t}* x = small(96)\n{t}* old = out(96)\nint n",
            """
            grid(n);
            auto i = arange<96>();
            auto before = atomic_add(x + i, full<%s, 96>(2), i < 90);
            store(old + i, before);
            """ % t,
            [{"n": 1}, {"n": 0}],
            warps=(1, 2, 3, 4, 5, 8),
        )
    table.add(
        "atomic_old_sum",
        "int* x = zero(1)\nint* total = out(1)\nint n",
        """
        grid(n);
        auto before = atomic_add(x + arange<96>() * 0, full<int, 96>(1));
        store(total, sum(before));
        """,
        [{"n": 1}],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "atomic_ticket",
        "int* counter = zero(1)\nint* x = zero(4 * 32)\nint n",
        """
        grid(n);
        auto ticket = atomic_add(counter, 1);
        store(x + ticket * 32 + arange<32>(), full<int, 32>(1) + ticket);
        """,
        [{"n": n} for n in (4, 1, 0)],
        warps=(1, 2, 3, 4),
    )
    table.add(
        "atomic_plane",
        "float* x = zero(32)\nfloat* y = zero(16)\nconst float* a = small(16 * 32)\nint n",
        """
        grid(n);
        auto r = arange<16>()[all, none];
        auto c = arange<32>()[none, all];
        auto v = load(a + r * 32 + c);
        atomic_add(x + (c + r * 0), v);
        atomic_add(y + r, sum<1>(v, keep_dims), memory_order::relaxed);
        """,
        [{"n": n} for n in (3, 1, 0)],
        warps=(1, 2, 3, 4, 5, 8),
    )
    table.add(
        "atomic_order",
        "int* x = small(64)\nint* out = out(64)\nint n",
        """
        grid(n);
        auto i = arange<64>();
        store(x + i, i);
        atomic_add(x + (63 - i), full<int, 64>(100));
        store(out + i, load(x + i));
        """,
        [{"n": 1}],
        warps=(1, 2, 3, 4, 5, 8),
        restrict=False,
    )


def between_programs():
    """What one program stores is there for another one that has seen its atomic."""
    parameters = "const float* x = small(n * 64)\nfloat* part = out(n * 64)\nint* count = zero(1)\nfloat* out = out(64)\nint n"
    for name, restrict in (("", True), ("_aliased", False)):
        for what, publish, atomic, collect in (
            ("scalar", "part[p] = sum(load(x + p * 64 + i));", "atomic_add(count, 1)", "float s = 0;\nfor (int q = 0; q < n; ++q) s += part[q];\n*out = s;"),
            ("tile", "store(part + p * 64 + i, load(x + p * 64 + i) * 2);", "atomic_add(count, 1)", "auto s = zeros<float, 64>();\nfor (int q = 0; q < n; ++q) s += load(part + q * 64 + i);\nstore(out + i, s);"),
            ("acq_rel", "store(part + p * 64 + i, load(x + p * 64 + i) * 2);", "atomic_add(count, 1, memory_order::acq_rel, scope::system)", "store(out + i, load(part + (63 - i)));"),
            ("added", "atomic_add(part + p * 64 + i, load(x + p * 64 + i));", "atomic_add(count, 1)", "store(out + i, load(part + i));"),
        ):
            table.add(
                f"last_program_{what}{name}",
                parameters.replace("part = out", "part = zero") if what == "added" else parameters,
                f"int p = int(grid(n));\nauto i = arange<64>();\n{publish}\nif ({atomic} == n - 1) {{\n{collect}\n}}",
                [{"n": n} for n in (3, 1, 0)],
                warps=(1, 2, 4),
                restrict=restrict,
            )


def of_products():
    """Sums of tensor cores go to whole lines of memory first, unless their old values are used."""
    for name, operand, total in (
        ("f32", "float16", "float"),
        ("i32", "int8_t", "int"),
        ("f64", "double", "double"),
        ("f16", "float16", "float16"),
    ):
        value = "cast<float16>(acc)" if name == "f16" else "acc"
        table.add(
            f"atomic_product_{name}",
            f"{total}* c = small(40 * 72)\nconst {operand}* a = ties(40 * k)\n"
            f"const {operand}* b = ties(k * 72)\nint n\nint k",
            """
            auto [block, part] = grid(n, 2);
            auto r = (block * 32 + arange<32>())[all, none];
            auto c_ = arange<128>()[none, all];
            auto ks = arange<32>();
            auto first = part * 32;
            auto x = load(a + r * k + (first + ks[none, all]), (r < 40) & (ks[none, all] < k - first));
            auto y = load(b + (first + ks[all, none]) * 72 + c_, (ks[all, none] < k - first) & (c_ < 72));
            auto acc = dot(x, y);
            atomic_add(c + r * 72 + c_, %s, (r < 40) & (c_ < 72), memory_order::relaxed);
            """
            % value,
            [{"n": n, "k": k} for n, k in ((2, 64), (2, 40), (1, 8), (0, 8))],
            warps=(1, 4, 8) if name == "f32" else warps_of(f"product{name}", 2),
        )
    # Of few elements: threads have one each, or none of their own.
    for t in ("float16", "float", "double"):
        for m, n, k in ((4, 4, 4), (1, 8, 16), (1, 1, 4), (3, 5, 7), (16, 8, 16)):
            total = "double" if t == "double" else "float"
            table.add(
                f"atomic_product_{m}x{n}x{k}_{SHORT[t]}",
                f"{total}* c = small({m * n})\nconst {t}* a = ties({m * k} * n + 1)\nconst {t}* b = ties({k * n})\nint n",
                f"""
                auto p = grid(n);
                auto i = arange<{m}>()[all, none];
                auto j = arange<{n}>()[none, all];
                auto ks = arange<{k}>();
                auto acc = dot(load(a + (p * {m} + i) * {k} + ks[none, all]), load(b + ks[all, none] * {n} + j));
                atomic_add(c + i * {n} + j, acc, memory_order::relaxed);
                """,
                [{"n": n} for n in (3, 1, 0)],
                warps=(1, 4, 8),
            )
    table.add(
        "atomic_product_old",
        "float* c = small(32 * 64)\nfloat* old = out(32 * 64)\nconst float16* a = ties(32 * 32)\n"
        "const float16* b = ties(32 * 64)\nint n",
        """
        grid(n);
        auto r = arange<32>()[all, none];
        auto c_ = arange<64>()[none, all];
        auto ks = arange<32>();
        auto acc = dot(load(a + r * 32 + ks[none, all]), load(b + ks[all, none] * 64 + c_));
        auto before = atomic_add(c + r * 64 + c_, acc);
        store(old + r * 64 + c_, before);
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 2, 4),
    )



def masked_old():
    """The old value of a scalar's masked addition is 0 where the mask is off."""
    for t in ("int", "int64_t", "float", "float16"):
        for name, mask in (("size", "n > 50"), ("order", "n > 50, memory_order::relaxed"), ("data", "load(x) > n")):
            table.add(
                f"atomic_masked_old_{SHORT[t]}_{name}",
                f"const int* x = small(4)\n{t}* o = small(4)\n{t}* w = out(64)\nint n",
                f"grid(1);\nauto old = atomic_add(o + 1, {t}(2), {mask});\nstore(w, old);\nstore(w + 1 + arange<32>(), old + {t}(1));",
                [{"n": n} for n in (100, 7, -100)],
                warps=(1, 4),
            )


for make in (simple, old_values, of_products, between_programs, masked_old):
    make()
