"""Whole kernels."""

from conformance.rows import Section, cover

section = Section("M")

section.add("matmul, mma.sync: f16, bf16, f32 as tf32, int8, f64, output types, blocks, 1 to 5 stages, 1 to 8 warps", "matmul_* stages_* order_* tiles_*", cover("dot", "f16 bf16 f32 i8 f64"))
section.add("matmul, wgmma: f16, bf16, tf32, int8, e4m3, f64, blocks of 64 x 8 to 128 x 256, 1 to 5 stages, 4 to 16 warps", "h_matmul_*", cover("dot", "f16 bf16 f32 i8 f8e4m3 f64"))
section.add("matmul, persistent", "persistent_product items_*", cover("dot", "f16"))
section.absent("num_ctas of 2", "clusters of two blocks are formed by the compiler: hopper.md")
section.add("matmul with a producer warp, also persistent, blocks of 64 to 128, 2 to 5 stages", "h_matmul_stages_* split_k h_split_k", cover("dot", "f16"))
section.add("attention forward, also persistent, heads of 64 and 128", "flash_attention h_flash_attention attention_* items_attention_*", cover("dot", "f16"))
section.add("attention of one query: split over the keys", "flash_decode_* h_flash_decode_*", cover("dot", "f16"))
section.add("attention backward", "back_*", cover("dot", "f16"))
section.add("grouped GEMM", "grouped_gemm_* h_grouped_gemm_*", cover("dot", "f16"))
section.add("batched, int8 and biased matmul with gelu", "batched_matmul h_batched_matmul int8_matmul h_int8_matmul matmul_bias_gelu h_matmul_bias_gelu", cover("dot", "f16 i8"))
section.add("softmax, layer norm, RMS norm, cross entropy, dropout, rope, swiglu, gelu, sums, cumsum", "softmax softmax_online layer_norm rms_norm cross_entropy residual_layernorm_dropout rope swiglu gelu column_sum cumsum vector_add", cover("load", "f32 f16"))
