// The emulated multiprocessor: one block at a time, one fiber per thread.
#pragma once
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "async_copies.h"
#include "async_proxy.h"
#include "builtins.h"
#include "cluster.h"
#include "context.h"
#include "mbarriers.h"
#include "shadow.h"
#include "site.h"
#include "thread_set.h"
#include "tile2cu/emulator/intrinsics.h"
#include "tile2cu/emulator/launch.h"
#include "tile2cu/emulator/options.h"
#include "tma.h"
#include "warpgroup.h"

namespace emulate {

inline constexpr unsigned MAX_THREADS = ThreadSet::SIZE;

struct Fiber {
  context where;
  const char* waits_in = nullptr;  // "__syncthreads"; null while it can run
  Site waits_at;
  const Mbarrier* waits_for = nullptr;  // in barrier_wait
  bool ended = false;
  int depth = 0;            // of `callers`; deeper calls are counted, not kept
  const void* callers[48];  // return addresses of the instrumented functions that it is in
};

// The lanes of one mask on their way through a collective.
struct Group {
  unsigned mask = 0;
  collective kind = collective::sync;
  const char* instruction = "";  // of collective::instruction
  Site first;                    // where its first lane is
  unsigned arrived = 0;
  unsigned parity =
      0;  // two sets of slots: a fast lane may bring its next value before a slow one has read
  std::uint64_t slots[2][32];
};

struct Warp {
  unsigned lanes = 0;  // those that exist
  Group whole;
  std::vector<std::unique_ptr<Group>> parts;  // of smaller masks
};

class Machine {
 public:
  // The machine of this host thread while it runs a launch, else null.
  static thread_local Machine* active;

  cudaError_t run(const launch_shape& shape, void (*body)(void*), void* context);

  // Whether the kernel's own code runs, not ours: functions of the standard library that both use
  // may be the kernel's instrumented copies.
  bool inKernel() const { return in_kernel_; }

  // ---- of the running fiber
  unsigned thread() const { return current_; }
  Fiber& fiber() { return fibers_[current_]; }
  Site site(const void* pc) {
    const Fiber& mine = fibers_[current_];
    const int depth = mine.depth < 48 ? mine.depth : 48;
    return {pc, depth > 0 ? mine.callers[depth - 1] : nullptr};
  }
  bool onOwnStack(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(stack(current_)) < stack_bytes_;
  }
  // The thread on whose stack an address lies, or -1.
  int stackOwner(std::uintptr_t address) const;

  // Checks and records an access. Returns only if it may be made.
  void access(std::uintptr_t address, std::uint32_t bytes, enum access kind, const void* pc,
              std::uint32_t alignment);

  void blockBarrier(const void* pc);
  void fence() { shadow_.fence(current_); }
  void atomic(const void* p) { shadow_.atomic(reinterpret_cast<std::uintptr_t>(p), current_); }
  const std::uint64_t* exchange(collective kind, unsigned mask, std::uint64_t mine, const void* pc);
  // An instruction of the whole warp: the last lane to arrive calls `run` with what each lane
  // brought.
  void together(const char* instruction, void* mine, void (*run)(void* const* lanes),
                const void* pc);

  // async_copies.cpp
  void startCopy(void* to, const void* from, std::uint32_t bytes, std::uint32_t valid,
                 const void* pc);
  void commitCopies() { copies_.commit(current_); }
  void waitForCopies(unsigned pending);

  // mbarriers.cpp
  void initBarrier(void* p, int arrivals, const void* pc);
  void fenceBarriers();
  void arrive(void* p, int bytes, const void* pc);
  void waitFor(void* p, int phase, const void* pc);
  void comeToNamed(int id, unsigned threads, bool waits, const void* pc);
  void fenceAsyncProxy() { proxy_.fence(current_); }

  // tma.cpp
  void startLoad(void* box, const CUtensorMap& map, void* full, std::initializer_list<int> corner,
                 const void* pc);
  void startStore(const CUtensorMap& map, const void* box, std::initializer_list<int> corner,
                  const void* pc);
  void commitStores();
  void waitForStores(unsigned pending, bool written);

  // cluster.cpp
  unsigned clusterRank() const { return rank_; }
  void setPartner(Machine& partner) { partner_ = &partner; }
  void checkCluster(int blocks, const void* pc);  // that the kernel is for
  void syncCluster(const void* pc);
  void arriveAt(void* p, int rank, const void* pc);
  void startLoadForAll(int blocks, void* box, const CUtensorMap& map, void* full,
                       std::initializer_list<int> corner, const void* pc);

  // warpgroup.cpp
  void product(WgmmaLane& mine, const void* pc);
  void fenceProducts(const void* pc);
  void commitProducts(const void* pc);
  void waitForProducts(unsigned pending, const void* pc);

  // Where an access to such memory through `p` is not allowed at all: do not return.
  void requireGlobal(const void* p, const void* pc);
  void requireShared(const void* p, const void* pc);

  // Gives the launch up with an error: the running fiber does not come back.
  [[noreturn]] void abandon(cudaError_t error);
  Site lastSite() { return site(last_pc_); }
  bool inStacks(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(arena_) < arena_bytes_;
  }

 private:
  friend class Inside;
  static void enterFiber();
  void beginLaunch(const launch_shape& shape, void (*body)(void*), void* context);
  void runBlock(std::uint64_t linear);
  void startBlock(std::uint64_t linear);
  void runThreads();  // until none can go on
  void endBlock();

  // cluster.cpp
  void runPair(std::uint64_t first);
  void takeTurn();
  bool canGoOn() const { return !inbox_.empty() || runnable_.any(); }
  void deliver(const ClusterMessage& message);
  void swapIn();
  void swapOut();

  void makeStacks(unsigned threads);
  char* stack(unsigned thread) const { return arena_ + thread * stride_ + GUARD; }
  void suspend(const char* waits_in, Site waits_at);
  void resume(unsigned thread) {
    fibers_[thread].waits_in = nullptr;
    runnable_.insert(thread);
  }
  void switchToNext();
  unsigned choose();  // the next thread, or MAX_THREADS if none can run
  void setThread(unsigned thread);
  void reportDeadlock();
  std::string accessText(std::uint32_t bytes, std::uintptr_t address) const;
  void checkFlight(std::uintptr_t address, std::uint32_t bytes, enum access kind, Site here);
  Group& group(Warp& warp, unsigned mask);

  // What goes past the threads (asynchronous.cpp). `what`: "the TMA load"
  bool late();  // whether it happens as late as it may
  std::uint32_t sharedOffset(const void* p) const {
    return std::uint32_t(reinterpret_cast<std::uintptr_t>(p) -
                         reinterpret_cast<std::uintptr_t>(shared_begin));
  }
  // Whether nothing that is under way uses these bytes; reports it otherwise.
  bool checkProxy(std::uint32_t offset, std::uint32_t bytes, enum access kind, Site here);
  void useShared(unsigned agent, std::uint32_t offset, std::uint32_t bytes, enum access kind,
                 const char* what, Site here);
  void useGlobal(unsigned agent, const void* p, std::uint32_t bytes, bool writes, const char* what,
                 Site here);
  void endAsynchronous();  // of the block

  Mbarrier& barrierAt(void* p, const void* pc);
  void settle(Mbarrier& barrier, bool wanted, Site here);
  [[noreturn]] void misuse(Site here, const std::string& text);  // of a barrier

  BoxCopy prepareBox(const CUtensorMap& map, const void* box, std::initializer_list<int> corner,
                     const char* what, const void* pc);
  void landLoad(Mbarrier& barrier, unsigned id);
  void readBox(BoxCopy& store);
  void writeBox(const BoxCopy& store);

  template <class Last>
  void meetWarpgroup(const char* instruction, void* mine, const void* pc, Last last);
  void startProduct(Warpgroup& group, unsigned number, Site here);
  void findOperand(Product& product, unsigned number, bool is_a);
  void compute(Warpgroup& group, Product& product);
  void deliver(Warpgroup& group, void* acc);

  template <class Last>
  void meet(Group& group, std::uint64_t mine, const char* waits_in, Site here, Last last);

  static constexpr std::size_t GUARD = 4096;
  launch_shape shape_{};
  void (*body_)(void*) = nullptr;
  void* body_context_ = nullptr;
  options options_;
  std::mt19937_64 random_;
  Shadow shadow_;
  AsyncCopies copies_;
  AsyncProxy proxy_;
  Barriers barriers_;
  BoxCopies boxes_;
  std::vector<Warpgroup> warpgroups_;

  // The other block of a cluster of two, and what it has sent.
  Machine* partner_ = nullptr;
  unsigned cluster_ = 1, rank_ = 0, at_cluster_ = 0;
  std::uint64_t linear_ = 0;  // of the block
  std::vector<ClusterMessage> inbox_;
  std::vector<unsigned char> stored_;          // shared memory while the other one runs
  std::vector<Shadow::Clock> partner_clocks_;  // [thread]: what it knows of the other one
  bool delivering_ = false;

  unsigned threads_ = 0, current_ = 0, ended_ = 0;
  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  ThreadSet runnable_;
  unsigned at_barrier_ = 0;
  Site barrier_site_;
  bool in_kernel_ = false;
  context scheduler_;
  cudaError_t error_ = cudaSuccess;
  const void* last_pc_ = nullptr;

  char* arena_ = nullptr;
  std::size_t arena_bytes_ = 0, stack_bytes_ = 0, stride_ = 0;
};

// From the kernel into the emulator and back. Every switch of fibers happens inside.
class Inside {
 public:
  explicit Inside(Machine& machine) : machine_(machine) { machine_.in_kernel_ = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { machine_.in_kernel_ = true; }

 private:
  Machine& machine_;
};

// Threads as "threads 0-30, 32".
std::string ranges(const std::vector<unsigned>& threads);

// The machine that runs the calling fiber; the program ends where there is none.
Machine& runningMachine();

// faults.cpp: turns a crash of a fiber into a report while it lives.
class FaultGuard {
 public:
  FaultGuard();
  ~FaultGuard();
};

// allocations.cpp: whether [address, address + bytes) touches forbidden bytes.
bool forbidden(std::uintptr_t address, std::uint32_t bytes);

// runtime_api.cpp
cudaError_t setLastError(cudaError_t error);
std::size_t smemLimitOf(const void* kernel);

}  // namespace emulate
