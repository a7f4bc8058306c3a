// Layouts as index arithmetic: (i * NUM_THREADS + tid) * VEC + v.
#include "emit/lower/lower_kernel.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// `tid` where a program has several warps, `lane` where it has one.
std::string KernelEmitter::threadWord() { return singleWarp_ ? "lane" : "tid"; }

Expr KernelEmitter::unitPart(const Digit &digit) {
  bool lane = digit.unit == Unit::Lane;
  int64_t whole = lane ? 32 : kernel_.options.numWarps;
  Expr e = named(lane ? "lane" : "warp");
  if (digit.stride > 1) e = binary(Prec::Multiplicative, "/", e, number(digit.stride));
  if (digit.stride * digit.extent < whole)
    e = binary(Prec::Multiplicative, "%", e, number(digit.extent));
  return e;
}

Expr KernelEmitter::coordinate(const Layout &layout, unsigned dim, llvm::ArrayRef<Expr> vars) {
  // Digits from the slowest to the fastest, lane and warp together where they are the whole thread index.
  struct Piece {
    Expr index;
    Expr extent;
  };
  std::vector<Piece> pieces;  // fastest first
  llvm::ArrayRef<Digit> digits = layout.dim(dim).digits;
  for (size_t k = 0; k < digits.size(); ++k) {
    const Digit &digit = digits[k];
    if (digit.unit == Unit::Register) {
      if (isDropped(layout, digit.axis)) continue;
      pieces.push_back({vars[digit.axis], named(extentName(layout, digit.axis))});
      continue;
    }
    bool thread = digit.unit == Unit::Lane && digit.stride == 1 && digit.extent == 32 &&
                  k + 1 < digits.size() && digits[k + 1].unit == Unit::Warp &&
                  digits[k + 1].stride == 1 && digits[k + 1].extent == kernel_.options.numWarps;
    if (thread) {
      pieces.push_back({named("tid"), named("NUM_THREADS")});
      ++k;
      continue;
    }
    bool allWarps =
        digit.unit == Unit::Warp && digit.stride == 1 && digit.extent == kernel_.options.numWarps;
    pieces.push_back({unitPart(digit), allWarps ? named("NUM_WARPS") : number(digit.extent)});
  }
  Expr e = integer(0);
  for (size_t k = pieces.size(); k-- > 0;) e = sum(product(e, pieces[k].extent), pieces[k].index);
  return e;
}

std::string KernelEmitter::layoutText(const Layout &layout, unsigned dim) {
  Vars vars;
  unsigned next = 0;
  auto vector = vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis)
    vars.push_back(vector && vector->axis == axis ? named(vectorVar_)
                   : isDropped(layout, axis)      ? integer(0)
                                                  : named(loopVar(next++)));
  return coordinate(layout, dim, vars).str();
}

Expr KernelEmitter::ownerCondition(const Layout &layout) {
  auto lanes = layout.replicas(Unit::Lane), warps = layout.replicas(Unit::Warp);
  auto isWhole = [](llvm::ArrayRef<Digit> parts, int64_t total) {
    return parts.size() == 1 && parts[0].stride == 1 && parts[0].extent == total;
  };
  if (isWhole(lanes, 32) && (singleWarp_ || isWhole(warps, kernel_.options.numWarps)))
    return binary(Prec::Equality, "==", named(threadWord()), integer(0));
  Expr all;
  auto add = [&](llvm::ArrayRef<Digit> parts, const std::string &unit, int64_t total) {
    for (const Digit &part : parts) {
      const bool isHighest = part.stride * part.extent == total;
      if (isHighest && part.stride > 1)
        all = bothOf(all, binary(Prec::Relational, "<", named(unit), integer(part.stride)));
      else
        all = bothOf(all, binary(Prec::Equality, "==", isHighest ? named(unit) : unitPart(part),
                                 integer(0)));
    }
  };
  add(lanes, "lane", 32);
  if (!singleWarp_) add(warps, "warp", kernel_.options.numWarps);
  return all;
}

}  // namespace tile2cu::emit
