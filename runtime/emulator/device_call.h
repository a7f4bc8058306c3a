// A call from the kernel into the emulator. While it lasts, the emulator's own memory accesses are
// not checked. Every switch of fibers happens in such a call.
#pragma once
#include "machine.h"

namespace emulate {

class DeviceCall {
 public:
  DeviceCall() : DeviceCall(runningMachine()) {}
  explicit DeviceCall(Machine& machine) : machine_(machine) { machine_.context.setInKernel(false); }
  DeviceCall(const DeviceCall&) = delete;
  DeviceCall& operator=(const DeviceCall&) = delete;
  ~DeviceCall() { machine_.context.setInKernel(true); }

  Machine* operator->() const { return &machine_; }

 private:
  Machine& machine_;
};

}  // namespace emulate
