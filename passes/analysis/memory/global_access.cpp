#include "passes/analysis/memory/global_access.h"

#include <numeric>

#include "fmt/format.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;

bool isTileAccess(const Op *op) { return op->is(GlobalAccess) && op->operand(0)->type.isTile(); }

std::optional<unsigned> maskIndex(OpKind kind) {
  const llvm::ArrayRef<llvm::StringRef> operands = operandNames(kind);
  const auto *mask = llvm::find(operands, "mask_opt");
  return mask == operands.end() ? std::nullopt : std::optional<unsigned>(mask - operands.begin());
}

Value *maskOf(const Op *op) { return op->operand(*maskIndex(op->kind)); }

unsigned contiguousDim(const Op *op, const AxisAnalysis &analysis) {
  const AxisInfo &info = analysis.of(op->operand(0));
  unsigned best = info.contiguity.size() - 1;
  for (unsigned d = 0; d < info.contiguity.size(); ++d)
    if (info.contiguity[d] > info.contiguity[best]) best = d;
  return best;
}

namespace {
int64_t powerOfTwoDivisor(int64_t value) { return value & -value; }
}  // namespace

std::optional<PrefixMask> prefixMask(Value *mask, unsigned dim, int64_t vector,
                                     const AxisAnalysis &analysis) {
  PrefixMask result;
  llvm::SmallVector<Value *, 4> parts{mask};
  while (!parts.empty()) {
    Value *part = parts.pop_back_val();
    if (analysis.of(part).constancy[dim] % vector == 0) {
      result.uniform.push_back({part});
      continue;
    }
    Op *op = part->definition;
    if (!op) return std::nullopt;
    if (op->kind == OpKind::And) {
      parts.push_back(op->operand(1));
      parts.push_back(op->operand(0));
      continue;
    }
    if (op->kind == OpKind::Broadcast && op->operand(0)->type.shape()[dim] != 1 &&
        op->operand(0)->definition) {
      // A mask that was computed on fewer elements: look through the view; the parts of the mask
      // are broadcast again when they are emitted.
      parts.push_back(op->operand(0));
      continue;
    }
    if (op->kind == OpKind::ExpandDims) {
      // The dimension in the source of the expansion.
      int64_t axis = op->getInt(Attr::axis);
      if (axis == int64_t(dim)) return std::nullopt;
      auto inner = prefixMask(op->operand(0), dim > axis ? dim - 1 : dim, vector, analysis);
      if (!inner || (inner->index && result.index)) return std::nullopt;
      for (PrefixMask::Part &each : inner->uniform) {
        each.axes.push_back(axis);
        result.uniform.push_back(std::move(each));
      }
      if (inner->index) {
        result.index = inner->index;
        result.bound = inner->bound;
        result.axes = std::move(inner->axes);
        result.axes.push_back(axis);
      }
      continue;
    }
    Value *index = nullptr, *bound = nullptr;
    if (op->kind == OpKind::Lt) {
      index = op->operand(0);
      bound = op->operand(1);
    } else if (op->kind == OpKind::Gt) {
      index = op->operand(1);
      bound = op->operand(0);
    }
    if (!index || result.index || analysis.of(index).contiguity[dim] % vector != 0 ||
        analysis.of(bound).constancy[dim] % vector != 0)
      return std::nullopt;
    result.index = index;
    result.bound = bound;
  }
  return result;
}

Assumptions allAssumptions(const Kernel &kernel) {
  Assumptions assumptions;
  for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
    const Type &type = kernel.parameters[i].type;
    if (type.isPointer() || isInteger(type.scalar()))
      assumptions.divisibility[i] = kMostAccessBytes;
  }
  return assumptions;
}

FunctionKey functionOf(const Kernel &kernel) {
  std::string kinds;
  for (const Parameter &parameter : kernel.parameters)
    kinds += parameter.type.isPointer() ? 'p' : isInteger(parameter.type.scalar()) ? 'i' : 'x';
  return {kernel.nameSpace + "::" + kernel.name, kinds};
}

Access accessAlong(const Op *op, unsigned dim, const AxisAnalysis &analysis) {
  const Value *pointer = op->operand(0);
  const AxisInfo &info = analysis.of(pointer);
  int64_t bytes = byteWidth(pointer->type.scalar());
  Access access;
  if (op->kind == OpKind::Atomic && !op->getBool(Attr::vectors)) {
    access.limit = "atomics are done element by element";
    access.cause = Limit::Atomic;
    access.form = MaskForm::Element;
    return access;
  }
  int64_t widest = std::max<int64_t>(1, kMostAccessBytes / bytes);
  int64_t contiguous = powerOfTwoDivisor(info.contiguity[dim]);
  int64_t aligned = std::max<int64_t>(1, powerOfTwoDivisor(info.divisibility[dim]) / bytes);
  access.vector = std::min({widest, contiguous, aligned});
  access.aligned = aligned * bytes;
  if (access.vector != widest && contiguous <= aligned) {
    access.cause = Limit::Contiguity;
    access.limit = contiguous == 1
                       ? "neighbouring elements are not neighbours in memory"
                       : fmt::format("addresses run on for {} elements only", contiguous);
  } else if (access.vector != widest) {
    access.cause = Limit::Alignment;
    access.limit =
        fmt::format("addresses are known to be aligned to {} bytes only", access.aligned);
  }

  Value *mask = maskOf(op);
  if (!mask) return access;
  for (int64_t vector = access.vector; vector >= 1; vector /= 2) {
    auto prefix = prefixMask(mask, dim, vector, analysis);
    if (!prefix) continue;
    if (vector < access.vector) {
      access.cause = Limit::Mask;
      access.limit = vector == 1 ? "the mask changes from element to element"
                                 : fmt::format("the mask changes every {} elements", vector);
    }
    access.vector = vector;
    access.form = prefix->index ? MaskForm::Prefix : MaskForm::Uniform;
    return access;
  }
  T2C_UNREACHABLE("any mask is the same for all of one element");
}

}  // namespace tile2cu::passes
