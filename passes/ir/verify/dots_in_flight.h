// Which wgmmas may be in flight at each operation of a kernel.
//
// An asynchronous dot (`dot_shared {async}`) has tokens: the accumulator that it writes (its
// result) and the stages that it reads. They are ordinary values, so a loop carries the tokens of
// its last iteration to the next one, and a branch returns those of the side that ran. A dot_wait
// names tokens. After it, each dot that has one of these tokens is complete, and so is each older
// dot, because wgmmas complete in the order in which they start.
//
//   for %k, %acc, %previous = -1 {
//     %stage = consumer_wait
//     %sum = dot_shared %acc, %stage {async}    its tokens are %sum and %stage
//     dot_wait %previous                        the dot that read %previous is complete: 1 is newer
//     consumer_release %previous
//     yield %sum, %stage                        the next iteration calls them %acc and %previous
//   }
//
// The hardware waits until at most so many dots are in flight. For a wait, this is the number of
// dots that have started after the newest one that it names, on the path with the fewest. If fewer
// dots can be in flight, it is their number: ptxas takes the number of the last wait for what is in
// flight after it, and would wait once more.
#pragma once
#include <optional>

#include "llvm/ADT/MapVector.h"
#include "passes/ir/verify/verify.h"

namespace tile2cu::ir {

// For each dot_wait of the kernel, the number of newer dots that may stay in flight.
llvm::MapVector<const Op *, int64_t> pendingDots(const Kernel &kernel);

// The first operation that uses what a dot in flight still reads or writes: it reads an accumulator
// that is not complete, releases or writes a stage or buffer that is still read, or is a wait whose
// count leaves work in flight that the wait names.
std::optional<Violation> findDotViolation(const Kernel &kernel);

}  // namespace tile2cu::ir
