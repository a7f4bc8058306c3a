#include "warpgroups.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "builtins.h"
#include "findings.h"
#include "tensor_elements.h"

namespace emulate {

void Warpgroups::beginBlock() {
  warpgroups_.assign(context_.threads() / WARPGROUP, Warpgroup{});
  for (unsigned i = 0; i < warpgroups_.size(); ++i) warpgroups_[i].number = i;
}

void Warpgroups::endBlock() {
  for (const Warpgroup& group : warpgroups_) {
    if (group.wgmmas.empty()) continue;
    addFinding(report::kind::asynchronous, {group.wgmmas.front()->site},
               "the block ends before this wgmma has been waited for");
  }
}

// Waits until all 128 threads execute this instruction; the last one to arrive calls `last(group)`.
template <class Last>
void Warpgroups::execute(const char* instruction, void* mine, const void* pc, Last last) {
  const Site here = context_.site(pc);
  const unsigned number = context_.thread() / WARPGROUP, first = number * WARPGROUP;
  if (number >= warpgroups_.size()) {
    context_.fail(report::kind::divergence, here,
                  context_.threadText() + " calls " + instruction +
                      ", which takes 128 threads; its warpgroup has fewer");
  }
  Warpgroup& group = warpgroups_[number];
  if (group.arrived == 0) {
    group.instruction = instruction;
    group.first = here;
  } else if (std::strcmp(group.instruction, instruction) != 0) {
    scheduler_.suspend(instruction, here);  // never resumed: a deadlock
  } else if (inDifferentLines(group.first, here) &&
             !isKnown(report::kind::divergence, here, group.first)) {
    addFinding(report::kind::divergence, {here, group.first},
               context_.threadText() + " calls this " + instruction +
                   " while others of its warpgroup call that of {1}");
  }
  group.lanes[context_.thread() - first] = mine;
  if (++group.arrived < WARPGROUP) {
    scheduler_.suspend(instruction, here);
    return;
  }
  group.arrived = 0;
  last(group);
  for (unsigned t = 0; t < WARPGROUP; ++t) scheduler_.resume(first + t);
}

// ---- starting a wgmma

void Warpgroups::start(WgmmaLane& mine, const void* pc) {
  const Site here = context_.site(pc);
  execute(mine.what->name, &mine, pc, [&](Warpgroup& group) { startTogether(group, here); });
}

void Warpgroups::startTogether(Warpgroup& group, Site here) {
  const std::shared_ptr<Wgmma> wgmma = gather(group, here);
  checkFence(group, wgmma->what.name, here);
  beginReads(*wgmma, group.number);
  acquireAccumulator(group, *wgmma);
  group.wgmmas.push_back(wgmma);
  ++group.open;
  if (!context_.late()) {
    for (const auto& one : group.wgmmas) compute(group, *one);
  }
}

static bool haveSameOperands(const WgmmaLane& x, const WgmmaLane& y) {
  return std::strcmp(x.what->name, y.what->name) == 0 && x.b == y.b &&
         x.accumulate == y.accumulate && (x.registers == nullptr) == (y.registers == nullptr) &&
         (x.registers != nullptr || x.a == y.a) && x.what->a_transposed == y.what->a_transposed &&
         x.what->b_transposed == y.what->b_transposed &&
         x.what->a_row_bytes == y.what->a_row_bytes && x.what->b_row_bytes == y.what->b_row_bytes;
}

// The wgmma that the threads of the group execute, with the operands of all of them.
std::shared_ptr<Wgmma> Warpgroups::gather(const Warpgroup& group, Site here) {
  const WgmmaLane& first = group.lane(0);
  const auto wgmma = std::make_shared<Wgmma>();
  wgmma->what = *first.what;
  wgmma->in_registers = first.registers != nullptr;
  wgmma->accumulate = first.accumulate;
  wgmma->a = first.a;
  wgmma->b = first.b;
  wgmma->acc = first.acc;
  wgmma->site = here;
  for (unsigned t = 0; t < WARPGROUP; ++t) {
    if (!haveSameOperands(first, group.lane(t))) {
      context_.fail(report::kind::divergence, here,
                    "thread " + std::to_string(group.number * WARPGROUP + t) + " calls " +
                        first.what->name +
                        " with other operands than the first one of its warpgroup");
    }
    if (wgmma->in_registers) std::memcpy(wgmma->registers[t], group.lane(t).registers, 16);
  }
  return wgmma;
}

void Warpgroups::checkFence(Warpgroup& group, const char* name, Site here) {
  if (settings().compute_capability != 90) {
    addFinding(report::kind::asynchronous, {here},
               std::string(name) + " on a device that is not of compute capability 9.0");
  }
  if (group.fenced) return;
  group.fenced = true;
  addFinding(report::kind::asynchronous, {here},
             std::string(name) + " without a wgmma_fence before the first one of warpgroup " +
                 std::to_string(group.number));
}

// The agents of the warps begin to read the operands, after all that the warps' threads have done.
void Warpgroups::beginReads(Wgmma& wgmma, unsigned number) {
  ThreadClocks& clocks = memory_.clocks();
  for (unsigned warp = number * 4; warp < number * 4 + 4; ++warp) {
    ThreadClocks::Clock start;
    for (unsigned t = warp * 32; t < warp * 32 + 32; ++t) clocks.release(t, start);
    clocks.acquire(clocks.wgmmaAgent(warp), start);
  }
  if (!wgmma.in_registers) beginOperandReads(wgmma, number, true);
  beginOperandReads(wgmma, number, false);
  for (unsigned w = 0; w < 4; ++w)
    clocks.release(clocks.wgmmaAgent(number * 4 + w), wgmma.clocks[w]);
}

// Adds the chunks of shared memory that hold an operand.
void Warpgroups::beginOperandReads(Wgmma& wgmma, unsigned number, bool is_a) {
  const wgmma_instruction& what = wgmma.what;
  const int extent = is_a ? WGMMA_M : what.n;
  const int row_bytes = is_a ? what.a_row_bytes : what.b_row_bytes;
  const int bytes = bitsOf(is_a ? what.a : what.b) / 8;
  const bool transposed = is_a ? what.a_transposed : what.b_transposed;
  const int in_chunk = int(AsyncProxy::CHUNK) / bytes;
  for (int i = 0; i < extent; i += transposed ? in_chunk : 1) {
    for (int k = 0; k < what.k; k += transposed ? 1 : in_chunk) {
      const std::uint32_t offset =
          operandOffset(is_a ? wgmma.a : wgmma.b, row_bytes, transposed, bytes, i, k);
      // All warps read all of B; each of them is checked with a part of it.
      const unsigned warp = number * 4 + unsigned(is_a ? i / 16 : i / 8 % 4);
      memory_.beginAsyncShared(memory_.clocks().wgmmaAgent(warp), offset, AsyncProxy::CHUNK,
                               access::unchecked_read, what.name, wgmma.site);
      wgmma.chunks.push_back(offset);
    }
  }
}

// The first wgmma of an accumulator takes its values, and leaves poison in the registers.
void Warpgroups::acquireAccumulator(Warpgroup& group, const Wgmma& wgmma) {
  Accumulator& acc = group.accumulators[wgmma.acc];
  if (acc.wgmmas == 0) {
    acc.bytes = accumulatorBytes(wgmma.what);
    acc.values.resize(WARPGROUP * acc.bytes);
    for (unsigned t = 0; t < WARPGROUP; ++t) {
      acc.lanes[t] = group.lane(t).acc;
      std::memcpy(acc.of(t), acc.lanes[t], acc.bytes);
      std::memset(acc.lanes[t], 0xff, acc.bytes);
    }
  } else if (acc.bytes != accumulatorBytes(wgmma.what)) {
    context_.fail(report::kind::asynchronous, wgmma.site,
                  std::string(wgmma.what.name) +
                      " uses the accumulator of a wgmma of another shape that is in flight");
  }
  ++acc.wgmmas;
}

void Warpgroups::compute(Warpgroup& group, Wgmma& wgmma) {
  if (wgmma.computed) return;
  wgmma.computed = true;
  multiplyAccumulate(wgmma, group.accumulators[wgmma.acc]);
}

// The values return to their registers, which no thread may have written.
void Warpgroups::releaseAccumulator(Warpgroup& group, void* acc) {
  const auto found = group.accumulators.find(acc);
  Accumulator& values = found->second;
  bool changed = false;
  for (unsigned t = 0; t < WARPGROUP; ++t) {
    const auto* lane = static_cast<const unsigned char*>(values.lanes[t]);
    changed |= std::any_of(lane, lane + values.bytes, [](unsigned char c) { return c != 0xff; });
    std::memcpy(values.lanes[t], values.of(t), values.bytes);
  }
  if (changed) {
    addFinding(report::kind::asynchronous, {group.wgmmas.front()->site},
               "the accumulator of this wgmma was changed before it was waited for");
  }
  group.accumulators.erase(found);
}

// ---- fence, commit, wait

void Warpgroups::fence(const void* pc) {
  execute("wgmma_fence", nullptr, pc, [](Warpgroup& group) { group.fenced = true; });
}

void Warpgroups::commit(const void* pc) {
  execute("wgmma_commit", nullptr, pc, [](Warpgroup& group) {
    group.groups.push_back(group.open);
    group.open = 0;
  });
}

void Warpgroups::wait(unsigned pending, const void* pc) {
  const unsigned first = context_.thread() / WARPGROUP * WARPGROUP;
  execute("wgmma_wait", nullptr, pc, [&](Warpgroup& group) {
    std::shared_ptr<Wgmma> last;
    for (; group.groups.size() > pending; group.groups.pop_front()) {
      for (; group.groups.front() > 0; --group.groups.front()) {
        last = group.wgmmas.front();
        compute(group, *last);
        for (std::uint32_t offset : last->chunks) memory_.asyncProxy().endRead(offset);
        if (--group.accumulators[last->acc].wgmmas == 0) releaseAccumulator(group, last->acc);
        group.wgmmas.pop_front();
      }
    }
    if (last == nullptr) return;
    for (unsigned t = first; t < first + WARPGROUP; ++t) {
      memory_.clocks().acquire(t, last->clocks[(t - first) / 32]);
    }
  });
}

std::uint32_t Warpgroups::describeOperand(const void* first, int panel_bytes, const void* pc) {
  memory_.requireShared(first, pc);
  const std::uint32_t offset = sharedOffset(first);
  if (offset % 16 != 0 || panel_bytes % 16 != 0) {
    context_.fail(report::kind::misaligned, context_.site(pc),
                  context_.threadText() + " describes an operand at byte " +
                      std::to_string(offset) + " of shared memory with panels of " +
                      std::to_string(panel_bytes) + " bytes: not multiples of 16",
                  cudaErrorMisalignedAddress);
  }
  return (offset & 0x3ffff) >> 4 | std::uint32_t(panel_bytes) >> 4 << 16;
}

}  // namespace emulate
