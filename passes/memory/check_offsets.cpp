#include "passes/memory/check_offsets.h"

#include "fmt/format.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/memory/index_arithmetic.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

bool grows(const Value *factor, const Integers &integers) {
  constexpr int64_t kLargeTile = 1 << 16;
  const auto range = integers.rangeOf(factor);
  return !range || range->high >= kLargeTile;
}

// Whether the operation makes the number of the program an int.
bool narrowsId(const Op *op) {
  if (op->kind != OpKind::Cast || op->result()->type.scalar() != Scalar::I32) return false;
  const Op *source = op->operand(0)->definition;
  return source && (source->kind == OpKind::Grid || source->kind == OpKind::ProgramId);
}

// Values that are computed from the number of the program, which the source has made an int.
class NarrowIds {
 public:
  bool has(const Value *value) {
    const auto [entry, isNew] = known_.try_emplace(value, false);
    if (!isNew) return entry->second;
    const bool found = find(value);
    return known_[value] = found;
  }

 private:
  bool find(const Value *value) {
    const Op *op = value->definition;
    if (!op || !op->is(Pure) || !op->regions.empty()) return false;
    if (narrowsId(op)) return true;
    return llvm::any_of(op->operands(),
                        [&](const Value *operand) { return operand && has(operand); });
  }

  llvm::DenseMap<const Value *, bool> known_;
};

// x / (b * c) * b is at most x.
bool isBackFromQuotient(const Op *product) {
  for (unsigned i : {0, 1}) {
    const Value *other = product->operand(1 - i);
    const Op *quotient = product->operand(i)->definition;
    if (!quotient || quotient->kind != OpKind::Div) continue;
    const Op *divisor = quotient->operand(1)->definition;
    if (quotient->operand(1) == other) return true;
    if (divisor && divisor->kind == OpKind::Mul && llvm::is_contained(divisor->operands(), other))
      return true;
  }
  return false;
}

// "'row' * 'stride'"
std::string nameOf(const Op *product) {
  const std::string &a = product->operand(0)->name, &b = product->operand(1)->name;
  return a.empty() || b.empty() ? "this product of two ints" : fmt::format("'{}' * '{}'", a, b);
}

}  // namespace

llvm::LogicalResult check_offsets(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    bool narrows = false;
    walk(kernel.body, [&](const Op *op) { narrows |= narrowsId(op); });
    if (!narrows) continue;
    const Integers integers(Assume::Launched);
    NarrowIds narrowIds;
    for (const Op *op : indexArithmetic(kernel, IndexUse::Addresses)) {
      if (op->kind != OpKind::Mul || op->result()->type.scalar() != Scalar::I32) continue;
      if (isBackFromQuotient(op) ||
          llvm::none_of(op->operands(), [&](const Value *each) { return narrowIds.has(each); }))
        continue;
      if (llvm::all_of(op->operands(), [&](Value *each) { return grows(each, integers); }))
        context.diagnostics.report(DiagId::OffsetMayOverflow, op->loc, {nameOf(op)});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
