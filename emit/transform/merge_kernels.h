// Kernels of one text. Variants and candidates whose printed bodies are the same share one template over the numbers in which
// they differ: softmax_kernel<BLOCK, NUM_WARPS, VEC>. (A struct of numbers for each would name them too, but a list of
// fourteen row lengths is fourteen structs twice; the launcher reads better with the numbers in place.)
#pragma once
#include <vector>

#include "emit/emit.h"
#include "emit/lower/lower_kernel.h"

namespace tile2cu::emit {

struct KernelInstance {
  const ir::Kernel *kernel = nullptr;
  KernelText text;
  int64_t sharedBytes = 0;
};

// A named number of the group: a template parameter where instances differ, else a constant of the kernel.
struct GroupNumber {
  std::string name, derivation, comment;
  std::vector<int64_t> values;  // one for each instance
  bool isParameter = false;
};

struct KernelGroup {
  std::string name;  // softmax_kernel
  std::string smem;  // SoftmaxSmem; empty: no shared memory
  std::vector<KernelInstance> instances;
  std::vector<GroupNumber> numbers;
  std::string functorText;    // combine functions that this group is the first to use
  std::string resident;       // threads that should be resident, an expression
  std::string printed;        // kernelText
  std::string printedBefore;  // functions and struct that another kernel has, and this one uses

  bool isTemplate() const;
  std::string templateHead() const;                   // template <int BLOCK, int VEC>
  std::string templateNames() const;                  // <BLOCK, VEC>
  std::string templateValues(size_t instance) const;  // <1024, 4>
  std::string smemType() const;                       // SoftmaxSmem<NUM_WARPS>
  std::string threads() const;                        // 32 * NUM_WARPS: those that compute
  std::string blockThreads() const;                   // with those that copy
  std::string warps() const;                          // NUM_WARPS, PROGRAMS_PER_BLOCK or a number
  bool takesNumSms() const;  // the kernel's last parameter, which the launcher fills in
  const GroupNumber *find(llvm::StringRef number) const;
  const ir::Kernel &first() const { return *instances.front().kernel; }
  const KernelText &text() const { return instances.front().text; }
};

// All kernels that the module's launchers use, in order of first use.
std::vector<KernelGroup> groupKernels(const ir::Module &module, const EmitOptions &options);

// The device functions and structs of a file: their tile function and all of their text but the name and comments -> the name.
using KnownNames = std::map<std::string, std::string>;

// Kernel: contract comment, configurations, shared memory, functors, the __global__ function, and before it the functions that
// its parts are, unless `known` has them.
std::string kernelText(KernelGroup &group, KnownNames &known, const EmitOptions &options);

// The host function that launches a kernel of the group: launch_softmax<BLOCK, VEC>(arguments, stream).
std::string launchText(const KernelGroup &group, const EmitOptions &options);
std::string launchName(const KernelGroup &group);

// The function that users call: checks, choice of candidate and variant.
std::string launcherText(const ir::Launcher &launcher, const std::vector<KernelGroup> &groups,
                         const EmitOptions &options);
// cudaError_t softmax(const float* in, ..., cudaStream_t stream = nullptr), without the default if `definition`.
std::string launcherSignature(const ir::Launcher &launcher, const EmitOptions &options,
                              bool definition);
// cudaError_t softmax_pin(int candidate), of launchers that are tuned
std::string pinSignature(const ir::Launcher &launcher, const EmitOptions &options);

// The text without what follows // in its lines.
std::string withoutComments(const std::string &text);

// Of kernels that may come in pairs, the blocks of a cluster: one more template parameter, of the heads and in the lists of names.
void addBlocks(std::string &head, std::string &names, const std::string &blocks = "BLOCKS");

// The tensor maps that the launcher makes for a kernel, in the order in which it takes them.
std::vector<const ir::Op *> tensorMaps(const ir::Kernel &kernel);

// const float* __restrict__ in, int n
std::string parameterList(const ir::Kernel &kernel, bool device);
std::string argumentList(const ir::Kernel &kernel);

}  // namespace tile2cu::emit
