#include "passes/memory/vectorize_accesses.h"

#include <limits>
#include <map>

#include "fmt/format.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/memory/access_width.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/atomic_update.h"
#include "passes/memory/explain_access.h"
#include "passes/rewrite/padding.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

struct State {
  Kernel &kernel;
  PassContext &context;
  bool isFallback = false;
  std::map<Value *, Value *> limits = {};
  std::map<const Value *, bool> onElements = {};

  // Masks the padding of an operation with a mask; whether there is any.
  bool maskPadding(Op *op) {
    const Type &type = op->operand(0)->type;
    Builder b = Builder::before(op);
    Value *valid = validMask(b, type);
    if (!valid) return false;
    const unsigned at = *maskIndex(op->kind);
    Value *mask = op->operand(at) ? b.binary(OpKind::And, op->operand(at), valid) : valid;
    while (op->numOperands() <= at) op->addOperand(nullptr);
    op->setOperand(at, mask);
    return true;
  }

  // The part in the shape and layout of `type`: applies the views that prefixMask has removed.
  Value *spread(Builder &b, const PrefixMask::Part &part, const Type &type) {
    Value *result = part.value;
    const std::string &name = part.value->name;
    for (int64_t axis : part.axes) {
      Shape shape = result->type.shape();
      LayoutRef layout = result->type.layout()->withUnitDim(axis);
      shape.insert(shape.begin() + axis, 1);
      Op *op = b.create(OpKind::ExpandDims, {result}, {Type(result->type.element(), shape, layout)},
                        name);
      op->setInt(Attr::axis, axis);
      result = op->result();
    }
    T2C_ASSERT(result->type.rank() == type.rank());
    if (result->type.shape() == type.shape()) return result;
    return b
        .create(OpKind::Broadcast, {result},
                {Type(result->type.element(), type.shape(), type.layout())}, name)
        ->result();
  }

  // max(scalar, 0), created once for each scalar.
  Value *notNegative(Value *scalar) {
    Value *&known = limits[scalar];
    if (known) return known;
    Builder b = scalar->definition ? Builder::after(scalar->definition)
                                   : Builder::before(scalar->owner->front());
    known = b.binary(OpKind::Maximum, scalar, b.constant(Scalar::I32, 0), "limit");
    return known;
  }

  // bound - index, which must not overflow: for a bound far below 0, many elements would be inside
  // instead of none.
  Value *remaining(Builder &b, const PrefixMask &prefix) {
    Value *bound = prefix.bound, *index = prefix.index;
    if (bound->type.scalar() == Scalar::I32) {
      constexpr Range kAll{std::numeric_limits<int32_t>::min(),
                           std::numeric_limits<int32_t>::max()};
      Range high = rangeOf(bound, Assume::Launched).value_or(kAll),
            low = rangeOf(index, Assume::Launched).value_or(kAll);
      bool fits = high.low - low.high >= kAll.low && high.high - low.low <= kAll.high;
      if (!fits && low.low >= 0) {
        const Shape shape = bound->type.shape();
        LayoutRef layout = bound->type.layout();
        const Op *splat = bound->definition;
        if (splat && splat->kind == OpKind::Splat)
          bound = b.splat(notNegative(splat->operand(0)), shape, layout);
        else
          bound =
              b.binary(OpKind::Maximum, bound, b.splat(b.constant(Scalar::I32, 0), shape, layout));
      } else if (!fits) {
        bound = b.cast(bound, Scalar::I64);
        index = b.cast(index, Scalar::I64);
      }
    }
    // For unsigned types, a bound below the index would leave too many elements.
    if (!isSigned(bound->type.scalar())) bound = b.binary(OpKind::Maximum, bound, index);
    Value *difference = b.binary(OpKind::Sub, bound, index);
    // 64 bits may not hold it, for a bound of INT64_MAX ("no limit") and a negative index. The
    // count is clamped to the elements of a vector afterwards.
    if (bound->type.scalar() == Scalar::I64 &&
        !Integers(Assume::Launched).differenceFits(bound, index))
      difference->definition->setBool(Attr::saturates, true);
    return difference;
  }

  void usePrefix(Op *op, const PrefixMask &prefix, int64_t vector) {
    const Type &type = op->operand(0)->type;
    Builder b = Builder::before(op);
    Value *count = remaining(b, prefix);
    if (count->type.scalar() != Scalar::I32) {
      Shape shape = count->type.shape();
      LayoutRef layout = count->type.layout();
      Value *high = b.splat(b.constant(count->type.scalar(), vector), shape, layout);
      if (isSigned(count->type.scalar())) {
        Value *low = b.splat(b.constant(count->type.scalar(), 0), shape, layout);
        count = b.create(OpKind::Clamp, {count, low, high}, {count->type})->result();
      } else {
        count = b.binary(OpKind::Minimum, count, high);
      }
      count = b.cast(count, Scalar::I32);
    }
    if (count->name.empty()) count->name = "remaining";
    count = spread(b, {count, prefix.axes}, type);
    for (const PrefixMask::Part &part : prefix.uniform) {
      Value *zero = b.splat(b.constant(Scalar::I32, 0), type.shape(), type.layout());
      count = b.select(spread(b, part, type), count, zero);
    }
    op->setOperand(op->kind == OpKind::Load ? 1 : 2, count);
  }

  // Whether a tile is computed from elements that the same loop nest (the one of its layout)
  // accesses one by one, so that it is not complete when a vector is needed. The results of another
  // loop nest are complete: the row indices in a gather of rows, for example.
  bool dependsOnElements(const Value *value, const Layout &layout) {
    const Op *op = value ? value->definition : nullptr;
    if (!op || !value->type.isTile() || !(*value->type.layout() == layout)) return false;
    const auto [known, isNew] = onElements.try_emplace(value, false);
    if (!isNew) return known->second;
    bool depends = op->kind == OpKind::SharedLoad || op->kind == OpKind::Atomic ||
                   op->kind == OpKind::CudaEffect || op->kind == OpKind::Map ||
                   ((op->kind == OpKind::Load || op->kind == OpKind::RandomBits) &&
                    op->get(Attr::form) == MaskForm::Element);
    if (op->is(Elementwise) || isRematerializable(op))
      for (const Value *operand : op->operands()) depends |= dependsOnElements(operand, layout);
    return onElements[value] = depends;
  }

  void decide(Op *op, const AxisAnalysis &analysis) {
    const Type &type = op->operand(0)->type;
    auto axis = vectorAxis(*type.layout());
    op->setInt(Attr::vector, 1);
    op->set(Attr::form, MaskForm::Element);
    const AccessPlan plan = planOf(op, analysis);
    if (plan.form == MaskForm::Element) return;
    Value *mask = maskOf(op);
    const Value *other = op->kind == OpKind::Load ? op->operand(2) : nullptr;
    const Layout &layout = *type.layout();
    if (dependsOnElements(op->operand(0), layout) || dependsOnElements(mask, layout) ||
        dependsOnElements(other, layout))
      return;
    bool asPrefix = plan.form == MaskForm::Prefix;
    auto prefix = plan.prefix;
    // With vectors of one element any prefix is uniform too. The text of the element-wise variant
    // must not differ, so the form of the comparison decides if the mask is not known to be uniform
    // for wider vectors.
    if (mask && !asPrefix && axis->extent == 1 && kernel.assumptions.empty() &&
        wantsPrefix(op, axis->dim, analysis)) {
      prefix = prefixMask(mask, axis->dim, 2, analysis);
      asPrefix = true;
    }
    if (asPrefix) usePrefix(op, *prefix, axis->extent);
    op->set(Attr::form, asPrefix ? MaskForm::Prefix : MaskForm::Uniform);
    op->setInt(Attr::vector, axis->extent);
  }

  // The axis of the vectors of an access.
  static VectorAxis axisOf(const Op *op) {
    const Type &type = op->operand(0)->type;
    return vectorAxis(*type.layout()).value_or(VectorAxis{0, type.rank() - 1, 1});
  }

  // Records for -Rtile the form that was chosen for an access; `possible` is its widest form by
  // itself.
  void explain(Op *op, const VectorAxis &axis, const Access &possible,
               const AxisAnalysis &analysis) {
    const Type &type = op->operand(0)->type;
    const int64_t bytes = byteWidth(type.scalar()), vector = op->getInt(Attr::vector);
    std::string what = op->kind == OpKind::Load    ? "load"
                       : op->kind == OpKind::Store ? "store"
                                                   : nameOfAtomic(*op->get(Attr::update));
    if (vector * bytes >= kMostAccessBytes) {
      const int64_t pieces = vector * bytes / kMostAccessBytes;
      std::string how =
          pieces > 1 ? fmt::format(", as {} pieces of {}", pieces, kMostAccessBytes) : "";
      how += !maskOf(op) ? ""
             : op->get(Attr::form) == MaskForm::Prefix
                 ? "; a vector that crosses the bound moves element by element"
                 : "; the mask is tested once for each vector";
      context.diagnostics.decided(DiagId::AccessWidth, kernel, op->loc,
                                  {what, amount(vector, bytes), how});
      return;
    }
    const Narrowness narrow = whyNarrow(op, possible, axis, vector, kernel, analysis);
    const std::vector<std::string> arguments{what, amount(vector, bytes), narrow.reason};
    context.diagnostics.decided(DiagId::AccessNarrow, kernel, op->loc, arguments);
    // A variant for arguments of other alignment is meant to be element-wise.
    if (vector == 1 && narrow.needsFact && !isFallback)
      context.diagnostics.report(DiagId::AccessNeedsFact, op->loc, arguments);
  }

  // Records for -Rtile what the launcher checks, if there is another kernel for arguments that fail
  // the check.
  void explainAssumptions() {
    if (kernel.scalarVariant || (kernel.forHopper && !kernel.assumptions.empty()))
      context.diagnostics.decided(
          DiagId::LauncherAssumptions, kernel, kernel.loc,
          {describeAssumptions(kernel),
           kernel.assumptions.ones.empty() ? "with element-wise accesses" : "for any strides"});
  }

  // Why a load may not be moved before the kernel's stores.
  void explainOrder(Op *op) {
    auto base = basePointer(op->operand(0));
    if (!base) return;
    const Parameter &parameter = kernel.parameters[*base];
    std::string why =
        !parameter.isRestrict ? "it is not declared __restrict__" : "it is not a pointer to const";
    context.diagnostics.decided(DiagId::LoadOrdered, kernel, op->loc, {parameter.name, why});
  }

  // Whether the variant with vectors of more than one element uses this mask as a prefix.
  bool wantsPrefix(Op *op, unsigned dim, const AxisAnalysis &analysis) {
    if (!op->has(Attr::prefix_in_vector_variant)) return false;
    auto prefix = prefixMask(maskOf(op), dim, 2, analysis);
    return prefix && prefix->index;
  }

  void decideRandom(Op *op, const AxisAnalysis &analysis) {
    auto axis =
        op->result()->type.isTile() ? vectorAxis(*op->result()->type.layout()) : std::nullopt;
    op->setInt(Attr::vector, 1);
    op->set(Attr::form, MaskForm::Element);
    if (!axis || op->has(Attr::word)) return;
    const AxisInfo &info = analysis.of(op->operand(1));
    bool runs = info.contiguity[axis->dim] % axis->extent == 0 &&
                !dependsOnElements(op->operand(1), *op->result()->type.layout());
    bool aligned = axis->extent % 4 != 0 || info.divisibility[axis->dim] % 4 == 0;
    if (runs && aligned && axis->extent % 4 == 0)
      context.diagnostics.decided(DiagId::RandomShared, kernel, op->loc, {});
    else
      context.diagnostics.decided(
          DiagId::RandomAlone, kernel, op->loc,
          {axis->extent < 4 ? "a thread does not hold four neighbours"
           : !runs          ? "its offsets do not count up by one"
                            : "its offsets are not known to start at multiples of 4"});
    if (!runs || !aligned) return;
    op->setInt(Attr::vector, axis->extent);
    op->set(Attr::form, MaskForm::Uniform);
  }
};

}  // namespace

llvm::LogicalResult vectorize_accesses(Module &module, PassContext &context) {
  dropUnusedAssumptions(module, context.analyses);
  for (Kernel &kernel : module.kernels) {
    const bool isFallback = llvm::any_of(
        module.kernels, [&](const Kernel &other) { return isFallbackOf(kernel, other); });
    State state{kernel, context, isFallback};
    // Random numbers are included in program order, after the operations that they depend on.
    std::vector<Op *> accesses, others;
    walk(kernel.body, [&](Op *op) {
      if (isTileAccess(op) || op->kind == OpKind::RandomBits) accesses.push_back(op);
      if ((op->kind == OpKind::DeviceAssert || op->kind == OpKind::DevicePrint ||
           op->kind == OpKind::CudaEffect) &&
          op->operand(0)->type.isTile())
        others.push_back(op);
    });
    bool isMasked = false;
    for (Op *op : accesses)
      if (op->kind != OpKind::RandomBits) isMasked |= state.maskPadding(op);
    for (Op *op : others) isMasked |= state.maskPadding(op);
    if (isMasked) context.analyses.invalidate(kernel);
    state.explainAssumptions();
    const auto axes = context.analyses.axes(kernel, kernel.assumptions);
    // The widest form of an access if a launcher checked every possible assumption.
    const auto best = context.analyses.axes(kernel, allAssumptions(kernel));
    for (Op *op : accesses) {
      if (op->kind == OpKind::RandomBits) {
        state.decideRandom(op, *axes);
        continue;
      }
      const VectorAxis axis = State::axisOf(op);
      const Access possible = accessAlong(op, axis.dim, *best);
      state.decide(op, *axes);
      state.explain(op, axis, possible, *best);
      if (op->kind == OpKind::Load && !op->getBool(Attr::read_only)) state.explainOrder(op);
    }
    // Masks that are the same for all elements of a vector are computed once for it.
    walk(kernel.body, [&](Op *op) {
      if (isUniformMask(op, *axes) &&
          !state.dependsOnElements(op->result(), *op->result()->type.layout()))
        op->setBool(Attr::vector_uniform, true);
    });
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
