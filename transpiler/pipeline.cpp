#include "transpiler/pipeline.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::transpiler {

// The order of the passes, one a line. A comment explains why the pass below it is in this place.
static constexpr PassFunction kTilePasses[] = {
    // substitute_constants comes first: a step that is promised to be 1 has a known sign, and
    // make_persistent puts promises into a loop, where they no longer hold everywhere.
    passes::substitute_constants,
    // Every other pass needs loops whose steps have a known sign, which check_steps checks.
    passes::check_steps,
    // make_persistent adds a loop around the program, which all later passes must see.
    passes::make_persistent,
    // inline_maps turns functions of elements into plain operations. The passes below it know those
    // alone, so that none has to look into a function.
    passes::inline_maps,
    // insert_checks (with --checks) needs functions of elements inlined, and comes after the passes
    // that rely on promises for a loop to be right at all. It leaves no promise to those below.
    passes::insert_checks,
    // specialize_strides comes before all passes that simplify addresses: a stride of 1 leaves more
    // of them to do.
    passes::specialize_strides,
    // canonicalize and cse_dce leave one form of each expression, which the next passes look for.
    passes::canonicalize,
    passes::cse_dce,
    // check_offsets needs minima, which canonicalize makes of comparisons: they bound a factor. It
    // comes before the passes that rewrite the source's products.
    passes::check_offsets,
    // modulo_to_mask and skip_masks need addresses and masks that are still linear in the
    // coordinates; split_uniform_offsets rewrites them.
    passes::modulo_to_mask,
    passes::skip_masks,
    passes::split_uniform_offsets,
    // scalarize_carried_tiles needs the uniform part of an address at its root, where
    // split_uniform_offsets has put it.
    passes::scalarize_carried_tiles,
    // simplify_math adds scalars (reciprocals) that the passes below share and hoist.
    passes::simplify_math,
    // These passes fold, share and hoist the uniform values that the passes above have made.
    passes::canonicalize,
    passes::cse_dce,
    passes::hoist_invariants,
    passes::cse_dce,
    // check_tuning needs each access as one operation on the user's pointer.
    passes::check_tuning,
    // canonicalize has removed requirements that always hold, so that a candidate without any is
    // one that takes all arguments.
    passes::drop_unreachable_candidates,
    // make_variants comes before assign_layouts: each variant gets layouts of its own.
    passes::make_variants,
    // mark_read_only and name_loads need loads whose addresses lead to a parameter. promote_to_tma
    // and issue_loads_early ask for the mark.
    passes::mark_read_only,
    passes::name_loads,
    // promote_to_tma relies on the alignment that the launcher checks for a variant. It comes
    // before assign_layouts, which chooses layouts that suit TMA copies.
    passes::promote_to_tma,
    // issue_loads_early moves loads before the TMA loads of their iteration, which promote_to_tma
    // has made.
    passes::issue_loads_early,
    // pack_programs looks at the largest tile, so it comes after the passes that drop tiles.
    passes::pack_programs,
    passes::assign_layouts,
};

// The tiles have layouts.
static constexpr PassFunction kPlacedPasses[] = {
    // drop_unused_variants needs to know which instruction computes each dot; assign_layouts has
    // chosen it.
    passes::drop_unused_variants,
    // lower_reductions comes before lower_layout_conversions: a conversion of the result of a
    // reduction becomes a part of the reduction.
    passes::lower_reductions,
    // localize_reductions moves reduce_across out of loops. lower_reductions has made it, and
    // lower_layout_conversions would unite it with what follows.
    passes::localize_reductions,
    // stage_operands reads a transposed operand with exchanged strides. lower_layout_conversions
    // would move its elements.
    passes::stage_operands,
    passes::lower_layout_conversions,
    // lower_tma_stores adds buffers. specialize_warps counts them where it adds stages.
    passes::lower_tma_stores,
    // vectorize_accesses adds masks of padding. Reductions and conversions have added theirs.
    passes::vectorize_accesses,
    // guard_padding comes after the passes that make padding, and before those that copy code.
    passes::guard_padding,
    // specialize_warps comes before pipeline_copies: a load that TMA brings needs no other
    // pipeline.
    passes::specialize_warps,
    // The schedules of wgmmas, the most special one first: each leaves alone the dots that an
    // earlier one has made asynchronous. All need the rings of specialize_warps.
    passes::rotate_dots,
    passes::overlap_dots,
    passes::defer_dot_waits,
    // pipeline_copies needs the widths of accesses: they decide which loads can be asynchronous
    // copies.
    passes::pipeline_copies,
    // prefetch_next_item moves the copies that pipeline_copies has made for a loop's first stages.
    passes::prefetch_next_item,
    // count_pending comes after every pass that starts dots or copies, or waits for them.
    passes::count_pending,
    // skip_updates comes after every pass that places a dot_wait, because it moves updates of
    // accumulators into branches. form_loop_nests comes next, so that loop nests form inside
    // those branches.
    passes::skip_updates,
    passes::form_loop_nests,
};

// The code of one thread.
static constexpr PassFunction kThreadPasses[] = {
    // infer_atomic_order needs the final accesses; insert_barriers needs its orders.
    passes::infer_atomic_order,
    // form_clusters needs the final places of copies and waits.
    passes::form_clusters,
    // check_occupancy needs to know which kernels have a producer warpgroup.
    passes::check_occupancy,
    // allocate_shared and insert_barriers look at whole loop nests: their lifetimes, and the
    // accesses that overlap.
    passes::allocate_shared,
    passes::insert_barriers,
    // carry_thread_pointers looks at the layouts of loop nests. It comes after insert_barriers,
    // which takes scalars to be equal in all threads.
    passes::carry_thread_pointers,
    // drop_equal_variants comes after every other pass that changes code, except narrow_integers:
    // what was equal could differ.
    passes::drop_equal_variants,
    // choose_residency needs the final loop nests, and the sizes of shared buffers.
    passes::choose_residency,
    // narrow_integers comes last: the other passes look for 64-bit program ids and offsets.
    passes::narrow_integers,
};

llvm::ArrayRef<PassFunction> pipeline() {
  static const auto passes =
      llvm::to_vector(llvm::concat<const PassFunction>(kTilePasses, kPlacedPasses, kThreadPasses));
  return passes;
}

}  // namespace tile2cu::transpiler
