#include "transpiler/pipeline.h"

namespace tile2cu::transpiler {

// One pass a line; a comment says why it stands where it does.
llvm::ArrayRef<PassFunction> pipeline() {
  static const std::initializer_list<PassFunction> passes = {
      // First: it completes what the loops of ranges mean.
      passes::check_steps,
      // Everything below sees the loop.
      passes::make_persistent,
      passes::inline_maps,
      passes::canonicalize,
      passes::cse_dce,
      // While coordinates are sums.
      passes::modulo_to_mask,
      passes::skip_masks,
      passes::split_uniform_offsets,
      // Addresses have their uniform part at their root now.
      passes::scalarize_carried_tiles,
      passes::simplify_math,
      // What the two made of uniform values is folded, shared, and moved out of loops.
      passes::canonicalize,
      passes::cse_dce,
      passes::hoist_invariants,
      passes::cse_dce,
      // While each access is still one operation on the user's pointer.
      passes::check_tuning,
      // Requirements that always hold are gone.
      passes::drop_unreachable_candidates,
      // What the launcher checks is found on whole tiles, before layouts: each variant then gets its own.
      passes::make_variants,
      passes::mark_read_only,
      passes::name_loads,
      // In the variant that may rely on alignment; before layouts, which suit what copies bring.
      passes::promote_to_tma,
      passes::issue_loads_early,
      passes::pack_programs,
      passes::assign_layouts,
      // It is known now how products are done.
      passes::drop_unused_variants,
      // Before lower_layout_conversions: a conversion of a reduction's result folds into it.
      passes::lower_reductions,
      passes::localize_reductions,
      passes::stage_operands,
      passes::lower_layout_conversions,
      passes::lower_tma_stores,
      // Masks of padding come in here, so that movement and reductions have added theirs.
      passes::vectorize_accesses,
      // What bulk copies bring has no other pipeline.
      passes::specialize_warps,
      passes::rotate_dots,
      passes::overlap_dots,
      passes::defer_dot_waits,
      // Widths decide which loads can be asynchronous copies.
      passes::pipeline_copies,
      passes::prefetch_next_item,
      // Behind the last wait for sums that an update changes; nests then form within branches.
      passes::skip_updates,
      passes::form_loop_nests,
      passes::infer_atomic_order,
      // Where copies and waits stand is final.
      passes::form_clusters,
      // It is known now which kernels have a producer.
      passes::check_occupancy,
      // Lifetimes and hazards are those of whole nests.
      passes::allocate_shared,
      passes::insert_barriers,
  };
  return passes;
}

}  // namespace tile2cu::transpiler
