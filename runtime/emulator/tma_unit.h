// The Tensor Memory Accelerator (TMA), which copies tensor boxes between global and shared memory
// (PTX ISA, "cp.async.bulk.tensor"; CUDA C++ Programming Guide, "Asynchronous Data Copies using the
// Tensor Memory Accelerator").
//
// Loads complete through an mbarrier, stores through bulk groups of the thread that starts them.
// Both happen as late as the waits allow, or at once (MachineContext::late).
#pragma once
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <vector>

#include "machine_context.h"
#include "mbarriers.h"
#include "memory_checker.h"
#include "tensor_map.h"
#include "thread_clocks.h"

namespace emulate {

struct BoxCopy {
  TensorMap map;
  int corner[5] = {};
  std::uint32_t offset = 0;  // of the box, in shared memory
  unsigned thread = 0;       // that has started it
  Site site;
  ThreadClocks::Clock clock;  // when it was started
  // For a load, the tensor's elements when it was started; for a store, the box once it is read.
  // They are rows of map.rowBytes(), not swizzled, with zeros outside of the tensor.
  std::vector<unsigned char> elements;
  bool read = false;
};

class TmaUnit : private TransactionSource {
 public:
  TmaUnit(MachineContext& context, MemoryChecker& memory, Mbarriers& mbarriers)
      : context_(context), memory_(memory), mbarriers_(mbarriers) {}

  void beginBlock();
  // Reports loads and stores that no thread has waited for; stores reach global memory.
  void endBlock();

  void startLoad(void* box, const CUtensorMap& map, void* full, std::initializer_list<int> corner,
                 const void* pc);
  void startStore(const CUtensorMap& map, const void* box, std::initializer_list<int> corner,
                  const void* pc);
  void commitStores();  // cp.async.bulk.commit_group
  // cp.async.bulk.wait_group: until at most `pending` groups are not read from shared memory, or
  // not `written` to global memory.
  void waitForStores(unsigned pending, bool written);

  // ---- multicast loads of a cluster
  // A load of the running thread for the other block, as that block receives it.
  BoxCopy loadForPartner(void* box, const CUtensorMap& map, std::initializer_list<int> corner,
                         Site here);
  // A load that a thread of the other block has started; `known` is what that thread knew of this
  // block.
  void receiveLoad(BoxCopy load, const ThreadClocks::Clock& known, Mbarrier& barrier);

 private:
  struct Stores {
    std::deque<BoxCopy> all;      // oldest first
    std::deque<unsigned> groups;  // of committed groups: stores that are not in global memory
    unsigned open = 0;
  };

  BoxCopy prepare(const CUtensorMap& map, const void* box, std::initializer_list<int> corner,
                  bool loads, const void* pc);
  void checkCopy(const BoxCopy& copy, std::size_t coordinates, const std::string& who);
  void beginUse(BoxCopy& copy, bool loads, const char* what);
  void beginLoad(BoxCopy load, Mbarrier& barrier);
  Completed complete(unsigned load) override;
  // The elements that the store has read, or would read now.
  std::vector<unsigned char> elementsOf(const BoxCopy& store) const;
  void checkOrder(const BoxCopy& store);
  void read(BoxCopy& store);
  void write(const BoxCopy& store);

  MachineContext& context_;
  MemoryChecker& memory_;
  Mbarriers& mbarriers_;
  std::map<unsigned, BoxCopy> loads_;
  unsigned next_load_ = 0;
  std::vector<Stores> stores_;  // [thread]
};

}  // namespace emulate
