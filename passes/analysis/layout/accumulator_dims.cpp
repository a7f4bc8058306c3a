#include "passes/analysis/layout/accumulator_dims.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {
using namespace ir;

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

Digit warpsOf(const LayoutDim &dim) {
  const auto isWarp = [](const Digit &digit) { return digit.unit == Unit::Warp; };
  const auto found = llvm::find_if(dim.digits, isWarp);
  return found == dim.digits.end() ? Digit{Unit::Warp} : *found;
}

const LayoutDim *dividedColumns(const Layout &layout) {
  const auto isDivided = [](const LayoutDim &dim) {
    return areMmaColumns(dim) && warpsOf(dim).stride == 1 && warpsOf(dim).extent > 1;
  };
  const auto columns = llvm::find_if(layout.dims(), isDivided);
  return columns == layout.dims().end() ? nullptr : &*columns;
}

}  // namespace tile2cu::passes
