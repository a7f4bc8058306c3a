// A loop nest while it is written: loops over a thread's registers, with whole vectors moved out of
// the innermost loop and elements computed in it.
#pragma once
#include "emit/lower/context.h"
#include "passes/analysis/value/nest_steps.h"

namespace tile2cu::emit {

enum class Level : uint8_t { Vector, Element };
enum class Run : uint8_t { Same, Counts, Varies };  // along the vector axis
// Axis of a value's layout -> axis of the loop nest, -1: index 0.
using AxisRefs = llvm::SmallVector<int, 4>;

// An assignment at the end of the element loop. If `value` is a variable that is declared directly
// above and has no other use, its initializer is assigned instead.
struct Deferred {
  Expr target;
  Expr value;
  bool isOnlyUse;  // the assignment is the only use of variable `value`
  Expr declared;   // the initializer `value` was declared with
  const ir::Value *of;
  Reads reads;  // of `value`
};

struct LoopNest {
  LoopNest(LoweringContext &ctx, ir::Op *op);

  LoweringContext &ctx;
  ir::Op *const op;
  const ir::Layout &layout;
  const passes::NestSteps steps;
  // -1: none. The elements of a fragment are one loop where nothing takes whole vectors.
  const int vectorAxis;
  Vars vars;  // a variable for each axis of the layout
  std::map<const ir::Value *, Remembered> vectorExprs, elementExprs;
  std::map<std::pair<const ir::Value *, AxisRefs>, Run> runs;

  std::set<const ir::Value *> assignedLast;  // after the operations of other elements
  std::set<const ir::Value *> undeclared;    // results that are declared by their assignment

  // The run of elements that is being written.
  std::set<const ir::Op *> segmentOps;
  std::set<std::pair<const ir::Value *, AxisRefs>> vectorLocalsOf;  // seen for it
  std::vector<Deferred> deferred;

  bool isInside(const ir::Op *inner) const { return ir::isInside(inner->parent, *op->region()); }
};

// ---- values (nest_values.cpp)

AxisRefs identityRefs(const ir::Layout &layout);
AxisRefs operandRefs(const ir::Op *op, const ir::Value *operand, const AxisRefs &refs);
// An element of a value, or what is the same for all elements of a vector.
Expr valueAt(LoopNest &nest, const ir::Value *value, const AxisRefs &refs, Level level);
Expr computeAt(LoopNest &nest, const ir::Op *op, const AxisRefs &refs, Level level);
// Whether a rematerializable value of the loop nest gets a name of its own.
bool wantsLocal(const ir::Value *value);
// Declares the named values of a tree that do not change along the vector, before the element loop
// opens.
void vectorLocals(LoopNest &nest, const ir::Value *value, const AxisRefs &refs);
// How a value changes along the vector axis (vector_runs.cpp).
Run runOf(LoopNest &nest, const ir::Value *value, const AxisRefs &refs);

// ---- whole vectors (nest_vectors.cpp)

void vectorAccess(LoopNest &nest, ir::Op *op);
// tile2cu::vec<element, ...> of the loop nest's vectors
Expr vectorType(LoopNest &nest, const Expr &element);
// One vector of the loop nest's layout, a variable of the loop's body.
Storage localVector(LoopNest &nest, const std::string &name, const Hint &hint = {});
Expr pointerAt(LoopNest &nest, const ir::Op *op, Level level);
Expr maskAt(LoopNest &nest, const ir::Op *op, Level level);
// Where an element of the loop nest's tile stands in shared memory.
Expr sharedPlace(LoopNest &nest, const ir::Op *op, llvm::ArrayRef<Expr> vars);
// One asynchronous copy of the loop nest: a vector, or an element of at least 4 bytes.
void asyncCopy(LoopNest &nest, const ir::Op *op, Level level);

// ---- elements (nest_elements.cpp)

void lowerElements(LoopNest &nest, llvm::ArrayRef<ir::Op *> ops);
// Puts an element where the loop nest keeps it: in the variable of its tile, or in one of the
// loop's body, called `role` if it has no name.
void giveElement(LoopNest &nest, const ir::Value *result, const char *role, const Expr &e);
// `float mean = ...;` for a value that has not been declared yet.
bool declareWith(LoopNest &nest, const ir::Value *value, const Expr &e);
void reduceThread(LoopNest &nest, ir::Op *op);

// ---- results (nest_results.cpp)

// Gives every value that leaves the loop nest its storage.
void prepareResults(LoopNest &nest);
// Tiles that start with one value everywhere, full<float, N>(0): no loop of ours. False if the
// operation does anything else.
bool fillNest(LoopNest &nest);
void statementComments(LoweringContext &ctx, const ir::Op *nest);

}  // namespace tile2cu::emit
