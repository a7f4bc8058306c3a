#include "passes/simplify/split_uniform_offsets.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/axis_info.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// With a margin of 1: rangeOf may have truncated a range at the end of a signed type.
bool fits(Range range, Scalar type) {
  const unsigned bits = bitWidth(type);
  return bits >= 32 && range.low > llvm::minIntN(bits) && range.high < llvm::maxIntN(bits);
}
bool fitsInt32(Range range) { return fits(range, Scalar::I32); }

// A tile as uniform (scalar) + local (tile); either may be null, not both.
//
// The elements of the tile do not overflow, since the program computes each of them. The two parts
// do not overflow either, although the program computes neither:
//
// - `uniform` is the tile's first element where the first element of `local` is 0. Ranges of
//   coordinates are split so that they begin at 0 for this reason. Otherwise, where `local` has an
//   unknown tile such as loaded indices, it is a scalar of the program or is computed in 64 bits.
// - `local` is computed in the tile's type if its range, or its sign, says that it fits. Otherwise
//   it is computed in 64 bits. A program that reads row r - 2 + {0, 1} of rows that are 65536
//   elements long may need that: in (r + row) * stride, with a negative r, row * stride may be
//   twice as large as the largest element.
//
// 64 bits hold the parts of a 32-bit tile exactly. The parts of a 64-bit tile of addresses may wrap
// around together with their sum, if the tile has an element that no array can have: more than 2^62
// elements from the pointer. Offsets are added to a pointer modulo 2^64, so that the sum is right.
struct Parts {
  Value *uniform = nullptr;
  Value *local = nullptr;
  bool startsAtZero = false;   // the first element of `local` is 0, or `local` is null
  bool isExact = true;         // `uniform` does not overflow
  bool isSameSign = false;     // no element of `local` has another sign than `uniform`
  bool isNonNegative = false;  // neither part is negative
};

// The analyses of the kernel's values.
struct Knowledge {
  const std::shared_ptr<const AxisAnalysis> axes;
  const Integers integers{Assume::Launched};
};

struct State {
  Builder b;
  const Knowledge &known;
  // Caches the parts of each value. An operand may be read twice, as in i + i, and each of its own
  // operands too: without the cache, a chain of n such sums would be visited 2^n times.
  llvm::DenseMap<const Value *, Parts> parts;
  llvm::DenseMap<const Value *, Value *> firsts, narrowed;
  State(Op *op, const Knowledge &knowledge) : b(Builder::before(op)), known(knowledge) {}

  // Whether all elements are equal: col / 128 for 128 columns that start at a multiple of 128.
  bool isUniform(const Value *tile) const {
    const AxisInfo &info = known.axes->of(tile);
    return llvm::all_of(llvm::enumerate(tile->type.shape()), [&](const auto &extent) {
      return info.constancy[extent.index()] == extent.value();
    });
  }

  // The first element of an index tile, computed as the program computes it; null if the operations
  // do not determine it.
  Value *firstElement(Value *tile) {
    if (const auto found = firsts.find(tile); found != firsts.end()) return found->second;
    Value *first = computeFirst(tile);
    firsts[tile] = first;
    return first;
  }
  Value *computeFirst(Value *tile) {
    Op *op = tile->definition;
    if (!op) return nullptr;
    switch (op->kind) {
      case OpKind::Arange:
        return b.constant(tile->type.scalar(), op->getInt(Attr::start));
      case OpKind::Splat:
        return op->operand(0);
      case OpKind::Cast:
      case OpKind::ExpandDims:
      case OpKind::Broadcast: {
        Value *first = firstElement(op->operand(0));
        return first && op->kind == OpKind::Cast ? b.cast(first, tile->type.scalar()) : first;
      }
      case OpKind::Add:
      case OpKind::Sub:
      case OpKind::Mul:
      case OpKind::Div:
      case OpKind::Rem:
      case OpKind::Shr: {
        Value *x = firstElement(op->operand(0)), *y = x ? firstElement(op->operand(1)) : nullptr;
        return y ? b.binary(op->kind, x, y) : nullptr;
      }
      default:
        return nullptr;
    }
  }

  static bool isWide(const Value *value) { return value->type.scalar() == Scalar::I64; }
  // In the wider type of the two operands.
  Value *combine(OpKind kind, Value *x, Value *y) {
    if (isWide(x) || isWide(y)) {
      x = b.cast(x, Scalar::I64);
      y = b.cast(y, Scalar::I64);
    }
    // x - 2, not x + -2.
    const auto number = kind == OpKind::Add ? constantInt(y) : std::nullopt;
    if (number && *number < 0 && *number > llvm::minIntN(bitWidth(y->type.scalar())) &&
        !y->type.isTile())
      return b.binary(OpKind::Sub, x, b.constant(y->type.scalar(), -*number));
    return b.binary(kind, x, y);
  }
  Value *combine64(OpKind kind, Value *x, Value *y) {
    return combine(kind, b.cast(x, Scalar::I64), y);
  }

  // In the type of the operands if the result fits, otherwise in 64 bits.
  Value *combineLocal(OpKind kind, Value *x, Value *y, bool isKnownToFit) {
    Value *result = combine(kind, x, y);
    if (isKnownToFit || isWide(result)) return result;
    const auto range = known.integers.rangeOf(result);
    return range && fits(*range, result->type.scalar()) ? result : combine64(kind, x, y);
  }

  bool isAtLeastZero(Value *value) const {
    if (!value) return true;
    return known.integers.isNonNegative(value);
  }

  // The local part keeps the name of the whole: it is the part that differs between threads.
  Parts split(Value *value) {
    if (const auto found = parts.find(value); found != parts.end()) return found->second;
    Parts result = splitParts(value);
    if (result.uniform && result.local && result.local->name.empty())
      result.local->name = value->name;
    if (!result.uniform || !result.local) result.isSameSign = true;
    result.isNonNegative |= isAtLeastZero(result.uniform) && isAtLeastZero(result.local);
    result.isSameSign |= result.isNonNegative;
    parts[value] = result;
    return result;
  }

  Parts splitAdd(Value *value, Op *op) {
    const Parts x = split(op->operand(0)), y = split(op->operand(1));
    const bool startsAtZero = x.startsAtZero && y.startsAtZero;
    if (!x.uniform && !y.uniform) return {.local = value, .startsAtZero = startsAtZero};
    Parts sum{.startsAtZero = startsAtZero,
              .isExact = x.isExact && y.isExact,
              .isNonNegative = x.isNonNegative && y.isNonNegative};
    if (!x.uniform || !y.uniform) {
      sum.uniform = x.uniform ? x.uniform : y.uniform;
    } else if (sum.startsAtZero) {
      sum.uniform = combine(OpKind::Add, x.uniform, y.uniform);
    } else {
      sum.uniform = combine64(OpKind::Add, x.uniform, y.uniform);
      sum.isExact &= !isWide(value);
    }
    // If each of the two has the sign of its uniform part or is 0, the sum of the local parts is
    // between them, or between 0 and the sum of all.
    if (!x.local || !y.local)
      sum.local = x.local ? x.local : y.local;
    else
      sum.local = combineLocal(OpKind::Add, x.local, y.local, x.isSameSign && y.isSameSign);
    return sum;
  }

  Parts splitSub(Value *value, Op *op) {
    const Parts x = split(op->operand(0)), y = split(op->operand(1));
    if (!x.uniform && !y.uniform)
      return {.local = value, .startsAtZero = x.startsAtZero && y.startsAtZero};
    if (y.local) return {nullptr, value};
    Parts rest{.local = x.local, .startsAtZero = x.startsAtZero, .isExact = x.isExact};
    if (!x.startsAtZero) rest.isExact &= !isWide(value);
    Value *taken = x.startsAtZero ? y.uniform : b.cast(y.uniform, Scalar::I64);
    rest.uniform = x.uniform ? combine(OpKind::Sub, x.uniform, taken) : b.unary(OpKind::Neg, taken);
    return rest;
  }

  Parts splitMul(Value *value, Op *op) {
    for (unsigned i : {0u, 1u}) {
      const Parts factor = split(op->operand(i));
      if (factor.local || !factor.uniform) continue;
      const Parts x = split(op->operand(1 - i));
      if (!x.uniform) return {.local = value, .startsAtZero = x.startsAtZero};
      // The product of two 32-bit numbers is exact in 64 bits, that of a sum of several may not be.
      if (!x.startsAtZero && isWide(x.uniform) && !isWide(value)) return {nullptr, value};
      Parts product{.startsAtZero = x.startsAtZero,
                    .isExact = x.isExact && (x.startsAtZero || !isWide(value)),
                    .isSameSign = x.isSameSign,
                    .isNonNegative = x.isNonNegative && isAtLeastZero(factor.uniform)};
      product.uniform = x.startsAtZero ? combine(OpKind::Mul, x.uniform, factor.uniform)
                                       : combine64(OpKind::Mul, x.uniform, factor.uniform);
      // An element is as large as its two parts together if they have the same sign.
      if (x.local)
        product.local = combineLocal(OpKind::Mul, x.local,
                                     b.splat(factor.uniform, value->type.shape()), x.isSameSign);
      return product;
    }
    return {nullptr, value};
  }

  // A range of coordinates starts at 0, so that the uniform part is the first element.
  Parts splitArange(Value *value, Op *op) {
    const int64_t start = op->getInt(Attr::start);
    if (start == 0) return {.local = value, .startsAtZero = true};
    Op *local = b.create(OpKind::Arange, {}, {value->type}, value->name);
    local->setInt(Attr::start, 0);
    local->setInt(Attr::end, op->getInt(Attr::end) - start);
    return {.uniform = b.constant(value->type.scalar(), start),
            .local = local->result(),
            .startsAtZero = true};
  }

  Parts splitParts(Value *value) {
    Op *op = value->definition;
    const Scalar type = value->type.scalar();
    if (!op || value->type.isPointer() || !isSigned(type) || bitWidth(type) < 32)
      return {nullptr, value};
    switch (op->kind) {
      case OpKind::Splat:
        return {.uniform = op->operand(0), .startsAtZero = true};
      case OpKind::Arange:
        return splitArange(value, op);
      case OpKind::Add:
        return splitAdd(value, op);
      case OpKind::Sub:
        return splitSub(value, op);
      case OpKind::Mul:
        return splitMul(value, op);
      case OpKind::Cast: {
        const Scalar from = op->operand(0)->type.scalar();
        if (!isSigned(from) || bitWidth(from) > bitWidth(type)) return {nullptr, value};
        Parts x = split(op->operand(0));
        if (!x.uniform) return {.local = value, .startsAtZero = x.startsAtZero};
        x.uniform = b.cast(x.uniform, type);
        if (x.local) x.local = b.cast(x.local, type);
        return x;
      }
      case OpKind::ExpandDims:
      case OpKind::Broadcast: {
        Parts x = split(op->operand(0));
        if (!x.uniform) return {.local = value, .startsAtZero = x.startsAtZero};
        if (x.local)
          x.local = op->kind == OpKind::Broadcast ? b.broadcast(x.local, value->type.shape())
                                                  : b.expandDims(x.local, op->getInt(Attr::axis));
        return x;
      }
      case OpKind::Div:
      case OpKind::Rem:
      case OpKind::Shr:
        if (Value *first = isUniform(value) ? firstElement(value) : nullptr)
          return {.uniform = first, .startsAtZero = true};
        if (const Parts x = split(op->operand(0)); !x.uniform)
          return {.local = value, .startsAtZero = x.startsAtZero};
        return {nullptr, value};
      default:
        return {nullptr, value};
    }
  }

  // The same index in 32 bits, if its range is known to fit; itself otherwise.
  Value *narrow(Value *local) {
    if (local->type.scalar() != Scalar::I64) return local;
    auto range = known.integers.rangeOf(local);
    return range && fitsInt32(*range) ? narrowTree(local) : local;
  }
  Value *narrowTree(Value *value) {
    if (const auto found = narrowed.find(value); found != narrowed.end()) return found->second;
    Value *result = computeNarrow(value);
    narrowed[value] = result;
    return result;
  }
  Value *computeNarrow(Value *value) {
    Op *op = value->definition;
    Type type = value->type.withScalar(Scalar::I32);
    if (op->kind == OpKind::Cast && op->operand(0)->type.scalar() == Scalar::I32)
      return op->operand(0);
    bool rebuild = op->kind == OpKind::Add || op->kind == OpKind::Sub || op->kind == OpKind::Mul ||
                   op->kind == OpKind::ExpandDims || op->kind == OpKind::Broadcast;
    for (const Value *operand : op->operands()) {
      const auto part = rebuild ? known.integers.rangeOf(operand) : std::nullopt;
      rebuild &= part && fitsInt32(*part);
    }
    if (!rebuild) return b.create(OpKind::Cast, {value}, {type}, value->name)->result();
    llvm::SmallVector<Value *, 2> operands;
    for (Value *operand : op->operands())
      operands.push_back(operand->definition ? narrowTree(operand) : operand);
    Op *copy = b.create(op->kind, operands, {type}, value->name);
    copy->attributes = op->attributes;
    return copy->result();
  }

  void splitAddress(AddPtrOp address) {
    Value *pointer = address.pointer();
    Parts offset = split(address.offset());
    if (offset.local) offset.local = narrow(offset.local);
    if (!offset.uniform && offset.local == address.offset()) return;
    Value *moved = moveUniform(pointer, offset.uniform);
    if (!moved) return;
    if (offset.local) {
      offset.local->name = offset.local->name.empty() ? address.offset()->name : offset.local->name;
      moved = b.addptr(moved, offset.local, address->result()->name);
    }
    address->result()->replaceAllUsesWith(moved);
  }

  // pointer + uniform: adds the uniform part to the scalar at the root of a chain of tiles.
  Value *moveUniform(Value *pointer, Value *uniform) {
    if (!uniform) return pointer;
    Op *op = pointer->definition;
    if (!op) return nullptr;
    if (op->kind == OpKind::Splat)
      return b.splat(b.addptr(op->operand(0), uniform), pointer->type.shape());
    if (op->kind == OpKind::Broadcast || op->kind == OpKind::ExpandDims ||
        op->kind == OpKind::AddPtr) {
      Value *inner = moveUniform(op->operand(0), uniform);
      if (!inner) return nullptr;
      llvm::SmallVector<Value *, 2> operands(op->operands().begin(), op->operands().end());
      operands[0] = inner;
      Op *copy = b.create(op->kind, operands, {pointer->type}, pointer->name);
      copy->attributes = op->attributes;
      return copy->result();
    }
    return nullptr;
  }

  // The size of the range whose elements these are; 0 if they are not those of one.
  static Dim sizeOfRange(const Value *coordinates) {
    const Op *op = coordinates->definition;
    while (op && (op->isShapeView() || op->kind == OpKind::Cast)) op = op->operand(0)->definition;
    return op && op->kind == OpKind::Arange ? op->result()->type.shape()[0] : Dim(0);
  }

  // The number of these coordinates that are inside: valid_rows.
  static std::string countName(const Value *coordinates) {
    const Shape &shape = coordinates->type.shape();
    llvm::StringRef name = coordinates->name;
    name.consume_front("offs_");
    if (name.size() > 2 || name != coordinates->name) return "valid_" + name.str();
    if (shape.size() != 2 || (shape[0] > 1 && shape[1] > 1)) return "valid";
    return shape[1] == 1 ? "valid_rows" : "valid_columns";
  }

  // clamp(bound - start, low, high) as if the difference had any number of bits: a bound that says
  // "no limit" (INT64_MAX) may be further from the start than 64 bits hold. The saturated
  // difference is outside of low .. high on the same side.
  Value *clampedDifference(Value *bound, Value *start, int64_t low, const Dim &high) {
    Value *difference = bound;
    if (start) {
      difference = b.binary(OpKind::Sub, bound, start);
      // The difference of two numbers that are not negative fits.
      const bool fits = known.integers.differenceFits(bound, start) ||
                        (isAtLeastZero(bound) && isAtLeastZero(start));
      if (!fits) difference->definition->setBool(Attr::saturates, true);
    }
    Value *least = b.constant(Scalar::I64, low), *most = b.constant(Scalar::I64, high);
    return b.create(OpKind::Clamp, {difference, least, most}, {Type(Scalar::I64)})->result();
  }

  // 64-bit `uniform + local < bound` becomes a 32-bit comparison of the local part with a clamped
  // count; so does `local < bound`.
  void splitComparison(Op *op) {
    OpKind kind = op->kind;
    Value *lhs = op->operand(0), *rhs = op->operand(1);
    if (lhs->type.scalar() != Scalar::I64 || !lhs->type.isTile()) return;
    Parts x = split(lhs), y = split(rhs);
    if (!x.local && y.local) {
      std::swap(x, y);
      kind = kind == OpKind::Lt   ? OpKind::Gt
             : kind == OpKind::Gt ? OpKind::Lt
             : kind == OpKind::Le ? OpKind::Ge
                                  : OpKind::Le;
      std::swap(lhs, rhs);
    }
    if (!x.local || y.local || !y.uniform || !x.isExact || !y.isExact) return;
    // Coordinates that start at a constant are compared as they are.
    if (const auto all = known.integers.rangeOf(lhs);
        x.uniform && constantInt(x.uniform) && all && fitsInt32(*all))
      x = {.local = lhs};
    const auto range = known.integers.rangeOf(x.local);
    if (!range || !fitsInt32(*range)) return;
    const bool closed =
        kind == OpKind::Lt ||
        kind == OpKind::Ge;  // compares with low .. high + 1, otherwise with low - 1 .. high
    const int64_t low = closed ? range->low : range->low - 1;
    const Dim size = sizeOfRange(x.local).plus(closed ? 0 : -1);
    const Dim high = Dim(closed ? range->high + 1 : range->high).orFrom(size);
    Value *count = clampedDifference(y.uniform, x.uniform, low, high);
    Value *limit = b.cast(count, Scalar::I32, kind == OpKind::Lt ? countName(lhs) : "limit");
    Value *local = narrow(x.local);
    if (local->name.empty()) local->name = lhs->name;
    Value *mask = b.binary(kind, local, b.splat(limit, local->type.shape()), op->result()->name);
    op->result()->replaceAllUsesWith(mask);
  }
};

}  // namespace

llvm::LogicalResult split_uniform_offsets(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    const Knowledge known{context.analyses.axes(kernel, kernel.assumptions)};
    walk(kernel.body, [&](Op *op) {
      if (auto address = AddPtrOp::of(op); address && op->result()->type.isTile())
        State(op, known).splitAddress(address);
      if (op->is(Comparison) && !isEquality(compareOf(op->kind)))
        State(op, known).splitComparison(op);
    });
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
