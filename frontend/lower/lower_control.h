// Structured control flow: the effect of `if` and loops on the variables in scope.
#pragma once
#include "frontend/lower/lowering.h"

namespace clang {
class CXXForRangeStmt;
class DoStmt;
class Expr;
class ForStmt;
class IfStmt;
class Stmt;
class SwitchStmt;
class WhileStmt;
}  // namespace clang

namespace tile2cu::frontend {

using Body = llvm::function_ref<Flow()>;

// Creates an `if` operation whose arms are lowered by the two functions. Variables with different
// values at the end of the arms become results. For a constant condition only one arm is lowered.
Flow branch(Lowering &lowering, ir::Value *condition, Body onTrue, Body onFalse);

// A loop while its body is lowered. It carries every visible variable; at the end those that did
// not change are dropped.
struct Loop {
  // A variable (or a field of one) that holds a value where the loop begins.
  struct Carried {
    unsigned leaf, slot;
    ir::Value *initial;
  };
  Loop *outer = nullptr;
  ir::Op *op = nullptr;
  unsigned scope = 0;  // variables below it belong to the code around the loop
  std::vector<Carried> carried;
  // yield, continue, break: the index of their first carried operand.
  std::vector<std::pair<unsigned, ir::Op *>> exits;
  // Leaves without a value where the loop begins, and those of them that the condition sets: the
  // loop has to carry these.
  llvm::SmallVector<unsigned, 4> unset;
  llvm::SmallVector<std::pair<unsigned, ir::Type>, 2> setByCondition;
  llvm::function_ref<void()> beforeContinue;  // the increment of a `for` lowered as `while`
  bool inSwitch = false;                      // `break` belongs to a switch, not to the loop
};

// An unrolled loop while the copies of its body are lowered. A copy that executes `break` sets
// `done`, which the later copies test; `continue` goes to the end of its copy.
struct Unrolled {
  std::optional<Place> done;  // if there is a `break`, or a `return` of an inlined function
};

// Whether a `break` belongs to a switch, not to the innermost loop, which may be unrolled.
inline bool &inSwitchOf(Lowering &lowering) {
  return lowering.loop ? lowering.loop->inSwitch : lowering.inSwitch;
}

// Code in this scope is in none of the loops around it: an inlined function, or a copy of the body
// of an unrolled loop, which is `unrolled` then.
class OutsideLoops {
 public:
  explicit OutsideLoops(Lowering &lowering, Unrolled *unrolled = nullptr)
      : lowering_(lowering),
        loop_(std::exchange(lowering.loop, nullptr)),
        unrolled_(std::exchange(lowering.unrolled, unrolled)),
        inSwitch_(std::exchange(lowering.inSwitch, false)) {}
  ~OutsideLoops() {
    lowering_.loop = loop_;
    lowering_.unrolled = unrolled_;
    lowering_.inSwitch = inSwitch_;
  }
  OutsideLoops(const OutsideLoops &) = delete;

 private:
  Lowering &lowering_;
  Loop *loop_;
  Unrolled *unrolled_;
  bool inSwitch_;
};

// ---- lower_loop.cpp
Flow lowerFor(Lowering &lowering, const clang::ForStmt *loop);
Flow lowerWhile(Lowering &lowering, const clang::WhileStmt *loop);
Flow lowerDo(Lowering &lowering, const clang::DoStmt *loop);
Flow lowerBreak(Lowering &lowering, clang::SourceLocation loc);
Flow lowerContinue(Lowering &lowering);
// Continues after the innermost loop, also an unrolled one, from anywhere inside it.
Flow breakLoop(Lowering &lowering);

// ---- lower_range_for.cpp
Flow lowerRangeFor(Lowering &lowering, const clang::CXXForRangeStmt *loop);

// ---- loop_shape.cpp: for (T i = a; i < b; i += c)
inline constexpr const char *kForm = "; write for (int i = first; i < bound; i += step)";
// A loop that has been lowered as a `while`. `upper` has the type in which C++ compares, `step` the
// type in which it adds, after its conversions; the sum is converted to the variable's type.
struct CountedLoop {
  unsigned index = 0;                     // of the variable among the carried ones
  ir::Value *lower = nullptr;             // its first value
  ir::Value *upper = nullptr;             // the bound, where the loop computes it
  ir::Value *step = nullptr;              // likewise
  bool isFalling = false;                 // i -= step, --i
  ir::Compare compare = ir::Compare::Lt;  // never Eq
  // The condition adds the step: it compares the variable before that (i-- > 0) or after (--i > 0).
  bool addsInCondition = false, comparesSum = false;
};
// Whether the loop counts with the variable of this slot. `why` gets the reason if it does not, and
// what to write instead. `bodyChanges`: whether the body changes the variable.
std::optional<CountedLoop> countedLoop(const Loop &loop, unsigned slot, bool bodyChanges,
                                       llvm::StringRef name, std::string &why);

// ---- loop_types.cpp
struct Counting {
  ir::Scalar type;              // of the IR's loop: 32 or 64 bits
  bool neverOverflows = false;  // wider than the variable, whose overflow is undefined in C++
};
// How an IR loop counts exactly as this one does in C++; nullopt if none can, so that it stays a
// `while`.
std::optional<Counting> countingOf(const CountedLoop &loop);

// ---- loop_shape.cpp: makes the `while` a `for`. If code after the loop may read the variable, it
// stays carried, and is dead where nothing does. Returns the step, in the variable's type.
ir::Value *makeCounted(Lowering &lowering, Loop &loop, const CountedLoop &counted,
                       const Counting &counting, bool isReadAfter);

// ---- count_while.cpp
// Where the condition adds the step, the last test does, too: what the loop leaves in the variable
// lacks that step. None if `step` is null.
struct LastTest {
  unsigned slot = 0;
  ir::Value *step = nullptr;
  bool isFalling = false;
};
// Makes a loop without a declared variable a `for` if it counts.
LastTest countWhile(Lowering &lowering, Loop &loop, const clang::Stmt *statement,
                    const clang::Expr *condition);
void addLastStep(Lowering &lowering, const LastTest &test);

// ---- loop_carry.cpp: the machinery of loops
using MakeLoop = llvm::function_ref<void(Loop &)>;
// Creates `kind` with `fixed` operands and carries every variable; `make` lowers its regions with
// enterRegion and leaveRegion. It is called again if it returns with variables in
// `setByCondition`, which then have a value before the loop. `finish` is called when only the
// variables that change are left, and may replace the operation.
void carryLoop(Lowering &lowering, ir::OpKind kind, llvm::ArrayRef<ir::Value *> fixed,
               unsigned regions, MakeLoop make, MakeLoop finish = nullptr);
// Starts lowering region `index`: creates arguments for the carried variables and puts them into
// the environment.
void enterRegion(Lowering &lowering, Loop &loop, unsigned index);
// Ends a region, or an `if` in it, with `kind`, passing `fixed` and the current values of the
// variables.
void leaveRegion(Lowering &lowering, Loop &loop, ir::OpKind kind,
                 llvm::ArrayRef<ir::Value *> fixed = {});

// A carried variable at the start of a region.
ir::Value *carriedArgument(const Loop &loop, const ir::Block &region, unsigned index);
// Removes a variable that nothing in the loop uses; `fixed`: the number of fixed operands.
void removeCarried(Lowering &lowering, Loop &loop, unsigned index, unsigned fixed);

}  // namespace tile2cu::frontend
