"""dot."""

from conformance.rows import Section, cover

section = Section("H")
SIZES = "16x16 32x32 64x64"

section.add(
    "64^3, 32^3, 16^3 x epilogue none, trans, + matrix, + rows, + columns, softmax, chained dot x f16 to f16, f16 to f32, bf16, f32 as tf32, tf32x3 and ieee, f64",
    "triton_dot_16_* triton_dot_32_* triton_dot_64_*",
    cover("dot", "f16 bf16 f32 f64", SIZES, 4),
)
section.refuses("precision bf16x3", "bf16x3", "auto x = reshape<16, 8>(load(in + i));\n  store(out + reshape<16, 16>(arange<256>()), dot(x, trans(x), precision::bf16x3));")
section.refuses("precision bf16x6", "bf16x6", "auto x = reshape<16, 8>(load(in + i));\n  store(out + reshape<16, 16>(arange<256>()), dot(x, trans(x), precision::bf16x6));")
section.add("softmax of 128 x 128 x 64 with 8 warps", "triton_dot_softmax_*", cover("dot", "f16", "128x64", 8), cover("dot", "f32", "128x128", 8))
section.add("chained dots of bf16, e5m2 and e4m3", "triton_chain_* t_*", cover("dot", "bf16 f8e5m2 f8e4m3", "", 4))
section.add(
    "10 sizes of 128 x 256 x 32 to 64 x 128 x 128 with 2 to 16 warps x operands by rows and columns x int8, f16 to f16, f16 to f32, tf32",
    "triton_mixed_*",
    cover("dot", "i32 f16 f32", "128x256", 8),
    cover("dot", "i32 f16 f32", "128x16 32x128 128x128 64x128 64x64", 4),
    cover("dot", "i32 f16 f32", "32x128 128x128 64x128", 2),
    cover("dot", "i32 f16 f32", "32x32", 16),
    cover("dot", "i8", "128x32", "4 8"),
)
section.add("fp32 with precision ieee, operands transposed", "triton_ieee_* dot_ieee_*", cover("dot", "f32", "64x32", 4))
section.add("(2, 4, 32) f16, (1, 2, 32) e5m2, (64, 8, 8) tf32, (64, 8, 16) f16", "triton_small_2x4x32_* triton_small_1x2x32_* triton_small_64x8x*", cover("dot", "f16", "2x32 64x16", "1 4"), cover("dot", "f32", "2x4 64x8", "1 4"), cover("dot", "f8e5m2", "1x32", "1 4"))
section.add("fp64 (8, 8, 4), (8, 8, 8), (16, 8, 4), (8, 8, 16) with 1 warp", "triton_small_*_f64", cover("dot", "f64", "8x4 8x8 16x4 8x16", 1))
section.add("3-D: batches of 1, 2, 4, 8, blocks down to (1, 32), (32, 2), (8, 8), 1 to 16 warps", "triton_batch_* b_*", cover("dot", "f16 i8 f32", "1x32x32 2x32x32 4x32x32 8x32x32 8x1x32 8x32x2"), cover("dot", "f32 i32", "8x8x8"), cover("dot", "f16", "", "1 2 4 8 16"))
section.refuses("dots of 5 dimensions", "dot", "auto x = reshape<2, 2, 2, 4, 4>(load(in + i));\n  store(out + reshape<2, 2, 2, 4, 4>(i), dot(x, x));", remark="`reshape` to 3 dimensions")
section.add("product by broadcasting and a sum", "triton_product_by_sum", cover("reduce.sum", "f32", "16x32x16", "1 4"))
section.add("dot of tiles that nothing loads", "triton_dot_of_full", cover("dot", "f16", "32x16", "1 4"))
section.add("every size: operands that no instruction divides", "dot_f16_* dot_bf16_* dot_f32_* dot_i8_* dot_f64_*", cover("dot", "f16 bf16 f32 i8 f64"))
section.add("wgmma: whole tiles of 8 pairs of types, each memory order", "h_dot_*", cover("dot", "f16 bf16 f32 i8 u8 f8e4m3 f8e5m2"))
section.refuses("max_num_imprecise_acc", "max_num_imprecise_acc", "auto x = reshape<16, 8>(load(in + i));\n  store(out + reshape<16, 16>(arange<256>()), dot(x, trans(x), max_num_imprecise_acc<32>));")
section.add("the expected instruction in the text", "", tests=("test/errors/remarks_dots.cpp: RUN", "test/emit/fragments.cpp: RUN", "test/emit/hopper.cpp: wgmma"))
section.refuses("dot_scaled", "dot_scaled", "store(out + i, dot_scaled(load(in + i), load(in + i)));", remark="limits.md")
