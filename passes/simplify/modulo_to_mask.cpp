#include "passes/simplify/modulo_to_mask.h"

#include <map>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/integer/mask_constraints.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

using Dims = unsigned;  // of a tile, one bit each

// One `i % bound`, and the uses of the elements for which i is not below the bound.
class Wrap {
 public:
  explicit Wrap(Op *rem) : rem_(rem) {}

  // Whether the remainder is unnecessary: without it, zeros could replace those elements.
  bool isForNothing() {
    return isCount() && followAddresses() && !loads_.empty() && followElements();
  }

  void drop() {
    // At and past the bound, addresses that were computed from i % bound are now computed from i.
    // They may overflow there, but the mask keeps them from being used.
    Builder after = Builder::after(rem_);
    Value *inside = after.binary(OpKind::Lt, rem_->operand(0), rem_->operand(1));
    rem_->result()->replaceAllUsesWith(rem_->operand(0));
    for (const auto &[load, dim] : loads_) addToMask(load, dim, inside);
  }

 private:
  // i = start + coordinate, along the single dimension of i, with a start that is not negative.
  bool isCount() {
    const Type &type = rem_->result()->type;
    if (!type.isTile() || !isSigned(type.scalar())) return false;
    auto isLong = [](int64_t extent) { return extent > 1; };
    if (llvm::count_if(type.shape(), isLong) != 1) return false;
    dim_ = llvm::find_if(type.shape(), isLong) - type.shape().begin();
    const auto count = symbols_.of(rem_->operand(0)), bound = symbols_.of(rem_->operand(1));
    if (!count || !bound) return false;
    outside_ = *count - *bound;
    const Polynomial start = *count - Polynomial(Atom{nullptr, dim_});
    return isUniform(start) && isUniform(*bound) && Integers(Assume::Launched).isNonNegative(start);
  }

  static bool isUniform(const Polynomial &sum) {
    return llvm::all_of(sum.terms(), [](const auto &term) {
      return llvm::all_of(term.first, [](const Atom &atom) { return atom.value; });
    });
  }

  static Dims moved(Dims dims, const Op *view) {
    Dims result = 0;
    for (const auto &[d, to] : llvm::enumerate(dimsThrough(view)))
      if (dims >> d & 1) result |= 1u << to;
    return result;
  }

  // Adds dimensions to those of a value.
  void note(Value *value, Dims dims) {
    Dims &known = dims_[value];
    if ((known | dims) == known) return;
    known |= dims;
    waiting_.push_back(value);
  }

  // The operations that addresses and elements have in common; false for others.
  bool step(Op *user, Value *value, Dims dims) {
    switch (user->kind) {
      case OpKind::ExpandDims:
      case OpKind::Permute:
        note(user->result(), moved(dims, user));
        return true;
      case OpKind::Broadcast:
        note(user->result(), dims);
        return true;
      case OpKind::For:
        for (unsigned i = 0; i < user->numOperands(); ++i)
          if (user->operand(i) == value &&
              (i < ForOp::kFirstInit || !carry(user, i - ForOp::kFirstInit, dims)))
            return false;
        return true;
      case OpKind::Yield: {
        Op *around = user->parent->parent;
        const bool isFor = around && around->kind == OpKind::For;
        if (!isFor && !(around && around->kind == OpKind::If)) return false;
        for (unsigned i = 0; i < user->numOperands(); ++i) {
          if (user->operand(i) != value) continue;
          if (isFor && !carry(around, i, dims)) return false;
          if (!isFor) note(around->results[i].get(), dims);
        }
        return true;
      }
      default:
        if (!user->is(Elementwise) || user->numResults() != 1) return false;
        note(user->result(), dims);
        return true;
    }
  }

  // Whether a value in a loop's body does not change from iteration to iteration.
  static bool isSameInSteps(const Value *value, const Block &body) {
    if (definedOutside(value, body)) return true;
    const Op *op = value->definition;
    return op && op->is(Pure) && !op->is(Control) && op->regions.empty() &&
           llvm::all_of(op->operands(), [&](const Value *operand) {
             return !operand || isSameInSteps(operand, body);
           });
  }

  // A carried value has the same rows in each iteration only if i is the same.
  bool carry(Op *loop, unsigned index, Dims dims) {
    const Block &body = *loop->region();
    if (!isSameInSteps(rem_->operand(0), body) || !isSameInSteps(rem_->operand(1), body))
      return false;
    note(ForOp(loop).carried(index), dims);
    note(loop->results[index].get(), dims);
    return true;
  }

  // Whether i % bound is used only for addresses of loads, each along one dimension.
  bool followAddresses() {
    note(rem_->result(), 1u << dim_);
    while (!waiting_.empty()) {
      Value *value = waiting_.pop_back_val();
      const Dims dims = dims_[value];
      if (dims & (dims - 1)) return false;
      for (Op *user : value->users) {
        if (user->kind != OpKind::Load) {
          if (!step(user, value, dims)) return false;
          continue;
        }
        for (unsigned i = 1; i < user->numOperands(); ++i)
          if (user->operand(i) == value) return false;
        const unsigned dim = llvm::Log2_32(dims), rank = user->result()->type.rank();
        const unsigned own = rem_->result()->type.rank();
        if (own != 1 && (own != rank || dim != dim_)) return false;
        loads_[user] = dim;
      }
    }
    return true;
  }

  // Elements past the bound stay in their rows, up to stores that exclude those rows.
  bool followElements() {
    dims_.clear();
    for (const auto &[load, dim] : loads_) note(load->result(), 1u << dim);
    while (!waiting_.empty()) {
      Value *value = waiting_.pop_back_val();
      for (Op *user : value->users)
        if (!pass(user, value, dims_[value])) return false;
    }
    return true;
  }

  bool pass(Op *user, Value *value, Dims dims) {
    switch (user->kind) {
      case OpKind::Dot: {
        const unsigned rows = user->result()->type.rank() - 2, columns = rows + 1;
        if (user->operand(0) == value && (dims >> columns & 1)) return false;
        if (user->operand(1) == value && (dims >> rows & 1)) return false;
        note(user->result(), dims);
        return true;
      }
      case OpKind::Reduce: {
        const unsigned axis = user->getInt(Attr::axis);
        if (dims >> axis & 1) return false;
        const Dims below = (1u << axis) - 1;
        for (auto &result : user->results)
          note(result.get(), (dims & below) | (dims >> 1 & ~below));
        return true;
      }
      case OpKind::Atomic:
        if (!user->result()->unused()) return false;
        [[fallthrough]];
      case OpKind::Store:
        return user->operand(0) != value && user->operand(2) && user->operand(2) != value &&
               leavesOut(user->operand(2), dims);
      case OpKind::Load:
        return false;
      default:
        // The zeros must not be divisors.
        if (dividesIntegers(*user) && user->operand(1) == value) return false;
        return step(user, value, dims);
    }
  }

  // Whether the mask is false past the bound, along each of the dimensions.
  bool leavesOut(Value *mask, Dims dims) {
    Conditions conditions;
    addConditions(mask, symbols_, conditions);  // its conditions hold even if there are others
    for (unsigned d = 0; dims >> d; ++d) {
      if (!(dims >> d & 1)) continue;
      llvm::SmallVector<unsigned, 4> to(dim_ + 1, d);
      if (!llvm::is_contained(conditions, withDims(outside_, to))) return false;
    }
    return true;
  }

  static void addToMask(Op *load, unsigned dim, Value *inside) {
    Builder b = Builder::before(load);
    const Shape &shape = load->result()->type.shape();
    if (inside->type.rank() == 1)
      for (unsigned d = 0; d < shape.size(); ++d)
        if (d != dim) inside = b.expandDims(inside, d);
    inside = b.broadcast(inside, shape);
    Value *mask = load->operand(1);
    load->setOperand(1, mask ? b.binary(OpKind::And, mask, inside) : inside);
  }

  Op *rem_;
  Symbols symbols_;
  unsigned dim_ = 0;              // of the coordinate
  Polynomial outside_;            // i - bound
  std::map<Value *, Dims> dims_;  // those along which values have i, or elements past the bound
  llvm::SmallVector<Value *, 16> waiting_;
  llvm::MapVector<Op *, unsigned> loads_;  // and the dimension along which i counts
};

}  // namespace

llvm::LogicalResult modulo_to_mask(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    llvm::SmallVector<Op *, 4> wraps;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Rem) wraps.push_back(op);
    });
    for (Op *rem : wraps) {
      Wrap wrap(rem);
      if (!wrap.isForNothing()) continue;
      wrap.drop();
      context.diagnostics.decided(DiagId::WrapDropped, kernel, rem->loc, {});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
