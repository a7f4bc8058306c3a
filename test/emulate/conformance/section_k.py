"""Software pipelining."""

from conformance.rows import Section, cover

section = Section("K")

section.add("matmul with and without a scale for each step, trip counts 0 to 3 and 7 at 1 to 5 stages", "triton_product_in_loop_*", cover("dot", "f16", "32x16 16x32", 4))
section.add("trip counts 0 to 7 x 1 to 5 stages, f16, f32, int8", "stages_*", cover("dot", "f16 f32 i8"))
section.add("a + b in a loop with 1 to 5 stages, trip counts 0 to 10", "triton_added_in_loop_*", cover("add", "f32", "64", "1 4"))
section.add("rows found through indices, blocks (128, 128, 128), (128, 128, 64), (128, 64, 128), 1 to 5 stages", "triton_indirect_product_* indices_pages_*", cover("dot", "f16", "128x128 128x64", 4), remark="the stages that the shared memory of a multiprocessor has room for")
section.add("stores to rows that indices name, and under a condition, at 1, 3 and 5 stages", "triton_stores_in_loop_* indices_scatter_*", cover("store", "f32", "64", "1 4"))
section.add("TMA loads in 1 to 5 stages, of any size", "h_matmul_stages_* h_matmul_[0-9]*", cover("dot", "f16"))
section.add("attention: two dots in a loop", "attention_* hp_attention_*", cover("dot", "f16"))
