// Layouts as index arithmetic: (i * NUM_THREADS + tid) * VEC + v.
#include "emit/cuda/evaluate.h"
#include "emit/cuda/printer.h"
#include "emit/lower/check_coordinate.h"
#include "emit/lower/context.h"
#include "emit/lower/mma_layout.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

Symbol threadWord(LoweringContext &ctx) { return ctx.singleWarp ? Symbol("lane") : Symbol("tid"); }

Expr unitPart(LoweringContext &ctx, const Digit &digit) { return ctx.constants.unitPart(digit); }

namespace {

// A digit of a coordinate, or several that are written as one.
struct Piece {
  Expr index;
  Expr extent;
};

}  // namespace

// The pieces of the coordinate along `dim`, the fastest first. Unsigned parts of the thread's index
// stay as they are, or are cast to int. For the first thread these are 0.
static std::vector<Piece> piecesOf(LoweringContext &ctx, const Layout &layout, unsigned dim,
                                   llvm::ArrayRef<Expr> vars, bool asInts,
                                   bool ofFirstThread = false) {
  std::vector<Piece> pieces;
  llvm::ArrayRef<Digit> digits = layout.dim(dim).digits;
  const auto add = [&](const ConstantTable::Threads &threads) {
    const bool isCast = asInts && threads.isUnsigned;
    pieces.push_back({ofFirstThread ? integer(0)
                      : isCast      ? call("int", {threads.index})
                                    : threads.index,
                      threads.extent});
  };
  if (const auto threads = ctx.constants.threadsOfFullRows(layout, dim)) add(*threads);
  for (unsigned k = 0; k < digits.size(); ++k) {
    const Digit &digit = digits[k];
    if (digit.unit == Unit::Register) {
      if (ctx.constants.isDropped(layout, digit.axis)) continue;
      pieces.push_back({vars[digit.axis], ctx.constants.extent(layout, digit.axis)});
      continue;
    }
    add(ctx.constants.threadsAt(layout, dim, k));
  }
  const auto isWarp = [](const Digit &digit) { return digit.unit == Unit::Warp; };
  if (llvm::none_of(digits, isWarp))
    if (const auto warps = ctx.constants.mmaWarps(layout, dim)) add(*warps);
  if (areOfMma(layout.dim(dim))) {
    pieces[1] = {sum(product(pieces[1].index, pieces[0].extent), pieces[0].index),
                 integer(digits[0].extent * digits[1].extent)};
    pieces.erase(pieces.begin());
  }
  return pieces;
}

static Expr coordinateOf(llvm::ArrayRef<Piece> pieces) {
  Expr e = integer(0);
  for (size_t k = pieces.size(); k-- > 0;)
    e = flatSum(product(e, pieces[k].extent), pieces[k].index);
  return e;
}

// BLOCK_M == NUM_WARPS * 16: the coordinate counts the whole dimension. Where one of the extents is
// computed from the size, it is enough that this quotient is exact.
static void requireWholeSize(LoweringContext &ctx, const Layout &layout, unsigned dim,
                             llvm::ArrayRef<Piece> pieces) {
  const Expr size = ctx.constants.formula(layout.dim(dim).padded());
  if (!size) return;
  int64_t literal = 1;
  Expr extent = integer(1);
  for (const Piece &piece : llvm::reverse(pieces)) {
    for (const Constant &constant : ctx.constants.all())
      if (piece.extent.isName(constant.name) && constant.derivation.is(ExprKind::Binary, "/") &&
          constant.derivation.operand(0) == size)
        return;
    if (const auto value = valueOf(piece.extent, [](const Expr &) { return std::nullopt; }))
      literal *= *value;
    else
      extent = product(extent, piece.extent);
  }
  extent = product(extent, integer(literal));
  if (extent != size) ctx.constants.require(binary(Prec::Equality, "==", size, extent));
}

static Expr coordinate(LoweringContext &ctx, const Layout &layout, unsigned dim,
                       llvm::ArrayRef<Expr> vars, bool asInts, bool ofFirstThread = false) {
  if (ctx.checkedIndices.insert({&layout, dim}).second) {
    Vars registers;
    for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis)
      registers.push_back(named(checkedRegister(axis)));
    const std::vector<Piece> pieces = piecesOf(ctx, layout, dim, registers, asInts);
    checkCoordinate(ctx, layout, dim, coordinateOf(pieces));
    requireWholeSize(ctx, layout, dim, pieces);
  }
  return coordinateOf(piecesOf(ctx, layout, dim, vars, asInts, ofFirstThread));
}

Expr coordinate(LoweringContext &ctx, const Layout &layout, unsigned dim,
                llvm::ArrayRef<Expr> vars) {
  return coordinate(ctx, layout, dim, vars, true);
}

Expr coordinateOfThread(LoweringContext &ctx, const Layout &layout, unsigned dim) {
  return coordinate(ctx, layout, dim, Vars(layout.registerAxes().size(), integer(0)), false);
}

Expr coordinateOfFirstThread(LoweringContext &ctx, const Layout &layout, unsigned dim,
                             llvm::ArrayRef<Expr> vars) {
  return coordinate(ctx, layout, dim, vars, true, true);
}

Vars elementIndices(LoweringContext &ctx, const Storage &storage) {
  const Layout &layout = *storage.layout;
  Vars vars;
  unsigned next = 0;
  auto vector = ctx.constants.vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis)
    vars.push_back(vector && vector->axis == axis ? named(Symbol(ctx.info.loopNames.ofVector()))
                   : ctx.constants.isDropped(layout, axis) ? integer(0)
                   : mmaAxis(layout, axis) == MmaAxis::Half
                       ? named(LoopNames::kOfHalves)
                       : named(Symbol(ctx.info.loopNames.at(next++))));
  if (storage.isFragment) {
    const Expr element = named(LoopNames::kOfFragment);
    vars.back() = columnOf(element);
    vars[vars.size() - 2] = halfOf(element);
  }
  return vars;
}

CommentText coordinateText(LoweringContext &ctx, const Layout &layout, unsigned dim,
                           llvm::ArrayRef<Expr> vars) {
  CommentText text;
  print(coordinate(ctx, layout, dim, vars, false), text);
  return text;
}

Expr ownerCondition(LoweringContext &ctx, const Layout &layout) {
  auto lanes = layout.replicas(Unit::Lane), warps = layout.replicas(Unit::Warp);
  auto isWhole = [](llvm::ArrayRef<Digit> parts, int64_t total) {
    return parts.size() == 1 && parts[0].stride == 1 && parts[0].extent == total;
  };
  if (isWhole(lanes, 32) && (ctx.singleWarp || isWhole(warps, ctx.kernel.options.numWarps)))
    return binary(Prec::Equality, "==", named(threadWord(ctx)), integer(0));
  Expr all;
  auto require = [&](llvm::ArrayRef<Digit> parts, const Symbol &unit, int64_t total) {
    for (const Digit &part : parts) {
      const bool isHighest = part.stride * part.extent == total;
      if (isHighest && part.stride > 1)
        all = bothOf(all, binary(Prec::Relational, "<", named(unit), integer(part.stride)));
      else
        all = bothOf(all, binary(Prec::Equality,
                                 "==", isHighest ? named(unit) : unitPart(ctx, part), integer(0)));
    }
  };
  require(lanes, "lane", 32);
  if (!ctx.singleWarp) require(warps, "warp", ctx.kernel.options.numWarps);
  return all;
}

}  // namespace tile2cu::emit
