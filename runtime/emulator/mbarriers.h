// The mbarrier objects of a block (PTX ISA, "mbarrier"): phases, arrivals, and transactions, which
// are bytes that TMA loads still have to write.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "fiber.h"
#include "machine_context.h"
#include "memory_checker.h"
#include "scheduler.h"
#include "thread_clocks.h"

namespace emulate {

// A unit that completes transactions of an mbarrier (complete_tx): the TMA unit.
class TransactionSource {
 public:
  struct Completed {
    std::uint32_t bytes;
    ThreadClocks::Clock clock;
  };
  virtual Completed complete(unsigned transaction) = 0;

 protected:
  ~TransactionSource() = default;
};

struct Mbarrier : Waitable {
  struct Transaction {
    TransactionSource* source;
    unsigned id;
  };
  std::uint32_t offset = 0;  // in shared memory
  int arrivals = 0;          // that each phase expects
  int pending = 0;           // arrivals that the current phase still lacks
  std::int64_t bytes = 0;    // expected by the current phase, less those that have been written
  unsigned phase = 0;        // the parity of the current phase
  unsigned thread = 0;       // that has initialized it
  bool fenced = false;       // since then
  ThreadClocks::Clock collecting, complete;
  // The same of the cluster's other block.
  ThreadClocks::Clock partner_collecting, partner_complete;
  std::vector<unsigned> waiters;
  std::vector<Transaction> transactions;  // in flight

  std::string describe() const override;
};

class Mbarriers {
 public:
  Mbarriers(MachineContext& context, Scheduler& scheduler, MemoryChecker& memory)
      : context_(context), scheduler_(scheduler), memory_(memory) {}

  void beginBlock();
  void init(void* p, int arrivals, const void* pc);  // mbarrier.init
  void fenceInit();                                  // fence.mbarrier_init
  // mbarrier.arrive.expect_tx: one arrival, and `bytes` that the phase expects.
  void arrive(void* p, int bytes, const void* pc);
  // mbarrier.try_wait.parity, until the phase of that parity is complete.
  void wait(void* p, int phase, const void* pc);

  // ---- for TMA
  // The barrier at `p`, which is used now.
  Mbarrier& at(void* p, const void* pc);
  // A transaction has begun. It completes at once or when a thread waits for the phase.
  void begin(Mbarrier& barrier, Mbarrier::Transaction transaction, Site here);

  // ---- for the other block of the cluster
  // The barrier at an offset in shared memory, or null if it is not initialized and fenced.
  Mbarrier* ready(std::uint32_t offset);
  void arriveFromPartner(Mbarrier& barrier, const ThreadClocks::Clock& clock, Site here);
  // The clock of the other block as a thread knows it from its waits.
  const ThreadClocks::Clock& knownOfPartner(unsigned thread) const {
    return partner_clocks_[thread];
  }

 private:
  void completeTransaction(Mbarrier& barrier, Mbarrier::Transaction transaction);
  void completePhase(Mbarrier& barrier, bool wanted, Site here);

  MachineContext& context_;
  Scheduler& scheduler_;
  MemoryChecker& memory_;
  std::unordered_map<std::uint32_t, Mbarrier> barriers_;  // [offset]
  std::vector<ThreadClocks::Clock> partner_clocks_;       // [thread]
};

}  // namespace emulate
