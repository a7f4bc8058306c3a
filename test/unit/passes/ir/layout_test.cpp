// Layouts: every element is held, owners hold it once, and slices and permutations leave it where it was.
#include "passes/ir/layout.h"

#include <set>

#include "test/unit/passes/ir_text.h"

namespace tile2cu::ir {
namespace {

using Coordinates = std::vector<int64_t>;

// Calls visit(registers, lane, warp, coordinates) for everything that a layout's threads hold.
template <class Visit>
void forEach(const Layout &layout, Visit visit) {
  llvm::SmallVector<int64_t, 4> registers(layout.registerAxes().size(), 0);
  Coordinates at(layout.rank());
  for (int64_t r = 0; r < layout.elementsPerThread(); ++r) {
    int64_t rest = r;
    for (size_t axis = registers.size(); axis-- > 0;) {
      registers[axis] = rest % layout.registerAxes()[axis];
      rest /= layout.registerAxes()[axis];
    }
    for (int64_t warp = 0; warp < layout.numWarps(); ++warp)
      for (int64_t lane = 0; lane < 32; ++lane) {
        for (unsigned d = 0; d < layout.rank(); ++d)
          at[d] = layout.coordinate(d, registers, lane, warp);
        visit(registers, lane, warp, at);
      }
  }
}

// The elements of each thread, as a set: [warp * 32 + lane].
std::vector<std::set<Coordinates>> held(const Layout &layout) {
  std::vector<std::set<Coordinates>> result(32 * layout.numWarps());
  forEach(layout, [&](const auto &, int64_t lane, int64_t warp, const Coordinates &at) {
    result[warp * 32 + lane].insert(at);
  });
  return result;
}

// The same sets with every coordinate tuple changed by `change`.
template <class Change>
std::vector<std::set<Coordinates>> heldAs(const Layout &layout, Change change) {
  std::vector<std::set<Coordinates>> result;
  for (const auto &thread : held(layout)) {
    result.emplace_back();
    for (Coordinates at : thread) {
      change(at);
      result.back().insert(at);
    }
  }
  return result;
}

bool isOwner(const Layout &layout, int64_t lane, int64_t warp) {
  for (const Digit &part : layout.replicas(Unit::Lane))
    if (lane / part.stride % part.extent != 0) return false;
  for (const Digit &part : layout.replicas(Unit::Warp))
    if (warp / part.stride % part.extent != 0) return false;
  return true;
}

// How often each element of the padded tile is held: by anybody, and by owners.
void expectComplete(const Layout &layout) {
  int64_t total = 1;
  for (const LayoutDim &dim : layout.dims()) total *= dim.padded();
  std::vector<int> holders(total, 0), owners(total, 0);
  bool inside = true;
  forEach(layout, [&](const auto &, int64_t lane, int64_t warp, const Coordinates &at) {
    int64_t index = 0;
    for (unsigned d = 0; d < layout.rank(); ++d) {
      inside &= at[d] >= 0 && at[d] < layout.dim(d).padded();
      index = index * layout.dim(d).padded() + at[d];
    }
    if (!inside) return;
    ++holders[index];
    owners[index] += isOwner(layout, lane, warp);
  });
  EXPECT_TRUE(inside) << layout.str();
  int64_t copies = 32 * layout.numWarps() * layout.elementsPerThread() / total;
  for (int64_t i = 0; i < total; ++i) {
    if (holders[i] == copies && owners[i] == 1) continue;
    ADD_FAILURE() << layout.str() << ": element " << i << " is held " << holders[i] << " times ("
                  << copies << " expected), by " << owners[i] << " owners";
    return;
  }
  EXPECT_EQ(layout.isReplicated(), copies != 1) << layout.str();
}

const std::vector<llvm::SmallVector<int64_t, 4>> kShapes = {
    {1},    {2},    {16},   {32},   {80},     {96},     {128},    {192},     {1000},    {1024},
    {5000}, {5120}, {3, 5}, {1, 7}, {16, 32}, {64, 64}, {80, 16}, {3, 1000}, {8, 2048}, {4, 6, 20},
};
const int kWarps[] = {1, 2, 3, 4, 5, 8, 16};

// Calls visit(spec) for shapes x warps x vectors x orders x scanned dimensions.
template <class Visit>
void forEachSpec(llvm::ArrayRef<int64_t> vectors, Visit visit) {
  for (const auto &shape : kShapes)
    for (int warps : kWarps)
      for (int64_t vector : vectors)
        for (bool columns : {false, true})
          for (int scan = -1; scan < int(shape.size()); ++scan) {
            if (columns && shape.size() == 1) continue;
            BlockedSpec spec;
            spec.shape.assign(shape.begin(), shape.end());
            spec.numWarps = warps;
            spec.vector = vector;
            spec.scanAxis = scan;
            for (unsigned d = 0; d < shape.size(); ++d)
              spec.order.push_back(columns ? d : shape.size() - 1 - d);
            visit(spec);
          }
}

TEST(Layout, BlockedHoldsEveryElementOnce) {
  forEachSpec({1, 2, 4, 8}, [](const BlockedSpec &spec) { expectComplete(*blockedLayout(spec)); });
}

TEST(Layout, BlockedVectorsRunAlongTheFastestDimension) {
  forEachSpec({1, 4, 8}, [](const BlockedSpec &spec) {
    LayoutRef layout = blockedLayout(spec);
    ASSERT_EQ(layout->registerAxes().back(), spec.vector);
    llvm::SmallVector<int64_t, 4> zero(layout->registerAxes().size(), 0), next = zero;
    next.back() = spec.vector - 1;
    for (unsigned d = 0; d < layout->rank(); ++d) {
      int64_t steps = layout->coordinate(d, next, 3, 0) - layout->coordinate(d, zero, 3, 0);
      EXPECT_EQ(steps, d == spec.order[0] ? spec.vector - 1 : 0) << layout->str();
    }
    EXPECT_EQ(layout->coordinate(spec.order[0], zero, 5, 0) % spec.vector, 0) << layout->str();
  });
}

TEST(Layout, ScannedDimensionHasItsWarpsInOrder) {
  unsigned compared = 0;
  forEachSpec({1, 4}, [&](const BlockedSpec &spec) {
    if (spec.scanAxis < 0) return;
    LayoutRef layout = blockedLayout(spec);
    int64_t warps = layout->extentAlong(spec.scanAxis, Unit::Warp);
    if (warps != spec.numWarps) return;
    std::vector<int64_t> low(warps, INT64_MAX), high(warps, -1);
    forEach(*layout, [&](const auto &, int64_t, int64_t warp, const Coordinates &at) {
      low[warp] = std::min(low[warp], at[spec.scanAxis]);
      high[warp] = std::max(high[warp], at[spec.scanAxis]);
    });
    for (int64_t w = 0; w + 1 < warps; ++w) {
      EXPECT_LT(high[w], low[w + 1]) << layout->str();
      ++compared;
    }
  });
  EXPECT_GT(compared, 50u);
}

TEST(Layout, BlockedText) {
  auto text = [](llvm::ArrayRef<int64_t> shape, int warps, int64_t vector,
                 llvm::ArrayRef<unsigned> order, int scan = -1, bool scalar = false,
                 int exact = -1) {
    BlockedSpec spec;
    spec.shape.assign(shape.begin(), shape.end());
    spec.numWarps = warps;
    spec.vector = vector;
    spec.order.assign(order.begin(), order.end());
    spec.scanAxis = scan;
    spec.scalar = scalar;
    spec.exactAxis = exact;
    return blockedLayout(spec)->str();
  };
  EXPECT_EQ(text({1024}, 4, 4, {0}), "#<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2>");
  EXPECT_EQ(text({1024}, 4, 4, {0}, 0), "#<4 warps, [2, 4], 1024 = r1*4 lane*32 r0*2 warp*4>");
  EXPECT_EQ(text({1000}, 4, 1, {0}), "#<4 warps, [8, 1], 1000 = r1*1 lane*32 warp*4 r0*8>");
  EXPECT_EQ(text({5120}, 5, 4, {0}), "#<5 warps, [8, 4], 5120 = r1*4 lane*32 warp*5 r0*8>");
  // Padded further than to m x 2^k where several threads would hold the same.
  EXPECT_EQ(text({80}, 1, 1, {0}), "#<1 warps, [3, 1], 80 = r1*1 lane*32 r0*3>");
  EXPECT_EQ(text({80}, 1, 1, {0}, -1, false, 0), "#<1 warps, [5, 1], 80 = r1*1 lane*16 r0*5>");
  EXPECT_EQ(text({100}, 4, 1, {0}), "#<4 warps, [1, 1], 100 = r1*1 lane*32 warp*4 r0*1>");
  EXPECT_EQ(text({100}, 4, 1, {0}, -1, false, 0), text({100}, 4, 1, {0}));
  EXPECT_EQ(text({1024}, 3, 4, {0}), "#<3 warps, [3, 4], 1024 = r1*4 lane*32 warp*3 r0*3>");
  EXPECT_EQ(text({1024}, 3, 4, {0}, -1, false, 0), "#<3 warps, [8, 4], 1024 = r1*4 lane*32 r0*8>");
  EXPECT_EQ(text({3, 50}, 4, 1, {1, 0}),
            "#<4 warps, [2, 1, 1], 3 = warp/2*2 r0*2, 50 = r2*1 lane*32 warp*2 r1*1>");
  EXPECT_EQ(text({16, 32}, 4, 4, {1, 0}),
            "#<4 warps, [1, 4], 16 = lane/8*4 warp*4, 32 = r1*4 lane*8 r0*1>");
  EXPECT_EQ(text({16, 32}, 4, 4, {0, 1}),
            "#<4 warps, [1, 4], 16 = r1*4 lane*4 r0*1, 32 = lane/4*8 warp*4>");
  // No vector axis where nothing is accessed in vectors.
  EXPECT_EQ(text({256}, 4, 1, {0}, -1, true), "#<4 warps, [2], 256 = lane*32 warp*4 r0*2>");
}

TEST(Layout, PaddedSizeIsMinimal) {
  auto fits = [](int64_t size, int64_t multiple) {
    int64_t odd = size;
    while (odd % 2 == 0) odd /= 2;
    return odd <= 9 && size % multiple == 0;
  };
  for (int64_t multiple : {1, 2, 4, 8})
    for (int64_t size = 1; size <= 6000; ++size) {
      int64_t least = size;
      while (!fits(least, multiple)) ++least;
      ASSERT_EQ(paddedSize(size, multiple), least) << size << " in multiples of " << multiple;
    }
  EXPECT_EQ(paddedSize(1000, 4), 1024);
  EXPECT_EQ(paddedSize(5120, 4), 5120);
  EXPECT_EQ(paddedSize(11, 1), 12);
}

// Sets of whole tiles are compared: the larger shapes would only take time.
bool isLarge(const BlockedSpec &spec) {
  int64_t elements = 1;
  for (int64_t size : spec.shape) elements *= size;
  return elements * spec.numWarps > 8192 || spec.scanAxis > 0;
}

TEST(Layout, SlicesStayWhereTheyWere) {
  forEachSpec({1, 4}, [](const BlockedSpec &spec) {
    if (isLarge(spec)) return;
    LayoutRef layout = blockedLayout(spec);
    for (unsigned axis = 0; axis < layout->rank(); ++axis) {
      LayoutRef slice = layout->withoutDim(axis);
      EXPECT_EQ(held(*slice),
                heldAs(*layout, [&](Coordinates &at) { at.erase(at.begin() + axis); }))
          << layout->str() << " without " << axis;
      expectComplete(*slice);
      // No register axis is left that says nothing.
      for (unsigned r = 0; r < slice->registerAxes().size(); ++r) EXPECT_TRUE(slice->axisUse(r));
    }
  });
}

TEST(Layout, UnitDimensionsAndSizes) {
  forEachSpec({4}, [](const BlockedSpec &spec) {
    if (isLarge(spec)) return;
    LayoutRef layout = blockedLayout(spec);
    for (unsigned axis = 0; axis <= layout->rank(); ++axis) {
      LayoutRef wide = layout->withUnitDim(axis);
      EXPECT_EQ(wide->dim(axis).size, 1);
      EXPECT_EQ(held(*wide),
                heldAs(*layout, [&](Coordinates &at) { at.insert(at.begin() + axis, 0); }));
      EXPECT_TRUE(*wide->withoutDim(axis) == *layout->withUnitDim(0)->withoutDim(0));
    }
    for (unsigned axis = 0; axis < layout->rank(); ++axis) {
      Shape sizes(spec.shape);
      sizes[axis] = 1;
      LayoutRef source = layout->withSizes(sizes);
      EXPECT_EQ(source->dim(axis).size, 1);
      if (spec.shape[axis] == 1) continue;
      EXPECT_EQ(held(*source), heldAs(*layout, [&](Coordinates &at) { at[axis] = 0; }))
          << layout->str() << " with size 1 along " << axis;
    }
  });
}

TEST(Layout, PermutedKeepsRegisters) {
  forEachSpec({1, 4}, [](const BlockedSpec &spec) {
    if (spec.shape.size() < 2) return;
    LayoutRef layout = blockedLayout(spec);
    llvm::SmallVector<int64_t, 4> order;  // rotated by one
    for (unsigned d = 0; d < layout->rank(); ++d) order.push_back((d + 1) % layout->rank());
    LayoutRef turned = layout->permuted(order);
    unsigned wrong = 0;
    forEach(*layout, [&](const auto &registers, int64_t lane, int64_t warp, const Coordinates &at) {
      for (unsigned d = 0; d < at.size(); ++d)
        wrong += turned->coordinate(d, registers, lane, warp) != at[order[d]];
    });
    EXPECT_EQ(wrong, 0u) << layout->str();
    for (unsigned d = 0; d < layout->rank(); ++d)
      EXPECT_EQ(turned->dim(d).size, spec.shape[order[d]]);
  });
}

// A layout for kernels of that many warps, through the text of a kernel.
LayoutRef parsed(const std::string &layout, int warps, llvm::ArrayRef<Dim> shape) {
  std::string type = "tile<";
  for (int64_t size : shape) type += std::to_string(size) + "x";
  type += "i32, " + layout + ">";
  Module module;
  test::parseOrFail(
      "kernel @k(%n: i32) warps " + std::to_string(warps) + " {\n%x = splat %n : " + type + "\n}\n",
      module);
  return test::find(module, "x")->type.layout();
}

TEST(Layout, TextReadsBack) {
  forEachSpec({1, 4}, [](const BlockedSpec &spec) {
    LayoutRef layout = blockedLayout(spec);
    LayoutRef again = parsed(layout->str(), spec.numWarps, spec.shape);
    ASSERT_TRUE(again);
    EXPECT_TRUE(*layout == *again) << layout->str() << "\n" << again->str();
    EXPECT_EQ(layout->str(), again->str());
  });
}

TEST(Layout, Replicas) {
  auto text = [](const Layout &layout) {
    std::string result;
    for (Unit unit : {Unit::Lane, Unit::Warp})
      for (const Digit &part : layout.replicas(unit))
        result += (unit == Unit::Lane ? " lane/" : " warp/") + std::to_string(part.stride) + "*" +
                  std::to_string(part.extent);
    return result;
  };
  EXPECT_EQ(text(*parsed("#<4 warps, [], 128 = lane*32 warp*4>", 4, {128})), "");
  EXPECT_EQ(text(*parsed("#<4 warps, [], 1 =>", 4, {1})), " lane/1*32 warp/1*4");
  EXPECT_EQ(text(*parsed("#<4 warps, [], 4 = lane/8*4>", 4, {4})), " lane/1*8 warp/1*4");
  // Below, between and above the digits; parts that are out of order.
  EXPECT_EQ(text(*parsed("#<6 warps, [], 12 = lane/16*2 lane/2*2 warp/2*3>", 6, {12})),
            " lane/1*2 lane/4*4 warp/1*2");
  EXPECT_EQ(text(*parsed("#<6 warps, [], 8 = lane*8>", 6, {8})), " lane/8*4 warp/1*6");
}

TEST(Layout, ExtentsAndCoordinates) {
  LayoutRef layout = parsed(
      "#<4 warps, [3, 2, 4], 6 = r0*3 lane/16*2, 512 = r2*4 lane*16 warp*4 r1*2>", 4, {6, 512});
  EXPECT_EQ(layout->elementsPerThread(), 24);
  EXPECT_EQ(layout->extentAlong(0, Unit::Lane), 2);
  EXPECT_EQ(layout->extentAlong(0, Unit::Warp), 1);
  EXPECT_EQ(layout->extentAlong(1, Unit::Register), 8);
  EXPECT_EQ(layout->axisUse(1)->dim, 1u);
  EXPECT_EQ(layout->axisUse(1)->digit, 3u);
  EXPECT_EQ(layout->coordinate(0, {2, 1, 3}, 17, 2), 2 + 3 * 1);
  EXPECT_EQ(layout->coordinate(1, {2, 1, 3}, 17, 2), 3 + 4 * 1 + 64 * 2 + 256 * 1);
  expectComplete(*layout);
}

TEST(Layout, SameDigits) {
  auto same = [](const std::string &a, const std::string &b) {
    LayoutRef x = parsed(a, 4, {1024}), y = parsed(b, 4, {1024});
    return sameDigits(x->dim(0), *x, y->dim(0), *y);
  };
  const std::string vectors = "#<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2>";
  EXPECT_TRUE(same(vectors, "#<4 warps, [4, 2], 1024 = r0*4 lane*32 warp*4 r1*2>"));
  EXPECT_TRUE(same(vectors, "#<4 warps, [2, 4, 1], 1024 = r2*1 r1*4 lane*32 warp*4 r0*2>"));
  EXPECT_FALSE(same(vectors, "#<4 warps, [2, 4], 1024 = r1*4 warp*4 lane*32 r0*2>"));
  EXPECT_FALSE(same(vectors, "#<4 warps, [4, 2], 1024 = r1*2 lane*32 warp*4 r0*4>"));
  EXPECT_FALSE(same("#<4 warps, [8], 1024 = lane*16 lane/16*2 warp*4 r0*8>",
                    "#<4 warps, [8], 1024 = lane/2*16 lane*2 warp*4 r0*8>"));
}

}  // namespace
}  // namespace tile2cu::ir
