"""Memory."""

from conformance.rows import Section, cover

section = Section("C")
TYPES = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64"

section.add("pointer + offset and offset + pointer, offsets of 8 integer types", "triton_offset_* form_*", cover("addptr", "i8 i16 i32 i64 u8 u16 u32 u64", "127", "1 4"))
section.add("pointers to pointers as arguments", "pointers_[a-z]*", cover("as_pointer", "f32"), cover("load", "f32", "256", "1 4"))
section.add("integer arguments at 0, 1, 2^31, 2^32, 2^63 and next to them", "triton_argument_* ends_*", cover("store", "i32 u32 i64 u64", "128", 4))
section.absent("a function per value of an argument (16-divisible, 1)", "nothing is compiled at run time: the launcher chooses among variants, which `strides_*` and `required_*` test")
section.add("strides that are 0 or arguments", "triton_stride* strides_*", cover("load", "f32", "128 16x32", "1 4"))
section.add("arguments that point into one buffer", "alias_*", cover("store", "f32"))
section.add("indirect loads and stores", "triton_indirect_* indirect", cover("load", "i32 i64 f32", "128", "1 4"))
section.add("load and store through one pointer", "triton_in_place_* in_place*", cover("store", "f32 f16 i8", "128", "1 4"))
section.add("stores of constants, 13 types", "triton_constant_*", cover("store", TYPES, "128", 4))
section.add("masked loads of 128 and 512 elements, the last 0 to 4 missing, other none, 0 or 1, 13 types", "triton_masked_128_* triton_masked_512_* masked_*", cover("load", TYPES, "128 512", "1 4"), remark="without `other` the value is 0")
section.add("mask of a scalar", "triton_masked_by_scalar scalar_access", cover("load", "f32", "128", "1 4"))
section.add("masked loads that feed a dot through shared memory", "triton_masked_dot_* mask_*", cover("dot", "f16", "32x32", "1 4"))
section.add("cache modifiers and eviction priorities", "cached hinted_* volatile*", cover("load store", "f32"), tests=("test/emit/hints_and_no_steps.cpp: evict::first",))
section.add("width of vectors; hints of divisibility and contiguity; assume", "promised* required", cover("load", "f32"), tests=("test/emit/accesses.cpp: tile2cu::vec<float, VEC>", "test/emit/promised_strides.cpp: RUN"))
