"""Tensor descriptors."""

from conformance.rows import Section, cover

section = Section("L")
TYPES = "i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64"
DESCRIPTOR = "auto d = make_tensor_descriptor<8, 16>(out, {n, 16}, {16, 1});\n  "

section.add("load and store, blocks (2, 16), (8, 16), (8, 32), (8, 128), (512, 32), (1, 1024), 12 types, past the end of the tensor", "triton_block_* copy_*", cover("load store", TYPES, "2x16 8x16 8x32 8x128 512x32 1x1024", 4))
section.add("1 to 5 dimensions x inner sizes 16, 32, 64, 128; 3-D blocks", "triton_rank_* rank_*", cover("load store", "f32", "16 32 64 128 1x16 1x32 1x64 1x128 1x2x16 1x2x2x16 1x2x2x1x16 1x2x2x1x128", "1 4"))
section.add("padding by zero and by NaN", "padding_*", cover("load", "f32 f16"))
section.add("in functions, returned, in structs, carried by loops, made in loops", "use_*", cover("load", "f32"))
section.absent("descriptors made on the host", "the launcher makes tensor maps")
section.absent("num_ctas of 2", "clusters of two blocks are formed by the compiler: hopper.md")
section.add("matmul through descriptors, with stages, transposed operands", "product_* matmul_descriptor", cover("dot", "f16 bf16 f32 i8"))
section.add("the same by TMA and wgmma, in rings of 1 to 5 stages, sizes and strides that TMA does not take", "h_matmul_* h_matmul_descriptor", cover("dot", "f16 bf16 f32 i8"))
section.add("batched products, rank-reducing loads, reshape", "triton_batched_descriptors_*", cover("reshape", "f16", "1x32x32", "1 4"), cover("dot", "f16", "32x32", "1 4"))
section.add("store with a conversion", "triton_block_narrowed store_block_*", cover("store", "f16", "32x32", 4))
section.add("strides that are transposed, 0, negative, known at run time", "stride_*", cover("load", "f32"))
section.refuses("gather", "gather", DESCRIPTOR + "store(out + i, d.gather(arange<8>(), 0));", remark="limits.md")
section.refuses("scatter", "scatter", DESCRIPTOR + "d.scatter(zeros<float, 8, 16>(), arange<8>(), 0);", remark="limits.md")
for update in ("add", "min", "max", "and", "or", "xor"):
    section.refuses(f"reduce: {update}", f"atomic_{update}", DESCRIPTOR + f"d.atomic_{update}({{0, 0}}, zeros<float, 8, 16>());", remark=f"`atomic_{update}` of pointers")
