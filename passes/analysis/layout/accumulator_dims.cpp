#include "passes/analysis/layout/accumulator_dims.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {
using namespace ir;

static unsigned countOf(const LayoutDim &dim, Unit unit) {
  return llvm::count_if(dim.digits, [=](const Digit &digit) { return digit.unit == unit; });
}

static bool beginsWith(const LayoutDim &dim, const Digit &first, const Digit &second) {
  auto is = [&](unsigned i, const Digit &digit) {
    const Digit &own = dim.digits[i];
    return own.unit == digit.unit && own.extent == digit.extent &&
           (own.unit == Unit::Register || own.stride == digit.stride);
  };
  return dim.digits.size() >= 2 && is(0, first) && is(1, second);
}

bool areMmaRows(const LayoutDim &dim) {
  return beginsWith(dim, {Unit::Lane, 0, 4, 8}, {Unit::Register, 0, 1, 2});
}

bool areMmaColumns(const LayoutDim &dim) {
  return beginsWith(dim, {Unit::Register, 0, 1, 2}, {Unit::Lane, 0, 1, 4});
}

std::optional<Digit> onlyWarpsOf(const LayoutDim &dim) {
  if (countOf(dim, Unit::Warp) > 1) return std::nullopt;
  const auto isWarp = [](const Digit &digit) { return digit.unit == Unit::Warp; };
  const auto found = llvm::find_if(dim.digits, isWarp);
  return found == dim.digits.end() ? Digit{Unit::Warp} : *found;
}

const LayoutDim *dividedColumns(const Layout &layout) {
  const auto isDivided = [](const LayoutDim &dim) {
    const auto warps = onlyWarpsOf(dim);
    const bool areOnlyColumns = areMmaColumns(dim) && countOf(dim, Unit::Lane) == 1;
    return areOnlyColumns && warps && warps->stride == 1 && warps->extent > 1;
  };
  const auto columns = llvm::find_if(layout.dims(), isDivided);
  return columns == layout.dims().end() ? nullptr : &*columns;
}

}  // namespace tile2cu::passes
