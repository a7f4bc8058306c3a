#include "transpiler/pipeline.h"

namespace tile2cu::transpiler {

// One pass a line; a comment says why it stands where it does.
llvm::ArrayRef<PassFunction> pipeline() {
  static const std::initializer_list<PassFunction> passes = {
      // First: it completes what the loops of ranges mean.
      passes::check_steps,
      // Everything below sees the loop.
      passes::persist_programs,
      passes::inline_maps,
      passes::canonicalize,
      passes::cse_dce,
      // While coordinates are sums.
      passes::drop_wraps,
      passes::guard_masks,
      passes::split_indices,
      // Addresses have their uniform part at their root now.
      passes::carry_bases,
      passes::simplify_math,
      // What the two made of uniform values is folded, shared, and moved out of loops.
      passes::canonicalize,
      passes::cse_dce,
      passes::hoist_invariants,
      passes::cse_dce,
      // While each access is still one operation on the user's pointer.
      passes::check_tuning,
      // Requirements that always hold are gone.
      passes::drop_candidates,
      // What the launcher checks is found on whole tiles, before layouts: each variant then gets its own.
      passes::specialize,
      passes::mark_read_only,
      // In the variant that may rely on alignment; before layouts, which suit what copies bring.
      passes::promote_tensors,
      passes::advance_loads,
      passes::pack_programs,
      passes::assign_layouts,
      // It is known now how products are done.
      passes::drop_hopper_variants,
      // Before lower_movement: a conversion of a reduction's result folds into it.
      passes::lower_reductions,
      passes::localize_reductions,
      passes::lower_dots,
      passes::lower_movement,
      passes::store_tensors,
      // Masks of padding come in here, so that movement and reductions have added theirs.
      passes::vectorize_access,
      // What bulk copies bring has no other pipeline.
      passes::ring_copies,
      passes::rotate_loops,
      passes::overlap_products,
      passes::defer_waits,
      // Widths decide which loads can be asynchronous copies.
      passes::pipeline_loops,
      passes::flatten_loops,
      // Behind the last wait for sums that an update changes; nests then form within branches.
      passes::guard_updates,
      passes::form_nests,
      passes::order_atomics,
      // Where copies and waits stand is final.
      passes::pair_blocks,
      // It is known now which kernels have a producer.
      passes::check_registers,
      // Lifetimes and hazards are those of whole nests.
      passes::allocate_shared,
      passes::insert_barriers,
  };
  return passes;
}

}  // namespace tile2cu::transpiler
