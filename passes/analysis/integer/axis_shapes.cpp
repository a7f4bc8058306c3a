// AxisInfo of operations that move elements.
#include <numeric>

#include "passes/analysis/integer/axis_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

struct Shapes {
  const Op &op;
  const Type &type;
  OperandInfos in;
  AxisInfo &out;  // unknown at first
  int64_t unit = unitOf(type);

  void set(unsigned d, int64_t contiguity, int64_t divisibility, int64_t constancy) {
    out.contiguity[d] = contiguity;
    out.divisibility[d] = divisibility;
    out.constancy[d] = constancy;
  }
  void take(unsigned d, const AxisInfo &from, unsigned e) {
    set(d, from.contiguity[e], from.divisibility[e], from.constancy[e]);
  }

  void arange() {
    int64_t start = op.getInt(Attr::start);
    if (type.numElements() == 1)
      out = constantInfo(type, start);
    else
      set(0, type.numElements(), powerOfTwoIn(start), 1);
  }

  void splat() {
    for (unsigned d = 0; d < type.rank(); ++d) set(d, 1, in[0]->divisibility[0], type.shape()[d]);
  }

  void expandDims() {
    unsigned axis = op.getInt(Attr::axis);
    for (unsigned d = 0; d < type.rank(); ++d) {
      if (d == axis)
        set(d, 1, divisibilityOfAll(*in[0]), 1);
      else
        take(d, *in[0], d > axis ? d - 1 : d);
    }
  }

  void broadcast() {
    for (unsigned d = 0; d < type.rank(); ++d) {
      take(d, *in[0], d);
      if (op.operand(0)->type.shape()[d] != type.shape()[d]) out.constancy[d] = type.shape()[d];
    }
  }

  void permute() {
    const auto &order = op.getInts(Attr::order);
    for (unsigned d = 0; d < type.rank(); ++d) take(d, *in[0], order[d]);
  }

  // The result has elements of either operand. Runs of both fit where the operands join, because
  // the length of a run divides the extent of its operand.
  void either(unsigned d) {
    int64_t run = std::gcd(in[0]->contiguity[d], in[1]->contiguity[d]);
    set(d, run,
        std::gcd(divisibilityAt(*in[0], d, run, unit), divisibilityAt(*in[1], d, run, unit)),
        std::gcd(in[0]->constancy[d], in[1]->constancy[d]));
  }
  void join() {
    for (unsigned d = 0; d + 1 < type.rank(); ++d) either(d);
    if (type.rank() == 1)
      return set(0, 1, std::gcd(in[0]->divisibility[0], in[1]->divisibility[0]), 1);
    set(type.rank() - 1, 1, std::gcd(divisibilityOfAll(*in[0]), divisibilityOfAll(*in[1])), 1);
  }
  void interleave() {
    for (unsigned d = 0; d + 1 < type.rank(); ++d) either(d);
    set(type.rank() - 1, 1, std::gcd(divisibilityOfAll(*in[0]), divisibilityOfAll(*in[1])), 1);
  }
  void deinterleave() {
    const unsigned last = type.rank() - 1;
    for (unsigned d = 0; d < last; ++d) take(d, *in[0], d);
    set(last, 1, divisibilityAt(*in[0], last, 1, unit), 1);
  }
  void cat() {
    for (unsigned d = 0; d < type.rank(); ++d) either(d);
  }

  void flip() {
    unsigned axis = op.getInt(Attr::axis);
    for (unsigned d = 0; d < type.rank(); ++d) {
      take(d, *in[0], d);
      if (d == axis) set(d, 1, divisibilityAt(*in[0], d, 1, unit), in[0]->constancy[d]);
    }
  }

  void slice() {
    const auto &offsets = op.getInts(Attr::offsets);
    for (unsigned d = 0; d < type.rank(); ++d) {
      int64_t offset = offsets[d], extent = type.shape()[d];
      // Inside of one run everything continues; otherwise runs must start where the slice starts.
      auto cut = [&](int64_t run) {
        bool isInside = offset / run == (offset + extent - 1) / run;
        return isInside && run > 1 ? extent : std::gcd(run, std::gcd(offset, extent));
      };
      int64_t run = cut(in[0]->contiguity[d]);
      // A divisor of the elements at `offset` and at every `run` after it.
      int64_t step = run == extent ? offset : std::gcd(offset, run);
      set(d, run, divisibilityAt(*in[0], d, step, unit), cut(in[0]->constancy[d]));
    }
  }

  // ---- reshape, by groups of dimensions with the same product: [4, 32] -> [4, 2, 16] has the
  // groups {4 -> 4} and {32 -> 2, 16}.
  struct Flat {
    int64_t extent, contiguity, divisibility, constancy;
  };
  // Merges dimensions [first, last) of the source.
  Flat flatten(unsigned first, unsigned last) {
    llvm::ArrayRef<Dim> shape = op.operand(0)->type.shape();
    Flat flat{1, 1, divisibilityOfAll(*in[0]), 1};
    bool isOuterEqual = true, isRunKnown = false;
    for (unsigned d = last; d-- > first;) {
      if (shape[d] == 1) continue;
      if (!isRunKnown) {
        flat.contiguity = in[0]->contiguity[d];
        flat.divisibility = in[0]->divisibility[d];
        isRunKnown = true;
      }
      if (isOuterEqual) flat.constancy *= in[0]->constancy[d];
      isOuterEqual &= in[0]->constancy[d] == shape[d];
      flat.extent *= shape[d];
    }
    return flat;
  }
  // Splits it into dimensions [first, last) of the result.
  void split(const Flat &flat, unsigned first, unsigned last) {
    AxisInfo one;
    one.contiguity = {flat.contiguity};
    one.divisibility = {flat.divisibility};
    int64_t inner = 1;
    for (unsigned d = last; d-- > first;) {
      int64_t extent = type.shape()[d];
      if (extent == 1) {
        set(d, 1, divisibilityOfAll(*in[0]), 1);
      } else if (inner == 1) {
        int64_t run = std::gcd(flat.contiguity, extent);
        set(d, run, divisibilityAt(one, 0, run, unit), std::gcd(flat.constancy, extent));
      } else {
        bool isWhole = flat.constancy % inner == 0;
        set(d, 1, divisibilityAt(one, 0, 1, unit),
            isWhole ? std::gcd(flat.constancy / inner, extent) : 1);
      }
      inner *= extent;
    }
  }
  void reshape() {
    llvm::ArrayRef<Dim> from = op.operand(0)->type.shape(), to = type.shape();
    unsigned s = 0, r = 0;
    while (s < from.size() || r < to.size()) {
      unsigned firstSource = s, firstResult = r;
      int64_t source = s < from.size() ? from[s++] : Dim(1),
              result = r < to.size() ? to[r++] : Dim(1);
      while (source != result) {
        if (source < result)
          source *= from[s++];
        else
          result *= to[r++];
      }
      split(flatten(firstSource, s), firstResult, r);
    }
  }

  void run() {
    bool isConstant = in.size() == 1 && in[0]->constant;
    if (isConstant) {
      out = constantInfo(type, *in[0]->constant);
      return;
    }
    switch (op.kind) {
      case OpKind::Arange:
        arange();
        break;
      case OpKind::Splat:
        splat();
        break;
      case OpKind::ExpandDims:
        expandDims();
        break;
      case OpKind::Broadcast:
        broadcast();
        break;
      case OpKind::Permute:
        permute();
        break;
      case OpKind::Reshape:
        reshape();
        break;
      case OpKind::Join:
        join();
        break;
      case OpKind::Interleave:
        interleave();
        break;
      case OpKind::Deinterleave:
        deinterleave();
        break;
      case OpKind::Split:
        for (unsigned d = 0; d < type.rank(); ++d) take(d, *in[0], d);
        break;
      case OpKind::Cat:
        cat();
        break;
      case OpKind::Flip:
        flip();
        break;
      case OpKind::Slice:
        slice();
        break;
      case OpKind::Convert:
        out = *in[0];
        break;
      default:
        break;
    }
  }
};

}  // namespace

AxisInfo shapeInfo(const Op &op, OperandInfos operands) {
  AxisInfo info = unknownInfo(op.result()->type);
  Shapes{op, op.result()->type, operands, info}.run();
  return info;
}

}  // namespace tile2cu::passes
