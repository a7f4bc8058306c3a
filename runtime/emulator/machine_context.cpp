#include "machine_context.h"

#include <cstdlib>

#include "findings.h"

namespace emulate {

void MachineContext::beginLaunch(const launch_shape& shape) {
  shape_ = shape;
  fiber_ = &no_fiber_;
  options_ = settings();
  random_.seed(options_.seed);
  error_ = cudaSuccess;
  threads_ = shape.block.x * shape.block.y * shape.block.z;
}

bool MachineContext::late() {
  switch (options_.order) {
    case order::in_order:
    case order::warp_last:
      return true;
    case order::reverse:
      return false;
    case order::random:
      return random_() % 2 == 0;
  }
  return true;
}

void MachineContext::stop(cudaError_t error) {
  error_ = error;
  if (outside_fibers_) throw error;
  switchStack(fiber_->where, host_);
  std::abort();  // a stopped fiber is not resumed
}

void MachineContext::fail(enum report::kind kind, Site here, const std::string& text,
                          cudaError_t error) {
  addFinding(kind, {here}, text);
  stop(error);
}

void MachineContext::misuse(Site here, const std::string& text) {
  fail(report::kind::barrier, here, threadText() + " " + text);
}

}  // namespace emulate
