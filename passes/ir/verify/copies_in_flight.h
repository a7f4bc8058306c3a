// Which asynchronous copies (cp.async) may be in flight at each operation of a kernel.
//
// An async_copy writes to a stage of its buffer, and an async_commit makes a group of the copies
// before it. An async_wait names a stage and buffers: after it, this thread's copies to that stage
// are complete, and so are all older groups, because groups complete in the order in which they are
// committed.
//
//   for %k, %free = 2, %stage = 0 {           3 stages; a loop before it has filled stages 0 and 1
//     async_wait %stage {buffers = [0]}       1 group is newer than the one for %stage
//     barrier
//     if ... { call 0 (%free, ...) }          copies to %free
//     async_commit
//     dot_shared %acc, %stage
//     yield %stage, %next_stage
//   }
//
// Stages are numbers that the loops count around. The analysis follows these numbers: a loop's head
// with other numbers is another state, so it knows which stage a copy, a wait and a read name. If a
// number is not known, a wait is for all copies to the buffer, and reads are not checked.
//
// The hardware waits until at most so many groups are in flight. For a wait, this is the number of
// groups that have been committed after the newest one that it names, on the path with the fewest.
#pragma once
#include <optional>

#include "llvm/ADT/MapVector.h"
#include "passes/ir/verify/verify.h"

namespace tile2cu::ir {

// For each async_wait of the kernel, the number of newer groups that may stay in flight.
llvm::MapVector<const Op *, int64_t> pendingCopies(const Kernel &kernel);

// The first operation that reads a stage whose copies may be in flight, or a wait that names copies
// without a group, or whose count leaves copies in flight that the wait names.
std::optional<Violation> findCopyViolation(const Kernel &kernel);

}  // namespace tile2cu::ir
