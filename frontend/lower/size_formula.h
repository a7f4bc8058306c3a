// The formulas of tile sizes and constants: template parameters of the kernel, and products of
// them. A parameter of a helper stands for the formula that its caller gives.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// The value of an integer constant, with its formula if it has one. nullopt if it is not constant.
std::optional<ir::Dim> constantSize(Lowering &lowering, const clang::Expr *expression);

// The integers among the explicit template arguments of a call, packs included, up to the first
// type after them.
llvm::SmallVector<ir::Dim, 3> explicitSizes(Lowering &lowering, const clang::Expr *callee);

// `sizes`, with the formulas of the last of `known` where the values are equal.
ir::Shape withFormulasOf(ir::Shape sizes, llvm::ArrayRef<ir::Dim> known);

// Gives the template parameters of the function in `inner`, which the current frame calls through
// `callee`, the formulas of its explicit arguments.
void bindExplicitFormulas(Lowering &lowering, Frame &inner, const clang::Expr *callee);
// The same for parameters that are deduced from the shape of an argument.
void bindDeducedFormulas(Frame &inner, unsigned parameter, const ir::Type &argument);

}  // namespace tile2cu::frontend
