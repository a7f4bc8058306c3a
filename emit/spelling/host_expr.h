// Scalars of a kernel's head as the launcher computes them, in 64 bits.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/builder.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// The value in terms of the parameters (launchParametersOf) of the function that computes it.
Expr hostExpr(const ir::Value *value, llvm::ArrayRef<ir::Parameter> parameters);
// The same in the kernel's launch function, where template arguments have names.
Expr hostExpr(const ir::Value *value, const ir::Kernel &kernel);
std::vector<Expr> hostExprs(llvm::ArrayRef<const ir::Value *> values, const ir::Kernel &kernel);
// The same for readers, who need no casts: a % 4 == 0.
std::string readableText(const ir::Value *value, const ir::Kernel &kernel);
// The divisors of the expression that can be 0.
void hostDivisors(const ir::Value *value, llvm::ArrayRef<ir::Parameter> parameters,
                  std::vector<Expr> &divisors);

// A name for a local of a host function that no parameter of the kernel has.
Symbol localName(const ir::Kernel &kernel, std::string name);

// The host's expression of the value, without such a cast.
Expr shortHostExpr(const ir::Value *value, llvm::ArrayRef<ir::Parameter> parameters);
Expr shortHostExpr(const ir::Value *value, const ir::Kernel &kernel);

// Adds an expression that is not among them.
void addOnce(std::vector<Expr> &all, Expr e);

}  // namespace tile2cu::emit
