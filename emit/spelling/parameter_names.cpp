#include "emit/spelling/parameter_names.h"

#include "emit/cuda/builder.h"
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

// The names that no parameter may have.
static FreeNames namesBesideParameters(const Kernel &kernel) {
  FreeNames names;
  for (const TemplateArgument &argument : templateArgumentsOf(kernel))
    if (argument.integer && !argument.name.empty()) names.reserve(argument.name);
  reserveOwnNames(kernel, names);
  return names;
}

std::vector<Parameter> parametersOf(const Kernel &kernel) {
  FreeNames names = namesBesideParameters(kernel);
  std::vector<Parameter> parameters = kernel.parameters;
  for (Parameter &parameter : parameters)
    parameter.name = names.take(apartFromFunctions(kernel, parameter.identifier()));
  return parameters;
}

std::vector<Parameter> launchParametersOf(const Kernel &kernel) {
  FreeNames names = namesBesideParameters(kernel);
  std::vector<Parameter> parameters = kernel.parameters;
  std::string last, object;  // in the source and in the text
  for (Parameter &parameter : parameters) {
    const std::string own = parameter.object().str();
    if (parameter.record.empty() || own != last)
      object = names.take(apartFromFunctions(kernel, own));
    last = own;
    parameter.name = object + parameter.name.substr(own.size());
  }
  return parameters;
}

// Reads the members and indices of p.sizes[2] one by one.
Expr argumentOf(const Parameter &parameter) {
  llvm::StringRef rest = parameter.name;
  rest = rest.drop_front(parameter.object().size());
  Expr e = named(Symbol(parameter.object().str()));
  while (!rest.empty()) {
    const bool isIndex = rest.front() == '[';
    const llvm::StringRef word =
        rest.drop_front().take_until([](char c) { return c == '.' || c == '[' || c == ']'; });
    e = isIndex ? elementOf(e, digits(word)) : member(e, word);
    rest = rest.drop_front(word.size() + (isIndex ? 2 : 1));
  }
  return e;
}

}  // namespace tile2cu::emit
