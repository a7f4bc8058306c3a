#include "passes/rewrite/clone_kernel.h"

#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

Kernel &cloneKernel(Module &module, Kernel &kernel) {
  Kernel &copy = module.addKernel();
  copy.name = kernel.name;
  copy.nameSpace = kernel.nameSpace;
  copy.loc = kernel.loc;
  copy.comment = kernel.comment;
  copy.templateArguments = kernel.templateArguments;
  copy.parameters = kernel.parameters;
  copy.options = kernel.options;
  copy.explicitGrid = kernel.explicitGrid;
  copy.statements = kernel.statements;
  std::map<Value *, Value *> map;
  for (auto &argument : kernel.body.arguments)
    map[argument.get()] = copy.body.addArgument(argument->type, argument->name);
  Builder b(copy.body);
  for (auto &op : kernel.body.ops) clone(op.get(), b, map);
  return copy;
}

}  // namespace tile2cu::passes
