#include "passes/analysis/layout/sort_layout.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The elements of a row that one thread sorts in its registers: as many as it has of the tile, but
// few enough to keep them there. A row of few elements stays in one warp even if its threads then
// have more, because shuffles need no barrier.
constexpr int64_t kMostElements = 32, kLongestInWarp = 256;

int64_t powerOfTwo(int64_t atLeast) { return llvm::PowerOf2Ceil(std::max<int64_t>(atLeast, 1)); }

// The largest divisor of `all` that is not above `most`.
int64_t divisor(int64_t all, int64_t most) {
  int64_t part = std::min(all, std::max<int64_t>(most, 1));
  while (all % part != 0) --part;
  return part;
}

}  // namespace

LayoutRef sortLayout(llvm::ArrayRef<Dim> shape, unsigned axis, int numWarps, int64_t kept) {
  const int64_t size = shape[axis], row = powerOfTwo(size);
  int64_t elements = 1;
  for (const Dim &dim : shape) elements *= dim;
  int64_t own = powerOfTwo(llvm::divideCeil(elements, 32 * numWarps));
  own = std::min({own, row, kMostElements});
  if (row / own > 32 && (row <= kLongestInWarp || numWarps == 1)) own = row / 32;
  const bool takesWarps = row / own > 32;
  const int64_t lanes = takesWarps ? 32 : row / own;
  if (takesWarps) own = powerOfTwo(llvm::divideCeil(size, 32 * numWarps));
  if (takesWarps && kept < size) own = std::max(own, powerOfTwo(kept) / 32);

  // The other dimensions take the other lanes and warps, the last dimension first.
  int64_t freeLanes = 32 / lanes, freeWarps = takesWarps ? 1 : numWarps;
  int64_t laneStride = lanes, warpStride = 1;
  llvm::SmallVector<int64_t, 4> registers(shape.size(), 1);
  llvm::SmallVector<LayoutDim, 4> dims(shape.size());
  for (unsigned d = shape.size(); d-- > 0;) {
    dims[d].size = shape[d];
    if (d == axis) continue;
    const int64_t ofLanes = std::min(freeLanes, powerOfTwo(shape[d]));
    const int64_t ofWarps = divisor(freeWarps, llvm::divideCeil(shape[d], ofLanes));
    registers[d] = llvm::divideCeil(shape[d], ofLanes * ofWarps);
    if (ofLanes > 1) dims[d].digits.push_back({Unit::Lane, 0, laneStride, ofLanes});
    if (ofWarps > 1) dims[d].digits.push_back({Unit::Warp, 0, warpStride, ofWarps});
    laneStride *= ofLanes;
    warpStride *= ofWarps;
    freeLanes /= ofLanes;
    freeWarps /= ofWarps;
  }
  llvm::SmallVector<int64_t, 4> axes;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (registers[d] == 1) continue;
    dims[d].digits.push_back({Unit::Register, unsigned(axes.size()), 1, registers[d]});
    axes.push_back(registers[d]);
  }
  dims[axis].digits.push_back({Unit::Register, unsigned(axes.size()), 1, own});
  axes.push_back(own);
  if (lanes > 1) dims[axis].digits.push_back({Unit::Lane, 0, 1, lanes});
  if (takesWarps) dims[axis].digits.push_back({Unit::Warp, 0, 1, numWarps});
  return std::make_shared<Layout>(numWarps, axes, dims);
}

std::optional<SortedRow> sortedRow(const Layout &layout, unsigned axis) {
  llvm::ArrayRef<Digit> digits = layout.dim(axis).digits;
  if (digits.empty() || digits[0].unit != Unit::Register ||
      digits[0].axis + 1 != layout.registerAxes().size())
    return std::nullopt;
  SortedRow row{digits[0].extent};
  for (const Digit &digit : digits.drop_front()) {
    if (digit.unit == Unit::Register) return std::nullopt;
    Digit &known = digit.unit == Unit::Lane ? row.lanes : row.warps;
    if (known.extent != 1 || (digit.unit == Unit::Lane && row.warps.extent != 1))
      return std::nullopt;
    known = digit;
  }
  const bool fits = llvm::isPowerOf2_64(row.elements) && llvm::isPowerOf2_64(row.lanes.extent);
  const bool takesAll = row.lanes.extent == 32 && row.warps.extent == layout.numWarps();
  return fits && (row.warps.extent == 1 || takesAll) ? std::optional(row) : std::nullopt;
}

namespace {

// The kept keys of a row with `kept` of them. All lanes of a row get the same keys, and as many
// lanes as can share them do.
KeptKeys keptKeysOf(const SortedRow &row, int64_t kept) {
  const int64_t count = powerOfTwo(kept);
  const int64_t lanes =
      count > row.elements ? count / row.elements : std::min(row.lanes.extent, count);
  return {count, lanes, count / lanes};
}

}  // namespace

std::optional<KeptKeys> keptKeys(const SortOp &sort) {
  const unsigned axis = sort->getInt(Attr::axis);
  const Type &source = sort.source()->type;
  const int64_t kept = sort->result(0)->type.shape()[axis];
  if (kept == source.shape()[axis]) return std::nullopt;
  return keptKeysOf(*sortedRow(*source.layout(), axis), kept);
}

LayoutRef sortedLayout(const Layout &layout, unsigned axis, const Dim &kept) {
  if (kept == layout.dim(axis).size) return std::make_shared<Layout>(layout);
  const SortedRow row = *sortedRow(layout, axis);
  const KeptKeys keys = keptKeysOf(row, kept);
  llvm::SmallVector<int64_t, 4> axes(layout.registerAxes());
  axes.back() = keys.ofThread;
  llvm::SmallVector<LayoutDim, 4> dims(layout.dims());
  dims[axis] = {kept, {{Unit::Register, unsigned(axes.size()) - 1, 1, keys.ofThread}}};
  if (keys.lanes > 1) dims[axis].digits.push_back({Unit::Lane, 0, row.lanes.stride, keys.lanes});
  return std::make_shared<Layout>(layout.numWarps(), axes, dims);
}

bool canKeepFirst(int64_t size, int64_t kept) {
  const int64_t count = powerOfTwo(kept);
  return 2 * count <= powerOfTwo(size) && count <= 32 * kMostElements;
}

}  // namespace tile2cu::passes
