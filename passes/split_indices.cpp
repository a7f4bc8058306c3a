#include "passes/split_indices.h"

#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "passes/axis_info.h"
#include "passes/ir/builder.h"
#include "passes/ranges.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

bool fitsInt32(Range range) {
  return range.low >= std::numeric_limits<int32_t>::min() + 1 &&
         range.high <= std::numeric_limits<int32_t>::max() - 1;
}

// A tile as uniform (scalar) + local (tile); either may be null, not both.
struct Parts {
  Value *uniform = nullptr;
  Value *local = nullptr;
};

struct State {
  Builder b;
  const AxisAnalysis &analysis;
  State(Op *op, const AxisAnalysis &known) : b(Builder::before(op)), analysis(known) {}

  // Whether all elements are the same: col / 128 of 128 columns that begin at a multiple of 128.
  bool isUniform(const Value *tile) const {
    const AxisInfo &info = analysis.of(tile);
    return llvm::all_of(llvm::enumerate(tile->type.shape()), [&](const auto &extent) {
      return info.constancy[extent.index()] == extent.value();
    });
  }

  // The first element of an index tile; null if its operations do not tell.
  Value *firstElement(Value *tile) {
    Op *op = tile->definition;
    if (!op) return nullptr;
    switch (op->kind) {
      case OpKind::Arange:
        return b.constant(tile->type.scalar(), op->getInt("start"));
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

  Value *add(Value *x, Value *y) { return !x ? y : !y ? x : b.binary(OpKind::Add, x, y); }

  // The local part keeps the name of the whole: in the text it is what differs between threads.
  Parts split(Value *value) {
    Parts parts = splitParts(value);
    if (parts.uniform && parts.local && parts.local->name.empty()) parts.local->name = value->name;
    return parts;
  }

  Parts splitParts(Value *value) {
    Op *op = value->definition;
    if (!op || !isSigned(value->type.scalar()) || value->type.isPointer()) return {nullptr, value};
    switch (op->kind) {
      case OpKind::Splat:
        return {op->operand(0), nullptr};
      case OpKind::Add: {
        Parts x = split(op->operand(0)), y = split(op->operand(1));
        if (!x.uniform && !y.uniform) return {nullptr, value};
        return {add(x.uniform, y.uniform), add(x.local, y.local)};
      }
      case OpKind::Sub: {
        Parts x = split(op->operand(0)), y = split(op->operand(1));
        if (y.local || (!x.uniform && !y.uniform)) return {nullptr, value};
        if (!y.uniform) return x;
        Value *uniform = x.uniform ? b.binary(OpKind::Sub, x.uniform, y.uniform)
                                   : b.unary(OpKind::Neg, y.uniform);
        return {uniform, x.local};
      }
      case OpKind::Mul: {
        for (unsigned i : {0u, 1u}) {
          Parts factor = split(op->operand(i));
          if (factor.local || !factor.uniform) continue;
          Parts x = split(op->operand(1 - i));
          if (!x.uniform) return {nullptr, value};
          Value *local = nullptr;
          if (x.local)
            local = b.binary(OpKind::Mul, x.local, b.splat(factor.uniform, value->type.shape()));
          return {b.binary(OpKind::Mul, x.uniform, factor.uniform), local};
        }
        return {nullptr, value};
      }
      case OpKind::Cast: {
        Value *source = op->operand(0);
        if (!isSigned(source->type.scalar()) ||
            bitWidth(source->type.scalar()) > bitWidth(value->type.scalar()))
          return {nullptr, value};
        Parts x = split(source);
        if (!x.uniform) return {nullptr, value};
        Scalar to = value->type.scalar();
        return {b.cast(x.uniform, to), x.local ? b.cast(x.local, to) : nullptr};
      }
      case OpKind::ExpandDims: {
        Parts x = split(op->operand(0));
        if (!x.uniform) return {nullptr, value};
        return {x.uniform, x.local ? b.expandDims(x.local, op->getInt("axis")) : nullptr};
      }
      case OpKind::Broadcast: {
        Parts x = split(op->operand(0));
        if (!x.uniform) return {nullptr, value};
        return {x.uniform, x.local ? b.broadcast(x.local, value->type.shape()) : nullptr};
      }
      case OpKind::Div:
      case OpKind::Rem:
      case OpKind::Shr:
        if (Value *first = isUniform(value) ? firstElement(value) : nullptr)
          return {first, nullptr};
        return {nullptr, value};
      default:
        return {nullptr, value};
    }
  }

  // The same index in 32 bits, if its range is known to fit; itself otherwise.
  Value *narrow(Value *local) {
    if (local->type.scalar() != Scalar::I64) return local;
    auto range = rangeOf(local);
    return range && fitsInt32(*range) ? narrowTree(local) : local;
  }
  Value *narrowTree(Value *value) {
    Op *op = value->definition;
    Type type = value->type.withScalar(Scalar::I32);
    if (op->kind == OpKind::Cast && op->operand(0)->type.scalar() == Scalar::I32)
      return op->operand(0);
    bool rebuild = op->kind == OpKind::Add || op->kind == OpKind::Sub || op->kind == OpKind::Mul ||
                   op->kind == OpKind::ExpandDims || op->kind == OpKind::Broadcast;
    if (rebuild)
      for (Value *operand : op->operands())
        rebuild &= rangeOf(operand) && fitsInt32(*rangeOf(operand));
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

  // pointer + uniform, with the uniform part added to the scalar at the root of a chain of tiles.
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

  // How many of these coordinates are inside: valid_rows.
  static std::string countName(const Value *coordinates) {
    const Shape &shape = coordinates->type.shape();
    llvm::StringRef name = coordinates->name;
    name.consume_front("offs_");
    if (name.size() > 2 || name != coordinates->name) return "valid_" + name.str();
    if (shape.size() != 2 || (shape[0] > 1 && shape[1] > 1)) return "valid";
    return shape[1] == 1 ? "valid_rows" : "valid_columns";
  }

  // 64-bit `uniform + local < bound` becomes a 32-bit comparison of the local part with a clamped count; `local < bound`
  // likewise.
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
    if (!x.local || y.local || !y.uniform) return;
    auto range = rangeOf(x.local);
    if (!range || !fitsInt32(*range)) return;
    Value *difference = x.uniform ? b.binary(OpKind::Sub, y.uniform, x.uniform) : y.uniform;
    bool closed = kind == OpKind::Lt ||
                  kind == OpKind::Ge;  // compares with low .. high + 1, else with low - 1 .. high
    Value *low = b.constant(Scalar::I64, closed ? range->low : range->low - 1);
    Value *high = b.constant(Scalar::I64, closed ? range->high + 1 : range->high);
    Value *count = b.create(OpKind::Clamp, {difference, low, high}, {Type(Scalar::I64)})->result();
    Value *limit = b.cast(count, Scalar::I32, kind == OpKind::Lt ? countName(lhs) : "limit");
    Value *local = narrow(x.local);
    if (local->name.empty()) local->name = lhs->name;
    Value *mask = b.binary(kind, local, b.splat(limit, local->type.shape()), op->result()->name);
    op->result()->replaceAllUsesWith(mask);
  }
};

}  // namespace

llvm::LogicalResult split_indices(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    const AxisAnalysis analysis(kernel, kernel.facts);
    walk(kernel.body, [&](Op *op) {
      if (auto address = AddPtrOp::of(op); address && op->result()->type.isTile())
        State(op, analysis).splitAddress(address);
      bool ordered = op->kind == OpKind::Lt || op->kind == OpKind::Le || op->kind == OpKind::Gt ||
                     op->kind == OpKind::Ge;
      if (ordered) State(op, analysis).splitComparison(op);
    });
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
