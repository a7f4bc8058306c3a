#include "warp_collectives.h"

#include <algorithm>
#include <cstring>

#include "findings.h"

namespace emulate {

void WarpCollectives::beginBlock() {
  warps_.resize((context_.threads() + 31) / 32);
  for (unsigned w = 0; w < warps_.size(); ++w) {
    const unsigned lanes = std::min(32u, context_.threads() - w * 32);
    warps_[w].lanes = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    warps_[w].whole.mask = warps_[w].lanes;
    warps_[w].whole.arrived = 0;
    warps_[w].parts.clear();
  }
}

WarpCollectives::Group& WarpCollectives::groupOf(Warp& warp, unsigned mask) {
  if (mask == warp.lanes) return warp.whole;
  for (auto& part : warp.parts) {
    if (part->mask == mask) return *part;
  }
  warp.parts.push_back(std::make_unique<Group>());
  warp.parts.back()->mask = mask;
  return *warp.parts.back();
}

static const char* name(collective kind) {
  switch (kind) {
    case collective::shuffle:
      return "__shfl_sync";
    case collective::shuffle_up:
      return "__shfl_up_sync";
    case collective::shuffle_down:
      return "__shfl_down_sync";
    case collective::shuffle_xor:
      return "__shfl_xor_sync";
    case collective::vote:
      return "a vote";
    case collective::reduce:
      return "__reduce_sync";
    case collective::sync:
      return "__syncwarp";
    case collective::instruction:
      break;
  }
  return "";
}

// Waits until all lanes of the group have arrived; the last one calls `last` with what they passed.
template <class Last>
void WarpCollectives::arrive(Group& group, std::uint64_t mine, const char* waits_in, Site here,
                             Last last) {
  const unsigned first_lane = context_.thread() / 32 * 32;
  const unsigned lane = context_.thread() - first_lane;
  group.slots[group.parity][lane] = mine;
  group.arrived |= 1u << lane;
  if (group.arrived != group.mask) {
    scheduler_.suspend(waits_in, here);
    return;
  }
  last(group.slots[group.parity]);
  group.arrived = 0;
  group.parity ^= 1;
  for (unsigned l = 0; l < 32; ++l) {
    if (group.mask >> l & 1) scheduler_.resume(first_lane + l);
  }
}

const std::uint64_t* WarpCollectives::exchange(collective kind, unsigned mask, std::uint64_t mine,
                                               const void* pc) {
  const Site here = context_.site(pc);
  const unsigned number = context_.thread() / 32, lane = context_.thread() % 32;
  Warp& warp = warps_[number];
  mask &= warp.lanes;
  if (!(mask >> lane & 1)) {
    context_.fail(report::kind::divergence, here,
                  context_.threadText() + " calls " + name(kind) + " with a mask without its lane");
  }
  Group& group = groupOf(warp, mask);
  // A lane that calls another collective is never resumed, which is reported as a deadlock.
  if (group.arrived != 0 && group.kind != kind) scheduler_.suspend(name(kind), here);
  group.kind = kind;
  const unsigned parity = group.parity;
  arrive(group, mine, name(kind), here, [&](const std::uint64_t*) {
    if (kind == collective::sync) clocks_.warpBarrier(number, mask);
  });
  return group.slots[parity];
}

void WarpCollectives::execute(const char* instruction, void* mine, void (*run)(void* const* lanes),
                              const void* pc) {
  const Site here = context_.site(pc);
  Warp& warp = warps_[context_.thread() / 32];
  if (warp.lanes != 0xffffffffu) {
    context_.fail(report::kind::divergence, here,
                  context_.threadText() + " calls " + instruction +
                      ", which takes 32 lanes; its warp has fewer");
  }
  Group& group = warp.whole;
  if (group.arrived == 0) {
    group.kind = collective::instruction;
    group.instruction = instruction;
    group.first = here;
  } else if (group.kind != collective::instruction ||
             std::strcmp(group.instruction, instruction) != 0) {
    scheduler_.suspend(instruction, here);  // never resumed: a deadlock
  } else if (inDifferentLines(group.first, here) &&
             !isKnown(report::kind::divergence, here, group.first)) {
    addFinding(report::kind::divergence, {here, group.first},
               context_.threadText() + " calls this " + instruction +
                   " while other lanes of its warp call that of {1}");
  }
  arrive(group, reinterpret_cast<std::uint64_t>(mine), instruction, here,
         [&](const std::uint64_t* all) {
           void* lanes[32];
           for (int l = 0; l < 32; ++l) lanes[l] = reinterpret_cast<void*>(all[l]);
           run(lanes);
         });
}

}  // namespace emulate
