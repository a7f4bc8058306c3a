// Kernels of one text. Variants and candidates whose printed bodies are the same share one template over a Config.
#pragma once
#include <vector>

#include "emit/emit.h"
#include "emit/kernel_emitter.h"

namespace tile2cu::emit {

struct KernelInstance {
  ir::Kernel *kernel = nullptr;
  KernelText text;
  std::string config;         // name of its Config struct
  int64_t sharedBytes = 0;
  int64_t residentThreads = 1024;
};

struct KernelGroup {
  std::string name;           // softmax_kernel
  std::string smem;           // SoftmaxSmem; empty: no shared memory
  std::vector<KernelInstance> instances;
  bool isTemplate() const { return instances.size() > 1; }
  ir::Kernel &first() const { return *instances.front().kernel; }
  const KernelText &text() const { return instances.front().text; }
};

// All kernels that the module's launchers use, in order of first use.
std::vector<KernelGroup> groupKernels(ir::Module &module, const EmitOptions &options);

// Kernel: contract comment, configurations, shared memory, functors, the __global__ function.
std::string kernelText(const KernelGroup &group, const ir::Module &module, const EmitOptions &options);

// The host function that launches a kernel of the group: launch_softmax<Config>(arguments, stream).
std::string launchText(const KernelGroup &group, const EmitOptions &options);
std::string launchName(const KernelGroup &group);

// The function that users call: checks, choice of candidate and variant.
std::string launcherText(const ir::Launcher &launcher, const std::vector<KernelGroup> &groups, const EmitOptions &options);
// cudaError_t softmax(const float* in, ..., cudaStream_t stream = nullptr), without the default if `definition`.
std::string launcherSignature(const ir::Launcher &launcher, const EmitOptions &options, bool definition);

// const float* __restrict__ in, int n
std::string parameterList(const ir::Kernel &kernel, bool device);
std::string argumentList(const ir::Kernel &kernel);

// A scalar of the kernel's head computed on the host, in 64 bits.
Expr hostExpr(const ir::Value *value, const ir::Kernel &kernel);

}  // namespace tile2cu::emit
