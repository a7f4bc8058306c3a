// Sizes in the text: as the formula that they have in the source.
#pragma once
#include <vector>

#include "emit/cuda/builder.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// The formula of a size in the names that the text has for the kernel's template arguments
// (`inText`; empty where it does not see them). None if the size has no formula, or the formula
// another value with these arguments.
Expr sizeExpr(const ir::Dim &size, const ir::Kernel &kernel,
              llvm::ArrayRef<ir::TemplateArgument> inText);

}  // namespace tile2cu::emit
