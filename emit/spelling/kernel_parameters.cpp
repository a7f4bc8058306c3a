#include "emit/spelling/kernel_parameters.h"

#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/parameter_names.h"

namespace tile2cu::emit {
using namespace ir;

std::vector<FunctionParameter> functionParameters(const Kernel &kernel) {
  std::vector<FunctionParameter> all;
  for (const Parameter &parameter : parametersOf(kernel)) {
    all.push_back({typeOf(parameter.type), Symbol(parameter.name)});
    // The threads of a program may read what other threads of it wrote. A compiler may assume of a
    // __restrict__ pointer that no barrier changes what it points to, and keep it in a register.
    all.back().isRestrict = parameter.isRestrict && !parameter.isReadAndWritten;
  }
  return all;
}

std::vector<const Op *> tensorMaps(const Kernel &kernel) {
  std::vector<const Op *> maps;
  for (const auto &op : kernel.body.ops)
    if (op->kind == OpKind::TensorMap) maps.push_back(op.get());
  return maps;
}

}  // namespace tile2cu::emit
