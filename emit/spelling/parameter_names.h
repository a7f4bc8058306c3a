// The names of the parameters and template arguments of a kernel in the text: those of the source,
// unless C++, CUDA or the text itself uses the name. The kernel, its launcher and the header agree.
#pragma once
#include <string>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::emit {

// The template arguments, each with its name in the text.
std::vector<ir::TemplateArgument> templateArgumentsOf(const ir::Kernel &kernel);
// The parameters, each with its name in the text.
std::vector<ir::Parameter> parametersOf(const ir::Kernel &kernel);

}  // namespace tile2cu::emit
