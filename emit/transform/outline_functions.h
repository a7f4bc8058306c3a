// Outlines parts of a long function: its epilogue, its matrix products, its copies.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile2cu::emit {

struct Part {
  std::string name;                           // epilogue, multiply_scores
  std::string comment;                        // rows
  std::vector<FunctionParameter> parameters;  // of a local function: int at
  Stmts body;
  std::vector<FunctionParameter> locals;  // variables of the function around that it mentions
};

// The statements of a function, with parts taken out of it until no more than `most` rows are left
// (count_rows.h), or no part is. Steps of loops are parts only where more than `mostWithSteps` rows
// are left. `define` makes a part's function and gives its call, without the arguments for the
// part's own parameters. Sections end here: nothing asks for them any more.
Stmts outline(Stmts body, size_t most, size_t mostWithSteps, llvm::function_ref<Expr(Part)> define);

}  // namespace tile2cu::emit
