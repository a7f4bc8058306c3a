// The device functions that the emulator's headers call for Hopper: mbarriers, named barriers, TMA,
// wgmma and clusters.
#include "device_call.h"
#include "tile2cu/emulator/cluster_ptx.h"
#include "tile2cu/emulator/mbarrier_ptx.h"
#include "tile2cu/emulator/tma_ptx.h"
#include "tile2cu/emulator/wgmma.h"

namespace emulate {

#define PC __builtin_return_address(0)

// ---- mbarriers and named barriers

void mbarrier_init(void* barrier, int arrivals) {
  const DeviceCall device;
  device->mbarriers.init(barrier, arrivals, PC);
}

void fence_mbarrier_init() {
  const DeviceCall device;
  device->mbarriers.fenceInit();
}

void mbarrier_arrive(void* barrier, int bytes) {
  const DeviceCall device;
  device->mbarriers.arrive(barrier, bytes, PC);
}

void mbarrier_wait(void* barrier, int phase) {
  const DeviceCall device;
  device->mbarriers.wait(barrier, phase, PC);
}

void named_barrier(int id, unsigned threads, bool waits) {
  const DeviceCall device;
  device->barriers.named(id, threads, waits, PC);
}

void fence_proxy_async() {
  const DeviceCall device;
  device->memory.asyncProxy().fence(device->context.thread());
}

// ---- TMA

void tma_load(void* box, const CUtensorMap& map, void* full, std::initializer_list<int> corner) {
  const DeviceCall device;
  device->tma.startLoad(box, map, full, corner, PC);
}

void tma_store(const CUtensorMap& map, const void* box, std::initializer_list<int> corner) {
  const DeviceCall device;
  device->tma.startStore(map, box, corner, PC);
}

void tma_store_commit() {
  const DeviceCall device;
  device->tma.commitStores();
}

void tma_store_wait(unsigned pending, bool written) {
  const DeviceCall device;
  device->tma.waitForStores(pending, written);
}

// ---- wgmma

void wgmma(const wgmma_instruction& instruction, void* acc, const std::uint32_t* registers,
           std::uint32_t a, std::uint32_t b, bool accumulate) {
  const DeviceCall device;
  WgmmaLane mine = {&instruction, acc, registers, a, b, accumulate};
  device->warpgroups.start(mine, PC);
}

void wgmma_fence() {
  const DeviceCall device;
  device->warpgroups.fence(PC);
}

void wgmma_commit() {
  const DeviceCall device;
  device->warpgroups.commit(PC);
}

void wgmma_wait(unsigned pending) {
  const DeviceCall device;
  device->warpgroups.wait(pending, PC);
}

std::uint32_t wgmma_operand(const void* first, int panel_bytes) {
  const DeviceCall device;
  return device->warpgroups.describeOperand(first, panel_bytes, PC);
}

// ---- clusters

int cluster_rank(int blocks) {
  const DeviceCall device;
  device->cluster.checkSize(blocks, PC);
  return int(device->cluster.rank());
}

void cluster_sync(int blocks) {
  const DeviceCall device;
  device->cluster.checkSize(blocks, PC);
  device->cluster.sync(PC);
}

void mbarrier_arrive_cluster(void* barrier, int rank) {
  const DeviceCall device;
  device->cluster.arriveAt(barrier, rank, PC);
}

void tma_load_multicast(int blocks, void* box, const CUtensorMap& map, void* full,
                        std::initializer_list<int> corner) {
  const DeviceCall device;
  device->cluster.startMulticastLoad(blocks, box, map, full, corner, PC);
}

}  // namespace emulate
