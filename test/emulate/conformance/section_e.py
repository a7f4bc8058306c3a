"""Atomics."""

from conformance.rows import Section, cover

section = Section("E")
SIX = "i32 u32 i64 u64 f32 f64"
ORDERS = "default relaxed acquire release acq_rel"
SHAPES = "2x2 2x8 8x2 8x8 32x32 64x64 128x128"

section.add(
    "add, 8 types, 5 memory orders, one place and many, old values",
    " ".join(f"triton_add_*_{order}" for order in ORDERS.split()),
    cover("atomic.add", SIX + " f16 bf16", "64", 4),
)
section.add(
    "max and min, 6 types, all negative, all positive, both, 5 memory orders",
    "triton_extremes_*_default triton_extremes_*_relaxed triton_extremes_*_acquire triton_extremes_*_release triton_extremes_*_acq_rel",
    cover("atomic.max atomic.min", SIX, "64", 4),
)
section.add(
    "and, or, xor, exchange", "atomic_and_* atomic_or_* atomic_xor_* atomic_xchg_*", cover("atomic.and atomic.or atomic.xor atomic.xchg", "i32 u32 i64 u64")
)
section.add("predicate of a scalar and of a tile", "triton_add_*_default atomic_m??_*_scalar atomic_[iuf]??_scalar atomic_bf16_scalar", cover("atomic.add", SIX, "scalar"))
section.add(
    "add of sums along each axis of (2, 2) to (128, 128), 6 types, with the value that was there",
    "triton_add_sums_*",
    cover("load", "bf16 f16 f32 u64 i64 f64", SHAPES, 4),
    cover("atomic.add", "bf16 f16 f32 u64 i64 f64", "2 8 32 64 128", 4),
)
section.add(
    "shifted, colliding and shared addresses of a 2-D tile",
    "triton_add_shifted_* triton_add_row_* triton_add_column_* triton_add_quarter_*",
    cover("atomic.add", "f32 i32 f16", "16x32", "1 4"),
)
section.add(
    "compare-and-swap of a scalar as a spin lock, i32 and i64",
    "triton_lock_*",
    cover("atomic.cas", "i32 i64", "scalar", 4),
    remark="with orders that acquire and release; a lock taken by weaker ones is a race, which the emulator reports",
)
section.add(
    "compare-and-swap of tiles of 4, 128, 512, 1024, 6 types", "triton_cas_*", cover("atomic.cas", SIX, "4 128 512 1024", 4)
)
section.add("min and max with -0.0", "triton_extremes_zero_*", cover("atomic.max atomic.min", "f32 f64"))
section.rejects("a type without atomics is an error", "atomic_add takes pointers to", "atomic_add(reinterpret_cast<int8_t*>(ints) + i, 1);")
section.refuses("atomic_poll", "atomic_poll", "atomic_poll(ints, 1);", remark="`while (atomic_load(p) != x) {}`; without a time limit")
section.refuses("cooperative grid, barrier of all programs", "grid_barrier", "grid_barrier();", remark="limits.md: grid-wide barriers")
