// The kernels that share one text, a template over the numbers in which they differ.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "emit/kernel/kernel_text.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

struct KernelInstance {
  const ir::Kernel *kernel = nullptr;
  KernelText text;
  int64_t sharedBytes = 0;
};

// A named number of the group: a template parameter where instances differ, else a constant of the
// kernel.
struct GroupNumber {
  Symbol name;
  Expr derivation;  // of other numbers; none: given
  std::string comment;
  std::vector<int64_t> values;  // one for each instance
  bool isParameter = false;
};

struct KernelGroup {
  std::string base;  // softmax: what the names of its functions begin with
  std::string name;  // softmax_kernel
  Symbol smem;       // SoftmaxSmem; none: no shared memory
  // Softmax: the struct of its functions, where it has several. Its shared memory is in there, too.
  std::string structName;
  bool hasStruct = false;
  std::vector<KernelInstance> instances;
  bool dividesFullRows = false;  // rows that take all threads are written as shorter ones are
  std::vector<GroupNumber> numbers;
  std::vector<Symbol> arguments;  // of the kernel: the parameters that its text mentions
  std::vector<Struct> functors;   // combine functions that this group is the first to use
  Expr resident;                  // threads that should be resident
  uint64_t code = 0;              // a number for its code, with what it uses of other kernels'

  bool isTemplate() const;
  std::vector<Symbol> parameters() const;  // of the template: BLOCK, VEC
  // function<1024, 4>: with the parameters' values
  Expr valuesOf(const std::string &function, size_t instance) const;
  // Softmax<NUM_WARPS>; `cluster` is the number of blocks in a cluster, where that is a parameter.
  Expr structType(const Expr &cluster = {}) const;
  // SoftmaxSmem<NUM_WARPS>, or typename Softmax<NUM_WARPS>::Smem
  Expr smemType(const Expr &cluster = {}) const;
  Expr threads() const;       // 32 * NUM_WARPS: those that compute
  Expr blockThreads() const;  // with those that copy
  // The bytes of shared memory of a block's program, if they are the same in all instances.
  std::optional<int64_t> sharedBytes() const;
  // Whether the launch bounds name `resident`.
  bool boundsResidentThreads() const;
  Expr warps() const;  // NUM_WARPS, PROGRAMS_PER_BLOCK or a number
  const GroupNumber &numberOfWarps() const;
  const GroupNumber *find(const Symbol &number) const;
  const ir::Kernel &first() const { return *instances.front().kernel; }
  const KernelText &text() const { return instances.front().text; }

 private:
  std::vector<Expr> structArguments(const Expr &cluster) const;
};

// 32 * warps
Expr threadsOf(const Expr &warps);
// name<arguments>; the name alone if there are none.
Expr instanceOf(llvm::StringRef name, llvm::ArrayRef<Expr> arguments);

}  // namespace tile2cu::emit
