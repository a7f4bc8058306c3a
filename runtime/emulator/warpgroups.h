// The warpgroups of a block and their wgmmas in flight (PTX ISA, "wgmma.mma_async", "wgmma.fence",
// "wgmma.commit_group", "wgmma.wait_group").
//
// All 128 threads of a warpgroup execute each of these instructions together; the last one to
// arrive does it. A wgmma is computed when it is waited for, or at once (MachineContext::late).
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "machine_context.h"
#include "memory_checker.h"
#include "scheduler.h"
#include "wgmma_math.h"

namespace emulate {

// The operands that one thread passes to a wgmma.
struct WgmmaLane {
  const wgmma_instruction* what;
  void* acc;
  const std::uint32_t* registers;  // of A; null if A is in shared memory
  std::uint32_t a, b;
  bool accumulate;
};

class Warpgroups {
 public:
  Warpgroups(MachineContext& context, Scheduler& scheduler, MemoryChecker& memory)
      : context_(context), scheduler_(scheduler), memory_(memory) {}

  void beginBlock();
  void endBlock();  // reports wgmmas that no thread has waited for

  void start(WgmmaLane& mine, const void* pc);  // wgmma.mma_async
  void fence(const void* pc);
  void commit(const void* pc);
  // Waits until at most `pending` committed groups are not complete.
  void wait(unsigned pending, const void* pc);
  // The lower word of the matrix descriptor of an operand at `first`.
  std::uint32_t describeOperand(const void* first, int panel_bytes, const void* pc);

 private:
  struct Warpgroup {
    // The threads that have arrived at an instruction.
    unsigned arrived = 0;
    const char* instruction = "";
    Site first;
    void* lanes[WARPGROUP] = {};

    unsigned number = 0;
    bool fenced = false;                        // by a wgmma_fence
    std::deque<std::shared_ptr<Wgmma>> wgmmas;  // in flight, oldest first
    std::deque<unsigned> groups;                // of committed groups: wgmmas
    unsigned open = 0;                          // wgmmas since the last commit
    std::map<void*, Accumulator> accumulators;  // [of the first thread]
    const WgmmaLane& lane(unsigned thread) const {
      return *static_cast<const WgmmaLane*>(lanes[thread]);
    }
  };

  template <class Last>
  void execute(const char* instruction, void* mine, const void* pc, Last last);
  void startTogether(Warpgroup& group, Site here);
  std::shared_ptr<Wgmma> gather(const Warpgroup& group, Site here);
  void checkFence(Warpgroup& group, const char* name, Site here);
  void beginReads(Wgmma& wgmma, unsigned number);
  void beginOperandReads(Wgmma& wgmma, unsigned number, bool is_a);
  void acquireAccumulator(Warpgroup& group, const Wgmma& wgmma);
  static void compute(Warpgroup& group, Wgmma& wgmma);
  static void releaseAccumulator(Warpgroup& group, void* acc);

  MachineContext& context_;
  Scheduler& scheduler_;
  MemoryChecker& memory_;
  std::vector<Warpgroup> warpgroups_;
};

}  // namespace emulate
