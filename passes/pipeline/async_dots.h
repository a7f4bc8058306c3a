// wgmmas in flight: which dots may stay in flight and which ones may start early, and the waits for
// them. The passes that start asynchronous dots ask these questions and add only what is their own:
// the form of the loop, registers, and what is gained.
#pragma once
#include "passes/ir/builder.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

// The dots of a loop, for the questions below.
struct LoopDots {
  const ir::Kernel &kernel;
  ir::Block &body;                    // of the loop
  llvm::ArrayRef<ir::Op *> isWaited;  // dots whose accumulators each iteration waits for
};

// The place of the wait for a dot.
enum class WaitAt : uint8_t {
  FirstUse,       // of its accumulator, which this iteration begins and reads
  IterationEnd,   // of its own iteration
  NextIteration,  // somewhere in the next iteration
  NextFirstUse,   // of its accumulator in the next iteration
};

// Whether a dot of the loop may stay in flight until that wait. Until then
//
//   its accumulator    stays in its registers: only the loop uses it, which carries it to the same
//                      dot of the next iteration (NextFirstUse: or to an update of it there)
//   shared memory      that it reads is not written: it is in a ring, with another stage for the
//                      next iteration if the wait is there, or nothing in the loop writes it
//   registers          that it reads are not written: they hold a value from outside the loop, or
//                      one that the next iteration computes only after one of its own waits
//
// Copies that the loop starts for later iterations do not count as writes.
bool canStayAsync(const LoopDots &loop, const ir::Op *dot, WaitAt wait);

// The earliest place at which a dot may start.
enum class StartAt : uint8_t {
  PreviousIteration,  // before its own iteration begins
  IterationStart,     // where the values that the loop carries are known
};

// Whether a dot may start there, after the waits for its stages: it depends on nothing else that
// its iteration computes.
bool canStartEarly(const LoopDots &loop, const ir::Op *dot, StartAt start);

// Makes all users of accumulators in flight use the completed ones. Returns the wait.
ir::Op *waitFor(ir::Builder &b, llvm::ArrayRef<ir::Value *> accumulators);

}  // namespace tile2cu::passes
