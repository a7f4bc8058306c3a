#include "emit/spelling/kernel_parameters.h"

#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/parameter_names.h"

namespace tile2cu::emit {
using namespace ir;

std::vector<FunctionParameter> functionParameters(const Kernel &kernel) {
  std::vector<FunctionParameter> all;
  for (const Parameter &parameter : parametersOf(kernel)) {
    all.push_back({typeOf(parameter.type), Symbol(parameter.name)});
    all.back().isRestrict = parameter.isRestrict;
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
