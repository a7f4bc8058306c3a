// The link between the two blocks of a cluster (CUDA C++ Programming Guide, "Thread Block
// Clusters"; PTX ISA, "barrier.cluster", remote "mbarrier.arrive", and "cp.async.bulk.tensor" with
// .multicast::cluster).
//
// The blocks take turns: one runs until none of its threads can continue. Its messages to the other
// block are delivered when that block's turn begins.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cta_barriers.h"
#include "machine_context.h"
#include "mbarriers.h"
#include "memory_checker.h"
#include "scheduler.h"
#include "thread_clocks.h"
#include "tma_unit.h"

namespace emulate {

class ClusterLink {
 public:
  // `barriers`, `mbarriers` and `tma` are those of the same block: a cluster of one block uses only
  // them.
  ClusterLink(MachineContext& context, Scheduler& scheduler, MemoryChecker& memory,
              CtaBarriers& barriers, Mbarriers& mbarriers, TmaUnit& tma)
      : context_(context),
        scheduler_(scheduler),
        memory_(memory),
        barriers_(barriers),
        mbarriers_(mbarriers),
        tma_(tma) {}
  void setPartner(ClusterLink& partner) { partner_ = &partner; }

  void beginBlock(unsigned rank);
  bool hasMail() const { return !inbox_.empty(); }
  // Delivers what the other block has sent, while no fiber runs.
  void deliverAll();

  // ---- instructions of the running thread
  unsigned rank() const { return rank_; }
  // Stops unless the launch has clusters of so many blocks, for which the kernel is written.
  void checkSize(int blocks, const void* pc);
  void sync(const void* pc);                         // barrier.cluster
  void arriveAt(void* p, int rank, const void* pc);  // at a barrier of either block
  void startMulticastLoad(int blocks, void* box, const CUtensorMap& map, void* full,
                          std::initializer_list<int> corner, const void* pc);

 private:
  struct Message {
    bool is_load = false;       // else an arrival
    std::uint32_t barrier = 0;  // its offset in shared memory
    BoxCopy load;
    Site site;
    // For an arrival, the clock of the sender; for a load, what the sender knew of the receiver.
    ThreadClocks::Clock clock;
  };
  void deliver(const Message& message);
  void leaveSync();

  MachineContext& context_;
  Scheduler& scheduler_;
  MemoryChecker& memory_;
  CtaBarriers& barriers_;
  Mbarriers& mbarriers_;
  TmaUnit& tma_;
  ClusterLink* partner_ = nullptr;
  unsigned rank_ = 0;
  unsigned in_sync_ = 0;  // threads of this block that wait in sync()
  std::vector<Message> inbox_;
};

}  // namespace emulate
