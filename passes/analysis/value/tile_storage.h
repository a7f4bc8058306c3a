// Which values share a variable, or an array of a thread's registers.
//
//   %partials = for ... %acc = %zero {
//     %next = loop nest { %x = load ...; %y = add %acc, %x; yield %y }
//     yield %next
//   }
//   %total = reduce_across %partials
//
// %acc, %next, %partials and %total are written into the array of %zero: nothing reads the old
// value after the new one is there. A value that shares nothing has a variable of its own, and is
// copied where another variable is to have it.
//
// A value is written over another one only if all readers of that one come before, or are in the
// same loop nest, element by element:
//
//   loop        its variables start in the arrays of its first values, which nothing else reads
//   loop nest   writes over the value that the loop around it carries, or that a branch changes, if
//               the loop or branch takes its result as the next one
//   branch      writes over the tile that one of its sides hands on as it was
//   dot         adds to its accumulator, if nothing else reads that
//   reduction   combines the partial results in place
#pragma once
#include <map>
#include <set>
#include <vector>

#include "passes/analysis/layout/unit_axes.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

class NestSteps;

// Whether a number that a `while` hands on when it ends was known before it.
bool isKnownBefore(const ir::Op *loop, const ir::Value *passed);

class TileStorage {
 public:
  // `units`: the axes that have no loops, which decide what a loop nest does at once.
  TileStorage(const ir::Kernel &kernel, const UnitAxes &units);

  // The value that `value` is written over, or is the same as; null: it has a variable of its own.
  // A result of a branch's side is written into the variable of the branch's result.
  ir::Value *sharedWith(const ir::Value *value) const;
  // The first value of the variable that `value` is in.
  const ir::Value *variableOf(const ir::Value *value) const;
  // Whether a loop nest assigns the elements of this result after the other operations of a step,
  // because these still read the old elements. It assigns others where it computes them.
  bool isAssignedLast(const ir::Value *result) const { return last_.contains(result); }

 private:
  void assign(const ir::Block &block);
  void assign(ir::Op *op);
  void assignFor(const ir::ForOp &loop);
  void assignWhile(const ir::WhileOp &loop);
  void assignWhileResults(const ir::WhileOp &loop);
  void assignBranch(const ir::IfOp &branch);
  void assignNest(const ir::NestOp &nest);

  void share(const ir::Value *value, ir::Value *with) { shared_[value] = with; }
  bool isWrittenOver(const ir::Op *branch, const ir::Value *target) const;
  ir::Value *branchTarget(const ir::Op *branch, unsigned i) const;
  ir::Value *branchVariable(const ir::Op *op, const ir::Value *result) const;
  std::vector<ir::Op *> readersOf(const ir::Value *value) const;
  std::vector<ir::Op *> readersOfCarried(const ir::Op *loop, unsigned i) const;
  ir::Value *carriedTarget(const ir::Op *op, const ir::Value *result, const NestSteps *steps,
                           std::vector<ir::Op *> &readers) const;

  const ir::Kernel &kernel_;
  const UnitAxes &units_;
  std::map<const ir::Value *, ir::Value *> shared_;
  // Results of branches that are written over a tile from before the branch.
  std::map<std::pair<const ir::Op *, unsigned>, ir::Value *> branchTargets_;
  std::set<const ir::Value *> last_;
};

}  // namespace tile2cu::passes
