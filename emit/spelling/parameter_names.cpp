#include "emit/spelling/parameter_names.h"

#include "emit/cuda/free_names.h"
#include "emit/cuda/own_numbers.h"

namespace tile2cu::emit {
using namespace ir;

// The names that the text gives to numbers and rings itself.
static void reserveOwnNames(const Kernel &kernel, FreeNames &names) {
  for (llvm::StringRef number : own_number::kSingle) names.reserve(number);
  for (const SharedRing &ring : kernel.rings)
    names.reserve(ring.name.empty() ? "pipeline" : ring.name + "_pipeline");
  names.reserve("Smem");
  for (const char *end : {"Map", "Combine", "Smem"}) names.reserve(camelCase(kernel.name) + end);
}

// The text calls functions scale_64_kernel and launch_scale_64. A parameter of such a name gets
// another one; with a number at its end it could be the name of the next kernel's function.
static std::string apartFromFunctions(const Kernel &kernel, const std::string &name) {
  const llvm::StringRef text = name;
  if (text.starts_with("launch_" + kernel.name)) return "value_" + name;
  const bool isKernel = text.starts_with(kernel.name) && text.ends_with("_kernel");
  return isKernel ? name + "_value" : name;
}

// No two have the same name: one name of the text stands for one number.
std::vector<TemplateArgument> templateArgumentsOf(const Kernel &kernel) {
  FreeNames names;
  reserveOwnNames(kernel, names);
  std::vector<TemplateArgument> arguments = kernel.templateArguments;
  std::vector<TemplateArgument *> renamed;
  for (TemplateArgument &argument : arguments)
    if (!argument.name.empty() && !names.reserve(argument.name)) renamed.push_back(&argument);
  for (TemplateArgument *argument : renamed) argument->name = names.take(argument->name);
  return arguments;
}

std::vector<Parameter> parametersOf(const Kernel &kernel) {
  FreeNames names;
  for (const TemplateArgument &argument : templateArgumentsOf(kernel))
    if (argument.integer && !argument.name.empty()) names.reserve(argument.name);
  reserveOwnNames(kernel, names);
  std::vector<Parameter> parameters = kernel.parameters;
  for (Parameter &parameter : parameters)
    parameter.name = names.take(apartFromFunctions(kernel, parameter.name));
  return parameters;
}

}  // namespace tile2cu::emit
