// warp_move: the lane and register that it names hold the element, and it finds a way wherever elements stay in their warps.
#include "passes/analysis/layout/warp_shuffle.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
namespace {

using namespace ir;
using Coordinates = std::vector<int64_t>;

LayoutRef blocked(llvm::ArrayRef<int64_t> shape, int warps, int64_t vector, bool columns) {
  BlockedSpec spec;
  spec.shape.assign(shape.begin(), shape.end());
  spec.numWarps = warps;
  spec.vector = vector;
  for (unsigned d = 0; d < shape.size(); ++d)
    spec.order.push_back(columns ? d : shape.size() - 1 - d);
  return blockedLayout(spec);
}

template <class Visit>
void forRegisters(const Layout &layout, Visit visit) {
  llvm::SmallVector<int64_t, 4> registers(layout.registerAxes().size());
  for (int64_t r = 0; r < layout.elementsPerThread(); ++r) {
    int64_t rest = r;
    for (size_t axis = 0; axis < registers.size(); ++axis) {
      registers[axis] = rest % layout.registerAxes()[axis];
      rest /= layout.registerAxes()[axis];
    }
    visit(registers);
  }
}

Coordinates coordinates(const Layout &layout, llvm::ArrayRef<int64_t> registers, int64_t lane,
                        int64_t warp) {
  Coordinates result;
  for (unsigned d = 0; d < layout.rank(); ++d)
    result.push_back(layout.coordinate(d, registers, lane, warp));
  return result;
}

// Where an element of the result is in the source.
Coordinates sourceOf(const Op *op, unsigned result, const Coordinates &at) {
  Coordinates from = at;
  const Shape &shape = op->operand(0)->type.shape();
  switch (op->kind) {
    case OpKind::Permute:
      for (unsigned d = 0; d < at.size(); ++d) from[op->getInts(Attr::order)[d]] = at[d];
      break;
    case OpKind::Flip:
      from[op->getInt(Attr::axis)] = shape[op->getInt(Attr::axis)] - 1 - at[op->getInt(Attr::axis)];
      break;
    case OpKind::Slice:
      for (unsigned d = 0; d < at.size(); ++d) from[d] += op->getInts(Attr::offsets)[d];
      break;
    case OpKind::Split:
      from.push_back(result);
      break;
    case OpKind::Reshape: {
      int64_t number = 0;
      for (unsigned d = 0; d < at.size(); ++d)
        number = number * op->result()->type.shape()[d] + at[d];
      from.assign(shape.size(), 0);
      for (unsigned d = shape.size(); d-- > 0; number /= shape[d]) from[d] = number % shape[d];
      break;
    }
    default:
      break;
  }
  return from;
}

int64_t valueOf(const SourceIndex &index, llvm::ArrayRef<int64_t> registers, int64_t lane,
                int64_t warp) {
  int64_t value = index.base;
  for (const MovedPart &part : index.parts) {
    int64_t unit = part.of.unit == Unit::Register ? registers[part.of.axis]
                   : part.of.unit == Unit::Lane   ? lane
                                                  : warp;
    int64_t digit = unit / part.of.stride % part.of.extent;
    value += (part.reversed ? part.of.extent - 1 - digit : digit) * part.stride;
  }
  return value;
}

struct Counts {
  int moved = 0, leaves = 0, missed = 0;
};

void check(Op *op, Counts &counts) {
  const Layout &source = *op->operand(0)->type.layout();
  std::map<Coordinates, std::set<int64_t>> warpsOf;
  for (int64_t warp = 0; warp < source.numWarps(); ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      forRegisters(source, [&](llvm::ArrayRef<int64_t> registers) {
        warpsOf[coordinates(source, registers, lane, warp)].insert(warp);
      });
  for (unsigned result = 0; result < op->numResults(); ++result) {
    const Layout &layout = *op->result(result)->type.layout();
    const auto move = warpMove(op, result);
    bool stays = true;
    int wrong = 0;
    for (int64_t warp = 0; warp < layout.numWarps(); ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        forRegisters(layout, [&](llvm::ArrayRef<int64_t> registers) {
          Coordinates at = coordinates(layout, registers, lane, warp);
          bool valid = true;
          for (unsigned d = 0; d < layout.rank(); ++d) valid &= at[d] < layout.dim(d).size;
          Coordinates from = sourceOf(op, result, at);
          if (valid) stays &= warpsOf.at(from).count(warp) != 0;
          if (!move) return;
          // Elements of padding may be any, but have to be there.
          int64_t other = move->crossesLanes ? valueOf(move->lane, registers, lane, warp) : lane;
          llvm::SmallVector<int64_t, 4> there;
          for (size_t axis = 0; axis < move->registers.size(); ++axis) {
            there.push_back(valueOf(move->registers[axis], registers, lane, warp));
            wrong += there.back() < 0 || there.back() >= source.registerAxes()[axis];
          }
          wrong += other < 0 || other >= 32;
          if (valid) wrong += coordinates(source, there, other, warp) != from;
        });
    EXPECT_EQ(wrong, 0) << op->mnemonic().str() << " of " << source.str() << " to " << layout.str();
    if (move) {
      EXPECT_TRUE(stays);
      ++counts.moved;
    } else {
      ++(stays ? counts.missed : counts.leaves);
    }
  }
}

class Moves {
 public:
  Moves() : b_(block_) {}
  Op *make(OpKind kind, llvm::ArrayRef<int64_t> from, LayoutRef source, llvm::ArrayRef<int64_t> to,
           LayoutRef layout, unsigned results = 1) {
    Value *value = b_.splat(b_.constantFloat(Scalar::F32, 0), Shape(from.begin(), from.end()),
                            std::move(source));
    Type type(value->type.element(), Shape(to.begin(), to.end()), std::move(layout));
    return b_.create(kind, {value}, llvm::SmallVector<Type, 2>(results, type));
  }

 private:
  Block block_;
  Builder b_;
};

const std::vector<std::vector<int64_t>> kShapes = {
    {1},    {16},     {64},     {96},     {128},    {100},   {1000},    {192},
    {4, 8}, {16, 32}, {80, 16}, {3, 100}, {64, 64}, {5, 12}, {2, 4, 16}};
const std::vector<std::vector<int64_t>> kSmall = {{1},    {16},    {64},    {96},       {100},
                                                  {4, 8}, {8, 16}, {5, 12}, {2, 4, 16}, {128}};
const int kWarps[] = {1, 2, 3, 4, 5, 8};

// Every pair of layouts of a tile.
template <class Visit>
void forLayouts(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to, Visit visit) {
  for (int warps : kWarps)
    for (int64_t vector : {1, 4})
      for (int64_t other : {1, 2, 8})
        for (bool columns : {false, true})
          for (bool turned : {false, true})
            visit(blocked(from, warps, vector, columns), blocked(to, warps, other, turned));
}

TEST(WarpMove, ConversionsAndTranspositions) {
  Counts even, odd;
  for (const auto &shape : kShapes)
    forLayouts(shape, shape, [&](const LayoutRef &source, const LayoutRef &layout) {
      const bool powers = llvm::isPowerOf2_64(source->numWarps()) &&
                          llvm::all_of(shape, [](int64_t n) { return llvm::isPowerOf2_64(n); });
      Counts &counts = powers ? even : odd;
      Moves moves;
      check(moves.make(OpKind::Convert, shape, source, shape, layout), counts);
      if (shape.size() != 2) return;
      Op *turn = moves.make(OpKind::Permute, shape, source, {shape[1], shape[0]},
                            layout->permuted({1, 0}));
      turn->set(Attr::order, llvm::SmallVector<int64_t, 4>{1, 0});
      check(turn, counts);
    });
  EXPECT_GT(even.moved, 500);
  EXPECT_GT(even.leaves, 300);
  EXPECT_EQ(even.missed, 0);
  // Here padding differs, and odd digits do not fit even ones.
  EXPECT_GT(odd.moved, 500);
  EXPECT_LT(odd.missed, odd.moved);
}

// The layouts of a square's sums, along one axis and the other: with copies in lanes, warps or both.
TEST(WarpMove, SlicesOfOneTile) {
  Counts even, odd;
  for (int64_t n : {4, 8, 16, 32, 64, 96})
    forLayouts({n, n}, {n, n}, [&](const LayoutRef &a, const LayoutRef &b) {
      Moves moves;
      const bool powers = llvm::isPowerOf2_64(a->numWarps()) && llvm::isPowerOf2_64(n);
      Counts &counts = powers ? even : odd;
      check(moves.make(OpKind::Convert, {n}, a->withoutDim(0), {n}, b->withoutDim(1)), counts);
      check(moves.make(OpKind::Convert, {n}, a->withoutDim(1), {n},
                       blocked({n}, a->numWarps(), 1, false)),
            counts);
    });
  EXPECT_GT(even.moved, 500);
  EXPECT_GT(even.leaves, 200);
  EXPECT_EQ(even.missed, 0);
  EXPECT_GT(odd.moved, 300);
  EXPECT_LT(odd.missed, odd.moved);
}

TEST(WarpMove, FlipsSlicesSplitsReshapes) {
  Counts counts;
  for (const auto &shape : kSmall)
    forLayouts(shape, shape, [&](const LayoutRef &source, const LayoutRef &layout) {
      Moves moves;
      for (unsigned d = 0; d < shape.size(); ++d) {
        Op *flip = moves.make(OpKind::Flip, shape, source, shape, layout);
        flip->setInt(Attr::axis, d);
        check(flip, counts);
      }
    });
  for (const auto &shape : kSmall) {
    for (int64_t part : {1, 2, 3}) {
      std::vector<int64_t> less = shape;
      less.back() = std::max<int64_t>(1, less.back() / part);
      forLayouts(shape, less, [&](const LayoutRef &source, const LayoutRef &layout) {
        for (int64_t offset :
             {int64_t{0}, shape.back() - less.back(), (shape.back() - less.back()) / 3}) {
          Moves moves;
          Op *slice = moves.make(OpKind::Slice, shape, source, less, layout);
          llvm::SmallVector<int64_t, 4> offsets(shape.size(), 0);
          offsets.back() = offset;
          slice->set(Attr::offsets, offsets);
          check(slice, counts);
        }
      });
    }
    std::vector<int64_t> both = shape;
    both.push_back(2);
    forLayouts(both, shape, [&](const LayoutRef &source, const LayoutRef &layout) {
      Moves moves;
      check(moves.make(OpKind::Split, both, source, shape, layout, 2), counts);
    });
  }
  for (const auto &from : kSmall)
    for (const auto &to : kSmall) {
      int64_t sizes[2] = {1, 1};
      for (int64_t size : from) sizes[0] *= size;
      for (int64_t size : to) sizes[1] *= size;
      if (sizes[0] != sizes[1] || from == to) continue;
      forLayouts(from, to, [&](const LayoutRef &source, const LayoutRef &layout) {
        Moves moves;
        check(moves.make(OpKind::Reshape, from, source, to, layout), counts);
      });
    }
  EXPECT_GT(counts.moved, 1000);
  EXPECT_GT(counts.leaves, 1000);
}

}  // namespace
}  // namespace tile2cu::passes
