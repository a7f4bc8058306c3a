#include "passes/ir/layout.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::ir {

Dim LayoutDim::padded() const {
  int64_t product = 1;
  for (const Digit &digit : digits) product *= digit.extent;
  return Dim(product).orFrom(size);
}

Layout::Layout(int numWarps, llvm::ArrayRef<int64_t> registerAxes, llvm::ArrayRef<LayoutDim> dims)
    : numWarps_(numWarps),
      axes_(registerAxes.begin(), registerAxes.end()),
      dims_(dims.begin(), dims.end()) {
  for (const LayoutDim &dim : dims_) T2C_ASSERT(dim.padded() >= dim.size);
}

int64_t Layout::elementsPerThread() const {
  int64_t product = 1;
  for (int64_t extent : axes_) product *= extent;
  return product;
}

std::optional<Layout::AxisUse> Layout::axisUse(unsigned axis) const {
  for (unsigned d = 0; d < rank(); ++d)
    for (unsigned k = 0; k < dims_[d].digits.size(); ++k)
      if (dims_[d].digits[k].unit == Unit::Register && dims_[d].digits[k].axis == axis)
        return AxisUse{d, k};
  return std::nullopt;
}

bool Layout::isPadded() const {
  return std::any_of(dims_.begin(), dims_.end(),
                     [](const LayoutDim &dim) { return dim.isPadded(); });
}

llvm::SmallVector<Digit, 2> Layout::replicas(Unit unit) const {
  llvm::SmallVector<Digit, 4> used;
  for (const LayoutDim &dim : dims_)
    for (const Digit &digit : dim.digits)
      if (digit.unit == unit && digit.extent > 1) used.push_back(digit);
  std::sort(used.begin(), used.end(),
            [](const Digit &a, const Digit &b) { return a.stride < b.stride; });
  int64_t total = unit == Unit::Lane ? 32 : numWarps_;
  llvm::SmallVector<Digit, 2> result;
  int64_t at = 1;
  for (const Digit &digit : used) {
    if (digit.stride > at) result.push_back({unit, 0, at, digit.stride / at});
    at = digit.stride * digit.extent;
  }
  if (at < total) result.push_back({unit, 0, at, total / at});
  return result;
}

int64_t Layout::extentAlong(unsigned d, Unit unit) const {
  int64_t product = 1;
  for (const Digit &digit : dims_[d].digits)
    if (digit.unit == unit) product *= digit.extent;
  return product;
}

int64_t Layout::coordinate(unsigned d, llvm::ArrayRef<int64_t> registers, int64_t lane,
                           int64_t warp) const {
  int64_t result = 0, stride = 1;
  for (const Digit &digit : dims_[d].digits) {
    int64_t index = digit.unit == Unit::Register ? registers[digit.axis]
                    : digit.unit == Unit::Lane   ? lane
                                                 : warp;
    result += index / digit.stride % digit.extent * stride;
    stride *= digit.extent;
  }
  return result;
}

namespace {
// Drops register axes that no digit names any more, keeping the order of the others.
LayoutRef compact(int numWarps, llvm::ArrayRef<int64_t> axes,
                  llvm::SmallVector<LayoutDim, 4> dims) {
  llvm::SmallVector<int64_t, 4> kept;
  llvm::SmallVector<int, 4> renumber(axes.size(), -1);
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    bool used = false;
    for (const LayoutDim &dim : dims)
      for (const Digit &digit : dim.digits)
        used |= digit.unit == Unit::Register && digit.axis == axis;
    if (!used) continue;
    renumber[axis] = kept.size();
    kept.push_back(axes[axis]);
  }
  for (LayoutDim &dim : dims)
    for (Digit &digit : dim.digits)
      if (digit.unit == Unit::Register) digit.axis = renumber[digit.axis];
  return std::make_shared<Layout>(numWarps, kept, dims);
}
}  // namespace

LayoutRef Layout::withoutDim(unsigned axis) const {
  llvm::SmallVector<LayoutDim, 4> dims(dims_.begin(), dims_.end());
  dims.erase(dims.begin() + axis);
  return compact(numWarps_, axes_, std::move(dims));
}

LayoutRef Layout::withUnitDim(unsigned axis) const {
  llvm::SmallVector<LayoutDim, 4> dims(dims_.begin(), dims_.end());
  dims.insert(dims.begin() + axis, LayoutDim{1, {}});
  return std::make_shared<Layout>(numWarps_, axes_, dims);
}

LayoutRef Layout::permuted(llvm::ArrayRef<int64_t> order) const {
  llvm::SmallVector<LayoutDim, 4> dims;
  for (int64_t d : order) dims.push_back(dims_[d]);
  return std::make_shared<Layout>(numWarps_, axes_, dims);
}

LayoutRef Layout::withSizes(llvm::ArrayRef<Dim> sizes) const {
  llvm::SmallVector<LayoutDim, 4> dims(dims_.begin(), dims_.end());
  for (unsigned d = 0; d < rank(); ++d)
    if (sizes[d] == 1 && dims[d].size != 1) dims[d] = LayoutDim{1, {}};
  return compact(numWarps_, axes_, std::move(dims));
}

LayoutRef withFormulas(LayoutRef layout, llvm::ArrayRef<Dim> sizes) {
  auto isSame = [](const LayoutDim &dim, const Dim &size) { return dim.size.hasFormulaOf(size); };
  if (layout->rank() != sizes.size() || llvm::equal(layout->dims(), sizes, isSame)) return layout;
  llvm::SmallVector<LayoutDim, 4> dims(layout->dims());
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    if (dim.size == size) dim.size = size;
  return std::make_shared<Layout>(layout->numWarps(), layout->registerAxes(), dims);
}

bool Layout::operator==(const Layout &other) const {
  return numWarps_ == other.numWarps_ && axes_ == other.axes_ && dims_ == other.dims_;
}

bool Layout::hasFormulasOf(const Layout &other) const {
  auto areSame = [](const Digit &a, const Digit &b) { return a.stride.hasFormulaOf(b.stride); };
  return llvm::equal(dims_, other.dims_, [&](const LayoutDim &a, const LayoutDim &b) {
    return a.size.hasFormulaOf(b.size) && llvm::equal(a.digits, b.digits, areSame);
  });
}

bool Layout::isSameSpace(const Layout &other) const {
  auto mayBeSame = [](const Dim &a, const Dim &b) {
    return !a.formula() || !b.formula() || a.hasFormulaOf(b);
  };
  auto areSame = [&](const Digit &a, const Digit &b) { return mayBeSame(a.stride, b.stride); };
  return *this == other &&
         llvm::equal(dims_, other.dims_, [&](const LayoutDim &a, const LayoutDim &b) {
           return mayBeSame(a.size, b.size) && llvm::equal(a.digits, b.digits, areSame);
         });
}

std::string Layout::str() const {
  std::string text = "#<" + std::to_string(numWarps_) + " warps, [";
  for (size_t i = 0; i < axes_.size(); ++i) text += (i ? ", " : "") + std::to_string(axes_[i]);
  text += "]";
  for (const LayoutDim &dim : dims_) {
    text += ", " + dim.size.str() + " =";
    for (const Digit &digit : dim.digits) {
      switch (digit.unit) {
        case Unit::Register:
          text += " r" + std::to_string(digit.axis);
          break;
        case Unit::Lane:
          text += " lane";
          break;
        case Unit::Warp:
          text += " warp";
          break;
      }
      if (digit.stride.formula())
        text += "/(" + digit.stride.str() + ")";
      else if (digit.stride != 1)
        text += "/" + digit.stride.str();
      text += "*" + std::to_string(digit.extent);
    }
  }
  return text + ">";
}

int64_t paddedSize(int64_t size, int64_t multiple) {
  int64_t best = 0;
  for (int64_t odd : {1, 3, 5, 7, 9}) {
    int64_t candidate = odd;
    while (candidate < size || candidate % multiple != 0) {
      candidate *= 2;
      if (candidate > (int64_t{1} << 40)) break;
    }
    if (candidate > (int64_t{1} << 40)) continue;
    if (!best || candidate < best) best = candidate;
  }
  T2C_ASSERT(best > 0);
  return best;
}

namespace {
// The largest divisor of `value` that also divides `of`, found greedily for mixed odd and even
// factors.
int64_t commonDivisor(int64_t value, int64_t of) {
  while (of) {
    int64_t rest = value % of;
    value = of;
    of = rest;
  }
  return value;
}

// How the padded sizes of a tile are divided among lanes, warps, and the remaining repetitions per
// vector.
struct Shares {
  llvm::SmallVector<int64_t, 4> lanes, warps, rest;
  int64_t steps() const {
    int64_t product = 1;
    for (int64_t each : rest) product *= each;
    return product;
  }
};

Shares dealOut(const BlockedSpec &spec, llvm::ArrayRef<int64_t> padded) {
  const unsigned rank = padded.size();
  Shares shares{llvm::SmallVector<int64_t, 4>(rank, 1), llvm::SmallVector<int64_t, 4>(rank, 1),
                llvm::SmallVector<int64_t, 4>(padded)};
  shares.rest[spec.order[0]] /= spec.vector;
  // If the odd factor of the contiguous dimension keeps it from filling the lanes (80 = 5 x 16 on
  // 32 lanes), the next dimension gets the remaining lanes.
  auto take = [&](llvm::SmallVector<int64_t, 4> &extents, int64_t available) {
    for (unsigned d : spec.order) {
      extents[d] = commonDivisor(shares.rest[d], available);
      shares.rest[d] /= extents[d];
      available /= extents[d];
    }
  };
  take(shares.lanes, 32);
  take(shares.warps, spec.numWarps);
  return shares;
}

// Pads the sizes, dimension by dimension, the outermost first, as long as padding saves each thread
// some repetitions.
llvm::SmallVector<int64_t, 4> paddedShape(const BlockedSpec &spec) {
  const unsigned rank = spec.shape.size();
  auto multipleOf = [&](unsigned d) { return d == spec.order[0] ? spec.vector : 1; };
  llvm::SmallVector<int64_t, 4> padded(rank);
  for (unsigned d = 0; d < rank; ++d) padded[d] = paddedSize(spec.shape[d], multipleOf(d));
  int64_t steps = dealOut(spec, padded).steps();
  for (bool improved = true; improved;) {
    improved = false;
    for (unsigned d : llvm::reverse(spec.order)) {
      if (spec.exactAxis == int(d) && padded[d] == spec.shape[d]) continue;
      llvm::SmallVector<int64_t, 4> wider = padded;
      const int64_t most = 2 * padded[d];
      while ((wider[d] = paddedSize(wider[d] + 1, multipleOf(d))) <= most) {
        const int64_t then = dealOut(spec, wider).steps();
        if (then >= steps) continue;
        padded = wider;
        steps = then;
        improved = true;
      }
    }
  }
  return padded;
}

}  // namespace

LayoutRef blockedLayout(const BlockedSpec &spec) {
  const unsigned rank = spec.shape.size();
  const Shares shares = dealOut(spec, paddedShape(spec));
  llvm::SmallVector<LayoutDim, 4> dims(rank);
  for (unsigned d = 0; d < rank; ++d) dims[d].size = spec.shape[d];
  // Register axes: one for each dimension (in dimension order) that has more than one repetition or
  // is the vector's, then the vector.
  llvm::SmallVector<int64_t, 4> axes;
  llvm::SmallVector<int, 4> axisOf(rank, -1);
  for (unsigned d = 0; d < rank; ++d) {
    if (shares.rest[d] == 1 && (d != spec.order[0] || spec.scalar)) continue;
    axisOf[d] = axes.size();
    axes.push_back(shares.rest[d]);
  }
  unsigned vectorAxis = axes.size();
  if (!spec.scalar) axes.push_back(spec.vector);

  int64_t laneStride = 1, warpStride = 1;
  Dim below = 1;  // consecutive threads of one index along d
  for (unsigned d : spec.order) {
    auto &digits = dims[d].digits;
    if (d == spec.order[0] && !spec.scalar)
      digits.push_back({Unit::Register, vectorAxis, 1, spec.vector});
    const int64_t vector = d == spec.order[0] ? spec.vector : 1;
    const int64_t threads = shares.lanes[d] * shares.warps[d];
    if (shares.lanes[d] > 1)
      digits.push_back({Unit::Lane, 0, Dim(laneStride).orFrom(below), shares.lanes[d]});
    Digit warp{Unit::Warp, 0, Dim(warpStride).orFrom(below.over(32)), shares.warps[d]};
    if (shares.warps[d] > 1 && spec.scanAxis != int(d)) digits.push_back(warp);
    if (axisOf[d] >= 0) digits.push_back({Unit::Register, unsigned(axisOf[d]), 1, shares.rest[d]});
    if (shares.warps[d] > 1 && spec.scanAxis == int(d)) digits.push_back(warp);
    below *= Dim(threads).orFrom(spec.shape[d].over(vector));  // if each holds one vector
    laneStride *= shares.lanes[d];
    warpStride *= shares.warps[d];
  }
  return std::make_shared<Layout>(spec.numWarps, axes, dims);
}

llvm::SmallVector<Digit, 4> joinedDigits(llvm::ArrayRef<Digit> digits) {
  llvm::SmallVector<Digit, 4> result;
  for (const Digit &digit : digits) {
    if (digit.extent == 1) continue;
    Digit *last = result.empty() ? nullptr : &result.back();
    if (last && digit.unit != Unit::Register && digit.unit == last->unit &&
        digit.stride == last->stride * last->extent)
      last->extent *= digit.extent;
    else
      result.push_back(digit);
  }
  return result;
}

bool sameDigits(const LayoutDim &a, const Layout &la, const LayoutDim &b, const Layout &lb) {
  // Axes of extent 1 are ignored; register axes may be numbered differently.
  auto da = joinedDigits(a.digits), db = joinedDigits(b.digits);
  if (la.numWarps() != lb.numWarps() || da.size() != db.size()) return false;
  for (size_t i = 0; i < da.size(); ++i)
    if (da[i].unit != db[i].unit || da[i].extent != db[i].extent ||
        (da[i].unit != Unit::Register && da[i].stride != db[i].stride))
      return false;
  return true;
}

}  // namespace tile2cu::ir
