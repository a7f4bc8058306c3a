// Properties of the kinds of atomics.
#pragma once
#include <string>

#include "passes/ir/attribute.h"

namespace tile2cu::ir {

// Whether the kind is only for integers.
bool isOfIntegers(AtomicUpdate update);
// Whether memory is the same after two atomics of this kind in either order (the additions of
// floats but for their rounding).
bool isOrderFree(AtomicUpdate update);
// The order that this kind has unless the user writes another one: a load acquires, a store
// releases, and the others do both.
MemoryOrder strongestOrder(AtomicUpdate update);
// The function of the language: atomic_max.
std::string nameOfAtomic(AtomicUpdate update);

}  // namespace tile2cu::ir
