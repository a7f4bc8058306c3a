// The text of an AST. Nothing but the printer knows the precedence of operators.
#pragma once
#include <string>

#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Appends the expression, with just the parentheses that it needs.
void print(const Expr &e, std::string &out);

}  // namespace tile2cu::emit
