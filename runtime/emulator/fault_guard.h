// Turns a crash of a fiber (an address that is not mapped, its stack used up) into a report while
// it lives. The launch then fails as it would on a GPU.
#pragma once

namespace emulate {

class FaultGuard {
 public:
  FaultGuard();
  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;
  ~FaultGuard();
};

}  // namespace emulate
