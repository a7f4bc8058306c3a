// The accesses of a program that each of its atomics, and of its texts that write, is ordered with.
// The rules: memory/infer_atomic_order.h.
#pragma once
#include <utility>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::passes {

// Whether nothing depends on the order of these two accesses: they are atomics of one order-free
// kind, whose old values are unused.
bool commute(const ir::Op *a, const ir::Op *b);

// Whether `atomic`, or a text that writes, is ordered after the access `other`.
bool releases(const ir::Kernel &kernel, const ir::Op *atomic, const ir::Op *other);
// Whether it is ordered before the access `other`. Only valid after infer_atomic_order, which
// decides which atomics acquire and records it in `fences`.
bool acquires(const ir::Kernel &kernel, const ir::Op *atomic, const ir::Op *other);

// The memory order of each atomic of a kernel, and of each text that writes.
using AtomicOrders = std::vector<std::pair<ir::Op *, ir::MemoryOrder>>;
AtomicOrders ordersOf(ir::Kernel &kernel);

}  // namespace tile2cu::passes
