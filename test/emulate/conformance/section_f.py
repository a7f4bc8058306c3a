"""Reductions."""

from conformance.rows import Section, cover

section = Section("F")
TYPES = "i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64"
CHOICES = "reduce.max reduce.min reduce.argmax reduce.argmin"
KINDS = "reduce.sum " + CHOICES
SUMS = "i32 u32 i64 u64 f32 f64"  # the types in which sums are computed

section.add(
    "1-D sum, max, min, argmax, argmin: 12 types, 32 to 512 elements",
    "triton_reduce_32_* triton_reduce_64_* triton_reduce_128_* triton_reduce_512_*",
    cover(CHOICES, TYPES, "32 64 128 512", "1 4"),
    cover("reduce.sum", SUMS, "32 64 128 512", "1 4"),
)
section.add(
    "1-D max with its index, one reduction of two tiles: 12 types, 32 to 512 elements",
    "triton_with_indices_*",
    cover("reduce", TYPES, "32 64 128 512", 4),
)
section.add(
    "2-D (1, 1024), axis 1: 12 types",
    "triton_reduce_1x1024_1_*",
    cover(CHOICES, TYPES, "1x1024", 4),
    cover("reduce.sum", SUMS, "1x1024", 4),
)
section.add(
    "2-D fp32 (2, 32), (4, 32), (4, 128), axes 0 and 1",
    "triton_reduce_2x32_* triton_reduce_4x32_* triton_reduce_4x128_*",
    cover(KINDS, "f32", "2x32 4x32 4x128", "1 2 4 8"),
)
section.add(
    "(16, 32) over all axes", "triton_reduce_all_*", cover("reduce.sum", "f32 i32", "16x32"), cover("reduce.max", "f32 i32 f16", "16x32"), cover("reduce.argmax", "f32 i32 f16", "512")
)
section.add(
    "3-D (2, 32, 16), (32, 2, 16), (32, 16, 2), axes 0 to 2",
    "triton_reduce_2x32x16_* triton_reduce_32x2x16_* triton_reduce_32x16x2_*",
    cover(KINDS, "f32", "2x32x16 32x2x16 32x16x2", "1 2 4 8"),
)
section.add("negative axis", "triton_reduce_negative_*", cover(KINDS, "i32", "16x32 2x32x16", 4))
section.rejects("an axis out of range is an error", "axis is out of range", "store(out + i, sum<1>(load(in + i)));")
section.add(
    "keep_dims, 2-D and 3-D, of one axis and of all",
    "triton_keep_dims_*",
    cover("reduce.max reduce.sum reduce.argmax", "f32", "32x16 2x32x16 32x2x16 32x16x2", "1 4"),
)
section.add("xor_sum of integers and bool", "triton_xor_sum_*", cover("reduce.xor", "bool i8 i16 i32 i64 u8 u16 u32 u64", "128 8x32", "1 4"))
section.add("reduce_or", "triton_reduce_or_*", cover("reduce.or reduce.and", "bool", "16x32", "1 4"))
section.add(
    "NaN ignored by max, min, argmax, argmin, also where elements are equal; kept with propagate_nan",
    "triton_reduce_nan_* nan_*_nans nan_all",
    cover("reduce.max reduce.min reduce.argmax reduce.argmin reduce.max_nan", "f16 bf16 f32 f64", "128", "1 4"),
)
section.add(
    "type of a sum",
    "triton_reduce_128_* kinds_*_96",
    cover("load", TYPES, "128", "1 4"),
    cover("reduce.sum", SUMS, "128", "1 4"),
    remark="`sum` of 16-bit floats is a float and of integers below 32 bits an int, not the type of the tile",
)
section.add("combine function of a tuple: mean, M2 and weight", "reduce_welford", cover("reduce", "f32", "128", "1 2 4 8"))
section.add("chained reductions of a 5-D tile", "triton_reduce_chained", cover("reduce.sum", "f32", "2x4x8x4x2", "1 2 4 8"))
section.add(
    "combine function with branches, 1-D and 2-D", "triton_reduce_branch_*", cover("reduce", "i32", "128 16x32 32x16", "1 4")
)
section.absent("combine function with a side effect", "a combine function accesses no memory: an error says so")
section.add(
    "reductions in loops, whose part across threads may move out of the loop; rows with other readers stay",
    "triton_reduce_in_loop_*",
    cover("reduce.sum reduce.max", "f32", "32x32 128x16 16x128", "1 4"),
)
