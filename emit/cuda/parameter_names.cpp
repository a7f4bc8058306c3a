#include "emit/cuda/parameter_names.h"

namespace tile2cu::emit {
using namespace ir;

std::vector<TemplateArgument> templateArgumentsOf(const Kernel &kernel) {
  std::vector<TemplateArgument> arguments = kernel.templateArguments;
  for (TemplateArgument &argument : arguments)
    if (!argument.name.empty() && !Names().reserve(argument.name))
      argument.name = Names().take(argument.name);
  return arguments;
}

std::vector<Parameter> parametersOf(const Kernel &kernel) {
  Names names;
  return takeParameters(kernel, names);
}

std::vector<Parameter> takeParameters(const Kernel &kernel, Names &names) {
  for (const TemplateArgument &argument : templateArgumentsOf(kernel))
    if (argument.integer && !argument.name.empty()) names.reserve(argument.name);
  for (const char *constant : {"NUM_WARPS", "NUM_THREADS", "VEC", "VECS", "PROGRAMS_PER_BLOCK",
                               "RESIDENT_THREADS", "BLOCKS"})
    names.reserve(constant);
  for (const SharedRing &ring : kernel.rings)
    names.reserve(ring.name.empty() ? "ring" : ring.name + "_ring");
  std::vector<Parameter> parameters = kernel.parameters;
  for (Parameter &parameter : parameters) parameter.name = names.take(parameter.name);
  return parameters;
}

}  // namespace tile2cu::emit
