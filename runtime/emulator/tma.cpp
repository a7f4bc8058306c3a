#include "tma.h"

#include <algorithm>
#include <cstring>

#include "findings.h"
#include "machine.h"
#include "tile2cu/emulator/tma_ptx.h"

namespace emulate {

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

namespace {

// Calls move(place in shared memory, place in `elements`) for every chunk of the box.
template <class Move>
void forChunks(const BoxCopy& copy, Move move) {
  for (std::uint32_t at = 0; at < copy.map.boxBytes(); at += AsyncProxy::CHUNK) {
    move(swizzled(copy.offset + at, copy.map.swizzle), at);
  }
}

// Why the hardware (seen on H200) takes the copy for an illegal instruction; null if it does not.
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

}  // namespace

BoxCopy Machine::prepareBox(const CUtensorMap& map, const void* box,
                            std::initializer_list<int> corner, const char* what, const void* pc) {
  requireShared(box, pc);
  last_pc_ = pc;
  BoxCopy copy;
  copy.map = TensorMap::of(map);
  copy.site = site(pc);
  copy.thread = current_;
  copy.offset = sharedOffset(box);
  const std::string who = std::string(what) + " of thread " + std::to_string(current_);
  if (copy.map.magic != TensorMap::MAGIC || corner.size() != copy.map.rank) {
    find(report::kind::out_of_bounds, {copy.site},
         copy.map.magic != TensorMap::MAGIC
             ? who + " has a map that make_tensor_map has not made"
             : who + " has " + std::to_string(corner.size()) + " coordinates, its tensor " +
                   std::to_string(copy.map.rank));
    abandon(cudaErrorLaunchFailure);
  }
  if (copy.offset % 128 != 0) {
    find(report::kind::misaligned, {copy.site},
         who + " has its box at byte " + std::to_string(copy.offset) +
             " of shared memory, which is not a multiple of 128");
    abandon(cudaErrorMisalignedAddress);
  }
  std::copy(corner.begin(), corner.end(), copy.corner);
  const bool loads = std::strcmp(what, "tma_load") == 0;
  if (const char* why = illegal(copy, loads)) {
    find(report::kind::misaligned, {copy.site}, who + why);
    abandon(cudaErrorLaunchFailure);
  }
  const unsigned agent = shadow_.copyAgent(current_);
  Shadow::Clock start;
  shadow_.release(current_, start);
  shadow_.acquire(agent, start);
  useShared(agent, copy.offset, copy.map.boxBytes(), loads ? access::write : access::read, what,
            copy.site);
  for (unsigned r = 0; r < copy.map.rows(); ++r) {
    const TensorMap::Row row = copy.map.row(copy.corner, r);
    if (row.global == nullptr) continue;
    const std::int64_t end = loads ? row.end : writtenEnd(copy.map, row);
    useGlobal(agent, row.global, std::uint32_t(end - row.begin) * copy.map.element, !loads, what,
              copy.site);
  }
  shadow_.release(agent, copy.clock);
  return copy;
}

void Machine::startLoad(void* box, const CUtensorMap& map, void* full,
                        std::initializer_list<int> corner, const void* pc) {
  Mbarrier& barrier = barrierAt(full, pc);
  BoxCopy load = prepareBox(map, box, corner, "tma_load", pc);
  load.elements = gather(load);
  const unsigned id = boxes_.next_load++;
  const Site here = load.site;
  boxes_.loads.emplace(id, std::move(load));
  barrier.loads.push_back(id);
  if (!late()) landLoad(barrier, id);
  settle(barrier, false, here);
}

void Machine::landLoad(Mbarrier& barrier, unsigned id) {
  const auto found = boxes_.loads.find(id);
  const BoxCopy& load = found->second;
  last_pc_ = load.site.pc;
  const std::vector<unsigned char> now = gather(load);
  if (now != load.elements && !known(report::kind::asynchronous, load.site, {})) {
    find(report::kind::asynchronous, {load.site},
         "the global memory that this tma_load of thread " + std::to_string(load.thread) +
             " reads changes before somebody waits for it");
  }
  forChunks(load, [&](std::uint32_t place, std::uint32_t at) {
    std::memcpy(shared_begin + place, &now[at], AsyncProxy::CHUNK);
    proxy_.endWrite(place);
  });
  barrier.bytes -= load.map.boxBytes();
  barrier.collecting.join(load.clock);
  barrier.loads.erase(std::find(barrier.loads.begin(), barrier.loads.end(), id));
  boxes_.loads.erase(found);
}

void Machine::startStore(const CUtensorMap& map, const void* box, std::initializer_list<int> corner,
                         const void* pc) {
  BoxCopies::Stores& mine = boxes_.stores[current_];
  mine.all.push_back(prepareBox(map, box, corner, "tma_store", pc));
  ++mine.open;
  if (!late()) readBox(mine.all.back());
}

void Machine::readBox(BoxCopy& store) {
  if (store.read) return;
  store.read = true;
  store.elements.resize(store.map.boxBytes());
  forChunks(store, [&](std::uint32_t place, std::uint32_t at) {
    std::memcpy(&store.elements[at], shared_begin + place, AsyncProxy::CHUNK);
    proxy_.endRead(place);
  });
}

void Machine::writeBox(const BoxCopy& store) {
  last_pc_ = store.site.pc;
  for (unsigned r = 0; r < store.map.rows(); ++r) {
    const TensorMap::Row row = store.map.row(store.corner, r);
    if (row.global == nullptr) continue;
    std::memcpy(row.global,
                &store.elements[r * store.map.rowBytes() + row.begin * store.map.element],
                std::size_t(writtenEnd(store.map, row) - row.begin) * store.map.element);
  }
}

void Machine::commitStores() {
  BoxCopies::Stores& mine = boxes_.stores[current_];
  mine.groups.push_back(mine.open);
  mine.open = 0;
}

void Machine::waitForStores(unsigned pending, bool written) {
  BoxCopies::Stores& mine = boxes_.stores[current_];
  if (mine.groups.size() <= pending) return;
  unsigned count = 0;  // of stores in the groups that are waited for
  for (std::size_t g = 0; g + pending < mine.groups.size(); ++g) count += mine.groups[g];
  for (unsigned i = 0; i < count; ++i) {
    readBox(mine.all[i]);
    shadow_.acquire(current_, mine.all[i].clock);
  }
  if (!written) return;
  for (; count > 0; --count) {
    writeBox(mine.all.front());
    mine.all.pop_front();
  }
  while (mine.groups.size() > pending) mine.groups.pop_front();
}

#define PC __builtin_return_address(0)

void tma_load(void* box, const CUtensorMap& map, void* full, std::initializer_list<int> corner) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.startLoad(box, map, full, corner, PC);
}

void tma_store(const CUtensorMap& map, const void* box, std::initializer_list<int> corner) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.startStore(map, box, corner, PC);
}

void tma_store_commit() {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.commitStores();
}

void tma_store_wait(unsigned pending, bool written) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.waitForStores(pending, written);
}

}  // namespace emulate
