#include "passes/analysis/memory/shared_usage.h"

#include <algorithm>
#include <climits>
#include <map>
#include <string>

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

// A member of struct Smem, or several in a row.
struct Member {
  std::string text = {};  // its name and bytes, for a message; empty if it is small
  int64_t bytes = 0;
  int alignment = 1;
};
using Members = std::vector<Member>;

void addText(std::string &sum, const std::string &text) {
  if (!text.empty()) sum += (sum.empty() ? "" : " + ") + text;
}

// The struct of these members, as C++ lays it out: each starts where its alignment allows it.
Member layOut(const Members &members) {
  Member all;
  for (const Member &member : members) {
    addText(all.text, member.text);
    all.bytes = llvm::alignTo(all.bytes, member.alignment) + member.bytes;
    all.alignment = std::max(all.alignment, member.alignment);
  }
  all.bytes = llvm::alignTo(all.bytes, all.alignment);
  return all;
}

// A union of structs, as the only member. Its text is that of the largest.
Members unionOf(const std::map<int, Members> &stacks) {
  Member all;
  for (const auto &[stack, members] : stacks) {
    const Member one = layOut(members);
    if (one.bytes > all.bytes) all.text = one.text;
    all.bytes = std::max(all.bytes, one.bytes);
    all.alignment = std::max(all.alignment, one.alignment);
  }
  all.bytes = llvm::alignTo(all.bytes, all.alignment);
  return {all};
}

Member memberOf(const SharedBuffer &buffer, int most) {
  const int stages = std::min(buffer.stages, most);
  const int64_t bytes = buffer.bytes() / buffer.stages * stages;
  std::string text;
  if (bytes >= tunables().shared_slot_bytes)
    text = (stages > 1 ? fmt::format("{} stages of ", stages) : "") +
           fmt::format("{} {}", buffer.name, bytes);
  return {text, bytes, buffer.leastAlignment()};
}

}  // namespace

std::vector<BufferInterval> lifetimesOf(Kernel &kernel) { return Lifetimes(kernel).intervals; }

int64_t totalBytes(const Kernel &kernel, int most, std::string *sum) {
  std::map<int, std::map<int, Members>> slots;  // and stacks
  Members alone;
  for (const SharedBuffer &buffer : kernel.shared)
    (buffer.slot < 0 ? alone : slots[buffer.slot][buffer.stack]).push_back(memberOf(buffer, most));
  for (const SharedRing &ring : kernel.rings)  // its mbarriers `full` and `empty`
    alone.push_back({"", 16 * std::min(ring.stages, most), 8});
  Members all;
  for (const auto &[slot, stacks] : slots)
    llvm::append_range(all, stacks.size() == 1 ? stacks.begin()->second : unionOf(stacks));
  llvm::append_range(all, alone);
  const Member record = layOut(all);
  if (sum) *sum = record.text;
  return record.bytes;
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
