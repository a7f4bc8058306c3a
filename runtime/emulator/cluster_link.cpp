#include "cluster_link.h"

#include <string>
#include <utility>

#include "builtins.h"

namespace emulate {

void ClusterLink::beginBlock(unsigned rank) {
  rank_ = rank;
  in_sync_ = 0;
  inbox_.clear();
}

// ---- from the other block

void ClusterLink::deliverAll() {
  context_.runOutsideFibers([&] {
    for (const Message& message : std::exchange(inbox_, {})) deliver(message);
  });
}

void ClusterLink::deliver(const Message& message) {
  const std::string what = message.is_load ? "a copy" : "an arrival";
  if (scheduler_.allEnded())
    context_.misuse(message.site, "sends " + what + " to a block that has ended");
  Mbarrier* const barrier = mbarriers_.ready(message.barrier);
  if (barrier == nullptr)
    context_.misuse(message.site, "sends " + what + " to a barrier that is not initialised");
  if (message.is_load)
    tma_.receiveLoad(message.load, message.clock, *barrier);
  else
    mbarriers_.arriveFromPartner(*barrier, message.clock, message.site);
}

// ---- to the other block

void ClusterLink::checkSize(int blocks, const void* pc) {
  if (unsigned(blocks) == context_.clusterBlocks()) return;
  context_.misuse(context_.site(pc), "is of a kernel for clusters of " + std::to_string(blocks) +
                                         ", launched with " +
                                         std::to_string(context_.clusterBlocks()));
}

void ClusterLink::sync(const void* pc) {
  if (context_.clusterBlocks() == 1) return barriers_.sync(pc);
  const unsigned threads = context_.threads();
  if (++in_sync_ < threads || partner_->in_sync_ < threads) {
    scheduler_.suspend("cluster_sync", context_.site(pc));
    return;
  }
  leaveSync();
  partner_->leaveSync();
}

void ClusterLink::leaveSync() {
  in_sync_ = 0;
  memory_.clocks().blockBarrier();
  scheduler_.resumeAll();
}

void ClusterLink::arriveAt(void* p, int rank, const void* pc) {
  if (unsigned(rank) == rank_) return mbarriers_.arrive(p, 0, pc);
  if (rank < 0 || unsigned(rank) >= context_.clusterBlocks()) {
    context_.misuse(context_.site(pc), "comes to a barrier of block " + std::to_string(rank) +
                                           " of a cluster of " +
                                           std::to_string(context_.clusterBlocks()));
  }
  memory_.requireShared(p, pc);
  Message message;
  message.barrier = sharedOffset(p);
  message.site = context_.site(pc);
  memory_.clocks().release(context_.thread(), message.clock);
  partner_->inbox_.push_back(std::move(message));
}

void ClusterLink::startMulticastLoad(int blocks, void* box, const CUtensorMap& map, void* full,
                                     std::initializer_list<int> corner, const void* pc) {
  checkSize(blocks, pc);
  if (context_.clusterBlocks() > 1) {
    Message message;
    message.is_load = true;
    message.barrier = sharedOffset(full);
    message.site = context_.site(pc);
    message.load = tma_.loadForPartner(box, map, corner, message.site);
    message.clock = mbarriers_.knownOfPartner(context_.thread());
    partner_->inbox_.push_back(std::move(message));
  }
  tma_.startLoad(box, map, full, corner, pc);
}

}  // namespace emulate
