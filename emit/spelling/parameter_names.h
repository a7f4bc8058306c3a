// The names of the parameters and template arguments of a kernel in the text: those of the source,
// unless C++, CUDA or the text itself uses the name. The kernel, its launcher and the header agree.
//
// A launcher takes a struct as the user calls it, the kernel takes those of its members that it
// reads: a pointer among several members can be __restrict__, and the kernel's head says what it
// depends on.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// The template arguments, each with its name in the text.
std::vector<ir::TemplateArgument> templateArgumentsOf(const ir::Kernel &kernel);
// The parameters of the kernel, each with its name in the text: p_x for a member of a struct.
std::vector<ir::Parameter> parametersOf(const ir::Kernel &kernel);
// The same in the launcher, which takes the struct: p.x.
std::vector<ir::Parameter> launchParametersOf(const ir::Kernel &kernel);
// The expression of such a name.
Expr argumentOf(const ir::Parameter &parameter);

}  // namespace tile2cu::emit
