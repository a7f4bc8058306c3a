#include "passes/allocate_shared.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/Support/MathExtras.h"

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
  void run(Block &block) {
    for (auto &op : block.ops) {
      // All operations of a nest happen at once: its threads are in different iterations.
      if (!block.parent || block.parent->kind != OpKind::Nest) ++at_;
      const int start = at_;
      touch(*op);
      for (auto &region : op->regions) run(*region);
      if (op->kind != OpKind::For && op->kind != OpKind::While) continue;
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

// What all buffers take if none has more than `most` stages.
int64_t totalBytes(const Kernel &kernel, int most, std::string *sum = nullptr) {
  auto bytesOf = [&](const SharedBuffer &buffer) -> int64_t {
    return llvm::alignTo(buffer.bytes() / buffer.stages * std::min(buffer.stages, most),
                         std::max(buffer.alignment, 16));
  };
  auto nameOf = [&](const SharedBuffer &buffer) {
    const int stages = std::min(buffer.stages, most);
    return stages > 1 ? std::to_string(stages) + " stages of " + buffer.name : buffer.name;
  };
  std::map<int, std::pair<int64_t, std::string>> slots;  // its bytes, and the largest in it
  int64_t total = 0;
  auto add = [&](int64_t bytes, const std::string &name) {
    total += bytes;
    if (sum && bytes >= kWorthSharing)
      *sum += (sum->empty() ? "" : " + ") + name + " " + std::to_string(bytes);
  };
  for (const SharedBuffer &buffer : kernel.shared) {
    if (buffer.slot < 0) {
      add(bytesOf(buffer), nameOf(buffer));
    } else if (auto &[bytes, name] = slots[buffer.slot]; bytesOf(buffer) > bytes) {
      bytes = bytesOf(buffer);
      name = nameOf(buffer);
    }
  }
  for (const SharedRing &ring : kernel.rings) add(16 * std::min(ring.stages, most), "barriers");
  for (auto &[slot, entry] : slots) add(entry.first, entry.second);
  return total;
}

}  // namespace

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
llvm::LogicalResult allocate_shared(Module &module, PassContext &context) {
  bool failed = false;
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
    // Slots: large buffers first, each in the first place whose buffers are all dead by now, or not yet alive; so places do
    // not grow.
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
    std::vector<std::vector<size_t>> slots;
    for (size_t i : order) {
      auto free = [&](const std::vector<size_t> &slot) {
        return std::none_of(slot.begin(), slot.end(),
                            [&](size_t other) { return intervals[i].overlaps(intervals[other]); });
      };
      auto slot = std::find_if(slots.begin(), slots.end(), free);
      if (slot == slots.end()) slot = slots.emplace(slots.end());
      slot->push_back(i);
    }
    for (std::vector<size_t> &slot : slots) std::sort(slot.begin(), slot.end());
    std::sort(slots.begin(), slots.end());  // in the order of the buffers
    for (size_t slot = 0; slot < slots.size(); ++slot)
      for (size_t i : slots[slot]) kernel.shared[i].slot = slot;
    int stages = 1;
    for (const SharedBuffer &buffer : kernel.shared) stages = std::max(stages, buffer.stages);
    std::string sum;
    int64_t total = totalBytes(kernel, stages, &sum);
    const Target target = context.targetsOf(kernel).front();
    int64_t limit = sharedLimit(target);
    if (total > limit && !intervals.empty()) {
      int fitting = stages;
      while (fitting > 0 && totalBytes(kernel, fitting) > limit) --fitting;
      context.diagnostics.report(
          DiagId::SharedMemoryExceeded, intervals[slots.empty() ? 0 : slots.front().front()].loc,
          {std::to_string(total), std::to_string(limit),
           context.mixesHopper() ? " on " + target.name() : "", sum,
           fitting > 0 ? "use num_stages = " + std::to_string(fitting) + ", or smaller tiles"
                       : "use smaller tiles"});
      failed = true;
    }
  }
  return llvm::failure(failed);
}

}  // namespace tile2cu::passes
