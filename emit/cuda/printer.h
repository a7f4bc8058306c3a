// The text of an AST. Nothing but the printer knows the precedence of operators.
#pragma once
#include <string>

#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Appends the expression, with just the parentheses that it needs.
void print(const Expr &e, std::string &out);

// Appends the statements, not indented: a statement, a head or a closing brace a line.
void print(const Stmts &stmts, std::string &out);
std::string textOf(const Stmts &stmts);
// The length of the text of a statement that is one line.
size_t widthOf(const Stmt &stmt);
size_t widthOf(llvm::ArrayRef<FunctionParameter> parameters);

// The first line of a loop or branch, without its brace: for (int k = 0; k < K; k += 64)
std::string headOf(const For &loop);
std::string headOf(const While &loop);
std::string headOf(const If &branch);
std::string headOf(const LocalFunction &function);

// An empty line follows.
void print(const Function &function, std::string &out);
void print(const Struct &record, std::string &out);

}  // namespace tile2cu::emit
