"""Atomic additions of floats on Hopper, where one instruction adds neighbours in memory: to gathered rows, with bounds that
cut vectors, and of accumulators in the layout of the MMA."""

import dataclasses

from case import SHORT, Table, warps_of
from cases import atomics

table = Table("--arch=sm_90a")
FLOATS = ("float", "float16", "bfloat16")

for case in atomics.table.cases:
    if case.name.startswith(("atomic_f32", "atomic_f16", "atomic_bf16", "atomic_product", "atomic_plane")):
        table.cases.append(dataclasses.replace(case, name=f"h_{case.name}", flags=table.flags))


def rows():
    """Rows whose width is an argument are added to gathered rows, rows of known width up to a column."""
    for t in FLOATS:
        for source in ("float", "bfloat16"):
            name = f"add_rows_{SHORT[t]}_{SHORT[source]}"
            table.add(
                name,
                f"{t}* out = zero(7 * width)\nconst {source}* a = ties(n * width)\n"
                "const int* ids = below(n, 7)\nint n\nint width",
                """
                auto [block, part] = grid(cdiv(n, 4), cdiv(width, 64));
                auto r = block * 4 + arange<4>();
                auto c = (part * 64 + arange<64>())[none, all];
                auto id = load(ids + r, r < n)[all, none];
                auto mask = (r[all, none] < n) & (c < width);
                auto v = cast<%s>(load(a + r[all, none] * width + c, mask));
                atomic_add(out + cast<int64_t>(id) * width + c, v, mask, memory_order::relaxed);
                """
                % t,
                [{"n": n, "width": width} for n, width in ((9, 64), (4, 72), (5, 100), (3, 37), (1, 1), (0, 8))],
                warps=warps_of(name, 3),
                races_of_one_store=False,
            )
        name = f"add_columns_{SHORT[t]}"
        table.add(
            name,
            f"{t}* out = small(16 * 128)\nconst {t}* a = ties(16 * 128)\nint n\nint width",
            """
            auto part = grid(n);
            auto r = arange<16>()[all, none];
            auto c = arange<128>()[none, all];
            auto v = load(a + r * 128 + c);
            atomic_add(out + r * 128 + c, v + v, c < width + part);
            """,
            [{"n": n, "width": width} for n, width in ((1, 128), (2, 127), (1, 66), (3, 5), (1, 0), (0, 9))],
            warps=(1, 3, 4, 8),
        )


def in_a_loop():
    """Each iteration adds. Nothing orders the additions of different programs."""
    for t in FLOATS:
        name = f"add_steps_{SHORT[t]}"
        table.add(
            name,
            f"{t}* out = zero(256)\nconst {t}* a = ties(n * 256)\nint n",
            """
            auto part = grid(2);
            auto i = arange<256>();
            for (auto k = part; k < n; k += 2) {
              auto v = load(a + k * 256 + i);
              atomic_add(out + i, v, memory_order::relaxed);
              atomic_add(out + (255 - i), v);
            }
            """,
            [{"n": n} for n in (5, 1, 0)],
            warps=warps_of(name, 3),
        )


def parts_of_k():
    """Programs share a long k. A bound that whole iterations keep by themselves allows TMA loads; other bounds are masks."""
    runs = [
        {"M": m, "N": n, "K": k, "parts": parts}
        for m, n, k, parts in ((64, 64, 256, 2), (70, 72, 200, 3), (64, 8, 72, 4), (1, 64, 40, 1), (64, 64, 0, 2), (0, 8, 8, 1))
    ]
    for name, (depth, step, more) in {
        "whole": ("cdiv(cdiv(K, 32), parts) * 32", 32, ""),
        "double": ("cdiv(cdiv(K, 64), parts) * 64", 32, ""),
        "half": ("cdiv(cdiv(K, 16), parts) * 16", 32, ""),
        "any": ("cdiv(K, parts)", 32, ""),
        "late": ("cdiv(cdiv(K, 32), parts) * 32", 32, " + 8"),
        "overlap": ("cdiv(cdiv(K, 16), parts) * 16", 16, ""),
    }.items():
        table.add(
            f"parts_{name}",
            "float* c = zero(M * N)\nconst float16* a = ties(M * K)\nconst float16* b = ties(K * N)\n"
            "int M\nint N\nint K\nint parts",
            f"""
            require(parts > 0);
            auto [i, j, part] = grid(cdiv(M, 64), cdiv(N, 64), parts);
            auto r = (i * 64 + arange<64>())[all, none];
            auto n = (j * 64 + arange<64>())[none, all];
            auto ks = arange<32>();
            auto depth = {depth};
            auto first = part * depth{more};
            auto end = minimum(first + depth, int64_t(K));
            auto acc = zeros<float, 64, 64>();
            for (auto k = first; k < end; k += {step}) {{
              auto x = load(a + r * K + (k + ks[none, all]), (r < M) & (k + ks[none, all] < end));
              auto y = load(b + (k + ks[all, none]) * N + n, (k + ks[all, none] < end) & (n < N));
              acc = dot(x, y, acc);
            }}
            atomic_add(c + r * N + n, acc, (r < M) & (n < N), memory_order::relaxed);
            """,
            runs,
            warps=(4,) if name != "whole" else (4, 8),
            options=", .num_stages = 3",
        )


for make in (rows, in_a_loop, parts_of_k):
    make()
