#include "passes/memory/check_offsets.h"

#include "fmt/format.h"
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

// "'row' * 'stride'"
std::string nameOf(const Op *product) {
  const std::string &a = product->operand(0)->name, &b = product->operand(1)->name;
  return a.empty() || b.empty() ? "this product of two ints" : fmt::format("'{}' * '{}'", a, b);
}

}  // namespace

llvm::LogicalResult check_offsets(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    const Integers integers(Assume::Launched);
    for (const Op *op : indexArithmetic(kernel, IndexUse::Addresses)) {
      if (op->kind != OpKind::Mul || op->result()->type.scalar() != Scalar::I32) continue;
      if (llvm::all_of(op->operands(), [&](Value *each) { return grows(each, integers); }))
        context.diagnostics.report(DiagId::OffsetMayOverflow, op->loc, {nameOf(op)});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
