#include "passes/analysis/layout/layout_inference.h"

#include <algorithm>
#include <optional>

#include "passes/ir/diagnostics/diagnostics.h"

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

LayoutRef reshapedLayout(const Layout &source, llvm::ArrayRef<Dim> shape) {
  if (source.isPadded()) return nullptr;
  llvm::SmallVector<Digit, 4> digits;  // contiguous dimension first, over all dimensions, row-major
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

bool isPairing(const Op *op) {
  return op->kind == OpKind::Join || op->kind == OpKind::Interleave ||
         op->kind == OpKind::Deinterleave ||
         (op->kind == OpKind::Cat && op->operand(0)->type.shape() == op->operand(1)->type.shape());
}

Value *wholeOf(const Op *pairing) {
  return pairing->kind == OpKind::Deinterleave ? pairing->operand(0) : pairing->result(0);
}

Value *partOf(const Op *pairing, unsigned which) {
  return pairing->kind == OpKind::Deinterleave ? pairing->result(which) : pairing->operand(which);
}

namespace {

// The dimension of the tile along which the elements of both parts are placed.
unsigned pairedDim(const Op *pairing) {
  return pairing->kind == OpKind::Cat ? pairing->getInt(Attr::axis)
                                      : wholeOf(pairing)->type.rank() - 1;
}

// The digit of that dimension that tells which part an element belongs to: the outermost digit of a
// cat, otherwise the innermost. It has a register axis that it may share with the next digit.
// nullopt if the digit is not a register.
std::optional<unsigned> pairedDigit(const Op *pairing, const Layout &layout) {
  const LayoutDim &dim = layout.dim(pairedDim(pairing));
  if (dim.digits.empty()) return std::nullopt;
  const unsigned k = pairing->kind == OpKind::Cat ? dim.digits.size() - 1 : 0;
  if (dim.digits[k].unit != Unit::Register) return std::nullopt;
  return k;
}

// The axis for a new digit: one of extent 1 that no digit uses; nullopt if there is none.
std::optional<unsigned> freeAxis(const Layout &layout) {
  for (unsigned axis = layout.registerAxes().size(); axis-- > 0;)
    if (layout.registerAxes()[axis] == 1 && !layout.axisUse(axis)) return axis;
  return std::nullopt;
}

}  // namespace

LayoutRef pairedLayout(const Op *pairing, const Layout &part) {
  const unsigned d = pairedDim(pairing);
  llvm::SmallVector<int64_t, 4> axes(part.registerAxes());
  llvm::SmallVector<LayoutDim, 4> dims(part.dims());
  if (pairing->kind == OpKind::Join) {
    dims.push_back({2, {{Unit::Register, unsigned(axes.size()), 1, 2}}});
    axes.push_back(2);
    return std::make_shared<Layout>(part.numWarps(), axes, dims);
  }
  const bool isCat = pairing->kind == OpKind::Cat;
  if (isCat && dims[d].isPadded()) return nullptr;
  dims[d].size *= 2;
  if (auto k = pairedDigit(pairing, part)) {
    Digit &digit = dims[d].digits[*k];
    // Neighbouring elements are the innermost registers.
    if (!isCat && digit.axis + 1 != axes.size()) return nullptr;
    digit.extent *= 2;
    axes[digit.axis] *= 2;
  } else {
    auto axis = freeAxis(part);
    if (!axis || (!isCat && *axis + 1 != axes.size())) return nullptr;
    axes[*axis] = 2;
    dims[d].digits.insert(isCat ? dims[d].digits.end() : dims[d].digits.begin(),
                          Digit{Unit::Register, *axis, 1, 2});
  }
  return std::make_shared<Layout>(part.numWarps(), axes, dims);
}

LayoutRef partLayout(const Op *pairing, const Layout &whole) {
  const unsigned d = pairedDim(pairing);
  auto k = pairedDigit(pairing, whole);
  if (!k) return nullptr;
  llvm::SmallVector<int64_t, 4> axes(whole.registerAxes());
  llvm::SmallVector<LayoutDim, 4> dims(whole.dims());
  Digit &digit = dims[d].digits[*k];
  if (digit.extent % 2 != 0 || dims[d].size % 2 != 0) return nullptr;
  if (pairing->kind == OpKind::Cat && dims[d].isPadded()) return nullptr;
  if (pairing->kind == OpKind::Join) {
    if (digit.axis + 1 != axes.size() || axes.back() != 2) return nullptr;
    axes.pop_back();
    dims.pop_back();
  } else {
    digit.extent /= 2;
    axes[digit.axis] /= 2;
    dims[d].size /= 2;
  }
  auto part = std::make_shared<Layout>(whole.numWarps(), axes, dims);
  LayoutRef again = pairedLayout(pairing, *part);
  return again && sameArrays(*again, whole) ? part : nullptr;
}

PairedIndex pairedIndex(const Op *pairing, const Layout &part, unsigned which) {
  if (pairing->kind == OpKind::Join) return {unsigned(part.registerAxes().size()), 0, which};
  const bool isCat = pairing->kind == OpKind::Cat;
  auto k = pairedDigit(pairing, part);
  const unsigned axis = k ? part.dim(pairedDim(pairing)).digits[*k].axis : *freeAxis(part);
  const int64_t extent = part.registerAxes()[axis];
  return isCat ? PairedIndex{axis, 1, which * extent} : PairedIndex{axis, 2, which};
}

LayoutRef resultLayout(const Op *view, const Layout &source) {
  switch (view->kind) {
    case OpKind::ExpandDims:
      return source.withUnitDim(view->getInt(Attr::axis));
    case OpKind::Permute:
      return source.permuted(view->getInts(Attr::order));
    case OpKind::Reshape:
      return reshapedLayout(source, view->result()->type.shape());
    default:
      return nullptr;
  }
}

LayoutRef copiedLayout(const Op *broadcast, const Layout &source) {
  const Shape &from = broadcast->operand(0)->type.shape(), &to = broadcast->result()->type.shape();
  std::optional<unsigned> grown;
  for (unsigned d = 0; d < from.size(); ++d)
    if (from[d] != to[d]) {
      if (grown) return nullptr;
      grown = d;
    }
  if (!grown || !source.dim(*grown).digits.empty()) return nullptr;
  llvm::SmallVector<int64_t, 4> axes(source.registerAxes());
  llvm::SmallVector<LayoutDim, 4> dims(source.dims());
  // The innermost registers are along the last dimension.
  unsigned axis = axes.size();
  if (*grown + 1 != to.size() && axis > 0) --axis;
  for (LayoutDim &dim : dims)
    for (Digit &digit : dim.digits)
      if (digit.unit == Unit::Register && digit.axis >= axis) ++digit.axis;
  axes.insert(axes.begin() + axis, to[*grown]);
  dims[*grown] = {to[*grown], {{Unit::Register, axis, 1, to[*grown]}}};
  return std::make_shared<Layout>(source.numWarps(), axes, dims);
}

LayoutRef sourceLayout(const Op *view, const Layout &result) {
  switch (view->kind) {
    case OpKind::ExpandDims:
      return result.withoutDim(view->getInt(Attr::axis));
    case OpKind::Broadcast:
      return result.withSizes(view->operand(0)->type.shape());
    case OpKind::Permute: {
      const auto &order = view->getInts(Attr::order);
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
  // Registers keep their order; axes of extent 1 are paired only if both sides have all of them.
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
      int axis = view->getInt(Attr::axis);
      from = int(d) == axis ? -1 : int(d) > axis ? d - 1 : d;
    } else if (view->kind == OpKind::Permute) {
      from = view->getInts(Attr::order)[d];
    }
    if (from < 0 || source.dim(from).digits.empty()) continue;
    pairDigits(source.dim(from).digits, result.dim(d).digits);
  }
  return map;
}

}  // namespace tile2cu::passes
