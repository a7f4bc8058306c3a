// Gives the variables of a complete function their names.
//
// A variable is called what it is wanted to be (symbol.h), unless a scope around it has the name
// already, or C++, CUDA or the function itself means something else by it. Only then it gets its
// second name, or a number. Variables that were dropped or moved to another function take no names.
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Numbers for the symbols that the statements declare, in order of declaration: texts that differ
// in the numbers of symbols alone are equal with these.
void addNumbers(const Stmts &stmts, SymbolMap &numbers);

// `others`: names that no variable of the function should have. Gives the name of each symbol.
SymbolMap chooseNames(Function &function, const SymbolSet &others = {});
// `others`: symbols that stay, of what the struct mentions.
void chooseNames(Stmts &membersOfStruct, const SymbolSet &others);

}  // namespace tile2cu::emit
