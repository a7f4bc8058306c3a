"""Miscellaneous."""

from conformance.rows import Section, cover

section = Section("N")

section.add("inline assembly: of one, several and packed operands, in functions", "cuda_text_*", cover("device_call", "f32 i32"))
section.refuses("inline assembly with pointers", "pointer", 'cuda("asm volatile(\\"\\" :: \\"l\\"(p));", [](float* p) { return 0; }, out + i);', remark="limits.md: statements that access memory")
section.add("map_elementwise, of several operands, with branches", "map_* early_map*", cover("store", "f32"))
section.add("map of a __device__ function", "device_*", cover("device_call", "f32"))
section.add("device_print, of scalars and tiles: the lines that the CPU prints", jobs=("prints",))
section.add("device_assert, of scalars and tiles, with masks", "assert_*", cover("device_assert", "bool"))
section.add("Philox against a generator in Python: 10, 212 and 400 numbers, seeds 0, 42, 124, 54, 2^32 - 1, 0xfcafeb0ba, offsets of 32 and 64 bits", "triton_philox_*", cover("random_bits", "i32 i64", "16 256 512", "1 4"))
section.add("rand is at least 0 and below 1, also at the extreme bits; uniform and normal", "triton_uniform_* random_*", cover("random_bits", "u32", "1024", 4))
section.rejects("a seed that is no integer", "no matching function for call to 'rand'", "store(out + i, rand(1.5f, i));")
section.add("num_programs, program_id", "program_ids*", cover("grid", "i64"))
section.refuses("globaltimer", "globaltimer", "store(out + i, globaltimer());")
section.refuses("smid", "smid", "store(out + i, smid());")
section.add("maxnreg: min_blocks, resident_threads", "", tests=("test/passes/launch/choose_residency.t2ir: RUN", "test/passes/launch/check_occupancy.t2ir: RUN"))
section.add("contraction to fma, flushing of subnormal numbers and exact division in PTX", "precise_* rounded_r*", cover("mul_rounded", "f32"), tests=("test/emit/precise_ptx.cpp: RUN",))
section.add("autotuner: choice, preserved buffers, failed candidates, its file, threads and processes", "", jobs=("tune",))
section.add("kernels that use other launchers' names, options, cache files", "", tests=("test/errors/tune.cpp: RUN", "test/errors/cache_options.cpp: RUN"))
section.absent("cache invalidation, launch hooks and metadata", "nothing is compiled at run time")
