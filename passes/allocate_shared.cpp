#include "passes/allocate_shared.h"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/remarks.h"
#include "passes/loops.h"
#include "passes/ring_copies.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

constexpr int64_t kWorthSharing = 512;  // bytes

// First and last operation that touches each buffer, in program order.
struct Interval {
  int first = -1, last = -1;
  Location loc;
  bool overlaps(const Interval &other) const { return first <= other.last && other.first <= last; }
};

class Lifetimes {
 public:
  explicit Lifetimes(Kernel &kernel) : intervals(kernel.shared.size()) { run(kernel.body); }

  std::vector<Interval> intervals;

 private:
  // All operations of a nest happen at once, those of functions that it calls too: its threads are in different iterations.
  void run(Block &block, bool isInNest = false) {
    for (auto &op : block.ops) {
      if (!isInNest) ++at_;
      const int start = at_;
      touch(*op);
      for (auto &region : op->regions) run(*region, isInNest || op->kind == OpKind::Nest);
      if (op->kind != OpKind::For && op->kind != OpKind::While) continue;
      // A product may read the operand that a step computed while other steps go on.
      walk(*op->regions.back(), [&](const Op *inner) {
        if (!isStoreToStage(*inner) || loopAround(inner->parent) != op.get()) return;
        Interval &interval = intervals[inner->getInt("buffer")];
        interval.first = std::min(interval.first, start);
        interval.last = at_;
      });
      // What was there before a loop that uses it is used again in its next iteration.
      for (Interval &interval : intervals)
        if (interval.first >= 0 && interval.first < start && interval.last >= start)
          interval.last = at_;
    }
  }
  void touch(const Op &op) {
    auto buffers = op.getInts("buffers");
    if (op.has("buffer")) buffers.push_back(op.getInt("buffer"));
    for (int64_t buffer : buffers) {
      if (buffer < 0) continue;
      Interval &interval = intervals[buffer];
      if (interval.first < 0) {
        interval.first = at_;
        interval.loc = op.loc;
      }
      interval.last = at_;
    }
  }
  int at_ = 0;
};

// What all buffers take if none has more than `most` stages; `sum`: of what that is made up.
int64_t totalBytes(const Kernel &kernel, int most, std::string *sum = nullptr) {
  struct Place {
    int64_t bytes = 0;
    std::vector<std::pair<std::string, int64_t>> members;
  };
  std::map<int, std::map<int, Place>> places;  // by slot and stack
  int alone = -1;                              // slots of those that have none
  auto add = [&](int slot, int stack, const std::string &name, int64_t bytes) {
    Place &place = places[slot < 0 ? --alone : slot][stack];
    place.bytes += bytes;
    place.members.emplace_back(name, bytes);
  };
  for (const SharedBuffer &buffer : kernel.shared) {
    const int stages = std::min(buffer.stages, most);
    add(buffer.slot, buffer.stack,
        stages > 1 ? std::to_string(stages) + " stages of " + buffer.name : buffer.name,
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
      if (sum && bytes >= kWorthSharing)
        *sum += (sum->empty() ? "" : " + ") + name + " " + std::to_string(bytes);
  }
  return total;
}

// Buffers that stand behind each other, and stacks of them in one place: alternatives, never alive together.
using Stack = std::vector<size_t>;
using Slot = std::vector<Stack>;

// Gives large buffers their slots: each in the first whose buffers are all dead by now, or not yet alive, so that places do not
// grow; or on those that are alive with it, where that takes less than a slot of its own.
class Slots {
 public:
  Slots(const Kernel &kernel, const std::vector<Interval> &intervals)
      : kernel_(kernel), intervals_(intervals) {}

  void add(size_t buffer) {
    for (Slot &slot : slots)
      if (!meetsOthers(buffer, slot, nullptr)) return slot.push_back({buffer});
    const int64_t bytes = kernel_.shared[buffer].placeBytes();
    Stack *best = nullptr;
    int64_t least = bytes;  // by how much a slot grows
    for (Slot &slot : slots)
      for (Stack &stack : slot) {
        const int64_t grows = std::max<int64_t>(height(stack) + bytes - height(slot), 0);
        if (grows >= least || meetsOthers(buffer, slot, &stack)) continue;
        best = &stack;
        least = grows;
      }
    if (!best) best = &slots.emplace_back(1).front();
    best->push_back(buffer);
  }

  std::vector<Slot> slots;

 private:
  // Whether a buffer of another stack than this one is alive with it.
  bool meetsOthers(size_t buffer, const Slot &slot, const Stack *own) const {
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
  const std::vector<Interval> &intervals_;
};

// Gives buffers their slots, large ones first.
void place(Kernel &kernel, const std::vector<Interval> &intervals) {
  std::vector<size_t> order;
  // Filled or read by others than those who use them besides, as early or late as can be.
  std::set<int64_t> alone;
  for (const SharedRing &ring : kernel.rings)
    alone.insert(ring.buffers.begin(), ring.buffers.end());
  walk(kernel.body, [&](Op *op) {
    if (op->kind == OpKind::TensorCopyOut) alone.insert(op->getInt("buffer"));
  });
  for (size_t i = 0; i < kernel.shared.size(); ++i)
    if (kernel.shared[i].bytes() >= kWorthSharing && !alone.count(i)) order.push_back(i);
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

}  // namespace

int64_t sharedBytes(const Kernel &kernel) { return totalBytes(kernel, INT_MAX); }

int64_t sharedBytesIfKept(Kernel &kernel, const std::set<int64_t> &kept) {
  std::vector<Interval> intervals = Lifetimes(kernel).intervals;
  for (int64_t buffer : kept) intervals[buffer] = {0, INT_MAX, intervals[buffer].loc};
  std::vector<SharedBuffer> saved = kernel.shared;
  place(kernel, intervals);
  const int64_t bytes = sharedBytes(kernel);
  kernel.shared = std::move(saved);
  return bytes;
}

int64_t sharedLimit(const Target &target) {
  switch (target.sm) {
    case 75:
      return 64 * 1024;
    case 86:
    case 89:
    case 120:
      return 99 * 1024;
    case 80:
    case 87:
      return 163 * 1024;
    default:
      return target.sm < 80 ? 48 * 1024 : 227 * 1024;
  }
}

int64_t sharedLimit(const Target &target, int blocks) {
  constexpr int64_t kReserved = 1024;
  return (sharedLimit(target) + kReserved) / std::max(blocks, 1) - kReserved;
}

llvm::LogicalResult allocate_shared(Module &module, PassContext &context) {
  std::vector<const Kernel *> tooLarge;
  for (Kernel &kernel : module.kernels) {
    const std::vector<Interval> intervals = Lifetimes(kernel).intervals;
    // Names.
    std::set<std::string> names;
    for (const SharedRing &ring : kernel.rings)
      for (const char *barriers : {"full", "empty"})
        names.insert(ring.name.empty() ? barriers : ring.name + "_" + barriers);
    for (SharedBuffer &buffer : kernel.shared) {
      std::string base = buffer.name;
      for (int i = 2; !names.insert(buffer.name).second; ++i)
        buffer.name = base + "_" + std::to_string(i);
    }
    place(kernel, intervals);
    int stages = 1;
    for (const SharedBuffer &buffer : kernel.shared) stages = std::max(stages, buffer.stages);
    std::string sum;
    int64_t total = totalBytes(kernel, stages, &sum);
    const Target target = context.targetsOf(kernel).front();
    int64_t limit = sharedLimit(target);
    // The variant that moves single elements needs as much as the other: said once.
    if (total > limit && !intervals.empty() && !isVariantOf(kernel, tooLarge)) {
      int fitting = stages;
      while (fitting > 0 && totalBytes(kernel, fitting) > limit) --fitting;
      const auto large =
          llvm::find_if(kernel.shared, [](const SharedBuffer &buffer) { return buffer.slot >= 0; });
      reportAbout(
          kernel, module, context.diagnostics, DiagId::SharedMemoryExceeded,
          intervals[large == kernel.shared.end() ? 0 : large - kernel.shared.begin()].loc,
          {std::to_string(total), std::to_string(limit),
           context.mixesHopper() ? " on " + target.name() : "", sum,
           fitting > 0 ? "use num_stages = " + std::to_string(fitting) + ", or smaller tiles"
                       : "use smaller tiles"});
      tooLarge.push_back(&kernel);
    }
  }
  return llvm::failure(!tooLarge.empty());
}

}  // namespace tile2cu::passes
