// A kernel with its combine functions, its shared memory, and the struct of its functions.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "emit/file_text.h"
#include "emit/kernel/kernel_group.h"

namespace tile2cu::emit {

struct AssembledKernel {
  std::vector<TopLevel> own;     // in the order in which they are printed; the kernel is the last
  std::vector<TopLevel> shared;  // what kernels before this one have, and this one uses
};

// The shared memories of a file's kernels of one function. Kernels of one tile function share those
// that differ in names and comments alone.
class KnownDeclarations {
 public:
  struct Name {
    std::string name;
    bool isNew;
  };
  // Names that of a kernel: as an equal one, if there is one, else `wanted`.
  Name nameOf(const ir::Kernel &kernel, const Struct &record, const std::string &wanted);

 private:
  struct Known {
    std::string comment;
    std::vector<Symbol> numbers;
    Stmts members;
    std::string name;
  };
  std::map<std::string, std::vector<Known>> all_;  // of each tile function
};

// The kernel of a group. The type of its shared memory gets the name of an equal one.
AssembledKernel assembleKernel(KernelGroup &group, KnownDeclarations &known);

}  // namespace tile2cu::emit
