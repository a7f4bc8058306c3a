#include "llvm/ADT/STLExtras.h"
#include "passes/ir/layout.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {
namespace {

Level firstLevel(const Op &op) {
  return op.is(ThreadLevel) ? Level::Thread : op.is(PlacedLevel) ? Level::Placed : Level::Tile;
}

// Parts of one unit's index: inside of it, and no two overlap.
bool partsFit(const Layout &layout, Unit unit, int64_t count) {
  llvm::SmallVector<Digit, 4> parts;
  for (const LayoutDim &dim : layout.dims())
    for (const Digit &digit : dim.digits)
      if (digit.unit == unit && digit.extent > 1) parts.push_back(digit);
  llvm::sort(parts, [](const Digit &a, const Digit &b) { return a.stride < b.stride; });
  int64_t end = 1;
  for (const Digit &part : parts) {
    if (part.stride % end != 0) return false;
    end = part.stride * part.extent;
  }
  return count % end == 0;
}

std::string checkLayout(const Type &type, const Kernel &kernel) {
  if (!type.isTile()) return type.layout() ? "a scalar has a layout" : "";
  if (!type.layout()) return "a tile has no layout";
  const Layout &layout = *type.layout();
  if (layout.rank() != type.rank()) return "a layout has a different rank than its tile";
  llvm::SmallVector<int, 4> named(layout.registerAxes().size(), 0);
  for (unsigned d = 0; d < layout.rank(); ++d) {
    if (layout.dim(d).size != type.shape()[d])
      return "a layout has a different shape than its tile";
    for (const Digit &digit : layout.dim(d).digits) {
      if (digit.unit != Unit::Register) continue;
      if (digit.axis >= named.size() || named[digit.axis]++ ||
          layout.registerAxes()[digit.axis] != digit.extent)
        return "a layout's digits do not fit its register axes";
    }
  }
  for (size_t axis = 0; axis < named.size(); ++axis)
    if (!named[axis] && layout.registerAxes()[axis] != 1) return "no digit uses a register axis";
  if (!partsFit(layout, Unit::Lane, 32)) return "a layout's lanes overlap or leave the warp";
  if (!partsFit(layout, Unit::Warp, layout.numWarps()))
    return "a layout's warps overlap or leave the program";
  return layout.numWarps() == kernel.options.numWarps
             ? ""
             : "a layout has a different number of warps than the kernel";
}

bool combines(const Type &a, const Type &b) {
  if (!a.isTile() || !b.isTile()) return true;
  // Most operands share the layout, so that there is nothing to compare.
  if (a.layout() == b.layout() && a.rank() == b.rank()) return true;
  for (unsigned d = 0; d < a.rank(); ++d)
    if (!sameDigits(a.layout()->dim(d), *a.layout(), b.layout()->dim(d), *b.layout())) return false;
  return true;
}

// All tiles of `op` have the same digits.
std::string checkAlike(const Op &op) {
  const Type *first = op.numResults() > 0 ? &op.result()->type : nullptr;
  for (const Value *value : op.operands()) {
    if (!value || !value->type.isTile()) continue;
    if (!first || !first->isTile()) first = &value->type;
    if (!combines(*first, value->type)) return "tiles of different layouts are combined";
  }
  return "";
}

std::string checkView(const Op &op) {
  if (op.has(Attr::exchange)) return "";  // moves data, and says so
  const Type &from = op.operand(0)->type, &to = op.result()->type;
  auto same = [&](unsigned d, unsigned e) {
    return sameDigits(from.layout()->dim(d), *from.layout(), to.layout()->dim(e), *to.layout());
  };
  for (unsigned e = 0; e < to.rank(); ++e) {
    switch (op.kind) {
      case OpKind::ExpandDims: {
        unsigned axis = op.getInt(Attr::axis);
        if (e != axis && !same(e > axis ? e - 1 : e, e)) return "expand_dims moves data";
        break;
      }
      case OpKind::Permute:
        if (!same(op.getInts(Attr::order)[e], e)) return "permute moves data";
        break;
      case OpKind::Broadcast:
        if (from.shape()[e] == to.shape()[e] && !same(e, e)) return "broadcast moves data";
        break;
      case OpKind::Reshape:  // lower_layout_conversions knows which layouts match
        return "";
      default:
        T2C_UNREACHABLE("the view has no rule for its layouts");
    }
  }
  return "";
}

}  // namespace

std::string checkLevel(const Op &op, Level level, const Kernel &kernel) {
  if (firstLevel(op) > level) return "the operation is of a later level";
  if (auto wrong = checkAttributeLevels(op, level); !wrong.empty()) return wrong;
  auto types = [&](auto &&check) -> std::string {
    for (auto &result : op.results)
      if (auto wrong = check(result->type); !wrong.empty()) return wrong;
    for (auto &region : op.regions)
      for (auto &argument : region->arguments)
        if (auto wrong = check(argument->type); !wrong.empty()) return wrong;
    return "";
  };
  if (level == Level::Tile)
    return types([](const Type &type) -> std::string {
      return type.layout() ? "a type has a layout at level tile (text of a later level starts with "
                             "'level placed')"
                           : "";
    });
  // The layout of an operand has been checked where the operand is defined.
  const auto isOfOperand = [&](const Type &type) {
    return llvm::any_of(op.operands(), [&](const Value *value) {
      return value && value->type.layout() == type.layout() && value->type.shape() == type.shape();
    });
  };
  const auto checkNew = [&](const Type &type) {
    return type.layout() && isOfOperand(type) ? "" : checkLayout(type, kernel);
  };
  if (auto wrong = types(checkNew); !wrong.empty()) return wrong;
  const bool isCounted = op.kind == OpKind::DotWait || op.kind == OpKind::AsyncWait;
  if (isCounted && level == Level::Thread && !op.has(Attr::pending))
    return "its count is missing (count_pending)";
  if (op.is(Elementwise) || op.is(GlobalAccess) || op.kind == OpKind::CudaEffect)
    return checkAlike(op);
  return op.is(View) ? checkView(op) : "";
}

}  // namespace tile2cu::ir
