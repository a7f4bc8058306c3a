// Structured control flow: the effect of `if` and loops on the variables in scope.
#pragma once
#include "frontend/lower/lowering.h"

namespace clang {
class CXXForRangeStmt;
class DoStmt;
class ForStmt;
class IfStmt;
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
  std::vector<std::pair<unsigned, ir::Op *>>
      exits;  // yield, continue, break: the index of their first carried operand
  llvm::function_ref<void()> beforeContinue;  // the increment of a `for` lowered as `while`
  bool inSwitch = false;                      // `break` belongs to a switch, not to the loop
};

// ---- lower_loop.cpp
Flow lowerFor(Lowering &lowering, const clang::ForStmt *loop);
Flow lowerWhile(Lowering &lowering, const clang::WhileStmt *loop);
Flow lowerDo(Lowering &lowering, const clang::DoStmt *loop);
Flow lowerBreak(Lowering &lowering, clang::SourceLocation loc);
Flow lowerContinue(Lowering &lowering, clang::SourceLocation loc);
// Continues after the innermost loop, from anywhere inside it.
Flow breakLoop(Lowering &lowering);

// ---- lower_range_for.cpp
Flow lowerRangeFor(Lowering &lowering, const clang::CXXForRangeStmt *loop);

// ---- loop_shape.cpp: for (T i = a; i < b; i += c)
struct CountedLoop {
  const clang::VarDecl *variable = nullptr;
  const clang::Expr *lower = nullptr, *upper = nullptr;
  const clang::Expr *step = nullptr;      // null: 1
  bool isFalling = false;                 // i -= step, --i
  ir::Compare compare = ir::Compare::Lt;  // never Eq
  // The types in which C++ compares and adds the step, after its conversions. The sum is converted
  // to the variable's type.
  clang::QualType comparedIn, addedIn;
};
// Whether the loop is a counted loop, whose body does not change its bounds and variable. `why`
// gets the reason if it is not, and what to write instead.
std::optional<CountedLoop> countedLoop(const clang::ForStmt *loop, std::string &why);

// ---- loop_types.cpp
struct Counting {
  ir::Scalar type;              // of the IR's loop: 32 or 64 bits
  bool neverOverflows = false;  // wider than the variable, whose overflow is undefined in C++
};
// How an IR loop counts exactly as this one does in C++; nullopt if none can, so that it is lowered
// as a `while`.
std::optional<Counting> countingOf(Lowering &lowering, const CountedLoop &loop);

// ---- loop_carry.cpp: the machinery of loops
using MakeLoop = llvm::function_ref<void(Loop &)>;
// Creates `kind` with `fixed` operands and carries every variable; `make` lowers its regions with
// carryInto and similar functions.
void carryLoop(Lowering &lowering, ir::OpKind kind, llvm::ArrayRef<ir::Value *> fixed,
               unsigned regions, MakeLoop make);
// Starts lowering region `index`: creates arguments for the carried variables and puts them into
// the environment.
void enterRegion(Lowering &lowering, Loop &loop, unsigned index);
// Ends a region, or an `if` in it, with `kind`, passing `fixed` and the current values of the
// variables.
void leaveRegion(Lowering &lowering, Loop &loop, ir::OpKind kind,
                 llvm::ArrayRef<ir::Value *> fixed = {});

}  // namespace tile2cu::frontend
