#include "tma_unit.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "builtins.h"
#include "findings.h"

namespace emulate {

namespace {

// The elements of a box in global memory.
std::vector<unsigned char> gather(const BoxCopy& copy) {
  std::vector<unsigned char> elements(copy.map.boxBytes());
  for (unsigned r = 0; r < copy.map.rows(); ++r) {
    const TensorMap::Row row = copy.map.row(copy.corner, r);
    if (row.global == nullptr) continue;
    std::memcpy(&elements[r * copy.map.rowBytes() + row.begin * copy.map.element], row.global,
                std::size_t(row.end - row.begin) * copy.map.element);
  }
  return elements;
}

// Calls move(offset in shared memory, offset in `elements`) for every chunk of the box.
template <class Move>
void forChunks(const BoxCopy& copy, Move move) {
  for (std::uint32_t at = 0; at < copy.map.boxBytes(); at += AsyncProxy::CHUNK) {
    move(swizzled(copy.offset + at, copy.map.swizzle), at);
  }
}

// Why the hardware (observed on H200) raises an illegal instruction error; null if it does not.
const char* illegal(const BoxCopy& copy, bool loads) {
  if (std::int64_t{copy.corner[0]} * copy.map.element % 16 != 0)
    return " has a first coordinate that is not at a multiple of 16 bytes";
  for (int d = 0; d < copy.map.rank && !loads; ++d)
    if (copy.corner[d] < 0) return " has a negative coordinate, which only loads may have";
  return nullptr;
}

// The end of what a store writes of a row: the hardware writes whole chunks of 16 bytes.
std::int64_t writtenEnd(const TensorMap& map, const TensorMap::Row& row) {
  const std::int64_t chunk = 16 / map.element;
  const std::int64_t end = (row.end + chunk - 1) / chunk * chunk;
  return std::min<std::int64_t>(end, map.box[0]);
}

// The bytes that one row of a box writes to global memory, at [begin, end).
struct Bytes {
  const unsigned char *begin, *end, *values;
};

}  // namespace

void TmaUnit::beginBlock() {
  loads_.clear();
  next_load_ = 0;
  stores_.assign(context_.threads(), Stores{});
}

void TmaUnit::endBlock() {
  for (const auto& [id, load] : loads_) {
    addFinding(report::kind::asynchronous, {load.site},
               "the block ends before the bytes of this tma_load have been waited for");
  }
  for (Stores& stores : stores_) {
    for (BoxCopy& store : stores.all) {
      if (!store.read) {
        addFinding(report::kind::asynchronous, {store.site},
                   "the block ends before this tma_store has read its box (tma_store_wait_read)");
        read(store);
      }
      write(store);
    }
  }
}

// ---- starting a copy

BoxCopy TmaUnit::prepare(const CUtensorMap& map, const void* box, std::initializer_list<int> corner,
                         bool loads, const void* pc) {
  memory_.requireShared(box, pc);
  context_.setLastAccess(pc);
  const char* const what = loads ? "tma_load" : "tma_store";
  BoxCopy copy;
  copy.map = TensorMap::of(map);
  copy.site = context_.site(pc);
  copy.thread = context_.thread();
  copy.offset = sharedOffset(box);
  const std::string who = std::string(what) + " of " + context_.threadText();
  checkCopy(copy, corner.size(), who);
  std::copy(corner.begin(), corner.end(), copy.corner);
  if (const char* why = illegal(copy, loads))
    context_.fail(report::kind::misaligned, copy.site, who + why);
  beginUse(copy, loads, what);
  return copy;
}

void TmaUnit::checkCopy(const BoxCopy& copy, std::size_t coordinates, const std::string& who) {
  if (copy.map.magic != TensorMap::MAGIC) {
    context_.fail(report::kind::out_of_bounds, copy.site,
                  who + " has a map that make_tensor_map has not made");
  }
  if (coordinates != copy.map.rank) {
    context_.fail(report::kind::out_of_bounds, copy.site,
                  who + " has " + std::to_string(coordinates) + " coordinates, its tensor " +
                      std::to_string(copy.map.rank));
  }
  if (copy.offset % 128 != 0) {
    context_.fail(report::kind::misaligned, copy.site,
                  who + " has its box at byte " + std::to_string(copy.offset) +
                      " of shared memory, which is not a multiple of 128",
                  cudaErrorMisalignedAddress);
  }
}

// The agent of the thread's warp begins to use both memories, after all that the thread has done.
void TmaUnit::beginUse(BoxCopy& copy, bool loads, const char* what) {
  ThreadClocks& clocks = memory_.clocks();
  const unsigned agent = clocks.copyAgent(context_.thread());
  ThreadClocks::Clock start;
  clocks.release(context_.thread(), start);
  clocks.acquire(agent, start);
  memory_.beginAsyncShared(agent, copy.offset, copy.map.boxBytes(),
                           loads ? access::write : access::read, what, copy.site);
  for (unsigned r = 0; r < copy.map.rows(); ++r) {
    const TensorMap::Row row = copy.map.row(copy.corner, r);
    if (row.global == nullptr) continue;
    const std::int64_t end = loads ? row.end : writtenEnd(copy.map, row);
    memory_.asyncGlobal(agent, row.global, std::uint32_t(end - row.begin) * copy.map.element,
                        !loads, what, copy.site);
  }
  clocks.release(agent, copy.clock);
}

// ---- loads

void TmaUnit::startLoad(void* box, const CUtensorMap& map, void* full,
                        std::initializer_list<int> corner, const void* pc) {
  Mbarrier& barrier = mbarriers_.at(full, pc);
  BoxCopy load = prepare(map, box, corner, true, pc);
  load.elements = gather(load);
  beginLoad(std::move(load), barrier);
}

void TmaUnit::beginLoad(BoxCopy load, Mbarrier& barrier) {
  const unsigned id = next_load_++;
  const Site here = load.site;
  loads_.emplace(id, std::move(load));
  mbarriers_.begin(barrier, {this, id}, here);
}

TransactionSource::Completed TmaUnit::complete(unsigned id) {
  const auto found = loads_.find(id);
  const BoxCopy& load = found->second;
  context_.setLastAccess(load.site.pc);
  const std::vector<unsigned char> now = gather(load);
  if (now != load.elements && !isKnown(report::kind::asynchronous, load.site, {})) {
    addFinding(report::kind::asynchronous, {load.site},
               "the global memory that this tma_load of thread " + std::to_string(load.thread) +
                   " reads changes before somebody waits for it");
  }
  forChunks(load, [&](std::uint32_t offset, std::uint32_t at) {
    std::memcpy(shared_begin + offset, &now[at], AsyncProxy::CHUNK);
    memory_.asyncProxy().endWrite(offset);
  });
  const Completed completed = {load.map.boxBytes(), load.clock};
  loads_.erase(found);
  return completed;
}

BoxCopy TmaUnit::loadForPartner(void* box, const CUtensorMap& map,
                                std::initializer_list<int> corner, Site here) {
  BoxCopy load;
  load.map = TensorMap::of(map);
  load.site = here;
  load.thread = context_.thread();
  load.offset = sharedOffset(box);
  std::copy(corner.begin(), corner.end(), load.corner);
  load.elements = gather(load);
  return load;
}

void TmaUnit::receiveLoad(BoxCopy load, const ThreadClocks::Clock& known, Mbarrier& barrier) {
  ThreadClocks& clocks = memory_.clocks();
  const unsigned agent = clocks.copyAgent(load.thread);
  ThreadClocks::Clock unused;
  clocks.release(agent, unused);  // agents have clocks from here on
  clocks.acquire(agent, known);
  memory_.beginAsyncShared(agent, load.offset, load.map.boxBytes(), access::write,
                           "tma_load_multicast", load.site);
  load.clock = {};
  clocks.release(agent, load.clock);
  beginLoad(std::move(load), barrier);
}

// ---- stores

void TmaUnit::startStore(const CUtensorMap& map, const void* box, std::initializer_list<int> corner,
                         const void* pc) {
  Stores& mine = stores_[context_.thread()];
  mine.all.push_back(prepare(map, box, corner, false, pc));
  checkOrder(mine.all.back());
  ++mine.open;
  if (!context_.late()) read(mine.all.back());
}

std::vector<unsigned char> TmaUnit::elementsOf(const BoxCopy& store) const {
  if (store.read) return store.elements;
  std::vector<unsigned char> elements(store.map.boxBytes());
  forChunks(store, [&](std::uint32_t offset, std::uint32_t at) {
    std::memcpy(&elements[at], shared_begin + offset, AsyncProxy::CHUNK);
  });
  return elements;
}

// Stores have no order unless one is waited for (tma_store_wait) before the other begins. It does
// not matter where both write the same.
void TmaUnit::checkOrder(const BoxCopy& store) {
  const auto rowsOf = [](const BoxCopy& copy, const std::vector<unsigned char>& elements) {
    std::vector<Bytes> rows;
    for (unsigned r = 0; r < copy.map.rows(); ++r) {
      const TensorMap::Row row = copy.map.row(copy.corner, r);
      if (row.global == nullptr) continue;
      const std::int64_t count = writtenEnd(copy.map, row) - row.begin;
      rows.push_back({row.global, row.global + count * copy.map.element,
                      &elements[r * copy.map.rowBytes() + row.begin * copy.map.element]});
    }
    return rows;
  };
  const std::vector<unsigned char> elements = elementsOf(store);
  const std::vector<Bytes> rows = rowsOf(store, elements);
  const auto differs = [&](const Bytes& other) {
    return std::any_of(rows.begin(), rows.end(), [&](const Bytes& row) {
      const unsigned char* const begin = std::max(row.begin, other.begin);
      const unsigned char* const end = std::min(row.end, other.end);
      return begin < end && std::memcmp(row.values + (begin - row.begin),
                                        other.values + (begin - other.begin), end - begin) != 0;
    });
  };
  for (const Stores& each : stores_) {
    for (const BoxCopy& earlier : each.all) {
      if (&earlier == &store) continue;
      const std::vector<unsigned char> others = elementsOf(earlier);
      const std::vector<Bytes> written = rowsOf(earlier, others);
      if (!std::any_of(written.begin(), written.end(), differs)) continue;
      if (isKnown(report::kind::asynchronous, store.site, {})) return;
      addFinding(report::kind::asynchronous, {store.site},
                 "this tma_store writes other values where one of thread " +
                     std::to_string(earlier.thread) + " may not have written yet (tma_store_wait)");
      return;
    }
  }
}

void TmaUnit::read(BoxCopy& store) {
  if (store.read) return;
  store.read = true;
  store.elements.resize(store.map.boxBytes());
  forChunks(store, [&](std::uint32_t offset, std::uint32_t at) {
    std::memcpy(&store.elements[at], shared_begin + offset, AsyncProxy::CHUNK);
    memory_.asyncProxy().endRead(offset);
  });
}

void TmaUnit::write(const BoxCopy& store) {
  context_.setLastAccess(store.site.pc);
  for (unsigned r = 0; r < store.map.rows(); ++r) {
    const TensorMap::Row row = store.map.row(store.corner, r);
    if (row.global == nullptr) continue;
    std::memcpy(row.global,
                &store.elements[r * store.map.rowBytes() + row.begin * store.map.element],
                std::size_t(writtenEnd(store.map, row) - row.begin) * store.map.element);
  }
}

void TmaUnit::commitStores() {
  Stores& mine = stores_[context_.thread()];
  mine.groups.push_back(mine.open);
  mine.open = 0;
}

void TmaUnit::waitForStores(unsigned pending, bool written) {
  Stores& mine = stores_[context_.thread()];
  if (mine.groups.size() <= pending) return;
  unsigned count = 0;  // of stores in the groups that are waited for
  for (std::size_t g = 0; g + pending < mine.groups.size(); ++g) count += mine.groups[g];
  for (unsigned i = 0; i < count; ++i) {
    read(mine.all[i]);
    memory_.clocks().acquire(context_.thread(), mine.all[i].clock);
  }
  if (!written) return;
  for (; count > 0; --count) {
    write(mine.all.front());
    mine.all.pop_front();
  }
  while (mine.groups.size() > pending) mine.groups.pop_front();
}

}  // namespace emulate
