// Whether two accesses of one program can access the same bytes.
#pragma once
#include <set>

#include "passes/ir/module.h"

namespace tile2cu::passes {

// The constant array that all addresses of this pointer lie in, which nothing writes; null if there
// is none.
ir::TableOp tableOf(const ir::Value *pointer);
// The kernel parameter that all addresses of this pointer (or tile of pointers) are derived from;
// nullopt if it is unknown.
std::optional<unsigned> basePointer(const ir::Value *pointer);
// The same where a pointer is one of several: all parameters that it may be derived from, and
// kLoadedBase if it may be one that was loaded from memory. Null pointers and constant arrays have
// no base.
constexpr unsigned kLoadedBase = ~0u;
std::optional<std::set<unsigned>> basePointers(const ir::Value *pointer);

// Whether pointers derived from these parameters never alias because one of the two is
// __restrict__.
bool areApart(const ir::Kernel &kernel, std::optional<unsigned> a, std::optional<unsigned> b);

// Whether two index or pointer trees compute the same value: the same operations on the same
// leaves.
bool sameTree(const ir::Value *a, const ir::Value *b);

enum class Alias : uint8_t {
  None,         // never the same bytes
  SameElement,  // the same address in the same thread, element by element, and in no other element
  May,
};
// For two operations that access global memory (global_effects.h).
Alias alias(const ir::Kernel &kernel, const ir::Op *a, const ir::Op *b);

// Whether a load can use the read-only path: const __restrict__, and the kernel does not write
// through it.
bool isReadOnly(const ir::Kernel &kernel, const ir::Op *load);

}  // namespace tile2cu::passes
