#include "passes/analysis/memory/strided_box.h"

#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/integer/loop_bounds.h"
#include "passes/analysis/integer/mask_constraints.h"
#include "passes/ir/builder.h"
#include "passes/ir/written_out.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

class Boxes {
 public:
  Boxes(const Kernel &kernel, Symbols &symbols) : kernel_(kernel), symbols_(symbols) {}

  std::optional<Box> make(Value *pointers, Value *mask, std::string &why) {
    auto address = symbols_.of(pointers);
    Conditions all, conditions;
    Box box;
    if (!address)
      why = "its addresses are not a sum of coordinates times strides";
    else if (mask && !addConditions(mask, symbols_, all))
      why = "its mask is not made of bounds alone";
    if (!why.empty()) return std::nullopt;
    address_ = *address;
    for (const Polynomial &condition : all) addEach(condition, conditions);
    llvm::erase_if(conditions, [&](const Polynomial &condition) {
      return holdsInLoop(condition, pointers->type.shape(), symbols_);
    });
    if (takePointer(*address, box, why) && takeStrides(*address, pointers, box, why) &&
        takeBounds(conditions, box, why) && takeRest(*address, conditions, box, why) &&
        takeUniformBounds(conditions, box, why))
      return box;
    return std::nullopt;
  }

 private:
  static bool mentions(const Polynomial &sum, const Atom &atom) {
    return llvm::any_of(sum.terms(),
                        [&](const auto &term) { return llvm::is_contained(term.first, atom); });
  }

  // Adds a condition. A value below the minimum of two values is below both, and a value above the
  // maximum is above both. A value below the maximum is below the first one if it cannot be below
  // the second. But if the address depends on the minimum or maximum itself, that is a coordinate.
  void addEach(const Polynomial &condition, Conditions &all) {
    for (const auto &[monomial, factor] : condition.terms()) {
      const Value *value = monomial.size() == 1 ? monomial.front().value : nullptr;
      const Op *op = value ? value->definition : nullptr;
      if (!op || !isSigned(value->type.scalar()) || mentions(address_, monomial.front())) continue;
      const Polynomial without = condition - Polynomial(factor) * Polynomial(monomial.front());
      const auto with = [&](Value *operand) {
        return without + Polynomial(factor) * *symbols_.of(operand);
      };
      const bool isBelow = factor < 0;
      if (op->kind == (isBelow ? OpKind::Minimum : OpKind::Maximum)) {
        for (Value *either : op->operands()) addEach(with(either), all);
        return;
      }
      // clamp(x, low, high) is minimum(maximum(x, low), high)
      const bool isClamp = op->kind == OpKind::Clamp;
      if (!isBelow || (!isClamp && op->kind != OpKind::Maximum)) continue;
      const Polynomial first = with(op->operand(0)), second = with(op->operand(1));
      const Integers integers(Assume::Launched);
      if (integers.isNonNegative(second))
        addEach(first, all);
      else if (!isClamp && integers.isNonNegative(first))
        addEach(second, all);
      else
        continue;
      if (isClamp) addEach(with(op->operand(2)), all);
      return;
    }
    all.push_back(condition);
  }

  bool isHost(const Polynomial::Monomial &monomial) const {
    return llvm::all_of(monomial, [&](const Atom &atom) {
      return atom.value && isKnownToHost(kernel_, atom.value) &&
             writtenOut(atom.value) <= kMostWrittenOut;
    });
  }
  bool isHost(const Polynomial &sum) const {
    return llvm::all_of(sum.terms(), [&](const auto &term) { return isHost(term.first); });
  }

  // The parameter, which is added exactly once.
  bool takePointer(Polynomial &address, Box &box, std::string &why) const {
    for (const auto &[monomial, factor] : address.terms())
      for (const Atom &atom : monomial)
        if (atom.value && atom.value->type.isPointer()) {
          if (box.pointer || monomial.size() != 1 || factor != 1 || !isHost(monomial)) {
            why = "its addresses do not start at a parameter";
            return false;
          }
          box.pointer = atom.value;
        }
    if (!box.pointer) why = "its addresses do not start at a parameter";
    if (!box.pointer) return false;
    address.add({Atom{box.pointer}}, -1);
    return true;
  }

  // A stride for each dimension of the tile; the other terms of the address have none.
  bool takeStrides(Polynomial &address, const Value *pointers, Box &box, std::string &why) const {
    const Shape &shape = pointers->type.shape();
    llvm::SmallVector<Polynomial, 4> strides(shape.size());
    Polynomial rest;
    for (const auto &[monomial, factor] : address.terms()) {
      Polynomial::Monomial others;
      int dim = -1;
      for (const Atom &atom : monomial) {
        if (atom.value) {
          others.push_back(atom);
        } else if (dim >= 0) {
          why = "its addresses are not a sum of coordinates times strides";
          return false;
        } else {
          dim = atom.dim;
        }
      }
      (dim < 0 ? rest : strides[dim]).add(others, factor);
    }
    for (unsigned d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1) continue;
      if (strides[d].isZero() || !isHost(strides[d])) {
        why = "one of its strides is not known to the launcher";
        return false;
      }
      BoxDim dim{{}, strides[d], {}, shape[d], int(d)};
      const bool isContiguous = strides[d].constant() == 1;
      if (isContiguous && !box.dims.empty() && box.dims.front().stride.constant() == 1) {
        why = "two dimensions have stride 1";
        return false;
      }
      box.dims.insert(isContiguous ? box.dims.begin() : box.dims.end(), std::move(dim));
    }
    if (box.dims.empty() || box.dims.front().stride.constant() != 1) {
      why = "its elements are not contiguous in memory";
      return false;
    }
    address = rest;
    return true;
  }

  // Bounds of the form d + start < extent, of one dimension, or start < extent: the start varies,
  // and the launcher knows the extent.
  struct Bound {
    BoxDim *of = nullptr;  // null: the bound does not have this form
    bool isUniform = false;
    Polynomial start, extent;
  };
  Bound boundOf(const Polynomial &condition, Box &box) const {
    Bound bound;
    int dim = -1;
    for (const auto &[monomial, factor] : condition.terms()) {
      const bool coordinate = llvm::any_of(monomial, [](const Atom &a) { return !a.value; });
      if (coordinate) {
        if (dim >= 0 || monomial.size() != 1 || factor != 1) return {};
        dim = monomial.front().dim;
      } else if (isHost(monomial)) {
        bound.extent.add(monomial, -factor);
      } else {
        bound.start.add(monomial, factor);
      }
    }
    bound.isUniform = dim < 0;
    for (BoxDim &each : box.dims)
      if (dim >= 0 && each.tileDim == dim) bound.of = &each;
    if (bound.of) keepWithStart(condition, bound);
    return bound;
  }

  // Whether the addresses have this term of the start of a dimension with this stride.
  bool isInAddress(const Polynomial::Monomial &monomial, int64_t factor,
                   const Polynomial &stride) const {
    Polynomial term;
    term.add(monomial, factor);
    term = term * stride;
    return llvm::all_of(term.terms(), [&](const auto &product) {
      const auto found = address_.terms().find(product.first);
      return found != address_.terms().end() && found->second == product.second;
    });
  }

  // A term that a start is subtracted from is kept with the start, if the addresses show that they
  // belong together: for rows that start at (blocks - 1 - program) * 128 also the blocks, which the
  // launcher knows.
  void keepWithStart(const Polynomial &condition, Bound &bound) const {
    if (llvm::none_of(bound.start.terms(), [](const auto &term) { return term.second < 0; }))
      return;
    for (const auto &[monomial, factor] : condition.terms()) {
      if (!isHost(monomial) || !isInAddress(monomial, factor, bound.of->stride)) continue;
      bound.start.add(monomial, factor);
      bound.extent.add(monomial, factor);
    }
  }

  // Handles a mask that excludes elements before `least` of a dimension: the array starts there,
  // and its coordinates are counted from there.
  static void beginAt(BoxDim &dim, const Polynomial &least) {
    dim.start = dim.start - least;
    dim.extent = *dim.extent - least;
    dim.isBoundedBelow = true;
  }

  // One upper bound for each dimension, and optionally a lower bound, where its coordinates start.
  bool takeBounds(const Conditions &conditions, Box &box, std::string &why) const {
    llvm::SmallVector<Bound, 4> below;
    for (const Polynomial &condition : conditions) {
      Bound bound = boundOf(condition, box);
      if (bound.isUniform) continue;
      for (const auto &[monomial, factor] : bound.start.terms())
        if (factor < 0 && !address_.terms().count(monomial) &&
            !(bound.of && isInAddress(monomial, factor, bound.of->stride))) {
          why = "a bound of its mask is not known to the launcher";
          return false;
        }
      if (bound.of && !bound.of->extent) {
        bound.of->start = bound.start;
        bound.of->extent = bound.extent;
        continue;
      }
      // -d - start - 1 < -least, for d + start >= least
      bound = boundOf(Polynomial() - condition - Polynomial(1), box);
      if (!bound.of) {
        why = "its mask is not one bound for each dimension";
        return false;
      }
      below.push_back(bound);
    }
    for (const Bound &bound : below) {
      BoxDim &dim = *bound.of;
      if (!dim.extent || dim.isBoundedBelow || !(dim.start == bound.start)) {
        why = "its mask is not one bound for each dimension";
        return false;
      }
      beginAt(dim, bound.extent);
    }
    return true;
  }

  // The bounds of dimensions with a single element: the programs for which it exists.
  bool takeUniformBounds(const Conditions &conditions, Box &box, std::string &why) const {
    auto startingAt = [&](const Polynomial &start) -> BoxDim * {
      for (BoxDim &dim : box.dims)
        if (dim.tileDim < 0 && dim.start == start) return &dim;
      return nullptr;
    };
    llvm::SmallVector<Bound, 4> below;
    for (const Polynomial &condition : conditions) {
      const Bound above = boundOf(condition, box);
      if (!above.isUniform) continue;
      BoxDim *dim = startingAt(above.start);
      if (dim && !dim->extent)
        dim->extent = above.extent;
      else
        below.push_back(boundOf(Polynomial() - condition - Polynomial(1), box));
    }
    for (const Bound &bound : below) {
      BoxDim *dim = startingAt(bound.start);
      if (!dim || !dim->extent || dim->isBoundedBelow) {
        why = "a condition of its mask is not the bound of a dimension";
        return false;
      }
      beginAt(*dim, bound.extent);
      box.offset = box.offset + bound.extent * dim->stride;
    }
    return true;
  }

  static int64_t commonFactor(const Polynomial &sum) {
    int64_t common = 0;
    for (const auto &[monomial, factor] : sum.terms()) common = std::gcd(common, factor);
    return common;
  }

  // Whether a bound of the mask is a bound of this start divided by some constant: head < heads for
  // head * 64.
  bool isBounded(const Polynomial &start, const Conditions &conditions, Box &box) const {
    const auto counted = start.dividedBy(Polynomial(commonFactor(start)));
    return llvm::any_of(conditions, [&](const Polynomial &condition) {
      const Bound bound = boundOf(condition, box);
      return bound.isUniform && bound.start == *counted;
    });
  }

  // Takes the terms that the starts do not explain: the array's address, unbounded starts, and
  // dimensions of size 1.
  bool takeRest(Polynomial rest, const Conditions &conditions, Box &box, std::string &why) const {
    for (const BoxDim &dim : box.dims) rest = rest - dim.start * dim.stride;
    std::map<Polynomial::Monomial, Polynomial> others;  // stride -> start
    for (const auto &[monomial, factor] : rest.terms()) {
      Polynomial::Monomial stride, start;
      for (const Atom &atom : monomial) (isHost({atom}) ? stride : start).push_back(atom);
      if (start.empty())
        box.offset.add(monomial, factor);
      else
        others[stride].add(start, factor);
    }
    for (const auto &[monomial, start] : others) {
      Polynomial stride;
      stride.add(monomial, 1);
      BoxDim *unbounded = nullptr;
      for (BoxDim &dim : box.dims)
        if (!dim.extent && dim.stride == stride) unbounded = &dim;
      if (!unbounded || isBounded(start, conditions, box)) {
        addDimension(start, stride, box);
        continue;
      }
      unbounded->start = unbounded->start + start;
      // The constant that it is subtracted from is kept with it: 256 - 256 * half is never
      // negative, -256 * half may be.
      const auto constant = box.offset.terms().find(monomial);
      const bool takesAway =
          llvm::any_of(start.terms(), [](const auto &term) { return term.second < 0; });
      if (takesAway && constant != box.offset.terms().end() && constant->second > 0) {
        const int64_t number = constant->second;
        unbounded->start = unbounded->start + Polynomial(number);
        box.offset.add(monomial, -number);
      }
    }
    if (box.dims.size() > 5) why = "it has more than five dimensions";
    return box.dims.size() <= 5;
  }

  // A common factor of the start belongs to the stride: 64 * head elements are `head` rows of 64.
  static void addDimension(const Polynomial &start, const Polynomial &stride, Box &box) {
    const Polynomial common(commonFactor(start));
    box.dims.push_back({*start.dividedBy(common), stride * common, {}, 1, -1});
  }

  const Kernel &kernel_;
  Symbols &symbols_;
  Polynomial address_;  // of the current tile
};

}  // namespace

bool isKnownToHost(const Kernel &kernel, const Value *value) {
  if (value->isArgument()) return value->owner == &kernel.body;
  const Op *op = value->definition;
  const auto knows = [&](unsigned i) { return isKnownToHost(kernel, op->operand(i)); };
  if (value->type.isTile() || value->type.isPointer() || !isSigned(value->type.scalar()))
    return false;
  switch (op->kind) {
    case OpKind::Constant:
      return true;
    case OpKind::Cast:
      // The form of cdiv: k / 2 + (k % 2 > 0).
      if (const Op *larger = op->operand(0)->definition; larger && larger->kind == OpKind::Gt)
        return isKnownToHost(kernel, larger->operand(0)) &&
               isKnownToHost(kernel, larger->operand(1));
      return isSigned(op->operand(0)->type.scalar()) &&
             bitWidth(op->operand(0)->type.scalar()) <= bitWidth(value->type.scalar()) && knows(0);
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
      return knows(0) && knows(1);
    case OpKind::Div:
    case OpKind::Rem: {
      const auto by = constantInt(op->operand(1));
      return by && *by > 0 && knows(0);
    }
    default:
      return false;
  }
}

std::optional<Box> boxOf(const Kernel &kernel, Value *pointers, Value *mask, Symbols &symbols,
                         std::string &why) {
  return Boxes(kernel, symbols).make(pointers, mask, why);
}

}  // namespace tile2cu::passes
