#include "passes/launch/make_variants.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/atomic_order.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/clone_kernel.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The width of a kernel's accesses under some assumptions: their total vector width, and the number
// of masks that are one per vector.
struct Score {
  int64_t width = 0, uniform = 0;
  bool operator==(const Score &) const = default;
};

struct State {
  Kernel &kernel;
  std::vector<Op *> accesses, randoms;

  explicit State(Kernel &k) : kernel(k) {
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::RandomBits && op->result()->type.isTile() && !op->has(Attr::word))
        randoms.push_back(op);
      if (!isTileAccess(op)) return;
      if (op->kind != OpKind::Atomic || op->getBool(Attr::vectors)) accesses.push_back(op);
    });
  }

  Score score(const Assumptions &assumptions) {
    AxisAnalysis analysis(kernel, assumptions);
    Score score;
    int64_t widest = 1;
    for (Op *op : accesses) {
      Access access = accessAlong(op, contiguousDim(op, analysis), analysis);
      widest = std::max(widest, access.vector);
      score.width += access.vector;
      score.uniform += access.form == MaskForm::Uniform && access.vector > 1;
    }
    if (widest >= 4)  // neighbouring elements can share a Philox call
      for (Op *op : randoms) {
        const AxisInfo &info = analysis.of(op->operand(1));
        unsigned last = info.contiguity.size() - 1;
        if (info.contiguity[last] % 4 == 0 && info.divisibility[last] % 4 == 0) score.width += 4;
      }
    return score;
  }

  // `sibling`: the assumptions of another candidate of the same function. They are reused if they
  // are as good here, so that one test in the launcher serves all candidates.
  Assumptions neededAssumptions(const Assumptions *sibling) {
    Assumptions assumptions = allAssumptions(kernel);
    const Score best = score(assumptions);
    Score kept = best;
    if (best.width == score(Assumptions{}).width) return {};
    if (sibling && score(*sibling) == best) return *sibling;
    bool stride = false;  // whether an integer is needed for addresses
    std::vector<unsigned> onlyMasks;
    for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
      auto it = assumptions.divisibility.find(i);
      if (it == assumptions.divisibility.end()) continue;
      Assumptions fewer = assumptions;
      fewer.divisibility.erase(i);
      Score without = score(fewer);
      if (without.width < best.width) {
        stride |= !kernel.parameters[i].type.isPointer();
        continue;
      }
      if (without.uniform < best.uniform) {
        onlyMasks.push_back(i);
        continue;
      }
      assumptions = fewer;
      kept = without;
    }
    if (!stride && !onlyMasks.empty()) {
      for (unsigned i : onlyMasks) assumptions.divisibility.erase(i);
      kept = score(assumptions);
    }
    // The smallest divisors that are as good. If one is not, no smaller one is.
    for (auto &[index, divisor] : assumptions.divisibility) {
      for (int64_t smaller : {8, 4, 2}) {
        Assumptions weaker = assumptions;
        weaker.divisibility[index] = smaller;
        Score reached = score(weaker);
        if (reached.width < kept.width || reached.uniform < kept.uniform) break;
        divisor = smaller;
      }
    }
    return assumptions;
  }

  void markPrefixes(Analyses &analyses) {
    const auto axes = analyses.axes(kernel, kernel.assumptions);
    for (Op *op : accesses)
      if (accessAlong(op, contiguousDim(op, *axes), *axes).form == MaskForm::Prefix)
        op->setBool(Attr::prefix_in_vector_variant, true);
  }
};

}  // namespace

// Kernels with dots differ on Hopper: wgmma, and TMA loads of its operands.
static bool hasDot(Kernel &kernel) {
  bool found = false;
  walk(kernel.body, [&](Op *op) { found |= op->kind == OpKind::Dot; });
  return found;
}

// Whether a tile consists of results of reductions, perhaps in a loop: it has the layout of their
// results.
static bool isReduced(const Value *tile) {
  const Op *op = tile->definition;
  if (!op || !tile->type.isTile()) return false;
  if (op->kind == OpKind::Reduce) return true;
  if (op->kind == OpKind::For) {
    const Op *end = op->region()->terminator();
    return end && end->kind == OpKind::Yield && isReduced(end->operand(tile->index));
  }
  return op->is(Elementwise) &&
         llvm::any_of(op->operands(), [](const Value *each) { return each && isReduced(each); });
}

// Atomic additions to neighbouring elements whose result is unused, and that order nothing else,
// are one instruction from sm_90 on.
static void markVectorAdditions(Kernel &kernel, const PassContext &context) {
  if (!llvm::all_of(context.targetsOf(kernel), [](const Target &t) { return t.sm >= 90; })) return;
  for (const auto &[atomic, order] : ordersOf(kernel)) {
    const Value *added = atomic->operand(1);
    if (atomic->get(Attr::update) != AtomicUpdate::Add || !added->type.isTile() ||
        isReduced(added) || !atomic->result()->unused())
      continue;
    const Scalar type = added->type.scalar();
    const bool isFloat = type == Scalar::F32 || type == Scalar::F16 || type == Scalar::BF16;
    if (isFloat && order == MemoryOrder::Relaxed && atomic->get(Attr::scope) != AtomicScope::System)
      atomic->setBool(Attr::vectors, true);
  }
}

static void addHopperVariant(Module &module, Kernel &kernel, PassContext &context) {
  Kernel &variant = cloneKernel(module, kernel);
  variant.forHopper = true;
  markVectorAdditions(variant, context);
  variant.assumptions = State(variant).neededAssumptions(&kernel.assumptions);
  variant.assumptions.ones = kernel.assumptions.ones;
  kernel.hopperVariant = &variant;
}

llvm::LogicalResult make_variants(Module &module, PassContext &context) {
  std::vector<Kernel *> kernels;
  for (Kernel &kernel : module.kernels) kernels.push_back(&kernel);
  std::map<std::pair<FunctionKey, std::set<unsigned>>, const Assumptions *> siblings;
  for (Kernel *each : kernels) {
    Kernel &kernel = *each;
    markVectorAdditions(kernel, context);
    State state(kernel);
    const std::set<unsigned> ones = kernel.assumptions.ones;
    const Assumptions *&sibling = siblings[{functionOf(kernel), ones}];
    kernel.assumptions = state.neededAssumptions(sibling);
    kernel.assumptions.ones = ones;
    if (kernel.assumptions.divisibility.empty()) continue;
    sibling = &kernel.assumptions;
    state.markPrefixes(context.analyses);
    // A kernel for strides of 1 has a variant for all arguments already.
    if (!kernel.scalarVariant) kernel.scalarVariant = &cloneKernel(module, kernel);
  }
  if (context.mixesHopper())
    for (Kernel *kernel : kernels)
      if (hasDot(*kernel)) addHopperVariant(module, *kernel, context);
  return llvm::success();
}

}  // namespace tile2cu::passes
