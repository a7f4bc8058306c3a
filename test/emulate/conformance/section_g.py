"""Scans and sorts."""

from conformance.rows import Section, cover

section = Section("G")
SHAPES = "8x32 16x32 32x16 2x1024 1024x2 32x32 1x1024"
PLANES = " ".join(f"triton_scan_{shape}_*" for shape in SHAPES.split())
FORMS = "first element, linear recurrence, maximum with its index, roll: combine functions of 1 to 3 tiles"

section.add(
    "cumsum and cumprod, both directions, axes 0 and 1, 7 shapes, int32, fp32 and bf16, 4 and 16 warps",
    PLANES,
    cover("scan.sum scan.prod", "i32 f32", SHAPES, "4 16"),
    cover("load", "bf16", SHAPES, "4 16"),
    remark="the sum of bf16 is a float",
)
section.add(
    f"{FORMS}; both directions, axes 0 and 1, 7 shapes, int32, fp32 and bf16, 4 and 16 warps",
    PLANES,
    cover("scan", "i32 f32 bf16", SHAPES, "4 16"),
)
section.add(
    "the same in one dimension",
    "triton_scan_32_* triton_scan_128_* triton_scan_1024_i32 triton_scan_1024_f32 triton_scan_1024_bf16",
    cover("scan", "i32 f32 bf16", "32 128 1024", "1 4"),
    cover("scan.sum scan.prod", "i32 f32", "32 128 1024", "1 4"),
)
section.absent("combine function with a side effect", "a combine function accesses no memory: an error says so")
section.add("type of cumsum", "cumsum_type_*", cover("scan.sum", "i32 u32 f32 f64 i64", "192"))
section.add(
    "sort and topk of (1, 1), (1, 512), (8, 64), (256, 16), (512, 8), k 1 and 8, both orders, i32, f16, f32, bf16",
    "triton_sort_*",
    cover("sort", "i32 f16 f32 bf16", "1x512 8x64 256x16 512x8", "4 8"),
    remark="`topk` gives the indices too",
)
section.add(
    "histogram of (2048, 2), (1024, 8), (1024, 128), (256, 512), (32, 512), (8, 512), (8, 2), with a mask and numbers that are no bin",
    "triton_histogram_*",
    cover("scatter", "i32", "2048 1024 256 32 8", "1 4"),
)
section.add(
    "gather [32] to [64]; [4, 4] to [8, 4] and [4096, 4]; [128, 64] to [256, 64] on axis 0 and [128, 128] on axis 1",
    "triton_gather_*",
    cover("gather", "f32", "64 8x4 4096x4 256x64 128x128", "4 8"),
)
