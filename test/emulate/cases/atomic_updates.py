"""Atomics other than additions: colliding addresses, masks, old values, every type, results used."""

from case import SHORT, Table, warps_of

table = Table()
INTEGERS = ["int16_t", "uint16_t", "int", "uint32_t", "int64_t", "uint64_t"]
FLOATS = ["float16", "bfloat16", "float", "double"]
NUMBERS = [{"n": n} for n in (288, 200, 1, 0)]


def updates(t):
    """The operations whose order does not matter, with a domain for memory and values."""
    domain = "special" if t in FLOATS else "bits"
    yield from (("min", domain), ("max", domain))
    if t in INTEGERS:
        yield from (("and", "bits"), ("or", "bits"), ("xor", "bits"))


def without_order():
    for t in INTEGERS + FLOATS:
        for update, domain in updates(t):
            name = f"atomic_{update}_{SHORT[t]}"
            table.add(
                f"{name}_spread",
                f"{t}* x = {domain}(n)\nconst {t}* a = {domain}(n)\n{t}* old = out(n)\nint n",
                "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\nauto m = i < n;\nauto v = load(a + i, m);\n"
                f"store(old + i, atomic_{update}(x + i, v, m), m);\natomic_{update}(x + i, 1, i < n - 3);",
                NUMBERS,
                warps=warps_of(name, 2),
            )
            table.add(
                f"{name}_collide",
                f"{t}* x = {domain}(7)\nconst {t}* a = {domain}(n)\nint n",
                "auto i = grid(cdiv(n, 64)) * 64 + arange<64>();\nauto m = (i < n) & (i % 3 != 1);\n"
                f"atomic_{update}(x + i % 7, load(a + i, m), m);",
                [{"n": n} for n in (150, 64, 1, 0)],
                warps=warps_of(name + "c", 2),
            )
            table.add(
                f"{name}_scalar",
                f"{t}* x = {domain}(4)\nconst {t}* a = {domain}(n)\n{t}* old = out(n)\nint n",
                f"auto p = grid(n);\natomic_{update}(x, a[p]);\natomic_{update}(x + 1, a[p], p % 2 == 0, memory_order::relaxed);\n"
                f"auto before = atomic_{update}(x + 2, a[p], false);\nold[p] = before;",
                [{"n": n} for n in (5, 1, 0)],
                warps=warps_of(name + "s", 2),
            )
        domain = "bits" if t in INTEGERS else "small"
        part = "-2147483647 - 1" if t == "int" else f"{t}(1)"  # the smallest, which has no negative
        table.add(
            f"atomic_sub_{SHORT[t]}",
            f"{t}* x = {domain}(n)\nconst {t}* a = {domain}(n)\n{t}* old = out(n)\n{t}* total = zero(1)\nint n",
            "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\nauto m = i < n;\nauto v = load(a + i, m);\n"
            f"store(old + i, atomic_sub(x + i, v, m), m);\natomic_sub(total, {part});",
            NUMBERS,
            warps=warps_of(t, 2),
        )


def replicated():
    """Tiles with fewer elements than threads, and a single address."""
    for t in ("int", "float", "float16", "uint64_t"):
        for update in ("max", "min", "xchg"):
            table.add(
                f"atomic_few_{update}_{SHORT[t]}",
                f"{t}* x = small(8)\n{t}* old = out(8)\n{t}* w = out(8)\nint n",
                f"grid(n);\nauto i = arange<8>();\nauto before = atomic_{update}(x + i, cast<{t}>(i), i < 6);\n"
                f"store(old + i, before);\nstore(w + i, before + cast<{t}>(i));",
                [{"n": 1}, {"n": 0}],
                warps=(1, 2, 4),
            )
        table.add(
            f"atomic_row_{SHORT[t]}",
            f"{t}* x = small(16)\nconst {t}* a = small(16 * 32)\nint n",
            """
            grid(n);
            auto r = arange<16>()[all, none];
            auto v = load(a + r * 32 + arange<32>()[none, all]);
            atomic_max(x + r, max<1>(v, keep_dims), memory_order::relaxed);
            """,
            [{"n": n} for n in (3, 1, 0)],
            warps=(1, 2, 3, 4, 8),
        )


def counters():
    """atomic_inc and atomic_dec wrap around at their limit."""
    for t in INTEGERS:
        for update in ("inc", "dec"):
            table.add(
                f"atomic_{update}_{SHORT[t]}",
                f"{t}* x = positive(96)\nconst {t}* limit = positive(96)\n{t}* old = out(96)\n{t}* ring = zero(1)\nint64_t* sums = zero(1)\nint n",
                f"grid(n);\nauto i = arange<96>();\nstore(old + i, atomic_{update}(x + i, load(limit + i), i != 7));\n"
                f"atomic_add(sums, cast<int64_t>(sum(cast<int>(atomic_{update}(ring + i * 0, 6)))));",
                [{"n": 1}, {"n": 0}],
                warps=warps_of(update + t, 3),
            )


def swaps():
    for t in INTEGERS + FLOATS:
        domain = "special" if t in FLOATS else "bits"
        table.add(
            f"atomic_xchg_{SHORT[t]}",
            f"{t}* x = {domain}(n)\nconst {t}* a = {domain}(n)\n{t}* old = out(n)\nint n",
            "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\nauto m = i < n;\n"
            "store(old + i, atomic_xchg(x + i, load(a + i, m), m), m);\natomic_xchg(x + i, 2, i < n / 2);",
            NUMBERS,
            warps=warps_of("x" + t, 2),
        )
        table.add(
            f"atomic_cas_{SHORT[t]}",
            f"{t}* x = small(n)\nconst {t}* e = small(n)\nconst {t}* a = {domain}(n)\n{t}* old = out(n)\nint n",
            "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\nauto m = i < n;\n"
            "store(old + i, atomic_cas(x + i, load(e + i, m), load(a + i, m), m), m);\natomic_cas(x + i, 3, i, i < n / 2);",
            NUMBERS,
            warps=warps_of("c" + t, 2),
        )
        table.add(
            f"atomic_cas_scalar_{SHORT[t]}",
            f"{t}* x = ties(3 * n)\n{t}* old = out(3 * n)\nint n",
            f"auto p = grid(n) * 3;\nold[p] = atomic_cas(x + p, {t}(1), {t}(p));\nold[p + 1] = atomic_cas(x + p + 1, 0, 5, n > 2);\n"
            "old[p + 2] = atomic_cas(x + p + 2, 2, 7);",
            [{"n": n} for n in (5, 1, 0)],
            warps=warps_of("s" + t, 2),
        )
    table.add(
        "atomic_cas_nan",
        "float* x = special(64)\nfloat* old = out(64)\nint n",
        "grid(n);\nauto i = arange<64>();\nauto v = load(x + i);\n"
        "store(old + i, atomic_cas(x + i, v, 1.5f));\natomic_cas(x, 0.0f, -0.0f);",
        [{"n": 1}, {"n": 0}],
        warps=(1, 4),
    )
    table.add(
        "atomic_xchg_collide",
        "int* x = zero(1)\nint* done = zero(1)\nint* total = zero(1)\nint n",
        "auto p = grid(n);\nauto i = int(p) * 64 + arange<64>();\natomic_add(total, sum(atomic_xchg(x + i * 0, i, i % 4 != 3)));\n"
        "if (atomic_add(done, 1) == n - 1) {\n  atomic_add(total, atomic_xchg(x, 0));\n}",
        [{"n": n} for n in (4, 1, 0)],
        warps=(1, 2, 4),
    )
    table.add(
        "atomic_cas_first",
        "int* x = zero(1)\nint* winners = zero(1)\nint n",
        "grid(n);\nauto i = arange<96>();\nauto old = atomic_cas(x + i * 0, 0, i + 1);\n"
        "atomic_add(winners, sum(where(old == 0, 1, 0)));\natomic_min(x, 1);",
        [{"n": n} for n in (3, 1, 0)],
        warps=(1, 3, 4),
    )


def used():
    """Old values in conditions, loops and reductions; each program has one."""
    table.add(
        "atomic_lock",
        "int* lock = zero(1)\nint* last = zero(1)\nint* x = small(64)\nint n",
        """
        auto p = int(grid(n));
        auto i = arange<64>();
        while (atomic_cas(lock, 0, 1) != 0) {
        }
        store(x + i, load(x + i) + 1);
        *last = *last + p;
        atomic_xchg(lock, 0);
        """,
        [{"n": n} for n in (5, 1, 0)],
        warps=(1, 2, 4),
    )
    table.add(
        "atomic_loop_data",
        "int* tries = zero(1)\nint* x = zero(64)\nint n",
        """
        grid(n);
        auto i = arange<64>();
        int k = atomic_inc(tries, 100);
        while (k < 7) {
          atomic_or(x + i, 1 << (i % 8));
          k = atomic_inc(tries, 100);
        }
        """,
        [{"n": n} for n in (3, 1, 0)],
        warps=(1, 4),
    )
    table.add(
        "atomic_if",
        "int* first = zero(4)\nint* count = zero(4)\nint* x = zero(64)\nint n",
        """
        auto p = int(grid(n));
        if (atomic_cas(first + p % 4, 0, p + 1) == 0) {
          atomic_add(count + p % 4, 1);
          atomic_max(x + arange<64>(), arange<64>());
        }
        atomic_and(first + p % 4, 0, p < 0);
        atomic_min(first + p % 4, 1);
        """,
        [{"n": n} for n in (9, 1, 0)],
        warps=(1, 4),
    )
    table.add(
        "atomic_kinds",
        "int* x = small(64)\nint* out = out(64)\nint n",
        """
        grid(n);
        auto i = arange<64>();
        atomic_add(x + i, i);
        atomic_max(x + (63 - i), 40);
        atomic_xchg(x + (i ^ 1), i, i % 8 == 0);
        atomic_min(x + (i ^ 33), 50);
        store(out + i, load(x + (63 - i)));
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 2, 4, 8),
        restrict=False,
    )
    for order in ("relaxed", "acquire", "release", "acq_rel"):
        table.add(
            f"atomic_ordered_{order}",
            "int* x = small(64)\nfloat* y = small(64)\nuint64_t* z = small(64)\nint n",
            f"""
            grid(n);
            auto i = arange<64>();
            atomic_max(x + i, i, memory_order::{order}, scope::system);
            atomic_min(y + i, 2.5f, i < 60, scope::system, memory_order::{order});
            atomic_and(z + i, 5, scope::block, memory_order::{order});
            auto old = atomic_dec(x, 7, scope::system, memory_order::{order});
            atomic_xchg(y, float(old), memory_order::{order}, scope::system);
            atomic_cas(z, 1, 2, memory_order::{order}, scope::system);
            """,
            [{"n": n} for n in (1, 0)],
            warps=(1, 4),
        )


for make in (without_order, replicated, counters, swaps, used):
    make()
