#include "passes/analysis/layout/warp_shuffle.h"

#include <algorithm>
#include <numeric>

namespace tile2cu::passes {
using namespace ir;
namespace {

using Digits = llvm::SmallVector<Digit, 4>;

// Splits digits, innermost first.
class Cutter {
 public:
  explicit Cutter(llvm::ArrayRef<Digit> digits) : digits_(joinedDigits(digits)) {}
  bool done() const { return at_ == digits_.size(); }
  int64_t left() const { return digits_[at_].extent; }
  Digit take(int64_t extent) {
    Digit &rest = digits_[at_];
    Digit part = rest;
    part.extent = extent;
    rest.stride *= extent;
    rest.extent /= extent;
    if (rest.extent == 1) ++at_;
    return part;
  }

 private:
  Digits digits_;
  size_t at_ = 0;
};

class Matcher {
 public:
  Matcher(const Op *op, unsigned result)
      : op_(op),
        source_(*op->operand(0)->type.layout()),
        layout_(*op->result(result)->type.layout()),
        result_(result) {}

  std::optional<WarpMove> run() {
    move_.registers.resize(source_.registerAxes().size());
    if (!matchAll()) return std::nullopt;
    tidy(move_.lane);
    for (SourceIndex &index : move_.registers) {
      tidy(index);
      for (const MovedPart &part : index.parts)
        if (part.of.unit != Unit::Register) move_.candidates *= part.of.extent;
    }
    for (const MovedPart &part : move_.lane.parts)
      move_.crossesLanes |=
          part.of.unit != Unit::Lane || part.of.stride != part.stride || part.reversed;
    return std::move(move_);
  }

 private:
  // The source's digit `to` is the result's digit `of`.
  bool add(const Digit &to, const Digit &of, bool reversed) {
    if (to.unit == Unit::Warp) return of.unit == Unit::Warp && of.stride == to.stride && !reversed;
    indexOf(to).parts.push_back({of, reversed, to.stride});
    return true;
  }
  SourceIndex &indexOf(const Digit &to) {
    return to.unit == Unit::Lane ? move_.lane : move_.registers[to.axis];
  }

  // Matches digits so that the source coordinate of the digits `from` is offset plus the result
  // coordinate of the digits `to`, or the last result coordinate minus it.
  bool match(llvm::ArrayRef<Digit> from, llvm::ArrayRef<Digit> to, bool reversed = false,
             int64_t offset = 0) {
    Cutter source(from), result(to);
    int64_t common = 1;
    while (!source.done() && !result.done()) {
      int64_t extent = std::gcd(source.left(), result.left());
      if (extent == 1) return false;
      common *= extent;
      Digit of = result.take(extent), at = source.take(extent);
      if (!add(at, of, reversed)) return false;
    }
    // The remaining result digits are padding that the source lacks: any element is valid.
    if (offset % common != 0 || (offset != 0 && !result.done())) return false;
    offset /= common;
    while (!source.done()) {
      Digit digit = source.take(source.left());
      int64_t value = offset % digit.extent;
      offset /= digit.extent;
      // The elements of one warp for all warps, or of some lanes for all lanes.
      if (digit.unit == Unit::Warp) return false;
      if (digit.unit == Unit::Lane) move_.crossesLanes = true;
      indexOf(digit).base += value * digit.stride;
    }
    return true;
  }

  bool matchDims(unsigned from, unsigned to, bool reversed = false, int64_t offset = 0) {
    return match(source_.dim(from).digits, layout_.dim(to).digits, reversed, offset);
  }

  bool matchAll() {
    switch (op_->kind) {
      case OpKind::Reshape: {
        if (source_.isPadded() || layout_.isPadded()) return false;
        auto flat = [](const Layout &layout) {
          Digits digits;
          for (unsigned d = layout.rank(); d-- > 0;)
            digits.append(layout.dim(d).digits.begin(), layout.dim(d).digits.end());
          return digits;
        };
        return match(flat(source_), flat(layout_));
      }
      case OpKind::Split:
        for (unsigned d = 0; d < layout_.rank(); ++d)
          if (!matchDims(d, d)) return false;
        return match(source_.dim(layout_.rank()).digits, {}, false, result_);
      case OpKind::Flip: {
        unsigned axis = op_->getInt(Attr::axis);
        if (source_.dim(axis).isPadded() || layout_.dim(axis).isPadded()) return false;
        for (unsigned d = 0; d < layout_.rank(); ++d)
          if (!matchDims(d, d, d == axis)) return false;
        return true;
      }
      case OpKind::Slice: {
        const auto &offsets = op_->getInts(Attr::offsets);
        for (unsigned d = 0; d < layout_.rank(); ++d)
          if (!matchDims(d, d, false, offsets[d])) return false;
        return true;
      }
      case OpKind::Permute: {
        const auto &order = op_->getInts(Attr::order);
        for (unsigned d = 0; d < layout_.rank(); ++d)
          if (!matchDims(order[d], d)) return false;
        return true;
      }
      case OpKind::Convert:
        for (unsigned d = 0; d < layout_.rank(); ++d)
          if (!matchDims(d, d)) return false;
        return true;
      default:
        return false;
    }
  }

  // Merges parts that are neighbours on both sides.
  static void tidy(SourceIndex &index) {
    std::sort(index.parts.begin(), index.parts.end(),
              [](const MovedPart &a, const MovedPart &b) { return a.stride < b.stride; });
    llvm::SmallVector<MovedPart, 4> joined;
    for (const MovedPart &part : index.parts) {
      MovedPart *last = joined.empty() ? nullptr : &joined.back();
      if (last && last->of.unit == part.of.unit && last->of.axis == part.of.axis &&
          last->reversed == part.reversed && part.stride == last->stride * last->of.extent &&
          part.of.stride == last->of.stride * last->of.extent)
        last->of.extent *= part.of.extent;
      else
        joined.push_back(part);
    }
    index.parts = std::move(joined);
  }

  const Op *op_;
  const Layout &source_, &layout_;
  unsigned result_;
  WarpMove move_;
};

}  // namespace

std::optional<WarpMove> warpMove(const Op *op, unsigned result) {
  return Matcher(op, result).run();
}

}  // namespace tile2cu::passes
