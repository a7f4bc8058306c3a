#include "passes/allocate_shared.h"

#include <set>

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

}  // namespace

llvm::LogicalResult allocate_shared(Module &module, PassContext &context) {
  bool failed = false;
  for (Kernel &kernel : module.kernels) {
    std::vector<Interval> intervals(kernel.shared.size());
    int at = 0;
    walk(kernel.body, [&](Op *op) {
      // All operations of a nest happen at once: its threads are in different iterations.
      Op *parent = op->parentOp();
      if (!parent || parent->kind != OpKind::Nest) ++at;
      auto buffers = op->getInts("buffers");
      if (op->has("buffer")) buffers.push_back(op->getInt("buffer"));
      for (int64_t buffer : buffers) {
        Interval &interval = intervals[buffer];
        if (interval.first < 0) {
          interval.first = at;
          interval.loc = op->loc;
        }
        interval.last = at;
      }
    });
    // Names.
    std::set<std::string> names;
    for (SharedBuffer &buffer : kernel.shared) {
      std::string base = buffer.name;
      for (int i = 2; !names.insert(buffer.name).second; ++i)
        buffer.name = base + "_" + std::to_string(i);
    }
    // Slots: the first whose buffers are all dead by now, or not yet alive.
    std::vector<std::vector<size_t>> slots;
    for (size_t i = 0; i < kernel.shared.size(); ++i) {
      if (kernel.shared[i].bytes() < kWorthSharing) continue;
      size_t slot = 0;
      for (; slot < slots.size(); ++slot) {
        bool free = true;
        for (size_t other : slots[slot]) free &= !intervals[i].overlaps(intervals[other]);
        if (free) break;
      }
      if (slot == slots.size()) slots.emplace_back();
      slots[slot].push_back(i);
    }
    int64_t total = 0;
    std::string sum;
    for (size_t slot = 0; slot < slots.size(); ++slot) {
      int64_t bytes = 0;
      for (size_t i : slots[slot]) {
        kernel.shared[i].slot = slot;
        bytes = std::max(bytes, kernel.shared[i].bytes());
      }
      total += bytes;
      sum += (sum.empty() ? "" : " + ") + kernel.shared[slots[slot].front()].name + " " +
             std::to_string(bytes);
    }
    for (const SharedBuffer &buffer : kernel.shared)
      if (buffer.slot < 0) total += (buffer.bytes() + 15) / 16 * 16;
    int64_t limit = sharedLimit(context.targets.front());
    if (total > limit && !intervals.empty()) {
      context.diagnostics.report(DiagId::SharedMemoryExceeded,
                                 intervals[slots.empty() ? 0 : slots.front().front()].loc,
                                 {std::to_string(total), std::to_string(limit), sum});
      failed = true;
    }
  }
  return llvm::failure(failed);
}

}  // namespace tile2cu::passes
