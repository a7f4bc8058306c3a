// Caching policies of loads from and stores to global memory.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif

namespace tile2cu {
inline namespace v1 {

// @helper cache
// How an access to global memory uses the caches. The last part of each name is PTX's.
enum class cache {
  // Loads of data that nothing writes while the kernel runs (ld.global.nc): they may pass stores.
  read_only,
  read_only_cg,               // in L2 only
  read_only_cs,               // likely used once
  read_only_no_allocate,      // leaves nothing in L1
  read_only_evict_first,      // first to leave L1
  read_only_evict_last,       // last to leave L1
  read_only_evict_unchanged,  // leaves L1 as early as before
  // Loads that stay in program order with stores.
  coherent,
  ca,  // in L1 and L2
  cv,  // fetched again at every load
  // Stores.
  write_back,
  wb,  // the default, stated explicitly
  wt,  // through L2 to memory
  // Loads that stay in program order with stores; also for stores.
  cg,               // in L2 only
  cs,               // likely used once
  no_allocate,      // leaves nothing in L1
  evict_first,      // first to leave
  evict_last,       // last to leave
  evict_unchanged,  // leaves as early as before
};

// @helper policy needs cache
// The caching policy C as a type, which chooses among overloads.
template <cache C>
struct policy {};

// @end

}  // namespace v1
}  // namespace tile2cu
