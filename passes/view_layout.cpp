#include "passes/view_layout.h"

#include <algorithm>

#include "passes/ir/diagnostics.h"

namespace tile2cu::passes {
using namespace ir;

bool sameLayout(const Layout &a, const Layout &b) {
  if (a.rank() != b.rank()) return false;
  for (unsigned d = 0; d < a.rank(); ++d)
    if (a.dim(d).size != b.dim(d).size || !sameDigits(a.dim(d), a, b.dim(d), b)) return false;
  return true;
}

bool sameArrays(const Layout &a, const Layout &b) {
  return sameLayout(a, b) && a.registerAxes() == b.registerAxes();
}

LayoutRef reshapedLayout(const Layout &source, llvm::ArrayRef<int64_t> shape) {
  if (source.isPadded()) return nullptr;
  llvm::SmallVector<Digit, 4> digits;  // fastest first over all dimensions, row-major
  for (unsigned d = source.rank(); d-- > 0;)
    digits.append(source.dim(d).digits.begin(), source.dim(d).digits.end());
  digits = joinedDigits(digits);
  llvm::SmallVector<LayoutDim, 4> dims(shape.size());
  size_t at = 0;
  for (unsigned d = shape.size(); d-- > 0;) {
    dims[d].size = shape[d];
    int64_t need = shape[d];
    while (need > 1) {
      if (at == digits.size()) return nullptr;
      Digit &digit = digits[at];
      if (need % digit.extent == 0) {
        need /= digit.extent;
        dims[d].digits.push_back(digit);
        ++at;
      } else if (digit.unit != Unit::Register && digit.extent % need == 0) {
        dims[d].digits.push_back({digit.unit, digit.axis, digit.stride, need});
        digit.stride *= need;
        digit.extent /= need;
        need = 1;
      } else {
        return nullptr;
      }
    }
  }
  return at == digits.size()
             ? std::make_shared<Layout>(source.numWarps(), source.registerAxes(), dims)
             : nullptr;
}

LayoutRef resultLayout(const Op *view, const Layout &source) {
  switch (view->kind) {
    case OpKind::ExpandDims:
      return source.withUnitDim(view->getInt("axis"));
    case OpKind::Permute:
      return source.permuted(view->getInts("order"));
    case OpKind::Reshape:
      return reshapedLayout(source, view->result()->type.shape());
    default:
      return nullptr;
  }
}

LayoutRef sourceLayout(const Op *view, const Layout &result) {
  switch (view->kind) {
    case OpKind::ExpandDims:
      return result.withoutDim(view->getInt("axis"));
    case OpKind::Broadcast:
      return result.withSizes(view->operand(0)->type.shape());
    case OpKind::Permute: {
      auto order = view->getInts("order");
      llvm::SmallVector<int64_t, 4> inverse(order.size());
      for (size_t i = 0; i < order.size(); ++i) inverse[order[i]] = i;
      return result.permuted(inverse);
    }
    case OpKind::Reshape:
      return reshapedLayout(result, view->operand(0)->type.shape());
    default:
      return nullptr;
  }
}

bool isFreeView(const Op *view) {
  const Layout &source = *view->operand(0)->type.layout(), &result = *view->result()->type.layout();
  if (view->kind == OpKind::Broadcast) {
    LayoutRef needed = sourceLayout(view, result);
    return sameLayout(*needed, source);
  }
  LayoutRef natural = resultLayout(view, source);
  return natural && sameLayout(*natural, result);
}

llvm::SmallVector<int, 4> axisMap(const Op *view, const Layout &source, const Layout &result) {
  llvm::SmallVector<int, 4> map(source.registerAxes().size(), -1);
  // Registers keep their order; those of extent 1 have a partner only where both sides have all of them.
  auto pairDigits = [&](llvm::ArrayRef<Digit> from, llvm::ArrayRef<Digit> to) {
    auto registers = [](llvm::ArrayRef<Digit> digits, int64_t least) {
      llvm::SmallVector<unsigned, 4> axes;
      for (const Digit &digit : digits)
        if (digit.unit == Unit::Register && digit.extent >= least) axes.push_back(digit.axis);
      return axes;
    };
    auto a = registers(from, 1), b = registers(to, 1);
    if (a.size() != b.size()) {
      a = registers(from, 2);
      b = registers(to, 2);
    }
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) map[a[i]] = b[i];
  };
  if (view->kind == OpKind::Reshape) {
    llvm::SmallVector<Digit, 8> from, to;
    auto flatten = [](const Layout &layout, llvm::SmallVectorImpl<Digit> &out) {
      for (unsigned d = layout.rank(); d-- > 0;)
        for (const Digit &digit : layout.dim(d).digits)
          if (digit.unit == Unit::Register && digit.extent > 1) out.push_back(digit);
    };
    flatten(source, from);
    flatten(result, to);
    T2C_ASSERT(from.size() == to.size());
    for (size_t i = 0; i < from.size(); ++i) map[from[i].axis] = to[i].axis;
    return map;
  }
  for (unsigned d = 0; d < result.rank(); ++d) {
    int from = d;
    if (view->kind == OpKind::ExpandDims) {
      int axis = view->getInt("axis");
      from = int(d) == axis ? -1 : int(d) > axis ? d - 1 : d;
    } else if (view->kind == OpKind::Permute) {
      from = view->getInts("order")[d];
    }
    if (from < 0 || source.dim(from).digits.empty()) continue;
    pairDigits(source.dim(from).digits, result.dim(d).digits);
  }
  return map;
}

}  // namespace tile2cu::passes
