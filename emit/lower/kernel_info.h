// A kernel as its lowering sees it before the first statement. All functions of its
// text share it: the kernel's, the producer's, and the functors'.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/lower/lower_kernel.h"
#include "emit/lower/register_tiles.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/value/local_functions.h"
#include "passes/analysis/value/tile_storage.h"

namespace tile2cu::emit {

// The combine functions and per-element lambdas of a kernel.
struct Functors {
  std::vector<Struct> structs;
  std::map<const ir::Op *, Symbol> names;  // reduction, scan, map -> its struct's name
  std::set<std::string> helpers;           // as in KernelText
};

struct KernelInfo {
  KernelInfo(const ir::Kernel &kernel, const KernelOptions &options);

  const ir::Kernel &kernel;
  const KernelOptions &options;
  const ArithmeticStyle style{options.preciseMath, takesExtrema(kernel)};
  const std::vector<ir::Parameter> parameters;   // with their names in the text
  const std::vector<std::string> sharedMembers;  // of struct Smem, one for each shared buffer
  const std::set<int64_t> sharedMatrices;        // those that are arrays of rows
  const passes::TileStorage storage{kernel, options.unitAxes};
  const passes::LocalFunctions localFunctions{kernel, storage};
  const LoopNames loopNames{kernel};
  Functors functors;  // lower_functor.cpp fills it first
};

}  // namespace tile2cu::emit
