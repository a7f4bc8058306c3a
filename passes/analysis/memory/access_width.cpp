#include "passes/analysis/memory/access_width.h"

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/text/prose.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;

AccessPlan planOf(const Op *op, const AxisAnalysis &analysis) {
  const Type &type = op->operand(0)->type;
  const auto axis = vectorAxis(*type.layout());
  if (!axis) return {};
  const Access access = accessAlong(op, axis->dim, analysis);
  // A vector axis longer than the widest access is moved in several of those.
  const bool isInPieces = access.vector * byteWidth(type.scalar()) == kMostAccessBytes &&
                          axis->extent > access.vector &&
                          analysis.of(op->operand(0)).contiguity[axis->dim] % axis->extent == 0;
  if (access.form == MaskForm::Element || (axis->extent > access.vector && !isInPieces)) return {};
  AccessPlan plan{axis->extent, MaskForm::Uniform, std::nullopt};
  if (Value *mask = maskOf(op)) {
    plan.prefix = prefixMask(mask, axis->dim, axis->extent, analysis);
    if (!plan.prefix) return {};
    if (plan.prefix->index) plan.form = MaskForm::Prefix;
  }
  return plan;
}

bool isUniformMask(const Op *op, const AxisAnalysis &analysis) {
  if (op->numResults() != 1 || !isRematerializable(op)) return false;
  const Type &type = op->result()->type;
  if (type.isPointer() || type.scalar() != Scalar::Bool || !type.layout()) return false;
  const auto axis = vectorAxis(*type.layout());
  return axis && analysis.of(op->result()).constancy[axis->dim] % axis->extent == 0;
}

namespace {

// The parameters for which TMA may need more divisibility: pointers of arrays, extents and
// positions along their rows, and strides, unless these are multiples of 16 elements anyway.
class CopySources {
 public:
  CopySources(Kernel &kernel, Analyses &analyses) : axes_(analyses.axes(kernel, Assumptions{})) {
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::TensorMap) {
        const unsigned rank = op->getInt(Attr::rank);
        add(op->operand(0));
        need(op->operand(1));
        for (unsigned i = 1 + rank; i < op->numOperands(); ++i) need(op->operand(i));
      } else if (op->kind == OpKind::TensorLoad) {
        need(op->operand(1));
      } else if (op->kind == OpKind::TensorStore) {
        need(op->operand(2));
      }
    });
  }

  std::set<unsigned> parameters;

 private:
  void need(const Value *value) {
    if (axes_->of(value).divisibility[0] % kMostAccessBytes != 0) add(value);
  }

  // All values that a value is computed from.
  void add(const Value *value) {
    if (!value || !seen_.insert(value).second) return;
    if (!value->isArgument()) return addAll(value->definition);
    const Op *around = value->owner->parent;
    if (!around)
      parameters.insert(value->index);
    else
      addAll(around);
  }
  void addAll(const Op *op) {
    for (const Value *operand : op->operands()) add(operand);
    for (const auto &region : op->regions)
      if (const Op *end = region->terminator())
        for (const Value *operand : end->operands()) add(operand);
  }

  std::shared_ptr<const AxisAnalysis> axes_;
  std::set<const Value *> seen_;
};

// Everything that depends on assumptions after layouts are chosen.
struct Outcome {
  std::vector<std::pair<int64_t, MaskForm>> accesses;
  std::vector<std::pair<int64_t, int64_t>> randoms;
  std::vector<bool> masks;
  bool operator==(const Outcome &) const = default;

  Outcome(Kernel &kernel, const AxisAnalysis &analysis) {
    walk(kernel.body, [&](Op *op) {
      if (isTileAccess(op)) {
        const AccessPlan plan = planOf(op, analysis);
        accesses.emplace_back(plan.vector, plan.form);
      } else if (op->kind == OpKind::RandomBits && op->result()->type.isTile()) {
        const AxisInfo &info = analysis.of(op->operand(1));
        for (unsigned d = 0; d < info.contiguity.size(); ++d)
          randoms.emplace_back(info.contiguity[d], info.divisibility[d]);
      } else if (op->numResults() == 1) {
        masks.push_back(isUniformMask(op, analysis));
      }
    });
  }
};

}  // namespace

static Assumptions neededAssumptions(Kernel &kernel, Analyses &analyses) {
  Assumptions needed = kernel.assumptions;
  const CopySources ofCopies(kernel, analyses);
  const Outcome all(kernel, *analyses.axes(kernel, kernel.assumptions));
  // Whether accesses stay the same if `index` is a multiple of `divisor` only; if so, that is all
  // that is needed.
  auto suffices = [&](unsigned index, int64_t divisor) {
    Assumptions fewer = needed;
    if (divisor == 1)
      fewer.divisibility.erase(index);
    else
      fewer.divisibility[index] = divisor;
    if (!(Outcome(kernel, AxisAnalysis(kernel, fewer)) == all)) return false;
    needed = std::move(fewer);
    return true;
  };
  for (const auto &[index, divisor] : kernel.assumptions.divisibility) {
    if (ofCopies.parameters.count(index)) continue;
    // A pointer is aligned or not. An integer is a multiple of a smaller divisor more often; but if
    // half of the divisor does not suffice, which is usual, no smaller one does.
    if (kernel.parameters[index].type.isPointer()) {
      suffices(index, 1);
    } else if (suffices(index, divisor / 2)) {
      for (int64_t smaller = 1; smaller < divisor / 2; smaller *= 2)
        if (suffices(index, smaller)) break;
    }
  }
  return needed;
}

void dropUnusedAssumptions(Module &module, Analyses &analyses) {
  // The candidates of a function keep the same assumptions, so that one test in the launcher serves
  // all of them.
  std::map<std::pair<FunctionKey, Assumptions>, std::vector<Kernel *>> alike;
  for (Kernel &kernel : module.kernels)
    if (!kernel.assumptions.divisibility.empty())
      alike[{functionOf(kernel), kernel.assumptions}].push_back(&kernel);
  for (const auto &[key, kernels] : alike) {
    Assumptions needed;
    for (Kernel *kernel : kernels)
      for (const auto &[index, divisor] : neededAssumptions(*kernel, analyses).divisibility) {
        int64_t &most = needed.divisibility.try_emplace(index, divisor).first->second;
        most = std::max(most, divisor);
      }
    // A kernel that needs no assumptions keeps those that it has: the pass that made its variant
    // decides about them.
    if (needed.empty()) continue;
    for (Kernel *kernel : kernels) kernel->assumptions.divisibility = needed.divisibility;
  }
}

std::string describeOnes(const Kernel &kernel, const std::set<unsigned> &ones) {
  if (ones.empty()) return "";
  std::vector<std::string> names;
  for (unsigned index : ones) names.push_back("'" + kernel.parameters[index].name + "'");
  return inWords(names) + (names.size() == 1 ? " is 1" : " are 1");
}

std::string describeAssumptions(const Kernel &kernel) {
  std::map<std::pair<bool, int64_t>, std::vector<std::string>> byDivisor;
  for (auto [index, divisor] : kernel.assumptions.divisibility) {
    const Parameter &parameter = kernel.parameters[index];
    byDivisor[{!parameter.type.isPointer(), divisor}].push_back("'" + parameter.name + "'");
  }
  std::string text = describeOnes(kernel, kernel.assumptions.ones);
  for (const auto &[key, names] : byDivisor) {
    if (!text.empty()) text += ", and ";
    text += inWords(names) + (names.size() == 1 ? " is a multiple of " : " are multiples of ") +
            std::to_string(key.second) + (key.first ? "" : " bytes");
  }
  return text;
}

}  // namespace tile2cu::passes
