"""Control flow and the front end."""

from conformance.rows import Section, cover

section = Section("I")

section.add("if, else if, else; early return", "triton_branches if_* early_*", cover("store", "f32", "32", "1 4"))
section.add("if with calls", "helper_* early_in_a_loop", cover("load", "f32"))
section.add("nested loops, while, do", "triton_nested_loops triton_while loop_nested do_while left_while*", cover("store", "i32", "32 scalar", "1 4"))
section.add("loop variables in use, negative steps", "triton_nested_loops loop_down range_down loop_step", cover("store", "i32", "32", "1 4"))
section.add("loop variables of every type, bounds of other types", "for_* range_*", cover("store", "f32"))
section.add("tiles, scalars and pointers that loops carry", "loop_swap exchanged_* pointer_carried body_carried_* starts_*", cover("store", "f32"))
section.add("static_range, static_for", "range_static for_static", cover("store", "f32"))
section.add("options of range: num_stages, unroll, flatten", "loop_range* range_unroll items_range_*", cover("store", "f16 f32"), remark="`flatten` also where inner bounds depend on the outer loop: items_*")
section.refuses("disable_licm", "no matching function for call to 'range'", "for (int k : range(0, n, 1, {.disable_licm = true})) store(out + i, load(in + i + k));")
section.refuses("disallow_acc_multi_buffer", "no matching function for call to 'range'", "for (int k : range(0, n, 1, {.disallow_acc_multi_buffer = true})) store(out + i, load(in + i + k));")
section.add("if constexpr, functions as arguments, tuples as results", "triton_functions helper_* functors_*", cover("store", "f32", "128", "1 4"))
section.add("functions that return tiles, structs and arrays with tiles", "helper_* objects_* arrays_of_zeros elements_*", cover("store", "f32"))
section.absent("noinline functions", "functions are inlined, except for long code after a loop (order.py)")
section.add("&& and || on scalars evaluate their right side only if needed", "short_circuit bound_*", cover("store", "i32"))
section.add("variables that are defined in loops and branches", "left_* order_*", cover("store", "f32"))
section.add("program ids, grids of 1 to 3 dimensions, persistent loops", "program_ids* grids_* persistent*", cover("grid", "i64"))
