"""Shape."""

from conformance.rows import Section, cover

section = Section("D")

section.add("None and : in subscripts", "triton_rows_* triton_columns_* triton_middle_* triton_outer_*", cover("expand_dims", "f32", "64x1 1x64 8x1x16", "1 4"))
section.add("expand_dims and unsqueeze, also of negative dimensions; squeeze", "triton_expand_dims_* triton_squeeze_*", cover("expand_dims", "f32", "1x8x16 8x1x16 8x16x1", "1 4"))
section.rejects("expand_dims of a dimension out of range is an error", "axis", "store(out + expand_dims<3>(i), 1);")
section.add("reshape and view between 1 to 4 dimensions; ravel", "triton_reshape_* triton_ravel_*", cover("reshape", "i32 i8", "2048 32x64 2x4x256 8x8x4x8 2048x1", 4))
section.rejects("reshape to another number of elements is an error", "reshape", "store(out + reshape<65>(i), 1);")
section.add("permute and trans of 64 x 64 and 128 x 128: fp8, fp16, fp32", "triton_permute_64x64_* triton_permute_128x128_* triton_trans_*", cover("permute", "f8e4m3 f8e5m2 f16 f32", "64x64 128x128", 4))
section.add(
    "permute of 4 dimensions, all 24 orders, (2, 2, 8, 64) and (4, 4, 4, 16), int8 and int32",
    "triton_permute_????_*",
    cover("load", "i8 i32", "2x2x8x64 4x4x4x16", 4),
    cover("permute", "i8 i32", "64x8x2x2 2x8x2x64 16x4x4x4 4x16x4x4", 4),
)
section.rejects("permute by an order that is none is an error", "permute", "store(out + permute<0, 0>(reshape<8, 16>(i)), 1);")
section.add("join, interleave, cat of 1 to 4 dimensions", "triton_join_[0-9]* triton_interleave_* triton_cat?_*", cover("join cat", "i32 f16 i8", "1 32 128 16x8 4x2x16 2x2x2x8", "1 4"), remark="`interleave` is a join and a reshape")
section.add("split of 2 to 4 dimensions", "triton_split_*x*", cover("split", "i32 f16 i8", "64x2 8x16x2 2x4x8x2", "1 4"))
section.add("split of a tile of two elements into scalars", "triton_split_2_*", cover("split", "i32 f16 i8", "1x2", "1 4"))
section.refuses("join of scalars", "no matching function", "store(out + arange<2>(), join(1.0f, 2.0f));", remark="`join` of tiles of one element")
section.add("join whose result is an operand of dot", "triton_join_in_dot", cover("dot", "f16", "32x32", "1 4"))
section.add("flip of 1 to 3 dimensions, of infinities and NaN", "triton_flip*", cover("flip", "i32 f16", "64 512 16x32 4x8x16", "1 4"))
section.add("swizzle2d of 5 x 7 in groups of 3", "triton_swizzle2d")
section.add("arange that starts at 0, 1, 7, 16", "triton_arange_*", cover("arange", "i32", "128", "1 4"))
section.rejects("arange without elements is an error", "arange<N>() needs N > 0", "store(out + arange<0>(), 1);")
section.absent("arange of a size that is no power of two is an error", "every size works")
section.add("full and zeros of 15 types", "triton_full_*", cover("store", "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2", "128 8x16", 4))
section.add("item: a tile of one element as a scalar", "triton_item", cover("reduce.sum", "i32", "1 1x1", "1 4"), remark="`sum(x)`")
