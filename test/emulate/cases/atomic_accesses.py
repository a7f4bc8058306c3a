"""Atomic loads and stores, scopes, and programs that wait for each other."""

from case import SHORT, Table, warps_of

table = Table()
TYPES = ["int16_t", "uint16_t", "int", "uint32_t", "int64_t", "uint64_t", "float16", "bfloat16", "float", "double"]
NUMBERS = [{"n": n} for n in (288, 200, 1, 0)]


def accesses():
    for t in TYPES:
        domain = "special" if "float" in t or t == "double" else "bits"
        name = f"atomic_access_{SHORT[t]}"
        table.add(
            f"{name}_spread",
            f"{t}* x = {domain}(n)\nconst {t}* a = {domain}(n)\n{t}* old = out(n)\nint n",
            "auto i = grid(cdiv(n, 96)) * 96 + arange<96>();\nauto m = i < n;\n"
            "store(old + i, atomic_load(x + i, m), m);\natomic_store(x + i, atomic_load(a + i, m, memory_order::relaxed), i < n - 3);",
            NUMBERS,
            warps=warps_of(name, 2),
        )
        table.add(
            f"{name}_scalar",
            f"{t}* x = {domain}(2 * n)\n{t}* old = out(2 * n)\nint n",
            f"auto p = grid(n);\nauto v = atomic_load(x + 2 * p);\nold[2 * p] = v;\n"
            f"old[2 * p + 1] = atomic_load(x + 2 * p + 1, p % 2 == 0, memory_order::relaxed);\n"
            f"atomic_store(x + 2 * p + 1, v);\natomic_store(x + 2 * p, {t}(3), p % 2 == 1, memory_order::relaxed);",
            [{"n": n} for n in (5, 1, 0)],
            warps=warps_of(name + "s", 2),
        )
        table.add(
            f"{name}_few",
            f"{t}* x = small(8)\n{t}* w = out(8)\n{t}* s = out(1)\nint n",
            f"grid(n);\nauto i = arange<8>();\nauto v = atomic_load(x + i, i < 6);\nstore(w + i, v);\n"
            f"atomic_store(x + i, flip(v), memory_order::relaxed);\natomic_store(s + arange<1>(), full<{t}, 1>(2));",
            [{"n": 1}, {"n": 0}],
            warps=(1, 4),
        )
    for shape, index in (
        ("4, 8", "arange<4>()[all, none] * 8 + arange<8>()[none, all]"),
        ("64, 16", "arange<64>()[all, none] + arange<16>()[none, all] * 64"),
        ("2, 16, 4", "arange<2>()[all, none, none] * 64 + arange<16>()[none, all, none] + arange<4>()[none, none, all] * 16"),
    ):
        table.add(
            f"atomic_access_shape_{shape.replace(', ', 'x')}",
            "int* x = small(1024)\nint* y = out(1024)\nint n",
            f"grid(n);\nauto i = {index};\nauto v = atomic_load(x + i, i % 5 != 0);\natomic_store(y + i, v);\n"
            "atomic_store(x + i, v + 1, i % 3 == 0, memory_order::relaxed);\natomic_store(y + 1023, sum(v), n > 3);",
            [{"n": 1}, {"n": 0}],
            warps=(1, 2, 4),
        )


def within_a_program():
    """Accesses of one program to the same memory are in its order, whatever their memory orders are."""
    table.add(
        "atomic_access_order",
        "int* x = small(64)\nint* out = out(64)\nint* more = out(64)\nint n",
        """
        grid(n);
        auto i = arange<64>();
        store(x + i, i);
        auto a = atomic_load(x + (63 - i), memory_order::relaxed);
        atomic_store(x + i, a + 100, memory_order::relaxed);
        store(out + i, load(x + (i ^ 1)));
        atomic_add(x + (63 - i), i, memory_order::relaxed);
        store(more + i, atomic_load(x + (i ^ 32), i < 50, memory_order::relaxed));
        atomic_store(x + (i ^ 2), i, memory_order::relaxed);
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 2, 4, 8),
        restrict=False,
    )
    table.add(
        "atomic_access_loop",
        "int* x = small(64)\nint* out = zero(64)\nint n",
        """
        grid(n);
        auto i = arange<64>();
        for (int k = 0; k < 5; ++k) {
          auto v = atomic_load(x + (i + k) % 64, memory_order::relaxed);
          atomic_store(x + i, v * 2 + k, memory_order::relaxed);
          if (atomic_load(x + k) % 2 == 0) {
            store(out + i, load(out + i) + v);
          }
        }
        """,
        [{"n": 1}, {"n": 0}],
        warps=(1, 2, 4),
    )
    for scope in ("block", "gpu", "system"):
        table.add(
            f"atomic_scope_{scope}",
            "int* x = small(64)\nfloat* y = small(64)\nuint64_t* z = small(64)\nint16_t* w = small(64)\n"
            "int* out = out(64)\nint n",
            f"""
            grid(n);
            auto i = arange<64>();
            store(x + i, i + 1);
            atomic_add(y + i, atomic_load(y + (63 - i), scope::{scope}), scope::{scope});
            atomic_store(z, uint64_t(7), scope::{scope});
            atomic_max(z + i, 5, i < 60, scope::{scope});
            atomic_xchg(x + (i ^ 1), i, i % 8 == 0, memory_order::acq_rel, scope::{scope});
            atomic_store(w + i, 4, memory_order::relaxed, scope::{scope});
            store(out + i, load(x + (i ^ 3)) + cast<int>(atomic_load(w + (i ^ 4), scope::{scope})));
            auto old = atomic_inc(x, 7, scope::{scope});
            atomic_cas(z, 7, uint64_t(old), memory_order::acquire, scope::{scope});
            """,
            [{"n": n} for n in (1, 0)],
            warps=(1, 4),
            restrict=False,
        )


def between_programs():
    """One program waits for what another one with a lower ticket publishes."""
    for restrict in (True, False):
        suffix = "" if restrict else "_aliased"
        table.add(
            f"spin_lock{suffix}",
            "int* lock = zero(1)\nint* x = small(64)\nint* last = zero(1)\nint n",
            """
            auto p = int(grid(n));
            auto i = arange<64>();
            while (atomic_cas(lock, 0, 1, memory_order::acquire) != 0) {
            }
            store(x + i, load(x + (63 - i)) + i);
            *last = *last + p;
            atomic_store(lock, 0);
            """,
            [{"n": n} for n in (6, 1, 0)],
            warps=(1, 2, 4),
            restrict=restrict,
        )
        table.add(
            f"one_after_another{suffix}",
            "int* next = zero(1)\nint* turn = zero(1)\nint* x = zero(64)\nint n",
            """
            grid(n);
            auto i = arange<64>();
            const int ticket = atomic_add(next, 1, memory_order::relaxed);
            while (atomic_load(turn) != ticket) {
            }
            store(x + i, load(x + (i ^ 1)) * 3 + ticket);
            atomic_store(turn, ticket + 1);
            """,
            [{"n": n} for n in (6, 1, 0)],
            warps=(1, 2, 4),
            restrict=restrict,
        )
        table.add(
            f"chain_of_tiles{suffix}",
            "const int* x = small(n * 64)\nint* sums = zero(n * 64 + 64)\nint* ready = zero(n + 1)\nint* next = zero(1)\nint n",
            """
            grid(n);
            auto i = arange<64>();
            const int part = atomic_add(next, 1, memory_order::relaxed);
            auto mine = load(x + part * 64 + i);
            while (part > 0 && atomic_load(ready + part) == 0) {
            }
            store(sums + (part + 1) * 64 + i, load(sums + part * 64 + i) + mine);
            atomic_store(ready + part + 1, 1);
            """,
            [{"n": n} for n in (5, 1, 0)],
            warps=(1, 4),
            restrict=restrict,
        )
    for block, warps in ((64, (1, 2, 4)), (4, (1, 4)), (1, (1,)), (96, (1, 4))):
        table.add(
            f"look_back_{block}",
            "const int* x = small(n)\nint* sums = out(n)\nuint64_t* states = zero(n + 1)\nint* next = zero(1)\nint n",
            f"""
            grid(cdiv(n, {block}));
            const int part = atomic_add(next, 1, memory_order::relaxed);
            auto i = part * {block} + arange<{block}>();
            auto v = load(x + i, i < n);
            const int total = sum(v);
            const auto word = [](int flag, int value) {{
              return uint64_t(flag) << 32 | uint64_t(uint32_t(value));
            }};
            atomic_store(states + part, word(1, total), memory_order::relaxed);
            int before = 0;
            int k = part - 1;
            while (k >= 0) {{
              const uint64_t state = atomic_load(states + k, memory_order::relaxed);
              const int flag = int(state >> 32);
              if (flag != 0) {{
                before += int(uint32_t(state));
                k = flag == 2 ? -1 : k - 1;
              }}
            }}
            atomic_store(states + part, word(2, before + total), memory_order::relaxed);
            store(sums + i, before + cumsum(v), i < n);
            """,
            [{"n": n} for n in (5 * block - block // 3, block, 1, 0)],
            warps=warps,
        )


def acquired_tiles():
    """Each thread acquires through a tile of flags, and reads what other threads' flags guard."""
    table.add(
        "atomic_flags",
        "int* flags = zero(n * 32)\nint* data = zero(n * 32)\nint* out = out(n * 32)\nint* next = zero(1)\nint n",
        """
        grid(n);
        auto i = arange<32>();
        const int part = atomic_add(next, 1, memory_order::relaxed);
        store(data + part * 32 + i, i + part);
        atomic_store(flags + part * 32 + i, 1);
        while (part > 0 && !all_of(atomic_load(flags + (part - 1) * 32 + i) == 1)) {}
        store(out + part * 32 + i, load(data + (part - 1) * 32 + (31 - i), part > 0 && i >= 0));
        """,
        [{"n": n} for n in (4, 1, 0)],
        warps=(1, 2, 4),
    )


accesses()
within_a_program()
between_programs()
acquired_tiles()
