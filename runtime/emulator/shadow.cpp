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

// Zeroed memory, which the system allocates page by page when it is first used.
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
    case access::unchecked_read:
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

void Shadow::beginLaunch(Checks checks) {
  checks_ = checks;
  ++launch_;
  sites_.assign(SITES, Site{});
}

void Shadow::touch(std::uintptr_t address, std::uint32_t bytes, access kind, unsigned thread,
                   Site site) {
  const Record mine = {clocks_.epoch(), std::uint16_t(thread), intern(site), clocks_.now(thread),
                       kind == access::atomic || kind == access::volatile_read};
  const std::uintptr_t end = address + bytes;
  if (kind == access::read && !objects_.empty()) {
    const std::uintptr_t padding = endOfMembers(address, bytes);
    if (padding < end) {
      touch(address, std::uint32_t(padding - address), kind, thread, site);
      touch(padding, std::uint32_t(end - padding), access::unchecked_read, thread, site);
      return;
    }
  }
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

void Shadow::wroteObject(std::uintptr_t address, std::uint32_t bytes) {
  if (!checks_.uninitialized || !in_shared(address)) return;
  std::uint32_t& longest = objects_[address];
  longest = std::max(longest, bytes);
}

std::uintptr_t Shadow::endOfMembers(std::uintptr_t address, std::uint32_t bytes) const {
  const auto object = objects_.find(address);
  if (object == objects_.end()) return address + bytes;
  // The size of a struct is a multiple of its alignment, which is that of one of its members.
  const std::uint32_t members = object->second;
  for (std::uint32_t alignment = 2; alignment <= std::min(16u, members); alignment *= 2) {
    if ((members + alignment - 1) / alignment * alignment == bytes) return address + members;
  }
  return address + bytes;
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
  if (cell.write.epoch >= clocks_.firstOfLaunch() &&
      (checks_.races_of_one_store || !is_same_store)) {
    conflict(cell.write, cell.write.atomic ? "updated it atomically" : "wrote it", address, mine,
             kind);
  }
  if (writes) {
    for (const Record* read : {&cell.last_read, &cell.other_lane_read, &cell.other_warp_read}) {
      if (read->epoch >= clocks_.firstOfLaunch()) conflict(*read, "read it", address, mine, kind);
    }
  }
  if (kind == access::read_only) checkReadOnly(cell.write, address, mine, writes);
  if (writes) checkReadOnly(cell.read_only, address, mine, writes);
  if (checks_.uninitialized && !writes && kind != access::unchecked_read &&
      cell.write.epoch < clocks_.firstOfBlock() && in_shared(address) &&
      !isKnown(report::kind::uninitialized, sites_[mine.site], {})) {
    addFinding(report::kind::uninitialized, {sites_[mine.site]},
               clocks_.name(mine.thread) + " reads " + where(address) +
                   ", which the block has not written; " + thisBlock());
  }
}

// The read-only path requires that the launch does not write the memory at all, in whatever order.
void Shadow::checkReadOnly(const Record& other, std::uintptr_t address, const Record& mine,
                           bool writes) {
  if (other.epoch < clocks_.firstOfLaunch()) return;
  const Site reader = sites_[writes ? other.site : mine.site];
  const Site writer = sites_[writes ? mine.site : other.site];
  if (isKnown(report::kind::read_only, reader, writer)) return;
  addFinding(report::kind::read_only, {reader, writer},
             "read-only load of memory that the same launch writes at {1} (" + where(address) +
                 "; use cache::coherent); " + thisBlock());
}

void Shadow::conflict(const Record& earlier, const char* did, std::uintptr_t address,
                      const Record& mine, access kind) {
  if (earlier.atomic && (kind == access::atomic || kind == access::volatile_read)) return;
  const Site here = sites_[mine.site], there = sites_[earlier.site];
  if (earlier.epoch >= clocks_.firstOfBlock()) {
    if (earlier.epoch != mine.epoch ||
        clocks_.ordered(earlier.thread, earlier.clock, mine.thread) || acquired(earlier, mine))
      return;
    if (isKnown(report::kind::race, here, there)) return;
    const bool same_warp = earlier.thread / 32 == mine.thread / 32;
    addFinding(report::kind::race, {here, there},
               "race in " + where(address) + ": " + clocks_.name(mine.thread) + " " +
                   presentTense(kind) + " it here, " + clocks_.name(earlier.thread) + " " + did +
                   " at {1}, and no barrier" + (same_warp ? " or __syncwarp" : "") +
                   " comes between; " + thisBlock());
  } else if (checks_.races_between_blocks && !in_shared(address) && !acquired(earlier, mine)) {
    if (isKnown(report::kind::race_between_blocks, here, there)) return;
    addFinding(report::kind::race_between_blocks, {here, there},
               "race between blocks in " + where(address) + ": " + clocks_.name(mine.thread) +
                   " of " + thisBlock() + " " + presentTense(kind) + " it here, " +
                   clocks_.name(earlier.thread) + " of another block " + did + " at {1}");
  }
}

void Shadow::remember(Cell& cell, const Record& mine, access kind) {
  if (kind == access::write) {
    cell.write = mine;
  } else if (kind == access::atomic) {
    // A plain write of this thread before its atomic is kept, because other threads' atomics race
    // with it.
    const bool keep =
        cell.write.epoch == mine.epoch && cell.write.thread == mine.thread && !cell.write.atomic;
    if (!keep) cell.write = mine;
  } else {
    if (kind == access::read_only) cell.read_only = mine;
    Record& last = cell.last_read;
    if (last.epoch == mine.epoch && last.thread != mine.thread) {
      if (last.thread / 32 == mine.thread / 32) {
        cell.other_lane_read = last;
      } else {
        const Record other = cell.other_warp_read;
        const bool own_warp = other.epoch == mine.epoch && other.thread / 32 == mine.thread / 32 &&
                              other.thread != mine.thread;
        cell.other_lane_read = own_warp ? other : Record{};
        cell.other_warp_read = last;
      }
    } else if (last.epoch >= clocks_.firstOfLaunch() && last.epoch < clocks_.firstOfBlock()) {
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
  return std::uint16_t(hash % SITES);  // more sites than slots: some reports name a wrong line
}

}  // namespace emulate
