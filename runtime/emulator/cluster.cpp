#include "cluster.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "findings.h"
#include "machine.h"
#include "tile2cu/emulator/cluster_ptx.h"

namespace emulate {

// ---- turns

void Machine::swapIn() {
  active = this;
  block_index = {unsigned(linear_ % grid_size.x), unsigned(linear_ / grid_size.x % grid_size.y),
                 unsigned(linear_ / grid_size.x / grid_size.y)};
  std::memcpy(shared_begin, stored_.data(), stored_.size());
}

void Machine::swapOut() { std::memcpy(stored_.data(), shared_begin, stored_.size()); }

void Machine::takeTurn() {
  swapIn();
  delivering_ = true;
  try {
    for (const ClusterMessage& message : std::exchange(inbox_, {})) deliver(message);
  } catch (cudaError_t) {  // it was reported
  }
  delivering_ = false;
  if (error_ == cudaSuccess && runnable_.any()) runThreads();
  swapOut();
}

void Machine::runPair(std::uint64_t first) {
  Machine* const pair[] = {this, partner_};
  for (unsigned rank = 0; rank < 2; ++rank) {
    active = pair[rank];
    pair[rank]->startBlock(first + rank);
    pair[rank]->rank_ = rank;
    pair[rank]->stored_.assign(shape_.smem_bytes, 0xff);
  }
  const bool is_second_first = options_.order == order::reverse ||
                               options_.order == order::warp_last ||
                               (options_.order == order::random && random_() % 2 == 0);
  for (bool goes_on = true; goes_on && error_ == cudaSuccess;) {
    goes_on = false;
    for (unsigned i = 0; i < 2 && error_ == cudaSuccess; ++i) {
      Machine& next = *pair[i ^ unsigned(is_second_first)];
      if (!next.canGoOn()) continue;
      goes_on = true;
      next.takeTurn();
      if (next.error_ != cudaSuccess) error_ = next.error_;
    }
  }
  for (Machine* one : pair) {
    if (error_ != cudaSuccess) break;
    one->swapIn();
    one->endBlock();
    if (one->error_ != cudaSuccess) error_ = one->error_;
  }
  active = this;
}

// ---- what comes from the other block

void Machine::deliver(const ClusterMessage& message) {
  const char* const what = message.is_load ? "a copy" : "an arrival";
  if (ended_ == threads_)
    misuse(message.site, "sends " + std::string(what) + " to a block that has ended");
  const auto found = barriers_.at.find(message.barrier);
  if (found == barriers_.at.end() || !found->second.fenced)
    misuse(message.site, "sends " + std::string(what) + " to a barrier that is not initialised");
  Mbarrier& barrier = found->second;
  if (!message.is_load) {
    if (barrier.pending == 0)
      misuse(message.site,
             "comes to a barrier of the other block whose phase may already have all its " +
                 std::to_string(barrier.arrivals) + " arrivals");
    barrier.partner_collecting.join(message.clock);
    --barrier.pending;
    return settle(barrier, false, message.site);
  }
  BoxCopy load = message.load;
  const unsigned agent = shadow_.copyAgent(message.thread);
  Shadow::Clock unused;
  shadow_.release(agent, unused);  // agents have clocks from here on
  shadow_.acquire(agent, message.clock);
  useShared(agent, load.offset, load.map.boxBytes(), access::write, "tma_load_all", load.site);
  load.clock = {};
  shadow_.release(agent, load.clock);
  const unsigned id = boxes_.next_load++;
  boxes_.loads.emplace(id, std::move(load));
  barrier.loads.push_back(id);
  if (!late()) landLoad(barrier, id);
  settle(barrier, false, message.site);
}

// ---- what threads do

void Machine::checkCluster(int blocks, const void* pc) {
  if (unsigned(blocks) != cluster_)
    misuse(site(pc), "is of a kernel for clusters of " + std::to_string(blocks) +
                         ", launched with " + std::to_string(cluster_));
}

void Machine::syncCluster(const void* pc) {
  if (cluster_ == 1) return blockBarrier(pc);
  if (++at_cluster_ < threads_ || partner_->at_cluster_ < threads_) {
    suspend("cluster_sync", site(pc));
    return;
  }
  for (Machine* one : {this, partner_}) {
    one->at_cluster_ = 0;
    one->shadow_.barrier();
    for (unsigned t = 0; t < threads_; ++t) one->resume(t);
  }
}

void Machine::arriveAt(void* p, int rank, const void* pc) {
  if (unsigned(rank) == rank_) return arrive(p, 0, pc);
  if (rank < 0 || unsigned(rank) >= cluster_)
    misuse(site(pc), "comes to a barrier of block " + std::to_string(rank) + " of a cluster of " +
                         std::to_string(cluster_));
  requireShared(p, pc);
  ClusterMessage message;
  message.barrier = sharedOffset(p);
  message.thread = current_;
  message.site = site(pc);
  shadow_.release(current_, message.clock);
  partner_->inbox_.push_back(std::move(message));
}

void Machine::startLoadForAll(int blocks, void* box, const CUtensorMap& map, void* full,
                              std::initializer_list<int> corner, const void* pc) {
  checkCluster(blocks, pc);
  if (cluster_ > 1) {
    ClusterMessage message;
    message.is_load = true;
    message.barrier = sharedOffset(full);
    message.thread = current_;
    message.site = site(pc);
    message.load.map = TensorMap::of(map);
    message.load.site = message.site;
    message.load.thread = current_;
    message.load.offset = sharedOffset(box);
    std::copy(corner.begin(), corner.end(), message.load.corner);
    message.load.elements = gather(message.load);
    message.clock = partner_clocks_[current_];
    partner_->inbox_.push_back(std::move(message));
  }
  startLoad(box, map, full, corner, pc);
}

#define PC __builtin_return_address(0)

int cluster_rank(int blocks) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.checkCluster(blocks, PC);
  return int(m.clusterRank());
}

void cluster_sync(int blocks) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.checkCluster(blocks, PC);
  m.syncCluster(PC);
}

void barrier_arrive_at(void* barrier, int rank) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.arriveAt(barrier, rank, PC);
}

void tma_load_all(int blocks, void* box, const CUtensorMap& map, void* full,
                  std::initializer_list<int> corner) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.startLoadForAll(blocks, box, map, full, corner, PC);
}

}  // namespace emulate
