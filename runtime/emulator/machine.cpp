#include "machine.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "findings.h"

namespace emulate {

thread_local Machine* Machine::active = nullptr;

// ---- launches

cudaError_t run(const launch_shape& shape, void (*body)(void*), void* context) {
  static std::mutex one_at_a_time;  // there is one set of built-in variables
  static Machine machine, partner;
  std::lock_guard lock(one_at_a_time);
  machine.setPartner(partner);
  partner.setPartner(machine);
  return setLastError(machine.run(shape, body, context));
}

static cudaError_t validate(const launch_shape& shape) {
  const dim3 grid = shape.grid, block = shape.block;
  const auto threads = std::uint64_t{block.x} * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0)
    return cudaErrorInvalidConfiguration;
  if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) return cudaErrorInvalidConfiguration;
  if (block.x > MAX_THREADS || block.y > MAX_THREADS || block.z > 64) {
    return cudaErrorInvalidConfiguration;
  }
  if (threads > MAX_THREADS) return cudaErrorInvalidConfiguration;
  if (shape.smem_bytes > smemLimitOf(shape.kernel)) return cudaErrorInvalidValue;
  if (shape.cluster < 1 || shape.cluster > 2 || grid.x % shape.cluster != 0)
    return cudaErrorInvalidConfiguration;
  return cudaSuccess;
}

void Machine::beginLaunch(const launch_shape& shape, void (*body)(void*), void* context) {
  shape_ = shape;
  body_ = body;
  body_context_ = context;
  options_ = settings();
  random_.seed(options_.seed);
  error_ = cudaSuccess;
  cluster_ = shape.cluster;
  threads_ = shape.block.x * shape.block.y * shape.block.z;
  makeStacks(threads_);
  shadow_.beginLaunch(
      {options_.races_between_blocks, options_.races_of_one_store, options_.uninitialized});
}

cudaError_t Machine::run(const launch_shape& shape, void (*body)(void*), void* context) {
  if (const cudaError_t error = validate(shape); error != cudaSuccess) return error;
  if (settings().before_launch != nullptr) settings().before_launch(shape);
  beginLaunch(shape, body, context);
  if (shape.cluster > 1) partner_->beginLaunch(shape, body, context);
  block_size = {shape.block.x, shape.block.y, shape.block.z};
  grid_size = {shape.grid.x, shape.grid.y, shape.grid.z};
  beginFindings();
  active = this;
  {
    FaultGuard guard;
    const auto clusters = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z / shape.cluster;
    std::vector<std::uint32_t> shuffled;
    if (options_.order == order::random && clusters <= 1 << 22) {
      shuffled.resize(clusters);
      for (std::uint32_t b = 0; b < clusters; ++b) shuffled[b] = b;
      std::shuffle(shuffled.begin(), shuffled.end(), random_);
    }
    const bool descending = options_.order == order::reverse || options_.order == order::warp_last;
    for (std::uint64_t b = 0; b < clusters && error_ == cudaSuccess; ++b) {
      const std::uint64_t next = !shuffled.empty() ? shuffled[b]
                                 : descending      ? clusters - 1 - b
                                                   : b;
      if (shape.cluster > 1)
        runPair(next * shape.cluster);
      else
        runBlock(next);
    }
  }
  active = nullptr;
  endFindings();
  return error_;
}

void Machine::makeStacks(unsigned threads) {
  const std::size_t stride = ((options_.stack_bytes + 4095) & ~std::size_t{4095}) + GUARD;
  if (fibers_.size() < threads) fibers_.resize(threads);
  warps_.resize((threads + 31) / 32);
  if (stride == stride_ && arena_bytes_ >= threads * stride) return;
  if (arena_ != nullptr) munmap(arena_, arena_bytes_);
  stride_ = stride;
  stack_bytes_ = stride - GUARD;
  arena_bytes_ = threads * stride;
  void* memory = mmap(nullptr, arena_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("tile2cu emulator: stacks");
    std::abort();
  }
  arena_ = static_cast<char*>(memory);
  for (unsigned t = 0; t < threads; ++t) mprotect(arena_ + t * stride_, GUARD, PROT_NONE);
}

int Machine::stackOwner(std::uintptr_t address) const {
  return inStacks(address) ? int((address - reinterpret_cast<std::uintptr_t>(arena_)) / stride_)
                           : -1;
}

// ---- one block

void Machine::runBlock(std::uint64_t linear) {
  startBlock(linear);
  runThreads();
  endBlock();
}

void Machine::startBlock(std::uint64_t linear) {
  linear_ = linear;
  block_index = {unsigned(linear % grid_size.x), unsigned(linear / grid_size.x % grid_size.y),
                 unsigned(linear / grid_size.x / grid_size.y)};
  std::memset(shared_begin, 0xff, shape_.smem_bytes);
  shadow_.beginBlock({unsigned(linear), threads_});
  copies_.beginBlock(threads_);
  proxy_.beginBlock(threads_);
  barriers_.beginBlock();
  boxes_.beginBlock(threads_);
  warpgroups_.assign(threads_ / 128, Warpgroup{});
  rank_ = at_cluster_ = 0;
  inbox_.clear();
  partner_clocks_.assign(cluster_ > 1 ? threads_ : 0, {});
  ended_ = at_barrier_ = 0;
  runnable_.clear();
  for (unsigned w = 0; w < warps_.size(); ++w) {
    const unsigned lanes = std::min(32u, threads_ - w * 32);
    warps_[w].lanes = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    warps_[w].whole.mask = warps_[w].lanes;
    warps_[w].whole.arrived = 0;
    warps_[w].parts.clear();
  }
  for (unsigned t = 0; t < threads_; ++t) {
    Fiber& fiber = fibers_[t];
    prepare(fiber.where, stack(t), stack_bytes_, enterFiber);
    fiber.waits_in = nullptr;
    fiber.waits_for = nullptr;
    fiber.ended = false;
    fiber.depth = 0;
    runnable_.insert(t);
  }
  current_ =
      options_.order == order::in_order ? threads_ - 1 : 0;  // so that the first is the first
}

void Machine::runThreads() {
  setThread(choose());
  switch_context(scheduler_, fibers_[current_].where);
}

void Machine::endBlock() {
  if (error_ == cudaSuccess && ended_ < threads_) reportDeadlock();
  if (error_ == cudaSuccess) endAsynchronous();
}

void Machine::enterFiber() {
  Machine& machine = *active;
  machine.in_kernel_ = true;
  machine.body_(machine.body_context_);
  machine.in_kernel_ = false;
  machine.fiber().ended = true;
  ++machine.ended_;
  machine.runnable_.erase(machine.current_);
  machine.switchToNext();
  std::abort();  // an ended fiber is not resumed
}

void Machine::suspend(const char* waits_in, Site waits_at) {
  fiber().waits_in = waits_in;
  fiber().waits_at = waits_at;
  runnable_.erase(current_);
  switchToNext();
}

void Machine::switchToNext() {
  context& from = fibers_[current_].where;
  const unsigned next = choose();
  if (next == current_) return;
  if (next == MAX_THREADS) {
    switch_context(from, scheduler_);
    return;
  }
  setThread(next);
  switch_context(from, fibers_[next].where);
}

void Machine::abandon(cudaError_t error) {
  error_ = error;
  if (delivering_) throw error;  // no fiber runs
  switch_context(fibers_[current_].where, scheduler_);
  std::abort();
}

void Machine::setThread(unsigned thread) {
  current_ = thread;
  if (block_size.y == 1 && block_size.z == 1) {
    thread_index = {thread, 0, 0};
  } else {
    thread_index = {thread % block_size.x, thread / block_size.x % block_size.y,
                    thread / block_size.x / block_size.y};
  }
}

// ---- schedules

unsigned Machine::choose() {
  switch (options_.order) {
    case order::in_order:
      return runnable_.firstFrom(current_ + 1);
    case order::reverse:
      return runnable_.lastBelow(current_);
    case order::random:
      return runnable_.firstFrom(unsigned(random_() % threads_));
    case order::warp_last:
      return runnable_.lastBelow(MAX_THREADS);
  }
  return MAX_THREADS;
}

// ---- barriers and collectives

void Machine::blockBarrier(const void* pc) {
  const Site mine = site(pc);
  if (at_barrier_ == 0) {
    barrier_site_ = mine;
  } else if (inDifferentLines(barrier_site_, mine) &&
             !known(report::kind::divergence, mine, barrier_site_)) {
    find(report::kind::divergence, {mine, barrier_site_},
         "thread " + std::to_string(current_) +
             " waits at this __syncthreads while others wait at that of {1}");
  }
  if (++at_barrier_ < threads_) {
    suspend("__syncthreads", mine);
    return;
  }
  at_barrier_ = 0;
  shadow_.barrier();
  for (unsigned t = 0; t < threads_; ++t) resume(t);
}

Group& Machine::group(Warp& warp, unsigned mask) {
  if (mask == warp.lanes) return warp.whole;
  for (auto& part : warp.parts) {
    if (part->mask == mask) return *part;
  }
  warp.parts.push_back(std::make_unique<Group>());
  warp.parts.back()->mask = mask;
  return *warp.parts.back();
}

static const char* name(collective kind) {
  switch (kind) {
    case collective::shuffle:
      return "__shfl_sync";
    case collective::shuffle_up:
      return "__shfl_up_sync";
    case collective::shuffle_down:
      return "__shfl_down_sync";
    case collective::shuffle_xor:
      return "__shfl_xor_sync";
    case collective::vote:
      return "a vote";
    case collective::reduce:
      return "__reduce_sync";
    case collective::sync:
      return "__syncwarp";
    case collective::instruction:
      break;
  }
  return "";
}

// Waits until all lanes of the group are there; the last one calls `last` with what they brought.
template <class Last>
void Machine::meet(Group& group, std::uint64_t mine, const char* waits_in, Site here, Last last) {
  const unsigned first_lane = current_ / 32 * 32;
  group.slots[group.parity][current_ - first_lane] = mine;
  group.arrived |= 1u << (current_ - first_lane);
  if (group.arrived != group.mask) {
    suspend(waits_in, here);
    return;
  }
  last(group.slots[group.parity]);
  group.arrived = 0;
  group.parity ^= 1;
  for (unsigned l = 0; l < 32; ++l) {
    if (group.mask >> l & 1) resume(first_lane + l);
  }
}

const std::uint64_t* Machine::exchange(collective kind, unsigned mask, std::uint64_t mine,
                                       const void* pc) {
  const Site here = site(pc);
  const unsigned lane = current_ % 32;
  Warp& warp = warps_[current_ / 32];
  mask &= warp.lanes;
  if (!(mask >> lane & 1)) {
    find(report::kind::divergence, {here},
         "thread " + std::to_string(current_) + " calls " + name(kind) +
             " with a mask without its lane");
    abandon(cudaErrorLaunchFailure);
  }
  Group& group = this->group(warp, mask);
  if (group.arrived != 0 && group.kind != kind) suspend(name(kind), here);  // for good: a deadlock
  group.kind = kind;
  const unsigned parity = group.parity;
  meet(group, mine, name(kind), here, [&](const std::uint64_t*) {
    if (kind == collective::sync) shadow_.warpBarrier(current_ / 32, mask);
  });
  return group.slots[parity];
}

void Machine::together(const char* instruction, void* mine, void (*run)(void* const* lanes),
                       const void* pc) {
  const Site here = site(pc);
  Warp& warp = warps_[current_ / 32];
  if (warp.lanes != 0xffffffffu) {
    find(report::kind::divergence, {here},
         "thread " + std::to_string(current_) + " calls " + instruction +
             ", which takes 32 lanes; its warp has fewer");
    abandon(cudaErrorLaunchFailure);
  }
  Group& group = warp.whole;
  if (group.arrived == 0) {
    group.kind = collective::instruction;
    group.instruction = instruction;
    group.first = here;
  } else if (group.kind != collective::instruction ||
             std::strcmp(group.instruction, instruction) != 0) {
    suspend(instruction, here);  // for good: a deadlock
  } else if (inDifferentLines(group.first, here) &&
             !known(report::kind::divergence, here, group.first)) {
    find(report::kind::divergence, {here, group.first},
         "thread " + std::to_string(current_) + " calls this " + instruction +
             " while other lanes of its warp call that of {1}");
  }
  meet(group, reinterpret_cast<std::uint64_t>(mine), instruction, here,
       [&](const std::uint64_t* all) {
         void* lanes[32];
         for (int l = 0; l < 32; ++l) lanes[l] = reinterpret_cast<void*>(all[l]);
         run(lanes);
       });
}

// ---- what goes wrong

std::string ranges(const std::vector<unsigned>& threads) {
  std::string text = threads.size() == 1 ? "thread " : "threads ";
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    if (i > 0) text += ", ";
    text += std::to_string(threads[i]);
    if (last > i) text += "-" + std::to_string(threads[last]);
    i = last + 1;
  }
  return text;
}

void Machine::reportDeadlock() {
  struct Wait {
    const char* in;
    Site at;
    const Mbarrier* barrier;
    std::vector<unsigned> threads;
  };
  std::vector<Wait> waits;
  std::vector<unsigned> ended;
  for (unsigned t = 0; t < threads_; ++t) {
    const Fiber& fiber = fibers_[t];
    if (fiber.ended) {
      ended.push_back(t);
      continue;
    }
    auto same = std::find_if(waits.begin(), waits.end(), [&](const Wait& wait) {
      return wait.in == fiber.waits_in && wait.at == fiber.waits_at &&
             wait.barrier == fiber.waits_for;
    });
    if (same == waits.end())
      same = waits.insert(same, {fiber.waits_in, fiber.waits_at, fiber.waits_for, {}});
    same->threads.push_back(t);
  }
  std::vector<Site> places;
  std::string text = "deadlock in block (" + std::to_string(block_index.x) + ", " +
                     std::to_string(block_index.y) + ", " + std::to_string(block_index.z) + "):";
  for (const Wait& wait : waits) {
    text += std::string(places.empty() ? " " : "; ") + ranges(wait.threads) +
            (wait.threads.size() == 1 ? " waits in " : " wait in ") + wait.in + " at {" +
            std::to_string(places.size()) + "}";
    if (wait.barrier != nullptr) text += " (" + wait.barrier->describe() + ")";
    places.push_back(wait.at);
  }
  if (!ended.empty())
    text += "; " + ranges(ended) + (ended.size() == 1 ? " has ended" : " have ended");
  find(report::kind::deadlock, places, text);
  error_ = cudaErrorLaunchFailure;
}

void Machine::access(std::uintptr_t address, std::uint32_t bytes, enum access kind, const void* pc,
                     std::uint32_t alignment) {
  last_pc_ = pc;
  const Site here = site(pc);
  if (address % alignment != 0) {
    find(report::kind::misaligned, {here},
         accessText(bytes, address) + ", which is not a multiple of " + std::to_string(alignment));
    abandon(cudaErrorMisalignedAddress);
  }
  if (in_shared(address)) {
    const long offset = long(address - reinterpret_cast<std::uintptr_t>(shared_begin));
    if (offset < 0 || std::size_t(offset) + bytes > shape_.smem_bytes) {
      if (!known(report::kind::out_of_bounds, here, {})) {
        find(report::kind::out_of_bounds, {here},
             accessText(bytes, address) + ", byte " + std::to_string(offset) +
                 " of shared memory; the launch has " + std::to_string(shape_.smem_bytes));
      }
      return;
    }
    checkFlight(address, bytes, kind, here);
    if (!checkProxy(std::uint32_t(offset), bytes, kind, here)) return;
  } else if (forbidden(address, bytes)) {
    if (!known(report::kind::out_of_bounds, here, {})) {
      find(report::kind::out_of_bounds, {here},
           accessText(bytes, address) + ", outside every buffer");
    }
    return;
  }
  shadow_.touch(address, bytes, kind, current_, here);
}

// "thread 3 accesses 16 bytes at 0x7f...".
std::string Machine::accessText(std::uint32_t bytes, std::uintptr_t address) const {
  char text[80];
  std::snprintf(text, sizeof(text), "thread %u accesses %u bytes at %#lx", current_, bytes,
                static_cast<unsigned long>(address));
  return text;
}

}  // namespace emulate
