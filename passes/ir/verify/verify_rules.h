// Rules for one operation, used by verify.cpp. They return what is wrong, or an empty string.
#pragma once
#include <string>

#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/verify/verify.h"

namespace tile2cu::ir {

// The attributes of `op`: those that ops.def lists for it, and all of them that it needs.
std::string checkAttributes(const Op &op);
// The levels at which its attributes may appear (attributes.def).
std::string checkAttributeLevels(const Op &op, Level level);
// Operands, results and regions of `op`.
std::string checkTypes(const Op &op);
// The MMA instruction of a dot (verify_mma.cpp).
std::string checkMma(const Op &op, const Kernel &kernel);
// Those of tensor copies, rings, waits, and local functions (verify_async.cpp).
std::string checkTensorMap(const Op &op);
// Parts, gather and scatter, sorts, and the index of an access to shared memory (verify_order.cpp).
std::string checkOrder(const Op &op);
std::string checkAtomic(const Op &op);  // after the rules of all accesses
std::string checkSharedIndex(const Op &op);
// Calls of the user's __device__ functions, and texts (verify_device_call.cpp).
std::string checkText(const Op &op);
std::string checkTensorAccess(const Op &op);
std::string checkRing(const Op &op);
std::string checkWait(const Op &op);
std::string checkCall(const Op &op);
std::string checkCluster(const Op &op);
// The terminator of a block: where it may be, and the values that it passes on.
std::string checkTerminator(const Op &op);
// Kinds and layouts that the level allows.
std::string checkLevel(const Op &op, Level level, const Kernel &kernel);

}  // namespace tile2cu::ir
