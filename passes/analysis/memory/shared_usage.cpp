#include "passes/analysis/memory/shared_usage.h"

#include <algorithm>
#include <climits>
#include <map>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

class Lifetimes {
 public:
  explicit Lifetimes(Kernel &kernel) : intervals(kernel.shared.size()) { run(kernel.body); }

  std::vector<BufferInterval> intervals;

 private:
  // All operations of a loop nest, and of functions that it calls, count as simultaneous: its
  // threads are in different iterations.
  void run(Block &block, bool isInNest = false) {
    for (auto &op : block.ops) {
      if (!isInNest) ++at_;
      const int start = at_;
      touch(*op);
      for (auto &region : op->regions) run(*region, isInNest || op->kind == OpKind::Nest);
      if (op->kind != OpKind::For && op->kind != OpKind::While) continue;
      // A dot may read the operand of one iteration while other iterations proceed.
      walk(*op->regions.back(), [&](const Op *inner) {
        if (!isStoreToStage(*inner) || loopAround(inner->parent) != op.get()) return;
        BufferInterval &interval = intervals[inner->getInt(Attr::buffer)];
        interval.first = std::min(interval.first, start);
        interval.last = at_;
      });
      // A buffer that was live before a loop that uses it is used again in the next iteration.
      for (BufferInterval &interval : intervals)
        if (interval.first >= 0 && interval.first < start && interval.last >= start)
          interval.last = at_;
    }
  }
  void touch(const Op &op) {
    auto buffers = op.getInts(Attr::buffers);
    if (op.has(Attr::buffer)) buffers.push_back(op.getInt(Attr::buffer));
    for (int64_t buffer : buffers) {
      if (buffer < 0) continue;
      BufferInterval &interval = intervals[buffer];
      if (interval.first < 0) {
        interval.first = at_;
        interval.loc = op.loc;
      }
      interval.last = at_;
    }
  }
  int at_ = 0;
};

// A stack is a sequence of buffers, one after another. The stacks of a slot have disjoint lifetimes
// and share its memory.
using Stack = std::vector<size_t>;
using Slot = std::vector<Stack>;

// Assigns slots to large buffers, the largest first. A buffer goes to the first slot in which no
// buffer's lifetime overlaps its own, so that the slot does not grow. Otherwise it is stacked on
// buffers that are live at the same time, if that takes less memory than a new slot.
class Slots {
 public:
  Slots(const Kernel &kernel, const std::vector<BufferInterval> &intervals)
      : kernel_(kernel), intervals_(intervals) {}

  void add(size_t buffer) {
    for (Slot &slot : slots)
      if (!isInUse(buffer, slot, nullptr)) return slot.push_back({buffer});
    const int64_t bytes = kernel_.shared[buffer].placeBytes();
    Stack *best = nullptr;
    int64_t least = bytes;  // the smallest growth of a slot so far
    for (Slot &slot : slots)
      for (Stack &stack : slot) {
        const int64_t grows = std::max<int64_t>(height(stack) + bytes - height(slot), 0);
        if (grows >= least || isInUse(buffer, slot, &stack)) continue;
        best = &stack;
        least = grows;
      }
    if (!best) best = &slots.emplace_back(1).front();
    best->push_back(buffer);
  }

  std::vector<Slot> slots;

 private:
  // Whether a buffer of another stack is live at the same time.
  bool isInUse(size_t buffer, const Slot &slot, const Stack *own) const {
    return llvm::any_of(slot, [&](const Stack &stack) {
      return &stack != own && llvm::any_of(stack, [&](size_t other) {
        return intervals_[buffer].overlaps(intervals_[other]);
      });
    });
  }
  int64_t height(const Stack &stack) const {
    int64_t bytes = 0;
    for (size_t i : stack) bytes += kernel_.shared[i].placeBytes();
    return bytes;
  }
  int64_t height(const Slot &slot) const {
    int64_t most = 0;
    for (const Stack &stack : slot) most = std::max(most, height(stack));
    return most;
  }

  const Kernel &kernel_;
  const std::vector<BufferInterval> &intervals_;
};

}  // namespace

std::vector<BufferInterval> lifetimesOf(Kernel &kernel) { return Lifetimes(kernel).intervals; }

int64_t totalBytes(const Kernel &kernel, int most, std::string *sum) {
  struct Place {
    int64_t bytes = 0;
    std::vector<std::pair<std::string, int64_t>> members;
  };
  std::map<int, std::map<int, Place>> places;  // by slot and stack
  int alone = -1;                              // slots of buffers without one
  auto add = [&](int slot, int stack, const std::string &name, int64_t bytes) {
    Place &place = places[slot < 0 ? --alone : slot][stack];
    place.bytes += bytes;
    place.members.emplace_back(name, bytes);
  };
  for (const SharedBuffer &buffer : kernel.shared) {
    const int stages = std::min(buffer.stages, most);
    add(buffer.slot, buffer.stack,
        stages > 1 ? fmt::format("{} stages of {}", stages, buffer.name) : buffer.name,
        llvm::alignTo(buffer.bytes() / buffer.stages * stages, std::max(buffer.alignment, 16)));
  }
  for (const SharedRing &ring : kernel.rings)
    add(-1, 0, "barriers", 16 * std::min(ring.stages, most));
  int64_t total = 0;
  for (const auto &[slot, stacks] : places) {
    const Place &tallest = llvm::max_element(stacks, [](const auto &a, const auto &b) {
                             return a.second.bytes < b.second.bytes;
                           })->second;
    total += tallest.bytes;
    for (const auto &[name, bytes] : tallest.members)
      if (sum && bytes >= tunables().shared_slot_bytes)
        *sum += fmt::format("{}{} {}", sum->empty() ? "" : " + ", name, bytes);
  }
  return total;
}

void placeBuffers(Kernel &kernel, const std::vector<BufferInterval> &intervals) {
  std::vector<size_t> order;
  // Buffers that TMA fills or reads asynchronously, at any time before or after threads use them.
  std::set<int64_t> alone;
  for (const SharedRing &ring : kernel.rings)
    alone.insert(ring.buffers.begin(), ring.buffers.end());
  walk(kernel.body, [&](Op *op) {
    if (op->kind == OpKind::TmaStore) alone.insert(op->getInt(Attr::buffer));
  });
  for (size_t i = 0; i < kernel.shared.size(); ++i)
    if (kernel.shared[i].bytes() >= tunables().shared_slot_bytes && !alone.count(i))
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const int64_t more = kernel.shared[a].bytes() - kernel.shared[b].bytes();
    return more > 0 || (more == 0 && a < b);
  });
  Slots chosen(kernel, intervals);
  for (size_t i : order) chosen.add(i);
  std::vector<Slot> &slots = chosen.slots;
  for (Slot &slot : slots) {
    for (Stack &stack : slot) std::sort(stack.begin(), stack.end());
    std::sort(slot.begin(), slot.end());
  }
  std::sort(slots.begin(), slots.end());  // in the order of the buffers
  for (size_t slot = 0; slot < slots.size(); ++slot)
    for (size_t stack = 0; stack < slots[slot].size(); ++stack)
      for (size_t i : slots[slot][stack]) {
        kernel.shared[i].slot = slot;
        kernel.shared[i].stack = stack;
      }
}

int64_t sharedBytes(const Kernel &kernel) { return totalBytes(kernel, INT_MAX); }

int64_t sharedBytesIfKept(Kernel &kernel, const std::set<int64_t> &kept) {
  std::vector<BufferInterval> intervals = lifetimesOf(kernel);
  for (int64_t buffer : kept) intervals[buffer] = {0, INT_MAX, intervals[buffer].loc};
  std::vector<SharedBuffer> saved = kernel.shared;
  placeBuffers(kernel, intervals);
  const int64_t bytes = sharedBytes(kernel);
  kernel.shared = std::move(saved);
  return bytes;
}

}  // namespace tile2cu::passes
