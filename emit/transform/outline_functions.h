// Outlines parts of a long function: its epilogue, its dots, its copies.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile2cu::emit {

struct Part {
  std::string name;                           // epilogue, multiply_scores
  CommentText comment;                        // rows
  std::vector<FunctionParameter> parameters;  // of a local function: int at
  Stmts body;
  std::vector<FunctionParameter> locals;  // variables of the function around that it mentions
};

// Moves parts out of the statements of a function until at most `most` rows are left (count_rows.h)
// or there is no other part, and returns the rest. Bodies of loops are parts only while more than
// `mostWithSteps` rows are left. `define` makes the function of a part and returns its call,
// without the arguments for the part's own parameters. Sections are replaced by their statements.
Stmts outline(Stmts body, size_t most, size_t mostWithSteps, llvm::function_ref<Expr(Part)> define);

}  // namespace tile2cu::emit
