"""What Triton's tests leave out."""

from conformance.rows import Section, cover

section = Section("O")

section.add("tiles whose sizes are not powers of two: operators, reductions, scans", "size_80_* size_1000_* size_5000_* row_96_* row_1000_* cumsum_80_* cumsum_1000_*", cover("mul", "f32", "80 1000 5000"), cover("reduce.max", "f32", "96 1000"), cover("scan.sum", "f32", "80 1000"))
section.add("dots of sizes that no instruction divides, copied ahead in 1 to 5 stages", "matmul_*_stages_* tiles_*", cover("dot", "f16 f32 i8 f64"))
section.add("reduction of NaN alone, of elements that are all masked off", "nan_all nan_*_special", cover("reduce.argmax reduce.max reduce.min", "f32", "96"))
section.add("grids without programs, loops without steps, products of K = 0", "grid_empty_* empty_* stages_1_*", cover("grid", "i64"))
section.add("offsets beyond 2^31 elements, sizes and strides beyond 2^31", "stride_far_* stride_huge_*", cover("load", "f32"))
section.add("1, 2, 3, 4, 5, 8 and 12 warps for tiles that change their layout", "sum_both scan_two_axes crooked_*", cover("reduce.sum", "f32 i32"))
section.add("elements that stores of one tile share, pointers off by one element", "shared_* overlapping_* alias_*", cover("store", "f32"), remark="every case runs with pointers off by one element as well")
