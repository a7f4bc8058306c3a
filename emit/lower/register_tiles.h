// Tiles in the registers of a thread: their arrays, and the loops over them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "emit/lower/value_map.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

struct LoweringContext;

using Vars = std::vector<Expr>;  // for each register axis of a layout its variable, or 0

// Loops over registers are named i, j, k, ... and v; scalars of the user keep these names for
// themselves.
class LoopNames {
 public:
  explicit LoopNames(const ir::Kernel &kernel);
  // Of elements of a vector: `e` where the user has a v.
  const std::string &ofVector() const { return ofVector_; }
  // `e` counts the elements of a fragment of an MMA accumulator, `h` the halves of its rows.
  static constexpr char kOfFragment[] = "e", kOfHalves[] = "h";
  // Of other registers, from the outermost on.
  const std::string &at(unsigned depth) const { return others_[depth % others_.size()]; }
  // The variable of a loop: where a value in scope is called i, it is j.
  Symbol take(Names &names, unsigned depth) const;

 private:
  std::string ofVector_ = "v";
  std::vector<std::string> others_;
};

// ---- arrays

// `tile2cu::vec<float, VEC> x[VECS]`, `float acc[M_TILES][4]`, `float x[ROWS]` or `float x`.
Stmt declare(LoweringContext &ctx, const ir::Type &type, const Symbol &name, const Expr &init = {});
// The same for elements of any type.
Stmt declareArray(LoweringContext &ctx, const Expr &element, const Storage &storage,
                  const Expr &init = {});
// The variable `name` of a value.
Storage storageNamed(LoweringContext &ctx, const ir::Type &type, const Symbol &name);
Storage makeStorage(LoweringContext &ctx, const ir::Type &type, const std::string &wanted,
                    const Hint &hint = {});
// An element of a tile, or its vector, where the loops' variables are `vars`.
Expr storageRef(LoweringContext &ctx, const Storage &storage, llvm::ArrayRef<Expr> vars,
                bool wholeVector = false);
// The two elements of a fragment that are one vector: {acc[i][h * 2], acc[i][h * 2 + 1]}, where the
// last of `vars` counts elements. `type`: of the vector, where the reader does not say it.
Expr pairOf(LoweringContext &ctx, const Storage &storage, llvm::ArrayRef<Expr> vars,
            const Expr &type = {});
void copyStorage(LoweringContext &ctx, const Storage &to, const Storage &from);
// Says once for each layout which element a register holds.
void describeLayout(LoweringContext &ctx, const Storage &storage);

// ---- loops

// Begins the loops over the registers of a layout, and fills `vars`. With `most`, loops that are
// longer are unrolled only that often, but for the one over vectors.
void openLoops(LoweringContext &ctx, const ir::Layout &layout, bool withVector, Vars &vars,
               std::optional<int64_t> most = {});
void closeLoops(LoweringContext &ctx, const ir::Layout &layout, bool withVector);
bool hasLoops(LoweringContext &ctx, const ir::Layout &layout, bool withVector);
bool isOneVariable(LoweringContext &ctx, const ir::Layout &layout);  // no loops, no array

// ---- indices (layout_index.cpp): (i * NUM_THREADS + tid) * VEC + v

Expr coordinate(LoweringContext &ctx, const ir::Layout &layout, unsigned dim,
                llvm::ArrayRef<Expr> vars);
// That of a thread's first element.
Expr coordinateOfThread(LoweringContext &ctx, const ir::Layout &layout, unsigned dim);
// That of thread 0: what the registers add to the coordinate of a thread's first element.
Expr coordinateOfFirstThread(LoweringContext &ctx, const ir::Layout &layout, unsigned dim,
                             llvm::ArrayRef<Expr> vars);
// The same as text that explains an array, and the names that the array's indices have in it.
CommentText coordinateText(LoweringContext &ctx, const ir::Layout &layout, unsigned dim,
                           llvm::ArrayRef<Expr> vars);
Vars elementIndices(LoweringContext &ctx, const Storage &storage);
// The part of the lane or warp that a digit counts: lane / 4 % 8.
Expr unitPart(LoweringContext &ctx, const ir::Digit &digit);
// Whether this thread is the one of its copies that writes; none: there are no copies.
Expr ownerCondition(LoweringContext &ctx, const ir::Layout &layout);
// `tid` where a program has several warps, `lane` where it has one.
Symbol threadWord(LoweringContext &ctx);

}  // namespace tile2cu::emit
