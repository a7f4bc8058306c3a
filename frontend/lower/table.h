// Arrays of constants that are indexed at run time, or used as pointers. They are tables in memory;
// all other arrays are split into their elements.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// A pointer to the first element of the array at `place`; null if the array may change, or if one
// of its elements is not a constant bool, integer, float or double. The elements of an array of
// arrays follow each other.
ir::Value *tablePointer(Lowering &lowering, const Place &place, clang::QualType array,
                        llvm::StringRef name);
// The same for an expression, which may choose between two arrays.
ir::Value *tablePointer(Lowering &lowering, const clang::Expr *array);
// array[index] of a table with elements of this type.
ir::Value *tableElement(Lowering &lowering, ir::Value *table, ir::Value *index,
                        clang::QualType element);

// The object at `index` of the array of structs at `place`, as a copy: one table for each member.
// nullopt if the array may change, or a member is not a number.
std::optional<Val> tableObject(Lowering &lowering, const Place &place, ir::Value *index,
                               clang::QualType element, llvm::StringRef name);

// The value of a constexpr array of numbers, also if a function computes it.
std::optional<Val> constantArray(Lowering &lowering, const clang::VarDecl *variable);

}  // namespace tile2cu::frontend
