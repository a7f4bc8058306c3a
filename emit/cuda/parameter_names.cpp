#include "emit/cuda/parameter_names.h"

namespace tile2cu::emit {
using namespace ir;

// The names that the text gives to numbers and rings itself.
static void reserveOwnNames(const Kernel &kernel, Names &names) {
  for (const char *constant : {"NUM_WARPS", "NUM_THREADS", "VEC", "VECS", "PROGRAMS_PER_BLOCK",
                               "RESIDENT_THREADS", "BLOCKS"})
    names.reserve(constant);
  for (const SharedRing &ring : kernel.rings)
    names.reserve(ring.name.empty() ? "ring" : ring.name + "_ring");
  for (const char *end : {"Map", "Combine", "Smem"}) names.reserve(camelCase(kernel.name) + end);
}

// Whether the text may call one of the kernel's functions so: scale_64_kernel, launch_scale_64.
static bool isFunctionOf(const Kernel &kernel, llvm::StringRef name) {
  return name.starts_with("launch_" + kernel.name) ||
         (name.starts_with(kernel.name) && name.ends_with("_kernel"));
}

// No two have the same name: one name of the text stands for one number.
std::vector<TemplateArgument> templateArgumentsOf(const Kernel &kernel) {
  Names names;
  reserveOwnNames(kernel, names);
  std::vector<TemplateArgument> arguments = kernel.templateArguments;
  std::vector<TemplateArgument *> renamed;
  for (TemplateArgument &argument : arguments)
    if (!argument.name.empty() && !names.reserve(argument.name)) renamed.push_back(&argument);
  for (TemplateArgument *argument : renamed) argument->name = names.take(argument->name);
  return arguments;
}

std::vector<Parameter> parametersOf(const Kernel &kernel) {
  Names names;
  return takeParameters(kernel, names);
}

std::vector<Parameter> takeParameters(const Kernel &kernel, Names &names) {
  for (const TemplateArgument &argument : templateArgumentsOf(kernel))
    if (argument.integer && !argument.name.empty()) names.reserve(argument.name);
  reserveOwnNames(kernel, names);
  std::vector<Parameter> parameters = kernel.parameters;
  for (Parameter &parameter : parameters) {
    if (isFunctionOf(kernel, parameter.name)) names.reserve(parameter.name);
    parameter.name = names.take(parameter.name);
  }
  return parameters;
}

}  // namespace tile2cu::emit
