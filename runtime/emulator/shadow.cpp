#include "shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "builtins.h"
#include "findings.h"

namespace emulate {

namespace {

// Zeroed memory that costs nothing until it is touched.
void* reserve(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("tile2cu emulator: shadow memory");
    std::abort();
  }
  return memory;
}

constexpr unsigned SITES = 1 << 16;

const char* presentTense(access kind) {
  switch (kind) {
    case access::read:
    case access::fragment_read:
    case access::volatile_read:
      return "reads";
    case access::read_only:
      return "reads (read-only)";
    case access::write:
      return "writes";
    case access::atomic:
      return "updates atomically";
  }
  return "";
}

// "shared memory, byte 12" or "global memory, 0x7f...".
std::string where(std::uintptr_t address) {
  char text[64];
  if (in_shared(address)) {
    std::snprintf(text, sizeof(text), "shared memory, byte %ld",
                  long(address - reinterpret_cast<std::uintptr_t>(shared_begin)));
  } else {
    std::snprintf(text, sizeof(text), "global memory, %#lx", static_cast<unsigned long>(address));
  }
  return text;
}

std::string thisBlock() {
  char text[64];
  std::snprintf(text, sizeof(text), "block (%u, %u, %u)", block_index.x, block_index.y,
                block_index.z);
  return text;
}

}  // namespace

// ---- time

void Shadow::beginLaunch(Checks checks) {
  checks_ = checks;
  ++launch_;
  first_of_launch_ = ++epoch_;
  released_at_.clear();
  blocks_.clear();
  sites_.assign(SITES, Site{});
}

void Shadow::beginBlock(Block block) {
  block_ = block;
  first_of_block_ = ++epoch_;
  blocks_.push_back(first_of_block_);
  fenced_.clear();
  acquired_.clear();
  acquired_before_ = {};
  acquired_epoch_ = epoch_;
  const unsigned warps = (block.threads + 31) / 32;
  clocks_.resize(std::size_t{warps} * 32 * 32);
  warp_synced_.resize(warps);
  wide_ = false;
  for (unsigned warp = 0; warp < warps; ++warp) resetClocks(warp);
}

void Shadow::barrier() {
  ++epoch_;
  if (wide_) return resetWide();
  for (unsigned warp = 0; warp < warp_synced_.size(); ++warp) {
    if (warp_synced_[warp]) resetClocks(warp);
  }
}

void Shadow::resetClocks(unsigned warp) {
  warp_synced_[warp] = false;
  std::fill_n(&clock(warp * 32, 0), 32 * 32, std::uint16_t{0});
  for (unsigned l = 0; l < 32; ++l) clock(warp * 32 + l, l) = 1;
}

void Shadow::tick(unsigned thread) {
  std::uint16_t& own = wide_ ? wide(thread)[thread] : clock(thread, thread % 32);
  if (own < 0xffff) ++own;
}

void Shadow::warpBarrier(unsigned warp, unsigned mask) {
  if (wide_) {
    Clock all;
    for (unsigned l = 0; l < 32; ++l) {
      if (mask >> l & 1) release(warp * 32 + l, all);
    }
    for (unsigned l = 0; l < 32; ++l) {
      if (mask >> l & 1) acquire(warp * 32 + l, all);
    }
    return;
  }
  warp_synced_[warp] = true;
  std::uint16_t joined[32] = {};
  for (unsigned l = 0; l < 32; ++l) {
    if (!(mask >> l & 1)) continue;
    for (unsigned o = 0; o < 32; ++o) joined[o] = std::max(joined[o], clock(warp * 32 + l, o));
  }
  for (unsigned l = 0; l < 32; ++l) {
    if (!(mask >> l & 1)) continue;
    std::copy_n(joined, 32, &clock(warp * 32 + l, 0));
    tick(warp * 32 + l);
  }
}

// ---- clocks of the whole block

void Shadow::resetWide() {
  wide_clocks_.assign(std::size_t{width()} * width(), 0);
  for (unsigned t = 0; t < width(); ++t) wide(t)[t] = 1;
}

void Shadow::widen() {
  if (wide_) return;
  wide_ = true;
  resetWide();
  for (unsigned t = 0; t < block_.threads; ++t) {
    const unsigned first = t / 32 * 32;
    for (unsigned o = first; o < std::min(first + 32, block_.threads); ++o) {
      wide(t)[o] = clock(t, o % 32);
    }
  }
}

void Shadow::release(unsigned thread, Clock& to) {
  widen();
  if (to.epoch != epoch_) to = {epoch_, std::vector<std::uint16_t>(width())};
  const std::uint16_t* const mine = wide(thread);
  for (unsigned o = 0; o < width(); ++o) to.ticks[o] = std::max(to.ticks[o], mine[o]);
  tick(thread);
}

void Shadow::Clock::join(const Clock& other) {
  if (other.epoch < epoch) return;
  if (other.epoch > epoch) {
    *this = other;
    return;
  }
  for (std::size_t o = 0; o < ticks.size(); ++o) ticks[o] = std::max(ticks[o], other.ticks[o]);
}

void Shadow::acquire(unsigned thread, const Clock& from) {
  if (from.epoch != epoch_) return;  // a barrier of the block has come since, or nobody released
  widen();
  std::uint16_t* const mine = wide(thread);
  for (unsigned o = 0; o < width(); ++o) mine[o] = std::max(mine[o], from.ticks[o]);
}

std::string Shadow::name(unsigned thread) const {
  if (thread < block_.threads) return "thread " + std::to_string(thread);
  const unsigned agent = thread - block_.threads;
  return (agent < warps() ? "an asynchronous copy of warp " : "a wgmma of warp ") +
         std::to_string(agent % warps());
}

bool Shadow::ordered(const Record& earlier, const Record& mine) const {
  if (earlier.thread == mine.thread) return true;
  if (wide_) return earlier.clock <= wide(mine.thread)[earlier.thread];
  if (earlier.thread / 32 != mine.thread / 32) return false;
  return earlier.clock <= clock(mine.thread, earlier.thread % 32);
}

// ---- fences between blocks

// What was acquired ahead of a barrier of the block is known to all its threads.
void Shadow::settleAcquired() {
  if (acquired_epoch_ == epoch_) return;
  acquired_epoch_ = epoch_;
  for (const auto& [by, entries] : acquired_) acquired_before_.join(entries.back().all);
  acquired_.clear();
}

void Shadow::acquire(const Record& by, const Knowledge& what) {
  std::vector<Acquired>& entries = acquired_[by.thread];
  Knowledge all = entries.empty() ? Knowledge() : entries.back().all;
  all.join(what);
  if (!entries.empty() && entries.back().clock == by.clock)
    entries.back().all = std::move(all);
  else
    entries.push_back({by.clock, std::move(all)});
}

// The last entry of thread `by` in this epoch that is ordered before `mine`. It holds all earlier
// entries.
const Shadow::Acquired* Shadow::latestAcquired(unsigned by, const Record& mine) const {
  const auto found = acquired_.find(by);
  if (found == acquired_.end()) return nullptr;
  const std::vector<Acquired>& entries = found->second;
  const auto behind =
      std::partition_point(entries.begin(), entries.end(), [&](const Acquired& each) {
        return ordered({epoch_, std::uint16_t(by), 0, each.clock, 0}, mine);
      });
  return behind == entries.begin() ? nullptr : &*std::prev(behind);
}

void Shadow::fence(unsigned thread) {
  settleAcquired();
  Fenced& mine = fenced_[thread];
  Done done;
  done.epoch = epoch_;
  done.clocks.resize(block_.threads);
  for (unsigned t = 0; t < block_.threads; ++t) {
    if (wide_)
      done.clocks[t] = wide(thread)[t];
    else if (t / 32 == thread / 32)
      done.clocks[t] = clock(thread, t % 32);
  }
  // What it saw before is acquired now, and released with its own.
  const Record here = {epoch_, std::uint16_t(thread), 0, now(thread), 0};
  if (!mine.seen.isEmpty()) acquire(here, std::exchange(mine.seen, {}));
  mine.released = acquired_before_;
  for (const auto& [by, entries] : acquired_)
    if (const Acquired* known = latestAcquired(by, here)) mine.released.join(known->all);
  mine.released.join({block_number(), std::move(done)});
  // What follows is not in it.
  warp_synced_[thread / 32] = true;
  tick(thread);
}

void Shadow::atomic(std::uintptr_t address, unsigned thread) {
  if (auto known = released_at_.find(address); known != released_at_.end())
    fenced_[thread].seen.join(known->second);
  const auto mine = fenced_.find(thread);
  if (mine != fenced_.end() && !mine->second.released.isEmpty())
    released_at_[address].join(mine->second.released);
}

bool Shadow::acquired(const Record& earlier, const Record& mine) const {
  const auto behind = std::upper_bound(blocks_.begin(), blocks_.end(), earlier.epoch);
  if (behind == blocks_.begin()) return false;
  const unsigned block = unsigned(behind - blocks_.begin()) - 1;
  auto holds = [&](const Knowledge& known) {
    const Done* done = known.of(block);
    if (done == nullptr || earlier.epoch > done->epoch) return false;
    return earlier.epoch < done->epoch ||
           (earlier.thread < done->clocks.size() && earlier.clock <= done->clocks[earlier.thread]);
  };
  if (holds(acquired_before_)) return true;
  for (const auto& [by, entries] : acquired_) {
    if (acquired_epoch_ != epoch_) {
      if (holds(entries.back().all)) return true;
    } else if (const Acquired* known = latestAcquired(by, mine); known && holds(known->all)) {
      return true;
    }
  }
  return false;
}

// ---- accesses

void Shadow::touch(std::uintptr_t address, std::uint32_t bytes, access kind, unsigned thread,
                   Site site) {
  const Record mine = {epoch_, std::uint16_t(thread), intern(site), now(thread),
                       kind == access::atomic || kind == access::volatile_read};
  const std::uintptr_t end = address + bytes;
  while (address < end) {
    Page& here = page(address);
    const std::uintptr_t stop = std::min(end, (address | (PAGE - 1)) + 1);
    while (address < stop) {
      if (address % 4 == 0 && stop - address >= 4) {
        touchWord(here, address, mine, kind);
        address += 4;
      } else {
        touchByte(here, address, mine, kind);
        ++address;
      }
    }
  }
}

Shadow::Page& Shadow::page(std::uintptr_t address) {
  const std::uintptr_t number = address / PAGE;
  auto& recent = recent_[number % RECENT];
  if (recent.page == nullptr || recent.number != number) {
    Page*& found = pages_[number];
    if (found == nullptr) found = static_cast<Page*>(reserve(sizeof(Page)));
    recent = {number, found};
  }
  return *recent.page;
}

void Shadow::touchWord(Page& here, std::uintptr_t address, const Record& mine, access kind) {
  Cell& word = here.words[address % PAGE / 4];
  if (word.split != launch_) {
    check(word, address, mine, kind);
    remember(word, mine, kind);
    return;
  }
  for (unsigned b = 0; b < 4; ++b) touchByte(here, address + b, mine, kind);
}

void Shadow::touchByte(Page& here, std::uintptr_t address, const Record& mine, access kind) {
  if (here.bytes == nullptr) here.bytes = static_cast<Cell*>(reserve(PAGE * sizeof(Cell)));
  Cell& word = here.words[address % PAGE / 4];
  if (word.split != launch_) {
    word.split = launch_;
    std::fill_n(&here.bytes[address % PAGE / 4 * 4], 4, word);
  }
  Cell& byte = here.bytes[address % PAGE];
  check(byte, address, mine, kind);
  remember(byte, mine, kind);
}

void Shadow::check(Cell& cell, std::uintptr_t address, const Record& mine, access kind) {
  const bool writes = kind == access::write || kind == access::atomic;
  const bool is_same_store = kind == access::write && !cell.write.atomic &&
                             cell.write.site == mine.site && !in_shared(address);
  if (cell.write.epoch >= first_of_launch_ && (checks_.races_of_one_store || !is_same_store)) {
    conflict(cell.write, cell.write.atomic ? "updated it atomically" : "wrote it", address, mine,
             kind);
  }
  if (writes) {
    for (const Record* read : {&cell.last_read, &cell.other_lane_read, &cell.other_warp_read}) {
      if (read->epoch >= first_of_launch_) conflict(*read, "read it", address, mine, kind);
    }
  }
  // The read-only path: no write at all in the launch, by whomever and in whatever order.
  const Record* other = kind == access::read_only ? &cell.write
                        : writes                  ? &cell.read_only
                                                  : nullptr;
  if (other != nullptr && other->epoch >= first_of_launch_) {
    const Site reader = sites_[writes ? other->site : mine.site];
    const Site writer = sites_[writes ? mine.site : other->site];
    if (!known(report::kind::read_only, reader, writer)) {
      find(report::kind::read_only, {reader, writer},
           "read-only load of memory that the same launch writes at {1} (" + where(address) +
               "; use cache::coherent); " + thisBlock());
    }
  }
  if (checks_.uninitialized && !writes && kind != access::fragment_read &&
      cell.write.epoch < first_of_block_ && in_shared(address) &&
      !known(report::kind::uninitialized, sites_[mine.site], {})) {
    find(report::kind::uninitialized, {sites_[mine.site]},
         name(mine.thread) + " reads " + where(address) + ", which the block has not written; " +
             thisBlock());
  }
}

void Shadow::conflict(const Record& earlier, const char* did, std::uintptr_t address,
                      const Record& mine, access kind) {
  if (earlier.atomic && (kind == access::atomic || kind == access::volatile_read)) return;
  const Site here = sites_[mine.site], there = sites_[earlier.site];
  if (earlier.epoch >= first_of_block_) {
    if (earlier.epoch != epoch_ || ordered(earlier, mine) || acquired(earlier, mine)) return;
    if (known(report::kind::race, here, there)) return;
    const bool same_warp = earlier.thread / 32 == mine.thread / 32;
    find(report::kind::race, {here, there},
         "race in " + where(address) + ": " + name(mine.thread) + " " + presentTense(kind) +
             " it here, " + name(earlier.thread) + " " + did + " at {1}, and no barrier" +
             (same_warp ? " or __syncwarp" : "") + " comes between; " + thisBlock());
  } else if (checks_.races_between_blocks && !in_shared(address) && !acquired(earlier, mine)) {
    if (known(report::kind::race_between_blocks, here, there)) return;
    find(report::kind::race_between_blocks, {here, there},
         "race between blocks in " + where(address) + ": " + name(mine.thread) + " of " +
             thisBlock() + " " + presentTense(kind) + " it here, " + name(earlier.thread) +
             " of another block " + did + " at {1}");
  }
}

void Shadow::remember(Cell& cell, const Record& mine, access kind) {
  if (kind == access::write) {
    cell.write = mine;
  } else if (kind == access::atomic) {
    // A plain write of this thread before its atomic stays in sight: other threads' atomics race
    // with it.
    const bool keep =
        cell.write.epoch == epoch_ && cell.write.thread == mine.thread && !cell.write.atomic;
    if (!keep) cell.write = mine;
  } else {
    if (kind == access::read_only) cell.read_only = mine;
    Record& last = cell.last_read;
    if (last.epoch == epoch_ && last.thread != mine.thread) {
      if (last.thread / 32 == mine.thread / 32) {
        cell.other_lane_read = last;
      } else {
        const Record other = cell.other_warp_read;
        const bool own_warp = other.epoch == epoch_ && other.thread / 32 == mine.thread / 32 &&
                              other.thread != mine.thread;
        cell.other_lane_read = own_warp ? other : Record{};
        cell.other_warp_read = last;
      }
    } else if (last.epoch >= first_of_launch_ && last.epoch < first_of_block_) {
      cell.other_warp_read = last;  // keeps a reader of another block while there is room
    }
    last = mine;
  }
}

std::uint16_t Shadow::intern(Site site) {
  const auto hash = reinterpret_cast<std::uintptr_t>(site.pc) * 0x9E3779B97F4A7C15u +
                    reinterpret_cast<std::uintptr_t>(site.caller);
  unsigned slot = unsigned(hash >> 40) % SITES;
  for (unsigned tries = 0; tries < SITES; ++tries, slot = (slot + 1) % SITES) {
    if (sites_[slot] == site) return std::uint16_t(slot);
    if (sites_[slot].pc == nullptr) {
      sites_[slot] = site;
      return std::uint16_t(slot);
    }
  }
  return std::uint16_t(hash % SITES);  // more places than slots: some line is wrong
}

}  // namespace emulate
